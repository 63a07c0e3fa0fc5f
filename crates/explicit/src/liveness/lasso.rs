//! Short counterexamples: a shortest stem to a component, and in it a cycle made of shortest paths.

use std::collections::{HashMap, HashSet, VecDeque};

use reductio_model::{Interpreter, Step, Successors, Trace, TransitionSystem};

use super::agents::Agent;
use super::marks::Marks;
use super::product::{Expansion, Move, Product, STAYS};
use crate::atomic_sequences::event;
use crate::packed::key::Key;
use crate::run::{End, Run};
use crate::store::numbered::Numbered;
use crate::store::{Memory, OutOfMemory};

/// An infinite run, by its events. Without a cycle, it is every run that begins with the stem.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub stem: Vec<u32>,
    pub cycle: Vec<u32>,
}

/// Where a cycle is to be, and what it is to meet. The states reach each other by edges that bear these marks, and by
/// which all of these move.
pub(crate) struct Goal<const W: usize> {
    pub states: HashSet<Key<W>>,
    pub marks: Marks,
    pub movers: HashSet<Agent>,
    /// States to come by.
    pub visits: HashSet<Key<W>>,
}

impl<const W: usize> Goal<W> {
    /// A cycle that bears marks.
    pub fn new(states: HashSet<Key<W>>, marks: Marks) -> Goal<W> {
        Goal { states, marks, movers: HashSet::new(), visits: HashSet::new() }
    }

    /// Would the move be of use to meet what is left?
    fn is_met_by(&self, next: &Move<W>) -> bool {
        let moves = next.agent.is_some_and(|agent| self.movers.contains(&agent));
        next.marks.meets(self.marks) || moves || self.visits.contains(&next.key)
    }

    /// The move was made.
    fn meet(&mut self, next: &Move<W>) {
        self.marks = self.marks.without(next.marks);
        self.visits.remove(&next.key);
        if let Some(agent) = next.agent {
            self.movers.remove(&agent);
        }
    }

    fn is_met(&self) -> bool {
        self.marks.is_empty() && self.movers.is_empty() && self.visits.is_empty()
    }
}

/// A run to the states and around in them, by all that is to be met.
pub(crate) fn through<const W: usize>(
    product: &mut Product<'_, W>,
    seen: &mut Numbered<W>,
    mut goal: Goal<W>,
    run: &mut Run<'_, Lasso>,
) -> Result<Lasso, End> {
    let (stem, entry) = stem_to(product, seen, &goal.states, run)?;
    let mut cycle: Vec<Move<W>> = Vec::new();
    let mut here = entry;
    while !goal.is_met() || here != entry {
        let is_useful = |next: &Move<W>| if goal.is_met() { next.key == entry } else { goal.is_met_by(next) };
        let is_goal = |next: &Move<W>| goal.states.contains(&next.key) && is_useful(next);
        let moves = shortest(product, &here, |key| goal.states.contains(key), is_goal, run)?;
        for next in &moves {
            goal.meet(next);
            here = next.key;
        }
        cycle.extend(moves);
    }
    let events = |moves: &[Move<W>]| moves.iter().map(|next| next.event).collect();
    Ok(Lasso { stem: events(&stem), cycle: events(&cycle) })
}

/// A shortest way to one of the states, and which it is.
pub(crate) fn stem_to<const W: usize>(
    product: &mut Product<'_, W>,
    seen: &mut Numbered<W>,
    states: &HashSet<Key<W>>,
    run: &mut Run<'_, Lasso>,
) -> Result<(Vec<Move<W>>, Key<W>), End> {
    let initial = product.initial(&run.memory)?;
    let mut stem = Vec::new();
    if !states.contains(&initial) {
        let arrives = |next: &Move<W>| states.contains(&next.key);
        stem = shortest(product, &initial, |key| seen.get(key).is_some(), arrives, run)?;
    }
    let entry = stem.last().map_or(initial, |last| last.key);
    Ok((stem, entry))
}

