//! In debug builds, the definition of an ample set is checked: are its steps really independent of the deferred ones?
//!
//! Paper: [clarke-grumberg-peled], section 10.3, condition C1: on no path does anything happen before a step of the ample
//!        set that is not independent of it.
//!
//! A path of steps of the other processes is followed for a while. On the way, the processes of the ample set must be able to do
//! the same as in the beginning, no more and no less, and it must make no difference who goes first.
//! And no invisible step changes the value of an atom.
//!
//! The interpreter is asked, and knows of monitors and priorities: a step that lets a process of a higher priority go first is seen to keep the
//! others from moving, and two watched messages are seen to lead elsewhere in another order.

use reductio_model::{Interpreter, Workspace};
use reductio_reduce::facts::{Facts, ProcessState};
use reductio_reduce::on_the_fly::Processes;

use crate::atomic_sequences::each_event;

/// Paths are followed so far.
const LENGTH: usize = 6;

/// What can happen in a state: by whom first, and where it leads. `None` if something goes wrong, or a process goes that
/// had ended, where it makes no difference but in numbers when it does.
fn events(interpreter: &Interpreter<'_>, state: &[u8], numbers_matter: bool) -> Option<Vec<(u8, Vec<u8>)>> {
    let process_count = |state: &[u8]| interpreter.decode(state).processes.len();
    let before = process_count(state);
    let mut events = Some(Vec::new());
    each_event(interpreter, state, |event| {
        let goes = |reached: &[u8]| !numbers_matter && process_count(reached) < before;
        match event.state.filter(|reached| !event.faulty && !goes(reached)) {
            Some(reached) => {
                events.iter_mut().for_each(|events| events.push((event.steps[0].process, reached.to_vec())))
            }
            None => events = None,
        }
        events.is_some()
    });
    events
}

/// Follows a path from the state, one of many: the number says which.
pub(crate) fn check(
    interpreter: &Interpreter<'_>,
    state: &[u8],
    facts: &Facts<'_>,
    chosen: Processes,
    mut number: u64,
) {
    check_visibility(interpreter, state, facts);
    let events = |state: &[u8]| events(interpreter, state, facts.numbers_matter());
    let mut here = state.to_vec();
    for _ in 0..LENGTH {
        let Some(now) = events(&here) else { return };
        let (inside, outside): (Vec<_>, Vec<_>) = now.into_iter().partition(|(pid, _)| chosen.contains(*pid));
        assert!(!inside.is_empty(), "the chosen processes cannot move any more");
        if outside.is_empty() {
            return;
        }
        let (pid, there) = &outside[number as usize % outside.len()];
        number /= outside.len() as u64;
        let Some(then) = events(there) else { return };
        let still: Vec<_> = then.iter().filter(|(pid, _)| chosen.contains(*pid)).collect();
        assert_eq!(still.len(), inside.len(), "process {pid} changes what the chosen processes can do");
        for ((first, one_way), (second, other_way)) in inside.iter().zip(still) {
            assert_eq!(first, second, "process {pid} changes who of the chosen processes can move");
            let Some(later) = events(one_way) else { continue };
            let is_same = later.iter().any(|(other, reached)| other == pid && reached == other_way);
            assert!(is_same, "it makes a difference whether process {pid} or process {first} goes first");
        }
        here = there.clone();
    }
}

/// What is not known to affect the property must not change it.
fn check_visibility(interpreter: &Interpreter<'_>, state: &[u8], facts: &Facts<'_>) {
    let workspace = Workspace::new(interpreter.decode(state));
    for step in interpreter.steps(workspace.state()) {
        let here = ProcessState { system: interpreter, workspace: &workspace, pid: step.process };
        if let Some(after) = interpreter.execute(workspace.state(), step).state {
            let overlooked = facts.overlooked_part(here, step, &after);
            assert_eq!(overlooked, None, "{step:?} affects a part of the property, and nobody knows");
        }
    }
}
