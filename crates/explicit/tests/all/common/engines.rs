//! The same model for every engine, order, store and number of threads.

use std::collections::BTreeSet;

use reductio_explicit::{SearchResult, plain, search};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{Budget, FaultKind, Interpreter, InvariantId, Model, Property, State, Verdict, Why, replay};
use reductio_reduce::{Fairness, Plan, PlanRequest, SearchOrder, StoreChoice, plan};
use reductio_testing::certified;

/// What a counterexample shows: the state that is stuck or breaks an invariant, or the statement that goes wrong.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    Deadlock(String),
    Fault(String),
    Broken(InvariantId, String),
}

/// A search, and how to ask for it.
pub type Contender = (&'static str, fn(&Interpreter<'_>, &Plan, &Budget) -> SearchResult, fn(&mut PlanRequest));

/// The first one is the oracle.
pub const CONTENDERS: [Contender; 8] = [
    ("plain dfs", plain_search, |request| request.search = SearchOrder::DepthFirst),
    ("plain bfs", plain_search, |request| request.search = SearchOrder::BreadthFirst),
    ("dfs", search, |request| request.search = SearchOrder::DepthFirst),
    ("bfs", search, |request| request.search = SearchOrder::BreadthFirst),
    ("two threads", search, |request| request.threads = 2),
    ("three threads", search, |request| request.threads = 3),
    ("compact", search, |request| request.store = StoreChoice::Compact),
    ("bitstate, dfs", search, |request| {
        request.store = StoreChoice::Bitstate;
        request.search = SearchOrder::DepthFirst;
    }),
];

fn plain_search(interpreter: &Interpreter<'_>, plan: &Plan, budget: &Budget) -> SearchResult {
    plain::search(interpreter, plan, budget)
}

/// A model that a test wrote, and the conditions that are to hold in all its states.
pub fn model(text: &str, invariants: &[&str]) -> Model {
    let invariants = invariants.iter().map(|&condition| condition.to_owned()).collect();
    let loaded = load("model.pml", text.as_bytes(), &LoadOptions { invariants, ..LoadOptions::default() }, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

/// All that can be asked of a model, all violations of it.
pub fn everything(model: &Model) -> PlanRequest {
    let mut properties = vec![Property::Deadlock, Property::Assertions];
    properties.extend((0..model.invariants.len() as u32).map(|number| Property::Invariant(InvariantId(number))));
    PlanRequest { max_violations: None, ..PlanRequest::new(properties) }
}

/// With memory enough for a test. Lossy stores take all of it.
pub fn explore(interpreter: &Interpreter<'_>, contender: Contender, request: PlanRequest) -> SearchResult {
    let is_exact = |request: &PlanRequest| request.store == StoreChoice::Exact;
    let mut asked = request.clone();
    contender.2(&mut asked);
    let memory = Some(if is_exact(&asked) { 1 << 28 } else { 1 << 26 });
    explore_within(interpreter, contender, request, &Budget { memory, ..Budget::UNLIMITED })
}

pub fn explore_within(
    interpreter: &Interpreter<'_>,
    (_, search, ask): Contender,
    mut request: PlanRequest,
    budget: &Budget,
) -> SearchResult {
    ask(&mut request);
    let plan = plan(interpreter.model(), request).expect("there is such a plan");
    search(interpreter, &plan, budget)
}

/// What the counterexamples show. Each is replayed, and must show it again.
pub fn shown(interpreter: &Interpreter<'_>, result: &SearchResult) -> BTreeSet<Shown> {
    let describe = |state: &State| format!("{state:?}");
    let mut all = BTreeSet::new();
    for entry in &result.verdicts {
        let Verdict::Violated(violation) = &entry.verdict else { continue };
        let confirmed = certified::of_processes(interpreter.model(), Fairness::None, entry.property, violation);
        assert!(confirmed.is_ok(), "{:?}: {:?}", entry.property, confirmed.err());
        let replayed = replay(interpreter, &violation.run).expect("every counterexample replays");
        let fault = violation.fault.as_ref();
        let last = || replayed.before(replayed.outcomes.len()).expect("the run reaches a state");
        let what = match (entry.property, fault) {
            (Property::Assertions, Some(fault)) => {
                // The index that is out of range first may differ, the statement may not.
                let kind = match &fault.kind {
                    FaultKind::IndexOutOfRange { .. } => "index out of range".to_owned(),
                    other => format!("{other:?}"),
                };
                Shown::Fault(format!("{kind} in {:?} of {:?}", fault.action, fault.proctype))
            }
            (Property::Assertions, None) => panic!("a step went wrong, but not when it was replayed"),
            (Property::Deadlock, _) => Shown::Deadlock(describe(last())),
            (Property::Invariant(invariant), _) => {
                assert!(last().exclusive.is_none(), "nobody looks at the middle of an atomic");
                Shown::Broken(invariant, describe(last()))
            }
            (Property::Claim(_) | Property::Ctl(_), _) => panic!("no claim was to be checked"),
        };
        all.insert(what);
    }
    all
}

/// Where there are very many violations, a search keeps the runs to some of them, and counts the others.
fn has_all_runs(result: &SearchResult) -> bool {
    let kept = result.verdicts.iter().filter(|entry| matches!(entry.verdict, Verdict::Violated(_))).count();
    kept as u64 == result.violations.iter().map(|(_, count)| count).sum::<u64>()
}

/// What all engines agree on.
pub struct Agreement {
    /// What the oracle found.
    pub expected: SearchResult,
    pub shown: BTreeSet<Shown>,
    /// What the fast engines count: they run through an `atomic` anew each time that it is entered.
    pub fast_transitions: u64,
}

/// Explores a model with all these engines, and fails where one sees something else than the first.
pub fn agree(name: &str, model: &Model, contenders: &[Contender]) -> Agreement {
    let request = everything(model);
    let interpreter = Interpreter::new(model);
    let expected = explore(&interpreter, contenders[0], request.clone());
    assert!(expected.complete, "{name}");
    let expected_shown = shown(&interpreter, &expected);
    let mut fast_transitions = None;
    for contender in &contenders[1..] {
        let result = explore(&interpreter, *contender, request.clone());
        let name = format!("{}: {name}", contender.0);
        assert!(result.complete || result.limit == Some(Why::LossyStore), "{name}: {:?}", result.limit);
        assert_eq!(result.statistics.states, expected.statistics.states, "{name}");
        let transitions = result.statistics.transitions;
        let expected_transitions = if contender.0.starts_with("plain") {
            expected.statistics.transitions
        } else {
            *fast_transitions.get_or_insert(transitions)
        };
        assert_eq!(transitions, expected_transitions, "{name}");
        assert_eq!(result.coverage.unreached(model), expected.coverage.unreached(model), "{name}");
        assert_eq!(result.violations, expected.violations, "{name}");
        if has_all_runs(&expected) && has_all_runs(&result) {
            assert_eq!(shown(&interpreter, &result), expected_shown, "{name}");
        }
    }
    Agreement { expected, shown: expected_shown, fast_transitions: fast_transitions.unwrap_or(0) }
}
