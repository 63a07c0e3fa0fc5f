//! Smaller automata by direct simulation, forwards and backwards.
//!
//! Papers:  [somenzi-bloem00] section 5, direct and reverse simulation; [etessami-holzmann00] section 5, pruning of edges;
//!          [clemente-mayr13] for which combinations of both are sound.
//! Deviates: an edge may be matched by several others that together allow all its valuations, and marks are compared
//!           edge by edge, so one procedure serves generalised and state-based automata.

use super::automaton::{Edge, StateId, Tgba};

/// Automata with more states times edges stay as they are: simulation would take longer than it is worth.
const MAX_SIZE: usize = 1_000_000;

fn is_too_large(automaton: &Tgba) -> bool {
    automaton.state_count() * automaton.edge_count() > MAX_SIZE
}

/// Which states simulate which: whatever the first does, the second can do too, with at least the same marks.
pub(super) struct Simulation {
    states: usize,
    simulated: Vec<bool>,
}

impl Simulation {
    /// The largest simulation within a relation.
    pub(super) fn of(automaton: &Tgba, within: impl Fn(StateId, StateId) -> bool) -> Simulation {
        let states = automaton.state_count();
        let pairs = automaton.states().flat_map(|state| automaton.states().map(move |by| (state, by)));
        let mut simulation = Simulation { states, simulated: pairs.map(|(state, by)| within(state, by)).collect() };
        // What holds of a state depends on its successors. States are mostly numbered along the edges or against them,
        // so going through them in turns forwards and backwards soon has them all.
        let mut order: Vec<StateId> = automaton.states().collect();
        let mut changed = true;
        while changed {
            changed = false;
            order.reverse();
            for (&state, by) in order.iter().flat_map(|state| automaton.states().map(move |by| (state, by))) {
                if state != by && simulation.holds(state, by) && !simulation.matches(automaton, state, by) {
                    simulation.simulated[state.index() * states + by.index()] = false;
                    changed = true;
                }
            }
        }
        simulation
    }

    /// Does the second simulate the first?
    pub(super) fn holds(&self, state: StateId, by: StateId) -> bool {
        self.simulated[state.index() * self.states + by.index()]
    }

    fn equivalent(&self, first: StateId, second: StateId) -> bool {
        self.holds(first, second) && self.holds(second, first)
    }

    fn matches(&self, automaton: &Tgba, state: StateId, by: StateId) -> bool {
        automaton.edges_of(state).iter().all(|edge| {
            let answers = || automaton.edges_of(by).iter().filter(|answer| self.is_at_least(answer, edge));
            // One edge mostly suffices, and that is seen at once.
            answers().any(|answer| edge.guard.plainly_implies(&answer.guard))
                || edge.guard.implies_one_of(answers().map(|answer| &answer.guard))
        })
    }

    /// Whether an edge is as good as another wherever both can be taken.
    pub(super) fn is_at_least(&self, edge: &Edge, other: &Edge) -> bool {
        edge.marks.includes(other.marks) && self.holds(other.target, edge.target)
    }
}

/// Merges states that simulate each other and drops edges that better ones make superfluous.
pub(crate) fn forward(automaton: &Tgba) -> Tgba {
    reduced(automaton, |_, _| true)
}

/// The same against the direction of the edges. States are merged only if `alike` says that the second can stand for
/// the first.
pub(crate) fn backward(automaton: &Tgba, alike: impl Fn(StateId, StateId) -> bool) -> Tgba {
    let reversed = reversed(automaton);
    let initial = automaton.initial;
    let smaller = reduced(&reversed, |state, by| (state != initial || by == initial) && alike(state, by));
    self::reversed(&smaller)
}

fn reduced(automaton: &Tgba, within: impl Fn(StateId, StateId) -> bool) -> Tgba {
    if is_too_large(automaton) {
        return automaton.clone();
    }
    let simulation = Simulation::of(automaton, within);
    let representative = |state: StateId| {
        let mut candidates = automaton.states();
        candidates.find(|&candidate| simulation.equivalent(state, candidate)).unwrap_or(state)
    };
    let representatives: Vec<StateId> = automaton.states().map(representative).collect();
    let mut merged = automaton.clone();
    merged.initial = representatives[automaton.initial.index()];
    for edge in merged.edges.iter_mut().flatten() {
        edge.target = representatives[edge.target.index()];
    }
    merged.join_parallel_edges();
    for edges in &mut merged.edges {
        drop_superfluous(edges, &simulation);
    }
    let keep: Vec<bool> = automaton.states().map(|state| representatives[state.index()] == state).collect();
    merged.restricted(&keep)
}

/// Between representatives simulation is a partial order, and parallel edges are joined, so no two edges drop each other.
fn drop_superfluous(edges: &mut Vec<Edge>, simulation: &Simulation) {
    let before = edges.clone();
    for (at, edge) in edges.iter_mut().enumerate() {
        for (_, better) in before.iter().enumerate().filter(|(other, _)| *other != at) {
            if simulation.is_at_least(better, edge) {
                edge.guard.drop_covered(&better.guard);
            }
        }
    }
    edges.retain(|edge| !edge.guard.is_false());
}

/// The automaton with edges that are not taken where better ones can be. Fewer edges are open at once, which is less work
/// for whoever follows them, and often none are.
pub(crate) fn sharpened(automaton: &Tgba) -> Tgba {
    if is_too_large(automaton) {
        return automaton.clone();
    }
    let simulation = Simulation::of(automaton, |_, _| true);
    let mut sharper = automaton.clone();
    for (edges, before) in sharper.edges.iter_mut().zip(&automaton.edges) {
        for (at, edge) in edges.iter_mut().enumerate() {
            let better = before.iter().enumerate().filter(|&(other, better)| {
                // Of two that are as good as each other the first stays.
                let is_strict = other < at || !simulation.is_at_least(&before[at], better);
                other != at && is_strict && simulation.is_at_least(better, &before[at])
            });
            for (_, better) in better {
                if better.guard.cubes().len() <= MAX_SUBTRACTED && edge.guard.meets(&better.guard) {
                    let rest = edge.guard.and(&better.guard.not());
                    if rest.cubes().len() > MAX_CUBES {
                        break;
                    }
                    edge.guard = rest;
                }
            }
        }
        edges.retain(|edge| !edge.guard.is_false());
    }
    sharper
}

/// Longer guards would be more work than what they save.
const MAX_CUBES: usize = 8;

/// The negation of a longer guard takes long to compute.
const MAX_SUBTRACTED: usize = 4;

fn reversed(automaton: &Tgba) -> Tgba {
    let mut edges = vec![Vec::new(); automaton.state_count()];
    for state in automaton.states() {
        for edge in automaton.edges_of(state) {
            edges[edge.target.index()].push(Edge { target: state, ..edge.clone() });
        }
    }
    Tgba { edges, ..automaton.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::guard::Guard;
    use crate::buchi::{Marks, is_empty};

    #[test]
    fn of_two_edges_that_are_as_good_as_each_other_one_stays() {
        let to = |target| Edge { guard: Guard::truth(true), marks: Marks::NONE, target: StateId(target) };
        let edges = vec![vec![to(1), to(2)], vec![to(1)], vec![to(2)]];
        let sharper = sharpened(&Tgba { propositions: vec![], sets: 0, initial: StateId(0), edges });
        assert_eq!(sharper.edges[0], [to(1)]);
        assert!(!is_empty(&sharper));
    }
}
