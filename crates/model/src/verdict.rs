//! What a check can answer.

use crate::witness::Witness;

/// An answer about a property, with what shows that it is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<W = Witness> {
    /// Shown for every run of the model.
    Holds,
    Violated(W),
    Inconclusive(Why),
}

impl<W> Verdict<W> {
    /// The same verdict, shown in another way.
    pub fn map<V>(self, show: impl FnOnce(W) -> V) -> Verdict<V> {
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::Violated(witness) => Verdict::Violated(show(witness)),
            Verdict::Inconclusive(why) => Verdict::Inconclusive(why),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
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
    /// What happens in an `atomic` is not seen, and it may go on forever.
    EndlessAtomic,
    /// Thousands of processes and channels.
    StatesTooLong,
    /// More states than are looked at one by one.
    TooManyStates {
        most: usize,
    },
    /// There is too much to try one by one.
    TooLarge,
    /// There is no next state, or no value: a formula would say something of nothing.
    StepGoesWrong,
    /// Some run ends, and temporal logic speaks of runs that go on forever.
    RunsThatEnd,
    /// No run meets the fairness constraints, so there is nothing to speak of.
    NoFairRun,
    /// A violation of another property was found, and the first one was to be the end.
    FirstFound,
    /// As many states were seen as this search was to see: another one goes on.
    EnoughSeen,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Memory { bytes } => write!(f, "the memory limit of {} MiB was reached", bytes >> 20),
            Why::Time { limit } => write!(f, "the time limit of {} s was reached", limit.as_secs_f64()),
            Why::Interrupted => f.write_str("interrupted"),
            Why::Hunt => f.write_str("the hunt found no violation, but may have overlooked some"),
            Why::TooManyProcesses { most } => write!(f, "with fairness there can be at most {most} processes"),
            Why::Crowded { what } => write!(f, "there can be at most 255 {what}, and a run needs more"),
            Why::EndlessAtomic => {
                f.write_str("an atomic sequence may never end, and the states inside of it are not checked")
            }
            Why::StatesTooLong => f.write_str("the states are too long for this search"),
            Why::FirstFound => f.write_str("the search stopped at the first violation"),
            Why::EnoughSeen => f.write_str("the search was to see no more states"),
            Why::LossyStore => f.write_str("the lossy store may have omitted states"),
            Why::TooManyStates { most } => write!(f, "there are more than {most} states"),
            Why::TooLarge => f.write_str("there are too many values to try one by one"),
            Why::StepGoesWrong => f.write_str("a step fails, or a condition has no value"),
            Why::RunsThatEnd => {
                f.write_str("some reachable state has no successor, but temporal formulas are about infinite runs only")
            }
            Why::NoFairRun => f.write_str("no run meets the fairness constraints, so every formula would hold"),
        }
    }
}
