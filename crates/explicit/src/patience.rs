//! How long it is worth to follow the runs to violations, once the search is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use reductio_reduce::Plan;

use crate::search::Control;

pub(crate) struct Patience<'a> {
    until: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl<'a> Patience<'a> {
    /// For half of the time that is left now: the runs have to be confirmed and shown, too.
    pub fn new(plan: &Plan, started: Instant, control: &Control<'a>) -> Patience<'a> {
        let limits = plan.limits();
        let left = limits.time.map(|time| time.saturating_sub(limits.since.unwrap_or(started).elapsed()));
        Patience { until: left.and_then(|left| Instant::now().checked_add(left / 2)), cancel: control.cancel }
    }

    pub fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
