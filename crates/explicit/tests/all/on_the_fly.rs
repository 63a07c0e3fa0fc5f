//! Small worlds, exhaustively: may steps be left out while an automaton reads the run? Two processes that know nothing of each
//! other, all automata of up to three states, and the search as the papers have it, whatever set it chooses where it may choose.
//!
//! Paper: [siegel19] shows that the answer is no for automata in general, though their languages are insensitive to stuttering.
//! For automata with a [normal form](reductio_logic::buchi::normal_form) it is yes.

use crate::common::claims::claim;
use crate::common::engines::model;
use reductio_explicit::search;
use reductio_logic::Prop;
use reductio_logic::buchi::{Cube, Edge, Guard, Marks, StateId, Tgba, has_normal_form};
use reductio_model::{AtomId, Budget, Claim, ClaimEdge, ClaimId, Interpreter, Literal, Property, Verdict};
use reductio_reduce::{CycleSearch, PlanRequest, ReduceChoice, plan};

/// A process by its steps: of each place, where they lead, and whether p holds there.
#[derive(Clone, Debug)]
struct Process {
    steps: Vec<Vec<usize>>,
    holds: Vec<bool>,
}

impl Process {
    /// All with so many places, all of which can be reached.
    fn all(places: usize, holds: &[bool]) -> Vec<Process> {
        let process = |number: u32| {
            let steps = |from: usize| (0..places).filter(|to| number >> (from * places + to) & 1 == 1).collect();
            Process { steps: (0..places).map(steps).collect(), holds: holds.to_vec() }
        };
        (0..1 << (places * places)).map(process).filter(Process::is_connected).collect()
    }

    fn is_connected(&self) -> bool {
        let mut reached = vec![0];
        let mut at = 0;
        while at < reached.len() {
            let new: Vec<usize> = self.steps[reached[at]].iter().copied().filter(|to| !reached.contains(to)).collect();
            reached.extend(new);
            at += 1;
        }
        reached.len() == self.steps.len()
    }

    fn is_invisible_at(&self, place: usize) -> bool {
        self.steps[place].iter().all(|&to| self.holds[to] == self.holds[place])
    }
}

/// An automaton with acceptance on states, which reads whether p holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Automaton {
    states: usize,
    /// By letter and state: the targets, as bits.
    targets: [[u8; 3]; 2],
    accepting: u8,
}

impl Automaton {
    /// One for each number below `numbers`.
    fn new(states: usize, number: u32) -> Automaton {
        let mask = (1u32 << states) - 1;
        let targets = |letter: usize, state: usize| match state < states {
            true => (number >> ((letter * states + state) * states) & mask) as u8,
            false => 0,
        };
        let targets = [0, 1].map(|letter| [0, 1, 2].map(|state| targets(letter, state)));
        Automaton { states, targets, accepting: (number >> (2 * states * states) & mask) as u8 }
    }

    fn numbers(states: usize) -> u32 {
        1 << (2 * states * states + states)
    }

    /// All states can be reached and some is accepting; of two that differ in the numbers of states, one is enough.
    fn is_canonical(&self) -> bool {
        let mut reached = 1u8;
        for _ in 0..self.states {
            let here = (0..self.states).filter(|state| reached >> state & 1 == 1);
            reached = here.fold(reached, |all, state| all | self.targets[0][state] | self.targets[1][state]);
        }
        let swapped = || {
            let bits = |set: u8| set & 1 | (set & 2) << 1 | (set & 4) >> 1;
            let rows = |[first, second, third]: [u8; 3]| [bits(first), bits(third), bits(second)];
            (self.targets.map(rows), bits(self.accepting))
        };
        reached == (1 << self.states) - 1
            && self.accepting != 0
            && (self.states < 3 || (self.targets, self.accepting) <= swapped())
    }

    fn successors(&self, state: usize, letter: bool) -> impl Iterator<Item = usize> + use<> {
        let targets = self.targets[usize::from(letter)][state];
        (0..self.states).filter(move |target| targets >> target & 1 == 1)
    }

