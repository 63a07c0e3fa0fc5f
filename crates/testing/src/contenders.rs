//! Everything of ours that can answer whether a model is right. Whoever adds an engine, an order, a store or a
//! reduction adds a row here, and it is compared with all the others from then on.

use std::collections::HashSet;

use reductio_explicit::{SearchResult, plain, search};
use reductio_model::{
    AtomId, Budget, ClaimId, Interpreter, InvariantId, Model, Property, Successors, TransitionSystem, Verdict, Why,
    Witness, Workspace,
};
use reductio_reduce::facts::{Facts, ProcessState};
use reductio_reduce::{
    CycleSearch, Fairness, Plan, PlanRequest, ReduceChoice, Reduction, SearchOrder, StoreChoice, plan,
};
use reductio_symbolic::interleaved::Engine;

use crate::certified;

pub struct Contender {
    pub name: &'static str,
    answer: fn(&Model) -> Answer,
    /// It sees every state and finds every violation. Others find one of each kind, if there is one.
    pub finds_all: bool,
}

const fn all(name: &'static str, answer: fn(&Model) -> Answer) -> Contender {
    Contender { name, answer, finds_all: true }
}

const fn one(name: &'static str, answer: fn(&Model) -> Answer) -> Contender {
    Contender { name, answer, finds_all: false }
}

/// The first row is the oracle: the interpreter, searched in the plainest way there is.
pub const CONTENDERS: &[Contender] = &[
    all("interpreter", plain_search),
    all("plain depth-first search", |model| plain_engine(model, SearchOrder::DepthFirst)),
    all("plain breadth-first search", |model| plain_engine(model, SearchOrder::BreadthFirst)),
    all("depth-first search", |model| engine(model, with_order(SearchOrder::DepthFirst))),
    all("breadth-first search", |model| engine(model, with_order(SearchOrder::BreadthFirst))),
    all("two threads", |model| engine(model, PlanRequest { threads: 2, ..everything() })),
    all("compact store", |model| engine(model, with_store(StoreChoice::Compact))),
    // With a hundred thousand states, it may well pass over one. That this is the only one that matters is another thing.
    one("bitstate store", |model| reduced(model, with_store(StoreChoice::Bitstate))),
    one("symmetry", |model| exchanged(model, PlanRequest::new(both()))),
    one("symmetry, depth-first", |model| {
        exchanged(model, PlanRequest { search: SearchOrder::DepthFirst, ..PlanRequest::new(both()) })
    }),
    one("symmetry, two threads", |model| exchanged(model, PlanRequest { threads: 2, ..PlanRequest::new(both()) })),
    one("partial orders", |model| reduced(model, PlanRequest::new(both()))),
    one("partial orders, depth-first", |model| {
        reduced(model, PlanRequest { search: SearchOrder::DepthFirst, ..PlanRequest::new(both()) })
    }),
    one("partial orders, two threads", |model| reduced(model, PlanRequest { threads: 2, ..PlanRequest::new(both()) })),
    one("dead variables", |model| reduced(model, asking_for(model, &[Reduction::DeadVariables]))),
    one("slicing", |model| reduced(model, asking_for(model, &[Reduction::Slicing]))),
    one("slicing and partial orders", |model| {
        reduced(model, asking_for(model, &[Reduction::Slicing, Reduction::PartialOrder]))
    }),
    one("paths", |model| reduced(model, asking_for(model, &[Reduction::PathReduction]))),
    one("paths and dead variables, depth-first", |model| {
        let both = asking_for(model, &[Reduction::PathReduction, Reduction::DeadVariables]);
        reduced(model, PlanRequest { search: SearchOrder::DepthFirst, ..both })
    }),
    one("partial orders, one property at a time", |model| {
        let mut answer = reduced(model, PlanRequest::new(vec![Property::Deadlock]));
        let assertions = reduced(model, PlanRequest::new(vec![Property::Assertions]));
        answer.assertion = assertions.assertion;
        answer.runtime_error = assertions.runtime_error;
        answer.witnesses.extend(assertions.witnesses);
        answer
    }),
    one("sets of states", symbolic),
    one("sleep sets", |model| {
        let request = PlanRequest { search: SearchOrder::DepthFirst, ..PlanRequest::new(both()) };
        let sleep = ReduceChoice::List(vec![Reduction::SleepSets]);
        let with_sleep = PlanRequest { reductions: sleep, ..request.clone() };
        reduced(model, if plan(model, with_sleep.clone()).is_ok() { with_sleep } else { request })
    }),
];

