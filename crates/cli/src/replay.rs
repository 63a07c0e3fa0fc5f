//! `reductio replay`: the run that a file holds, checked step by step against the model.

use std::path::Path;
use std::process::ExitCode;

use reductio::System;
use reductio::certify::breaks;
use reductio_model::circuit::{Circuit, Run, RunError, Simulator};
use reductio_model::{Interpreter, Model, Property};
use reductio_report::trace_file::{StoredRun, StoredTrace};
use reductio_report::{Described, spin_trail, trace_file, trace_text};

use crate::arguments::ReplayArguments;
use crate::failure::Failure;
use crate::load::load_to_step;
use crate::output;
use crate::replay_witnesses::Witnesses;

/// Where all of a run is that is shown without its middle.
pub const IN_FILE: &str = "the file has them all";

pub fn run(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let path = &arguments.trace;
    let system = load_to_step(&arguments.model)?;
    if is_spin_trail(path) && matches!(system, System::Circuit(_)) {
        return Err(Failure::NotForCircuits { option: "a trail of SPIN's" });
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    match &system {
        System::Processes(model) => processes(model, path, &text)?,
        System::Circuit(circuit) if !circuit.may_not_end() && !text.trim_start().starts_with('{') => {
            Witnesses { circuit, path }.replay(&text)?;
        }
        System::Circuit(circuit) => self::circuit(circuit, path, &text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows a run, and tells how it ends.
fn processes(model: &Model, path: &Path, text: &str) -> Result<(), Failure> {
    let interpreter = &mut Interpreter::new(model);
    let run = if is_spin_trail(path) {
        let trace = spin_trail::read(interpreter, text);
        let trace = trace.map_err(|error| Failure::Trail { path: path.to_owned(), error })?;
        StoredRun { walk: trace.into_walk(interpreter), branches: Vec::new() }
    } else {
        let stored = trace_file::read(interpreter, text);
        stored.map_err(|error| Failure::Trace { path: path.to_owned(), error })?.run
    };
    let mut shown = trace_text::trace(&run.entry(interpreter), IN_FILE);
    let mut taking = run.walk.taken(interpreter);
    let last = taking.by_ref().last().and_then(Result::ok);
    let end = taking.state().cloned();
    if let Some(fault) = last.and_then(|last| last.outcome.fault) {
        shown.push_str(&format!("      => {}\n", interpreter.fault(&fault)));
    } else if let Some(end) = end.filter(|end| interpreter.steps(end).is_empty()) {
        shown.push_str(&format!("      => {}\n", interpreter.ending(&end)));
    }
    output::print(&shown)?;
    Ok(())
}

/// Shows a run, and looks whether it breaks the property that it is said to break.
fn circuit(circuit: &Circuit, path: &Path, json: &str) -> Result<(), Failure> {
    let simulator = &mut Simulator::new(circuit);
    let stored = trace_file::read(simulator, json);
    let StoredTrace { property, run } = stored.map_err(|error| Failure::Trace { path: path.to_owned(), error })?;
    output::print(&trace_text::trace(&run.entry(simulator), IN_FILE))?;
    let Some(name) = property else { return Ok(()) };
    let property = match circuit.properties.iter().find(|one| one.name(circuit) == name) {
        None => return unknown(&name, "the model has no such property"),
        Some(Property::Ctl(_)) => return unknown(&name, "a CTL formula is about more than one run"),
        Some(property) => *property,
    };
    match breaks(circuit, property, &Run::from(run.walk)) {
        Ok(how) => output::print(&format!("      => violates {name}: {how}\n"))?,
        Err(RunError::TooLarge) => return Err(Failure::TooMuchToTry { wanted: "a successor of the last state" }),
        Err(_) => return Err(Failure::ShowsNothing { path: path.to_owned(), line: None, what: name }),
    };
    Ok(())
}

fn unknown(property: &str, why: &str) -> Result<(), Failure> {
    output::print(&format!("      whether it violates {property} was not checked: {why}\n"))?;
    Ok(())
}

/// SPIN names its trails so.
pub fn is_spin_trail(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "trail")
}
