//! From generalised to state-based acceptance: waiting for one acceptance set after the other.
//!
//! Papers:   [gastin-oddoux01] section 5, skipping levels; [babiak-et-al13], what components allow.
//! A state is copied once for each level it is entered on: level i waits for the i-th set in some order, and the last
//! level, on which all have been seen, is accepting and starts anew.
//!
//! * Between components the level is free: a copy that exists already is entered, if there is one.
//! * If every edge of a state within its component is in the set that is waited for, there is no need to wait.

use std::collections::HashMap;

use super::automaton::{Buchi, Edge, Marks, StateId, Tgba};
use super::components::Components;

/// The automaton with state-based acceptance that waits for the sets in this order.
pub(crate) fn degeneralized(automaton: &Tgba, order: &[u32]) -> Buchi {
    let levels = Levels::new(automaton, order);
    let mut copies = Copies::default();
    let start = levels.settled(automaton.initial, 0);
    copies.number((automaton.initial, start));
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < copies.list.len() {
        let (state, level) = copies.list[edges.len()];
        let row = automaton.edges_of(state).iter().map(|edge| {
            let target = if levels.components.is_internal(state, edge) {
                (edge.target, levels.settled(edge.target, levels.after(level, edge.marks)))
            } else {
                copies.any_of(edge.target).unwrap_or((edge.target, levels.settled(edge.target, 0)))
            };
            Edge { guard: edge.guard.clone(), marks: Marks::NONE, target: copies.number(target) }
        });
        edges.push(row.collect());
    }
    let accepting = copies.list.iter().map(|&(_, level)| level == order.len()).collect();
    let mut copied = Tgba { propositions: automaton.propositions.clone(), sets: 0, initial: StateId(0), edges };
    copied.join_parallel_edges();
    Buchi::new(copied, accepting)
}

type Copy = (StateId, usize);

#[derive(Default)]
struct Copies {
    numbers: HashMap<Copy, StateId>,
    list: Vec<Copy>,
    of_state: HashMap<StateId, Copy>,
}

impl Copies {
    fn number(&mut self, copy: Copy) -> StateId {
        let next = StateId::of(self.list.len());
        *self.numbers.entry(copy).or_insert_with(|| {
            self.list.push(copy);
            self.of_state.entry(copy.0).or_insert(copy);
            next
        })
    }

    fn any_of(&self, state: StateId) -> Option<Copy> {
        self.of_state.get(&state).copied()
    }
}

struct Levels<'a> {
    components: Components,
    order: &'a [u32],
    /// The sets that all edges of a state within its component are in; none if there is no such edge.
    common: Vec<Marks>,
}

impl<'a> Levels<'a> {
    fn new(automaton: &Tgba, order: &'a [u32]) -> Self {
        let components = Components::of(automaton);
        let common = |state: StateId| {
            let internal = automaton.edges_of(state).iter().filter(|edge| components.is_internal(state, edge));
            internal.map(|edge| edge.marks.0).reduce(|all, marks| all & marks).map_or(Marks::NONE, Marks)
        };
        let common = automaton.states().map(common).collect();
        Levels { components, order, common }
    }

    /// The level after an edge with these marks.
    fn after(&self, level: usize, marks: Marks) -> usize {
        let start = if level == self.order.len() { 0 } else { level };
        self.skip(start, marks)
    }

    /// The level on which a state is entered, if the way there led to this one.
    fn settled(&self, state: StateId, level: usize) -> usize {
        self.skip(level, self.common[state.index()])
    }

    fn skip(&self, level: usize, marks: Marks) -> usize {
        level + self.order[level..].iter().take_while(|&&set| marks.contains(set)).count()
    }
}
