//! Words that become periodic: the slow and obvious way to tell whether a formula holds or an automaton accepts. All
//! else is compared with this.

use std::collections::HashMap;

use crate::buchi::Tgba;
use crate::buchi::components::Components;
use crate::ltl::{Formula, Formulas, Node};
use crate::prop::{Prop, Valuation};

/// An infinite word: a stem, then a cycle again and again. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    letters: Vec<Valuation>,
    /// Where the cycle starts.
    back: usize,
}

impl Lasso {
    /// The word, unless the cycle is empty.
    pub fn new(stem: &[Valuation], cycle: &[Valuation]) -> Option<Lasso> {
        let letters = stem.iter().chain(cycle).copied().collect();
        (!cycle.is_empty()).then_some(Lasso { letters, back: stem.len() })
    }

    /// What is read once.
    pub fn stem(&self) -> &[Valuation] {
        &self.letters[..self.back]
    }

    /// What is read again and again.
    pub fn cycle(&self) -> &[Valuation] {
        &self.letters[self.back..]
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back }
    }
}

/// Whether a word satisfies a formula. Bit `i` of a letter is the proposition at place `i` of the list; propositions that
/// are not in it are false.
pub fn satisfies(formulas: &Formulas, formula: Formula, propositions: &[Prop], word: &Lasso) -> bool {
    let mut values: HashMap<Formula, Vec<bool>> = HashMap::new();
    for part in formulas.parts(formula) {
        let value = Evaluator { word, propositions, values: &values }.at_all_positions(formulas.node(part));
        values.insert(part, value);
    }
    values[&formula][0]
}

struct Evaluator<'a> {
    word: &'a Lasso,
    propositions: &'a [Prop],
    values: &'a HashMap<Formula, Vec<bool>>,
}

impl Evaluator<'_> {
    fn at_all_positions(&self, node: Node) -> Vec<bool> {
        let at = |f: Formula, position: usize| self.values[&f][position];
        match node {
            Node::True => self.now(|_| true),
            Node::False => self.now(|_| false),
            Node::Atom(prop) => {
                let place = self.propositions.iter().position(|&other| other == prop);
                self.now(|position| place.is_some_and(|place| self.word.letters[position].holds(place)))
            }
            Node::Not(f) => self.now(|position| !at(f, position)),
            Node::And(f, g) => self.now(|position| at(f, position) && at(g, position)),
            Node::Or(f, g) => self.now(|position| at(f, position) || at(g, position)),
            Node::Implies(f, g) => self.now(|position| !at(f, position) || at(g, position)),
            Node::Equivalent(f, g) => self.now(|position| at(f, position) == at(g, position)),
            Node::Next(f) => self.now(|position| at(f, self.word.after(position))),
            Node::Always(f) => self.fixpoint(true, |position, later| at(f, position) && later),
            Node::Eventually(f) => self.fixpoint(false, |position, later| at(f, position) || later),
            Node::Until(f, g) => self.fixpoint(false, |position, later| at(g, position) || at(f, position) && later),
            Node::WeakUntil(f, g) => self.fixpoint(true, |position, later| at(g, position) || at(f, position) && later),
            Node::Release(f, g) => self.fixpoint(true, |position, later| at(g, position) && (at(f, position) || later)),
            Node::StrongRelease(f, g) => {
                self.fixpoint(false, |position, later| at(g, position) && (at(f, position) || later))
            }
        }
    }

    fn now(&self, value: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.word.letters.len()).map(value).collect()
    }

    /// The value at each position from that at the next one. Going twice around the cycle reaches the fixpoint: the least
    /// one if it starts with false, the greatest if with true.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let length = self.word.letters.len();
        let mut values = vec![start; length];
        for _ in 0..2 {
            for position in (0..length).rev() {
                values[position] = step(position, values[self.word.after(position)]);
            }
        }
        values
    }
}

/// Whether an automaton accepts a word. Bit `i` of a letter is the proposition at place `i` of the automaton's list.
pub fn accepts(automaton: &Tgba, word: &Lasso) -> bool {
    // The nodes are pairs of a state and a position.
    let length = word.letters.len();
    let states = automaton.state_count();
    let steps = |node: usize| {
        let (state, position) = (crate::buchi::StateId::of(node / length), node % length);
        let next = word.after(position);
        let taken = automaton.successors(state, word.letters[position]);
        taken.map(move |edge| (edge.target.index() * length + next, edge.marks))
    };
    let components = Components::of_graph(states * length, |node| steps(node).map(|(next, _)| next).collect());
    let mut seen = vec![None; components.count()];
    let mut reached = vec![false; states * length];
    let start = automaton.initial.index() * length;
    reached[start] = true;
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for (next, marks) in steps(node) {
            let component = components.of_node(node);
            if component == components.of_node(next) {
                let together = seen[component].get_or_insert(crate::buchi::Marks::NONE);
                *together = together.union(marks);
            }
            if !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    seen.into_iter().flatten().any(|marks| marks.includes(automaton.all_marks()))
}
