//! Formulas of linear temporal logic. What speaks of the past and not of the future is known in every state, see `past`.

use reductio_logic::Prop;
use reductio_logic::ltl::{Formula, Formulas};
use reductio_model::Claim;

use super::expressions::Place;
use super::specifications::{is_connective, looks_ahead};
use super::{Lowering, ScopeId};
use crate::claims::circuit_claim;
use crate::diagnostics::Diagnostic;
use crate::smv::ast::{Binary, Expr, ExprKind, Ltl1, Ltl2};

impl<'a> Lowering<'a> {
    pub fn ltl_claim(&mut self, expr: &'a Expr, scope: ScopeId) -> Option<Claim> {
        let mut formulas = Formulas::new();
        let place = Place::new(scope, "an LTL formula").with_inputs();
        let formula = self.ltl(expr, place, &mut formulas)?;
        match circuit_claim(&mut formulas, formula) {
            Ok(claim) => Some(claim),
            Err(error) => {
                self.diagnostics.add(Diagnostic::error(error.to_string(), expr.span));
                None
            }
        }
    }

    fn ltl(&mut self, expr: &'a Expr, place: Place, formulas: &mut Formulas) -> Option<Formula> {
        if !looks_ahead(expr) {
            let condition = self.past(expr, place)?;
            return Some(match self.atom(condition, expr.span) {
                Ok(atom) => formulas.atom(Prop(atom)),
                Err(value) => formulas.truth(value),
            });
        }
        match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.ltl(inner, place, formulas)?;
                Some(formulas.not(inner))
            }
            ExprKind::Ltl1(operator, inner) if !operator.is_of_the_past() => {
                let inner = self.ltl(inner, place, formulas)?;
                Some(match operator {
                    Ltl1::Next => formulas.next(inner),
                    Ltl1::Always => formulas.always(inner),
                    _ => formulas.eventually(inner),
                })
            }
            ExprKind::LtlBounded(operator, bounds, inner) if !operator.is_of_the_past() => {
                let (steps, inner) = (self.steps(bounds, place), self.ltl(inner, place, formulas));
                let (steps, inner) = (steps?, inner?);
                let mut formula = inner;
                for _ in steps.low..steps.high {
                    let rest = formulas.next(formula);
                    let always = *operator == Ltl1::Always;
                    formula = if always { formulas.and(inner, rest) } else { formulas.or(inner, rest) };
                }
                Some((0..steps.low).fold(formula, |rest, _| formulas.next(rest)))
            }
            ExprKind::Ltl2(operator, left, right) if !operator.is_of_the_past() => {
                let (left, right) = (self.ltl(left, place, formulas), self.ltl(right, place, formulas));
                let (left, right) = (left?, right?);
                let until = *operator == Ltl2::Until;
                Some(if until { formulas.until(left, right) } else { formulas.release(left, right) })
            }
            ExprKind::Binary(operator, left, right) if is_connective(*operator) => {
                let (left, right) = (self.ltl(left, place, formulas), self.ltl(right, place, formulas));
                let (left, right) = (left?, right?);
                Some(match operator {
                    Binary::And => formulas.and(left, right),
                    Binary::Or => formulas.or(left, right),
                    Binary::Implies => formulas.implies(left, right),
                    Binary::Xor => {
                        let same = formulas.equivalent(left, right);
                        formulas.not(same)
                    }
                    _ => formulas.equivalent(left, right),
                })
            }
            ExprKind::Ltl1(..) | ExprKind::LtlBounded(..) | ExprKind::Ltl2(..) => {
                let message = "an operator of the past cannot have one of the future in it";
                let help = "operators of the future with operators of the past in them are supported";
                self.error_with_help(message, expr.span, help);
                None
            }
            ExprKind::Ctl1(..) | ExprKind::CtlBounded(..) | ExprKind::CtlUntil { .. } => {
                let help = "every run is meant anyway; `CTLSPEC` is for formulas of CTL";
                self.error_with_help("this operator is one of CTL", expr.span, help);
                None
            }
            _ => self.boolean(expr, place).map(|_| formulas.truth(true)),
        }
    }
}
