//! The watchdog of a budget: work ends in time, whatever it is doing.
//!
//! An operation on BDDs cannot be interrupted, nor can the reading of a large model, and each may take longer than anybody is
//! willing to wait. So long work is done by a thread of its own, which is left behind where it does not stop: whoever asked gets
//! an answer in time, with what is known by then.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::budget::{Budget, Phase, Progress};
use crate::verdict::Why;

/// Models can be nested deeply, and front ends follow them by recursion.
const STACK_SIZE: usize = 256 << 20;
/// In this time not much memory can be taken.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const TIME_TO_STOP: Duration = Duration::from_millis(1500);

/// Does work look at its budget itself?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It does not: it is left behind at once.
    Blind,
    /// It does, between steps that may take long, and gets a while to stop in order.
    Attentive,
}

impl Work {
    /// How long it may go on after it should have stopped.
    fn patience(self) -> Duration {
        match self {
            Work::Blind => Duration::ZERO,
            Work::Attentive => TIME_TO_STOP,
        }
    }
}

/// Work that was left behind, or not begun.
#[derive(Debug)]
pub enum Unfinished {
    /// The limit that was reached, and what was being done then.
    Limit(Why, Phase),
    NoThread(std::io::Error),
}

impl Budget {
    /// What work comes to, if it comes to an end in time. The work gets the budget that it has to look at.
    pub fn watch<T: Send + 'static>(
        &self,
        kind: Work,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let (sender, receiver) = channel();
        let phase = Arc::new(Mutex::new(self.phase));
        let watched = self.noting(&phase);
        let send = move || {
            // Nobody listens where the work was left behind.
            let _ = sender.send(work(&watched));
        };
        let worker = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(send).map_err(Unfinished::NoThread)?;
        let mut asked: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Ok(()) => unreachable!("work that is done is sent"),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(why) = self.overstepped(kind)
                && asked.get_or_insert_with(Instant::now).elapsed() >= kind.patience()
            {
                return Err(Unfinished::Limit(why, *phase.lock().unwrap_or_else(PoisonError::into_inner)));
            }
        }
    }

    /// The same, with a note of what is being done.
    fn noting(&self, phase: &Arc<Mutex<Phase>>) -> Budget {
        let (phase, progress) = (Arc::clone(phase), self.progress.clone());
        let note = move |now: &Progress| {
            *phase.lock().unwrap_or_else(PoisonError::into_inner) = now.phase;
            if let Some(progress) = &progress {
                progress(now);
            }
        };
        Budget { progress: Some(Arc::new(note)), ..self.clone() }
    }

    /// Which limit has been reached: the user's patience, time, and memory where the work does not look at it.
    fn overstepped(&self, work: Work) -> Option<Why> {
        if self.is_cancelled() {
            return Some(Why::Interrupted);
        }
        let is_too_much = |most: &u64| self.resident.and_then(|resident| resident()).is_some_and(|used| used > *most);
        if let Some(bytes) = self.memory.filter(|most| work == Work::Blind && is_too_much(most)) {
            return Some(Why::Memory { bytes });
        }
        self.go_on().err()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn cancelled() -> Budget {
        Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::UNLIMITED }
    }

    #[test]
    fn work_that_stops_is_not_left_behind() {
        assert!(matches!(cancelled().watch(Work::Attentive, |_| 7), Ok(7)));
    }

    #[test]
    fn work_that_does_not_stop_is_left_behind_and_its_phase_is_known() {
        let (sender, receiver) = channel::<()>();
        let left = Budget::of_time(Duration::from_millis(20)).watch(Work::Blind, move |budget| {
            let _planning = budget.during(Phase::Reading).during(Phase::Planning);
            receiver.recv()
        });
        assert!(matches!(left, Err(Unfinished::Limit(Why::Time { .. }, Phase::Planning))));
        drop(sender);
    }

    #[test]
    fn memory_is_a_limit_of_work_that_does_not_look_at_it() {
        let budget = Budget { memory: Some(10), resident: Some(|| Some(11)), ..Budget::UNLIMITED };
        assert_eq!(budget.overstepped(Work::Attentive), None);
        assert_eq!(budget.overstepped(Work::Blind), Some(Why::Memory { bytes: 10 }));
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = Budget::UNLIMITED.watch(Work::Blind, |_| panic!("a bug"));
    }
}
