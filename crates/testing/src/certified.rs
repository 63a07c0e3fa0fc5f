//! Counterexamples in tests are confirmed by what confirms them for users: the certifier of the library.

use reductio::certify::{Certified, Original, breaks, certify};
use reductio::engines::UnconfirmedEvidence;
use reductio_model::circuit::{Circuit, Run};
use reductio_model::{Model, Property, Witness};
use reductio_reduce::Fairness;

/// Does a run of processes break a property? Answers what is wrong with it, if it does not.
pub fn of_processes(
    model: &Model,
    fairness: Fairness,
    property: Property,
    witness: &Witness,
) -> Result<Certified, String> {
    let claimed = UnconfirmedEvidence::Processes { witness: witness.clone(), implied: Vec::new() };
    certify(Original::Processes(model, fairness), property, claimed).map_err(|unconfirmed| unconfirmed.story)
}

/// Does a run end in a deadlock, or in the step that it says goes wrong?
pub fn of_states(model: &Model, witness: &Witness) -> Result<Certified, String> {
    let property = if witness.fault.is_some() { Property::Assertions } else { Property::Deadlock };
    of_processes(model, Fairness::None, property, witness)
}

/// Does a run of a circuit break a property?
pub fn of_circuit(circuit: &Circuit, property: Property, run: &Run) -> Result<(), String> {
    breaks(circuit, property, run).map(|_| ()).map_err(|error| error.to_string())
}
