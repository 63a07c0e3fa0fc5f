//! What must hold for a circuit to make sense, and what is said where it does not.

use reductio_model::Budget;
use std::collections::HashSet;

use reductio_frontends::smv::LoadOptions;
use reductio_model::circuit::{Circuit, Obligation};
use reductio_reduce::StoreChoice;
use reductio_symbolic::broken_obligations;

use crate::arguments::ModelArguments;
use crate::failure::Failure;
use crate::load::load_circuit;
use crate::machine::default_memory_limit;
use crate::output;

/// Reads a circuit for a command that takes its steps, and makes sure that every expression in it has a value.
pub fn load_sensible_circuit(arguments: &ModelArguments) -> Result<Circuit, Failure> {
    if !arguments.defines.is_empty() {
        return Err(Failure::NotForCircuits { option: "-D" });
    }
    let circuit = load_circuit(arguments, &LoadOptions::default())?;
    if circuit.obligations.is_empty() {
        return Ok(circuit);
    }
    let memory = default_memory_limit(StoreChoice::Exact);
    let broken = broken_obligations(&circuit, Budget { memory, ..Budget::UNLIMITED })
        .map_err(|stop| Failure::UnclearSense { limit: stop.0 })?;
    match broken.is_empty() {
        false => Err(complain_of(&circuit, broken)),
        true => Ok(circuit),
    }
}

/// Tells what is broken, with values for which it is.
pub fn complain_of(circuit: &Circuit, broken: Vec<(&Obligation, String)>) -> Failure {
    let mut told = HashSet::new();
    for (Obligation { message, position, .. }, values) in broken {
        // A definition asks for the same wherever it is used.
        if !told.insert((position.line, position.column, message)) {
            continue;
        }
        let place = format!("{}:{}", circuit.place_name(*position), position.column);
        let example = if values.is_empty() { String::new() } else { format!(": for {values}") };
        output::complain(&format!("{place}: error: {message}{example}"));
    }
    Failure::Model
}
