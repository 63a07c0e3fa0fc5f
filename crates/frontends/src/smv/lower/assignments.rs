//! `ASSIGN`: who is assigned what, and when. With processes, the assignments of a process apply while it runs, and what
//! none that runs assigns keeps its value.

use std::collections::BTreeMap;

use reductio_model::circuit::{Choice, Domain, Expr as CircuitExpr, Moment, Type, VariableId, VariableKind};

use super::expressions::Place;
use super::terms::{Kind, Term};
use super::{Lowering, ProcessId, ScopeId};
use crate::diagnostics::Diagnostic;
use crate::smv::ast::{Assign, AssignMoment, Element, Expr};
use crate::source::Span;

/// The assignments to one variable.
#[derive(Default)]
struct Assigned {
    init: Option<(Choice, Span)>,
    always: Option<(Choice, Span)>,
    next: BTreeMap<ProcessId, (Choice, Span)>,
}

impl<'a> Lowering<'a> {
    pub fn lower_assignments(&mut self) {
        let mut all: BTreeMap<VariableId, Assigned> = BTreeMap::new();
        for scope in 0..self.scopes.len() {
            for element in self.scopes[scope].elements.clone().iter() {
                if let Element::Assign(assigns) = element {
                    for assign in assigns {
                        self.lower_assign(scope, assign, &mut all);
                    }
                }
            }
        }
        for (target, assigned) in all {
            self.emit(target, assigned);
        }
    }

    fn lower_assign(&mut self, scope: ScopeId, assign: &'a Assign, all: &mut BTreeMap<VariableId, Assigned>) {
        let place = match assign.moment {
            AssignMoment::Init => Place::new(scope, "an initial value"),
            AssignMoment::Always => Place::new(scope, "an assignment without `next`"),
            AssignMoment::Next => Place::new(scope, "a next value").with_inputs().with_next(),
        };
        let target = self.target(&assign.target, scope);
        let choice = self.choice(&assign.value, place);
        let (Some((target, kind)), Some((choice, value_kind))) = (target, choice) else { return };
        if self.circuit.variable(target).kind == VariableKind::Frozen && assign.moment != AssignMoment::Init {
            let help = "a frozen variable has its initial value forever";
            self.error_with_help("only `init` can assign to a frozen variable", assign.target.span, help);
            return;
        }
        if !self.can_be_assigned(target, kind, value_kind, assign) {
            return;
        }
        let domain = self.circuit.variable(target).domain.clone();
        self.oblige_to_fit(&choice, &domain, target, place, assign.value.span);
        let span = assign.target.span;
        let assigned = all.entry(target).or_default();
        let process = self.scopes[scope].process;
        let before = match assign.moment {
            AssignMoment::Init => assigned.init.replace((choice, span)),
            AssignMoment::Always => assigned.always.replace((choice, span)),
            AssignMoment::Next => assigned.next.insert(process, (choice, span)),
        };
        if let Some((_, first)) = before {
            self.assigned_twice(target, span, first);
        }
    }

    fn assigned_twice(&mut self, target: VariableId, span: Span, first: Span) {
        let message = format!("`{}` is assigned twice", self.circuit.variable(target).name);
        self.diagnostics.add(Diagnostic::error(message, span).note("the first assignment", first));
    }

    /// The variable that is assigned to.
    fn target(&mut self, expr: &'a Expr, scope: ScopeId) -> Option<(VariableId, Kind)> {
        let place = Place::new(scope, "what is assigned to").with_inputs();
        let Term::Value(value) = self.term(expr, place)? else {
            self.error("only a single variable can be assigned to", expr.span);
            return None;
        };
        match self.circuit.expressions.get(value.expr) {
            CircuitExpr::Variable(id) if self.circuit.variable(id).kind == VariableKind::Input => {
                self.error("an input cannot be assigned to", expr.span);
                None
            }
            CircuitExpr::Variable(id) => Some((id, value.kind)),
            _ => {
                self.error("only variables can be assigned to", expr.span);
                None
            }
        }
    }

