//! Specifications: the largest parts of a formula without temporal operators become atoms of the circuit.

use reductio_logic::ctl::Formula;
use reductio_model::circuit::ExprId;
use reductio_model::{AtomId, Claim, CtlFormula, Invariant, Position, Unchecked};

use super::expressions::Place;
use super::{Lowering, ScopeId};
use crate::diagnostics::Diagnostic;
use crate::smv::ast::{Binary, Bounds, Compute, Expr, ExprKind, Name, Spec, SpecKind};
use crate::source::Span;

/// Bounded operators become as many others as they look steps ahead.
const MAX_STEPS: i64 = 1000;

/// The bounds of a temporal operator.
#[derive(Clone, Copy)]
pub struct Steps {
    pub low: usize,
    pub high: usize,
}

/// What is asked, without a name yet.
enum Specification {
    Invariant(AtomId),
    Ctl(Formula),
    Ltl(Box<Claim>),
}

impl<'a> Lowering<'a> {
    pub fn lower_specification(&mut self, scope: ScopeId, spec: &'a Spec, position: Option<Position>) {
        let what = match spec.kind {
            SpecKind::Invariant => {
                let place = Place::new(scope, "an invariant");
                self.boolean(&spec.formula, place).map(|expr| {
                    let text = self.text(spec.formula.span);
                    Specification::Invariant(self.circuit.atom(expr, &text))
                })
            }
            SpecKind::Ctl => self.ctl(&spec.formula, Place::new(scope, "a CTL formula")).map(Specification::Ctl),
            SpecKind::Ltl => self.ltl_claim(&spec.formula, scope).map(|claim| Specification::Ltl(Box::new(claim))),
        };
        let Some(what) = what else { return };
        let name = self.name_of(scope, spec.name.as_ref(), spec.formula.span);
        if self.circuit.declares(&name) {
            // The same question twice is one question; two questions by the same name are a mistake.
            if let Some(given) = &spec.name {
                self.error(format!("there is a specification `{name}` already"), given.span);
            }
            return;
        }
        match what {
            Specification::Invariant(atom) => self.circuit.ask_invariant(Invariant { name, atom, position }),
            Specification::Ctl(formula) => self.circuit.ask_ctl(CtlFormula { name, formula, position }),
            Specification::Ltl(claim) => {
                let text = self.text(spec.formula.span);
                self.circuit.ask_claim(Claim { name, text, position, ..*claim });
            }
        }
    }

    /// The name by which a question of an instance is known: the one it was given, or its text.
    fn name_of(&self, scope: ScopeId, given: Option<&Name>, span: Span) -> String {
        let prefix = self.scopes[scope].prefix.trim_end_matches('.');
        match given {
            Some(name) if prefix.is_empty() => name.text.clone(),
            Some(name) => format!("{prefix}.{}", name.text),
            None if prefix.is_empty() => self.text(span),
            None => format!("{} in {prefix}", self.text(span)),
        }
    }

    /// `COMPUTE` is read, so that what is wrong with it is told, but nothing is computed.
    pub fn lower_compute(&mut self, scope: ScopeId, compute: &'a Compute) {
        for formula in [&compute.from, &compute.to] {
            self.ctl(formula, Place::new(scope, "`COMPUTE`"));
        }
        let name = self.name_of(scope, compute.name.as_ref(), compute.span);
        if self.circuit.unchecked.iter().all(|known| known.name != name) {
            let position = self.position(compute.span);
            let why = "`COMPUTE` is not supported".to_owned();
            self.circuit.unchecked.push(Unchecked { name, why, position });
        }
    }

    /// What a formula says of a state, as an atom with the formula's text.
    pub fn atom(&mut self, condition: ExprId, span: Span) -> Result<u32, bool> {
        if let Some(value) = self.circuit.expressions.constant_value(condition) {
            return Err(value != 0);
        }
        let text = self.text(span);
        Ok(self.circuit.atom(condition, &text).0)
    }

    pub fn steps(&mut self, bounds: &'a Bounds, place: Place) -> Option<Steps> {
        let low = self.constant_number(&bounds.low, place)?;
        let high = self.constant_number(&bounds.high, place)?;
        let span = bounds.low.span.to(bounds.high.span);
        if !(0 <= low && low <= high) {
            self.error(format!("there is no number of steps from {low} to {high}"), span);
            return None;
        }
        if high > MAX_STEPS {
            self.error(format!("a temporal operator looks {MAX_STEPS} steps ahead at most"), span);
            return None;
        }
        Some(Steps { low: low as usize, high: high as usize })
    }

    pub fn too_large(&mut self, span: Span) {
        let help = "bounded operators stand for as many operators as they look steps ahead";
        self.diagnostics.add(Diagnostic::error("this formula becomes too large", span).help(help));
    }
}

pub fn is_connective(operator: Binary) -> bool {
    matches!(operator, Binary::And | Binary::Or | Binary::Implies | Binary::Iff | Binary::Xor | Binary::Xnor)
}

/// Is there a temporal operator where one may be?
pub fn is_temporal(expr: &Expr) -> bool {
    has_operator(expr, &|_| true)
}

/// Is there a temporal operator that is not one of the past, where one may be?
pub fn looks_ahead(expr: &Expr) -> bool {
    has_operator(expr, &|kind| match kind {
        ExprKind::Ltl1(operator, _) | ExprKind::LtlBounded(operator, ..) => !operator.is_of_the_past(),
        ExprKind::Ltl2(operator, ..) => !operator.is_of_the_past(),
        _ => true,
    })
}

/// Is there a temporal operator of some sort where one may be?
fn has_operator(expr: &Expr, wanted: &impl Fn(&ExprKind) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Not(inner) => has_operator(inner, wanted),
        ExprKind::Binary(operator, left, right) if is_connective(*operator) => {
            has_operator(left, wanted) || has_operator(right, wanted)
        }
        ExprKind::Ctl1(_, inner)
        | ExprKind::CtlBounded(_, _, inner)
        | ExprKind::Ltl1(_, inner)
        | ExprKind::LtlBounded(_, _, inner) => wanted(&expr.kind) || has_operator(inner, wanted),
        ExprKind::CtlUntil { left, right, .. } | ExprKind::Ltl2(_, left, right) => {
            wanted(&expr.kind) || has_operator(left, wanted) || has_operator(right, wanted)
        }
        _ => false,
    }
}
