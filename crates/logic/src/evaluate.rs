//! The value of a formula and of all its parts at every position of a word: one that becomes periodic, or the beginning of
//! one of which nobody knows how it goes on.
//!
//! What depends on what follows a beginning has no value there (the logic is Kleene's): a value is given only if it is the
//! same however the word goes on. Not all such values are found: `[] p && <> !p` is false of every word, and has none.

use std::collections::HashMap;

use crate::ltl::{Formula, Formulas, Node};
use crate::prop::Prop;

/// Which positions a word has, and what comes after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many positions there are.
    pub count: usize,
    /// Where it goes on after the last position; `None` if that is not known.
    pub back: Option<usize>,
}

impl Shape {
    /// The position after this one, if it is known.
    pub fn after(self, position: usize) -> Option<usize> {
        if position + 1 < self.count { Some(position + 1) } else { self.back }
    }

    /// A position and all that are known to come after it, each once, in the order in which they are first met.
    pub fn onward(self, position: usize) -> impl Iterator<Item = usize> {
        let again = self.back.map_or(0..0, |back| back..position);
        (position..self.count).chain(again)
    }
}

/// The values of a formula and its parts.
#[derive(Clone, Debug)]
pub struct Values {
    shape: Shape,
    values: HashMap<Formula, Vec<Option<bool>>>,
}

impl Values {
    /// Evaluates a formula on the word in which propositions hold as told. Each part takes time linear in the word.
    pub fn new(formulas: &Formulas, formula: Formula, shape: Shape, holds: impl Fn(Prop, usize) -> bool) -> Values {
        let mut values = Values { shape, values: HashMap::new() };
        for part in formulas.parts(formula) {
            let of_part = values.at_all_positions(formulas.node(part), &holds);
            values.values.insert(part, of_part);
        }
        values
    }

    /// The shape of the word.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether a part of the formula holds at a position, if that is known.
    pub fn at(&self, part: Formula, position: usize) -> Option<bool> {
        self.values[&part][position]
    }

    fn at_all_positions(&self, node: Node, holds: &impl Fn(Prop, usize) -> bool) -> Vec<Option<bool>> {
        let at = |f: Formula, position: usize| self.at(f, position);
        match node {
            Node::True => self.now(|_| Some(true)),
            Node::False => self.now(|_| Some(false)),
            Node::Atom(prop) => self.now(|position| Some(holds(prop, position))),
            Node::Not(f) => self.now(|position| not(at(f, position))),
            Node::And(f, g) => self.now(|position| and(at(f, position), at(g, position))),
            Node::Or(f, g) => self.now(|position| or(at(f, position), at(g, position))),
            Node::Implies(f, g) => self.now(|position| or(not(at(f, position)), at(g, position))),
            Node::Equivalent(f, g) => self.now(|position| Some(at(f, position)? == at(g, position)?)),
            Node::Next(f) => self.now(|position| at(f, self.shape.after(position)?)),
            Node::Always(f) => self.fixpoint(true, |position, later| and(at(f, position), later)),
            Node::Eventually(f) => self.fixpoint(false, |position, later| or(at(f, position), later)),
            Node::Until(f, g) => {
                self.fixpoint(false, |position, later| or(at(g, position), and(at(f, position), later)))
            }
            Node::WeakUntil(f, g) => {
                self.fixpoint(true, |position, later| or(at(g, position), and(at(f, position), later)))
            }
            Node::Release(f, g) => {
                self.fixpoint(true, |position, later| and(at(g, position), or(at(f, position), later)))
            }
            Node::StrongRelease(f, g) => {
                self.fixpoint(false, |position, later| and(at(g, position), or(at(f, position), later)))
            }
        }
    }

    fn now(&self, value: impl Fn(usize) -> Option<bool>) -> Vec<Option<bool>> {
        (0..self.shape.count).map(value).collect()
    }

    /// The value at each position from that at the next one. Going twice around the cycle reaches the fixpoint: the least
    /// one if it starts with false, the greatest if with true.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, Option<bool>) -> Option<bool>) -> Vec<Option<bool>> {
        let mut values = vec![Some(start); self.shape.count];
        for _ in 0..2 {
            for position in (0..self.shape.count).rev() {
                let later = self.shape.after(position).and_then(|next| values[next]);
                values[position] = step(position, later);
            }
        }
        values
    }
}

fn not(value: Option<bool>) -> Option<bool> {
    value.map(|value| !value)
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    not(and(not(left), not(right)))
}
