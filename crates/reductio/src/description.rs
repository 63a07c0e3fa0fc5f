//! Which counterexamples are described, and how much of them.
//!
//! The first counterexample to a property is described in any case. Others are as long as there is time to confirm them and room to
//! keep them. The rest is counted.

use reductio_model::circuit::{Circuit, Run, Simulator};
use reductio_model::{Branch, Budget, Interpreter, Model, Property, Trace, Verdict};
use reductio_report::{BranchEntry, FurtherEntry, TraceEntry};

use crate::certify::{Certified, ConfirmedRun, Original};
use crate::circuit_trees::{Tree, text, unshown_texts};
use crate::engines::Finding;
use crate::outcome::{Counterexample, Evidence};
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

    /// A counterexample as it is reported.
    pub fn of(&mut self, original: Original<'_>, certified: Certified) -> Counterexample {
        let Certified { reason, explanation, shown } = certified;
        let (trace, evidence) = match (original, shown) {
            (Original::Processes(model, _), ConfirmedRun::Processes(witness)) => {
                let trace = self.of_processes(model, &witness.run);
                (Some(trace), Some(Evidence::Processes(witness)))
            }
            (Original::Circuit(circuit), ConfirmedRun::Circuit(tree)) => {
                (Some(of_circuit(circuit, &tree)), Some(Evidence::Circuit(tree)))
            }
            // A run of the part is no run of the whole circuit, and none to be written down as one.
            (_, ConfirmedRun::Part(tree, cone)) => {
                let mut trace = of_circuit(&cone.circuit, &tree);
                trace.unshown.push(ONLY_A_PART.to_owned());
                (Some(trace), None)
            }
            (_, ConfirmedRun::Nothing | ConfirmedRun::Processes(_) | ConfirmedRun::Circuit(_)) => (None, None),
        };
        Counterexample { reason, evidence, explanation, trace }
    }

    /// For people without the middle of what is long, else as much of it as there is room for.
    fn of_processes(&mut self, model: &Model, trace: &Trace) -> TraceEntry {
        let interpreter = &mut Interpreter::new(model);
        let walk = &trace.walk(interpreter);
        let is_in_full = self.settings.first_in_full && self.described.len() == 1;
        let entry = match self.settings.detail {
            _ if is_in_full => TraceEntry::of(interpreter, walk),
            Detail::ForPeople => TraceEntry::for_people(interpreter, walk),
            Detail::Complete => TraceEntry::within(interpreter, walk, self.bytes_left),
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

/// What is said of a run of a part of the circuit.
const ONLY_A_PART: &str = "variables that are not shown are not relevant for this property";

/// A run of a circuit, with what branches off from it.
fn of_circuit(circuit: &Circuit, tree: &Tree) -> TraceEntry {
    let branch = |branch: &Branch<Run>| BranchEntry {
        after_step: branch.place,
        formula: text(circuit, &branch.formula),
        trace: of_circuit(circuit, &branch.witness),
    };
    let simulator = &mut Simulator::new(circuit);
    let walk = tree.run.walk(simulator).expect("a run without states is never confirmed");
    TraceEntry {
        unshown: unshown_texts(circuit, &tree.left),
        fair_from: tree.fair_from,
        branches: tree.branches.iter().map(branch).collect(),
        ..TraceEntry::of(simulator, &walk)
    }
}
