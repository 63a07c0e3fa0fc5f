//! What can be answered about a circuit.

use super::Run;
use crate::verdict::Limit;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds,
    /// A run that breaks the property, or shows that it is broken.
    Violated(Run),
    Unanswered(Why),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Limit(Limit),
    /// Some run ends, and temporal logic speaks of runs that go on for ever.
    RunsThatEnd,
    /// No run meets the fairness constraints, so there is nothing to speak of.
    NoFairRun,
    /// There is too much to try one by one.
    TooLarge,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Limit(limit) => limit.fmt(f),
            Why::RunsThatEnd => f.write_str(
                "some reachable state has no successor, and temporal formulas speak of runs that go on for ever",
            ),
            Why::NoFairRun => f.write_str("no run meets the fairness constraints, so any formula would hold"),
            Why::TooLarge => f.write_str("there are too many values to try one by one; use --engine symbolic"),
        }
    }
}
