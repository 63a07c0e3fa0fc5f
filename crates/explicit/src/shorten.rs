//! Shorter counterexamples: a run that was found among representatives may be full of steps that have nothing to do with
//! what goes wrong at its end.

use std::cell::Cell;

use reductio_model::{Interpreter, State, Step, Trace};

use crate::patience::Patience;

/// Longer runs are left as they are.
const MOST_STEPS: usize = 100_000;

/// How often a process may be looked at, over all attempts. With hundreds of processes and thousands of steps there would be
/// no end to it.
const MOST_LOOKS: usize = 10_000_000;

/// Leaves out the last steps of each process, as many as possible such that the rest is still a run whose end `goes_wrong`:
/// it is given the last step, and the state before it.
pub(crate) fn shorten(
    interpreter: &Interpreter<'_>,
    trace: Trace,
    patience: &Patience<'_>,
    goes_wrong: impl Fn(&State, Step) -> bool,
) -> Trace {
    let mut steps = trace.stem;
    let Some(last) = steps.last().copied().filter(|_| trace.cycle.is_empty() && steps.len() <= MOST_STEPS) else {
        return Trace { stem: steps, cycle: trace.cycle };
    };
    let looks = Cell::new(0);
    let is_run = |steps: &[Step]| {
        if patience.is_over() {
            return false;
        }
        let mut state = interpreter.initial_state();
        for (index, step) in steps.iter().enumerate() {
            looks.set(looks.get() + state.processes.len());
            if looks.get() > MOST_LOOKS || !interpreter.steps(&state).contains(step) {
                return false;
            }
            if index + 1 == steps.len() {
                return goes_wrong(&state, *step);
            }
            match interpreter.execute(&state, *step).state {
                Some(next) => state = next,
                None => return false,
            }
        }
        false
    };
    let mut pids: Vec<u8> = steps.iter().map(|step| step.process).collect();
    pids.sort_unstable();
    pids.dedup();
    for pid in pids.into_iter().filter(|&pid| pid != last.process) {
        let kept = |keep: usize| {
            let mut seen = 0;
            let mut shorter = steps.clone();
            shorter.retain(|step| {
                seen += usize::from(step.process == pid);
                step.process != pid || seen <= keep
            });
            shorter
        };
        // So few are not enough, and so many are.
        let all = steps.iter().filter(|step| step.process == pid).count();
        let (mut few, mut enough) = (0, all);
        if is_run(&kept(0)) {
            enough = 0;
        }
        while enough > few + 1 {
            let middle = few + (enough - few) / 2;
            if is_run(&kept(middle)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        if enough < all {
            steps = kept(enough);
        }
    }
    Trace { stem: steps, cycle: trace.cycle }
}
