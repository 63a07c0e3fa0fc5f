//! Searching a model that was made smaller before, and telling what was found in terms of the model that was given.

use std::sync::Arc;

use reductio_model::{ActionId, Interpreter, ProctypeId, Property, Verdict};
use reductio_reduce::Plan;
use reductio_reduce::model_to_model::{self, Reduced};

use crate::search::{PropertyVerdict, SearchResult};

/// A model and what was made of it.
pub struct Reduction<'a> {
    original: &'a Interpreter<'a>,
    pub reduced: Arc<Reduced>,
}

impl<'a> Reduction<'a> {
    /// What the plan wants to be done, if it wants anything and there is anything to do.
    pub fn of(original: &'a Interpreter<'a>, plan: &Plan) -> Option<Reduction<'a>> {
        plan.reduced().map(|reduced| Reduction { original, reduced: Arc::clone(reduced) })
    }

    /// What was found on the smaller model, for the given one, and the properties of which the counterexample is too long for it: their
    /// verdicts are left out.
    pub fn lift(&self, mut found: SearchResult) -> (SearchResult, Vec<Property>) {
        let interpreter = Interpreter::new(&self.reduced.model);
        let mut too_long = Vec::new();
        found.verdicts.retain_mut(|PropertyVerdict { property, verdict, .. }| {
            let Verdict::Violated(violation) = verdict else { return true };
            match model_to_model::lift(self.original, &interpreter, *property, violation) {
                Some(lifted) => *violation = lifted,
                None => too_long.push(*property),
            }
            too_long.last() != Some(property)
        });
        let origins = &self.reduced.origins.actions;
        let origin = |proctype: ProctypeId, action: ActionId| origins[proctype.index()][action.index()];
        found.coverage = found.coverage.lifted(origin);
        (found, too_long)
    }
}
