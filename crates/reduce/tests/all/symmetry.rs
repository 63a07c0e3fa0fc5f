//! Exchanging processes: which can be exchanged, that it makes no difference, and how much is left.

use std::collections::{BTreeSet, HashMap, HashSet};

use std::path::Path;

use reductio_explicit::{SearchResult, search};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{AtomId, Budget, ClaimId, Interpreter, Model, Property, State, ValueType, Verdict, Why};
use reductio_reduce::facts::symmetry::{FoundSymmetry, Obstacle, find};
use reductio_reduce::on_the_fly::symmetry::{Permutation, Symmetry};
use reductio_reduce::{CycleSearch, Fairness, PlanRequest, ReduceChoice, Reduction, SearchOrder, StoreChoice, plan};
use reductio_testing::certified;
use reductio_testing::random::Random;

pub fn model_with(text: &str, options: LoadOptions) -> Model {
    let loaded = load("model.pml", text.as_bytes(), &options, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

pub fn model(text: &str) -> Model {
    model_with(text, LoadOptions::default())
}

/// Models with something to exchange, and how many ways there are to do it.
const SYMMETRIC: &[(&str, &str, u64)] = &[
    (
        "semaphore",
        "byte free = 1; active [3] proctype P() { do :: atomic { free > 0 -> free-- }; free++ od }",
        6,
    ),
    (
        "flags",
        "bool want[3]; byte turn = 9; byte inside; active [3] proctype P() {
            do :: want[_pid] = true; turn = _pid; (turn != _pid || want[0] + want[1] + want[2] == 1);
               inside++; inside--; want[_pid] = false od }",
        6,
    ),
    (
        "ring of two",
        "bool flag[2]; byte turn = 7; active [2] proctype P() {
            do :: flag[_pid] = true; turn = 1 - _pid; (!flag[1 - _pid] || turn == _pid); flag[_pid] = false od }",
        2,
    ),
    (
        "numbers given",
        "byte owner = 255; byte count[3]; proctype P(byte id) { do :: owner == 255 -> owner = id; count[id] = 1 - count[id]
         :: owner == id -> owner = 255 od } init { byte i; atomic { do :: i < 3 -> run P(i); i++ :: else -> break od } }",
        6,
    ),
    (
        "messages",
        "chan request = [2] of { byte, byte }; chan answer[3] = [1] of { byte };
         active [3] proctype Client() { byte got; do :: request!1,_pid; answer[_pid]?got; got = 0 od }
         active proctype Server() { byte who; do :: request?1,who -> answer[who]!7; who = 3 od }",
        6,
    ),
    (
        "messages from the start",
        "chan request = [2] of { byte, byte }; chan answer[3] = [1] of { byte };
         active [3] proctype Client() { byte got; do :: request!1,_pid; answer[_pid]?got; got = 0 od }
         active proctype Server() { byte who = 3; do :: request?1,who -> answer[who]!7; who = 3 od }",
        6,
    ),
    (
        "rendezvous",
        "chan link = [0] of { byte }; byte last = 200;
         active proctype Server() { do :: link?last; last = 200 od } active [3] proctype Client() { do :: link!_pid od }",
        6,
    ),
    (
        "own channels",
        "chan all = [3] of { chan }; active [2] proctype P() { chan mine = [1] of { bit }; bit b; do :: all!mine; mine?b; b = 0 od }
         active proctype Q() { chan c; do :: all?c; c!1; c = 0 od }",
        2,
    ),
    (
        "remembered others",
        "mtype = { none, some }; byte x = 9; active [3] proctype P() { byte other = 9; do :: atomic { x != 9 && x != _pid -> other = x }
         :: x = _pid :: x = 9 :: other = 9 od }",
        6,
    ),
    (
        "matrix",
        "typedef Row { bit to[3] }; Row seen[3]; byte who = 5; active [3] proctype P() {
         do :: who = _pid :: atomic { who != 5 && who != _pid -> seen[_pid].to[who] = 1 - seen[_pid].to[who] } :: who = 5 od }",
        6,
    ),
    (
        "own arrays",
        "byte who = 5; active [3] proctype P() { bit seen[3]; do :: who == 5 -> who = _pid :: who != 5 -> atomic { seen[who] = 1; who = 5 }
         :: seen[_pid] -> seen[_pid] = 0 od }",
        6,
    ),
    (
        "pairs",
        "chan c[2] = [1] of { bit }; proctype S(byte id) { do :: c[id]!1 od } proctype R(byte id) { bit b; do :: c[id]?b; b = 0 od }
         init { atomic { run S(0); run S(1); run R(0); run R(1) } }",
        2,
    ),
    (
        "two kinds",
        "byte x; active [2] proctype P() { do :: x < 2 -> x++ od } active [3] proctype Q() { do :: x > 0 -> x-- od }",
        12,
    ),
    (
        "options",
        "byte free = 2; active [2] proctype P() { do :: free == 0 :: free == 1 :: free = _pid :: free = 2 od }",
        2,
    ),
    (
        "others look",
        "active [2] proctype P() { do :: skip; here: skip od }
         active proctype W() { do :: P[0]@here && P[1]@here -> skip od }",
        2,
    ),
    (
        "pids of pairs",
        "byte owner = 99, at[6]; proctype S(byte id) { do :: at[id] = 1 - at[id] :: owner = _pid od }
         proctype R(byte id) { do :: owner == 99 -> owner = _pid :: at[id] && owner == _pid -> owner = 99 od }
         init { atomic { run S(0); run S(1); run R(0); run R(1) } }",
        2,
    ),
    ("monitor that ends", "bit b; active [2] proctype P() { do :: b = 1 :: b = 0 od } active proctype M() { b = 1 }", 2),
    ("a name at the start", "byte turn; active [3] proctype P() { do :: turn = _pid :: turn != _pid -> turn = 9 od }", 6),
    (
        "restricted by a constant",
        "byte limit[3] = { 1, 1, 2 }, x; active [3] proctype P() { do :: x < limit[_pid] -> x++ :: x-- od }",
        2,
    ),
    (
        "turning",
        "byte x[3]; active [3] proctype P() { do :: x[_pid] == x[(_pid + 2) % 3] -> x[_pid] = (x[_pid] + 1) % 2
         :: x[_pid] != x[(_pid + 2) % 3] -> x[_pid] = x[(_pid + 2) % 3] od }",
        3,
    ),
    (
        "turning and mirrored",
        "bit x[5]; active [5] proctype P() { do :: x[(_pid + 1) % 5] == x[(_pid + 4) % 5] -> x[_pid] = 1 - x[_pid] od }",
        10,
    ),
    (
        "ring of channels",
        "chan q[3] = [1] of { bit }; byte busy; proctype P(chan in, out; bool first) { bit b;
         do :: first -> out!1; first = false :: in?b -> busy++; busy--; out!b od }
         init { atomic { run P(q[0], q[1], true); run P(q[1], q[2], false); run P(q[2], q[0], false) } }",
        3,
    ),
    (
        "philosophers",
        "bit fork[3]; active [3] proctype P() { do :: atomic { !fork[_pid] -> fork[_pid] = 1 };
         atomic { !fork[(_pid + 1) % 3] -> fork[(_pid + 1) % 3] = 1 }; fork[_pid] = 0; fork[(_pid + 1) % 3] = 0 od }",
        3,
    ),
    (
        "two rings",
        "chan to[3] = [0] of { byte }; proctype Node(byte id) { byte m; do :: to[id]?m; m = 0 od }
         proctype Link(byte id) { do :: to[(id + 1) % 3]!1 :: to[id]!2 od }
         init { atomic { run Node(0); run Node(1); run Node(2); run Link(0); run Link(1); run Link(2) } }",
        3,
    ),
    (
        "clients with channels",
        "chan a = [1] of { byte }; chan b = [1] of { byte }; chan all = [2] of { byte };
         proctype Client(chan mine) { byte x; do :: all!1 :: mine?x; x = 0 od }
         active proctype Server() { do :: all?_ -> if :: a!7 :: b!7 fi od }
         init { atomic { run Client(a); run Client(b) } }",
        2,
    ),
    (
        "watched",
        "bit x; chan all = [2] of { byte }; notrace { do :: all!1 :: all!2 -> break od; all!1; all?1 }
         active [3] proctype P() { byte t; do :: all!1; x = 1 :: all!2 :: all?t; t = 0; x = 0 od }",
        6,
    ),
    (
        "clients that are watched",
        "chan a = [1] of { byte }; chan b = [1] of { byte }; chan all = [2] of { byte, byte };
         trace { end: do :: all!1,_ -> end1: all?_,_ od } proctype Client(chan mine) { byte x; do :: all!1,_pid :: mine?x; x = 0 od }
         active proctype Server() { do :: all?_,_ -> if :: a!7 :: b!7 fi od }
         init { atomic { run Client(a); run Client(b) } }",
        2,
    ),
    (
        "data",
        "byte x = 9, y = 9; chan c = [2] of { byte }; active proctype P() { do :: x == 9 -> if :: x = 1 :: x = 2 :: x = 3 fi
         :: x != 9 -> c!x; x = 9 od } active proctype Q() { do :: c?y -> assert(y != 0) od }",
        6,
    ),
    (
        "data from the start",
        "byte x, y; active proctype P() { do :: x = 0 :: x = 1 :: x = 2 od } active proctype Q() { do :: x == y :: y = x od }",
        2,
    ),
    (
        "places",
        "bit taken[3]; byte at = 7; active proctype P() { do
         :: at == 7 -> if :: at = 0 :: at = 1 :: at = 2 fi; taken[at] = 1 - taken[at]; at = 7 od }",
        6,
    ),
    (
        "data and processes",
        "byte x = 9; active [2] proctype P() { byte y = 9; do :: y = x :: y == x -> if :: x = 4 :: x = 5 fi od }",
        4,
    ),
    (
        "data in a ring",
        "byte x[3] = 9; active [3] proctype P() { do :: x[_pid] = x[(_pid + 1) % 3] :: x[_pid] = 4 :: x[_pid] = 5 od }",
        6,
    ),
    ("restricted by a program", "byte x; active [4] proctype P() { do :: _pid < 2 -> x = 1 - x :: else -> skip od }", 4),
];

