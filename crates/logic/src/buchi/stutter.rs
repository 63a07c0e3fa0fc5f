//! Whether a property can see that a moment is repeated.
//!
//! Paper:   [michaud-duret-lutz15] section 4: closing an automaton under the removal of repeated letters.
//! Without `X` a formula cannot tell. With it, it may or may not: a language is insensitive to stuttering just if no word
//! with its repetitions removed is also a word outside the language with its repetitions removed.

use super::automaton::{Edge, Tgba};
use super::product::{is_empty, product};
use super::translate::{Limits, TranslateError, translate};
use crate::ltl::{Formula, Formulas, simplify};

/// Whether every word that satisfies the formula still does when letters of it are repeated, finitely often each, or
/// repetitions removed.
pub fn is_stutter_invariant(
    formulas: &mut Formulas,
    formula: Formula,
    limits: &Limits,
) -> Result<bool, TranslateError> {
    let simple = simplify(formulas, formula)?;
    if !formulas.has_next(simple) {
        return Ok(true);
    }
    let negation = formulas.not(simple);
    let inside = closed(translate(formulas, simple, limits)?.tgba, limits)?;
    let outside = closed(translate(formulas, negation, limits)?.tgba, limits)?;
    Ok(is_empty(&product(&inside, &outside)?))
}

/// The automaton that also accepts every accepted word with repeated letters removed: two edges in a row that can read
/// the same letter are one edge.
pub(super) fn closed(mut automaton: Tgba, limits: &Limits) -> Result<Tgba, TranslateError> {
    let mut count = automaton.edge_count();
    for state in 0..automaton.state_count() {
        let mut at = 0;
        while at < automaton.edges[state].len() {
            let first = automaton.edges[state][at].clone();
            let followers = automaton.edges[first.target.index()].clone();
            for second in followers {
                let guard = first.guard.and(&second.guard);
                let short = Edge { guard, marks: first.marks.union(second.marks), target: second.target };
                if !is_known(&automaton.edges[state], &short) {
                    automaton.edges[state].push(short);
                    count += 1;
                }
            }
            at += 1;
            if count > limits.edges {
                return Err(TranslateError::TooLarge { what: "edges", limit: limits.edges });
            }
        }
    }
    Ok(automaton)
}

/// Whether edges to the same state with at least the same marks can be taken whenever this one can.
fn is_known(edges: &[Edge], new: &Edge) -> bool {
    let as_good = edges.iter().filter(|edge| edge.target == new.target && edge.marks.includes(new.marks));
    new.guard.implies_one_of(as_good.map(|edge| &edge.guard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::{Cube, Guard, Marks, StateId};
    use crate::lasso::{Lasso, accepts};
    use crate::prop::{Prop, Valuation};

    /// Accepts just true, true, false and so on, by an edge that reads one of the two repeated letters.
    fn true_true_false(marked: usize) -> Tgba {
        let edge = |from: usize, value: bool| {
            let marks = if from == marked { Marks::one(0) } else { Marks::NONE };
            vec![Edge { guard: Guard::from(Cube::literal(0, value)), marks, target: StateId::of((from + 1) % 3) }]
        };
        let edges = vec![edge(0, true), edge(1, true), edge(2, false)];
        Tgba { propositions: vec![Prop(0)], sets: 1, initial: StateId(0), edges }
    }

    #[test]
    fn removed_letters_keep_their_marks() {
        let word = Lasso::new(&[], &[Valuation(1), Valuation(0)]).expect("it has a cycle");
        for marked in 0..3 {
            let automaton = true_true_false(marked);
            assert!(!accepts(&automaton, &word));
            assert!(accepts(&closed(automaton, &Limits::default()).expect("it is small"), &word), "{marked}");
        }
    }
}
