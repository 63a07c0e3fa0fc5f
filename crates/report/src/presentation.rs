//! How much of a report people are shown, and what they are told about the rest.

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    /// Nothing but the verdicts.
    Quiet,
    #[default]
    Normal,
    /// All that is known, except for the middle of long runs.
    Verbose,
}

/// How a report is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presentation {
    pub amount: Amount,
    pub hints: Hints,
}

/// How to see more, in the words of whoever shows the report. Where there is no way, nothing is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// All entries of a list that is cut.
    pub lists: &'static str,
    /// All steps of a run of processes.
    pub steps: &'static str,
    /// All states of a run of a circuit.
    pub states: &'static str,
    /// All vacuity checks.
    pub vacuity: &'static str,
}

impl Presentation {
    /// So many entries of a list are shown.
    pub(crate) fn most(&self, most: usize) -> usize {
        if self.amount == Amount::Verbose { usize::MAX } else { most }
    }

    /// What stands for the entries of a list that are not shown.
    pub(crate) fn more(&self, count: usize) -> String {
        with_hint(format!("and {count} more"), self.hints.lists)
    }
}

/// A text with a hint behind it.
pub(crate) fn with_hint(text: String, hint: &str) -> String {
    if hint.is_empty() { text } else { format!("{text}; {hint}") }
}
