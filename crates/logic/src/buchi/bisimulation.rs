//! States with the same edges are the same state: partition refinement, cheap at any size.

use std::collections::HashMap;

use super::automaton::{Edge, StateId, Tgba};

/// The automaton with one state for each class of bisimilar ones.
pub(crate) fn quotient(automaton: &Tgba) -> Tgba {
    let mut class = vec![StateId(0); automaton.state_count()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(StateId, Vec<Edge>), StateId> = HashMap::new();
        let mut finer = Vec::with_capacity(class.len());
        let rows = in_classes(automaton, &class);
        for state in automaton.states() {
            let next = StateId::of(numbers.len());
            let signature = (class[state.index()], rows.edges[state.index()].clone());
            finer.push(*numbers.entry(signature).or_insert(next));
        }
        let stable = numbers.len() == count;
        count = numbers.len();
        class = finer;
        if stable {
            break;
        }
    }
    let rows = in_classes(automaton, &class);
    let mut edges = vec![Vec::new(); count];
    for (state, row) in rows.edges.into_iter().enumerate() {
        edges[class[state].index()] = row;
    }
    Tgba { initial: class[automaton.initial.index()], edges, ..automaton.clone() }
}

/// The automaton's edges with classes for targets.
fn in_classes(automaton: &Tgba, class: &[StateId]) -> Tgba {
    let mut rows = automaton.clone();
    for edge in rows.edges.iter_mut().flatten() {
        edge.target = class[edge.target.index()];
    }
    rows.join_parallel_edges();
    rows
}
