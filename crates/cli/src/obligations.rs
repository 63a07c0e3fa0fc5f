//! Circuits for commands that take their steps one by one.

use reductio_model::Budget;
use reductio_model::circuit::Circuit;
use reductio_reduce::StoreChoice;

use crate::arguments::ModelArguments;
use crate::failure::Failure;
use crate::load::load_circuit;
use crate::machine::default_memory_limit;

/// Reads a circuit for a command that takes its steps, and makes sure that every expression in it has a value.
pub fn load_sensible_circuit(arguments: &ModelArguments) -> Result<Circuit, Failure> {
    let circuit = load_circuit(arguments)?;
    let budget = Budget { memory: default_memory_limit(StoreChoice::Exact), ..Budget::UNLIMITED };
    reductio::expect_values(&circuit, &budget).map_err(|error| Failure::check(&arguments.model, None, error))?;
    Ok(circuit)
}
