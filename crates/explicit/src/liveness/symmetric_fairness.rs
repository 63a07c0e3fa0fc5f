//! Weak fairness with symmetry reduction: a cycle of canonical states on which every process moves infinitely often, or
//! infinitely often cannot.
//!
//! Paper:    [emerson-sistla97], [gyuris-sistla99]: components of canonical states, together with the permutations on their
//!           edges. [bosnacki03], section 3.2, shows why canonical states alone are not enough.
//! Deviates: nothing is searched but the component. There is a fair cycle in it if in every [class](super::permutation_classes) somebody
//!           moves or cannot move; and if there is none in the whole component, there is none in a part of it, where less happens.

use std::collections::{HashMap, VecDeque};

use super::lasso::{Lasso, stem_to};
use super::marks::Marks;
use super::permutation_classes::{Exchange, PermutationClasses};
use super::product::Product;
use crate::packed::key::Key;
use crate::run::{End, Run};
use crate::store::OutOfMemory;
use crate::store::numbered::Numbered;

/// A fair run through the states of a component that has one, which bears all marks of the automaton.
pub(crate) fn fair_run<const W: usize>(
    product: &mut Product<'_, W>,
    seen: &mut Numbered<W>,
    states: &[Key<W>],
    run: &mut Run<'_, Lasso>,
) -> Result<Lasso, End> {
    let (edges, processes) = edges_between(product, states, run)?;
    let (stem, entry) = stem_to(product, seen, &states.iter().copied().collect(), run)?;
    let entry = states.iter().position(|state| *state == entry).unwrap_or_default();
    let Some(exchanges) = product.exchanges() else { unreachable!("processes are exchanged") };
    let cycle = Component { edges, exchanges, processes }.cycle(entry, product.accepting());
    Ok(Lasso { stem: stem.iter().map(|next| next.event).collect(), cycle })
}

/// A component, written out. Nodes are places in the list of its states.
struct Component<'e> {
    edges: Vec<Vec<Edge>>,
    exchanges: &'e PermutationClasses,
    /// No state has more.
    processes: usize,
}

struct Edge {
    target: usize,
    event: u32,
    marks: Marks,
    exchange: Exchange,
}

/// A process in a state.
type Thread = (usize, u8);

/// The edges between the states of a component, and how many processes there are at most.
fn edges_between<const W: usize>(
    product: &mut Product<'_, W>,
    states: &[Key<W>],
    run: &mut Run<'_, Lasso>,
) -> Result<(Vec<Vec<Edge>>, usize), End> {
    let nodes: HashMap<Key<W>, usize> = states.iter().enumerate().map(|(node, state)| (*state, node)).collect();
    let processes = states.iter().map(|state| usize::from(product.process_count(state))).max().unwrap_or_default();
    // For the way around.
    let mut taken = states.len() * processes * 2 * size_of::<(Thread, Thread)>();
    let mut moves = Vec::new();
    let mut edges = Vec::with_capacity(states.len());
    for state in states {
        run.tick()?;
        // It was expanded before, so that nothing but a lack of memory can be in the way.
        product.expand(state, &run.memory, &mut moves).map_err(|_| OutOfMemory)?;
        let inside = moves.iter().filter_map(|next| {
            let &target = nodes.get(&next.key)?;
            Some(Edge { target, event: next.event, marks: next.marks, exchange: next.exchange })
        });
        let inside: Vec<Edge> = inside.collect();
        taken += size_of_val(&inside[..]);
        edges.push(inside);
        if taken as u64 > run.memory.available() {
            return Err(OutOfMemory.into());
        }
    }
    Ok((edges, processes))
}

impl Component<'_> {
    /// What a process becomes on an edge.
    fn becomes(&self, edge: &Edge, process: u8) -> u8 {
        self.exchanges.image(edge.exchange, process)
    }

    /// Around, so that everybody is served and all marks are met. Where the processes have changed places in the end, it
    /// is so for every other time around, too: nobody is left out, whoever they are.
    fn cycle(&self, entry: usize, marks: Marks) -> Vec<u32> {
        let mut around = Around {
            component: self,
            here: entry,
            now: (0..self.processes as u8).collect(),
            is_served: vec![false; self.processes],
            unmet: marks,
            events: Vec::new(),
        };
        while let Some(waiting) = around.is_served.iter().position(|served| !served) {
            let thread = (around.here, around.now[waiting]);
            let serves = |(_, process): Thread, edge: &Edge| edge.marks.includes(Marks::of_process(process));
            around.go(self.path(thread, serves));
        }
        while !around.unmet.is_empty() {
            let unmet = around.unmet;
            around.go(self.path((around.here, 0), |_, edge| edge.marks.meets(unmet)));
        }
        if around.here != entry || around.events.is_empty() {
            around.go(self.path((around.here, 0), |_, edge| edge.target == entry));
        }
        around.events
    }

    /// A shortest path for a process, of which the last edge is a goal: places among the edges of the nodes. There is one.
    fn path(&self, from: Thread, is_goal: impl Fn(Thread, &Edge) -> bool) -> Vec<usize> {
        let mut reached: HashMap<Thread, (Thread, usize)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(thread) = queue.pop_front() {
            let (node, process) = thread;
            for (place, edge) in self.edges[node].iter().enumerate() {
                if is_goal(thread, edge) {
                    let mut path = vec![place];
                    let mut current = thread;
                    while let Some(&(before, place)) = reached.get(&current) {
                        path.push(place);
                        current = before;
                    }
                    path.reverse();
                    return path;
                }
                let next = (edge.target, self.becomes(edge, process));
                if next != from && !reached.contains_key(&next) {
                    reached.insert(next, (thread, place));
                    queue.push_back(next);
                }
            }
        }
        unreachable!("in a component there is a way from everywhere to everywhere")
    }
}

/// On the way around.
struct Around<'c> {
    component: &'c Component<'c>,
    here: usize,
    /// Who the processes of the entry are now.
    now: Vec<u8>,
    is_served: Vec<bool>,
    unmet: Marks,
    events: Vec<u32>,
}

impl Around<'_> {
    fn go(&mut self, path: Vec<usize>) {
        for place in path {
            let edge = &self.component.edges[self.here][place];
            for (process, is_served) in self.now.iter_mut().zip(&mut self.is_served) {
                *is_served |= edge.marks.includes(Marks::of_process(*process));
                *process = self.component.becomes(edge, *process);
            }
            self.unmet = self.unmet.without(edge.marks);
            self.events.push(edge.event);
            self.here = edge.target;
        }
    }
}
