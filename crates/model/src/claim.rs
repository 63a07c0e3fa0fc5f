//! Properties of infinite runs, as automata that accept the runs that break them.

use std::collections::{HashSet, VecDeque};

use reductio_logic::buchi::{Cube, Edge, Guard, Marks, StateId, Tgba};
use reductio_logic::ltl::{Formula, Formulas};
use reductio_logic::{MAX_PROPOSITIONS, Prop};

use crate::model::{AtomId, Position};
use crate::property::PropertyKind;

/// A property that is broken by the runs that an automaton accepts. A run that ends stays in its last state forever,
/// unless the claim is about infinite runs only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The name by which `--property` and reports know it.
    pub name: String,
    pub kind: PropertyKind,
    /// How it reads: the formula, or what the text says otherwise.
    pub text: String,
    /// Where it is declared; `None` for what the user asked for outside the model's text.
    pub position: Option<Position>,
    /// Does a run that ends break nothing? One that ends outside a progress state is no cycle without progress: as for
    /// SPIN, it is a deadlock or nothing.
    pub of_infinite_runs_only: bool,
    /// What it was before it was an automaton.
    pub origin: Origin,
    pub violations: Automaton,
    /// It makes no difference how long a state lasts, as far as is known.
    pub stutters: bool,
    /// What it is made of: the order matters in which the atoms of one part change, not that of different parts. With no
    /// parts, all atoms are one.
    pub parts: Vec<Vec<AtomId>>,
}

/// Where a claim comes from: needed by those who explain a verdict, or confirm it by another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A formula that every run is to satisfy; its proposition `i` is atom `i` of the model.
    Formula { formulas: Formulas, formula: Formula },
    /// A never claim, with what the user calls the places that the automaton's states are.
    Never { states: Vec<String> },
    /// Labels in the processes.
    Labels,
}

impl Claim {
    /// Its atoms, as one part or several.
    pub fn parts(&self) -> Vec<Vec<AtomId>> {
        if self.parts.is_empty() { vec![self.violations.atoms()] } else { self.parts.clone() }
    }
}

/// A transition-based generalised Büchi automaton that reads the states of a run: it accepts a run if it can take
/// edges of every acceptance set infinitely often. With no sets, it accepts whatever it can read forever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    pub initial: u32,
    /// How many acceptance sets there are, at most [`Automaton::MAX_SETS`].
    pub sets: u32,
    /// The edges of each state, in the order in which they are tried.
    pub edges: Vec<Vec<ClaimEdge>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEdge {
    /// Taken only in states where all of these hold.
    pub guard: Vec<Literal>,
    /// The acceptance sets it is in, as bits.
    pub marks: u32,
    pub target: u32,
}

/// An atom that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    pub atom: AtomId,
    pub value: bool,
}

impl Automaton {
    pub const MAX_SETS: u32 = 32;

    /// All acceptance sets, as bits.
    pub fn all_marks(&self) -> u32 {
        if self.sets >= Automaton::MAX_SETS { u32::MAX } else { (1 << self.sets) - 1 }
    }

