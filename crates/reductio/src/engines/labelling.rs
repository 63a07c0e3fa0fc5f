//! CTL on processes state by state, for small models: the oracle of the symbolic engine.

use reductio_explicit::ctl::Trees;
use reductio_model::{Budget, Interpreter, Property, Verdict, Why};
use reductio_reduce::EngineChoice;
use reductio_reduce::refusal::{Conflict, Setting, Topic, Unavailable};

use super::{Engine, Finding, Summary, Tell, UnconfirmedEvidence};
use crate::job::CheckError;

/// So many states are labelled one by one.
const MOST_LABELLED: usize = 1 << 20;

pub struct Labelling<'p> {
    pub interpreter: &'p Interpreter<'p>,
    /// Is the first violation the end?
    pub first_only: bool,
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
        let mut is_violated = false;
        for &property in properties {
            let Property::Ctl(id) = property else { continue };
            let formula = &self.interpreter.model().ctl_formula(id).formula;
            if self.first_only && is_violated {
                summary.limit = Some(Why::FirstFound);
                tell(Finding::new(property, Verdict::Inconclusive(Why::FirstFound)))?;
                continue;
            }
            let answer = trees.as_ref().map_err(|why| *why).and_then(|trees| trees.satisfy(formula));
            let verdict = match answer {
                Ok(true) => Verdict::Holds,
                Ok(false) => {
                    is_violated = true;
                    Verdict::Violated(UnconfirmedEvidence::InitialState)
                }
                Err(why) => {
                    summary.limit = Some(why);
                    Verdict::Inconclusive(why)
                }
            };
            tell(Finding::new(property, verdict))?;
        }
        Ok(summary)
    }
}
