//! Specifications: the largest parts of a formula without temporal operators become atoms of the circuit.

use reductio_logic::Prop;
use reductio_logic::ctl;
use reductio_logic::ltl::{self, Formulas};
use reductio_model::Position;

use super::expressions::Place;
use super::{Lowering, ScopeId};
use crate::diagnostics::Diagnostic;
use crate::origin::violations;
use crate::smv::ast::{Binary, Ctl1, Expr, ExprKind, Ltl1, Ltl2, Spec, SpecKind};
use crate::specification::{Asked, Specification};

impl<'a> Lowering<'a> {
    pub fn lower_specification(&mut self, scope: ScopeId, spec: &'a Spec, position: Option<Position>) {
        let what = match spec.kind {
            SpecKind::Invariant => {
                let place = Place::new(scope, "an invariant");
                self.boolean(&spec.formula, place).map(|expr| {
                    let text = self.text(spec.formula.span);
                    Asked::Invariant(self.circuit.atom(expr, &text))
                })
            }
            SpecKind::Ctl => self.ctl(&spec.formula, Place::new(scope, "a formula of CTL")).map(Asked::Ctl),
            SpecKind::Ltl => self.ltl_violations(&spec.formula, scope),
        };
        let Some(what) = what else { return };
        let prefix = self.scopes[scope].prefix.trim_end_matches('.');
        let name = match &spec.name {
            Some(name) if prefix.is_empty() => name.text.clone(),
            Some(name) => format!("{prefix}.{}", name.text),
            None if prefix.is_empty() => self.text(spec.formula.span),
            None => format!("{} in {prefix}", self.text(spec.formula.span)),
        };
        if self.specifications.iter().any(|known| known.name == name) {
            // The same question twice is one question; two questions by the same name are a mistake.
            if let Some(given) = &spec.name {
                self.error(format!("there is a specification `{name}` already"), given.span);
            }
            return;
        }
        self.specifications.push(Specification { name, what, position });
    }

    fn ctl(&mut self, expr: &'a Expr, place: Place) -> Option<ctl::Formula> {
        use ctl::{Formula, Path};
        if !is_temporal(expr) {
            let condition = self.boolean(expr, place)?;
            return Some(match self.circuit.expressions.constant_value(condition) {
                Some(value) => Formula::Truth(value != 0),
                None => {
                    let text = self.text(expr.span);
                    Formula::Atom(Prop(self.circuit.atom(condition, &text).0))
                }
            });
        }
        match &expr.kind {
            ExprKind::Not(inner) => self.ctl(inner, place).map(Formula::not),
            ExprKind::Ctl1(operator, inner) => {
                let inner = self.ctl(inner, place)?;
                Some(match operator {
                    Ctl1::Ex => Formula::some(Path::Next(inner)),
                    Ctl1::Ax => Formula::all(Path::Next(inner)),
                    Ctl1::Ef => Formula::some(Path::Eventually(inner)),
                    Ctl1::Af => Formula::all(Path::Eventually(inner)),
                    Ctl1::Eg => Formula::some(Path::Always(inner)),
                    Ctl1::Ag => Formula::all(Path::Always(inner)),
                })
            }
            ExprKind::CtlUntil { all, left, right } => {
                let (left, right) = (self.ctl(left, place), self.ctl(right, place));
                let until = Path::Until(left?, right?);
                Some(if *all { Formula::all(until) } else { Formula::some(until) })
            }
            ExprKind::Binary(operator, left, right) if is_connective(*operator) => {
                let (left, right) = (self.ctl(left, place), self.ctl(right, place));
                let (left, right) = (left?, right?);
                Some(match operator {
                    Binary::And => left.and(right),
                    Binary::Or => left.or(right),
                    Binary::Implies => left.implies(right),
                    Binary::Xor => left.equivalent(right).not(),
                    _ => left.equivalent(right),
                })
            }
            ExprKind::Ltl1(..) | ExprKind::Ltl2(..) => {
                let help = "in CTL, `X`, `F`, `G` and `U` follow an `A` or an `E`; `LTLSPEC` is for formulas of LTL";
                self.error_with_help("this operator is one of LTL", expr.span, help);
                None
            }
            _ => self.boolean(expr, place).map(|_| Formula::Truth(true)),
        }
    }

    fn ltl_violations(&mut self, expr: &'a Expr, scope: ScopeId) -> Option<Asked> {
        let mut formulas = Formulas::new();
        let place = Place::new(scope, "a formula of LTL").with_inputs();
        let formula = self.ltl(expr, place, &mut formulas)?;
        match violations(&mut formulas, formula) {
            Ok(automaton) => Some(Asked::Ltl(automaton)),
            Err(error) => {
                self.diagnostics.add(Diagnostic::error(error.to_string(), expr.span));
                None
            }
        }
    }

    fn ltl(&mut self, expr: &'a Expr, place: Place, formulas: &mut Formulas) -> Option<ltl::Formula> {
        if !is_temporal(expr) {
            let condition = self.boolean(expr, place)?;
            return Some(match self.circuit.expressions.constant_value(condition) {
                Some(value) => formulas.truth(value != 0),
                None => {
                    let text = self.text(expr.span);
                    formulas.atom(Prop(self.circuit.atom(condition, &text).0))
                }
            });
        }
        match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.ltl(inner, place, formulas)?;
                Some(formulas.not(inner))
            }
            ExprKind::Ltl1(operator, inner) => {
                let inner = self.ltl(inner, place, formulas)?;
                Some(match operator {
                    Ltl1::Next => formulas.next(inner),
                    Ltl1::Always => formulas.always(inner),
                    Ltl1::Eventually => formulas.eventually(inner),
                })
            }
            ExprKind::Ltl2(operator, left, right) => {
                let (left, right) = (self.ltl(left, place, formulas), self.ltl(right, place, formulas));
                let (left, right) = (left?, right?);
                Some(match operator {
                    Ltl2::Until => formulas.until(left, right),
                    Ltl2::Release => formulas.release(left, right),
                })
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
            ExprKind::Ctl1(..) | ExprKind::CtlUntil { .. } => {
                let help = "every run is meant anyway; `CTLSPEC` is for formulas of CTL";
                self.error_with_help("this operator is one of CTL", expr.span, help);
                None
            }
            _ => self.boolean(expr, place).map(|_| formulas.truth(true)),
        }
    }
}

fn is_connective(operator: Binary) -> bool {
    matches!(operator, Binary::And | Binary::Or | Binary::Implies | Binary::Iff | Binary::Xor | Binary::Xnor)
}

/// Is there a temporal operator where one may be?
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Ctl1(..) | ExprKind::CtlUntil { .. } | ExprKind::Ltl1(..) | ExprKind::Ltl2(..) => true,
        ExprKind::Not(inner) => is_temporal(inner),
        ExprKind::Binary(operator, left, right) if is_connective(*operator) => is_temporal(left) || is_temporal(right),
        _ => false,
    }
}
