//! What names stand for.

use super::expressions::Place;
use super::terms::{Kind, Term, Value};
use super::{Lowering, ScopeId, Symbol};
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::smv::ast::{Expr, Name};
use crate::source::Span;
use reductio_model::circuit::{Obligation, Type, VariableId, VariableKind};

/// Definitions that refer to definitions, and so on.
const MAX_DEFINITIONS: usize = 1000;

/// What a definition stands for, and what it asks for.
#[derive(Clone)]
pub struct Expanded {
    term: Term,
    obligations: Vec<Obligation>,
}

impl<'a> Lowering<'a> {
    /// A name in the scope of the place: a parameter, a declared name, a constant.
    pub fn named(&mut self, name: &'a str, span: Span, place: Place) -> Option<Term> {
        if let Some(term) = self.in_scope(place.scope, name, span, place) {
            return term;
        }
        if name == "running" {
            return self.running(span, place);
        }
        if let Some(number) = self.constants.get(name) {
            let expr = self.circuit.expressions.integer(*number);
            return Some(Term::Value(Value { expr, kind: Kind::Symbolic }));
        }
        let scope = &self.scopes[place.scope];
        let known = scope.symbols.keys().chain(scope.arguments.keys()).chain(self.constants.keys()).copied();
        let error = Diagnostic::error(format!("nothing is called `{name}` here"), span);
        let error = match name.split_once('-') {
            Some((first, _)) if known.clone().any(|known| known == first) => {
                error.help("`-` is part of names in SMV; put blanks around it to subtract")
            }
            _ => error.suggest(nearest(name, known)),
        };
        self.diagnostics.add(error);
        None
    }

    /// A name of another instance.
    pub fn member(&mut self, scope: ScopeId, member: &'a Name, place: Place) -> Option<Term> {
        if let Some(term) = self.in_scope(scope, &member.text, member.span, place) {
            return term;
        }
        let inner = &self.scopes[scope];
        let message = format!("module `{}` has no `{}`", inner.module.name.text, member.text);
        let near = nearest(&member.text, inner.symbols.keys().copied());
        self.diagnostics.add(Diagnostic::error(message, member.span).suggest(near));
        None
    }

    /// `None` if the scope knows no such name, `Some(None)` after an error.
    fn in_scope(&mut self, scope: ScopeId, name: &'a str, span: Span, place: Place) -> Option<Option<Term>> {
        if let Some((argument, outer)) = self.scopes[scope].arguments.get(name).copied() {
            return Some(self.term(argument, Place { scope: outer, ..place }));
        }
        let symbol = self.scopes[scope].symbols.get(name)?.clone();
        Some(match symbol {
            Symbol::Define(expr, home) => self.definition((scope, name), (expr, home), span, place),
            symbol => self.symbol(&symbol, span, place),
        })
    }

    fn symbol(&mut self, symbol: &Symbol<'a>, span: Span, place: Place) -> Option<Term> {
        match symbol {
            Symbol::Variable(id, kind) => self.read(*id, *kind, span, place).map(Term::Value),
            Symbol::Array { low, elements } => {
                let elements: Option<Vec<Term>> =
                    elements.iter().map(|element| self.symbol(element, span, place)).collect();
                Some(Term::Array { low: *low, elements: elements? })
            }
            Symbol::Instance(scope) => Some(Term::Instance(*scope)),
            Symbol::Define(..) => unreachable!("definitions are not elements of arrays"),
        }
    }

    fn read(&mut self, id: VariableId, kind: Kind, span: Span, place: Place) -> Option<Value> {
        if self.circuit.variable(id).kind == VariableKind::Input {
            let name = &self.circuit.variable(id).name;
            if place.in_next {
                let message = format!("`{name}` is an input, and inputs have no next value");
                self.error(message, span);
                return None;
            }
            if !place.inputs {
                let message = format!("`{name}` is an input, and {} is about states only", place.what);
                self.error(message, span);
                return None;
            }
        }
        Some(Value { expr: self.circuit.read(id, place.in_next), kind })
    }