    /// The automaton as claims have it: p is the first atom.
    fn of_model(&self) -> reductio_model::Automaton {
        let edges = |state: usize| {
            let targets = |letter| self.successors(state, letter).map(move |target| (letter, target));
            let edge = |(value, target): (bool, usize)| ClaimEdge {
                guard: vec![Literal { atom: AtomId(0), value }],
                marks: u32::from(self.accepting >> state & 1),
                target: target as u32,
            };
            [false, true].into_iter().flat_map(targets).map(edge).collect()
        };
        reductio_model::Automaton { initial: 0, sets: 1, edges: (0..self.states).map(edges).collect() }
    }

    fn tgba(&self) -> Tgba {
        let edges = |state: usize| {
            let marks = if self.accepting >> state & 1 == 1 { Marks::one(0) } else { Marks::NONE };
            let targets = |letter| self.successors(state, letter).map(move |target| (letter, target));
            let edge = |(letter, target): (bool, usize)| Edge {
                guard: Guard::from(Cube::literal(0, letter)),
                marks,
                target: StateId(target as u32),
            };
            [false, true].into_iter().flat_map(targets).map(edge).collect()
        };
        Tgba { propositions: vec![Prop(0)], sets: 1, initial: StateId(0), edges: (0..self.states).map(edges).collect() }
    }
}

/// A graph of the product: who can be reached from whom in one step. Its nodes are pairs of places and a state.
struct Product<'a> {
    processes: [&'a Process; 2],
    automaton: &'a Automaton,
    /// Chooses, where there is a choice.
    seed: u32,
    /// By node: its successors, once it was entered.
    edges: Vec<Option<Vec<usize>>>,
    /// On the way to here.
    open: Vec<bool>,
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leave {
    Nothing,
    /// A process of which no step can be seen or closes a cycle is enough.
    WhatCanWait,
    /// The same, but a cycle may be closed: this is wrong.
    Anything,
}

impl Product<'_> {
    fn new<'a>(processes: [&'a Process; 2], automaton: &'a Automaton, seed: u32) -> Product<'a> {
        let nodes = processes[0].steps.len() * processes[1].steps.len() * automaton.states;
        Product { processes, automaton, seed, edges: vec![None; nodes], open: vec![false; nodes] }
    }

    fn node(&self, [first, second]: [usize; 2], state: usize) -> usize {
        (first * self.processes[1].steps.len() + second) * self.automaton.states + state
    }

    fn places(&self, node: usize) -> [usize; 2] {
        let pair = node / self.automaton.states;
        let seconds = self.processes[1].steps.len();
        [pair / seconds, pair % seconds]
    }

    /// Where a process leads, whatever the automaton chooses.
    fn moves_of(&self, node: usize, who: usize) -> Vec<usize> {
        let places = self.places(node);
        let mut moves = Vec::new();
        for &to in &self.processes[who].steps[places[who]] {
            let mut next = places;
            next[who] = to;
            moves.extend(self.read(node).map(|state| self.node(next, state)));
        }
        moves
    }

    fn read(&self, node: usize) -> impl Iterator<Item = usize> + use<> {
        let letter = self.processes[0].holds[self.places(node)[0]];
        self.automaton.successors(node % self.automaton.states, letter)
    }

    /// Those who can be enough, in some order.
    fn candidates(&self, node: usize) -> Vec<usize> {
        let places = self.places(node);
        let is_candidate = |who: &usize| {
            !self.processes[*who].steps[places[*who]].is_empty() && self.processes[*who].is_invisible_at(places[*who])
        };
        let mut candidates: Vec<usize> = (0..2).filter(is_candidate).collect();
        if self.seed >> (node % 31) & 1 == 1 {
            candidates.reverse();
        }
        candidates
    }

    fn expand(&mut self, node: usize, leave: Leave) {
        let places = self.places(node);
        let all: Vec<usize> = [0, 1].into_iter().flat_map(|who| self.moves_of(node, who)).collect();
        let is_stuck = (0..2).all(|who| self.processes[who].steps[places[who]].is_empty());
        let mut chosen = if is_stuck { self.read(node).map(|state| self.node(places, state)).collect() } else { all };
        self.open[node] = true;
        if leave != Leave::Nothing {
            for who in self.candidates(node) {
                let moves = self.moves_of(node, who);
                if leave == Leave::Anything || moves.iter().all(|&next| !self.open[next]) {
                    chosen = moves;
                    break;
                }
            }
        }
        self.edges[node] = Some(chosen.clone());
        for next in chosen {
            if self.edges[next].is_none() {
                self.expand(next, leave);
            }
        }
        self.open[node] = false;
    }

    /// Is there an accepted run?
    fn accepts(&mut self, leave: Leave) -> bool {
        self.expand(0, leave);
        // Nodes with bits: at most 27 of them.
        let mut reach: Vec<u32> = vec![0; self.edges.len()];
        for (node, edges) in self.edges.iter().enumerate() {
            reach[node] = edges.iter().flatten().fold(0, |all, next| all | 1 << next);
        }
        for by in 0..reach.len() {
            let further = reach[by];
            reach.iter_mut().filter(|row| **row >> by & 1 == 1).for_each(|row| *row |= further);
        }
        let is_accepting = |node: usize| self.automaton.accepting >> (node % self.automaton.states) & 1 == 1;
        (0..reach.len()).any(|node| self.edges[node].is_some() && is_accepting(node) && reach[node] >> node & 1 == 1)
    }
}

