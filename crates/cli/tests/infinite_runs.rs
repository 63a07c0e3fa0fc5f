//! Is there a run that an automaton accepts? The engine's answer beside that of a graph that is built by the interpreter
//! and looked at in the simplest way, for random automata on small models, with and without fairness.

mod common;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use common::engines::model;
use reductio_explicit::{Control, search};
use reductio_model::{
    AtomId, Automaton, Claim, ClaimEdge, ClaimId, Interpreter, Limit, Literal, Model, PropertyKind, State, Step,
    Successors, Trace, TransitionSystem, Verdict, replay,
};
use reductio_reduce::{Fairness, PlanRequest, Property, plan};

/// Models with two atoms, `p` and `q`. Between them: runs that end, runs that do not, runs that block, `atomic`s that
/// block and that hand over, a `d_step`, handshakes, `timeout`, processes that come and go.
const MODELS: [&str; 13] = [
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
    // Weakly fair runs may keep one of these from its turn for ever, strongly fair ones may not.
    "bit p, q; active [2] proctype A() { do :: atomic { !p -> p = 1 }; q = _pid; p = 0 od }",
    "bit p, q; active proctype A() { do :: p = !p od } active proctype B() { do :: p -> q = !q od }",
    "bit p, q; active proctype A() { do :: p = 1; p = 0 :: skip od } active proctype B() { do :: p -> q = 1 od }",
    "byte p, q; active [2] proctype A() { do :: p < 2 -> p++; p-- :: q = (q + 1) % 3 od }",
];

#[test]
fn engine_and_interpreter_agree_on_infinite_runs() {
    let mut random = Random(1);
    let mut violated = 0;
    let mut held = 0;
    for text in MODELS {
        for _ in 0..300 {
            let mut model = model(text, &["p", "q"]);
            model.claims = vec![claim(automaton(&mut random))];
            for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
                let graph = Graph::new(&model, fairness);
                let expected = graph.has_accepted_run(fairness);
                let found = counterexample(&model, fairness);
                assert_eq!(found.is_some(), expected, "{fairness:?}\n{model}");
                if let Some(trace) = found {
                    confirm(&model, &trace, fairness);
                    violated += 1;
                } else {
                    held += 1;
                }
            }
        }
    }
    assert!(violated > 200 && held > 200, "{violated} violated, {held} held");
}

/// What happens in an `atomic` is not seen, so a run that stays in one for ever is no run of the automaton, but it is a run.
#[test]
fn an_atomic_that_never_ends_leaves_the_verdict_open() {
    let endless = "byte x, p, q; active proctype A() { atomic { do :: x = 1 - x od } }";
    // This one has more steps than the engine runs through at once, and ends.
    let long = "byte x, p, q; active proctype A() { atomic { do :: x < 250 -> x++; q = 1 - q :: else -> break od } }";
    let edges = vec![vec![ClaimEdge { guard: vec![Literal { atom: AtomId(0), value: false }], marks: 1, target: 0 }]];
    let never_p = Automaton { initial: 0, sets: 1, edges };
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        for (text, is_open) in [(endless, true), (long, false)] {
            let mut model = model(text, &["p", "q"]);
            model.claims = vec![claim(never_p.clone())];
            let open = Verdict::Inconclusive(Limit::EndlessAtomic);
            assert_eq!(verdict(&model, fairness) == open, is_open, "{fairness:?}: {text}");
        }
    }
}

fn claim(violations: Automaton) -> Claim {
    Claim { name: "claim".to_owned(), kind: PropertyKind::Never, text: String::new(), position: None, violations }
}

fn automaton(random: &mut Random) -> Automaton {
    let states = 1 + random.below(3);
    let sets = random.below(3);
    let mut edges = vec![Vec::new(); states as usize];
    for edges in &mut edges {
        for _ in 0..1 + random.below(3) {
            let mut guard = Vec::new();
            for atom in [AtomId(0), AtomId(1)] {
                if random.below(2) == 0 {
                    guard.push(Literal { atom, value: random.below(2) == 0 });
                }
            }
            edges.push(ClaimEdge { guard, marks: random.below(1 << sets), target: random.below(states) });
        }
    }
    Automaton { initial: random.below(states), sets, edges }
}