fn found(text: &str) -> FoundSymmetry {
    find(&model(text), &[]).unwrap_or_else(|breaks| panic!("{breaks:?} in\n{text}"))
}

/// Permutations of which all others are made.
pub fn generators(symmetry: &Symmetry) -> Vec<Permutation> {
    let pairs = symmetry.blocks.iter().flat_map(|block| block.windows(2));
    let exchanges = pairs.map(|pair| Permutation::transposition(symmetry.columns.len(), pair[0], pair[1]));
    exchanges.chain(symmetry.turns.iter().cloned()).collect()
}

/// All permutations there are.
fn group(symmetry: &Symmetry) -> Vec<Permutation> {
    let identity = Permutation::identity(symmetry.columns.len());
    let generators = generators(symmetry);
    let mut group = vec![identity.clone()];
    let mut known = HashSet::from([identity]);
    let mut next = 0;
    while let Some(permutation) = group.get(next).cloned() {
        next += 1;
        let products = generators.iter().map(|generator| generator.after(&permutation));
        group.extend(products.filter(|product| known.insert(product.clone())));
    }
    group
}

pub fn successors(interpreter: &Interpreter<'_>, state: &State) -> Vec<(u8, Option<State>, bool)> {
    let steps = interpreter.steps(state).into_iter();
    let outcome = |step: reductio_model::Step| {
        let outcome = interpreter.execute(state, step);
        (step.process, outcome.state, outcome.fault.is_some())
    };
    steps.map(outcome).collect()
}