/// What one of them says about a model.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// `None` from a contender that need not see every state.
    pub states: Option<u64>,
    /// How many violations there are: states without a successor, and statements that go wrong.
    pub violations: u64,
    /// How many steps the fast engine took. It runs through an `atomic` anew each time that it is entered, so this is
    /// not what the others count.
    pub fast_transitions: Option<u64>,
    pub deadlock: bool,
    pub assertion: bool,
    /// A run-time error other than a failed assertion. SPIN goes on after some of these and crashes in others.
    pub runtime_error: bool,
    /// Counterexamples: those to assertions end in a fault.
    pub witnesses: Vec<Witness>,
}

impl Answer {
    fn add(&mut self, verdict: Verdict) {
        let Verdict::Violated(violation) = verdict else { return };
        match violation.fault.as_ref().map(|fault| &fault.kind) {
            None => self.deadlock = true,
            Some(kind) if kind.is_assertion() => self.assertion = true,
            Some(_) => self.runtime_error = true,
        }
        self.violations += 1;
        self.witnesses.push(violation);
    }

    /// Does some statement go wrong?
    pub fn goes_wrong(&self) -> bool {
        self.assertion || self.runtime_error
    }
}

impl Contender {
    pub fn answer(&self, model: &Model) -> Answer {
        (self.answer)(model)
    }
}

/// What the answers of all contenders, in their order, disagree on.
pub fn disagreement_among(answers: &[Answer]) -> Option<String> {
    let first = &answers[0];
    for (contender, answer) in CONTENDERS.iter().zip(answers).skip(1) {
        let same_states = answer.states.is_none() || answer.states == first.states;
        let same_verdict = answer.deadlock == first.deadlock
            && match contender.finds_all {
                true => answer.assertion == first.assertion && answer.runtime_error == first.runtime_error,
                false => answer.goes_wrong() == first.goes_wrong(),
            };
        if same_verdict && !contender.finds_all {
            continue;
        }
        let steps = answers.iter().find_map(|answer| answer.fast_transitions);
        if same_states && same_verdict && answer.fast_transitions.is_some() && answer.fast_transitions != steps {
            return Some(format!("{}: {:?} steps instead of {steps:?}", contender.name, answer.fast_transitions));
        }
        if same_states && same_verdict && answer.violations != first.violations {
            let (one, other) = (first.violations, answer.violations);
            return Some(format!("{}: {one} violations\n{}: {other}", CONTENDERS[0].name, contender.name));
        }
        if !same_states || !same_verdict {
            return Some(format!(
                "{}: {}\n{}: {}",
                CONTENDERS[0].name,
                describe(first.states, first.deadlock, first.assertion),
                contender.name,
                describe(answer.states, answer.deadlock, answer.assertion)
            ));
        }
    }
    None
}

/// An answer, in a message.
pub fn describe(states: Option<u64>, deadlock: bool, assertion: bool) -> String {
    let states = states.map_or("unknown".to_owned(), |states| states.to_string());
    let yes = |found: bool| if found { "found" } else { "none" };
    format!("{states} states, invalid end states: {}, failed assertions: {}", yes(deadlock), yes(assertion))
}

/// More states than this and a program is passed over: it would take the time of hundreds of others.
pub const MAX_STATES: usize = 200_000;

