//! Automata over infinite words as plain data.

use super::guard::Guard;
use crate::prop::{Prop, Valuation};

/// The number of a state: 0, 1, 2, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn of(index: usize) -> StateId {
        StateId(index as u32)
    }
}

/// A set of acceptance sets, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u64);

/// How many acceptance sets an automaton can have.
pub const MAX_SETS: u32 = 64;

impl Marks {
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// One set alone.
    pub fn one(set: u32) -> Marks {
        Marks(1 << set)
    }

    /// The sets 0 to n - 1.
    pub fn first(n: u32) -> Marks {
        Marks(if n >= MAX_SETS { u64::MAX } else { (1 << n) - 1 })
    }

    /// Whether a set is among them.
    pub fn contains(self, set: u32) -> bool {
        self.0 >> set & 1 == 1
    }

    /// Whether all of the others are among them.
    pub fn includes(self, other: Marks) -> bool {
        other.0 & !self.0 == 0
    }

    /// These and the others.
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// These but not the others.
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// The numbers of the sets, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |&set| self.contains(set))
    }
}

/// A transition: taken when its guard holds, it is in the acceptance sets it is marked with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// When it can be taken.
    pub guard: Guard,
    /// The acceptance sets it is in.
    pub marks: Marks,
    /// Where it leads.
    pub target: StateId,
}

/// A transition-based generalised Büchi automaton: a run is accepted if it takes edges of every acceptance set
/// infinitely often. With no sets, every infinite run is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tgba {
    /// The propositions that guards speak of, by their places. At most [`crate::prop::MAX_PROPOSITIONS`].
    pub propositions: Vec<Prop>,
    /// How many acceptance sets there are. At most [`MAX_SETS`].
    pub sets: u32,
    /// Where every run starts.
    pub initial: StateId,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
}

impl Tgba {
    /// The automaton that accepts nothing.
    pub fn empty(propositions: Vec<Prop>) -> Tgba {
        Tgba { propositions, sets: 0, initial: StateId(0), edges: vec![Vec::new()] }
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.edges.len()).map(StateId::of)
    }

    /// The edges that leave a state.
    pub fn edges_of(&self, state: StateId) -> &[Edge] {
        &self.edges[state.index()]
    }

    /// The edges that can be taken when just these propositions are true.
    pub fn successors(&self, state: StateId, valuation: Valuation) -> impl Iterator<Item = &Edge> {
        self.edges_of(state).iter().filter(move |edge| edge.guard.is_satisfied(valuation))
    }

    /// Marks of all sets.
    pub fn all_marks(&self) -> Marks {
        Marks::first(self.sets)
    }

    /// Whether no two edges of a state can be taken at once.
    pub fn is_deterministic(&self) -> bool {
        self.edges.iter().all(|edges| {
            let pairs =
                edges.iter().enumerate().flat_map(|(at, edge)| edges[..at].iter().map(move |other| (edge, other)));
            pairs.into_iter().all(|(edge, other)| !edge.guard.meets(&other.guard))
        })
    }

    /// Whether every state has an edge for every valuation.
    pub fn is_complete(&self) -> bool {
        self.edges.iter().all(|edges| Guard::truth(true).implies_one_of(edges.iter().map(|edge| &edge.guard)))
    }

    /// Edges of a state that differ only in their guards become one.
    pub(crate) fn join_parallel_edges(&mut self) {
        for edges in &mut self.edges {
            edges.sort_by_key(|edge| (edge.target, edge.marks));
            let mut joined: Vec<Edge> = Vec::with_capacity(edges.len());
            for edge in edges.drain(..).filter(|edge| !edge.guard.is_false()) {
                match joined.last_mut() {
                    Some(last) if (last.target, last.marks) == (edge.target, edge.marks) => {
                        last.guard = last.guard.or(&edge.guard);
                    }
                    _ => joined.push(edge),
                }
            }
            *edges = joined;
        }
    }

    /// Only some of the states, numbered anew. The initial one must be among them.
    pub(crate) fn restricted(&self, keep: &[bool]) -> Tgba {
        let mut number = vec![None; self.state_count()];
        for (count, state) in (0..self.state_count()).filter(|&state| keep[state]).enumerate() {
            number[state] = Some(StateId::of(count));
        }
        let kept = |edge: &Edge| Some(Edge { target: number[edge.target.index()]?, ..edge.clone() });
        let rows = self.edges.iter().enumerate().filter(|(state, _)| keep[*state]);
        let edges = rows.map(|(_, edges)| edges.iter().filter_map(kept).collect()).collect();
        let initial = number[self.initial.index()].unwrap_or(StateId(0));
        Tgba { propositions: self.propositions.clone(), sets: self.sets, initial, edges }
    }
}

/// A state-based Büchi automaton: a run is accepted if it visits accepting states infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    tgba: Tgba,
    accepting: Vec<bool>,
}

impl Buchi {
    /// The automaton with these edges, whose marks do not matter, and accepting states.
    pub fn new(mut edges_of: Tgba, accepting: Vec<bool>) -> Buchi {
        assert_eq!(edges_of.state_count(), accepting.len(), "every state is accepting or not");
        edges_of.sets = 1;
        for (edges, &accepting) in edges_of.edges.iter_mut().zip(&accepting) {
            let marks = if accepting { Marks::one(0) } else { Marks::NONE };
            edges.iter_mut().for_each(|edge| edge.marks = marks);
        }
        Buchi { tgba: edges_of, accepting }
    }

    /// The same automaton with acceptance on edges: those that leave accepting states are in the one set.
    pub fn as_tgba(&self) -> &Tgba {
        &self.tgba
    }

    /// The propositions that guards speak of, by their places.
    pub fn propositions(&self) -> &[Prop] {
        &self.tgba.propositions
    }

    /// Where every run starts.
    pub fn initial(&self) -> StateId {
        self.tgba.initial
    }

    /// Whether a state is accepting.
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.tgba.state_count()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.tgba.edge_count()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        self.tgba.states()
    }

    /// The edges that leave a state.
    pub fn edges_of(&self, state: StateId) -> &[Edge] {
        self.tgba.edges_of(state)
    }

    /// The edges that can be taken when just these propositions are true.
    pub fn successors(&self, state: StateId, valuation: Valuation) -> impl Iterator<Item = &Edge> {
        self.tgba.successors(state, valuation)
    }
}
