//! Statements, each as elements of the control flow.

use reductio_model::{ActionKind, Binary, Communication, Conversion, Expr, Guard, Op, Place, ValueType};

use super::body::Body;
use super::expressions::Incomplete;
use super::flow::{ElementId, ElementKind, SequenceId};
use super::trace::is_part_of_trace;
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::promela::ast::{self, ExprKind, Name, Statement, StatementKind, VarRef};
use crate::promela::symbols::DeclaredType;
use crate::promela::text;
use crate::source::Span;

impl Body<'_, '_> {
    /// Adds a statement; answers the element that a label in front of it means.
    pub fn statement(&mut self, statement: &Statement, sequence: SequenceId) -> ElementId {
        let span = statement.span;
        let position = self.lowering.position(span);
        if self.consists_of_events && !is_part_of_trace(&statement.kind) {
            self.lowering.error("a trace consists of sends and receives", span);
            return self.add_effect(sequence, Vec::new(), String::new(), span);
        }
        match &statement.kind {
            StatementKind::Labeled { label, statement } => self.labeled(label, statement, sequence),
            StatementKind::Unless { main, escape } => self.unless(main, escape, sequence, position, span),
            StatementKind::If(options) => {
                let options = self.options(options);
                self.flow.add_choice(sequence, options, None, position, span)
            }
            StatementKind::Do(options) => {
                let after = self.flow.new_target();
                self.breaks.push(after);
                let options = self.options(options);
                self.breaks.pop();
                self.flow.add_choice(sequence, options, Some(after), position, span)
            }
            StatementKind::ForRange { index, low, high, body } => {
                let low_value = self.expression(low);
                let high_value = self.expression(high);
                let texts = (text::top(low), text::top(high));
                self.for_range(index, (low_value, high_value), texts, body, sequence, span)
            }
            StatementKind::ForIn { index, collection, body } => self.for_in(index, collection, body, sequence, span),
            StatementKind::Select { index, low, high } => self.select(index, low, high, sequence, span),
            StatementKind::Atomic(block) => {
                let labels_before = self.labels.len();
                let body = self.block(block);
                self.warn_of_unseen_labels(block, labels_before);
                self.flow.make_atomic(body);
                self.flow.add(sequence, ElementKind::Block(body), position, span)
            }
            StatementKind::DStep(block) => self.d_step(block, sequence, position, span),
            StatementKind::Block(block) => {
                let body = self.block(block);
                self.flow.add(sequence, ElementKind::Block(body), position, span)
            }
            StatementKind::Inline { body, .. } => self.inline(body, sequence, position, span),
            StatementKind::Goto(_) | StatementKind::Break => match self.jump(statement) {
                Some(jump) => {
                    let element = self.flow.add(sequence, jump, position, span);
                    self.note_goto(statement, element);
                    element
                }
                None => self.add_effect(sequence, Vec::new(), text::statement(statement), span),
            },
            kind => {
                let action = self.simple(kind, span);
                self.add(sequence, action, text::statement(statement), span)
            }
        }
    }

    /// Statements that are one step each.
    fn simple(&mut self, kind: &StatementKind, span: Span) -> ActionKind {
        if self.consists_of_events {
            return self.event(kind, span);
        }
        let always = || Guard::When(Expr::TRUE);
        match kind {
            StatementKind::Skip => step(always(), None, Vec::new()),
            StatementKind::Else => step(Guard::Else, None, Vec::new()),
            StatementKind::Assign { target, value } => step(always(), None, self.assignment(target, value)),
            StatementKind::Increment { target, by } => {
                let place = self.lowering.target(target, Some(&self.scopes));
                let effect = place.map(|place| {
                    let old = Box::new(Expr::Read(Box::new(place.clone())));
                    let operator = if *by > 0 { Binary::Add } else { Binary::Subtract };
                    Op::Assign(place, Expr::Binary(operator, old, Box::new(Expr::Const(by.abs()))))
                });
                step(always(), None, vec![effect.unwrap_or(Op::Evaluate(Expr::Const(0)))])
            }
            StatementKind::Send { channel, sorted, arguments } => {
                let (channel, width) = self.lowering.channel(channel, Some(&self.scopes));
                let arguments = self.lowering.arguments(arguments, Some(&self.scopes));
                self.lowering.check_width(arguments.len(), width, Incomplete::SendFails, span);
                step(always(), Some(Communication::Send { channel, sorted: *sorted, arguments }), Vec::new())
            }
            StatementKind::Receive { channel, random, peek, arguments } => {
                let (channel, width) = self.lowering.channel(channel, Some(&self.scopes));
                let patterns = self.lowering.patterns(arguments, Some(&self.scopes));
                let incomplete = if *peek { Incomplete::MatchesAny } else { Incomplete::ReceiveFails };
                self.lowering.check_width(patterns.len(), width, incomplete, span);
                let receive = Communication::Receive { channel, random: *random, peek: *peek, patterns };
                step(always(), Some(receive), Vec::new())
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression(condition);
                step(always(), None, vec![Op::Assert(condition)])
            }
            StatementKind::Printf { format, arguments } => {
                let print = self.printf(format, arguments, span);
                step(always(), None, vec![print])
            }
            StatementKind::Printm(value) => {
                let conversion = Conversion::Symbol(self.enumeration_of(value));
                let arguments = vec![(conversion, self.expression(value))];
                step(always(), None, vec![Op::Print { literals: vec![String::new(), String::new()], arguments }])
            }
            StatementKind::SetPriority { pid, priority } => {
                self.lowering.model.features.priorities = true;
                let effect = Op::SetPriority { pid: self.expression(pid), priority: self.expression(priority) };
                step(always(), None, vec![effect])
            }
            StatementKind::Expression(condition) => match &condition.kind {
                ExprKind::Run { proctype, arguments, priority } => {
                    let run = self.run(proctype, arguments, priority.as_deref(), None, condition.span);
                    step(always(), None, run.into_iter().collect())
                }
                _ => {
                    let condition = self.expression(condition);
                    step(Guard::When(condition), None, Vec::new())
                }
            },
            _ => unreachable!("compound statements are lowered elsewhere"),
        }
    }

