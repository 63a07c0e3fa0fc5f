//! Running on through an `atomic`: the states in which one process alone may move are passed through, not stored.
//!
//! What can happen next in a state is a list of *events*, in this order: the steps that are possible come one after
//! the other; a step after which one process alone may move is followed at once by the steps that it can make then,
//! and so on. An event is
//!
//! * a step to a state in which anybody may move, whether it goes wrong or not,
//! * a step that goes wrong and ends the run, or after which one process alone may move.
//!
//! An `atomic` may be long, branch often, or never end. From one step on only so many states are run through; when
//! there are more, those are events, too, and stored like others.
//!
//! The fast engine counts events with packed keys, and remembers only their numbers. This file counts them with the
//! interpreter, to find out which run the numbers mean.

use reductio_model::{Interpreter, Step, Successors, TransitionSystem};

/// From one step on, so many states are run through.
pub(crate) const RUNS_ON: u32 = 256;

/// Something that can happen next in a state.
pub(crate) struct Event<'a> {
    /// The steps that it consists of.
    pub steps: &'a [Step],
    /// The last of them goes wrong. Only debug builds compare that.
    #[cfg_attr(not(debug_assertions), expect(dead_code))]
    pub faulty: bool,
    /// `None`: the run ends.
    pub state: Option<&'a [u8]>,
}

/// Event number so-and-so of a state: the steps up to it, and the state it leads to.
pub(crate) fn event(interpreter: &Interpreter<'_>, state: &[u8], number: u32) -> (Vec<Step>, Option<Vec<u8>>) {
    let mut found = None;
    let mut seen = 0;
    each_event(interpreter, state, |event| {
        if seen == number {
            found = Some((event.steps.to_vec(), event.state.map(<[u8]>::to_vec)));
        }
        seen += 1;
        found.is_none()
    });
    found.expect("the fast engine counts the same events as the interpreter")
}

/// Calls `visit` with every event of a state until it answers `false`.
pub(crate) fn each_event(interpreter: &Interpreter<'_>, state: &[u8], mut visit: impl FnMut(Event<'_>) -> bool) {
    let mut successors = Successors::default();
    let mut steps: Vec<Step> = Vec::new();
    let mut pending: Vec<Pending> = Vec::new();
    let mut budget = RUNS_ON;
    expand(interpreter, state, 0, &mut successors, &mut pending);
    while let Some(next) = pending.pop() {
        if next.depth == 0 {
            budget = RUNS_ON;
        }
        steps.truncate(next.depth);
        steps.push(next.step);
        let state = next.state.as_deref();
        let runs_on = state.filter(|_| !next.stable);
        if (runs_on.is_none() || next.faulty) && !visit(Event { steps: &steps, faulty: next.faulty, state }) {
            return;
        }
        let Some(state) = runs_on else { continue };
        if budget == 0 {
            if !visit(Event { steps: &steps, faulty: false, state: Some(state) }) {
                return;
            }
            continue;
        }
        budget -= 1;
        expand(interpreter, state, next.depth + 1, &mut successors, &mut pending);
    }
}

/// A step whose turn has not come.
struct Pending {
    step: Step,
    faulty: bool,
    stable: bool,
    state: Option<Vec<u8>>,
    /// So many steps come before it.
    depth: usize,
}

fn expand(
    interpreter: &Interpreter<'_>,
    state: &[u8],
    depth: usize,
    successors: &mut Successors,
    pending: &mut Vec<Pending>,
) {
    interpreter.successors(state, successors);
    let first = pending.len();
    pending.extend(successors.iter().map(|(successor, state)| Pending {
        step: successor.step,
        faulty: successor.fault.is_some(),
        stable: successor.stable,
        state: state.map(<[u8]>::to_vec),
        depth,
    }));
    // The next one is at the end.
    pending[first..].reverse();
}
