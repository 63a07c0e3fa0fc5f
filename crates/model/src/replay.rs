//! Replays a trace on the model itself. No counterexample is shown that does not replay.

use crate::interpreter::{Interpreter, Outcome};
use crate::state::State;
use crate::system::Step;
use crate::walk::{Impossible, Taken};
use crate::witness::Trace;

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
    let mut system = *interpreter;
    let walk = trace.walk(interpreter);
    let failed = |index: usize| {
        let step = trace.stem.get(index).or_else(|| trace.cycle.get(index - trace.stem.len()));
        ReplayError { index, step: *step.expect("it is one of the steps") }
    };
    let mut taking = walk.taken(&mut system);
    let mut cycle_start = None;
    let mut outcomes = Vec::new();
    for taken in taking.by_ref() {
        let Taken { before, step, outcome } = taken.map_err(|Impossible { index }| failed(index))?;
        if walk.cycle_start() == Some(outcomes.len()) {
            cycle_start = Some(before);
        }
        outcomes.push((step, outcome));
    }
    if let Some(start) = &cycle_start
        && taking.state() != Some(start)
    {
        return Err(failed(outcomes.len() - 1));
    }
    Ok(Replayed { initial: walk.start, outcomes })
}