pub fn reachable(interpreter: &Interpreter<'_>) -> Vec<State> {
    let mut states = vec![interpreter.initial_state()];
    let mut known: HashSet<State> = states.iter().cloned().collect();
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        for (_, reached, _) in successors(interpreter, &state) {
            if let Some(reached) = reached.filter(|reached| !known.contains(reached)) {
                known.insert(reached.clone());
                states.push(reached);
            }
        }
    }
    states
}

/// The definition of a symmetry, in every state that can be reached once all processes are there.
#[test]
fn a_permutation_takes_runs_to_runs() {
    for (name, text, order) in SYMMETRIC {
        let model = model(text);
        let FoundSymmetry { symmetry, .. } = found(text);
        assert_eq!(symmetry.order(), Some(*order), "{name}");
        assert_eq!(group(&symmetry).len() as u64, *order, "{name}");
        takes_steps_to_steps(name, &model, &symmetry);
    }
}

/// Every permutation takes the steps of a state to those of its image.
pub fn takes_steps_to_steps(name: &str, model: &Model, symmetry: &Symmetry) {
    let interpreter = Interpreter::new(model);
    let generators = generators(symmetry);
    for state in reachable(&interpreter).into_iter().filter(|state| symmetry.acts_on(state)) {
        let sorted = |list: Vec<(u8, Option<State>, bool)>| {
            let encoded = |(pid, state, fault): (u8, Option<State>, bool)| {
                let mut bytes = vec![pid, fault.into(), state.is_some().into()];
                state.iter().for_each(|state| interpreter.encode(state, &mut bytes));
                bytes
            };
            let mut list: Vec<Vec<u8>> = list.into_iter().map(encoded).collect();
            list.sort();
            list
        };
        let here = successors(&interpreter, &state);
        for permutation in &generators {
            let image = symmetry.permuted(permutation, &state);
            let moved = here.iter().map(|(pid, next, fault)| {
                let pid = symmetry.process_image(permutation, *pid);
                (pid, next.as_ref().map(|next| symmetry.permuted(permutation, next)), *fault)
            });
            let there = successors(&interpreter, &image);
            assert_eq!(sorted(moved.collect()), sorted(there), "{name}: {permutation:?} in {state:?}");
        }
    }
}