impl Automaton {
    /// Can it accept a word that comes back to position `back` after the last?
    fn accepts(&self, word: &[bool], back: usize) -> bool {
        let nodes = self.states * word.len();
        let mut reach: Vec<u64> = vec![0; nodes];
        for (at, &letter) in word.iter().enumerate() {
            let next = if at + 1 < word.len() { at + 1 } else { back };
            for state in 0..self.states {
                reach[at * self.states + state] =
                    self.successors(state, letter).fold(0, |all, to| all | 1 << (next * self.states + to));
            }
        }
        for by in 0..nodes {
            let further = reach[by];
            reach.iter_mut().filter(|row| **row >> by & 1 == 1).for_each(|row| *row |= further);
        }
        (0..nodes).any(|node| {
            self.accepting >> (node % self.states) & 1 == 1
                && reach[node] >> node & 1 == 1
                && (node == 0 || reach[0] >> node & 1 == 1)
        })
    }

    /// Is its language insensitive to stuttering, as far as short words tell?
    fn seems_insensitive(&self) -> bool {
        let words = (1..=4usize).flat_map(|count| (0..1u32 << count).map(move |bits| (count, bits)));
        let mut lassos = words.flat_map(|(count, bits)| (0..count).map(move |back| (count, bits, back)));
        lassos.all(|(count, bits, back)| {
            let word: Vec<bool> = (0..count).map(|at| bits >> at & 1 == 1).collect();
            let is_accepted = self.accepts(&word, back);
            let twice = |which: &dyn Fn(usize) -> bool| {
                let repeated = (0..count).flat_map(|at| std::iter::repeat_n(word[at], if which(at) { 2 } else { 1 }));
                let longer = (0..back).filter(|&at| which(at)).count();
                self.accepts(&repeated.collect::<Vec<bool>>(), back + longer)
            };
            (0..1u32 << count).all(|some| twice(&|at| some >> at & 1 == 1) == is_accepted)
        })
    }
}

/// Automata of up to three states whose languages are insensitive to stuttering, as far as short words tell: all of up to two states, and
/// of three every so manieth, or all if that is asked for (`REDUCTIO_ALL_AUTOMATA`).
fn insensitive_automata(every: usize) -> impl Iterator<Item = Automaton> {
    let every = if std::env::var_os("REDUCTIO_ALL_AUTOMATA").is_some() { 1 } else { every };
    let numbers = move |states: usize| (0..Automaton::numbers(states)).step_by(if states < 3 { 1 } else { every });
    let automata = (1..=3).flat_map(move |states| numbers(states).map(move |number| Automaton::new(states, number)));
    automata.filter(|automaton| automaton.is_canonical() && automaton.seems_insensitive())
}

/// Those whose steps can be seen, and those whose steps cannot.
fn pairs() -> Vec<[Process; 2]> {
    let visible = [[false, true], [true, false]].into_iter().flat_map(|holds| Process::all(2, &holds));
    let hidden: Vec<Process> = (1..=2).flat_map(|places| Process::all(places, &vec![false; places])).collect();
    let pairs = visible.flat_map(|process| hidden.iter().map(move |other| [process.clone(), other.clone()]));
    pairs.collect()
}

