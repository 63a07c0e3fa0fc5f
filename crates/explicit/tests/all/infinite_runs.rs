//! Is there a run that an automaton accepts? The engine's answer beside that of a graph that is built by the interpreter
//! and looked at in the simplest way, for random automata on small models, with and without fairness.

use crate::common::claims::{WAYS, claim, verdict, verdict_with};
use crate::common::engines::model;
use reductio_explicit::plain;
use reductio_model::{
    AtomId, Automaton, ClaimEdge, ClaimId, Interpreter, Literal, Model, Property, Verdict, Why, Witness,
};
use reductio_reduce::{CycleSearch, Fairness, PlanRequest, ReduceChoice};
use reductio_testing::certified;
use reductio_testing::random::Random;

/// Models with two atoms, `p` and `q`. Between them: runs that end, runs that do not, runs that block, `atomic`s that
/// block and that hand over, a `d_step`, handshakes, `timeout`, processes that come and go, choices that may be passed over
/// forever, an assertion that fails in an `atomic`.
const MODELS: [&str; 17] = [
    "bit p, q; active proctype A() { do :: p = 1 :: p = 0 od } active proctype B() { do :: q = !q od }",
    "bit p, q; active proctype A() { p = 1; q = 1; p = 0 }",
    "bit p, q; active proctype A() { p = 1; q == 1; p = 0 } active proctype B() { if :: q = 1 :: skip fi }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; q; q = 0 } od } active proctype B() { do :: q = 1 od }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; p = !p; skip } od } active proctype B() { do :: q = !q od }",
    "bit p, q; chan c = [0] of { bit };
     active proctype A() { do :: c!p; p = !p od } active proctype B() { do :: c?q od }",
    "bit p, q; chan c = [0] of { bit };
     active proctype A() { do :: atomic { c!1; p = !p } od } active proctype B() { do :: atomic { c?q; q = !q } od }",
    "bit p, q; active proctype A() { do :: d_step { p; p = 0; q = !q } :: timeout -> p = 1 od }",
    "bit p, q; proctype B() { q = !q } active proctype A() { do :: _nr_pr < 3 -> run B(); p = !p od }",
    // Weakly fair runs may keep one of these from its turn forever, strongly fair ones may not.
    "bit p, q; active [2] proctype A() { do :: atomic { !p -> p = 1 }; q = _pid; p = 0 od }",
    "bit p, q; active proctype A() { do :: p = !p od } active proctype B() { do :: p -> q = !q od }",
    "bit p, q; active proctype A() { do :: p = 1; p = 0 :: skip od } active proctype B() { do :: p -> q = 1 od }",
    "byte p, q; active [2] proctype A() { do :: p < 2 -> p++; p-- :: q = (q + 1) % 3 od }",
    // What a process may do and never does: always possible, infinitely often, and in an `atomic` that comes back.
    "bit p, q; active proctype A() { do :: skip :: p = !p :: p -> q = !q od }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; skip } :: q = !q od }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; assert(p); q = p } od } active proctype B() { q = 1 }",
    "bit p, q; chan c = [0] of { bit };
     active proctype A() { do :: c!p od } active [2] proctype B() { do :: c?_ -> p = !p :: c?_ -> q = _pid - 1 od }",
];

#[test]
fn engine_and_interpreter_agree_on_infinite_runs() {
    let mut random = Random::new(1);
    let mut violated = [0; WAYS.len()];
    const AUTOMATA: usize = 150;
    for text in MODELS {
        for _ in 0..AUTOMATA {
            let mut model = model(text, &["p", "q"]);
            model.claims = vec![claim(automaton(&mut random))];
            for ((fairness, cycles), violated) in WAYS.into_iter().zip(&mut violated) {
                let interpreter = Interpreter::new(&model);
                let expected = plain::has_accepted_run(&interpreter, &model.claims[0], fairness, usize::MAX);
                let expected = expected.expect("no run ends in a fault");
                let found = counterexample(&model, fairness, cycles);
                assert_eq!(found.is_some(), expected, "{fairness:?}, {cycles:?}\n{model}");
                if let Some(witness) = found {
                    confirm(&model, &witness, fairness);
                    *violated += 1;
                }
            }
        }
    }
    let [none, also_none, weak, also_weak, strong, just, fair, maximal] = violated;
    assert_eq!((none, weak), (also_none, also_weak));
    // Each notion rules out runs that another one allows.
    assert!(none > maximal && maximal > weak && maximal > just, "{violated:?}");
    assert!(none > weak && weak > strong && strong > fair && weak > just && just > fair, "{violated:?}");
    assert!(fair > 100 && none + 100 < MODELS.len() * AUTOMATA, "{violated:?}");
}

