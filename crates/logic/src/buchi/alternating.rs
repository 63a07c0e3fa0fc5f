//! From a formula to a very weak alternating automaton.
//!
//! Paper:    [gastin-oddoux01] section 3. The states are subformulas; a move reads a cube and goes on to a set of
//!           subformulas that must all hold next.
//! Deviates: a disjunction under `X` stays one state instead of being split into a choice, which leaves less
//!           nondeterminism. That an until put off its right side is noted on the move, as in [couvreur99], so that
//!           acceptance needs no second look at the target.

use std::collections::{BTreeSet, HashMap};

use super::automaton::{MAX_SETS, Marks};
use super::guard::Cube;
use super::translate::{Limits, TranslateError};
use crate::ltl::{Formula, Formulas, Node};
use crate::prop::{MAX_PROPOSITIONS, Prop};

/// One way to satisfy a formula, or several together: what must be true now, what must hold next, and which untils were
/// put off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Move {
    pub cube: Cube,
    /// A conjunction, in ascending order.
    pub next: Vec<Formula>,
    pub postponed: Marks,
}

impl Move {
    const NOTHING: Move = Move { cube: Cube::TRUE, next: Vec::new(), postponed: Marks::NONE };

    /// Whether every word that can take the other move can take this one and is then left with no more to satisfy.
    fn dominates(&self, other: &Move) -> bool {
        other.cube.implies(self.cube)
            && other.postponed.includes(self.postponed)
            && self.next.len() <= other.next.len()
            && self.next.iter().all(|formula| other.next.binary_search(formula).is_ok())
    }
}

/// The alternating automaton of a formula in negation normal form.
pub(crate) struct Alternating {
    moves: HashMap<Formula, Vec<Move>>,
    /// For formulas that say of this moment all that another one says: which ones need not stand beside them.
    absorbed: HashMap<Formula, Vec<Formula>>,
    /// How many formulas can be put off.
    pub untils: u32,
    pub initial: Vec<Formula>,
    limit: usize,
}

impl Alternating {
    /// `propositions` gives every atom its place.
    pub fn of(
        formulas: &Formulas,
        formula: Formula,
        propositions: &[Prop],
        limits: &Limits,
    ) -> Result<Alternating, TranslateError> {
        if propositions.len() > MAX_PROPOSITIONS {
            return Err(TranslateError::TooManyPropositions(propositions.len()));
        }
        let parts = formulas.parts(formula);
        let is_until = |node| matches!(node, Node::Until(..) | Node::Eventually(_) | Node::StrongRelease(..));
        let untils = parts.iter().copied().filter(|&part| is_until(formulas.node(part))).collect::<Vec<Formula>>();
        if untils.len() > MAX_SETS as usize {
            return Err(TranslateError::TooManySets(untils.len()));
        }
        let mut automaton = Alternating {
            moves: HashMap::new(),
            absorbed: absorbed(formulas, &parts),
            untils: untils.len() as u32,
            initial: conjuncts(formulas, formula),
            limit: limits.moves,
        };
        for part in parts {
            let own_set = untils.binary_search(&part).map_or(Marks::NONE, |set| Marks::one(set as u32));
            let moves = automaton.moves_of(formulas, part, propositions, own_set)?;
            automaton.moves.insert(part, moves);
        }
        Ok(automaton)
    }

    /// All moves of a conjunction but those that another one makes superfluous.
    pub fn conjunction(&self, formulas: &[Formula]) -> Result<Vec<Move>, TranslateError> {
        formulas.iter().try_fold(vec![Move::NOTHING], |moves, formula| self.both(&moves, &self.moves[formula]))
    }

