//! Ctrl-C: the first one ends a search with what was seen so far, the second one everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// Signals that follow each other faster are one: `timeout -s INT`, for one, sends it to the process and to its group.
const ONE_KEYSTROKE: Duration = Duration::from_millis(400);

/// A flag that is set by the first Ctrl-C.
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
    Ok(interrupted)
}