/// Does the model have more states than we care to compare?
pub fn is_too_large(model: &Model) -> bool {
    !has_at_most(model, MAX_STATES)
}

pub fn has_at_most(model: &Model, states: usize) -> bool {
    visit_all(&Interpreter::new(model), states, |_, _| {}).is_some()
}

fn plain_search(model: &Model) -> Answer {
    let system = Interpreter::new(model);
    let mut answer = Answer::default();
    let mut faults = HashSet::new();
    let states = visit_all(&system, usize::MAX, |state, successors| {
        if successors.is_empty() && !system.is_valid_end(state) {
            answer.deadlock = true;
            answer.violations += 1;
        }
        for (successor, _) in successors.iter() {
            if let Some(fault) = &successor.fault {
                let failed = fault.kind.is_assertion();
                answer.assertion |= failed;
                answer.runtime_error |= !failed;
                faults.insert((std::mem::discriminant(&fault.kind), fault.proctype, fault.action));
            }
        }
    });
    answer.states = states;
    answer.violations += faults.len() as u64;
    answer
}

/// Calls `visit` with every state and its successors; answers the number of stable states, if all were visited.
fn visit_all(system: &Interpreter<'_>, limit: usize, mut visit: impl FnMut(&[u8], &Successors)) -> Option<u64> {
    let initial = system.initial();
    let mut seen = HashSet::from([initial.clone()]);
    let mut pending = vec![initial];
    let mut successors = Successors::default();
    let mut stable = 1;
    while let Some(state) = pending.pop() {
        if seen.len() > limit {
            return None;
        }
        system.successors(&state, &mut successors);
        visit(&state, &successors);
        for (successor, next) in successors.iter() {
            let Some(next) = next else { continue };
            if !seen.contains(next) {
                seen.insert(next.to_vec());
                stable += successor.stable as u64;
                pending.push(next.to_vec());
            }
        }
    }
    Some(stable)
}

fn both() -> Vec<Property> {
    vec![Property::Deadlock, Property::Assertions]
}

fn everything() -> PlanRequest {
    PlanRequest { max_violations: None, reductions: ReduceChoice::None, ..PlanRequest::new(both()) }
}

/// These reductions, if they are sound here. Else all that are.
fn asking_for(model: &Model, reductions: &[Reduction]) -> PlanRequest {
    let request = PlanRequest { reductions: ReduceChoice::List(reductions.to_vec()), ..PlanRequest::new(both()) };
    if plan(model, request.clone()).is_ok() { request } else { PlanRequest::new(both()) }
}

/// With all reductions that the planner takes to be sound.
fn reduced(model: &Model, request: PlanRequest) -> Answer {
    Answer { states: None, fast_transitions: None, ..engine(model, request) }
}

/// With representatives and nothing else, where processes can be exchanged.
fn exchanged(model: &Model, request: PlanRequest) -> Answer {
    let list = PlanRequest { reductions: ReduceChoice::List(vec![Reduction::Symmetry]), ..request.clone() };
    match plan(model, list.clone()) {
        Ok(_) => reduced(model, list),
        Err(_) => reduced(model, PlanRequest { reductions: ReduceChoice::None, ..request }),
    }
}

/// The symbolic engine, on models whose diagrams are not too large.
fn symbolic(model: &Model) -> Answer {
    const MOST_STATES: usize = 300;
    let interpreter = Interpreter::new(model);
    let time = Some((std::time::Duration::from_secs(5), std::time::Instant::now()));
    let limits = Budget { memory: Some(1 << 25), time, ..Budget::UNLIMITED };
    let engine = visit_all(&interpreter, MOST_STATES, |_, _| {}).and_then(|_| Engine::new(&interpreter, &limits).ok());
    let Some(engine) = engine.filter(|engine| engine.limit().is_none()) else {
        return reduced(model, PlanRequest::new(both()));
    };
    let mut answer = Answer { states: Some(engine.statistics().states), ..Answer::default() };
    for verdict in [engine.deadlock(), engine.assertions()] {
        answer.add(verdict);
    }
    answer
}