fn counterexample(model: &Model, fairness: Fairness) -> Option<Trace> {
    match verdict(model, fairness) {
        Verdict::Holds => None,
        Verdict::Violated(violation) => Some(violation.trace),
        Verdict::Inconclusive(limit) => panic!("{limit}"),
    }
}

fn verdict(model: &Model, fairness: Fairness) -> Verdict {
    let request = PlanRequest { fairness, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) };
    let plan = plan(model, request).expect("there is such a plan");
    let interpreter = Interpreter::new(model);
    let control = Control { cancel: &AtomicBool::new(false), progress: &mut |_| {} };
    let result = search(&interpreter, &plan, control);
    match &result.verdicts[..] {
        [verdict] => verdict.verdict.clone(),
        verdicts => panic!("one claim has {} verdicts", verdicts.len()),
    }
}

/// The run can be replayed, is accepted, and fair.
fn confirm(model: &Model, trace: &Trace, fairness: Fairness) {
    let interpreter = Interpreter::new(model);
    let replayed = replay(&interpreter, trace).unwrap_or_else(|error| panic!("{error}\n{model}"));
    let automaton = &model.claims[0].violations;
    let states: Vec<&State> =
        (0..=replayed.outcomes.len()).map(|index| replayed.before(index).expect("no faults")).collect();
    let is_read = |state: &&&State| state.exclusive.is_none();
    let letters: Vec<&State> = states.iter().filter(is_read).copied().collect();
    let holds = |atom: AtomId, position: usize| {
        interpreter.evaluate_global(&model.atoms[atom.index()].expr, letters[position]).is_ok_and(|value| value != 0)
    };
    if trace.cycle.is_empty() {
        let last = *states.last().expect("there is an initial state");
        let ended = interpreter.steps(last).is_empty();
        let accepted = ended && automaton.accepts(letters.len(), letters.len() - 1, holds);
        assert!(accepted || automaton.has_decided(letters.len(), holds), "{trace:?}\n{model}");
        return;
    }
    // The last state is where the cycle begins.
    let back = states[..trace.stem.len()].iter().filter(is_read).count();
    let again = states.last().is_some_and(|state| state.exclusive.is_none()) as usize;
    assert!(automaton.accepts(letters.len() - again, back, holds), "{trace:?}\n{model}");
    if fairness != Fairness::None {
        let cycle = &states[trace.stem.len()..states.len() - 1];
        for pid in 0..cycle.iter().map(|state| state.processes.len()).max().unwrap_or(0) {
            let moves = trace.cycle.iter().any(|step| step.process as usize == pid);
            let can_never_move =
                |state: &&State| interpreter.steps(state).iter().all(|step| step.process as usize != pid);
            let rests = |state: &&State| state.exclusive.is_none() && can_never_move(state);
            let is_fair = match fairness {
                Fairness::Strong => cycle.iter().all(can_never_move),
                _ => cycle.iter().any(rests),
            };
            assert!(moves || is_fair, "process {pid} is treated unfairly: {trace:?}\n{model}");
        }
    }
}

/// Model and automaton, as a graph whose edges bear marks.
struct Graph {
    edges: Vec<Vec<Edge>>,
    /// Who can move in each node.
    moving: Vec<u64>,
    required: u64,
}

struct Edge {
    target: usize,
    marks: u64,
    mover: u64,
}

/// The automaton reads a state.
const READS: u64 = 1 << 8;
const FIRST_PROCESS: u32 = 9;
const ALL_PROCESSES: u64 = u64::MAX << FIRST_PROCESS;

