//! Short counterexamples: a shortest stem to a component, and in it a cycle made of shortest paths.

use std::collections::{HashMap, VecDeque};

use reductio_model::{Interpreter, Step, Successors, Trace, TransitionSystem};

use super::product::{Expansion, Move, Product, STAYS};
use crate::packed::key::Key;
use crate::run::Run;
use crate::runs_on::event;
use crate::store::numbered::Numbered;
use crate::store::{Memory, OutOfMemory};

/// An infinite run, by its events. Without a cycle, it is every run that begins with the stem.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub stem: Vec<u32>,
    pub cycle: Vec<u32>,
}

/// A component: the states that are live from its root on.
#[derive(Clone, Copy)]
pub(crate) struct Component<'a, const W: usize> {
    pub live: &'a [Key<W>],
    pub root: u32,
}

impl<const W: usize> Component<'_, W> {
    fn contains(&self, numbers: &mut Numbered<W>, key: &Key<W>) -> bool {
        let number = numbers.get(key);
        number.is_some_and(|number| number >= self.root && self.live.get(number as usize) == Some(key))
    }
}

/// A run to the component and around in it, by all marks that are required. `path` leads to its root, if nothing shorter
/// can be found.
pub(crate) fn through<const W: usize>(
    product: &mut Product<'_, W>,
    numbers: &mut Numbered<W>,
    component: Component<'_, W>,
    path: Vec<u32>,
    run: &mut Run<'_, Lasso>,
) -> Result<Lasso, OutOfMemory> {
    let initial = product.initial(&run.memory)?;
    let mut stem = Vec::new();
    let mut entry = initial;
    if !component.contains(numbers, &initial) {
        let is_known = |numbers: &mut Numbered<W>, key: &Key<W>| numbers.get(key).is_some();
        let arrives = |numbers: &mut Numbered<W>, next: &Move<W>| component.contains(numbers, &next.key);
        match shortest(product, numbers, &initial, is_known, arrives, run) {
            Some(moves) => {
                entry = moves.last().map_or(initial, |last| last.key);
                stem.extend(moves.iter().map(|next| next.event));
            }
            None => {
                entry = component.live[component.root as usize];
                stem = path;
            }
        }
    }
    let inside = |numbers: &mut Numbered<W>, key: &Key<W>| component.contains(numbers, key);
    let mut cycle = Vec::new();
    let mut here = entry;
    let mut missing = product.required();
    while !missing.is_empty() || here != entry {
        let goal = |numbers: &mut Numbered<W>, next: &Move<W>| {
            let useful = if missing.is_empty() { next.key == entry } else { missing.without(next.marks) != missing };
            useful && component.contains(numbers, &next.key)
        };
        // Within a component there is a way from everywhere to everywhere.
        let moves = shortest(product, numbers, &here, inside, goal, run).ok_or(OutOfMemory)?;
        for next in moves {
            missing = missing.without(next.marks);
            here = next.key;
            cycle.push(next.event);
        }
    }
    Ok(Lasso { stem, cycle })
}

/// A shortest way to a state where it is decided that the run is accepted. `path` is one, if nothing shorter can be
/// found.
pub(crate) fn shortest_decision<const W: usize>(
    product: &mut Product<'_, W>,
    numbers: &mut Numbered<W>,
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
            Ok(Expansion::TooManyProcesses) | Err(_) => break,
        }
        if !tree.is_affordable(&run.memory) || run.tick().is_err() {
            break;
        }
        for next in &moves {
            if numbers.get(&next.key).is_some() {
                tree.add(key, *next);
            }
        }
    }
    Ok(path)
}

/// The moves of a shortest path, over states that are allowed, of which the last one is a goal. `None` if memory or time
/// does not suffice.
fn shortest<const W: usize>(
    product: &mut Product<'_, W>,
    numbers: &mut Numbered<W>,
    from: &Key<W>,
    is_allowed: impl Fn(&mut Numbered<W>, &Key<W>) -> bool,
    is_goal: impl Fn(&mut Numbered<W>, &Move<W>) -> bool,
    run: &mut Run<'_, Lasso>,
) -> Option<Vec<Move<W>>> {
    let mut tree = Tree::new(*from);
    let mut moves = Vec::new();
    while let Some(key) = tree.queue.pop_front() {
        // All states that are allowed were expanded before, so there is no obstacle.
        product.expand(&key, &run.memory, &mut moves).ok()?;
        if !tree.is_affordable(&run.memory) || run.tick().is_err() {
            return None;
        }
        for next in &moves {
            if is_goal(numbers, next) {
                let mut path = tree.path_to(key);
                path.push(*next);
                return Some(path);
            }
            if is_allowed(numbers, &next.key) {
                tree.add(key, *next);
            }
        }
    }
    None
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
            let (more, next) = if stepwise { step(interpreter, &state, number) } else { event(interpreter, &state, number) };
            steps.extend(more);
            state = next.expect("no infinite run leads through a fault that ends it");
        }
        steps
    };
    Trace { stem: steps_of(&lasso.stem), cycle: steps_of(&lasso.cycle) }
}

/// Step number so-and-so of a state, and the state it leads to.
fn step(interpreter: &Interpreter<'_>, state: &[u8], number: u32) -> (Vec<Step>, Option<Vec<u8>>) {
    let mut successors = Successors::default();
    interpreter.successors(state, &mut successors);
    let number = number as usize;
    (vec![successors.get(number).step], successors.state(number).map(<[u8]>::to_vec))
}
