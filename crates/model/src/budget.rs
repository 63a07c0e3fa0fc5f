//! What a check may take, whatever it is doing, and how the world outside follows it and ends it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::gauge::{Gauge, Resident};
use crate::verdict::Why;

/// One for everything that can take long. It is only looked at, so that any number of threads can share it.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// In bytes, for the whole program. What knows no measure of its own takes [`Budget::memory_or_some`].
    pub memory: Option<u64>,
    /// How long it may take, and since when.
    pub time: Option<(Duration, Instant)>,
    /// Set it, and whatever is under way ends soon.
    pub cancel: Option<&'a AtomicBool>,
    /// How memory is measured, if it is, and not only accounted for.
    pub resident: Option<Resident>,
    /// Called several times a second by what takes long.
    pub progress: Option<&'a (dyn Fn(&Statistics) + Sync)>,
}

/// Where nobody says how much memory there is.
const SOME_MEMORY: u64 = 1 << 30;

impl<'a> Budget<'a> {
    /// No limits at all.
    pub const UNLIMITED: Budget<'static> =
        Budget { memory: None, time: None, cancel: None, resident: None, progress: None };

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
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// How much time is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|(limit, since)| limit.saturating_sub(since.elapsed()))
    }

    /// The same with no more than so much time from now on.
    pub fn for_at_most(self, time: Duration) -> Budget<'a> {
        let least = self.time_left().map_or(time, |left| left.min(time));
        Budget { time: Some((least, Instant::now())), ..self }
    }

    pub fn memory_or_some(&self) -> u64 {
        self.memory.unwrap_or(SOME_MEMORY)
    }

    /// Looks whether there is memory to go on.
    pub fn gauge(&self) -> Gauge {
        Gauge::new(self.memory.unwrap_or(u64::MAX), self.resident)
    }

    pub fn tell(&self, statistics: &Statistics) {
        if let Some(progress) = self.progress {
            progress(statistics);
        }
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
        let cancel = AtomicBool::new(false);
        let over = Budget { time: Some((Duration::ZERO, Instant::now())), cancel: Some(&cancel), ..Budget::UNLIMITED };
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
}
