//! Counterexamples, written to a file for `reductio replay`, or for other tools.

use std::path::Path;

use reductio::Evidence;
use reductio_model::PropertyKind;
use reductio_model::circuit::Circuit;
use reductio_report::aiger_witness::witness;
use reductio_report::trace_file::TRACE_SCHEMA;
use reductio_report::{ResultEntry, TraceFile, VerdictName, spin_trail};

use crate::failure::Failure;
use crate::output;
use crate::replay::is_spin_trail;

/// A result, with the run of the whole system that its counterexample is. One that leaves out variables is none, and
/// cannot be replayed.
pub struct Answered<'r> {
    pub result: &'r ResultEntry,
    pub evidence: Option<&'r Evidence>,
}

impl Answered<'_> {
    fn leaves_out(&self) -> bool {
        self.result.trace.is_some() && self.evidence.is_none()
    }
}

/// Writes the first counterexample that is a run of the whole system, and tells what is left out.
pub fn write_first(path: &Path, model: &str, results: &[Answered<'_>]) -> Result<(), Failure> {
    let shown = || results.iter().filter_map(|one| Some((one, one.result.trace.as_ref()?)));
    let Some((Answered { result, .. }, trace)) = shown().find(|(one, _)| one.evidence.is_some()) else {
        complain_of_nothing(path, results);
        return Ok(());
    };
    let file = TraceFile {
        schema: TRACE_SCHEMA,
        model,
        property: &result.property,
        kind: result.kind,
        reason: result.reason.as_deref(),
        trace,
    };
    write(path, &if is_spin_trail(path) { spin_trail::write(trace) } else { file.to_json() })?;
    let count = shown().count();
    if count > 1 {
        let (file, property) = (path.display(), &result.property);
        output::complain(&format!(
            "{file} holds the counterexample to {property}; choose another one of the {count} with --property"
        ));
    }
    Ok(())
}

/// Writes the runs of all violated properties of a model in AIGER.
pub fn write_witnesses(path: &Path, results: &[Answered<'_>], circuit: &Circuit) -> Result<(), Failure> {
    let inputs = circuit.unassigned();
    let mut text = String::new();
    for (place, Answered { result, evidence }) in results.iter().enumerate() {
        let Some(Evidence::Circuit(shown)) = evidence else { continue };
        // Properties are numbered by kind. Several can have the same name, and their results are in the same order.
        let is_same = |other: &ResultEntry| other.property == result.property && other.kind == result.kind;
        let earlier = results[..place].iter().filter(|other| is_same(other.result)).count();
        let same_kind = circuit.properties.iter().filter(|one| one.kind(circuit).name() == result.kind).enumerate();
        let mut same_name = same_kind.filter(|(_, one)| one.name(circuit) == result.property);
        let number = same_name.nth(earlier).map_or(0, |(number, _)| number);
        let letter = if result.kind == PropertyKind::Invariant.name() { 'b' } else { 'j' };
        text += &witness(&format!("{letter}{number}"), &shown.run, inputs);
    }
    if text.is_empty() {
        complain_of_nothing(path, results);
        return Ok(());
    }
    for one in results.iter().filter(|one| one.leaves_out()) {
        output::complain(&format!("{} has no witness of {}: {LEFT_OUT}", path.display(), one.result.property));
    }
    write(path, &text)
}

const LEFT_OUT: &str = "its counterexample leaves out variables; --reduce none has them all";

fn complain_of_nothing(path: &Path, results: &[Answered<'_>]) {
    let file = path.display();
    let is_violated = |one: &&Answered<'_>| one.result.verdict == VerdictName::Violated;
    let (part, violated) = (results.iter().find(|one| one.leaves_out()), results.iter().find(is_violated));
    output::complain(&match (part, violated) {
        (Some(one), _) => format!("{file} was not written for {}: {LEFT_OUT}", one.result.property),
        (None, Some(one)) => format!("{file} was not written: there is no run to show for {}", one.result.property),
        (None, None) => format!("{file} was not written: there is no counterexample"),
    });
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })
}
