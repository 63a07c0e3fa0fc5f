//! What a check may take, and how it ends in time whatever it is doing.
//!
//! An operation on BDDs cannot be interrupted, nor can the reading of a large model, and each may take longer than anybody is
//! willing to wait. So long work is done by a thread of its own, which is left behind where it does not stop: whoever asked gets
//! an answer in time, with what is known by then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reductio_model::{Budget, Resident, Statistics, Why};

/// Models can be nested deeply, and front ends follow them by recursion.
const STACK_SIZE: usize = 256 << 20;
/// In this time not much memory can be taken.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const TIME_TO_STOP: Duration = Duration::from_millis(1500);

/// Follows what is going on.
pub type Progress = Arc<dyn Fn(&Statistics) + Send + Sync>;

/// What a check may take. By default there is no limit.
#[derive(Clone)]
pub struct Limits {
    /// In bytes, for the whole program.
    pub memory: Option<u64>,
    pub time: Option<Duration>,
    /// Since when time is counted.
    pub started: Instant,
    /// Set it, and whatever is under way ends soon.
    pub cancel: Arc<AtomicBool>,
    /// How memory is measured, if it is, and not only accounted for.
    pub resident: Option<Resident>,
    /// Called several times a second by what takes long.
    pub progress: Option<Progress>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: None,
            time: None,
            started: Instant::now(),
            cancel: Arc::default(),
            resident: None,
            progress: None,
        }
    }
}

/// Does work look at its limits itself?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
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
pub(crate) enum Unfinished {
    Limit(Why),
    NoThread(std::io::Error),
}

impl Limits {
    /// With so much time from now on.
    pub fn for_at_most(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// How long it has taken so far.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The same for work that looks at its limits itself.
    pub fn budget(&self) -> Budget<'_> {
        Budget {
            memory: self.memory,
            time: self.time.map(|time| (time, self.started)),
            cancel: Some(&self.cancel),
            resident: self.resident,
            progress: self.progress.as_deref().map(|progress| progress as &(dyn Fn(&Statistics) + Sync)),
        }
    }

    /// Which limit has been reached: the user's patience, time, and memory where the work does not look at it.
    pub(crate) fn overstepped(&self, work: Work) -> Option<Why> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Why::Interrupted);
        }
        let is_too_much = |most: &u64| self.resident.and_then(|resident| resident()).is_some_and(|used| used > *most);
        if let Some(bytes) = self.memory.filter(|most| work == Work::Blind && is_too_much(most)) {
            return Some(Why::Memory { bytes });
        }
        let limit = self.time.filter(|time| self.started.elapsed() >= *time)?;
        Some(Why::Time { limit })
    }

    /// What work comes to, if it comes to an end in time.
    pub(crate) fn watch<T: Send + 'static>(
        &self,
        kind: Work,
        work: impl FnOnce(&Limits) -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let (sender, receiver) = channel();
        let limits = self.clone();
        let send = move || {
            // Nobody listens where the work was left behind.
            let _ = sender.send(work(&limits));
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
                return Err(Unfinished::Limit(why));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cancelled() -> Limits {
        Limits { cancel: Arc::new(AtomicBool::new(true)), ..Limits::default() }
    }

    #[test]
    fn work_that_stops_is_not_left_behind() {
        assert!(matches!(cancelled().watch(Work::Attentive, |_| 7), Ok(7)));
    }

    #[test]
    fn work_that_does_not_stop_is_left_behind() {
        let (sender, receiver) = channel::<()>();
        let left = cancelled().watch(Work::Blind, move |_| receiver.recv());
        assert!(matches!(left, Err(Unfinished::Limit(Why::Interrupted))));
        drop(sender);
    }

    #[test]
    fn memory_is_a_limit_of_work_that_does_not_look_at_it() {
        let limits = Limits { memory: Some(10), resident: Some(|| Some(11)), ..Limits::default() };
        assert_eq!(limits.overstepped(Work::Attentive), None);
        assert_eq!(limits.overstepped(Work::Blind), Some(Why::Memory { bytes: 10 }));
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = Limits::default().watch(Work::Blind, |_| panic!("a bug"));
    }
}
