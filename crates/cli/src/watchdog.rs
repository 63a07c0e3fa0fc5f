//! An operation on decision diagrams cannot be interrupted, nor can the reading of a large model, and each may take longer than
//! anybody is willing to wait. So that a limit of time is kept and Ctrl-C is obeyed all the same, such work is done by a thread
//! that can be left behind. Such work does not look at the memory that it takes either, so that is watched, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reductio_model::{Budget, Why};

use crate::STACK_SIZE;
use crate::machine::resident_memory;

/// When a check has to end. It counts from the start of the program on.
pub struct Deadline {
    pub started: Instant,
    pub time: Option<Duration>,
    pub cancel: Arc<AtomicBool>,
    /// How much memory the whole program may use, if that is limited.
    pub memory: Option<u64>,
}

impl Deadline {
    /// What work may take that looks at its limits itself.
    pub fn budget(&self) -> Budget<'_> {
        Budget {
            memory: self.memory,
            time: self.time.map(|time| (time, self.started)),
            cancel: Some(&self.cancel),
            resident: Some(resident_memory),
            progress: None,
        }
    }

    /// Which limit has been reached: the user's patience, time, and memory where the work does not look at it.
    pub fn overstepped(&self, work: Work) -> Option<Why> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Why::Interrupted);
        }
        let is_too_much = |most: &u64| resident_memory().is_some_and(|used| used > *most);
        if let Some(bytes) = self.memory.filter(|most| work == Work::Blind && is_too_much(most)) {
            return Some(Why::Memory { bytes });
        }
        let limit = self.time.filter(|time| self.started.elapsed() >= *time)?;
        Some(Why::Time { limit })
    }
}

/// Does work look at its limits itself?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It does not: it is left behind at once.
    Blind,
    /// It does, between steps that may take long, and gets a while to stop in order.
    Attentive,
}

/// In this time not much memory can be taken.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const TIME_TO_STOP: Duration = Duration::from_secs(2);

impl Work {
    /// How long it may go on after it should have stopped.
    fn patience(self) -> Duration {
        match self {
            Work::Blind => Duration::ZERO,
            Work::Attentive => TIME_TO_STOP,
        }
    }
}

/// What work came to. If it goes on for too long after it should have stopped, `give_up` tells what is known and ends the
/// program.
pub fn watched<T: Send>(
    kind: Work,
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
                    if asked.get_or_insert_with(Instant::now).elapsed() >= kind.patience() {
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
        assert_eq!(watched(Work::Attentive, || true, || 7, never).expect("there are threads"), 7);
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
        let _ = watched(Work::Blind, || true, endless, give_up);
    }

    #[test]
    fn memory_is_a_limit_of_work_that_does_not_look_at_it() {
        let started = Instant::now();
        let deadline = Deadline { started, time: None, cancel: Arc::default(), memory: Some(0) };
        let much = vec![1_u8; 64 << 20];
        assert_eq!(deadline.overstepped(Work::Attentive), None);
        if resident_memory().is_some() {
            assert_eq!(deadline.overstepped(Work::Blind), Some(Why::Memory { bytes: 0 }));
        }
        drop(much);
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = watched(Work::Blind, || false, || panic!("a bug"), || unreachable!("nobody asked it to stop"));
    }
}