/// All states of an orbit have the same representative, which is one of them.
#[test]
fn one_state_stands_for_its_orbit() {
    for (name, text, _) in SYMMETRIC {
        let model = model(text);
        let FoundSymmetry { symmetry, .. } = found(text);
        let group = group(&symmetry);
        let mut orbits: HashMap<State, State> = HashMap::new();
        for state in reachable(&Interpreter::new(&model)) {
            let (representative, permutation) = symmetry.representative(&state);
            assert_eq!(symmetry.permuted(&permutation, &state), representative, "{name}");
            let images = group.iter().map(|permutation| symmetry.permuted(permutation, &state));
            let images: Vec<State> = images.collect();
            assert!(images.contains(&representative), "{name}");
            for image in images {
                let known = orbits.entry(image).or_insert_with(|| representative.clone());
                assert_eq!(*known, representative, "{name}: {state:?}");
            }
        }
    }
}

fn breaks(text: &str, invariant: Option<&str>) -> Vec<Obstacle> {
    let invariants = invariant.into_iter().map(str::to_owned).collect();
    let model = model_with(text, LoadOptions { invariants, ..LoadOptions::default() });
    let atoms: Vec<AtomId> = (0..model.atoms.len() as u32).map(AtomId).collect();
    match find(&model, &atoms) {
        Ok(found) => found.restrictions,
        Err(breaks) => breaks,
    }
}

/// What breaks a symmetry, and where.
#[test]
fn what_is_in_the_way_is_told() {
    let text = |body: &str| {
        format!(
            "chan c = [1] of {{ byte, byte }}; byte x = 9, a[3];\nactive [3] proctype P() {{ byte i = 9; do :: x = _pid\n:: {body}\nod }}"
        )
    };
    for (body, because, line) in [
        ("_pid < 2 -> skip", "swapping processes 0 and 2 changes the meaning of", 3),
        ("x = x + 1", "`x` holds process ids and is used in arithmetic", 3),
        ("x < 2 -> skip", "in an order comparison", 3),
        ("x -> skip", "truth value", 3),
        ("i = x; a[i] = 1; i = 9; i++", "arithmetic", 3),
        ("a[(_pid + 1) % 3] = 1; a[_pid] = 0", "swapping processes", 3),
        ("break", "terminate in reverse order", 4),
        ("c!1; c?_,x", "swapping", 3),
    ] {
        let breaks = breaks(&text(body), None);
        let first = breaks.first().unwrap_or_else(|| panic!("{body} is fine"));
        assert!(first.because.contains(because), "{body}: {first:?}");
        assert_eq!(first.at.map(|at| at.line), Some(line), "{body}: {first:?}");
    }
}

/// Monitors do not ask who sends, but they name channels, and values of messages.
#[test]
fn monitors_that_tell_processes_apart_are_in_the_way() {
    let text = |monitor: &str| {
        format!(
            "chan a = [1] of {{ byte }}; chan b = [1] of {{ byte }}; chan v = [1] of {{ byte }}; chan all = [2] of {{ byte, byte }};\n{monitor}
             proctype Client(chan mine) {{ byte x; do :: all!1,_pid :: mine?x; x = 0 od }}
             active proctype Server() {{ byte who; do :: all?_,who -> who = 0; if :: a!7 :: b!7 :: v = a :: v = b fi od }}
             init {{ atomic {{ run Client(a); run Client(b) }} }}"
        )
    };
    for (monitor, because) in [
        ("notrace { a!7; a!7 }", "the notrace assertion distinguishes between processes"),
        ("trace { end: do :: a?_ :: b?7 od }", "the trace assertion distinguishes between processes"),
        ("notrace { all!1,2; all!1,3 }", "the notrace assertion distinguishes between processes"),
        ("notrace { v!7; all!_,_ }", "names a channel by a variable that changes"),
    ] {
        let breaks = breaks(&text(monitor), None);
        let found = breaks.iter().find(|obstacle| obstacle.because.contains(because));
        let found = found.unwrap_or_else(|| panic!("{monitor}: {breaks:?}"));
        assert_eq!(found.at.map(|at| at.line), Some(2), "{monitor}");
    }
    assert_eq!(found(&text("notrace { all!1,_; all?_,_ }")).symmetry.order(), Some(2));
}