    /// The atoms that its guards speak of, each once, in order.
    pub fn atoms(&self) -> Vec<AtomId> {
        let literals = self.edges.iter().flatten().flat_map(|edge| &edge.guard);
        let mut atoms: Vec<AtomId> = literals.map(|literal| literal.atom).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The same automaton as the logic knows it: its propositions are the atoms, in order. `None` if it has too many.
    pub fn tgba(&self) -> Option<Tgba> {
        let atoms = self.atoms();
        let place = |atom: AtomId| atoms.binary_search(&atom).ok();
        let edge = |edge: &ClaimEdge| {
            let literals =
                edge.guard.iter().filter_map(|literal| Some(Cube::literal(place(literal.atom)?, literal.value)));
            let guard = literals.fold(Guard::truth(true), |guard, literal| guard.and(&Guard::from(literal)));
            Edge { guard, marks: Marks(u64::from(edge.marks)), target: StateId(edge.target) }
        };
        (atoms.len() <= MAX_PROPOSITIONS).then(|| Tgba {
            propositions: atoms.iter().map(|atom| Prop(atom.0)).collect(),
            sets: self.sets,
            initial: StateId(self.initial),
            edges: self.edges.iter().map(|edges| edges.iter().map(edge).collect()).collect(),
        })
    }

    /// Is every word accepted from a state on? It is if the state has an edge back to itself that is in all sets and can
    /// always be taken. (There may be other states of which this is true, too.)
    pub fn accepts_all_from(&self, state: u32) -> bool {
        let stays = |edge: &ClaimEdge| edge.target == state && edge.guard.is_empty() && edge.marks == self.all_marks();
        self.edges[state as usize].iter().any(stays)
    }

    /// Is a word that is accepted accepted for how it begins? Then there is no accepting cycle but where it
    /// [accepts all](Automaton::accepts_all_from).
    pub fn decides_early(&self) -> bool {
        let states = self.edges.len() as u32;
        let goes_on = |state: u32| !self.accepts_all_from(state);
        (0..states).filter(|&state| goes_on(state)).all(|state| {
            // The states on cycles through this one, and the marks of the edges between them.
            let ahead = self.reachable(&[state], goes_on);
            let with_way_back = |other: &u32| self.reachable(&[*other], goes_on).contains(&state);
            let component: HashSet<u32> = ahead.iter().copied().filter(with_way_back).collect();
            let inside = component.iter().flat_map(|&from| &self.edges[from as usize]);
            let mut marks = inside.filter(|edge| component.contains(&edge.target)).map(|edge| edge.marks).peekable();
            marks.peek().is_none() || marks.fold(0, |all, marks| all | marks) != self.all_marks()
        })
    }

    /// The states ahead of some that the function lets pass, after one edge or more.
    fn reachable(&self, from: &[u32], passes: impl Fn(u32) -> bool) -> HashSet<u32> {
        let mut reached = HashSet::new();
        let mut open = from.to_vec();
        while let Some(state) = open.pop() {
            let targets = self.edges[state as usize].iter().map(|edge| edge.target);
            open.extend(targets.filter(|&target| passes(target) && reached.insert(target)));
        }
        reached
    }

    /// Is every word accepted that begins with these `count` letters, because the automaton can be in a state where it
    /// [accepts all](Automaton::accepts_all_from) when it has read them?
    pub fn has_decided(&self, count: usize, holds: impl Fn(AtomId, usize) -> bool) -> bool {
        self.decided_in(count, holds).is_some()
    }

    /// The state in which the automaton can be when it has read these `count` letters and in which it
    /// [accepts all](Automaton::accepts_all_from).
    pub fn decided_in(&self, count: usize, holds: impl Fn(AtomId, usize) -> bool) -> Option<u32> {
        let mut current = vec![false; self.edges.len()];
        current[self.initial as usize] = true;
        for position in 0..count {
            let mut next = vec![false; self.edges.len()];
            for (edges, _) in self.edges.iter().zip(&current).filter(|(_, is_current)| **is_current) {
                for edge in edges.iter().filter(|edge| is_enabled(edge, |atom| holds(atom, position))) {
                    next[edge.target as usize] = true;
                }
            }
            current = next;
        }
        (0..)
            .zip(current)
            .find(|&(state, is_current)| is_current && self.accepts_all_from(state))
            .map(|(state, _)| state)
    }

    /// Does it accept the word whose letters are the `count` positions of a run, after the last of which the run goes
    /// on at position `back`? `holds` tells whether an atom holds at a position.
    ///
    /// This is how what a search found is confirmed: by another way than the search's, and simply. Whatever cannot go on
    /// to an edge of each set, staying among what is left, is dropped until nothing changes. What is left is good.
    pub fn accepts(&self, count: usize, back: usize, holds: impl Fn(AtomId, usize) -> bool) -> bool {
        self.read(count, back, holds).good.contains(&true)
    }

    /// States from which marked edges are taken infinitely often, on one way to accept the word, each with the position
    /// that is read there. Empty if it is not accepted.
    pub fn visits(&self, count: usize, back: usize, holds: impl Fn(AtomId, usize) -> bool) -> Vec<(u32, usize)> {
        let Reading { graph, good } = self.read(count, back, holds);
        let mut sources: Vec<usize> = Vec::new();
        let mut here = good.iter().position(|&good| good);
        while let Some(start) = here {
            let Some((source, target)) = nearest_marked_edge(&graph, &good, start) else { break };
            if let Some(first) = sources.iter().position(|&known| known == source) {
                sources.drain(..first);
                break;
            }
            sources.push(source);
            here = Some(target);
        }
        sources.iter().map(|source| ((source / count) as u32, source % count)).collect()
    }

    /// All ways to read a word.
    fn read(&self, count: usize, back: usize, holds: impl Fn(AtomId, usize) -> bool) -> Reading {
        let states = self.edges.len();
        let node = |state: u32, position: usize| state as usize * count + position;
        let mut graph: Vec<Vec<(usize, u32)>> = vec![Vec::new(); states * count];
        for (state, edges) in (0..).zip(&self.edges) {
            for position in 0..count {
                let next = if position + 1 < count { position + 1 } else { back };
                let enabled = |edge: &&ClaimEdge| is_enabled(edge, |atom| holds(atom, position));
                let onward = edges.iter().filter(enabled).map(|edge| (node(edge.target, next), edge.marks));
                graph[node(state, position)] = onward.collect();
            }
        }
        let mut backwards: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
        for (source, edges) in graph.iter().enumerate() {
            edges.iter().for_each(|&(target, _)| backwards[target].push(source));
        }
        let mut left = vec![true; graph.len()];
        loop {
            let before = left.clone();
            drop_dead_ends(&mut left, &graph, &backwards);
            for wanted in (0..self.sets).map(|set| 1 << set) {
                let is_wanted = |&(target, marks): &(usize, u32)| left[target] && marks & wanted == wanted;
                let sources = (0..graph.len()).filter(|&source| left[source] && graph[source].iter().any(is_wanted));
                let sources: Vec<usize> = sources.collect();
                left = reachable(&backwards, sources, |node| left[node]);
            }
            if left == before {
                break;
            }
        }
        let onward: Vec<Vec<usize>> =
            graph.iter().map(|edges| edges.iter().map(|&(target, _)| target).collect()).collect();
        let reached = reachable(&onward, [node(self.initial, 0)], |_| true);
        let good = left.iter().zip(reached).map(|(left, reached)| *left && reached).collect();
        Reading { graph, good }
    }
}

/// The ways in which an automaton can read a word: the nodes are its states at each position.
struct Reading {
    graph: Vec<Vec<(usize, u32)>>,
    /// Can it come to a node, and accept from there on?
    good: Vec<bool>,
}

/// The first edge with a mark, over good nodes, on a shortest way from one of them: its source and its target.
fn nearest_marked_edge(graph: &[Vec<(usize, u32)>], good: &[bool], start: usize) -> Option<(usize, usize)> {
    let mut reached = HashSet::from([start]);
    let mut pending = VecDeque::from([start]);
    while let Some(node) = pending.pop_front() {
        let onward = graph[node].iter().filter(|(target, _)| good[*target]);
        for &(target, marks) in onward {
            if marks != 0 {
                return Some((node, target));
            }
            if reached.insert(target) {
                pending.push_back(target);
            }
        }
    }
    None
}

fn is_enabled(edge: &ClaimEdge, holds: impl Fn(AtomId) -> bool) -> bool {
    edge.guard.iter().all(|literal| holds(literal.atom) == literal.value)
}

/// Drops nodes from which no edge leads to one that is left, and those that then have none, and so on.
fn drop_dead_ends(left: &mut [bool], graph: &[Vec<(usize, u32)>], backwards: &[Vec<usize>]) {
    let mut pending: Vec<usize> = (0..graph.len()).collect();
    while let Some(node) = pending.pop() {
        if left[node] && !graph[node].iter().any(|&(target, _)| left[target]) {
            left[node] = false;
            pending.extend(&backwards[node]);
        }
    }
}

/// The nodes that can be reached from some, themselves included, over nodes that are allowed.
fn reachable(
    graph: &[Vec<usize>],
    from: impl IntoIterator<Item = usize>,
    is_allowed: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    let mut pending: Vec<usize> = from.into_iter().collect();
    while let Some(node) = pending.pop() {
        if is_allowed(node) && !std::mem::replace(&mut reached[node], true) {
            pending.extend(&graph[node]);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: AtomId = AtomId(0);
    const Q: AtomId = AtomId(1);

    fn edge(guard: &[(AtomId, bool)], marks: u32, target: u32) -> ClaimEdge {
        let guard = guard.iter().map(|&(atom, value)| Literal { atom, value }).collect();
        ClaimEdge { guard, marks, target }
    }

    /// Is the word accepted whose letters say whether `p` and `q` hold?
    fn accepts(automaton: &Automaton, letters: &[(bool, bool)], back: usize) -> bool {
        automaton.accepts(letters.len(), back, |atom, position| match atom {
            P => letters[position].0,
            _ => letters[position].1,
        })
    }

    #[test]
    fn every_set_must_be_met_again_and_again() {
        let edges = vec![vec![
            edge(&[(P, true), (Q, false)], 0b01, 0),
            edge(&[(P, false), (Q, true)], 0b10, 0),
            edge(&[(P, false), (Q, false)], 0, 0),
        ]];
        let both = Automaton { initial: 0, sets: 2, edges };
        assert_eq!(both.atoms(), [P, Q]);
        let (p, q, none) = ((true, false), (false, true), (false, false));
        assert!(accepts(&both, &[p, q], 0));
        assert!(accepts(&both, &[none, none, p, none, q], 2));
        assert!(!accepts(&both, &[p, q, p], 2), "q only once");
        assert!(!accepts(&both, &[p, q, none], 2));
        assert!(!accepts(&both, &[p, (true, true), q], 0), "nothing can read both at once");
    }

    #[test]
    fn a_run_may_guess_when_the_cycle_begins() {
        // Finally always p.
        let edges = vec![vec![edge(&[], 0, 0), edge(&[(P, true)], 1, 1)], vec![edge(&[(P, true)], 1, 1)]];
        let automaton = Automaton { initial: 0, sets: 1, edges };
        assert!(accepts(&automaton, &[(false, false), (true, false)], 1));
        assert!(!accepts(&automaton, &[(false, false), (true, false)], 0));
        assert!(accepts(&automaton, &[(true, false)], 0));
    }

    #[test]
    fn visits_are_those_of_the_cycle() {
        // The mark at state 0 can be met once, that at state 1 infinitely often, when p holds.
        let edges = vec![vec![edge(&[], 1, 1)], vec![edge(&[(P, true)], 1, 1), edge(&[(P, false)], 0, 1)]];
        let automaton = Automaton { initial: 0, sets: 1, edges };
        let visits =
            |letters: &[bool], back: usize| automaton.visits(letters.len(), back, |_, position| letters[position]);
        assert_eq!(visits(&[false, false, true], 1), [(1, 2)]);
        assert_eq!(visits(&[false, true, false, true], 1), [(1, 1), (1, 3)]);
        assert_eq!(visits(&[true, false], 1), [], "it is not accepted");
    }

    #[test]
    fn long_runs_are_confirmed_too() {
        let edges = vec![vec![edge(&[(P, true)], 0b1, 0), edge(&[], 0, 1)], vec![edge(&[(P, false)], 0b10, 0)]];
        let automaton = Automaton { initial: 0, sets: 2, edges };
        let once = |at: usize| automaton.accepts(100_000, 50_000, |_, position| position % 7 == 0 && position < at);
        assert!(once(100_000) && !once(50_000));
    }

    #[test]
    fn a_prefix_can_decide() {
        // Eventually p, and then whatever.
        let edges = vec![vec![edge(&[(P, false)], 0, 0), edge(&[(P, true)], 0, 1)], vec![edge(&[], 1, 1)]];
        let automaton = Automaton { initial: 0, sets: 1, edges };
        assert!(!automaton.accepts_all_from(0) && automaton.accepts_all_from(1));
        let first_p = |letters: usize, at: usize| automaton.has_decided(letters, |_, position| position == at);
        assert!(first_p(3, 2) && first_p(3, 0));
        assert!(!first_p(2, 2), "the deciding letter has not been read");
    }

    #[test]
    fn without_sets_all_that_can_be_read_is_accepted() {
        let always = Automaton { initial: 0, sets: 0, edges: vec![vec![edge(&[(P, true)], 0, 0)]] };
        assert!(accepts(&always, &[(true, false), (true, true)], 1));
        assert!(!accepts(&always, &[(true, false), (false, true)], 0));
        assert!(!accepts(&Automaton { edges: vec![Vec::new()], ..always }, &[(true, false)], 0));
    }
}
