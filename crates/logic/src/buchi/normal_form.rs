//! Automata that a search may read on the fly while it leaves out orders of steps.
//!
//! Paper:    [siegel19]: that a *language* is insensitive to stuttering is not enough. The reduction chooses steps in states of the product, where the
//!           automaton has made its choices already; a run of another order may need others, which the search made elsewhere, with
//!           other steps left out. What helps is a normal form of the automaton.
//! Deviates: two forms, either of which is enough, and both up to [simulation](super::simulation), so that nearly all automata have one as
//!           they are. The others are given edges, no states.
//!
//! Write q -a-> r for an edge that can read the letter a, and r' >= r if r' simulates r, with at least the same marks on each edge. Of an edge
//! that no run takes twice all marks are counted: no run is accepted for them.
//!
//! * *Determinate*: of the edges of a state that can read a letter, one has at least the marks of every other and leads to a state that simulates
//!   all others. The run that always takes such an edge is accepting if any is, and depends on the word alone.
//! * *Closed under stuttering*: where q -a-> r, there are edges q -a-> p -a-> r' with r' >= r that together have the marks; and where
//!   q -a-> p -a-> r, there is an edge q -a-> r' with r' >= r that has the marks of both. (Such an automaton's language is insensitive to stuttering.)
//!
//! Why the second is enough for steps that are invisible: let a run of the product go on from a state in which some steps are put off. The search takes one step
//! that the run takes later, or never. As this step is invisible, the word begins with its first letter twice, and later loses
//! one of two letters that are the same. The run of the automaton can follow: its first edge becomes two, and two others become one, none of which loses
//! a mark. So each edge of the first run comes nearer to the front, or stays where it is, until it is taken where nothing is put off, which
//! happens infinitely often. No choice is ever taken back, so no mark is put off forever.

use super::automaton::{Edge, Marks, StateId, Tgba};
use super::components::Components;
use super::guard::Guard;
use super::simulation::Simulation;
use super::stutter::closed;
use super::translate::Limits;

/// Larger automata are not looked at.
const MOST_EDGES: usize = 2_000;

/// Whether a search may read an automaton of a language that is insensitive to stuttering while it leaves out orders of steps.
pub fn has_normal_form(automaton: &Tgba) -> bool {
    is_determinate(automaton) || is_closed_under_stuttering(automaton)
}

/// An automaton of the same language, which is insensitive to stuttering, that has a normal form; or the given one, if none is found.
pub fn normal_form(automaton: Tgba) -> Tgba {
    if has_normal_form(&automaton) {
        return automaton;
    }
    let limits = Limits { edges: MOST_EDGES, ..Limits::default() };
    match closed(automaton.clone(), &limits) {
        Ok(closed) if has_normal_form(&closed) => closed,
        _ => automaton,
    }
}

/// Of all edges with which a state can read a letter, is one as good as every other?
pub fn is_determinate(automaton: &Tgba) -> bool {
    if automaton.edge_count() > MOST_EDGES {
        return false;
    }
    let automaton = &with_idle_marks(automaton);
    let simulation = Simulation::of(automaton, |_, _| true);
    automaton.edges.iter().all(|edges| {
        edges
            .iter()
            .enumerate()
            .all(|(at, one)| edges[at + 1..].iter().all(|other| is_joined(&simulation, edges, one, other)))
    })
}

/// Wherever two edges can be taken, is there one that is as good as both?
fn is_joined(simulation: &Simulation, edges: &[Edge], one: &Edge, other: &Edge) -> bool {
    let best = edges.iter().filter(|edge| simulation.is_at_least(edge, one) && simulation.is_at_least(edge, other));
    one.guard.and(&other.guard).implies_one_of(best.map(|edge| &edge.guard))
}

/// Can every run of the automaton follow when letters are repeated, or repetitions are left out, without another choice?
pub fn is_closed_under_stuttering(automaton: &Tgba) -> bool {
    if automaton.edge_count() > MOST_EDGES {
        return false;
    }
    let automaton = &with_idle_marks(automaton);
    let closure = Closure { automaton, simulation: Simulation::of(automaton, |_, _| true) };
    automaton.states().all(|state| {
        let edges = automaton.edges_of(state);
        edges.iter().all(|edge| closure.may_be_two(state, edge) && closure.may_be_one(state, edge))
    })
}

