//! What a check may take, whatever it is doing, and how the world outside follows it and ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::gauge::{Gauge, Resident};
use crate::verdict::Why;

/// One for everything that can take long. It is only looked at, so that any number of threads can share it; clones share the flag
/// that ends the work and whoever follows it. By default there is no limit.
#[derive(Clone, Default)]
pub struct Budget {
    /// In bytes, for the whole program. What knows no measure of its own takes [`Budget::memory_or_some`].
    pub memory: Option<u64>,
    /// How long it may take, and since when.
    pub time: Option<(Duration, Instant)>,
    /// Set it, and whatever is under way ends soon.
    pub cancel: Option<Arc<AtomicBool>>,
    /// How memory is measured, if it is, and not only accounted for.
    pub resident: Option<Resident>,
    /// Told when a phase begins, and several times a second by what takes long.
    pub progress: Option<Arc<ProgressFn>>,
    /// What is being done.
    pub phase: Phase,
}

/// Follows what is being done.
pub type ProgressFn = dyn Fn(&Progress) + Send + Sync;

/// How far the work has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub phase: Phase,
    /// What an engine has seen so far; all zero in other phases.
    pub statistics: Statistics,
}

/// What a check is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing yet.
    #[default]
    Starting,
    /// Reading the model: macros, syntax, types; translating its formulas into automata.
    Reading,
    /// Finding out which reductions apply.
    Planning,
    /// Making a smaller model: path reduction, dead variables.
    Reducing,
    /// Looking for interchangeable processes.
    FindingSymmetry,
    /// Making sure that every expression of a circuit has a value.
    CheckingValues,
    /// An engine answers.
    Searching,
    /// Making counterexamples shorter.
    Shortening,
    /// Replaying and describing counterexamples.
    Confirming,
    /// Looking for poor reasons for which properties hold.
    CheckingVacuity,
}

impl Phase {
    /// For a sentence that begins with "while".
    pub fn name(self) -> &'static str {
        match self {
            Phase::Starting => "starting",
            Phase::Reading => "reading the model and its formulas",
            Phase::Planning => "choosing reductions",
            Phase::Reducing => "making the model smaller",
            Phase::FindingSymmetry => "looking for symmetry",
            Phase::CheckingValues => "checking that every expression has a value",
            Phase::Searching => "searching",
            Phase::Shortening => "shortening counterexamples",
            Phase::Confirming => "replaying counterexamples",
            Phase::CheckingVacuity => "looking for vacuous properties",
        }
    }
}

/// Where nobody says how much memory there is.
const SOME_MEMORY: u64 = 1 << 30;

impl Budget {
    /// No limits at all.
    pub const UNLIMITED: Budget =
        Budget { memory: None, time: None, cancel: None, resident: None, progress: None, phase: Phase::Starting };

    /// With so much time from now on.
    pub fn of_time(time: Duration) -> Budget {
        Budget { time: Some((time, Instant::now())), ..Budget::UNLIMITED }
    }

    /// The same for another phase, which begins now.
    pub fn during(&self, phase: Phase) -> Budget {
        let begun = Budget { phase, ..self.clone() };
        begun.tell(&Statistics::default());
        begun
    }

    /// Is there time to go on? Memory is another question, see [`Budget::gauge`].
    pub fn go_on(&self) -> Result<(), Why> {
        if self.is_cancelled() {
            return Err(Why::Interrupted);
        }
        match self.time {
            Some((limit, since)) if since.elapsed() >= limit => Err(Why::Time { limit }),
            _ => Ok(()),
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// How much time is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|(limit, since)| limit.saturating_sub(since.elapsed()))
    }

    /// The same with no more than so much time from now on.
    pub fn for_at_most(&self, time: Duration) -> Budget {
        let least = self.time_left().map_or(time, |left| left.min(time));
        Budget { time: Some((least, Instant::now())), ..self.clone() }
    }

    pub fn memory_or_some(&self) -> u64 {
        self.memory.unwrap_or(SOME_MEMORY)
    }

    /// Looks whether there is memory to go on.
    pub fn gauge(&self) -> Gauge {
        Gauge::new(self.memory.unwrap_or(u64::MAX), self.resident)
    }

    pub fn tell(&self, statistics: &Statistics) {
        if let Some(progress) = &self.progress {
            progress(&Progress { phase: self.phase, statistics: *statistics });
        }
    }
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Budget { memory, time, phase, .. } = self;
        let mut limits = f.debug_struct("Budget");
        limits.field("memory", memory).field("time", time).field("phase", phase).finish_non_exhaustive()
    }
}

/// What an engine has seen and what it took, whichever engine it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states seen, without those in the middle of an `atomic`. Zero if they were not counted; the largest number stands
    /// for more than that.
    pub states: u64,
    pub transitions: u64,
    /// The number of steps of the longest path that the search followed; of sets of states, how many steps it took until
    /// nothing was new.
    pub depth: u64,
    pub seconds: f64,
    /// What the search stored, at its largest.
    pub memory_bytes: u64,
    /// How likely a new state was taken for a known one, in the end, where the store can do that.
    pub confusion: Option<f64>,
    /// States that probes have seen besides, which only hunt for violations.
    pub probed: u64,
    /// Of an engine that works with BDDs.
    pub diagrams: Option<Diagrams>,
}

/// How large the BDDs of a symbolic engine were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Diagrams {
    /// The number of nodes of the transition relations in use, on average.
    pub relation: f64,
    /// The most nodes that were in use at once, as far as that was counted.
    pub nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_interrupts_comes_before_the_clock() {
        let cancel = Arc::new(AtomicBool::new(false));
        let over = Budget { cancel: Some(Arc::clone(&cancel)), ..Budget::of_time(Duration::ZERO) };
        assert_eq!(over.go_on(), Err(Why::Time { limit: Duration::ZERO }));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(over.go_on(), Err(Why::Interrupted));
        assert_eq!(Budget::UNLIMITED.go_on(), Ok(()));
    }

    #[test]
    fn a_part_has_no_more_time_than_the_whole() {
        let hour = Duration::from_secs(3600);
        let part = Budget::UNLIMITED.for_at_most(hour);
        assert!(part.time_left().is_some_and(|left| left <= hour && left > hour / 2));
        let less = part.for_at_most(2 * hour);
        assert!(less.time_left().is_some_and(|left| left <= hour));
        assert_eq!(Budget::UNLIMITED.time_left(), None);
    }

    #[test]
    fn whoever_follows_is_told_the_phase() {
        let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
        let progress = {
            let seen = Arc::clone(&seen);
            move |progress: &Progress| {
                seen.lock().expect("nobody panics").push((progress.phase, progress.statistics.states))
            }
        };
        let budget = Budget { progress: Some(Arc::new(progress)), ..Budget::UNLIMITED };
        let searching = budget.during(Phase::Reading).during(Phase::Searching);
        searching.tell(&Statistics { states: 7, ..Statistics::default() });
        let seen = seen.lock().expect("nobody panics");
        assert_eq!(*seen, [(Phase::Reading, 0), (Phase::Searching, 0), (Phase::Searching, 7)]);
    }
}
