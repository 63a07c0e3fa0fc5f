//! Claims that tests make of automata, and all ways to check them.

use std::mem::discriminant;

use reductio_explicit::search;
use reductio_model::{Automaton, Budget, Claim, ClaimId, Interpreter, Model, Origin, Property, PropertyKind, Verdict};
use reductio_reduce::{CycleSearch, Fairness, PlanRequest, ReduceChoice, plan};

/// Every notion of fairness, with every search that knows it.
pub const WAYS: [(Fairness, CycleSearch); 8] = [
    (Fairness::None, CycleSearch::Components),
    (Fairness::None, CycleSearch::Nested),
    (Fairness::Weak, CycleSearch::Components),
    (Fairness::Weak, CycleSearch::Nested),
    (Fairness::Strong, CycleSearch::Components),
    (Fairness::OperationJustice, CycleSearch::Components),
    (Fairness::OperationFairness, CycleSearch::Components),
    (Fairness::Maximal, CycleSearch::Components),
];

/// No run may be accepted.
pub fn claim(violations: Automaton) -> Claim {
    let (name, kind, text) = ("claim".to_owned(), PropertyKind::Never, String::new());
    Claim {
        name,
        kind,
        text,
        position: None,
        of_infinite_runs_only: kind == PropertyKind::Progress,
        origin: Origin::Labels,
        violations,
        stutters: false,
        parts: Vec::new(),
    }
}

/// Of the model's only claim.
pub fn verdict(model: &Model, fairness: Fairness, cycles: CycleSearch) -> Verdict {
    let reduced = PlanRequest { fairness, cycles, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) };
    // With reductions, what holds without fairness is not looked for with it.
    let all = verdict_with(model, PlanRequest { reductions: ReduceChoice::None, ..reduced.clone() });
    let reduced = verdict_with(model, reduced);
    assert_eq!(discriminant(&reduced), discriminant(&all), "{fairness:?}, {cycles:?}");
    reduced
}

/// The same for any request for its first claim.
pub fn verdict_with(model: &Model, request: PlanRequest) -> Verdict {
    let plan = plan(model, request).expect("there is such a plan");
    let interpreter = Interpreter::new(model);
    let result = search(&interpreter, &plan, &Budget::UNLIMITED);
    match &result.verdicts[..] {
        [verdict] => verdict.verdict.clone(),
        verdicts => panic!("one claim has {} verdicts", verdicts.len()),
    }
}