    fn can_be_assigned(&mut self, target: VariableId, kind: Kind, value: Kind, assign: &Assign) -> bool {
        if kind.meets(value) {
            return true;
        }
        let name = &self.circuit.variable(target).name;
        let message = format!("`{name}` is {kind}, but it is assigned {value}");
        if (kind, value) == (Kind::Boolean, Kind::Integer) {
            self.error_with_help(message, assign.value.span, "truth values are `TRUE` and `FALSE`");
        } else {
            self.error(message, assign.value.span);
        }
        false
    }

    /// Every value that may be chosen must be one that the variable can have.
    fn oblige_to_fit(&mut self, choice: &Choice, domain: &Domain, target: VariableId, place: Place, span: Span) {
        if matches!(domain, Domain::Boolean | Domain::Word { .. }) {
            return;
        }
        let message = |value: &str| format!("`{}` cannot have {value}", self.circuit.variable(target).name);
        match choice {
            Choice::Value(expr) => {
                let (low, high) = self.circuit.expressions.bounds(*expr);
                let (least, most) = domain.bounds();
                if matches!(domain, Domain::Range { .. }) && least <= low && high <= most {
                    return;
                }
                let is_variable = match self.circuit.expressions.get(*expr) {
                    CircuitExpr::Variable(id) | CircuitExpr::Next(id) => self.circuit.variable(id).domain == *domain,
                    _ => false,
                };
                if is_variable {
                    return;
                }
                let message = match self.circuit.expressions.constant_value(*expr) {
                    Some(_) => message(&format!("the value `{}`", self.text(span))),
                    None => format!("the value does not always fit `{}`", self.circuit.variable(target).name),
                };
                let fits = match domain {
                    Domain::Values(values) => {
                        let values = values
                            .iter()
                            .map(|(value, _)| Choice::Value(self.circuit.expressions.constant(*value, Type::Integer)));
                        let any = Choice::Any(values.collect());
                        any.has(*expr, &mut self.circuit.expressions)
                    }
                    _ => Choice::Range(least, most).has(*expr, &mut self.circuit.expressions),
                };
                self.oblige_at(place, fits, message, span);
            }
            Choice::Range(low, high) => {
                let size = (high - low) as u64;
                // A range that is larger than the domain has a value that is not in it.
                let outside = if size < domain.size() {
                    (*low..=*high).find(|value| !domain.contains(*value))
                } else {
                    Some(*high)
                };
                if outside.is_some() {
                    let message = message(&format!("all values of {low}..{high}"));
                    self.error(message, span);
                }
            }
            Choice::Any(choices) => {
                for choice in choices {
                    self.oblige_to_fit(choice, domain, target, place, span);
                }
            }
            Choice::If(condition, then, otherwise) => {
                let inside = self.inside(place, *condition);
                self.oblige_to_fit(then, domain, target, inside, span);
                let not = self.circuit.expressions.not(*condition);
                let inside = self.inside(place, not);
                self.oblige_to_fit(otherwise, domain, target, inside, span);
            }
        }
    }

    fn emit(&mut self, target: VariableId, assigned: Assigned) {
        if let Some((choice, span)) = assigned.always {
            let others = assigned.init.iter().chain(assigned.next.values()).next();
            if let Some((_, first)) = others {
                self.assigned_twice(target, span, *first);
            }
            self.circuit.assign(target, Moment::Always, choice);
            return;
        }
        if let Some((choice, _)) = assigned.init {
            self.circuit.assign(target, Moment::Init, choice);
        }
        if assigned.next.is_empty() {
            return;
        }
        let Some(selector) = self.selector else {
            for (choice, _) in assigned.next.into_values() {
                self.circuit.assign(target, Moment::Next, choice);
            }
            return;
        };
        let mut choice = Choice::Value(self.circuit.read(target, false));
        let selected = self.circuit.read(selector, false);
        for (process, (assigned, _)) in assigned.next.into_iter().rev() {
            let number = self.circuit.expressions.integer(process as i64);
            let runs = self.circuit.expressions.equal(selected, number);
            choice = Choice::If(runs, Box::new(assigned), Box::new(choice));
        }
        self.circuit.assign(target, Moment::Next, choice);
    }
}
