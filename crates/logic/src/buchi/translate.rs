//! From a formula to its automata.

use super::alternating::Alternating;
use super::automaton::{Buchi, MAX_SETS, Tgba};
use super::generalized::generalized;
use super::reduce::{reduce, size, to_buchi};
use crate::ltl::simplify::negation_normal_form;
use crate::ltl::{Formula, Formulas, TooDeep, simplify};
use crate::prop::MAX_PROPOSITIONS;

/// How large an automaton may become before the translation gives up. There are short formulas with huge automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States before reduction.
    pub states: usize,
    /// Edges before reduction.
    pub edges: usize,
    /// Edges of one state before reduction.
    pub moves: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 20_000, edges: 500_000, moves: 4_000 }
    }
}

/// Why a formula has no automaton here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslateError {
    /// It nests too deeply.
    TooDeep,
    /// It has so many atoms, more than fit a valuation.
    TooManyPropositions(usize),
    /// It has so many eventualities, more than there can be acceptance sets.
    TooManySets(usize),
    /// The automaton outgrew one of the [`Limits`].
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
}

impl std::fmt::Display for TranslateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TranslateError::TooDeep => TooDeep.fmt(f),
            TranslateError::TooManyPropositions(found) => write!(
                f,
                "the formula has {found} different atoms, more than {MAX_PROPOSITIONS}; join atoms that only occur \
                 together, or check its parts one by one"
            ),
            TranslateError::TooManySets(found) => write!(
                f,
                "the formula has {found} different eventualities, more than {MAX_SETS}; check its parts one by one"
            ),
            TranslateError::TooLarge { what, limit } => {
                write!(f, "the formula's automaton has more than {limit} {what}; check the formula's parts one by one")
            }
        }
    }
}

impl std::error::Error for TranslateError {}

impl From<TooDeep> for TranslateError {
    fn from(_: TooDeep) -> Self {
        TranslateError::TooDeep
    }
}

/// A formula's automata.
#[derive(Clone, Debug)]
pub struct Translation {
    /// With acceptance on edges: fewer states.
    pub tgba: Tgba,
    /// With acceptance on states: what a nested search or a never claim needs.
    pub buchi: Buchi,
}

/// Simplifies a formula and translates it to automata that accept exactly the words that satisfy it. Their propositions
/// are those of the formula, in ascending order, also those that simplification found irrelevant.
pub fn translate(formulas: &mut Formulas, formula: Formula, limits: &Limits) -> Result<Translation, TranslateError> {
    let propositions = formulas.propositions(formula);
    let simple = simplify(formulas, formula)?;
    let alternating = Alternating::of(formulas, simple, &propositions, limits)?;
    Ok(both_kinds(reduce(&generalized(&alternating, propositions, limits)?)))
}

/// What makes one kind smaller may make the other smaller, too.
fn both_kinds(mut tgba: Tgba) -> Translation {
    let mut buchi = to_buchi(&tgba);
    loop {
        let smaller = reduce(buchi.as_tgba());
        if size(&smaller) >= size(&tgba) {
            return Translation { tgba, buchi };
        }
        let again = to_buchi(&smaller);
        if size(again.as_tgba()) < size(buchi.as_tgba()) {
            buchi = again;
        }
        tgba = smaller;
    }
}

/// The automaton as it is constructed, without simplifying the formula or reducing the automaton.
pub fn translate_plainly(formulas: &mut Formulas, formula: Formula, limits: &Limits) -> Result<Tgba, TranslateError> {
    let propositions = formulas.propositions(formula);
    let normal = negation_normal_form(formulas, formula)?;
    let alternating = Alternating::of(formulas, normal, &propositions, limits)?;
    generalized(&alternating, propositions, limits)
}
