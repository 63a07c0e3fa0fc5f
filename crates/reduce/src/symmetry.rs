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
use crate::model_to_model::{self, ModelReductions, terminated_processes, whole_loops};
use crate::plan::{CycleSearch, Fairness, PlanRequest};

/// What can be exchanged where only states and steps matter, and what has to be done to the model for that.
pub fn find_at_all(model: &Model) -> (Result<FoundSymmetry, Vec<Obstacle>>, ModelReductions) {
    let request = PlanRequest::new(vec![Property::Deadlock, Property::Assertions]);
    let as_is = (find(model, &[]), ModelReductions::default());
    let order = |found: &Result<FoundSymmetry, Vec<Obstacle>>| match found {
        Ok(found) => found.symmetry.order().unwrap_or(u64::MAX),
        Err(_) => 1,
    };
    let mut best = as_is;
    for wanted in preparations(model, &request, ModelReductions::default()) {
        let found = find(&model_to_model::reduce(model, wanted).model, &[]);
        // If nothing helps, that processes can end is not what is in the way.
        if order(&found) > order(&best.0) || best.0.is_err() && found.is_err() && !wanted.whole_loops {
            best = (found, wanted);
        }
    }
    if best.0.is_err() {
        best.1 = ModelReductions::default();
    }
    blame_loops(model, &mut best.0);
    best
}

/// What may be done to a model so that more can be exchanged, beside what is done to it anyhow: the least first.
pub(crate) fn preparations(model: &Model, request: &PlanRequest, besides: ModelReductions) -> Vec<ModelReductions> {
    let nobody_leaves = terminated_processes::obstacle(model, request).is_none();
    let whole_loops = model_to_model::obstacle_to_fewer_steps(model, request).is_none() && whole_loops::has_some(model);
    let mut all = Vec::new();
    for (leaves, loops) in [(true, false), (false, true), (true, true)] {
        if (nobody_leaves || !leaves) && (whole_loops || !loops) {
            all.push(ModelReductions { nobody_leaves: leaves, whole_loops: loops, ..besides });
        }
    }
    all
}

/// Where a loop is not one step, that is what its user wants to know.
pub(crate) fn blame_loops(model: &Model, found: &mut Result<FoundSymmetry, Vec<Obstacle>>) {
    let obstacles = match found {
        Ok(found) => &mut found.restrictions,
        Err(obstacles) => obstacles,
    };
    if !obstacles.iter().any(|obstacle| obstacle.at.is_some()) {
        return;
    }
    for refused in whole_loops::refused(model) {
        for obstacle in obstacles.iter_mut() {
            if obstacle.at.is_some_and(|at| refused.places.contains(&at)) {
                *obstacle = Obstacle { because: refused.because.clone(), at: Some(refused.at) };
            }
        }
    }
    let mut known: Vec<Obstacle> = Vec::new();
    obstacles.retain(|obstacle| {
        let is_new = !known.contains(obstacle);
        known.push(obstacle.clone());
        is_new
    });
}

/// What can be exchanged for a property, or what is in the way. All properties of states and steps are checked in one
/// search, so the answer is the same for all of them; each claim is checked by itself. Processes are exchanged in the `smaller` model.
pub(crate) fn find_for(
    model: &Model,
    smaller: &Model,
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
            Fairness::Strong | Fairness::Maximal | Fairness::OperationJustice | Fairness::OperationFairness => {
                return obstacle("it is not available with strong fairness or fairness of operations in this version");
            }
        }
    }
    if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        return obstacle("several violations are asked for");
    }
    if let Property::Claim(claim) = property {
        return match smaller.claims.get(claim.index()) {
            Some(claim) => {
                let mut found = find_for_claim(smaller, claim);
                blame_loops(model, &mut found);
                found.map(Arc::new)
            }
            None => obstacle("the model has no such claim"),
        };
    }
    let invariants = request.properties.iter().filter_map(|property| match property {
        Property::Invariant(invariant) => Some(smaller.invariant(*invariant).atom),
        _ => None,
    });
    let mut found = find(smaller, &invariants.collect::<Vec<_>>());
    blame_loops(model, &mut found);
    found.map(Arc::new)
}