/// A property about some processes leaves the permutations of the others.
#[test]
fn properties_restrict_what_can_be_exchanged() {
    let text = "byte a[4]; active [4] proctype P() { do :: a[_pid] = 1 - a[_pid] od }";
    for (invariant, order) in [
        ("a[0] + a[1] + a[2] + a[3] < 4", Some(24)),
        ("!(a[0] && a[1])", Some(4)),
        ("a[2] == 0", Some(6)),
        ("a[0] <= a[1]", Some(2)),
        ("(a[0] && a[1]) || (a[2] && a[3])", Some(4)),
    ] {
        let model = model_with(text, LoadOptions { invariants: vec![invariant.to_owned()], ..LoadOptions::default() });
        let found = find(&model, &[AtomId(0)]);
        assert_eq!(found.ok().and_then(|found| found.symmetry.order()), order, "{invariant}");
    }
}

pub fn check(model: &Model, request: PlanRequest) -> SearchResult {
    check_within(model, request, &Budget::UNLIMITED)
}

fn check_within(model: &Model, request: PlanRequest, budget: &Budget) -> SearchResult {
    let plan = plan(model, request).expect("there is such a plan");
    search(&Interpreter::new(model), &plan, budget)
}

/// Which properties are violated. Every counterexample must be a run of the model, to where the property fails.
pub fn violated(name: &str, model: &Model, result: &SearchResult) -> Vec<(Property, bool)> {
    let interpreter = Interpreter::new(model);
    let is_violated = |entry: &reductio_explicit::PropertyVerdict| {
        let Verdict::Violated(violation) = &entry.verdict else { return (entry.property, false) };
        let mut state = Some(interpreter.initial_state());
        let mut fault = None;
        for step in &violation.run.stem {
            let here = state.unwrap_or_else(|| panic!("{name}: the run goes on after its end"));
            assert!(interpreter.steps(&here).contains(step), "{name}: {step:?} is not possible");
            let outcome = interpreter.execute(&here, *step);
            (state, fault) = (outcome.state, outcome.fault);
        }
        match entry.property {
            Property::Assertions => assert!(fault.is_some(), "{name}: nothing goes wrong in the end"),
            Property::Deadlock => {
                let state = state.unwrap_or_else(|| panic!("{name}: a deadlock is a state"));
                assert!(interpreter.steps(&state).is_empty() && !interpreter.is_valid_end_state(&state), "{name}");
            }
            Property::Invariant(_) | Property::Claim(_) | Property::Ctl(_) => {}
        }
        (entry.property, true)
    };
    result.verdicts.iter().map(is_violated).collect()
}

pub const SAFETY: [Property; 2] = [Property::Deadlock, Property::Assertions];

pub fn only(reduction: Reduction) -> ReduceChoice {
    ReduceChoice::List(vec![reduction])
}

/// As many states are left as there are orbits, in whatever order they are visited.
#[test]
fn orbits_are_what_is_left() {
    for (name, text, _) in SYMMETRIC {
        let model = model(text);
        let FoundSymmetry { symmetry, .. } = found(text);
        let interpreter = Interpreter::new(&model);
        let states = reachable(&interpreter);
        let stable = states.iter().flat_map(|state| successors(&interpreter, state));
        let stable = stable.filter_map(|(_, state, _)| state.filter(|state| state.exclusive.is_none()));
        let mut orbits: HashSet<State> = stable.map(|state| symmetry.representative(&state).0).collect();
        orbits.insert(interpreter.initial_state());
        for (search, threads) in
            [(SearchOrder::BreadthFirst, 1), (SearchOrder::BreadthFirst, 2), (SearchOrder::DepthFirst, 1)]
        {
            let reductions = only(Reduction::Symmetry);
            let request = PlanRequest { reductions, search, threads, ..PlanRequest::new(SAFETY.to_vec()) };
            let result = check(&model, request);
            assert_eq!(result.statistics.states, orbits.len() as u64, "{name}, {search:?}, {threads} threads");
        }
    }
}