impl Graph {
    fn new(model: &Model, fairness: Fairness) -> Graph {
        let interpreter = Interpreter::new(model);
        let automaton = &model.claims[0].violations;
        let fair = if fairness == Fairness::None { 0 } else { ALL_PROCESSES };
        let mut numbers = HashMap::from([((interpreter.initial(), automaton.initial), 0)]);
        let mut nodes = vec![(interpreter.initial(), automaton.initial)];
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut all_moving = Vec::new();
        let mut successors = Successors::default();
        while let Some((bytes, place)) = nodes.get(edges.len()).cloned() {
            interpreter.successors(&bytes, &mut successors);
            let mut steps: Vec<(Vec<u8>, u64)> = Vec::new();
            for (successor, state) in successors.iter() {
                let Step { process, .. } = successor.step;
                steps.push((state.expect("no faults").to_vec(), 1 << (FIRST_PROCESS + u32::from(process))));
            }
            if steps.is_empty() {
                steps.push((bytes.clone(), 0));
            }
            let moving = steps.iter().fold(0, |moving, (_, mark)| moving | mark);
            let is_read = interpreter.decode(&bytes).exclusive.is_none();
            let mut onward = Vec::new();
            for (state, mover) in &steps {
                if !is_read {
                    onward.push((state, place, *mover, *mover));
                    continue;
                }
                for edge in &automaton.edges[place as usize] {
                    let holds = |literal: &Literal| interpreter.holds(literal.atom, &bytes) == Ok(literal.value);
                    if edge.guard.iter().all(holds) {
                        let marks = u64::from(edge.marks) | READS | mover | (ALL_PROCESSES & !moving);
                        onward.push((state, edge.target, marks, *mover));
                    }
                }
            }
            let mut numbered = Vec::new();
            for (state, place, marks, mover) in onward {
                let next = nodes.len();
                let number = *numbers.entry((state.clone(), place)).or_insert(next);
                if number == next {
                    nodes.push((state.clone(), place));
                }
                numbered.push(Edge { target: number, marks, mover });
            }
            edges.push(numbered);
            all_moving.push(moving);
        }
        Graph { edges, moving: all_moving, required: u64::from(automaton.all_marks()) | READS | fair }
    }

    /// Is there a cycle that bears all marks? With strong fairness, there are processes that move on it, and in all its
    /// states only they can.
    fn has_accepted_run(&self, fairness: Fairness) -> bool {
        let everybody = self.moving.iter().fold(0, |all, moving| all | moving);
        let of_interest = |movers: &u64| movers & !everybody == 0;
        match fairness {
            Fairness::Strong => (0..=everybody).step_by(1 << FIRST_PROCESS).filter(of_interest).any(|movers| {
                let only_they_can = |node: usize| self.moving[node] & !movers == 0;
                self.has_component(only_they_can, movers)
            }),
            Fairness::None | Fairness::Weak => self.has_component(|_| true, 0),
        }
    }

    /// Are there nodes among those kept that can be reached and reach each other, by edges that bear all marks and by which
    /// all movers move?
    fn has_component(&self, keep: impl Fn(usize) -> bool, movers: u64) -> bool {
        let nodes = 0..self.edges.len();
        let reach: Vec<Vec<bool>> = nodes.clone().map(|node| self.reachable_from(node, &keep)).collect();
        nodes.clone().filter(|&node| keep(node)).any(|node| {
            let inside = |other: usize| reach[node][other] && reach[other][node];
            let edges = nodes.clone().filter(|&other| inside(other)).flat_map(|other| &self.edges[other]);
            let edges = edges.filter(|edge| inside(edge.target));
            let (marks, moved) = edges.fold((0, 0), |(marks, moved), edge| (marks | edge.marks, moved | edge.mover));
            marks & self.required == self.required && moved & movers == movers
        })
    }

    /// By one edge or more, over nodes that are kept.
    fn reachable_from(&self, node: usize, keep: &impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            for edge in &self.edges[node] {
                if keep(edge.target) && !std::mem::replace(&mut reached[edge.target], true) {
                    pending.push(edge.target);
                }
            }
        }
        reached
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }
}
