//! CTL on processes state by state, for small models: the oracle of the symbolic engine.

use reductio_explicit::ctl::Trees;
use reductio_model::{Budget, Interpreter, Property, Verdict};
use reductio_reduce::EngineChoice;
use reductio_reduce::refusal::{Conflict, Setting, Topic, Unavailable};

use super::{Engine, Finding, Summary, Tell, UnconfirmedEvidence};
use crate::job::CheckError;

/// So many states are labelled one by one.
const MOST_LABELLED: usize = 1 << 20;

pub struct Labelling<'p> {
    pub interpreter: &'p Interpreter<'p>,
}

impl Engine for Labelling<'_> {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn can(&self, property: Property) -> Result<(), Unavailable> {
        let explicit = Setting::Engine(EngineChoice::Explicit);
        match property {
            Property::Ctl(_) => Ok(()),
            _ => Err(Unavailable::new(explicit, Conflict::Without(Topic::Ctl), &[])),
        }
    }

    fn answer(&self, properties: &[Property], budget: &Budget, tell: Tell<'_>) -> Result<Summary, CheckError> {
        let trees = Trees::within(self.interpreter, MOST_LABELLED, budget);
        let mut summary = Summary::default();
        for &property in properties {
            let Property::Ctl(id) = property else { continue };
            let formula = &self.interpreter.model().ctl_formula(id).formula;
            let answer = trees.as_ref().map_err(|why| *why).and_then(|trees| trees.satisfy(formula));
            let verdict = match answer {
                Ok(true) => Verdict::Holds,
                Ok(false) => Verdict::Violated(UnconfirmedEvidence::InitialState),
                Err(why) => {
                    summary.limit = Some(why);
                    Verdict::Inconclusive(why)
                }
            };
            tell(Finding { property, verdict, product: None })?;
        }
        Ok(summary)
    }
}