/// Formulas over what the globals of a model hold in some of its states, a few of many.
fn formulas(text: &str) -> Vec<String> {
    let model = model(text);
    let states = reachable(&Interpreter::new(&model));
    let mut atoms = Vec::new();
    let is_monitor = |slot: usize| model.monitors.iter().any(|monitor| monitor.slot as usize == slot);
    let globals = model.globals.iter().enumerate();
    for (slot, global) in globals.filter(|(slot, global)| global.ty != ValueType::Chan && !is_monitor(*slot)) {
        let values: BTreeSet<i32> = states.iter().map(|state| state.globals[slot]).collect();
        atoms.extend(values.into_iter().map(|value| format!("({} == {value})", global.name)));
    }
    let both = |one: usize, other: usize| (&atoms[one % atoms.len()], &atoms[other % atoms.len()]);
    let mut formulas = Vec::new();
    for number in 0..if atoms.is_empty() { 0 } else { 3 } {
        let (a, b) = both(number, 3 * number + 1);
        formulas.extend([
            format!("[] ({a} -> <> {b})"),
            format!("<> [] {a} || [] <> {b}"),
            format!("[] <> {a} -> [] <> {b}"),
            format!("!{a} U {b}"),
            format!("[] !({a} && {b})"),
        ]);
    }
    // What is said of all alike, in as many atoms.
    for global in model.globals.iter().filter(|global| global.name.ends_with("[0]") && global.ty != ValueType::Chan) {
        let array = global.name.trim_end_matches("[0]");
        let length = model.globals.iter().filter(|other| other.name.starts_with(&format!("{array}["))).count();
        let each = |separator: &str, value: u32| {
            (0..length).map(|index| format!("({array}[{index}] == {value})")).collect::<Vec<_>>().join(separator)
        };
        formulas.extend([
            format!("[] <> ({})", each(" && ", 0)),
            format!("[] (({}) -> <> ({}))", each(" || ", 1), each(" && ", 0)),
            format!("<> [] ({})", each(" || ", 1)),
        ]);
    }
    formulas
}

/// With and without: the same verdicts on formulas, and the runs that break them are runs of the model.
#[test]
fn no_verdict_on_a_formula_changes() {
    let both = ReduceChoice::List(vec![Reduction::Symmetry, Reduction::PartialOrder]);
    let ways = [
        (Fairness::None, only(Reduction::Symmetry), CycleSearch::Components),
        (Fairness::None, only(Reduction::Symmetry), CycleSearch::Nested),
        (Fairness::None, both.clone(), CycleSearch::Components),
        (Fairness::None, both, CycleSearch::Nested),
        (Fairness::None, ReduceChoice::Auto, CycleSearch::Components),
        (Fairness::Weak, only(Reduction::Symmetry), CycleSearch::Components),
        (Fairness::Weak, only(Reduction::Symmetry), CycleSearch::Hunt),
    ];
    let mut prey = 0;
    let texts =
        SYMMETRIC.iter().map(|(name, text, _)| (*name, *text)).chain(ENDING.iter().map(|text| ("ending", *text)));
    let mut tally: HashMap<(Fairness, bool), [u32; 2]> = HashMap::new();
    for (name, text) in texts {
        for formula in formulas(text) {
            let model = model_with(text, LoadOptions { ltl: vec![formula.clone()], ..LoadOptions::default() });
            let request = |fairness| PlanRequest { fairness, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) };
            let full = [Fairness::None, Fairness::Weak]
                .map(|fairness| check(&model, PlanRequest { reductions: ReduceChoice::None, ..request(fairness) }));
            for (fairness, reductions, cycles) in &ways {
                let request = PlanRequest { reductions: reductions.clone(), cycles: *cycles, ..request(*fairness) };
                if plan(&model, request.clone()).is_err() {
                    continue;
                }
                let full = &full[usize::from(*fairness == Fairness::Weak)];
                let result = check(&model, request);
                let context = format!("{name}, {formula}, {fairness:?}, {reductions:?}, {cycles:?}");
                let is_violated = match &result.verdicts[0].verdict {
                    Verdict::Violated(witness) => {
                        let property = Property::Claim(ClaimId(0));
                        let confirmed = certified::of_processes(&model, *fairness, property, witness);
                        assert!(confirmed.is_ok(), "{context}: {:?}", confirmed.err());
                        true
                    }
                    // A hunt invents nothing, and proves nothing.
                    Verdict::Inconclusive(Why::Hunt) if *cycles == CycleSearch::Hunt => continue,
                    Verdict::Holds if *cycles != CycleSearch::Hunt => false,
                    verdict => panic!("{context}: {verdict:?}"),
                };
                prey += u32::from(*cycles == CycleSearch::Hunt);
                assert_eq!(is_violated, matches!(full.verdicts[0].verdict, Verdict::Violated(_)), "{context}");
                let [all, smaller] = tally.entry((*fairness, is_violated)).or_default();
                *all += 1;
                *smaller += u32::from(result.statistics.states < full.statistics.states);
            }
        }
    }
    assert!(prey > 20, "{prey}");
    for fairness in [Fairness::None, Fairness::Weak] {
        let [violated, holding] = [true, false].map(|is_violated| tally[&(fairness, is_violated)]);
        assert!(violated[0] > 20 && holding[0] > 20 && holding[1] > 20, "{tally:?}");
    }
}