    fn assignment(&mut self, target: &VarRef, value: &ast::Expr) -> Vec<Op> {
        if target.parts.len() == 1 && target.parts[0].name.text == "_priority" {
            self.lowering.model.features.priorities = true;
            return vec![Op::SetPriority { pid: Expr::Pid, priority: self.expression(value) }];
        }
        let place = self.lowering.target(target, Some(&self.scopes));
        if let ExprKind::Run { proctype, arguments, priority } = &value.kind {
            return self.run(proctype, arguments, priority.as_deref(), place, value.span).into_iter().collect();
        }
        let span = value.span;
        let value = self.expression(value);
        if let (Some(place), Expr::Const(constant)) = (&place, &value) {
            self.lowering.warn_if_cut(&text::reference(target), place.ty, *constant, span);
        }
        // What goes nowhere is a step all the same, and can go wrong.
        vec![place.map_or_else(|| Op::Evaluate(value.clone()), |place| Op::Assign(place, value.clone()))]
    }

    fn run(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
        result: Option<Place>,
        span: Span,
    ) -> Option<Op> {
        let arguments = self.lowering.arguments(arguments, Some(&self.scopes));
        let priority = self.lowering.priority(priority);
        let Some(&proctype) = self.lowering.proctypes.get(&name.text) else {
            let known = self.lowering.proctypes.keys().map(String::as_str);
            let message = format!("there is no proctype `{}`", name.text);
            let diagnostic = Diagnostic::error(message, name.span).suggest(nearest(&name.text, known));
            self.lowering.diagnostics.add(diagnostic);
            return None;
        };
        let expected = self.lowering.signatures[proctype.index()].parameter_slots as usize;
        if arguments.len() != expected {
            let message = format!("`{}` has {expected} parameters, not {}", name.text, arguments.len());
            self.lowering.error(message, span);
            return None;
        }
        Some(Op::Run { proctype, arguments, priority, result })
    }

    /// Splits a format at its conversions and checks it against its arguments.
    fn printf(&mut self, format: &str, arguments: &[ast::Expr], span: Span) -> Op {
        let mut literals = vec![String::new()];
        let mut conversions = Vec::new();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            let literal = literals.last_mut().expect("there is always a literal");
            if character == '\\' {
                literal.push(match characters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some(other) => other,
                    None => '\\',
                });
                continue;
            }
            if character != '%' {
                literal.push(character);
                continue;
            }
            let conversion = match characters.next() {
                Some('%') => {
                    literal.push('%');
                    continue;
                }
                Some('d') | Some('i') => Conversion::Decimal,
                Some('u') => Conversion::Unsigned,
                Some('x') => Conversion::Hexadecimal,
                Some('o') => Conversion::Octal,
                Some('c') => Conversion::Character,
                Some('e') => {
                    let enumeration =
                        arguments.get(conversions.len()).and_then(|argument| self.enumeration_of(argument));
                    Conversion::Symbol(enumeration)
                }
                other => {
                    let shown = other.map_or(String::new(), String::from);
                    let help = "printf knows %d %u %x %o %c, %e for mtype names, and %% for a percent sign";
                    self.lowering.error_with_help(format!("printf does not know `%{shown}`"), span, help);
                    Conversion::Decimal
                }
            };
            conversions.push(conversion);
            literals.push(String::new());
        }
        if conversions.len() != arguments.len() {
            let message = format!("the format takes {} values, {} are given", conversions.len(), arguments.len());
            self.lowering.error(message, span);
        }
        let arguments: Vec<(Conversion, Expr)> = conversions
            .into_iter()
            .zip(arguments)
            .map(|(conversion, expr)| (conversion, self.expression(expr)))
            .collect();
        literals.truncate(arguments.len() + 1);
        Op::Print { literals, arguments }
    }

    /// Which enumeration a printed value belongs to, if its type tells.
    fn enumeration_of(&mut self, expr: &ast::Expr) -> Option<u32> {
        let ExprKind::Reference(reference) = &expr.kind else { return None };
        let first = &reference.parts[0].name.text;
        if self.lowering.find_variable(first, Some(&self.scopes)).is_none() {
            return self.lowering.constants.get(first).map(|(enumeration, _)| *enumeration);
        }
        match self.lowering.resolve(reference, Some(&self.scopes))?.ty {
            DeclaredType::Scalar(ValueType::Mtype(index)) => Some(index),
            _ => None,
        }
    }
}

pub fn step(guard: Guard, communication: Option<Communication>, effect: Vec<Op>) -> ActionKind {
    ActionKind::Step { guard, communication, effect }
}

pub fn read(place: &Place) -> Expr {
    Expr::Read(Box::new(place.clone()))
}

pub fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}
