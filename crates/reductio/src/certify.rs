//! The certifier: no counterexample of any engine is shown before it has been taken, step by step, on the system as it was read,
//! and found to show what it is said to.
//!
//! One that breaks a claim must be accepted by the claim's automaton and be fair, and if the claim was a formula, that must be
//! false of the run: so neither a mistake in a search nor one in the translation of formulas can make a counterexample of a run
//! that is none.

mod circuit;
pub(crate) mod ctl;
mod processes;

use std::sync::Arc;

use reductio_model::circuit::{Circuit, Run};
use reductio_model::{Interpreter, Model, Property, Subject, Witness};
use reductio_reduce::Fairness;
use reductio_reduce::cone_of_influence::Cone;
use reductio_report::ExplanationEntry;

use crate::Unconfirmed;
pub use crate::certify::circuit::breaks;
use crate::engines::UnconfirmedEvidence;

/// A system as it was read.
#[derive(Clone, Copy)]
pub enum Original<'s> {
    /// Processes, and which of their infinite runs count.
    Processes(&'s Model, Fairness),
    /// A circuit, of which all runs count that are fair by its own constraints.
    Circuit(&'s Circuit),
}

impl<'s> Original<'s> {
    /// The system, as far as its properties have names.
    pub fn subject(self) -> &'s dyn Subject {
        match self {
            Original::Processes(model, _) => model,
            Original::Circuit(circuit) => circuit,
        }
    }
}

/// A counterexample that was confirmed.
pub struct Certified {
    /// What goes wrong at its end.
    pub reason: String,
    /// For a claim, why the run breaks it.
    pub explanation: Option<ExplanationEntry>,
    /// The run itself.
    pub shown: ConfirmedRun,
}

/// The run that shows what is wrong.
pub enum ConfirmedRun {
    /// The initial state says all that one run can say.
    Nothing,
    /// Steps of processes.
    Processes(Witness),
    /// States of the whole circuit.
    Circuit(Witness<Run>),
    /// A run of a part of the circuit. What the other variables hold does not matter to it, and is not known.
    Part(Witness<Run>, Arc<Cone>),
}

impl Certified {
    fn new(reason: &str, shown: ConfirmedRun) -> Certified {
        Certified { reason: reason.to_owned(), explanation: None, shown }
    }
}

/// Confirms a counterexample to a property, whatever it is a run of and whoever has found it. One that is none is a bug of ours.
pub fn certify(
    system: Original<'_>,
    property: Property,
    claimed: UnconfirmedEvidence,
) -> Result<Certified, Unconfirmed> {
    match (system, claimed) {
        (_, UnconfirmedEvidence::InitialState) => {
            Ok(Certified::new("false in the initial state", ConfirmedRun::Nothing))
        }
        (Original::Processes(model, fairness), UnconfirmedEvidence::Processes { witness, implied }) => {
            let interpreter = &Interpreter::new(model);
            match property {
                Property::Ctl(id) => processes::certify_formula(interpreter, model.ctl_formula(id), witness, &implied),
                _ => processes::certify(interpreter, property, fairness, witness),
            }
        }
        (Original::Circuit(circuit), UnconfirmedEvidence::Circuit { witness, part, shows_why }) => {
            circuit::certify(circuit, &part, property, witness, shows_why)
        }
        (Original::Processes(..), UnconfirmedEvidence::Circuit { .. }) => {
            unreachable!("processes have runs of processes")
        }
        (Original::Circuit(_), UnconfirmedEvidence::Processes { .. }) => unreachable!("circuits have runs of circuits"),
    }
}