/// With and without: the same verdicts, and the same statements reached.
pub fn compare(name: &str, model: &Model) -> (u64, u64) {
    let check = |request| check_within(model, request, &Budget { memory: Some(1 << 21), ..Budget::UNLIMITED });
    let request = || PlanRequest::new(SAFETY.to_vec());
    let full = check(PlanRequest { reductions: ReduceChoice::None, ..request() });
    let expected = violated(name, model, &full);
    // Some models are too large for this.
    let is_known = full.limit.is_none();
    let mut states = full.statistics.states;
    let choices = [only(Reduction::Symmetry), ReduceChoice::List(vec![Reduction::Symmetry, Reduction::PartialOrder])];
    for reductions in choices.into_iter().filter(|_| is_known) {
        for (search, store) in [
            (SearchOrder::BreadthFirst, StoreChoice::Exact),
            (SearchOrder::DepthFirst, StoreChoice::Exact),
            (SearchOrder::BreadthFirst, StoreChoice::Compact),
            (SearchOrder::DepthFirst, StoreChoice::Bitstate),
        ] {
            let request = PlanRequest { reductions: reductions.clone(), search, store, ..request() };
            if plan(model, request.clone()).is_err() {
                continue;
            }
            let reduced = check(request);
            assert_eq!(violated(name, model, &reduced), expected, "{name}, {reductions:?}, {search:?}, {store:?}");
            if reduced.complete {
                assert_eq!(reduced.coverage.unreached(model), full.coverage.unreached(model), "{name}, {reductions:?}");
            }
            states = states.min(reduced.statistics.states);
        }
    }
    (full.statistics.states, states)
}

/// Processes that come to their end, which can be exchanged if nobody asks whether they are still there.
const ENDING: &[&str] = &[
    "byte n; active [3] proctype P() { n++; n-- }",
    "byte n; active [3] proctype P() { byte t = n; n = t + 1 } active proctype Q() { n == 3; assert(n != 3) }",
    "byte free = 1; active [3] proctype P() { do :: atomic { free > 0 -> free-- }; free++ :: free > 0 -> break od }",
    "byte free = 2; active [3] proctype P() { atomic { free > 0 -> free-- } }",
    "chan c = [0] of { byte }; active [2] proctype P() { c!_pid } active proctype Q() { byte x = 9; c?x; x = 9; c?x; x = 9; c?x }",
    "byte n; active [2] proctype P() { atomic { n++; n++ } } active [2] proctype Q() { do :: n > 0 -> n-- :: n == 0 -> break od }",
    "byte n; proctype P(byte id) { n = n + 1 } init { atomic { run P(0); run P(1); run P(2) }; n == 3; assert(false) }",
];

#[test]
fn who_has_come_to_the_end_stays() {
    for text in ENDING {
        let (full, left) = compare(text, &model(text));
        assert!(left < full, "{text}: {left} of {full} states");
    }
    for text in [
        "byte n; active [2] proctype P() { n++ } active proctype Q() { _nr_pr == 1; assert(n == 2) }",
        "byte n; active [2] proctype P() { n++ } active proctype Q() { timeout; assert(n == 2) }",
        "byte n; active [2] proctype P() { n++ } init { n > 0; run P() }",
        "chan c = [1] of { chan }; active [2] proctype P() { chan own = [1] of { byte }; c!own }",
    ] {
        let request = PlanRequest { reductions: only(Reduction::Symmetry), ..PlanRequest::new(SAFETY.to_vec()) };
        assert!(plan(&model(text), request).is_err(), "{text}");
    }
}

