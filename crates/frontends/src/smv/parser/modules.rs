//! Modules and what is in them.

use super::{Parse, Parser, Reported};
use crate::smv::ast::{
    Assign, AssignMoment, Compute, Constraint, Define, Element, Expr, ExprKind, Module, Name, Program, Section, Spec,
    SpecKind, TypeExpr, TypeKind,
};
use crate::source::Span;
use crate::tokens::{Parsing, TokenKind};

impl Parser<'_, '_> {
    pub fn program(&mut self) -> Program {
        let mut program = Program::default();
        while !self.at_end() && !self.cursor.diagnostics.is_full() {
            if !self.is("MODULE") {
                self.error_here("expected `MODULE`");
                while !self.at_end() && !self.is("MODULE") {
                    self.advance();
                }
                continue;
            }
            self.advance();
            match self.module() {
                Ok(module) => program.modules.push(module),
                Err(Reported) => self.recover(),
            }
        }
        program
    }

    fn module(&mut self) -> Parse<Module> {
        let name = self.name("the name of the module")?;
        let mut parameters = Vec::new();
        if self.accept("(") && !self.accept(")") {
            loop {
                parameters.push(self.name("the name of a parameter")?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let mut elements = Vec::new();
        while !self.at_end() && !self.is("MODULE") && !self.cursor.diagnostics.is_full() {
            if !self.at_section() {
                self.error_here("expected a part of a module, such as `VAR`, `ASSIGN` or `SPEC`");
                self.recover();
                continue;
            }
            if self.element(&mut elements).is_err() {
                self.recover();
            }
        }
        Ok(Module { name, parameters, elements })
    }

    fn element(&mut self, elements: &mut Vec<Element>) -> Parse<()> {
        let section = self.advance();
        let constraint = |kind| move |expr| Element::Constraint(kind, expr);
        match section.text {
            "VAR" => self.variables(Section::Var, elements),
            "IVAR" => self.variables(Section::Ivar, elements),
            "FROZENVAR" => self.variables(Section::FrozenVar, elements),
            "DEFINE" | "MDEFINE" => {
                let defines = self.list(Self::define);
                elements.push(Element::Defines(defines));
                Ok(())
            }
            "ISA" => {
                let module = self.name("the name of a module")?;
                self.accept(";");
                elements.push(Element::Include(module));
                Ok(())
            }
            "CONSTANTS" => {
                let mut names = Vec::new();
                loop {
                    names.push(self.name("a constant")?);
                    if !self.accept(",") {
                        break;
                    }
                }
                self.expect(";")?;
                elements.push(Element::Constants(names));
                Ok(())
            }
            "ASSIGN" => {
                let assigns = self.list(Self::assign);
                elements.push(Element::Assign(assigns));
                Ok(())
            }
            "INIT" => self.constraint(constraint(Constraint::Init), elements),
            "TRANS" => self.constraint(constraint(Constraint::Trans), elements),
            "INVAR" => self.constraint(constraint(Constraint::Invar), elements),
            "FAIRNESS" | "JUSTICE" => self.constraint(constraint(Constraint::Justice), elements),
            "COMPASSION" => {
                self.expect("(")?;
                let often = self.expression()?;
                self.expect(",")?;
                let then = self.expression()?;
                self.expect(")")?;
                self.accept(";");
                elements.push(Element::Compassion(often, then));
                Ok(())
            }
            "SPEC" | "CTLSPEC" => self.spec(SpecKind::Ctl, elements),
            "LTLSPEC" => self.spec(SpecKind::Ltl, elements),
            "INVARSPEC" => self.spec(SpecKind::Invariant, elements),
            "COMPUTE" => self.compute(section.span, elements),
            other => {
                let what = match other {
                    "PSLSPEC" => "formulas of PSL are",
                    _ => "this part of a module is",
                };
                self.unsupported(what, section.span)
            }
        }
    }

    /// Declarations, each ended by a `;`, up to the next part of the module.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Vec<T> {
        let mut items = Vec::new();
        while !self.at_end() && !self.at_section() && !self.cursor.diagnostics.is_full() {
            self.operators = 0;
            let parsed = item(self).and_then(|item| self.end_of_declaration().map(|()| item));
            match parsed {
                Ok(item) => items.push(item),
                Err(Reported) => self.recover(),
            }
        }
        items
    }

    /// The last `;` before the next part is often left out.
    fn end_of_declaration(&mut self) -> Parse<()> {
        if self.at_end() || self.at_section() { Ok(()) } else { self.expect(";").map(|_| ()) }
    }

    fn constraint(&mut self, element: impl FnOnce(Expr) -> Element, elements: &mut Vec<Element>) -> Parse<()> {
        self.operators = 0;
        let expr = self.expression()?;
        elements.push(element(expr));
        self.end_of_declaration()
    }

    /// `name := value`, or `instance.name := value` for a name of another instance.
    fn define(&mut self) -> Parse<Define> {
        let mut name = self.declared_name()?;
        let mut owner: Option<Expr> = None;
        while self.accept(".") {
            let inner = self.declared_name()?;
            let outer = std::mem::replace(&mut name, inner);
            owner = Some(match owner {
                None => Expr { kind: ExprKind::Name(outer.text), span: outer.span },
                Some(before) => {
                    let span = before.span.to(outer.span);
                    Expr { kind: ExprKind::Member(Box::new(before), outer), span }
                }
            });
        }
        self.expect(":=")?;
        Ok(Define { owner, name, value: self.expression()? })
    }

    fn given_name(&mut self) -> Parse<Option<Name>> {
        if !self.accept("NAME") {
            return Ok(None);
        }
        let name = self.declared_name()?;
        self.expect(":=")?;
        Ok(Some(name))
    }

    /// `MIN [from, to]` or `MAX [from, to]`.
    fn compute(&mut self, start: Span, elements: &mut Vec<Element>) -> Parse<()> {
        self.operators = 0;
        let name = self.given_name()?;
        if !self.accept("MIN") {
            self.expect("MAX")?;
        }
        self.expect("[")?;
        let from = self.expression()?;
        self.expect(",")?;
        let to = self.expression()?;
        let span = start.to(self.expect("]")?);
        elements.push(Element::Compute(Compute { name, from, to, span }));
        self.end_of_declaration()
    }

    fn spec(&mut self, kind: SpecKind, elements: &mut Vec<Element>) -> Parse<()> {
        self.operators = 0;
        let name = self.given_name()?;
        let formula = self.expression()?;
        elements.push(Element::Spec(Spec { kind, name, formula }));
        self.end_of_declaration()
    }

    fn declared_name(&mut self) -> Parse<Name> {
        self.name("a name")
    }

    fn variables(&mut self, section: Section, elements: &mut Vec<Element>) -> Parse<()> {
        let variables = self.list(|parser| {
            let name = parser.declared_name()?;
            parser.expect(":")?;
            Ok((name, parser.type_expr()?))
        });
        elements.push(Element::Variables(section, variables));
        Ok(())
    }

    fn assign(&mut self) -> Parse<Assign> {
        let moment = match self.token().text {
            "init" => AssignMoment::Init,
            "next" => AssignMoment::Next,
            _ => AssignMoment::Always,
        };
        let target = if moment == AssignMoment::Always {
            self.postfix()?
        } else {
            self.advance();
            self.expect("(")?;
            let target = self.postfix()?;
            self.expect(")")?;
            target
        };
        self.expect(":=")?;
        Ok(Assign { moment, target, value: self.expression()? })
    }

    fn type_expr(&mut self) -> Parse<TypeExpr> {
        let start = self.token();
        let kind = match (start.kind, start.text) {
            (_, "boolean") => {
                self.advance();
                TypeKind::Boolean
            }
            (_, "word" | "unsigned" | "signed") => {
                self.advance();
                if start.text != "word" {
                    self.expect("word")?;
                }
                self.expect("[")?;
                let width = self.expression()?;
                self.expect("]")?;
                TypeKind::Word { signed: start.text == "signed", width }
            }
            (_, "integer" | "real") => {
                return self
                    .unsupported(&format!("variables of type `{}`, which has no bounds, are", start.text), start.span);
            }
            (_, "{") => {
                self.advance();
                let items = self.expressions_until("}")?;
                TypeKind::Enumeration(items)
            }
            (_, "array") => {
                self.advance();
                if self.is("word") || self.is("integer") {
                    return self.unsupported("arrays with an index type are", self.token().span);
                }
                let (low, high) = self.range()?;
                self.expect("of")?;
                let element = self.nested(Self::type_expr)?;
                TypeKind::Array(low, high, Box::new(element))
            }
            (_, "process") => {
                self.advance();
                self.instance(true)?
            }
            // A module's name, and not the first name of a range.
            (TokenKind::Name, _) if [";", "("].contains(&self.following().text) => self.instance(false)?,
            _ => {
                let (low, high) = self.range()?;
                TypeKind::Range(low, high)
            }
        };
        let end = self.last().span;
        Ok(TypeExpr { kind, span: start.span.to(end) })
    }

    fn range(&mut self) -> Parse<(Expr, Expr)> {
        let range = self.expression()?;
        match range.kind {
            ExprKind::Range(low, high) => Ok((*low, *high)),
            _ => {
                let message =
                    "expected a type: `boolean`, a range such as `0..7`, `{a, b}`, `word[8]`, `array` or a module";
                self.error(message, range.span);
                Err(Reported)
            }
        }
    }

    fn instance(&mut self, process: bool) -> Parse<TypeKind> {
        let module = self.name("the name of a module")?;
        let arguments = if self.accept("(") { self.expressions_until(")")? } else { Vec::new() };
        Ok(TypeKind::Instance { process, module, arguments })
    }

    /// Expressions with commas between them, up to a closing bracket.
    pub fn expressions_until(&mut self, close: &str) -> Parse<Vec<Expr>> {
        let mut items = Vec::new();
        if self.accept(close) {
            return Ok(items);
        }
        loop {
            items.push(self.nested(Self::expression)?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(items)
    }
}
