//! From an alternating automaton to a transition-based generalised Büchi automaton.
//!
//! Paper:    [gastin-oddoux01] section 4. A state is a conjunction of subformulas; an until is in a set of its own, which
//!           holds the edges that do not put it off.
//! On the fly: moves that another one dominates are left out, and a state with the same moves as one before is that state.

use std::collections::HashMap;

use super::alternating::{Alternating, Move};
use super::automaton::{Edge, Marks, StateId, Tgba};
use super::guard::Guard;
use super::translate::{Limits, TranslateError};
use crate::ltl::Formula;
use crate::prop::Prop;

pub(crate) fn generalized(
    alternating: &Alternating,
    propositions: Vec<Prop>,
    limits: &Limits,
) -> Result<Tgba, TranslateError> {
    let mut builder = Builder { numbers: HashMap::new(), conjunctions: Vec::new() };
    builder.number(alternating.initial.clone());
    // The state that each one is the same as; itself for most.
    let mut same_as = Vec::new();
    let mut by_moves: HashMap<Vec<Move>, usize> = HashMap::new();
    let mut edges = Vec::new();
    let mut edge_count = 0;
    let all = Marks::first(alternating.untils);
    while edges.len() < builder.conjunctions.len() {
        let state = edges.len();
        let moves = alternating.conjunction(&builder.conjunctions[state])?;
        let first = *by_moves.entry(moves.clone()).or_insert(state);
        same_as.push(first);
        if first != state {
            edges.push(Vec::new());
            continue;
        }
        edge_count += moves.len();
        let row = moves.into_iter().map(|step| Edge {
            guard: Guard::from(step.cube),
            marks: all.without(step.postponed),
            target: StateId::of(builder.number(step.next)),
        });
        edges.push(row.collect::<Vec<Edge>>());
        if builder.conjunctions.len() > limits.states {
            return Err(TranslateError::TooLarge { what: "states", limit: limits.states });
        }
        if edge_count > limits.edges {
            return Err(TranslateError::TooLarge { what: "edges", limit: limits.edges });
        }
    }
    for edge in edges.iter_mut().flatten() {
        edge.target = StateId::of(same_as[edge.target.index()]);
    }
    let mut automaton = Tgba { propositions, sets: alternating.untils, initial: StateId(0), edges };
    automaton.join_parallel_edges();
    Ok(automaton)
}

struct Builder {
    numbers: HashMap<Vec<Formula>, usize>,
    conjunctions: Vec<Vec<Formula>>,
}

impl Builder {
    fn number(&mut self, conjunction: Vec<Formula>) -> usize {
        if let Some(&number) = self.numbers.get(&conjunction) {
            return number;
        }
        let number = self.conjunctions.len();
        self.numbers.insert(conjunction.clone(), number);
        self.conjunctions.push(conjunction);
        number
    }
}
