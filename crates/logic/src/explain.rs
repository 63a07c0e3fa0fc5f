//! Why a formula has its value on a word: the positions that matter, and what holds there, down to the atoms.
//!
//! An operator's value rests on one of its operands where one is enough, and on the first position that is.

use crate::evaluate::Values;
use crate::ltl::{Formula, Formulas, Node};

/// A part of the formula has a value at some positions, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The part. It is no negation, and neither `true` nor `false`, unless the whole formula is.
    pub part: Formula,
    /// Its value.
    pub value: bool,
    /// Where it has this value.
    pub extent: Extent,
    /// What this rests on; nothing for an atom.
    pub because: Vec<Reason>,
}

/// Where something has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// At this position.
    At(usize),
    /// From the first of these positions to the second, both included. The second may be in a later round.
    Between(usize, usize),
    /// From this position on, forever.
    From(usize),
}

/// Why the formula has the value it has at the first position; `None` if that is not known.
pub fn explain(formulas: &Formulas, values: &Values, formula: Formula) -> Option<Reason> {
    let value = values.at(formula, 0)?;
    let because = Explainer { formulas, values }.because(formula, value, 0);
    Some(Reason { part: formula, value, extent: Extent::At(0), because })
}

struct Explainer<'a> {
    formulas: &'a Formulas,
    values: &'a Values,
}

impl Explainer<'_> {
    /// The part has this value at this position.
    fn at(&self, part: Formula, value: bool, position: usize) -> Vec<Reason> {
        match self.formulas.node(part) {
            Node::True | Node::False => Vec::new(),
            Node::Not(operand) => self.at(operand, !value, position),
            _ => {
                let because = self.because(part, value, position);
                vec![Reason { part, value, extent: Extent::At(position), because }]
            }
        }
    }

    /// The part has this value at these positions. If it speaks of other moments, it is explained for a round of the cycle.
    fn throughout(&self, part: Formula, value: bool, extent: Extent) -> Vec<Reason> {
        match (self.formulas.node(part), extent) {
            (Node::True | Node::False, _) => Vec::new(),
            (Node::Not(operand), _) => self.throughout(operand, !value, extent),
            (_, Extent::From(position)) if !self.formulas.is_propositional(part) => {
                let round = self.values.shape().back.map_or(position, |back| back.max(position));
                vec![Reason { part, value, extent, because: self.because(part, value, round) }]
            }
            _ => vec![Reason { part, value, extent, because: Vec::new() }],
        }
    }

    /// What it rests on that a part has this value at this position.
    fn because(&self, part: Formula, value: bool, position: usize) -> Vec<Reason> {
        let one = |f: Formula, g: Formula, of_f: bool, of_g: bool| match self.values.at(f, position) {
            Some(known) if known == of_f => self.at(f, of_f, position),
            _ => self.at(g, of_g, position),
        };
        let both = |f: Formula, g: Formula, of_f: bool, of_g: bool| {
            [self.at(f, of_f, position), self.at(g, of_g, position)].concat()
        };
        let known = |f: Formula| self.values.at(f, position).unwrap_or(false);
        match (self.formulas.node(part), value) {
            (Node::True | Node::False | Node::Atom(_), _) => Vec::new(),
            (Node::Not(f), _) => self.at(f, !value, position),
            (Node::And(f, g), true) => both(f, g, true, true),
            (Node::And(f, g), false) => one(f, g, false, false),
            (Node::Or(f, g), true) => one(f, g, true, true),
            (Node::Or(f, g), false) => both(f, g, false, false),
            (Node::Implies(f, g), true) => one(f, g, false, true),
            (Node::Implies(f, g), false) => both(f, g, true, false),
            (Node::Equivalent(f, g), _) => both(f, g, known(f), known(g)),
            (Node::Next(f), _) => {
                self.values.shape().after(position).map_or(Vec::new(), |next| self.at(f, value, next))
            }
            (Node::Always(f), true) | (Node::Eventually(f), false) => self.throughout(f, value, Extent::From(position)),
            (Node::Always(f), false) | (Node::Eventually(f), true) => match self.first(f, value, position) {
                Some(there) => self.at(f, value, there),
                None => Vec::new(),
            },
            (Node::Until(f, g) | Node::WeakUntil(f, g), true) => self.held_up_to(f, g, true, position),
            (Node::Release(f, g) | Node::StrongRelease(f, g), false) => self.held_up_to(f, g, false, position),
            (Node::Until(f, g) | Node::WeakUntil(f, g), false) => self.ended_by(f, g, false, position),
            (Node::Release(f, g) | Node::StrongRelease(f, g), true) => self.ended_by(f, g, true, position),
        }
    }

    /// `g` gets the value at some time, and before that `f` has it; or `f` has it forever.
    fn held_up_to(&self, f: Formula, g: Formula, value: bool, position: usize) -> Vec<Reason> {
        match self.first(g, value, position) {
            Some(there) => [self.before(f, value, position, there), self.at(g, value, there)].concat(),
            None => self.throughout(f, value, Extent::From(position)),
        }
    }

    /// `f` gets the value at some time, and up to and including that time `g` has it; or `g` has it forever.
    fn ended_by(&self, f: Formula, g: Formula, value: bool, position: usize) -> Vec<Reason> {
        match self.first(f, value, position) {
            Some(there) if there == position => [self.at(g, value, there), self.at(f, value, there)].concat(),
            Some(there) => {
                let held = self.throughout(g, value, Extent::Between(position, there));
                [held, self.at(f, value, there)].concat()
            }
            None => self.throughout(g, value, Extent::From(position)),
        }
    }

    /// `f` has the value from one position up to the one before another.
    fn before(&self, f: Formula, value: bool, position: usize, end: usize) -> Vec<Reason> {
        let last = self.values.shape().onward(position).take_while(|&there| there != end).last();
        match last {
            None => Vec::new(),
            Some(last) if last == position => self.at(f, value, position),
            Some(last) => self.throughout(f, value, Extent::Between(position, last)),
        }
    }

    /// The first position, from this one on, at which the part has the value.
    fn first(&self, part: Formula, value: bool, position: usize) -> Option<usize> {
        self.values.shape().onward(position).find(|&there| self.values.at(part, there) == Some(value))
    }
}
