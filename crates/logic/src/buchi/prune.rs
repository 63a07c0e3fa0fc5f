//! What no accepted word needs: states that are not reached or reach no accepting cycle, and marks that decide nothing.

use super::automaton::{Edge, Marks, StateId, Tgba};
use super::components::{Components, Kind};

/// The automaton without states that no accepting run visits.
pub(crate) fn useful_states(automaton: &Tgba) -> Tgba {
    let components = Components::of(automaton);
    let kinds = components.kinds(automaton);
    // Components are numbered against the edges, so targets are decided before sources.
    let mut productive: Vec<bool> = kinds.iter().map(|kind| matches!(kind, Kind::Accepting | Kind::Mixed)).collect();
    let mut by_component: Vec<StateId> = automaton.states().collect();
    by_component.sort_by_key(|&state| components.component(state));
    for state in by_component {
        let leads = automaton.edges_of(state).iter().any(|edge| productive[components.component(edge.target)]);
        productive[components.component(state)] |= leads;
    }
    let is_productive = |state: StateId| productive[components.component(state)];
    if !is_productive(automaton.initial) {
        return Tgba::empty(automaton.propositions.clone());
    }
    let mut keep = vec![false; automaton.state_count()];
    keep[automaton.initial.index()] = true;
    let mut open = vec![automaton.initial];
    while let Some(state) = open.pop() {
        for edge in automaton.edges_of(state).iter().filter(|edge| is_productive(edge.target)) {
            if !std::mem::replace(&mut keep[edge.target.index()], true) {
                open.push(edge.target);
            }
        }
    }
    automaton.restricted(&keep)
}

/// The automaton with as few acceptance sets as decide which cycles are accepting, component by component.
///
/// Edges between components and edges of rejecting components lose their marks. In each other component a set is
/// dropped if no cycle misses just that set; the sets that are left are numbered anew, and a component that needs fewer
/// than others has all its edges in the rest.
pub(crate) fn acceptance(automaton: &Tgba) -> Tgba {
    let components = Components::of(automaton);
    let kinds = components.kinds(automaton);
    let needed: Vec<Vec<u32>> = (0..components.count())
        .map(|component| match kinds[component] {
            Kind::Trivial | Kind::Rejecting | Kind::Accepting => Vec::new(),
            Kind::Mixed => needed_sets(automaton, &components, component),
        })
        .collect();
    // With no sets at all a cycle that must not be accepted would be.
    let least = u32::from(kinds.contains(&Kind::Rejecting));
    let sets = needed.iter().map(|sets| sets.len() as u32).max().unwrap_or(0).max(least);
    let mut simpler = Tgba { sets, ..automaton.clone() };
    for state in automaton.states() {
        let component = components.component(state);
        for edge in &mut simpler.edges[state.index()] {
            let cycles = components.is_internal(state, edge) && kinds[component] != Kind::Rejecting;
            edge.marks = if cycles { renumbered(edge.marks, &needed[component], sets) } else { Marks::NONE };
        }
    }
    simpler.join_parallel_edges();
    simpler
}

fn renumbered(marks: Marks, needed: &[u32], sets: u32) -> Marks {
    let spare = Marks::first(sets).without(Marks::first(needed.len() as u32));
    let kept = needed.iter().enumerate().filter(|(_, set)| marks.contains(**set));
    kept.fold(spare, |marks, (number, _)| marks.union(Marks::one(number as u32)))
}

fn needed_sets(automaton: &Tgba, components: &Components, component: usize) -> Vec<u32> {
    let mut needed = automaton.all_marks();
    for set in 0..automaton.sets {
        let others = needed.without(Marks::one(set));
        if !some_cycle_misses(automaton, components, component, set, others) {
            needed = others;
        }
    }
    needed.iter().collect()
}

/// Whether some cycles of a component together are in all the other sets but not in this one.
fn some_cycle_misses(automaton: &Tgba, components: &Components, component: usize, set: u32, others: Marks) -> bool {
    let part = |source: StateId, edge: &Edge| {
        components.component(source) == component
            && components.component(edge.target) == component
            && !edge.marks.contains(set)
    };
    let without = Components::of_part(automaton, part);
    without.marks_within(automaton, part).into_iter().flatten().any(|seen| seen.includes(others))
}
