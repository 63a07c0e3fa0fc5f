//! The intersection of two languages, and whether a language is empty.

use std::collections::{BTreeSet, HashMap};

use super::automaton::{Edge, MAX_SETS, Marks, StateId, Tgba};
use super::components::{Components, Kind};
use super::translate::TranslateError;
use crate::prop::{MAX_PROPOSITIONS, Prop};

/// The automaton of the words that both accept.
pub fn product(left: &Tgba, right: &Tgba) -> Result<Tgba, TranslateError> {
    let propositions: Vec<Prop> =
        left.propositions.iter().chain(&right.propositions).copied().collect::<BTreeSet<Prop>>().into_iter().collect();
    if propositions.len() > MAX_PROPOSITIONS {
        return Err(TranslateError::TooManyPropositions(propositions.len()));
    }
    let sets = left.sets + right.sets;
    if sets > MAX_SETS {
        return Err(TranslateError::TooManySets(sets as usize));
    }
    let (left_edges, right_edges) = (aligned(left, &propositions), aligned(right, &propositions));
    let mut numbers = HashMap::from([((left.initial, right.initial), StateId(0))]);
    let mut pairs = vec![(left.initial, right.initial)];
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < pairs.len() {
        let (first, second) = pairs[edges.len()];
        let mut row = Vec::new();
        for one in &left_edges[first.index()] {
            for other in &right_edges[second.index()] {
                let guard = one.guard.and(&other.guard);
                if guard.is_false() {
                    continue;
                }
                let pair = (one.target, other.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    StateId::of(pairs.len() - 1)
                });
                let shifted = Marks(other.marks.0.checked_shl(left.sets).unwrap_or(0));
                row.push(Edge { guard, marks: one.marks.union(shifted), target });
            }
        }
        edges.push(row);
    }
    Ok(Tgba { propositions, sets, initial: StateId(0), edges })
}

/// An automaton's edges with its propositions at the places they have in a longer list.
fn aligned(automaton: &Tgba, propositions: &[Prop]) -> Vec<Vec<Edge>> {
    let place = |prop: &Prop| propositions.binary_search(prop).unwrap_or_default();
    let places: Vec<usize> = automaton.propositions.iter().map(place).collect();
    let moved = |edge: &Edge| Edge { guard: edge.guard.moved(&places), ..edge.clone() };
    automaton.edges.iter().map(|edges| edges.iter().map(moved).collect()).collect()
}

/// Whether an automaton accepts no word.
pub fn is_empty(automaton: &Tgba) -> bool {
    let components = Components::of(automaton);
    let kinds = components.kinds(automaton);
    let mut seen = vec![false; automaton.state_count()];
    seen[automaton.initial.index()] = true;
    let mut open = vec![automaton.initial];
    while let Some(state) = open.pop() {
        if matches!(kinds[components.component(state)], Kind::Accepting | Kind::Mixed) {
            return false;
        }
        for edge in automaton.edges_of(state).iter().filter(|edge| !edge.guard.is_false()) {
            if !std::mem::replace(&mut seen[edge.target.index()], true) {
                open.push(edge.target);
            }
        }
    }
    true
}