    /// What a definition stands for. What it asks for must hold where it is used.
    fn definition(
        &mut self,
        (scope, name): (ScopeId, &'a str),
        (expr, home): (&'a Expr, ScopeId),
        span: Span,
        place: Place,
    ) -> Option<Term> {
        let Expanded { term, obligations } = self.expanded((scope, name), (expr, home), span, place)?;
        for obligation in obligations {
            self.require(place, obligation);
        }
        self.check_place(&term, span, place)?;
        Some(term)
    }

    /// A definition is read once.
    fn expanded(
        &mut self,
        (scope, name): (ScopeId, &'a str),
        (expr, home): (&'a Expr, ScopeId),
        span: Span,
        place: Place,
    ) -> Option<Expanded> {
        let key = (scope, name, place.in_next);
        if let Some(known) = self.expanded.get(&key) {
            return known.clone();
        }
        if self.expanding.contains(&(scope, name)) || self.expanding.len() > MAX_DEFINITIONS {
            self.error(format!("the definition of `{name}` depends on itself"), span);
            return None;
        }
        self.expanding.push((scope, name));
        let place = Place { scope: home, inputs: true, next: !place.in_next, path: None, ..place };
        let before = self.circuit.obligations.len();
        let term = self.term(expr, place);
        let obligations = self.take_obligations(before);
        self.expanding.pop();
        let expanded = term.map(|term| Expanded { term, obligations });
        self.expanded.insert(key, expanded.clone());
        expanded
    }

    /// Finds what is wrong with definitions, be they used or not.
    pub fn check_definitions(&mut self) {
        for scope in 0..self.scopes.len() {
            let definition = |(name, symbol): (&&'a str, &Symbol<'a>)| match symbol {
                Symbol::Define(expr, home) => Some((*name, *expr, *home)),
                _ => None,
            };
            let mut definitions: Vec<(&'a str, &'a Expr, ScopeId)> =
                self.scopes[scope].symbols.iter().filter_map(definition).collect();
            // In the order of the text, and not of a hash.
            definitions.sort_by_key(|(_, expr, _)| (expr.span.file.0, expr.span.start));
            for (name, expr, home) in definitions {
                let place = Place::new(home, "a definition").with_inputs().with_next();
                self.expanded((scope, name), (expr, home), expr.span, place);
            }
        }
    }

    /// A definition may speak of inputs and of the next state; not every place where it is used may.
    fn check_place(&mut self, term: &Term, span: Span, place: Place) -> Option<()> {
        let mut parts = Vec::new();
        match term {
            Term::Value(value) => parts.push(value.expr),
            Term::Choice(choice, _) => choice.expressions(&mut parts),
            Term::Array { .. } | Term::Instance(_) => {}
        }
        for (id, ahead) in self.circuit.expressions.support(parts) {
            if ahead && !place.next && !place.in_next {
                self.error(format!("this reads the next state, and {} is about one state", place.what), span);
                return None;
            }
            if self.circuit.variable(id).kind == VariableKind::Input && !place.inputs {
                let name = &self.circuit.variable(id).name;
                let message = format!("this depends on the input `{name}`, and {} is about states only", place.what);
                self.error(message, span);
                return None;
            }
        }
        Some(())
    }

    /// `running`: the process of the scope is the one that runs.
    fn running(&mut self, span: Span, place: Place) -> Option<Term> {
        let Some(selector) = self.selector else {
            self.error_with_help(
                "`running` makes sense with processes only",
                span,
                "there is no `process` in this model",
            );
            return None;
        };
        let value = self.read(selector, Kind::Symbolic, span, place)?;
        let number = self.scopes[place.scope].process as i64;
        let number = self.circuit.expressions.constant(number, Type::Integer);
        let expr = self.circuit.expressions.equal(value.expr, number);
        Some(Term::Value(Value { expr, kind: Kind::Boolean }))
    }
}
