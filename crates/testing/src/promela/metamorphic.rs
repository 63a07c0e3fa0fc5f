//! Programs that must have the same answer as a given one, so that a wrong answer shows without another checker.
//!
//! Each transformation says in its comment why its relation holds; SPIN's own answers satisfy them on generated
//! programs. The state counts are those without reduction.

#[cfg(test)]
mod tests;
mod transformations;

use super::program::Program;
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: &'static str,
    pub program: Program,
    pub relation: Relation,
}

/// How the answers to a variant are related to those to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The graphs of states are the same but for names: as many states, the same violations.
    SameStatesAndVerdict,
    /// Assertions are violated in both or in none, and likewise for invalid end states.
    SameVerdict,
}

/// All variants that apply to the program. Where a transformation has several places to choose from, the seed decides.
pub fn variants(program: &Program, seed: u64) -> Vec<Variant> {
    let mut random = Random::new(seed);
    transformations::ALL
        .iter()
        .filter_map(|transformation| {
            let mut transformed = program.clone();
            let applied = (transformation.apply)(&mut transformed, &mut random);
            (applied && transformed != *program && transformed.is_acceptable()).then_some(Variant {
                name: transformation.name,
                program: transformed,
                relation: transformation.relation,
            })
        })
        .collect()
}
