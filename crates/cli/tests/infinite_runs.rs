//! Is there a run that an automaton accepts? The engine's answer beside that of a graph that is built by the interpreter
//! and looked at in the simplest way, for random automata on small models, with and without fairness.

mod common;

use std::collections::HashMap;

use common::claims::{WAYS, claim, verdict};
use common::engines::model;
use reductio_model::{
    AtomId, Automaton, ClaimEdge, Interpreter, Limit, Literal, Model, ProctypeId, State, Step, Successors, Trace,
    TransitionSystem, Verdict, replay,
};
use reductio_reduce::{CycleSearch, Fairness};

/// Models with two atoms, `p` and `q`. Between them: runs that end, runs that do not, runs that block, `atomic`s that
/// block and that hand over, a `d_step`, handshakes, `timeout`, processes that come and go, choices that may be passed over
/// for ever, an assertion that fails in an `atomic`.
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
    // Weakly fair runs may keep one of these from its turn for ever, strongly fair ones may not.
    "bit p, q; active [2] proctype A() { do :: atomic { !p -> p = 1 }; q = _pid; p = 0 od }",
    "bit p, q; active proctype A() { do :: p = !p od } active proctype B() { do :: p -> q = !q od }",
    "bit p, q; active proctype A() { do :: p = 1; p = 0 :: skip od } active proctype B() { do :: p -> q = 1 od }",
    "byte p, q; active [2] proctype A() { do :: p < 2 -> p++; p-- :: q = (q + 1) % 3 od }",
    // What a process may do and never does: always possible, again and again, and in an `atomic` that comes back.
    "bit p, q; active proctype A() { do :: skip :: p = !p :: p -> q = !q od }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; skip } :: q = !q od }",
    "bit p, q; active proctype A() { do :: atomic { p = !p; assert(p); q = p } od } active proctype B() { q = 1 }",
    "bit p, q; chan c = [0] of { bit };
     active proctype A() { do :: c!p od } active [2] proctype B() { do :: c?_ -> p = !p :: c?_ -> q = _pid - 1 od }",
];

#[test]
fn engine_and_interpreter_agree_on_infinite_runs() {
    let mut random = Random(1);
    let mut violated = [0; WAYS.len()];
    const AUTOMATA: usize = 150;
    for text in MODELS {
        for _ in 0..AUTOMATA {
            let mut model = model(text, &["p", "q"]);
            model.claims = vec![claim(automaton(&mut random))];
            for ((fairness, cycles), violated) in WAYS.into_iter().zip(&mut violated) {
                let expected = Graph::new(&model, fairness).has_accepted_run(fairness);
                let found = counterexample(&model, fairness, cycles);
                assert_eq!(found.is_some(), expected, "{fairness:?}, {cycles:?}\n{model}");
                if let Some(trace) = found {
                    confirm(&model, &trace, fairness);
                    *violated += 1;
                }
            }
        }
    }
    let [none, also_none, weak, also_weak, strong, just, fair] = violated;
    assert_eq!((none, weak), (also_none, also_weak));
    // Each notion rules out runs that another one allows.
    assert!(none > weak && weak > strong && strong > fair && weak > just && just > fair, "{violated:?}");
    assert!(fair > 100 && none + 100 < MODELS.len() * AUTOMATA, "{violated:?}");
}

/// What happens in an `atomic` is not seen, so a run that stays in one for ever is no run of the automaton, but it is a run.
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
            let open = Verdict::Inconclusive(Limit::EndlessAtomic);
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
            let edges = vec![vec![ClaimEdge { guard: Vec::new(), marks: 0, target: 0 }]];
            // The automaton waits for a mark that never comes.
            model.claims = vec![claim(Automaton { initial: 0, sets: 1, edges })];
            let of_processes = matches!(fairness, Fairness::Weak | Fairness::Strong);
            let expected = match of_processes && last >= most(cycles) {
                true => Verdict::Inconclusive(Limit::TooManyProcesses { most: most(cycles) }),
                false => Verdict::Holds,
            };
            assert_eq!(verdict(&model, fairness, cycles), expected, "{fairness:?}, {cycles:?}, {last}");
        }
    }
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