    /// The transition function of the paper. `own_set` is the formula's own acceptance set if it can be put off.
    fn moves_of(
        &self,
        formulas: &Formulas,
        formula: Formula,
        propositions: &[Prop],
        own_set: Marks,
    ) -> Result<Vec<Move>, TranslateError> {
        let place = |prop: Prop| propositions.binary_search(&prop).unwrap_or_default();
        let literal = |prop, value| vec![Move { cube: Cube::literal(place(prop), value), ..Move::NOTHING }];
        let again = [Move { next: vec![formula], postponed: own_set, ..Move::NOTHING }];
        let moves = |f: Formula| self.moves[&f].as_slice();
        Ok(match formulas.node(formula) {
            Node::True => vec![Move::NOTHING],
            Node::False => Vec::new(),
            Node::Atom(prop) => literal(prop, true),
            Node::Not(operand) => match formulas.node(operand) {
                Node::Atom(prop) => literal(prop, false),
                _ => unreachable!("the formula is in negation normal form"),
            },
            Node::Implies(..) | Node::Equivalent(..) => unreachable!("the formula is in negation normal form"),
            Node::And(f, g) => self.both(moves(f), moves(g))?,
            Node::Or(f, g) => either(moves(f), moves(g)),
            Node::Next(f) if formulas.node(f) == Node::False => Vec::new(),
            Node::Next(f) => vec![Move { next: self.tidy(conjuncts(formulas, f)), ..Move::NOTHING }],
            Node::Always(f) => self.both(moves(f), &again)?,
            Node::Eventually(f) => either(moves(f), &again),
            Node::Until(f, g) | Node::WeakUntil(f, g) => either(moves(g), &self.both(moves(f), &again)?),
            Node::Release(f, g) | Node::StrongRelease(f, g) => self.both(moves(g), &either(moves(f), &again))?,
        })
    }

    fn both(&self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, TranslateError> {
        let mut moves = Vec::new();
        for (first, second) in left.iter().flat_map(|first| right.iter().map(move |second| (first, second))) {
            let Some(cube) = first.cube.and(second.cube) else { continue };
            let next: BTreeSet<Formula> = first.next.iter().chain(&second.next).copied().collect();
            let next = self.tidy(next.into_iter().collect());
            moves.push(Move { cube, next, postponed: first.postponed.union(second.postponed) });
            if moves.len() > self.limit {
                moves = undominated(moves);
                if moves.len() > self.limit / 2 {
                    return Err(TranslateError::TooLarge { what: "edges of one state", limit: self.limit });
                }
            }
        }
        Ok(undominated(moves))
    }

    /// A conjunction without what others in it say anyway.
    ///
    /// `[] f` has the moves of f, each with `[] f` again. Beside it f adds nothing: taking the same move for both gives
    /// the moves of `[] f`, and these dominate all others. So both conjunctions have the same moves.
    fn tidy(&self, mut conjunction: Vec<Formula>) -> Vec<Formula> {
        let said: Vec<Formula> =
            conjunction.iter().flat_map(|formula| self.absorbed.get(formula).into_iter().flatten()).copied().collect();
        if !said.is_empty() {
            conjunction.retain(|formula| !said.contains(formula));
        }
        conjunction
    }
}

/// What `[] f`, `g V f` and `g M f` say of this moment: the conjuncts of f.
fn absorbed(formulas: &Formulas, parts: &[Formula]) -> HashMap<Formula, Vec<Formula>> {
    let operand = |part: Formula| match formulas.node(part) {
        Node::Always(f) | Node::Release(_, f) | Node::StrongRelease(_, f) => Some((part, conjuncts(formulas, f))),
        _ => None,
    };
    parts.iter().copied().filter_map(operand).collect()
}

/// The operands of nested conjunctions, in ascending order. The empty conjunction is true.
fn conjuncts(formulas: &Formulas, formula: Formula) -> Vec<Formula> {
    let mut found = BTreeSet::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formulas.node(formula) {
            Node::And(f, g) => open.extend([f, g]),
            Node::True => {}
            _ => {
                found.insert(formula);
            }
        }
    }
    found.into_iter().collect()
}

fn either(left: &[Move], right: &[Move]) -> Vec<Move> {
    undominated(left.iter().chain(right).cloned().collect())
}

fn undominated(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves.dedup();
    let superfluous = |candidate: &Move| moves.iter().any(|other| other != candidate && other.dominates(candidate));
    moves.iter().filter(|candidate| !superfluous(candidate)).cloned().collect()
}
