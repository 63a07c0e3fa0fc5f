//! Formulas of computation tree logic. Bounded operators become nested ones that look one step ahead:
//! `EBF 1..2 f` is `EX (f | EX f)`.

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path};

use super::Lowering;
use super::expressions::Place;
use super::specifications::{Steps, is_connective, is_temporal};
use crate::smv::ast::{Binary, Ctl1, Expr, ExprKind};

/// Operators that a formula may have when bounded ones have become others.
const MAX_FORMULA: usize = 50_000;

impl<'a> Lowering<'a> {
    pub fn ctl(&mut self, expr: &'a Expr, place: Place) -> Option<Formula> {
        if !is_temporal(expr) {
            let condition = self.boolean(expr, place)?;
            return Some(match self.atom(condition, expr.span) {
                Ok(atom) => Formula::Atom(Prop(atom)),
                Err(value) => Formula::Truth(value),
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
            ExprKind::CtlBounded(operator, bounds, inner) => {
                let (steps, inner) = (self.steps(bounds, place), self.ctl(inner, place));
                let (steps, inner) = (steps?, inner?);
                self.check_size(steps, &[&inner], expr)?;
                let next = if matches!(operator, Ctl1::Ef | Ctl1::Eg) { some_next } else { all_next };
                let each = if matches!(operator, Ctl1::Ef | Ctl1::Af) { Formula::or } else { Formula::and };
                Some(unrolled(steps, next, inner.clone(), |rest| each(inner.clone(), rest), |rest| rest))
            }
            ExprKind::CtlUntil { all, bounds: None, left, right } => {
                let (left, right) = (self.ctl(left, place), self.ctl(right, place));
                let until = Path::Until(left?, right?);
                Some(if *all { Formula::all(until) } else { Formula::some(until) })
            }
            ExprKind::CtlUntil { all, bounds: Some(bounds), left, right } => {
                let steps = self.steps(bounds, place);
                let (left, right) = (self.ctl(left, place), self.ctl(right, place));
                let (steps, left, right) = (steps?, left?, right?);
                self.check_size(steps, &[&left, &right], expr)?;
                let next = if *all { all_next } else { some_next };
                let each = |rest| right.clone().or(left.clone().and(rest));
                Some(unrolled(steps, next, right.clone(), each, |rest| left.clone().and(rest)))
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
            ExprKind::Ltl1(..) | ExprKind::LtlBounded(..) | ExprKind::Ltl2(..) => {
                let help = "in CTL, `X`, `F`, `G` and `U` follow an `A` or an `E`; `LTLSPEC` is for formulas of LTL";
                self.error_with_help("this operator is one of LTL", expr.span, help);
                None
            }
            _ => self.boolean(expr, place).map(|_| Formula::Truth(true)),
        }
    }

    /// The operands are repeated for every step between the bounds.
    fn check_size(&mut self, steps: Steps, operands: &[&Formula], expr: &Expr) -> Option<()> {
        let size: usize = operands.iter().map(|operand| size(operand)).sum();
        if (size + 3) * (steps.high + 1) > MAX_FORMULA {
            self.too_large(expr.span);
            return None;
        }
        Some(())
    }
}

fn some_next(rest: Formula) -> Formula {
    Formula::some(Path::Next(rest))
}

fn all_next(rest: Formula) -> Formula {
    Formula::all(Path::Next(rest))
}

/// What holds at the upper bound, then `each` for every step down to the lower one, then `before`.
fn unrolled(
    steps: Steps,
    next: fn(Formula) -> Formula,
    last: Formula,
    each: impl Fn(Formula) -> Formula,
    before: impl Fn(Formula) -> Formula,
) -> Formula {
    let within = (steps.low..steps.high).fold(last, |rest, _| each(next(rest)));
    (0..steps.low).fold(within, |rest, _| before(next(rest)))
}

fn size(formula: &Formula) -> usize {
    match formula {
        Formula::Truth(_) | Formula::Atom(_) => 1,
        Formula::Not(inner) => 1 + size(inner),
        Formula::And(left, right) | Formula::Or(left, right) => 1 + size(left) + size(right),
        Formula::Runs(_, path) => 1 + path.operands().map(size).sum::<usize>(),
    }
}
