//! Ctrl-C: the first one ends a search with what was seen so far, the second one everything. Who asks the program to
//! terminate, or hangs up, gets the same report.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// Signals that follow each other faster are one: `timeout -s INT`, for one, sends it to the process and to its group.
const ONE_KEYSTROKE: Duration = Duration::from_millis(400);

/// A flag that is set by the first Ctrl-C, and by signals that ask the program to end.
pub fn on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let handler = {
        let interrupted = Arc::clone(&interrupted);
        let mut first: Option<Instant> = None;
        move || {
            interrupted.store(true, Ordering::Relaxed);
            let first = *first.get_or_insert_with(Instant::now);
            if first.elapsed() > ONE_KEYSTROKE {
                std::process::exit(130);
            }
        }
    };
    ctrlc::set_handler(handler).map_err(Failure::CannotCatchInterrupts)?;
    on_termination(&interrupted)?;
    Ok(interrupted)
}

#[cfg(unix)]
fn on_termination(interrupted: &Arc<AtomicBool>) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let register = |signal| signal_hook::flag::register(signal, Arc::clone(interrupted));
    register(SIGTERM).map_err(Failure::CannotCatchSignals)?;
    if !is_hangup_ignored() {
        register(SIGHUP).map_err(Failure::CannotCatchSignals)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn on_termination(_: &Arc<AtomicBool>) -> Result<(), Failure> {
    Ok(())
}

/// Was the program started by `nohup`, which wants it to go on? Where the machine does not tell, no.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signals are counted from one, and this is the first.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
