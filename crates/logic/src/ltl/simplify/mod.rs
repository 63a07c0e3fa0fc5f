//! Simpler formulas that mean the same.
//!
//! Papers:  [somenzi-bloem00] section 3, rewriting with syntactic implication; [etessami-holzmann00] section 4, pure
//!          eventualities and universalities.
//! Result:  in negation normal form: negations stand before atoms only, and there is no `->` or `<->`.
//! Deviates: operators `W` and `M` are kept, which the papers do not have; their rules follow from those of `U` and `V`.
//!
//! A rule either makes a formula shorter, or moves an `X` outwards, so rewriting ends.

mod connectives;
mod implication;
mod negation;
mod purity;
mod rules;

use std::collections::HashMap;

use super::formula::{Formula, Formulas, Node};
use super::parse::MAX_DEPTH;

/// The formula nests more deeply than [`MAX_DEPTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl std::fmt::Display for TooDeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the formula nests more than {MAX_DEPTH} operators deep; check its parts one by one")
    }
}

impl std::error::Error for TooDeep {}

/// An equivalent formula in negation normal form, as simple as the rules can make it.
pub fn simplify(formulas: &mut Formulas, formula: Formula) -> Result<Formula, TooDeep> {
    let mut formula = negation_normal_form(formulas, formula)?;
    let mut simplifier = Simplifier::new(formulas);
    // What one round brings to light, the next may use. Few formulas need a third.
    for _ in 0..MAX_ROUNDS {
        let simpler = simplifier.round(formula);
        if simpler == formula {
            break;
        }
        formula = simpler;
    }
    Ok(formula)
}

const MAX_ROUNDS: usize = 8;

/// The same formula with negations before atoms only and without `->` and `<->`, not otherwise changed.
pub fn negation_normal_form(formulas: &mut Formulas, formula: Formula) -> Result<Formula, TooDeep> {
    if formulas.depth(formula) > MAX_DEPTH {
        return Err(TooDeep);
    }
    Ok(negation::normal_form(formulas, formula))
}

/// Remembers what was found out about formulas.
struct Simplifier<'a> {
    formulas: &'a mut Formulas,
    negations: HashMap<Formula, Formula>,
    purities: HashMap<Formula, purity::Purity>,
    implications: HashMap<(Formula, Formula), bool>,
}

impl<'a> Simplifier<'a> {
    fn new(formulas: &'a mut Formulas) -> Self {
        Simplifier { formulas, negations: HashMap::new(), purities: HashMap::new(), implications: HashMap::new() }
    }

    /// Rebuilds a formula from its atoms upwards, each operator by its rules.
    fn round(&mut self, formula: Formula) -> Formula {
        let mut simpler: HashMap<Formula, Formula> = HashMap::new();
        for part in self.formulas.parts(formula) {
            let result = match self.formulas.node(part) {
                Node::And(f, g) => self.and(simpler[&f], simpler[&g]),
                Node::Or(f, g) => self.or(simpler[&f], simpler[&g]),
                Node::Next(f) => self.next(simpler[&f]),
                Node::Always(f) => self.always(simpler[&f]),
                Node::Eventually(f) => self.eventually(simpler[&f]),
                Node::Until(f, g) => self.until(simpler[&f], simpler[&g]),
                Node::Release(f, g) => self.release(simpler[&f], simpler[&g]),
                Node::WeakUntil(f, g) => self.weak_until(simpler[&f], simpler[&g]),
                Node::StrongRelease(f, g) => self.strong_release(simpler[&f], simpler[&g]),
                Node::True | Node::False | Node::Atom(_) | Node::Not(_) => part,
                Node::Implies(..) | Node::Equivalent(..) => {
                    unreachable!("the formula is in negation normal form")
                }
            };
            simpler.insert(part, result);
        }
        simpler[&formula]
    }

    fn node(&self, formula: Formula) -> Node {
        self.formulas.node(formula)
    }

    fn is_true(&self, formula: Formula) -> bool {
        self.node(formula) == Node::True
    }

    fn is_false(&self, formula: Formula) -> bool {
        self.node(formula) == Node::False
    }
}
