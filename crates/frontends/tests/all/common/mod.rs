//! A search that is too simple to be wrong.

pub mod product;

use std::collections::HashSet;

use reductio_model::{FaultKind, Interpreter, Model, Successors, TransitionSystem};

/// What a search finds.
pub struct Answer {
    pub states: usize,
    /// Each kind once, in the order of first occurrence.
    pub faults: Vec<FaultKind>,
    pub deadlock: bool,
}

/// Visits every state, in the plainest way there is.
pub fn explore(model: &Model) -> Answer {
    let system = Interpreter::new(model);
    let initial = system.initial();
    let mut seen = HashSet::from([initial.clone()]);
    let mut pending = vec![initial];
    let mut successors = Successors::default();
    let mut answer = Answer { states: 1, faults: Vec::new(), deadlock: false };
    while let Some(state) = pending.pop() {
        system.successors(&state, &mut successors);
        answer.deadlock |= successors.is_empty() && !system.is_valid_end(&state);
        for (successor, next) in successors.iter() {
            if let Some(fault) = &successor.fault
                && !answer.faults.contains(&fault.kind)
            {
                answer.faults.push(fault.kind.clone());
            }
            if let Some(next) = next
                && seen.insert(next.to_vec())
            {
                answer.states += successor.stable as usize;
                pending.push(next.to_vec());
            }
        }
    }
    answer
}
