//! Expressions with their types.

use reductio_model::{self as model, Expr, Index, Place, ProctypeId, Scope, Unary, ValueType};

use super::ast::{self, Binary, ExprKind, Name, Target, Type};
use super::lower::Lowering;
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::source::Span;

/// What kind of value an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Number,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Number => "int",
        }
    }
}

/// A variable of a process.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub length: Option<u32>,
    /// The first of its slots.
    pub base: u32,
    pub span: Span,
}

impl Variable {
    pub fn kind(&self) -> Kind {
        if self.ty == Type::Boolean { Kind::Boolean } else { Kind::Number }
    }

    pub fn value_type(&self) -> ValueType {
        match self.ty {
            Type::Boolean => ValueType::BIT,
            // A value out of range must arrive to be found wrong.
            Type::Int | Type::Range(..) => ValueType::Int,
            Type::Bits(bits) => ValueType::Unsigned(bits),
        }
    }
}

/// Who evaluates.
#[derive(Clone, Copy)]
pub enum Reader {
    /// A process, its own variables.
    Process(ProctypeId),
    /// A formula, the variables of all.
    Formula,
}

impl Lowering<'_> {
    /// An expression that must be of some kind. `None` after an error.
    pub fn expression_of(&mut self, kind: Kind, expr: &ast::Expr, reader: Reader) -> Option<Expr> {
        let (lowered, found) = self.expression(expr, reader)?;
        if found == kind {
            return Some(lowered);
        }
        let message = format!("this is {}, but {} is needed", found.name(), kind.name());
        self.error(message, expr.span);
        None
    }

    pub fn expression(&mut self, expr: &ast::Expr, reader: Reader) -> Option<(Expr, Kind)> {
        match &expr.kind {
            ExprKind::Number(value) => Some((Expr::Const(*value), Kind::Number)),
            ExprKind::Truth(value) => Some((Expr::Const(i32::from(*value)), Kind::Boolean)),
            ExprKind::Not(inner) => {
                let inner = self.expression_of(Kind::Boolean, inner, reader)?;
                Some((Expr::Unary(Unary::Not, Box::new(inner)), Kind::Boolean))
            }
            ExprKind::Minus(inner) => {
                let inner = self.expression_of(Kind::Number, inner, reader)?;
                let negated = match inner {
                    Expr::Const(value) => Expr::Const(value.wrapping_neg()),
                    inner => Expr::Unary(Unary::Negate, Box::new(inner)),
                };
                Some((negated, Kind::Number))
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, reader),
            ExprKind::Variable { process, name, index } => {
                let (id, variable) = self.variable(process.as_ref(), name, reader)?;
                let place = self.place(&variable, index.as_deref(), name.span, reader)?;
                let kind = variable.kind();
                Some(match reader {
                    Reader::Process(_) => (Expr::Read(Box::new(place)), kind),
                    Reader::Formula => {
                        let pid = Some(Box::new(Expr::Const(id.0 as i32)));
                        (Expr::Remote { proctype: id, pid, place: Box::new(place) }, kind)
                    }
                })
            }
            ExprKind::At { process, label } => {
                let proctype = self.process_of(process.as_ref(), label.span)?;
                let labels = &self.model.proctype(proctype).labels;
                if !labels.iter().any(|known| known.name == label.text) {
                    let near = nearest(&label.text, labels.iter().map(|known| known.name.as_str()));
                    let message = format!("there is no label `{}`", label.text);
                    self.diagnostics.add(Diagnostic::error(message, label.span).suggest(near));
                    return None;
                }
                let pid = Some(Box::new(Expr::Const(proctype.0 as i32)));
                Some((Expr::At { proctype, pid, label: label.text.clone() }, Kind::Boolean))
            }
            ExprKind::Temporal(..) => {
                self.error("a temporal operator cannot be used inside a condition", expr.span);
                None
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: &ast::Expr,
        right: &ast::Expr,
        reader: Reader,
    ) -> Option<(Expr, Kind)> {
        let make = |operator, left, right| Expr::Binary(operator, Box::new(left), Box::new(right));
        let (operands, result) = match operator {
            Binary::Implies | Binary::Or | Binary::And => (Kind::Boolean, Kind::Boolean),
            Binary::Equal | Binary::NotEqual => {
                let (left_expr, kind) = self.expression(left, reader)?;
                let right_expr = self.expression_of(kind, right, reader)?;
                let operator = if operator == Binary::Equal { model::Binary::Equal } else { model::Binary::NotEqual };
                return Some((make(operator, left_expr, right_expr), Kind::Boolean));
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => (Kind::Number, Kind::Boolean),
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => {
                (Kind::Number, Kind::Number)
            }
        };
        let left = self.expression_of(operands, left, reader);
        let right = self.expression_of(operands, right, reader);
        let (left, right) = left.zip(right)?;
        let operator = match operator {
            Binary::Implies => {
                let not = Expr::Unary(Unary::Not, Box::new(left));
                return Some((make(model::Binary::Or, not, right), Kind::Boolean));
            }
            Binary::Or => model::Binary::Or,
            Binary::And => model::Binary::And,
            Binary::Equal | Binary::NotEqual => unreachable!("these are lowered above"),
            Binary::Less => model::Binary::Less,
            Binary::LessEqual => model::Binary::LessEqual,
            Binary::Greater => model::Binary::Greater,
            Binary::GreaterEqual => model::Binary::GreaterEqual,
            Binary::Add => model::Binary::Add,
            Binary::Subtract => model::Binary::Subtract,
            Binary::Multiply => model::Binary::Multiply,
            Binary::Divide => model::Binary::Divide,
            Binary::Remainder => model::Binary::Remainder,
        };
        Some((make(operator, left, right), result))
    }

    /// What is assigned to, and the variable that it is or lies in.
    pub fn target(&mut self, target: &Target, id: ProctypeId) -> Option<(Place, Variable)> {
        let reader = Reader::Process(id);
        let (_, variable) = self.variable(None, &target.name, reader)?;
        let place = self.place(&variable, target.index.as_ref(), target.name.span, reader)?;
        Some((place, variable))
    }

    fn place(&mut self, variable: &Variable, index: Option<&ast::Expr>, span: Span, reader: Reader) -> Option<Place> {
        let indices = match (variable.length, index) {
            (None, None) => Vec::new(),
            (Some(length), Some(index)) => {
                let value = self.expression_of(Kind::Number, index, reader)?;
                if let Expr::Const(constant) = value
                    && !(0..length as i32).contains(&constant)
                {
                    let message = format!("`{}` has elements 0 to {}", variable.name, length - 1);
                    self.diagnostics.add(Diagnostic::error(message, index.span).note("declared here", variable.span));
                    return None;
                }
                vec![Index { value, length, stride: 1 }]
            }
            (Some(_), None) => {
                let message = format!("`{}` is an array: which of its elements?", variable.name);
                self.diagnostics.add(Diagnostic::error(message, span).note("declared here", variable.span));
                return None;
            }
            (None, Some(_)) => {
                let message = format!("`{}` is no array", variable.name);
                self.diagnostics.add(Diagnostic::error(message, span).note("declared here", variable.span));
                return None;
            }
        };
        Some(Place { scope: Scope::Local, base: variable.base, indices, ty: variable.value_type() })
    }

    fn variable(&mut self, process: Option<&Name>, name: &Name, reader: Reader) -> Option<(ProctypeId, Variable)> {
        let id = match reader {
            Reader::Process(id) => id,
            Reader::Formula => self.process_of(process, name.span)?,
        };
        let variables = &self.variables[id.index()];
        if let Some(variable) = variables.iter().find(|variable| variable.name == name.text) {
            return Some((id, variable.clone()));
        }
        let near = nearest(&name.text, variables.iter().map(|variable| variable.name.as_str()));
        let message = format!("there is no variable `{}`", name.text);
        self.diagnostics.add(Diagnostic::error(message, name.span).suggest(near));
        None
    }

    /// The process that a formula speaks of.
    fn process_of(&mut self, process: Option<&Name>, span: Span) -> Option<ProctypeId> {
        match process {
            Some(name) => self.process_named(name),
            None if self.model.proctypes.len() == 1 => Some(ProctypeId(0)),
            None => {
                let message = "there are several processes: of which one is this?";
                let help = format!("write `{}.NAME`", self.model.proctypes[0].name);
                self.diagnostics.add(Diagnostic::error(message, span).help(help));
                None
            }
        }
    }

    pub fn process_named(&mut self, name: &Name) -> Option<ProctypeId> {
        let names = || self.model.proctypes.iter().map(|proctype| proctype.name.as_str());
        if let Some(index) = names().position(|known| known == name.text) {
            return Some(ProctypeId(index as u32));
        }
        let message = format!("there is no process `{}`", name.text);
        let diagnostic = Diagnostic::error(message, name.span).suggest(nearest(&name.text, names()));
        self.diagnostics.add(diagnostic);
        None
    }
}
