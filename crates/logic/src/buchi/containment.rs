//! Is every word that one automaton accepts accepted by another?
//!
//! Paper:    [clarke-grumberg-peled], Theorem 8: in the product of both, every fair run of the first must come by the acceptance
//!           set of the second infinitely often. The second must be deterministic, so that a word has one run in it.
//! Deviates: sets of edges instead of states, as many as there are. A word is not accepted if its run misses one of them from
//!           some time on, so a component is looked for that has all sets of the first, and is left when the edges of one set of the
//!           second are taken away. The second need not be complete: what it cannot read it does not accept.

use std::collections::VecDeque;

use super::automaton::{Edge, Marks, StateId, Tgba};
use super::components::Components;
use super::guard::Guard;
use super::product::product;
use super::translate::TranslateError;
use crate::lasso::Lasso;
use crate::prop::{Prop, Valuation};

/// Larger products are not looked at.
const MOST_PAIRS_OF_EDGES: usize = 50_000_000;

/// Why it cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTold {
    /// Of the second automaton, in this state.
    NotDeterministic(StateId),
    TooLarge,
    Product(TranslateError),
}

impl std::fmt::Display for NotTold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotTold::NotDeterministic(state) => {
                write!(
                    f,
                    "the second automaton is not deterministic: in state {} two edges can be taken at once",
                    state.0
                )
            }
            NotTold::TooLarge => f.write_str("the automata are too large to be compared"),
            NotTold::Product(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotTold {}

/// A word that the first automaton accepts and the second does not, and the propositions that its letters speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub propositions: Vec<Prop>,
    pub word: Lasso,
}

impl Witness {
    /// The word as an automaton reads it that speaks of other propositions. Those that are not in the word are false.
    pub fn as_read_by(&self, automaton: &Tgba) -> Lasso {
        let place = |prop: &Prop| self.propositions.iter().position(|other| other == prop);
        let places: Vec<Option<usize>> = automaton.propositions.iter().map(place).collect();
        let letter = |letter: &Valuation| {
            let holds = |own: &usize| places[*own].is_some_and(|place| letter.holds(place));
            Valuation::of((0..places.len()).filter(holds))
        };
        let letters = |letters: &[Valuation]| letters.iter().map(letter).collect::<Vec<Valuation>>();
        Lasso::new(&letters(self.word.stem()), &letters(self.word.cycle())).expect("the cycle is as long as it was")
    }
}

/// Looks for a word that one automaton accepts and the other, which must be deterministic, does not.
pub fn not_contained(small: &Tgba, large: &Tgba) -> Result<Option<Witness>, NotTold> {
    if let Some(state) = large.states().find(|&state| is_undecided(large.edges_of(state))) {
        return Err(NotTold::NotDeterministic(state));
    }
    let large = completed(large);
    match small.edge_count().checked_mul(large.edge_count()) {
        Some(pairs) if pairs <= MOST_PAIRS_OF_EDGES => {}
        _ => return Err(NotTold::TooLarge),
    }
    let both = product(small, &large).map_err(NotTold::Product)?;
    for set in small.sets..both.sets {
        if let Some(word) = missing(&both, Marks::first(small.sets), set) {
            return Ok(Some(Witness { propositions: both.propositions, word }));
        }
    }
    Ok(None)
}

fn is_undecided(edges: &[Edge]) -> bool {
    let earlier = |at: usize| edges[..at].iter();
    edges.iter().enumerate().any(|(at, edge)| earlier(at).any(|other| other.guard.meets(&edge.guard)))
}

/// The same language, with a run for every word, and at least one acceptance set.
fn completed(automaton: &Tgba) -> Tgba {
    let mut complete = automaton.clone();
    if complete.sets == 0 {
        complete.sets = 1;
        complete.edges.iter_mut().flatten().for_each(|edge| edge.marks = Marks::one(0));
    }
    let nowhere = StateId::of(complete.state_count());
    for edges in &mut complete.edges {
        let guard = edges.iter().fold(Guard::truth(false), |all, edge| all.or(&edge.guard)).not();
        if !guard.is_false() {
            edges.push(Edge { guard, marks: Marks::NONE, target: nowhere });
        }
    }
    complete.edges.push(vec![Edge { guard: Guard::truth(true), marks: Marks::NONE, target: nowhere }]);
    complete
}

/// A word with a run that is in all of these sets infinitely often, and from some time on never in another one.
fn missing(automaton: &Tgba, again: Marks, never: u32) -> Option<Lasso> {
    let remains = |_: StateId, edge: &Edge| !edge.marks.contains(never);
    let components = Components::of_part(automaton, remains);
    let mut together: Vec<Option<Marks>> = vec![None; components.count()];
    let inside = |state: StateId, edge: &Edge| remains(state, edge) && components.is_internal(state, edge);
    for state in automaton.states() {
        for edge in automaton.edges_of(state).iter().filter(|edge| inside(state, edge)) {
            let marks = &mut together[components.component(state)];
            *marks = Some(marks.unwrap_or_default().union(edge.marks));
        }
    }
    let is_found = |state: StateId| together[components.component(state)].is_some_and(|marks| marks.includes(again));
    let start = automaton.initial;
    let (stem, entry) = match is_found(start) {
        true => (Vec::new(), start),
        false => shortest(automaton, start, |_, _| true, |edge| is_found(edge.target))?,
    };
    let mut cycle = Vec::new();
    let (mut here, mut left) = (entry, again);
    loop {
        let is_useful = |edge: &Edge| match left == Marks::NONE {
            true => edge.target == entry,
            false => left.without(edge.marks) != left,
        };
        let (letters, next) = shortest(automaton, here, inside, is_useful)?;
        for letter in letters {
            left = left.without(letter.marks);
            cycle.push(letter);
        }
        here = next;
        if left == Marks::NONE && here == entry {
            break;
        }
    }
    let letters = |edges: &[&Edge]| edges.iter().map(|edge| letter(edge)).collect::<Vec<Valuation>>();
    Lasso::new(&letters(&stem), &letters(&cycle))
}

/// A letter for which the edge can be taken.
fn letter(edge: &Edge) -> Valuation {
    Valuation(edge.guard.cubes().first().map_or(0, |cube| cube.positive))
}

/// A shortest way over edges that are allowed, of which the last one is a goal, and where it leads. At least one edge.
fn shortest(
    automaton: &Tgba,
    from: StateId,
    is_allowed: impl Fn(StateId, &Edge) -> bool,
    is_goal: impl Fn(&Edge) -> bool,
) -> Option<(Vec<&Edge>, StateId)> {
    let mut reached: Vec<Option<(StateId, &Edge)>> = vec![None; automaton.state_count()];
    let mut queue = VecDeque::from([from]);
    while let Some(state) = queue.pop_front() {
        for edge in automaton.edges_of(state).iter().filter(|edge| is_allowed(state, edge)) {
            if is_goal(edge) {
                let mut way = vec![edge];
                let mut at = state;
                while let Some((before, edge)) = reached[at.index()].filter(|_| at != from) {
                    way.push(edge);
                    at = before;
                }
                way.reverse();
                return Some((way, edge.target));
            }
            let place = &mut reached[edge.target.index()];
            if place.is_none() && edge.target != from {
                *place = Some((state, edge));
                queue.push_back(edge.target);
            }
        }
    }
    None
}
