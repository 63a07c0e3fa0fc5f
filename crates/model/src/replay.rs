//! Replays a trace on the model itself. No counterexample is shown that does not replay.

use crate::interpreter::{Interpreter, Outcome};
use crate::state::State;
use crate::system::Step;
use crate::verdict::Trace;

/// A step of a trace that the model cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Counted from zero through stem and cycle.
    pub index: usize,
    pub step: Step,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {} (process {}) cannot be taken", self.index + 1, self.step.process)
    }
}

impl std::error::Error for ReplayError {}

/// A replayed run: where it starts and what each step does.
pub struct Replayed {
    pub initial: State,
    pub outcomes: Vec<(Step, Outcome)>,
}

impl Replayed {
    /// The state before step `index`.
    pub fn before(&self, index: usize) -> Option<&State> {
        match index.checked_sub(1) {
            None => Some(&self.initial),
            Some(previous) => self.outcomes.get(previous)?.1.state.as_ref(),
        }
    }
}

/// Takes the steps of `trace` one by one, each only if the interpreter allows it. A cycle must lead back to where it
/// began.
pub fn replay(interpreter: &Interpreter, trace: &Trace) -> Result<Replayed, ReplayError> {
    let initial = interpreter.initial_state();
    let mut current = Some(initial.clone());
    let mut cycle_start = None;
    let mut outcomes = Vec::new();
    for (index, &step) in trace.stem.iter().chain(&trace.cycle).enumerate() {
        let state = current.filter(|state| interpreter.steps(state).contains(&step));
        let state = state.ok_or(ReplayError { index, step })?;
        if index == trace.stem.len() {
            cycle_start = Some(state.clone());
        }
        let outcome = interpreter.execute(&state, step);
        current = outcome.state.clone();
        outcomes.push((step, outcome));
    }
    if let (Some(start), Some(&step)) = (&cycle_start, trace.cycle.last())
        && current.as_ref() != Some(start)
    {
        return Err(ReplayError { index: outcomes.len() - 1, step });
    }
    Ok(Replayed { initial, outcomes })
}