/// What happens in an `atomic` is not seen, so a run that stays in one forever is no run of the automaton, but it is a run.
#[test]
fn an_atomic_that_never_ends_leaves_the_verdict_open() {
    let endless = "byte x, p, q; active proctype A() { atomic { do :: x = 1 - x od } }";
    // This one has more steps than the engine runs through at once, and ends.
    let long = "byte x, p, q; active proctype A() { atomic { do :: x < 250 -> x++; q = 1 - q :: else -> break od } }";
    let edges = vec![vec![ClaimEdge { guard: vec![Literal { atom: AtomId(0), value: false }], marks: 1, target: 0 }]];
    let never_p = Automaton { initial: 0, sets: 1, edges };
    for (fairness, cycles) in WAYS {
        for (text, is_open) in [(endless, true), (long, false)] {
            let mut model = model(text, &["p", "q"]);
            model.claims = vec![claim(never_p.clone())];
            let open = Verdict::Inconclusive(Why::EndlessAtomic);
            assert_eq!(verdict(&model, fairness, cycles) == open, is_open, "{fairness:?}, {cycles:?}: {text}");
        }
    }
}

/// Processes that never move need no marks and no copies; of those that do there may be so many.
#[test]
fn more_processes_than_can_be_told_apart_leave_the_verdict_open() {
    let waiting =
        |last: u32| format!("bit p, q; active [{}] proctype A() {{ _pid == {last}; do :: p = !p od }}", last + 1);
    let most = |cycles| if cycles == CycleSearch::Nested { 31 } else { 95 };
    for (fairness, cycles) in WAYS {
        for last in [30, 31, 94, 95] {
            let mut model = model(&waiting(last), &["p", "q"]);
            // The automaton waits for a mark that never comes, but nobody would know beforehand.
            let never = vec![Literal { atom: AtomId(1), value: true }];
            let edges = vec![vec![
                ClaimEdge { guard: Vec::new(), marks: 0, target: 0 },
                ClaimEdge { guard: never, marks: 1, target: 0 },
            ]];
            model.claims = vec![claim(Automaton { initial: 0, sets: 1, edges })];
            let of_processes = matches!(fairness, Fairness::Weak | Fairness::Strong);
            let expected = match of_processes && last >= most(cycles) {
                true => Verdict::Inconclusive(Why::TooManyProcesses { most: most(cycles) }),
                false => Verdict::Holds,
            };
            // Without fairness, it holds however many there are.
            let property = vec![Property::Claim(ClaimId(0))];
            let request = PlanRequest { fairness, cycles, ..PlanRequest::new(property) };
            assert_eq!(verdict_with(&model, request.clone()), Verdict::Holds, "{fairness:?}, {cycles:?}, {last}");
            let all = PlanRequest { reductions: ReduceChoice::None, ..request };
            assert_eq!(verdict_with(&model, all), expected, "{fairness:?}, {cycles:?}, {last}");
        }
    }
}

fn automaton(random: &mut Random) -> Automaton {
    let mut below = |bound: u32| random.below(bound as usize) as u32;
    let states = 1 + below(3);
    let sets = below(3);
    let mut edges = vec![Vec::new(); states as usize];
    for edges in &mut edges {
        for _ in 0..1 + below(3) {
            let mut guard = Vec::new();
            for atom in [AtomId(0), AtomId(1)] {
                if below(2) == 0 {
                    guard.push(Literal { atom, value: below(2) == 0 });
                }
            }
            edges.push(ClaimEdge { guard, marks: below(1 << sets), target: below(states) });
        }
    }
    Automaton { initial: below(states), sets, edges }
}

fn counterexample(model: &Model, fairness: Fairness, cycles: CycleSearch) -> Option<Witness> {
    match verdict(model, fairness, cycles) {
        Verdict::Holds => None,
        Verdict::Violated(violation) => Some(violation),
        Verdict::Inconclusive(limit) => panic!("{limit}"),
    }
}

/// The run can be replayed, is accepted, and fair.
fn confirm(model: &Model, witness: &Witness, fairness: Fairness) {
    let confirmed = certified::of_processes(model, fairness, Property::Claim(ClaimId(0)), witness);
    confirmed.map_or_else(|why| panic!("{why}: {witness:?}\n{model}"), |_| ());
}
