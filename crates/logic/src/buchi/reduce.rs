//! Putting the reductions together, and choosing the smallest of several results.

use super::automaton::{Buchi, StateId, Tgba};
use super::components::{Components, Kind};
use super::{bisimulation, degeneralize, prune, simulation};

/// A smaller automaton for the same language: useless states and marks removed, similar states merged.
pub fn reduce(automaton: &Tgba) -> Tgba {
    let mut automaton = prepared(automaton);
    loop {
        let smaller = prepared(&simulation::forward(&automaton));
        let smaller = prepared(&simulation::backward(&smaller, |_, _| true));
        if size(&smaller) >= size(&automaton) {
            return simulation::sharpened(&automaton);
        }
        automaton = smaller;
    }
}

fn prepared(automaton: &Tgba) -> Tgba {
    bisimulation::quotient(&prune::acceptance(&prune::useful_states(automaton)))
}

pub(crate) fn size(automaton: &Tgba) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edge_count(), automaton.sets)
}

/// A state-based automaton for the same language: the smallest of those that several orders of the acceptance sets give.
pub fn to_buchi(automaton: &Tgba) -> Buchi {
    let orders = orders(automaton.sets);
    let mut copied: Vec<Buchi> = orders.iter().map(|order| degeneralize::degeneralized(automaton, order)).collect();
    copied.sort_by_key(|copied| size(copied.as_tgba()));
    let reduced = copied
        .iter()
        .take(TRIED)
        .flat_map(|copied| [Passing::Rejecting, Passing::Accepting].map(|passing| reduce_buchi(copied, passing)));
    let smallest = reduced.min_by_key(|candidate| size(candidate.as_tgba()));
    let smallest = smallest.unwrap_or_else(|| Buchi::new(Tgba::empty(automaton.propositions.clone()), vec![false]));
    let accepting = smallest.states().map(|state| smallest.is_accepting(state)).collect();
    Buchi::new(simulation::sharpened(smallest.as_tgba()), accepting)
}

/// How many of the automata that different orders give are reduced, the smallest first.
const TRIED: usize = 4;

/// All orders of up to four sets; of more, the rotations of one.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    if sets > 4 {
        return (0..sets).map(|first| (0..sets).map(|set| (first + set) % sets).collect()).collect();
    }
    (0..sets).fold(vec![Vec::new()], |orders, set| {
        let longer = |order: &Vec<u32>, at: usize| {
            let mut order = order.clone();
            order.insert(at, set);
            order
        };
        orders.iter().flat_map(|order| (0..=order.len()).map(move |at| longer(order, at))).collect()
    })
}

/// Whether a state that no cycle visits counts as accepting, which is the same to the language and not to simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    Rejecting,
    Accepting,
}

fn reduce_buchi(automaton: &Buchi, passing: Passing) -> Buchi {
    let mut automaton = prepared_buchi(automaton.as_tgba(), passing);
    loop {
        let smaller = prepared_buchi(&simulation::forward(automaton.as_tgba()), passing);
        let accepts = |state: StateId| smaller.is_accepting(state);
        let alike = |state, by| !accepts(state) || accepts(by);
        let smaller = prepared_buchi(&simulation::backward(smaller.as_tgba(), alike), passing);
        if size(smaller.as_tgba()) >= size(automaton.as_tgba()) {
            return automaton;
        }
        automaton = smaller;
    }
}

/// Removes useless states and chooses for each state that may be either whether it is accepting. The marks of all edges
/// of a state must agree.
fn prepared_buchi(automaton: &Tgba, passing: Passing) -> Buchi {
    let useful = prune::useful_states(automaton);
    let components = Components::of(&useful);
    let kinds = components.kinds(&useful);
    let accepting = |state: StateId| match kinds[components.component(state)] {
        Kind::Trivial => passing == Passing::Accepting,
        Kind::Rejecting => false,
        Kind::Accepting => true,
        Kind::Mixed => useful.edges_of(state).iter().any(|edge| edge.marks.contains(0)),
    };
    let accepting: Vec<bool> = useful.states().map(accepting).collect();
    let merged = bisimulation::quotient(Buchi::new(useful, accepting).as_tgba());
    let accepting = merged.edges.iter().map(|edges| edges.iter().any(|edge| edge.marks.contains(0))).collect();
    Buchi::new(merged, accepting)
}
