//! Every engine, order, store and number of threads sees the same states and finds the same violations, each confirmed
//! by a replay, on every model there is. (SPIN's breadth-first search is known to miss deadlocks after a rendezvous.)

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use reductio_explicit::{Control, SearchResult, plain, search};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{FaultKind, Interpreter, Limit, State, Verdict, replay};
use reductio_reduce::{Limits, Plan, PlanRequest, Property, SearchOrder, StoreChoice, plan};

/// What a counterexample shows: the state that is stuck, or the statement that goes wrong.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Deadlock(String),
    Fault(String),
}

/// A search, and how to ask for it.
type Contender = (&'static str, fn(&Interpreter<'_>, &Plan, Control<'_>) -> SearchResult, fn(&mut PlanRequest));

/// The first one is the oracle.
const CONTENDERS: [Contender; 7] = [
    ("plain dfs", plain_search, |request| request.search = SearchOrder::DepthFirst),
    ("plain bfs", plain_search, |request| request.search = SearchOrder::BreadthFirst),
    ("dfs", search, |request| request.search = SearchOrder::DepthFirst),
    ("bfs", search, |request| request.search = SearchOrder::BreadthFirst),
    ("two threads", search, |request| request.threads = 2),
    ("compact", search, |request| request.store = StoreChoice::Compact),
    ("bitstate, dfs", search, |request| {
        request.store = StoreChoice::Bitstate;
        request.search = SearchOrder::DepthFirst;
    }),
];

fn plain_search(interpreter: &Interpreter<'_>, plan: &Plan, control: Control<'_>) -> SearchResult {
    plain::search(interpreter, plan, control)
}

fn explore(interpreter: &Interpreter<'_>, (_, search, ask): Contender) -> SearchResult {
    let properties = vec![Property::Deadlock, Property::Assertions];
    let limits = Limits { memory: Some(1 << 26), time: None };
    let mut request = PlanRequest { max_violations: None, limits, ..PlanRequest::new(properties) };
    ask(&mut request);
    let plan = plan(interpreter.model(), request).expect("there is such a plan");
    let control = Control { cancel: &AtomicBool::new(false), progress: &mut |_| {} };
    search(interpreter, &plan, control)
}

fn shown(interpreter: &Interpreter<'_>, result: &SearchResult) -> BTreeSet<Shown> {
    let describe = |state: &State| format!("{state:?}");
    let mut all = BTreeSet::new();
    for entry in &result.verdicts {
        let Verdict::Violated(violation) = &entry.verdict else { continue };
        let replayed = replay(interpreter, &violation.trace).expect("every counterexample replays");
        let fault = replayed.outcomes.last().and_then(|(_, outcome)| outcome.fault.as_ref());
        assert_eq!(violation.fault.as_ref(), fault.filter(|_| entry.property == Property::Assertions));
        let what = match (entry.property, fault) {
            (Property::Assertions, Some(fault)) => {
                // The index that is out of range first may differ, the statement may not.
                let kind = match &fault.kind {
                    FaultKind::IndexOutOfRange { .. } => "index out of range".to_owned(),
                    other => format!("{other:?}"),
                };
                Shown::Fault(format!("{kind} in {:?} of {:?}", fault.action, fault.proctype))
            }
            _ => {
                let last = replayed.before(replayed.outcomes.len()).expect("the run reaches a state");
                assert!(interpreter.steps(last).is_empty() && !interpreter.is_valid_end_state(last));
                Shown::Deadlock(describe(last))
            }
        };
        all.insert(what);
    }
    all
}

#[test]
fn on_every_model() {
    let mut compared = 0;
    let mut violated = 0;
    for directory in ["testdata/models", "testdata/spin-micro"] {
        for entry in std::fs::read_dir(common::root().join(directory)).expect("the directory is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension() != Some("pml".as_ref()) {
                continue;
            }
            let Some(result) = compare(&path) else { continue };
            compared += 1;
            violated += usize::from(result);
        }
    }
    assert!(compared > 130, "only {compared} models were compared");
    assert!(violated > 15, "only {violated} of them had a violation");
}

/// Whether the model has a violation; `None` if it is no model.
fn compare(path: &Path) -> Option<bool> {
    let text = std::fs::read(path).expect("it can be read");
    let options = LoadOptions { defines: vec![("LIMIT".to_owned(), "3".to_owned())], ..LoadOptions::default() };
    let model = load(&path.to_string_lossy(), &text, &options, &NoIncludes).model?;
    let interpreter = Interpreter::new(&model);
    let expected = explore(&interpreter, CONTENDERS[0]);
    assert!(expected.complete, "{}", path.display());
    let expected_shown = shown(&interpreter, &expected);
    let mut fast_transitions = None;
    for contender in &CONTENDERS[1..] {
        let result = explore(&interpreter, *contender);
        let name = format!("{}: {}", contender.0, path.display());
        assert!(result.complete || result.limit == Some(Limit::LossyStore), "{name}");
        assert_eq!(result.statistics.states, expected.statistics.states, "{name}");
        // The fast engine runs through an `atomic` anew each time that it is entered, and counts its steps anew.
        let transitions = result.statistics.transitions;
        let expected_transitions = if contender.0.starts_with("plain") {
            expected.statistics.transitions
        } else {
            *fast_transitions.get_or_insert(transitions)
        };
        assert_eq!(transitions, expected_transitions, "{name}");
        assert_eq!(result.coverage.unreached(&model), expected.coverage.unreached(&model), "{name}");
        assert_eq!(shown(&interpreter, &result), expected_shown, "{name}");
    }
    Some(!expected_shown.is_empty())
}
