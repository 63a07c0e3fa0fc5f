//! From the states that a search stored back to a run.

use reductio_model::{Step, Successors, Trace, TransitionSystem};

use super::store::{ExactStore, StateId};

/// The run along which a state was first reached. Only the states are stored; the steps between them are found by
/// taking them again.
pub(crate) fn trace_to(system: &dyn TransitionSystem, store: &ExactStore, state: StateId) -> Trace {
    let mut path = vec![state];
    let mut here = state;
    while let Some(parent) = store.parent(here) {
        path.push(parent);
        here = parent;
    }
    path.reverse();
    let mut successors = Successors::default();
    let step = |pair: &[StateId]| {
        system.successors(store.state(pair[0]), &mut successors);
        step_to(&successors, store.state(pair[1]))
    };
    Trace { stem: path.windows(2).map(step).collect(), cycle: Vec::new() }
}

/// The step to `target`, if possible one without a fault: a trace should go wrong only where it ends.
fn step_to(successors: &Successors, target: &[u8]) -> Step {
    let mut faulty = None;
    for (successor, state) in successors.iter() {
        if state != Some(target) {
            continue;
        }
        if successor.fault.is_none() {
            return successor.step;
        }
        faulty.get_or_insert(successor.step);
    }
    faulty.expect("a state was stored as a successor of its parent, and successors do not change")
}
