//! What a check can answer.

use crate::system::{Fault, Step};

/// A run: from the initial state through `stem`, then `cycle` for ever. A finite run has an empty cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub stem: Vec<Step>,
    pub cycle: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Shown for every run of the model.
    Holds,
    Violated(Violation),
    Inconclusive(Limit),
}

/// A run that breaks a property, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub trace: Trace,
    /// What went wrong in the last step; `None` when the state reached is itself the violation.
    pub fault: Option<Fault>,
}

/// Why a search ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Memory {
        bytes: u64,
    },
    Time {
        limit: std::time::Duration,
    },
    Interrupted,
    /// Everything that the store let through was seen, but it may have taken new states for known ones.
    LossyStore,
    /// The search is one that may overlook violations.
    Hunt,
    /// With fairness so many processes can be told apart.
    TooManyProcesses {
        most: u32,
    },
    /// Some run needs more processes or channels than there can be.
    Crowded {
        what: &'static str,
    },
    /// What happens in an `atomic` is not seen, and it may go on for ever.
    EndlessAtomic,
    /// Thousands of processes and channels.
    StatesTooLong,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Memory { bytes } => write!(f, "the memory limit of {} MiB was reached", bytes >> 20),
            Limit::Time { limit } => write!(f, "the time limit of {} s was reached", limit.as_secs_f64()),
            Limit::Interrupted => f.write_str("interrupted"),
            Limit::Hunt => f.write_str("a hunt may overlook violations, and found none"),
            Limit::TooManyProcesses { most } => write!(f, "with fairness there can be {most} processes at most"),
            Limit::Crowded { what } => write!(f, "there can be 255 {what} at most, and a run needs more"),
            Limit::EndlessAtomic => f.write_str("an atomic may never end, and what happens in it is not seen"),
            Limit::StatesTooLong => f.write_str("the states are too long for this search"),
            Limit::LossyStore => f.write_str("the store may have passed over states"),
        }
    }
}
