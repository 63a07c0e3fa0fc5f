//! Measuring memory: what the program uses, as the system sees it. What an engine accounts for is never all of it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::verdict::Why;

/// How much memory the program uses now, in bytes, as the system sees it. `None`: the system does not tell.
pub type Resident = fn() -> Option<u64>;

/// To ask the system takes a dozen microseconds. In this time not much can be taken.
const TIME_BETWEEN_MEASUREMENTS: Duration = Duration::from_millis(5);

/// Looks now and then whether there is still memory to go on.
pub struct Gauge {
    limit: u64,
    resident: Option<Resident>,
    measured: Cell<Option<Instant>>,
}

impl Gauge {
    /// Without a way to measure, there is always memory.
    pub fn new(limit: u64, resident: Option<Resident>) -> Gauge {
        Gauge { limit, resident, measured: Cell::new(None) }
    }

    /// To be called often.
    pub fn look(&self) -> Result<(), Why> {
        let Some(resident) = self.resident else { return Ok(()) };
        let is_recent = |measured: Instant| measured.elapsed() < TIME_BETWEEN_MEASUREMENTS;
        if self.measured.get().is_some_and(is_recent) {
            return Ok(());
        }
        self.measured.set(Some(Instant::now()));
        match resident() {
            Some(bytes) if bytes > self.limit => Err(Why::Memory { bytes: self.limit }),
            _ => Ok(()),
        }
    }

    /// Is there room for so many bytes at once? To be asked before much is taken.
    pub fn reserve(&self, bytes: u64) -> Result<(), Why> {
        match self.resident {
            Some(_) if bytes > self.left() => Err(Why::Memory { bytes: self.limit }),
            _ => Ok(()),
        }
    }

    /// What is left now of what may be used.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.resident.and_then(|resident| resident()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_seen_at_once() {
        let hundred: Resident = || Some(100);
        assert_eq!(Gauge::new(99, Some(hundred)).look(), Err(Why::Memory { bytes: 99 }));
        assert_eq!(Gauge::new(100, Some(hundred)).look(), Ok(()));
        assert_eq!(Gauge::new(120, Some(hundred)).left(), 20);
        assert_eq!(Gauge::new(80, Some(hundred)).left(), 0);
        assert_eq!(Gauge::new(120, Some(hundred)).reserve(20), Ok(()));
        assert_eq!(Gauge::new(120, Some(hundred)).reserve(21), Err(Why::Memory { bytes: 120 }));
    }

    #[test]
    fn without_a_way_to_measure_there_is_no_limit() {
        assert_eq!(Gauge::new(0, None).reserve(1), Ok(()));
        for resident in [None, Some((|| None) as Resident)] {
            let gauge = Gauge::new(0, resident);
            assert_eq!((gauge.look(), gauge.left()), (Ok(()), 0));
        }
    }
}
