//! Weak fairness where processes are exchanged: is there a cycle of representatives on which every process moves again and
//! again, or again and again cannot?
//!
//! Paper:    [emerson-sistla97], [gyuris-sistla99]: components of representatives, together with who becomes whom on their
//!           edges. [bosnacki03], section 3.2, tells why representatives alone are not enough.
//! Deviates: nothing is searched but the component. On the way through it, a process becomes now this one, now that one.
//!           What a process may become falls into classes, and since one can always go on and come back, every process of a
//!           class comes to be every other. So there is a fair cycle if in every class somebody moves or cannot move; and
//!           if there is none in the whole component, there is none in a part of it, where less happens.

use std::collections::{HashMap, VecDeque};

use super::lasso::{Lasso, stem_to};
use super::marks::Marks;
use super::product::{Product, STAYS};
use crate::packed::key::Key;
use crate::run::{End, Run};
use crate::store::OutOfMemory;
use crate::store::numbered::Numbered;

/// A fair run through the states of a component, which bears all marks of the automaton, if there is one.
pub(crate) fn fair_run<const W: usize>(
    product: &mut Product<'_, W>,
    seen: &mut Numbered<W>,
    states: &[Key<W>],
    run: &mut Run<'_, Lasso>,
) -> Result<Option<Lasso>, End> {
    let component = Component::new(product, states, run)?;
    if !component.is_fair() {
        return Ok(None);
    }
    let (stem, entry) = stem_to(product, seen, &states.iter().copied().collect(), run)?;
    let entry = states.iter().position(|state| *state == entry).unwrap_or_default();
    let cycle = component.cycle(entry, product.accepting());
    Ok(Some(Lasso { stem: stem.iter().map(|next| next.event).collect(), cycle }))
}

/// A component, written out. Nodes are places in the list of its states.
struct Component {
    edges: Vec<Vec<Edge>>,
    /// By number: which process each process becomes.
    exchanges: Vec<Vec<u8>>,
    /// No state has more.
    processes: usize,
}

struct Edge {
    target: usize,
    event: u32,
    marks: Marks,
    exchange: usize,
}

/// A process in a state.
type Thread = (usize, u8);

impl Component {
    fn new<const W: usize>(
        product: &mut Product<'_, W>,
        states: &[Key<W>],
        run: &mut Run<'_, Lasso>,
    ) -> Result<Component, End> {
        let nodes: HashMap<Key<W>, usize> = states.iter().enumerate().map(|(node, state)| (*state, node)).collect();
        let counts = states.iter().map(|state| usize::from(product.process_count(state)));
        let processes = counts.max().unwrap_or_default();
        let nobody: Vec<u8> = (0..processes as u8).collect();
        let mut numbers = HashMap::from([(nobody.clone(), 0)]);
        let mut component = Component { edges: Vec::with_capacity(states.len()), exchanges: vec![nobody], processes };
        // The classes, and the nodes of a path.
        let mut taken = states.len() * processes * 2 * size_of::<(Thread, Thread)>();
        let mut moves = Vec::new();
        for state in states {
            run.tick()?;
            // It was expanded before, so that nothing but a lack of memory can be in the way.
            let exchanges = product.expand_exchanging(state, &run.memory, &mut moves).map_err(|_| OutOfMemory)?;
            let mut edges = Vec::new();
            for next in &moves {
                let Some(&target) = nodes.get(&next.key) else { continue };
                let exchange = match next.event {
                    STAYS => 0,
                    event => {
                        let images = exchanges[event as usize].images(processes);
                        *numbers.entry(images).or_insert_with_key(|images| {
                            component.exchanges.push(images.clone());
                            component.exchanges.len() - 1
                        })
                    }
                };
                edges.push(Edge { target, event: next.event, marks: next.marks, exchange });
            }
            taken += size_of_val(&edges[..]);
            component.edges.push(edges);
            if taken as u64 > run.memory.available() {
                return Err(OutOfMemory.into());
            }
        }
        Ok(component)
    }

    /// What a process becomes on an edge.
    fn becomes(&self, edge: &Edge, process: u8) -> u8 {
        self.exchanges[edge.exchange][usize::from(process)]
    }

    /// Does somebody of every class move somewhere, or cannot?
    fn is_fair(&self) -> bool {
        let mut classes = Classes::new(self.edges.len() * self.processes);
        let number = |(node, process): Thread| node * self.processes + usize::from(process);
        for (node, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                for process in 0..self.processes as u8 {
                    let class =
                        classes.join(number((node, process)), number((edge.target, self.becomes(edge, process))));
                    classes.is_served[class] |= edge.marks.includes(Marks::of_process(process));
                }
            }
        }
        // Every class comes by the first state.
        (0..self.processes).all(|process| {
            let class = classes.find(process);
            classes.is_served[class]
        })
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
    component: &'c Component,
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

/// Disjoint sets.
struct Classes {
    parents: Vec<u32>,
    is_served: Vec<bool>,
}

impl Classes {
    fn new(count: usize) -> Classes {
        Classes { parents: (0..count as u32).collect(), is_served: vec![false; count] }
    }

    fn find(&mut self, mut member: usize) -> usize {
        while self.parents[member] as usize != member {
            let parent = self.parents[member] as usize;
            self.parents[member] = self.parents[parent];
            member = parent;
        }
        member
    }

    fn join(&mut self, one: usize, other: usize) -> usize {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one] = other as u32;
        self.is_served[other] |= self.is_served[one];
        other
    }
}