/// A pair of processes and choices with which a run is lost, if there are any.
fn loses_a_run(automaton: &Automaton, pairs: &[[Process; 2]], leave: Leave) -> bool {
    pairs.iter().any(|[first, second]| {
        let accepts = |leave, seed| Product::new([first, second], automaton, seed).accepts(leave);
        accepts(Leave::Nothing, 0) && [0, u32::MAX, 0x5a5a_5a5a].iter().any(|&seed| !accepts(leave, seed))
    })
}

/// What is seen of [siegel19] in worlds this small: of three states an automaton can already lose a run, and then it has no normal form.
#[test]
fn automata_with_a_normal_form_lose_no_run() {
    let pairs = pairs();
    let (mut normal, mut wrong, mut without_proviso) = (0, 0, 0);
    for automaton in insensitive_automata(211) {
        let loses = loses_a_run(&automaton, &pairs, Leave::WhatCanWait);
        let has_normal_form = has_normal_form(&automaton.tgba());
        assert!(!has_normal_form || !loses, "{automaton:?}");
        normal += u32::from(has_normal_form);
        wrong += u32::from(loses);
        without_proviso += u32::from(has_normal_form && loses_a_run(&automaton, &pairs, Leave::Anything));
    }
    println!(
        "{normal} have a normal form, {wrong} lose a run; without the proviso, {without_proviso} of those that have one do"
    );
    assert!(normal > 1_000 && without_proviso > 100);
}

/// Infinitely often p, and infinitely often not: it guesses which letter with p is the last before one without.
const LOSES: Automaton = Automaton { states: 3, targets: [[3, 2, 1], [3, 4, 0]], accepting: 4 };

#[test]
fn a_language_that_is_insensitive_to_stuttering_is_not_enough() {
    assert!(LOSES.seems_insensitive() && loses_a_run(&LOSES, &pairs(), Leave::WhatCanWait));
    assert!(!has_normal_form(&LOSES.tgba()));
}

/// The process as a program. What cannot be seen is `skip`.
fn body(process: &Process) -> String {
    let option = |from: usize, to: usize| match process.holds[from] == process.holds[to] {
        true => format!(":: skip; goto L{to} "),
        false => format!(":: p = {}; goto L{to} ", u8::from(process.holds[to])),
    };
    let place = |(from, steps): (usize, &Vec<usize>)| match &steps[..] {
        [] => format!("L{from}: false; "),
        steps => format!("L{from}: if {}fi; ", steps.iter().map(|&to| option(from, to)).collect::<String>()),
    };
    process.steps.iter().enumerate().map(place).collect()
}

/// The same with the engine, which is to notice by itself for which automata steps may be left out.
#[test]
fn the_engine_loses_no_run() {
    let automata: Vec<Automaton> = insensitive_automata(9_973).step_by(7).chain([LOSES]).collect();
    let (mut accepted, mut reduced) = (0, 0);
    for [first, second] in pairs() {
        let start = u8::from(first.holds[0]);
        let text = [&first, &second].map(body);
        for [one, other] in [[0, 1], [1, 0]] {
            let text = format!(
                "bit p = {start}; active proctype A() {{ {} }} active proctype B() {{ {} }}",
                text[one], text[other]
            );
            let mut model = model(&text, &["p"]);
            for automaton in &automata {
                model.claims = vec![Claim { stutters: true, ..claim(automaton.of_model()) }];
                let ask = |reductions, cycles| {
                    let request =
                        PlanRequest { reductions, cycles, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) };
                    let plan = plan(&model, request).expect("nothing is asked for by name");
                    let result = search(&Interpreter::new(&model), &plan, &Budget::UNLIMITED);
                    (matches!(result.verdicts[0].verdict, Verdict::Violated(_)), result.statistics.states)
                };
                let (full, states) = ask(ReduceChoice::None, CycleSearch::Components);
                for cycles in [CycleSearch::Components, CycleSearch::Nested] {
                    let (found, fewer) = ask(ReduceChoice::Auto, cycles);
                    assert_eq!(found, full, "{automaton:?}, {cycles:?}: {text}");
                    reduced += u32::from(fewer < states);
                }
                accepted += u32::from(full);
            }
        }
    }
    assert!(accepted > 1_000 && reduced > 1_000, "{accepted} {reduced}");
}
