//! Searching a model that was made smaller before, and telling what was found in terms of the model that was given.

use std::sync::Arc;

use reductio_model::{ActionId, Interpreter, ProctypeId, Verdict};
use reductio_reduce::Plan;
use reductio_reduce::model_to_model::{self, Reduced};

use crate::search::SearchResult;

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

    /// What was found on the smaller model, for the given one.
    pub fn lift(&self, mut found: SearchResult) -> SearchResult {
        let interpreter = Interpreter::new(&self.reduced.model);
        for entry in &mut found.verdicts {
            if let Verdict::Violated(violation) = &mut entry.verdict {
                *violation = model_to_model::lift(self.original, &interpreter, entry.property, violation);
            }
        }
        let origins = &self.reduced.origins.actions;
        let origin = |proctype: ProctypeId, action: ActionId| origins[proctype.index()][action.index()];
        found.coverage = found.coverage.lifted(origin);
        found
    }
}
