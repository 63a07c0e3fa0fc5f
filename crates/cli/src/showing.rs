//! Which counterexamples are shown, and how much of them.
//!
//! The first counterexample to a property is shown in any case. Others are as long as there is time to confirm them and room to
//! keep them. The rest is counted.

use reductio_explicit::PropertyVerdict;
use reductio_model::{Budget, Interpreter, Model, Property, Trace, Verdict};
use reductio_report::{FurtherEntry, TraceEntry};

use crate::arguments::{CheckArguments, Format};

/// Counterexamples take this part of the memory that is allowed: as text, they take as much again.
const PART_OF_MEMORY: u64 = 16;

pub struct Showing<'a> {
    arguments: &'a CheckArguments,
    budget: Budget<'a>,
    bytes_left: u64,
    /// The properties of the counterexamples that are shown, one by one.
    shown: Vec<Property>,
}

impl<'a> Showing<'a> {
    pub fn new(arguments: &'a CheckArguments, budget: Budget<'a>) -> Showing<'a> {
        let bytes_left = budget.memory.unwrap_or(u64::MAX) / PART_OF_MEMORY;
        Showing { arguments, budget, bytes_left, shown: Vec::new() }
    }

    /// Is this verdict to be told?
    pub fn goes_on(&mut self, entry: &PropertyVerdict) -> bool {
        if !matches!(entry.verdict, Verdict::Violated(_)) {
            return true;
        }
        let is_first = !self.shown.contains(&entry.property);
        let is_told = is_first || self.bytes_left > 0 && self.budget.go_on().is_ok();
        if is_told {
            self.shown.push(entry.property);
        }
        is_told
    }

    /// A counterexample, as it is told: to people without the middle of what is long, else as much of it as there is room for. The one
    /// that goes to a file is told in full.
    pub fn trace(&mut self, interpreter: &Interpreter<'_>, trace: &Trace) -> TraceEntry {
        let is_written = self.arguments.trace.is_some() && self.shown.len() == 1;
        let entry = match self.arguments.format {
            _ if is_written => TraceEntry::within(interpreter, trace, u64::MAX),
            Format::Text => TraceEntry::for_people(interpreter, trace),
            Format::Json => TraceEntry::within(interpreter, trace, self.bytes_left),
        };
        self.bytes_left = self.bytes_left.saturating_sub(entry.bytes());
        entry
    }

    /// Of the violations that were found, how many are not shown.
    pub fn not_shown(&self, model: &Model, violations: &[(Property, u64)]) -> Vec<FurtherEntry> {
        let entry = |&(property, all): &(Property, u64)| {
            let shown = self.shown.iter().filter(|other| **other == property).count() as u64;
            FurtherEntry { property: property.name(model), violations: all.saturating_sub(shown) }
        };
        violations.iter().map(entry).filter(|entry| entry.violations > 0).collect()
    }
}
