//! The world outside a search: the clock, the user who interrupts, and whoever watches the progress.

use std::time::{Duration, Instant};

use reductio_model::{Budget, Statistics, Why};

use crate::store::{Memory, OutOfMemory};

pub(crate) struct Clock<'a> {
    pub budget: &'a Budget,
    started: Instant,
    reported: Instant,
    measured: Instant,
    /// Looking at the clock costs as much as a small state, so it is done only now and then.
    ticks_to_look: u32,
}

const TICKS_BETWEEN_LOOKS: u32 = 256;
const TIME_BETWEEN_REPORTS: Duration = Duration::from_millis(200);
/// To ask the system how much memory is in use takes as long as a hundred states. In this time not much can be taken.
const TIME_BETWEEN_MEASUREMENTS: Duration = Duration::from_millis(5);

impl<'a> Clock<'a> {
    /// For what was started some time ago.
    pub fn start(started: Instant, budget: &'a Budget) -> Clock<'a> {
        let now = Instant::now();
        Clock { budget, started, reported: now, measured: now, ticks_to_look: TICKS_BETWEEN_LOOKS }
    }

    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// To be called for every state.
    #[inline(always)]
    pub fn tick(&mut self, memory: &Memory, statistics: impl FnOnce() -> Statistics) -> Result<(), Why> {
        self.ticks_to_look -= 1;
        if self.ticks_to_look > 0 {
            return Ok(());
        }
        self.ticks_to_look = TICKS_BETWEEN_LOOKS;
        self.look(memory, statistics)
    }

    /// Must the search end?
    pub fn look(&mut self, memory: &Memory, statistics: impl FnOnce() -> Statistics) -> Result<(), Why> {
        self.budget.go_on()?;
        let now = Instant::now();
        if now - self.measured >= TIME_BETWEEN_MEASUREMENTS {
            self.measured = now;
            let bytes = self.budget.memory.unwrap_or(u64::MAX);
            memory.measure().map_err(|OutOfMemory| Why::Memory { bytes })?;
        }
        if now - self.reported >= TIME_BETWEEN_REPORTS {
            self.reported = now;
            let statistics = Statistics { seconds: self.seconds(), ..statistics() };
            self.budget.tell(&statistics);
        }
        Ok(())
    }
}
