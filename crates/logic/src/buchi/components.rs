//! Strongly connected components and what their cycles accept.

use super::automaton::{Edge, Marks, StateId, Tgba};
use crate::strong_components::strong_components;

/// What the cycles of a component are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One state without a loop.
    Trivial,
    /// No cycle is accepting.
    Rejecting,
    /// Every cycle is accepting.
    Accepting,
    /// Some are and some are not.
    Mixed,
}

/// The strongly connected components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each state. An edge never leads to a component with a higher number.
    of: Vec<usize>,
    count: usize,
}

impl Components {
    /// The components of an automaton's graph.
    pub fn of(automaton: &Tgba) -> Components {
        Self::of_part(automaton, |_, _| true)
    }

    /// The components of the graph in which only some edges exist.
    pub fn of_part(automaton: &Tgba, keep: impl Fn(StateId, &Edge) -> bool) -> Components {
        let keep = &keep;
        let successors = |state: usize| {
            let state = StateId::of(state);
            let kept = automaton.edges_of(state).iter().rev().filter(move |edge| keep(state, edge));
            kept.map(|edge| edge.target.index())
        };
        Self::of_graph(automaton.state_count(), successors)
    }

    /// The components of any graph with these many nodes.
    pub(crate) fn of_graph<S: IntoIterator<Item = usize>>(nodes: usize, successors: impl Fn(usize) -> S) -> Components {
        let mut components = Components { of: vec![usize::MAX; nodes], count: 0 };
        strong_components(nodes, 0..nodes, successors, |members| {
            members.iter().for_each(|member| components.of[*member] = components.count);
            components.count += 1;
        });
        components
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a state's component.
    pub fn component(&self, state: StateId) -> usize {
        self.of[state.index()]
    }

    pub(crate) fn of_node(&self, node: usize) -> usize {
        self.of[node]
    }

    /// Whether an edge stays within a component.
    pub fn is_internal(&self, source: StateId, edge: &Edge) -> bool {
        self.component(source) == self.component(edge.target)
    }

    /// What the cycles of each component are like.
    pub fn kinds(&self, automaton: &Tgba) -> Vec<Kind> {
        let seen = self.marks_within(automaton, |_, _| true);
        let mut rejects = vec![false; self.count];
        for set in 0..automaton.sets {
            let misses = |source: StateId, edge: &Edge| self.is_internal(source, edge) && !edge.marks.contains(set);
            let part = Components::of_part(automaton, misses);
            for state in automaton.states() {
                let loops = |edge: &Edge| misses(state, edge) && part.is_internal(state, edge);
                rejects[self.component(state)] |= automaton.edges_of(state).iter().any(loops);
            }
        }
        let kind = |(seen, rejects): (&Option<Marks>, bool)| match seen {
            None => Kind::Trivial,
            Some(seen) if !seen.includes(automaton.all_marks()) => Kind::Rejecting,
            Some(_) if rejects => Kind::Mixed,
            Some(_) => Kind::Accepting,
        };
        seen.iter().zip(rejects).map(kind).collect()
    }

    /// The marks of the edges within each component, of those that are kept; nothing if there is no such edge.
    pub(crate) fn marks_within(&self, automaton: &Tgba, keep: impl Fn(StateId, &Edge) -> bool) -> Vec<Option<Marks>> {
        let mut seen = vec![None; self.count];
        for state in automaton.states() {
            for edge in automaton.edges_of(state) {
                if self.is_internal(state, edge) && keep(state, edge) {
                    let marks: &mut Option<Marks> = &mut seen[self.component(state)];
                    *marks = Some(marks.unwrap_or_default().union(edge.marks));
                }
            }
        }
        seen
    }
}
