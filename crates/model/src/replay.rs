//! Replays a trace on the model itself. No counterexample is shown that does not replay.

use crate::interpreter::{Interpreter, Outcome};
use crate::state::State;
use crate::system::Step;
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

/// A step that was taken.
pub struct Taken {
    pub before: State,
    pub step: Step,
    pub outcome: Outcome,
}

/// Takes the steps of a trace one by one, each only if the interpreter allows it, and keeps none of them: a run may have millions.
pub struct Replay<'a> {
    interpreter: &'a Interpreter<'a>,
    trace: &'a Trace,
    /// The next step, counted from zero through stem and cycle.
    index: usize,
    current: Option<State>,
}

impl<'a> Replay<'a> {
    pub fn new(interpreter: &'a Interpreter<'a>, trace: &'a Trace) -> Replay<'a> {
        Replay { interpreter, trace, index: 0, current: Some(interpreter.initial_state()) }
    }

    /// The state before the next step, if the run has not ended in a fault.
    pub fn state(&self) -> Option<&State> {
        self.current.as_ref()
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Taken, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.index;
        let Trace { stem, cycle } = self.trace;
        let step = *stem.get(index).or_else(|| cycle.get(index.checked_sub(stem.len())?))?;
        self.index += 1;
        let is_possible = |state: &State| self.interpreter.steps(state).contains(&step);
        let Some(before) = self.current.take().filter(is_possible) else {
            return Some(Err(ReplayError { index, step }));
        };
        let outcome = self.interpreter.execute(&before, step);
        self.current.clone_from(&outcome.state);
        Some(Ok(Taken { before, step, outcome }))
    }
}

/// Takes the steps of `trace` one by one, each only if the interpreter allows it. A cycle must lead back to where it
/// began.
pub fn replay(interpreter: &Interpreter, trace: &Trace) -> Result<Replayed, ReplayError> {
    let mut replay = Replay::new(interpreter, trace);
    let mut cycle_start = None;
    let mut outcomes = Vec::new();
    for taken in replay.by_ref() {
        let Taken { before, step, outcome } = taken?;
        if outcomes.len() == trace.stem.len() {
            cycle_start = Some(before);
        }
        outcomes.push((step, outcome));
    }
    if let (Some(start), Some(&step)) = (&cycle_start, trace.cycle.last())
        && replay.state() != Some(start)
    {
        return Err(ReplayError { index: outcomes.len() - 1, step });
    }
    Ok(Replayed { initial: interpreter.initial_state(), outcomes })
}