fn counterexample(model: &Model, fairness: Fairness, cycles: CycleSearch) -> Option<Trace> {
    match verdict(model, fairness, cycles) {
        Verdict::Holds => None,
        Verdict::Violated(violation) => Some(violation.trace),
        Verdict::Inconclusive(limit) => panic!("{limit}"),
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
    let cycle = &states[trace.stem.len()..states.len() - 1];
    let agent = |step: &Step, state: &State| Agent::new(*step, state, fairness);
    let able = |state: &State| interpreter.steps(state).iter().map(|step| agent(step, state)).collect::<Vec<_>>();
    let moving: Vec<Agent> = trace.cycle.iter().zip(cycle).map(|(step, state)| agent(step, state)).collect();
    let rests = |state: &State, one: &Agent| {
        state.exclusive.is_none_or(|pid| pid == one.process()) && !able(state).contains(one)
    };
    for one in cycle.iter().flat_map(|state| able(state)) {
        let is_fair = match fairness {
            Fairness::None => true,
            Fairness::Weak | Fairness::OperationJustice => cycle.iter().any(|state| rests(state, &one)),
            Fairness::Strong | Fairness::OperationFairness => false,
        };
        assert!(moving.contains(&one) || is_fair, "{one:?} is treated unfairly: {trace:?}\n{model}");
    }
}

/// Who is to be treated fairly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agent {
    Process(u8),
    /// A step of a process of this type, in a rendezvous with one of that type.
    Operation(Step, ProctypeId, Option<ProctypeId>),
}

impl Agent {
    fn new(step: Step, state: &State, fairness: Fairness) -> Agent {
        let proctype = |pid: u8| state.processes[pid as usize].proctype;
        match fairness {
            Fairness::None | Fairness::Weak | Fairness::Strong => Agent::Process(step.process),
            Fairness::OperationJustice | Fairness::OperationFairness => {
                Agent::Operation(step, proctype(step.process), step.partner.map(|(pid, _)| proctype(pid)))
            }
        }
    }

    fn process(&self) -> u8 {
        match self {
            Agent::Process(pid) => *pid,
            Agent::Operation(step, ..) => step.process,
        }
    }
}

/// Model and automaton, as a graph whose edges bear marks.
struct Graph {
    nodes: Vec<Node>,
    required: u64,
}

#[derive(Default)]
struct Node {
    edges: Vec<Edge>,
    /// Who can move here.
    able: u64,
    /// The process in whose `atomic` it is.
    exclusive: Option<u8>,
}

struct Edge {
    target: usize,
    marks: u64,
    mover: u64,
}

/// The automaton reads a state.
const READS: u64 = 1 << 8;
const FIRST_AGENT: usize = 9;
const ALL_AGENTS: u64 = u64::MAX << FIRST_AGENT;

