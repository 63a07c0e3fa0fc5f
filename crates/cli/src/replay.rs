//! `reductio replay`: the run that a trace file holds, checked step by step against the model.

use std::path::Path;
use std::process::ExitCode;

use reductio::Unconfirmed;
use reductio::certify::describe_deadlock;
use reductio_model::{Interpreter, replay};
use reductio_report::{TraceEntry, spin_trail, text, trace_file};

use crate::arguments::{Language, ReplayArguments};
use crate::failure::Failure;
use crate::load::{language, load};
use crate::output;
use crate::replay_circuit;

pub fn run(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    match language(&arguments.model)? {
        Language::Smv | Language::Aiger => return replay_circuit::run(arguments),
        Language::Promela | Language::While => {}
    }
    let model = load(&arguments.model)?;
    let path = &arguments.trace;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    let interpreter = Interpreter::new(&model);
    let trace = if is_spin_trail(path) {
        spin_trail::read(&interpreter, &text).map_err(|error| Failure::Trail { path: path.clone(), error })?
    } else {
        trace_file::read(&interpreter, &text).map_err(|error| Failure::Trace { path: path.clone(), error })?
    };
    let replayed = replay(&interpreter, &trace).map_err(|error| Unconfirmed {
        property: path.display().to_string(),
        story: format!("a trace that was checked does not replay: {error}"),
    })?;
    let entry = TraceEntry::new(&model, &replayed, trace.stem.len());
    let mut shown = text::trace(&entry, "the file has them all");
    let fault = replayed.outcomes.last().and_then(|(_, outcome)| outcome.fault.as_ref());
    if let Some(fault) = fault {
        let action = model.proctype(fault.proctype).action(fault.action);
        shown.push_str(&format!("      => {}: {}\n", fault.kind, action.text));
    } else if let Some(last) = replayed.before(replayed.outcomes.len())
        && interpreter.steps(last).is_empty()
    {
        let end = if interpreter.is_valid_end_state(last) {
            "the run ends".to_owned()
        } else {
            describe_deadlock(&interpreter, last)
        };
        shown.push_str(&format!("      => {end}\n"));
    }
    output::print(&shown)?;
    Ok(ExitCode::SUCCESS)
}

/// SPIN names its trails so.
pub fn is_spin_trail(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "trail")
}