fn with_order(search: SearchOrder) -> PlanRequest {
    PlanRequest { search, ..everything() }
}

fn with_store(store: StoreChoice) -> PlanRequest {
    PlanRequest { store, ..everything() }
}

fn plain_engine(model: &Model, order: SearchOrder) -> Answer {
    answer(model, with_order(order), |interpreter, plan, budget| plain::search(interpreter, plan, budget))
}

fn engine(model: &Model, request: PlanRequest) -> Answer {
    let mut steps = 0;
    let answer = answer(model, request, |interpreter, plan, budget| {
        let result = search(interpreter, plan, budget);
        steps = result.statistics.transitions;
        result
    });
    Answer { fast_transitions: Some(steps), ..answer }
}

fn answer(
    model: &Model,
    request: PlanRequest,
    search: impl FnOnce(&Interpreter<'_>, &Plan, &Budget) -> SearchResult,
) -> Answer {
    // Lossy stores get so much room that they lose hardly anything here. More would take the system longer to clear than the search takes.
    let memory = (request.store != StoreChoice::Exact).then_some(1 << 25);
    let plan = plan(model, request).expect("there is such a plan");
    let interpreter = Interpreter::new(model);
    let result = search(&interpreter, &plan, &Budget { memory, ..Budget::UNLIMITED });
    let mut answer = Answer { states: result.complete.then_some(result.statistics.states), ..Answer::default() };
    for entry in result.verdicts {
        answer.add(entry.verdict);
    }
    // Runs are kept only to some of very many.
    answer.violations = result.violations.iter().map(|(_, count)| count).sum();
    answer
}

/// How to ask for a search.
pub type Ask = fn(&mut PlanRequest);

/// The searches for infinite runs. Where one does not know a notion of fairness, there is no plan for it.
pub const RUN_CONTENDERS: &[(&str, Ask)] = &[
    ("components", |request| request.cycles = CycleSearch::Components),
    ("components, nothing left out", |request| request.reductions = ReduceChoice::None),
    ("partial orders", |request| only(request, &[Reduction::PartialOrder])),
    ("symmetry", |request| only(request, &[Reduction::Symmetry])),
    ("symmetry and partial orders", |request| only(request, &[Reduction::Symmetry, Reduction::PartialOrder])),
    ("paths", |request| only(request, &[Reduction::PathReduction])),
    ("dead variables", |request| only(request, &[Reduction::DeadVariables])),
    ("slicing", |request| only(request, &[Reduction::Slicing])),
    ("paths and dead variables", |request| only(request, &[Reduction::PathReduction, Reduction::DeadVariables])),
    // With a fairness assumption, naming reductions has all of it searched with fairness.
    ("symmetry, dead variables and slicing", |request| {
        only(request, &[Reduction::Symmetry, Reduction::DeadVariables, Reduction::Slicing]);
    }),
    ("nested, partial orders", |request| {
        request.cycles = CycleSearch::Nested;
        only(request, &[Reduction::PartialOrder]);
    }),
    ("nested", |request| request.cycles = CycleSearch::Nested),
    ("nested, nothing left out", |request| {
        request.cycles = CycleSearch::Nested;
        request.reductions = ReduceChoice::None;
    }),
];

/// The searches for a state that breaks an invariant. Where a reduction is not sound, there is no plan for it.
pub const INVARIANT_CONTENDERS: &[(&str, Ask)] = &[
    ("all that is sound", |_| {}),
    ("nothing left out", |request| request.reductions = ReduceChoice::None),
    ("partial orders", |request| only(request, &[Reduction::PartialOrder])),
    ("partial orders, depth-first", |request| {
        request.search = SearchOrder::DepthFirst;
        only(request, &[Reduction::PartialOrder]);
    }),
    ("partial orders, two threads", |request| {
        request.threads = 2;
        only(request, &[Reduction::PartialOrder]);
    }),
    ("sleep sets", |request| {
        request.search = SearchOrder::DepthFirst;
        only(request, &[Reduction::SleepSets]);
    }),
    ("symmetry", |request| only(request, &[Reduction::Symmetry])),
    ("paths", |request| only(request, &[Reduction::PathReduction])),
    ("dead variables", |request| only(request, &[Reduction::DeadVariables])),
    ("slicing", |request| only(request, &[Reduction::Slicing])),
];

fn only(request: &mut PlanRequest, reductions: &[Reduction]) {
    request.reductions = ReduceChoice::List(reductions.to_vec());
}

/// The definition: some state that is not in the midst of an atomic step does not satisfy the atom.
pub fn is_broken_somewhere(model: &Model, atom: AtomId) -> bool {
    let system = Interpreter::new(model);
    let holds = |state: &[u8]| TransitionSystem::holds(&system, atom, state) == Ok(true);
    let mut is_broken = !holds(&system.initial());
    visit_all(&system, usize::MAX, |_, successors| {
        let mut stable = successors.iter().filter(|(successor, _)| successor.stable).filter_map(|(_, next)| next);
        is_broken |= stable.any(|state| !holds(state));
    });
    is_broken
}

/// A step that changes a part of a property without being known to affect it, and the number of the part.
pub fn overlooked_part(model: &Model, facts: &Facts<'_>) -> Option<(String, usize)> {
    let interpreter = Interpreter::new(model);
    let mut found = None;
    visit_all(&interpreter, usize::MAX, |state, _| {
        let workspace = Workspace::new(interpreter.decode(state));
        for step in interpreter.steps(workspace.state()) {
            let here = ProcessState { system: &interpreter, workspace: &workspace, pid: step.process };
            let after = interpreter.execute(workspace.state(), step).state;
            if let Some(number) = after.and_then(|after| facts.overlooked_part(here, step, &after)) {
                found.get_or_insert((format!("{step:?}"), number));
            }
        }
    });
    found
}

/// What one of them says of a property. `None` if it cannot be asked.
fn verdict_on(interpreter: &Interpreter<'_>, property: Property, fairness: Fairness, ask: Ask) -> Option<Verdict> {
    let mut request = PlanRequest { fairness, ..PlanRequest::new(vec![property]) };
    ask(&mut request);
    let plan = plan(interpreter.model(), request).ok()?;
    Some(search(interpreter, &plan, &Budget::UNLIMITED).verdicts.swap_remove(0).verdict)
}

/// Whether one of them finds the invariant broken, or what is wrong with its answer. `None` if it cannot be asked.
pub fn broken_invariant(model: &Model, invariant: InvariantId, ask: Ask) -> Option<Result<bool, String>> {
    let interpreter = Interpreter::new(model);
    Some(match verdict_on(&interpreter, Property::Invariant(invariant), Fairness::None, ask)? {
        Verdict::Holds => Ok(false),
        Verdict::Violated(violation) => {
            let property = Property::Invariant(invariant);
            certified::of_processes(model, Fairness::None, property, &violation).map(|_| true)
        }
        Verdict::Inconclusive(limit) => Err(format!("inconclusive, {limit}")),
    })
}

/// What one of them finds: perhaps a run that breaks the claim, or the limit that it met. `None` if it cannot be asked.
pub fn broken_claim(
    model: &Model,
    claim: ClaimId,
    fairness: Fairness,
    ask: Ask,
) -> Option<Result<Option<Witness>, Why>> {
    Some(match verdict_on(&Interpreter::new(model), Property::Claim(claim), fairness, ask)? {
        Verdict::Holds => Ok(None),
        Verdict::Violated(violation) => Ok(Some(violation)),
        Verdict::Inconclusive(limit) => Err(limit),
    })
}
