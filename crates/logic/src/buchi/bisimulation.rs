//! States with the same edges are the same state: partition refinement, cheap at any size.

use std::collections::HashMap;

use super::automaton::{Marks, StateId, Tgba};
use super::guard::Cube;

/// The automaton with one state for each class of bisimilar ones.
pub(crate) fn quotient(automaton: &Tgba) -> Tgba {
    let mut class = vec![StateId(0); automaton.state_count()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(StateId, Vec<Step>), StateId> = HashMap::new();
        let mut finer = Vec::with_capacity(class.len());
        for state in automaton.states() {
            let next = StateId::of(numbers.len());
            let signature = (class[state.index()], steps(automaton, state, &class));
            finer.push(*numbers.entry(signature).or_insert(next));
        }
        let is_stable = numbers.len() == count;
        count = numbers.len();
        class = finer;
        if is_stable {
            break;
        }
    }
    let mut edges = vec![Vec::new(); count];
    for state in automaton.states() {
        edges[class[state.index()].index()] = automaton.edges_of(state).to_vec();
    }
    for edge in edges.iter_mut().flatten() {
        edge.target = class[edge.target.index()];
    }
    let mut smaller = Tgba { initial: class[automaton.initial.index()], edges, ..automaton.clone() };
    smaller.join_parallel_edges();
    smaller
}

type Step = (StateId, Marks, Cube);

/// What a state can do, up to the classes of targets. Guards are taken cube by cube: to tell that differently cut ones
/// are equal takes longer, and is left to simulation.
fn steps(automaton: &Tgba, state: StateId, class: &[StateId]) -> Vec<Step> {
    let edges = automaton.edges_of(state).iter();
    let mut steps: Vec<Step> = edges
        .flat_map(|edge| edge.guard.cubes().iter().map(|&cube| (class[edge.target.index()], edge.marks, cube)))
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}
