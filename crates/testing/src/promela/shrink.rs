//! From a program that shows a disagreement to a small one that still does.
//!
//! Greedy delta debugging [zeller-hildebrandt02], on the tree rather than on text: every pass lists edits that make the
//! program smaller, an edit is kept if the predicate still holds, and the passes are repeated until none of their
//! edits is. The edits keep to what SPIN accepts, so that the smallest program does not disagree for another reason.

mod edits;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::program::{Binary, Expr, Place, Program, Statement, Visitor};

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
    let mut lengths = Lengths(HashMap::new());
    let fields = program.typedefs.iter().flat_map(|typedef| &typedef.fields);
    let globals = program.globals.iter().chain(fields).map(|variable| (&variable.name, variable.length));
    let channels = program.channels.iter().map(|channel| (&channel.name, channel.length));
    lengths.0.extend(globals.chain(channels).map(|(name, length)| (name.clone(), length)));
    program.clone().walk(&mut lengths);
    let mut risk = Risk { lengths: lengths.0, found: false };
    program.clone().walk(&mut risk);
    risk.found
}

/// The lengths of arrays. What is declared in bodies is found on a walk.
struct Lengths(HashMap<String, Option<u8>>);

impl Visitor for Lengths {
    fn statement(&mut self, step: &mut Statement) {
        if let Statement::Declare(variable) = step {
            self.0.insert(variable.name.clone(), variable.length);
        }
    }
}

struct Risk {
    lengths: HashMap<String, Option<u8>>,
    found: bool,
}

impl Visitor for Risk {
    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Binary(Binary::Divide | Binary::Remainder, _, divisor) = expr {
            self.found |= match &**divisor {
                Expr::Number(number) => *number == 0,
                Expr::Binary(Binary::BitOr, _, one) => **one != Expr::Number(1),
                _ => true,
            };
        }
    }

    fn place(&mut self, place: &mut Place) {
        let length = self.lengths.get(&place.name).copied().flatten().map_or(1, i32::from);
        self.found |= match place.index.as_deref() {
            None => false,
            Some(Expr::Number(index)) => !(0..length).contains(index),
            Some(Expr::Binary(Binary::Remainder, _, size)) => !matches!(**size, Expr::Number(size) if size <= length),
            Some(_) => true,
        };
    }
}