/// A shortest way to a state where it is decided that the run is accepted. `path` is one, if nothing shorter can be
/// found.
pub(crate) fn shortest_decision<const W: usize>(
    product: &mut Product<'_, W>,
    seen: &mut Numbered<W>,
    path: Vec<u32>,
    run: &mut Run<'_, Lasso>,
) -> Result<Vec<u32>, OutOfMemory> {
    let initial = product.initial(&run.memory)?;
    let mut tree = Tree::new(initial);
    let mut moves = Vec::new();
    while let Some(key) = tree.queue.pop_front() {
        match product.expand(&key, &run.memory, &mut moves) {
            Ok(Expansion::Decided) => return Ok(tree.path_to(key).iter().map(|next| next.event).collect()),
            Ok(Expansion::GoesOn) => {}
            Ok(Expansion::Limit(_)) | Err(_) => break,
        }
        if !tree.is_affordable(&run.memory) || run.tick().is_err() {
            break;
        }
        for next in &moves {
            if seen.get(&next.key).is_some() {
                tree.add(key, *next);
            }
        }
    }
    Ok(path)
}

/// The moves of a shortest path, over states that are allowed, of which the last one is a goal. There is one.
fn shortest<const W: usize>(
    product: &mut Product<'_, W>,
    from: &Key<W>,
    mut is_allowed: impl FnMut(&Key<W>) -> bool,
    is_goal: impl Fn(&Move<W>) -> bool,
    run: &mut Run<'_, Lasso>,
) -> Result<Vec<Move<W>>, End> {
    let mut tree = Tree::new(*from);
    let mut moves = Vec::new();
    while let Some(key) = tree.queue.pop_front() {
        // All states that are allowed were expanded before, so that nothing but a lack of memory can be in the way.
        product.expand(&key, &run.memory, &mut moves).map_err(|_| OutOfMemory)?;
        run.tick()?;
        if !tree.is_affordable(&run.memory) {
            return Err(OutOfMemory.into());
        }
        for next in &moves {
            if is_goal(next) {
                let mut path = tree.path_to(key);
                path.push(*next);
                return Ok(path);
            }
            if is_allowed(&next.key) {
                tree.add(key, *next);
            }
        }
    }
    unreachable!("what was found can be found again")
}

/// How the states that were reached were reached first.
struct Tree<const W: usize> {
    root: Key<W>,
    reached: HashMap<Key<W>, (Key<W>, Move<W>)>,
    queue: VecDeque<Key<W>>,
}

impl<const W: usize> Tree<W> {
    fn new(root: Key<W>) -> Self {
        Tree { root, reached: HashMap::new(), queue: VecDeque::from([root]) }
    }

    fn add(&mut self, from: Key<W>, next: Move<W>) {
        if next.key != self.root && !self.reached.contains_key(&next.key) {
            self.reached.insert(next.key, (from, next));
            self.queue.push_back(next.key);
        }
    }

    /// Is there memory for twice as much?
    fn is_affordable(&self, memory: &Memory) -> bool {
        let entry = size_of::<(Key<W>, (Key<W>, Move<W>))>() + size_of::<Key<W>>();
        (self.reached.capacity() * 4 * entry) as u64 <= memory.available()
    }

    fn path_to(&self, key: Key<W>) -> Vec<Move<W>> {
        let mut path = Vec::new();
        let mut current = key;
        while let Some((from, next)) = self.reached.get(&current) {
            path.push(*next);
            current = *from;
        }
        path.reverse();
        path
    }
}

/// The steps of the run. Where only the automaton moves, there are none: a run that ends has no cycle. `stepwise` says
/// that every step is an event.
pub(crate) fn follow(interpreter: &Interpreter<'_>, lasso: &Lasso, stepwise: bool) -> Trace {
    let mut state = interpreter.initial();
    let mut steps_of = |events: &[u32]| {
        let mut steps: Vec<Step> = Vec::new();
        for &number in events.iter().filter(|&&number| number != STAYS) {
            let (more, next) =
                if stepwise { step(interpreter, &state, number) } else { event(interpreter, &state, number) };
            steps.extend(more);
            state = next.expect("no infinite run leads through a fault that ends it");
        }
        steps
    };
    Trace { stem: steps_of(&lasso.stem), cycle: steps_of(&lasso.cycle) }
}

/// Step number so-and-so of a state, and the state it leads to.
pub(crate) fn step(interpreter: &Interpreter<'_>, state: &[u8], number: u32) -> (Vec<Step>, Option<Vec<u8>>) {
    let mut successors = Successors::default();
    interpreter.successors(state, &mut successors);
    let number = number as usize;
    (vec![successors.get(number).step], successors.state(number).map(<[u8]>::to_vec))
}
