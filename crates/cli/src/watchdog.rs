//! An operation on decision diagrams cannot be interrupted, and may take longer than anybody is willing to wait. So that a limit
//! of time is kept and Ctrl-C is obeyed all the same, such work is done by a thread that can be left behind.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::STACK_SIZE;

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Work that is asked to stop gets so much time to do so in order.
const PATIENCE: Duration = Duration::from_secs(2);

/// What work came to. If it goes on long after it should have stopped, `give_up` tells what is known and ends the program.
pub fn watched<T: Send>(
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
                    if asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
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
        assert_eq!(watched(|| true, || 7, never).expect("there are threads"), 7);
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
        let _ = watched(|| true, endless, give_up);
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = watched(|| false, || panic!("a bug"), || unreachable!("nobody asked it to stop"));
    }
}
