//! Which counterexamples are described, and how much of them.
//!
//! The first counterexample to a property is described in any case. Others are as long as there is time to confirm them and room to
//! keep them. The rest is counted.

use reductio_model::{Budget, Interpreter, Model, Property, Trace, Verdict};
use reductio_report::{FurtherEntry, TraceEntry};

use crate::engines::Finding;
use crate::settings::{Detail, Settings};

/// Counterexamples take this part of the memory that is allowed: as text, they take as much again.
const PART_OF_MEMORY: u64 = 16;

pub struct Description<'a> {
    settings: &'a Settings,
    budget: &'a Budget,
    bytes_left: u64,
    /// The properties of the counterexamples that are described, one by one.
    described: Vec<Property>,
}

impl<'a> Description<'a> {
    pub fn new(settings: &'a Settings, budget: &'a Budget) -> Description<'a> {
        let bytes_left = budget.memory.unwrap_or(u64::MAX) / PART_OF_MEMORY;
        Description { settings, budget, bytes_left, described: Vec::new() }
    }

    /// Is this finding to be an answer?
    pub fn goes_on(&mut self, finding: &Finding) -> bool {
        if !matches!(finding.verdict, Verdict::Violated(_)) {
            return true;
        }
        let is_first = !self.described.contains(&finding.property);
        let is_told = is_first || self.bytes_left > 0 && self.budget.go_on().is_ok();
        if is_told {
            self.described.push(finding.property);
        }
        is_told
    }

    /// A run of processes: for people without the middle of what is long, else as much of it as there is room for.
    pub fn of(&mut self, interpreter: &Interpreter<'_>, trace: &Trace) -> TraceEntry {
        let is_in_full = self.settings.first_in_full && self.described.len() == 1;
        let entry = match self.settings.detail {
            _ if is_in_full => TraceEntry::within(interpreter, trace, u64::MAX),
            Detail::ForPeople => TraceEntry::for_people(interpreter, trace),
            Detail::Complete => TraceEntry::within(interpreter, trace, self.bytes_left),
        };
        self.bytes_left = self.bytes_left.saturating_sub(entry.bytes());
        entry
    }

    /// Of the violations that were found, how many are not described.
    pub fn not_shown(&self, model: &Model, violations: &[(Property, u64)]) -> Vec<FurtherEntry> {
        let entry = |&(property, all): &(Property, u64)| {
            let described = self.described.iter().filter(|other| **other == property).count() as u64;
            FurtherEntry { property: property.name(model), violations: all.saturating_sub(described) }
        };
        violations.iter().map(entry).filter(|entry| entry.violations > 0).collect()
    }
}