impl Graph {
    fn new(model: &Model, fairness: Fairness) -> Graph {
        let interpreter = Interpreter::new(model);
        let automaton = &model.claims[0].violations;
        let mut states = vec![(interpreter.initial(), automaton.initial)];
        let mut numbers = HashMap::from([(states[0].clone(), 0)]);
        let mut agents: Vec<Agent> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut successors = Successors::default();
        while let Some((bytes, place)) = states.get(nodes.len()).cloned() {
            interpreter.successors(&bytes, &mut successors);
            let state = interpreter.decode(&bytes);
            let mut steps: Vec<(Vec<u8>, u64)> = Vec::new();
            for (successor, next) in successors.iter() {
                let agent = Agent::new(successor.step, &state, fairness);
                let number = agents.iter().position(|known| *known == agent).unwrap_or(agents.len());
                if number == agents.len() {
                    agents.push(agent);
                }
                assert!(FIRST_AGENT + number < 64, "there are too many for this test");
                steps.push((next.expect("no run ends in a fault").to_vec(), 1 << (FIRST_AGENT + number)));
            }
            if steps.is_empty() {
                steps.push((bytes.clone(), 0));
            }
            let mut node = Node { exclusive: state.exclusive, ..Node::default() };
            for (next, mover) in &steps {
                node.able |= mover;
                let holds = |literal: &Literal| interpreter.holds(literal.atom, &bytes) == Ok(literal.value);
                let enabled = automaton.edges[place as usize].iter().filter(|edge| edge.guard.iter().all(holds));
                let onward: Vec<(u32, u64)> = match state.exclusive {
                    Some(_) => vec![(place, 0)],
                    None => enabled.map(|edge| (edge.target, u64::from(edge.marks) | READS)).collect(),
                };
                for (place, marks) in onward {
                    let next = (next.clone(), place);
                    let target = *numbers.entry(next.clone()).or_insert(states.len());
                    if target == states.len() {
                        states.push(next);
                    }
                    node.edges.push(Edge { target, marks: marks | mover, mover: *mover });
                }
            }
            nodes.push(node);
        }
        let mut graph = Graph { nodes, required: u64::from(automaton.all_marks()) | READS };
        if fairness != Fairness::None {
            graph.mark_who_rests(&agents);
            graph.required |= ALL_AGENTS;
        }
        graph
    }

    /// Everybody rests who cannot move; in an `atomic` only those do of the process whose it is.
    fn mark_who_rests(&mut self, agents: &[Agent]) {
        for node in &mut self.nodes {
            let of_process = |pid: u8| {
                let bits = agents.iter().enumerate().filter(|(_, agent)| agent.process() == pid);
                bits.fold(0, |bits, (number, _)| bits | 1 << (FIRST_AGENT + number))
            };
            let resting = node.exclusive.map_or(ALL_AGENTS, of_process) & !node.able;
            node.edges.iter_mut().for_each(|edge| edge.marks |= resting);
        }
    }

    /// Is there a cycle that bears all marks? With strong fairness, there are some who move on it, and in all its
    /// states only they can.
    fn has_accepted_run(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None | Fairness::Weak | Fairness::OperationJustice => self.has_component(|_| true, 0),
            Fairness::Strong | Fairness::OperationFairness => {
                let everybody = self.nodes.iter().fold(0, |all, node| all | node.able);
                (0..=everybody).step_by(1 << FIRST_AGENT).any(|movers| {
                    let only_they_can = |node: usize| self.nodes[node].able & !movers == 0;
                    self.has_component(only_they_can, movers)
                })
            }
        }
    }

    /// Are there nodes among those kept that can be reached and reach each other, by edges that bear all marks and by which
    /// all movers move?
    fn has_component(&self, keep: impl Fn(usize) -> bool, movers: u64) -> bool {
        let nodes: Vec<usize> = (0..self.nodes.len()).filter(|&node| keep(node)).collect();
        let moved = nodes.iter().flat_map(|&node| &self.nodes[node].edges).fold(0, |moved, edge| moved | edge.mover);
        if moved & movers != movers {
            return false;
        }
        let reach: HashMap<usize, Vec<bool>> =
            nodes.iter().map(|&node| (node, self.reachable_from(node, &keep))).collect();
        nodes.iter().any(|&node| {
            let inside = |other: usize| reach[&node][other] && reach[&other][node];
            let edges = nodes.iter().filter(|&&other| inside(other)).flat_map(|&other| &self.nodes[other].edges);
            let edges = edges.filter(|edge| keep(edge.target) && inside(edge.target));
            let (marks, moved) = edges.fold((0, 0), |(marks, moved), edge| (marks | edge.marks, moved | edge.mover));
            marks & self.required == self.required && moved & movers == movers
        })
    }

    /// By one edge or more, over nodes that are kept.
    fn reachable_from(&self, node: usize, keep: &impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            for edge in &self.nodes[node].edges {
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
