//! Strongly connected components and what their cycles accept.
//!
//! Paper: [tarjan72], with a stack of our own instead of recursion.

use super::automaton::{Edge, Marks, StateId, Tgba};

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
        let successors = |state: usize| {
            let state = StateId::of(state);
            let kept = automaton.edges_of(state).iter().filter(|edge| keep(state, edge));
            kept.map(|edge| edge.target.index()).collect()
        };
        Self::of_graph(automaton.state_count(), successors)
    }

    /// The components of any graph with these many nodes.
    pub(crate) fn of_graph(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Components {
        let mut tarjan = Tarjan {
            index: vec![usize::MAX; nodes],
            low: vec![0; nodes],
            stack: Vec::new(),
            next_index: 0,
            components: Components { of: vec![usize::MAX; nodes], count: 0 },
        };
        for root in 0..nodes {
            if tarjan.index[root] == usize::MAX {
                tarjan.visit(root, &successors);
            }
        }
        tarjan.components
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

struct Tarjan {
    index: Vec<usize>,
    low: Vec<usize>,
    stack: Vec<usize>,
    next_index: usize,
    components: Components,
}

/// One activation record of the paper's recursion.
struct Frame {
    node: usize,
    successors: Vec<usize>,
}

impl Tarjan {
    fn visit(&mut self, root: usize, successors: &impl Fn(usize) -> Vec<usize>) {
        let mut frames = vec![self.enter(root, successors)];
        while let Some(frame) = frames.last_mut() {
            let node = frame.node;
            match frame.successors.pop() {
                Some(next) if self.index[next] == usize::MAX => {
                    let entered = self.enter(next, successors);
                    frames.push(entered);
                }
                Some(next) if self.components.of[next] == usize::MAX => {
                    self.low[node] = self.low[node].min(self.index[next]);
                }
                Some(_) => {}
                None => {
                    frames.pop();
                    self.leave(node);
                    if let Some(caller) = frames.last() {
                        self.low[caller.node] = self.low[caller.node].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize, successors: &impl Fn(usize) -> Vec<usize>) -> Frame {
        self.index[node] = self.next_index;
        self.low[node] = self.next_index;
        self.next_index += 1;
        self.stack.push(node);
        Frame { node, successors: successors(node) }
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.components.of[member] = self.components.count;
            if member == node {
                break;
            }
        }
        self.components.count += 1;
    }
}
