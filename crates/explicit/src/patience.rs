//! How long it is worth to follow the runs to violations, once the search is over.

use std::time::Instant;

use reductio_model::Budget;

pub(crate) struct Patience<'a> {
    until: Option<Instant>,
    budget: &'a Budget,
}

impl<'a> Patience<'a> {
    /// For half of the time that is left now: the runs have to be confirmed and shown, too.
    pub fn new(budget: &'a Budget) -> Patience<'a> {
        let until = budget.time_left().and_then(|left| Instant::now().checked_add(left / 2));
        Patience { until, budget }
    }

    pub fn is_over(&self) -> bool {
        self.budget.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