#[test]
fn no_verdict_changes() {
    for (name, text, _) in SYMMETRIC {
        let (full, left) = compare(name, &model(text));
        assert!(left < full, "{name}: {left} of {full} states");
    }
    let mut models = 0;
    for directory in ["spin-micro", "models", "regressions"] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(directory);
        for entry in std::fs::read_dir(directory).expect("the models are there") {
            let path = entry.expect("an entry can be read").path();
            if path.extension().is_none_or(|extension| extension != "pml") {
                continue;
            }
            let text = std::fs::read(&path).expect("a model can be read");
            let Some(model) = load("model.pml", &text, &LoadOptions::default(), &NoIncludes).model else { continue };
            models += 1;
            compare(&path.display().to_string(), &model);
        }
    }
    assert!(models > 100);
}

/// What goes wrong goes wrong whoever does it, and the counterexample is a run of the model.
#[test]
fn what_goes_wrong_is_found() {
    for text in [
        "byte n; active [3] proctype P() { do :: n++; assert(n < 3); n-- od }",
        "bool want[2]; byte x; active [2] proctype P() { do :: want[_pid] = true; !want[1 - _pid]; x++; assert(x < 2); x--;
         want[_pid] = false od }",
        "chan c = [3] of { byte }; active [3] proctype P() { do :: c!_pid od } active proctype R() { byte x = 9, y = 9;
         do :: c?x; c?y; assert(x != y || x == 0); x = 9; y = 9 od }",
        "byte last = 9, n; active [4] proctype P() { do :: atomic { last != _pid -> last = _pid; n++; assert(n < 4) } od }",
        "proctype P(byte id) { byte other = 9; do :: x != id -> other = x; x = id; assert(other == 9 || y < 2); y++ od }
         byte x = 9, y; init { atomic { run P(0); run P(1); run P(2) } }",
        // Values are renamed when another process ends.
        "byte go, kept = 2; proctype P(byte x) { select (x : 0 .. 2); go = 5; _nr_pr == 2; kept = x; assert(kept == 2) }
         proctype Q() { go == 5 } init { atomic { run P(2); run Q() } }",
    ] {
        let model = model(text);
        compare(text, &model);
        let result = check(&model, PlanRequest::new(SAFETY.to_vec()));
        assert!(violated(text, &model, &result).iter().any(|(_, violated)| *violated), "{text}");
    }
}

/// Processes that are all alike, or nearly, put together at random.
#[test]
fn random_crowds_keep_their_verdicts() {
    const DEEDS: &[&str] = &[
        "who = _pid",
        "who = 9",
        "who == _pid -> who = 9",
        "who != 9 && who != _pid -> other = who",
        "other != 9 -> own[other] = 0; other = 9",
        "own[_pid] = 1 - own[_pid]",
        "own[0] + own[1] + own[2] == 2 -> n = 0",
        "n < 2 -> n++",
        "n > 0 -> n--",
        "c!_pid",
        "c?other",
        "c??eval(_pid)",
        "c?who; other = who",
        "box[_pid]!n",
        "who != 9 -> box[who]?n",
        "other == who -> skip",
        "assert(n < 2)",
        "own[_pid] -> assert(who != _pid)",
        "atomic { who == 9 -> who = _pid; n = 0 }",
        "d_step { who == _pid -> who = 9; n = 1 }",
        "timeout -> who = 9; other = 9",
        "atomic { c!_pid; c?other }",
        "n == 1 -> n = (who == _pid -> 2 : 0)",
        "len(c) == 2 && empty(box[_pid]) -> c?_",
        // Not all are alike here.
        "_pid < 2 -> n = 0",
        "own[1] -> n = 1",
        "who = 0",
        "who < 2 -> skip",
        "box[2]?n",
    ];
    let mut random = Random::new(20_260);
    let (mut exchanged, mut full, mut left) = (0, 0, 0);
    for _ in 0..25 {
        let alike = DEEDS.len() - 5;
        let mut options: Vec<&str> = (0..3 + random.below(3)).map(|_| DEEDS[random.below(alike)]).collect();
        if random.below(3) == 0 {
            options.push(DEEDS[alike + random.below(5)]);
        }
        let text = format!(
            "byte who = 9, n; bit own[3]; chan c = [2] of {{ byte }}; chan box[3] = [1] of {{ byte }};
             active [3] proctype P() {{ byte other = 9; do :: {} od }}",
            options.join(" :: ")
        );
        let model = model(&text);
        exchanged += u32::from(find(&model, &[]).is_ok());
        let (all, some) = compare(&text, &model);
        (full, left) = (full + all, left + some);
    }
    assert!(exchanged > 10, "{exchanged} programs");
    assert!(left < full, "{left} of {full} states");
}