/// The same automaton, where edges that no run takes twice have all marks: it makes no difference which.
fn with_idle_marks(automaton: &Tgba) -> Tgba {
    let components = Components::of(automaton);
    let mut marked = automaton.clone();
    for state in automaton.states() {
        for edge in marked.edges[state.index()].iter_mut().filter(|edge| !components.is_internal(state, edge)) {
            edge.marks = automaton.all_marks();
        }
    }
    marked
}

struct Closure<'a> {
    automaton: &'a Tgba,
    simulation: Simulation,
}

impl Closure<'_> {
    /// Instead of the edge two can be taken that read the same letter.
    fn may_be_two(&self, state: StateId, edge: &Edge) -> bool {
        let pairs = self.automaton.edges_of(state).iter().flat_map(|first| {
            let seconds = self.automaton.edges_of(first.target).iter();
            let good = seconds.filter(|second| self.is_as_good(first.marks.union(second.marks), second.target, edge));
            good.map(|second| first.guard.and(&second.guard))
        });
        let pairs: Vec<Guard> = pairs.collect();
        edge.guard.implies_one_of(&pairs)
    }

    /// Instead of the edge and any that follows it and can read the same letter, one can be taken.
    fn may_be_one(&self, state: StateId, first: &Edge) -> bool {
        self.automaton.edges_of(first.target).iter().all(|second| {
            let both = Edge {
                guard: first.guard.and(&second.guard),
                marks: first.marks.union(second.marks),
                target: second.target,
            };
            let short =
                self.automaton.edges_of(state).iter().filter(|edge| self.is_as_good(edge.marks, edge.target, &both));
            both.guard.implies_one_of(short.map(|edge| &edge.guard))
        })
    }

    /// Do these marks and this state make up for the edge?
    fn is_as_good(&self, marks: Marks, target: StateId, edge: &Edge) -> bool {
        marks.includes(edge.marks) && self.simulation.holds(edge.target, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::Cube;
    use crate::prop::Prop;

    /// An automaton with one set: from, the value that is read if it matters, whether it is marked, to.
    fn automaton(edges: &[(u32, Option<bool>, bool, u32)]) -> Tgba {
        let states = edges.iter().flat_map(|&(from, _, _, to)| [from, to]).max().map_or(1, |last| last + 1);
        let mut tgba = Tgba { sets: 1, edges: vec![Vec::new(); states as usize], ..Tgba::empty(vec![Prop(0)]) };
        for &(from, value, marked, to) in edges {
            let guard = value.map_or(Guard::truth(true), |value| Guard::from(Cube::literal(0, value)));
            let marks = if marked { Marks::one(0) } else { Marks::NONE };
            tgba.edges[from as usize].push(Edge { guard, marks, target: StateId(to) });
        }
        tgba
    }

    fn forms(automaton: &Tgba) -> (bool, bool) {
        (is_determinate(automaton), is_closed_under_stuttering(automaton))
    }

    #[test]
    fn who_guesses_is_not_determinate() {
        // From some time on, p: it is guessed when.
        let finally_always = automaton(&[(0, None, false, 0), (0, Some(true), true, 1), (1, Some(true), true, 1)]);
        assert_eq!(forms(&finally_always), (false, true));
        // At some time, p: whoever takes it at once is as good as whoever waits.
        let finally = automaton(&[(0, None, false, 0), (0, Some(true), true, 1), (1, None, true, 1)]);
        assert_eq!(forms(&finally), (true, true));
    }

    #[test]
    fn letters_that_are_counted() {
        // Two letters at least before p goes.
        let twice = automaton(&[(0, Some(true), false, 1), (1, Some(true), false, 2), (2, None, true, 2)]);
        assert_eq!(forms(&twice), (true, false));
        // One letter with p, and no more.
        let once = automaton(&[(0, Some(true), false, 1), (1, Some(false), true, 1)]);
        assert_eq!(forms(&once), (true, false));
        // The mark is lost when there is one letter only.
        let marked = automaton(&[(0, Some(true), true, 1), (1, Some(true), false, 0), (0, Some(false), false, 0)]);
        assert_eq!(forms(&marked), (true, false));
    }

    #[test]
    fn what_is_said_twice_is_read_once_or_twice() {
        // Always p: in turns, but whoever reads one letter less is as good.
        let in_turns = automaton(&[(0, Some(true), true, 1), (1, Some(true), true, 0)]);
        assert_eq!(forms(&in_turns), (true, true));
    }
}
