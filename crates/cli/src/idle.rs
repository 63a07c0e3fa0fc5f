//! Options that would have nothing to do are refused: who gives one expects something of it.

use reductio_model::Property;
use reductio_reduce::{EngineChoice, PlanError};

use crate::arguments::{CheckArguments, Vacuity};
use crate::failure::Failure;

/// Refuses what none of the chosen properties can make use of.
pub fn refuse_idle_options(arguments: &CheckArguments, properties: &[Property]) -> Result<(), Failure> {
    let has_claims = properties.iter().any(|property| property.is_of_infinite_runs());
    let only_claims = has_claims && properties.iter().all(|property| property.is_of_infinite_runs());
    if arguments.vacuity == Vacuity::Full {
        let available = "--vacuity auto, or --property to choose other properties";
        if arguments.engine == EngineChoice::Symbolic {
            return refuse("--vacuity full for the symbolic engine", available);
        }
        if properties.iter().any(|property| matches!(property, Property::Ctl(_))) {
            return refuse("--vacuity full for CTL formulas", available);
        }
        if !has_claims {
            return refuse("--vacuity full without properties of infinite runs", "--vacuity auto");
        }
    }
    if only_claims && arguments.threads > 1 {
        return refuse("--threads for nothing but properties of infinite runs", "--threads 1");
    }
    if only_claims && arguments.max_violations != 1 {
        return refuse("--max-violations for nothing but properties of infinite runs", "--max-violations 1");
    }
    Ok(())
}

fn refuse(option: &str, available: &'static str) -> Result<(), Failure> {
    Err(Failure::Plan(PlanError::NotAvailable { option: option.to_owned(), available }))
}
