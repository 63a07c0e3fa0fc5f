//! CTL by labelling the states of a small model.
//!
//! Paper: [clarke-emerson-sistla86]: [labelling](crate::circuit::ctl), as for circuits.
//!
//! A run that ends stays in its last state forever. States in the middle of an `atomic` are not seen, as by automata of linear
//! time: it is one step to the next state in which anybody may move.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use reductio_logic::ctl::Formula;
use reductio_model::{AtomId, Budget, Gauge, Interpreter, Successors, TransitionSystem, Why};

use crate::circuit::ctl::Labelling;
use crate::circuit::graph::Edge;

/// All states of a model that are seen, and the steps between them.
pub struct Trees<'m> {
    interpreter: &'m Interpreter<'m>,
    /// The first one is the initial one.
    states: Vec<Rc<[u8]>>,
    edges: Vec<Vec<Edge>>,
    budget: &'m Budget,
}

impl<'m> Trees<'m> {
    /// Of a model with at most so many states.
    pub fn of(interpreter: &'m Interpreter<'m>, limit: usize) -> Result<Trees<'m>, Why> {
        Trees::within(interpreter, limit, &Budget::UNLIMITED)
    }

    /// The same, as far as time and memory allow.
    pub fn within(interpreter: &'m Interpreter<'m>, limit: usize, budget: &'m Budget) -> Result<Trees<'m>, Why> {
        let Explored { states, onward, mut memory } = Explored::all(interpreter, limit, budget)?;
        let is_seen: Vec<bool> = states.iter().map(|state| interpreter.decode(state).exclusive.is_none()).collect();
        let seen = |state: &usize| is_seen[*state];
        let mut numbers = vec![0; states.len()];
        (0..states.len()).filter(seen).enumerate().for_each(|(number, state)| numbers[state] = number);
        let mut seen_onward = Vec::new();
        for state in (0..states.len()).filter(seen) {
            let mut targets = next_seen(&onward, &is_seen, state).ok_or(Why::EndlessAtomic)?;
            if targets.is_empty() {
                targets.push(state);
            }
            memory.take(BYTES_OF_STATE_SEEN + targets.len() as u64 * BYTES_OF_EDGE_SEEN)?;
            let edge = |to: usize| Edge { to: numbers[to], justice: 0 };
            seen_onward.push(targets.into_iter().map(edge).collect());
        }
        let states = states.into_iter().zip(&is_seen).filter(|(_, is_seen)| **is_seen).map(|(state, _)| state);
        Ok(Trees { interpreter, states: states.collect(), edges: seen_onward, budget })
    }

    /// Does a formula hold in the initial state? Its propositions are the atoms of the same number.
    pub fn satisfy(&self, formula: &Formula) -> Result<bool, Why> {
        let mut atoms = vec![Vec::new(); self.interpreter.model().atoms.len()];
        for prop in formula.atoms() {
            atoms[prop.0 as usize] = self.labels(AtomId(prop.0))?;
        }
        let mut labelling = Labelling::new(&self.edges, atoms, 0, Vec::new());
        labelling.budget = self.budget;
        Ok(labelling.label(formula)?[0])
    }

    /// In which states an atom holds.
    fn labels(&self, atom: AtomId) -> Result<Vec<bool>, Why> {
        let mut labels = Vec::with_capacity(self.states.len());
        for state in &self.states {
            self.budget.go_on()?;
            labels.push(self.interpreter.holds(atom, state).map_err(|_| Why::StepGoesWrong)?);
        }
        Ok(labels)
    }
}

/// What a state takes besides its bytes: its places in the list and in the table of those that are known, as these grow,
/// and the list of its edges; and what an edge takes.
const BYTES_OF_STATE: u64 = 240;
const BYTES_OF_EDGE: u64 = 16;
/// What a state and an edge take once more for the labelling, which looks backwards, too.
const BYTES_OF_STATE_SEEN: u64 = 120;
const BYTES_OF_EDGE_SEEN: u64 = 56;

/// What is taken of what may be.
struct Memory<'c> {
    used: u64,
    budget: &'c Budget,
    gauge: Gauge,
}

impl Memory<'_> {
    fn take(&mut self, bytes: u64) -> Result<(), Why> {
        self.used += bytes;
        let most = self.budget.memory.unwrap_or(u64::MAX);
        if self.used > most {
            return Err(Why::Memory { bytes: most });
        }
        self.gauge.look()?;
        self.budget.go_on()
    }
}

/// All states, those in the middle of an `atomic` among them, and where steps lead.
struct Explored<'c> {
    states: Vec<Rc<[u8]>>,
    onward: Vec<Vec<usize>>,
    memory: Memory<'c>,
}

impl<'c> Explored<'c> {
    fn all(system: &dyn TransitionSystem, limit: usize, budget: &'c Budget) -> Result<Explored<'c>, Why> {
        let initial: Rc<[u8]> = system.initial().into();
        let mut numbers = HashMap::from([(Rc::clone(&initial), 0)]);
        let (mut states, mut onward) = (vec![initial], Vec::new());
        let mut memory = Memory { used: 0, budget, gauge: budget.gauge() };
        let mut successors = Successors::default();
        while onward.len() < states.len() {
            let from = Rc::clone(&states[onward.len()]);
            system.successors(&from, &mut successors);
            let mut targets = Vec::new();
            for (_, state) in successors.iter() {
                let state = state.ok_or(Why::StepGoesWrong)?;
                let to = match numbers.get(state) {
                    Some(&number) => number,
                    None => {
                        memory.take(state.len() as u64 + BYTES_OF_STATE)?;
                        let state: Rc<[u8]> = state.into();
                        numbers.insert(Rc::clone(&state), states.len());
                        states.push(state);
                        states.len() - 1
                    }
                };
                targets.push(to);
            }
            if states.len() > limit {
                return Err(Why::TooManyStates { most: limit });
            }
            memory.take(targets.len() as u64 * BYTES_OF_EDGE)?;
            onward.push(targets);
        }
        Ok(Explored { states, onward, memory })
    }
}

/// The next states that are seen after a state. `None`: maybe never again.
fn next_seen(onward: &[Vec<usize>], is_seen: &[bool], from: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    // The path through states that are not seen, with how many of the edges of each have been followed.
    let mut path = vec![(from, 0)];
    let (mut open, mut passed) = (HashSet::from([from]), HashSet::new());
    while let Some((state, followed)) = path.last_mut() {
        let next = onward[*state].get(*followed).copied();
        *followed += 1;
        match next {
            None => {
                open.remove(state);
                path.pop();
            }
            Some(next) if is_seen[next] => found.push(next),
            Some(next) if open.contains(&next) => return None,
            Some(next) if passed.insert(next) => {
                open.insert(next);
                path.push((next, 0));
            }
            Some(_) => {}
        }
    }
    Some(found)
}
