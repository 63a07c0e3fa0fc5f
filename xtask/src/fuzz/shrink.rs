//! From a program that shows a disagreement to a small one that still does.
//!
//! Greedy delta debugging [zeller-hildebrandt02], on the tree rather than on text: every pass lists edits that make the
//! program smaller, an edit is kept if the predicate still holds, and the passes are repeated until none of their
//! edits is. The edits keep to what SPIN accepts, so that the smallest program does not disagree for another reason.

mod edits;
#[cfg(test)]
mod tests;

use super::program::{Binary, Expr, Program, Visitor};

/// The predicate usually runs SPIN, so there must be an end.
const MOST_ATTEMPTS: usize = 5_000;

/// A program that fails too, and that no single edit makes smaller without losing that.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut current = program.clone();
    let mut attempts = 0;
    let may_be_risky = is_risky(program);
    loop {
        let before = current.clone();
        for pass in edits::PASSES {
            let mut number = 0;
            while let Some(candidate) = pass(&current, number) {
                let sound =
                    candidate != current && candidate.is_acceptable() && (may_be_risky || !is_risky(&candidate));
                if sound && attempts < MOST_ATTEMPTS {
                    attempts += 1;
                    if fails(&candidate) {
                        // The next edit has moved to this number.
                        current = candidate;
                        continue;
                    }
                }
                number += 1;
            }
        }
        if current == before || attempts >= MOST_ATTEMPTS {
            return current;
        }
    }
}

/// Whether a divisor may be zero or an index may be too large, by the way they are written.
fn is_risky(program: &Program) -> bool {
    struct Risk(bool);
    impl Visitor for Risk {
        fn expr(&mut self, expr: &mut Expr) {
            if let Expr::Binary(Binary::Divide | Binary::Remainder, _, divisor) = expr {
                self.0 |= match &**divisor {
                    Expr::Number(number) => *number == 0,
                    Expr::Binary(Binary::BitOr, _, one) => **one != Expr::Number(1),
                    _ => true,
                };
            }
        }

        fn index(&mut self, index: &mut Expr) {
            self.0 |= !matches!(index, Expr::Number(0..) | Expr::Binary(Binary::Remainder, _, _));
        }
    }
    let mut risk = Risk(false);
    program.clone().walk(&mut risk);
    risk.0
}
