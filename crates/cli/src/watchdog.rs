//! An operation on decision diagrams cannot be interrupted, nor can the reading of a large model, and each may take longer than
//! anybody is willing to wait. So that a limit of time is kept and Ctrl-C is obeyed all the same, such work is done by a thread
//! that can be left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reductio_model::Limit;

use crate::STACK_SIZE;

/// When a check has to end. It counts from the start of the program on.
pub struct Deadline {
    pub started: Instant,
    pub time: Option<Duration>,
    pub cancel: Arc<AtomicBool>,
}

impl Deadline {
    /// Which limit has been reached, of time or of the user's patience.
    pub fn overstepped(&self) -> Option<Limit> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Limit::Interrupted);
        }
        let limit = self.time.filter(|time| self.started.elapsed() >= *time)?;
        Some(Limit::Time { limit })
    }
}

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Work that knows that it should stop gets so much time to do so in order.
pub const TIME_TO_STOP: Duration = Duration::from_secs(2);

/// What work came to. If it goes on for `patience` after it should have stopped, `give_up` tells what is known and ends the
/// program.
pub fn watched<T: Send>(
    patience: Duration,
    should_stop: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send,
    give_up: impl FnOnce() -> std::convert::Infallible,
) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let send = move || {
            // Nobody listens only when the program ends.
            let _ = sender.send(work());
        };
        let worker = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, send)?;
        let mut asked: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Ok(()) => unreachable!("work that is done is sent"),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(RecvTimeoutError::Timeout) if should_stop() => {
                    if asked.get_or_insert_with(Instant::now).elapsed() >= patience {
                        match give_up() {}
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_stops_is_not_left_behind() {
        let never = || panic!("it is done");
        assert_eq!(watched(TIME_TO_STOP, || true, || 7, never).expect("there are threads"), 7);
    }

    #[test]
    #[should_panic(expected = "given up")]
    fn work_that_does_not_stop_is_left_behind() {
        let (sender, receiver) = channel();
        let endless = move || receiver.recv();
        let give_up = move || {
            // Here the program goes on, so the work has to end.
            let _ = sender.send(());
            panic!("given up")
        };
        let _ = watched(Duration::ZERO, || true, endless, give_up);
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = watched(Duration::ZERO, || false, || panic!("a bug"), || unreachable!("nobody asked it to stop"));
    }
}
