//! Symmetry reduction: for which properties it is sound, and for which permutations.
//!
//! | property | what is preserved | by which condition |
//! |---|---|---|
//! | deadlock, assertions, invariants | of all states that differ only by a permutation, one ([bosnacki03], Corollary 1) | the permutations take steps to steps, and leave invariants alone |
//! | claims | of all runs that differ only by a permutation, one, up to exchanges on the way ([bosnacki03], Figure 2, and Theorem 2) | the permutations leave the claim's automaton alone: they leave its atoms alone, or exchange some that it does not tell apart |
//!
//! With weak fairness it matters which process moves, and canonical states do not tell: the search keeps track of the permutations
//! ([emerson-sistla97], [gyuris-sistla99]). A hunt does not keep track of them ([bosnacki03], Figure 4), and proves nothing. Not
//! built: other kinds of fairness.

use std::sync::Arc;

use reductio_model::{Model, Property};

use crate::facts::symmetry::{FoundSymmetry, Obstacle, find, find_for_claim};
use crate::model_to_model::{self, ModelReductions, terminated_processes};
use crate::plan::{CycleSearch, Fairness, PlanRequest};

/// What can be exchanged where only states and steps matter, and whether for that nobody may [leave](terminated_processes).
pub fn find_at_all(model: &Model) -> (Result<FoundSymmetry, Vec<Obstacle>>, bool) {
    let as_is = find(model, &[]);
    let properties = vec![Property::Deadlock, Property::Assertions];
    if terminated_processes::obstacle(model, &PlanRequest::new(properties)).is_some() {
        return (as_is, false);
    }
    let with_all = model_to_model::reduce(model, ModelReductions { nobody_leaves: true, ..ModelReductions::default() });
    let order = |found: &Result<FoundSymmetry, Vec<Obstacle>>| match found {
        Ok(found) => found.symmetry.order().unwrap_or(u64::MAX),
        Err(_) => 1,
    };
    let found = find(&with_all.model, &[]);
    match order(&found) > order(&as_is) {
        true => (found, true),
        // That they can end is not what is in the way.
        false if as_is.is_err() => (found, false),
        false => (as_is, false),
    }
}

/// What can be exchanged for a property, or what is in the way. All properties of states and steps are checked in one
/// search, so the answer is the same for all of them; each claim is checked by itself.
pub(crate) fn find_for(
    model: &Model,
    request: &PlanRequest,
    property: Property,
) -> Result<Arc<FoundSymmetry>, Vec<Obstacle>> {
    let obstacle = |because: &str| Err(vec![Obstacle { because: because.to_owned(), at: None }]);
    if property.is_of_infinite_runs() {
        match request.fairness {
            Fairness::None => {}
            Fairness::Weak if request.cycles != CycleSearch::Nested => {}
            Fairness::Weak => {
                return obstacle(
                    "nested depth-first search with symmetry would overlook violations under weak fairness",
                );
            }
            Fairness::Strong | Fairness::OperationJustice | Fairness::OperationFairness => {
                return obstacle("it is not available with strong fairness or fairness of operations in this version");
            }
        }
    }
    if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        return obstacle("several violations are asked for");
    }
    if let Property::Claim(claim) = property {
        return match model.claims.get(claim.index()) {
            Some(claim) => find_for_claim(model, claim).map(Arc::new),
            None => obstacle("the model has no such claim"),
        };
    }
    let invariants = request.properties.iter().filter_map(|property| match property {
        Property::Invariant(invariant) => Some(model.invariant(*invariant).atom),
        _ => None,
    });
    find(model, &invariants.collect::<Vec<_>>()).map(Arc::new)
}
