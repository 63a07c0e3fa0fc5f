//! Formulas of computation tree logic on the states of a small model.
//!
//! Paper: [clarke-emerson-sistla86]: [labelling](crate::circuit::ctl), as for circuits.
//!
//! A run that ends stays in its last state for ever. States in the middle of an `atomic` are not seen, as by automata of linear
//! time: it is one step to the next state in which anybody may move.

use std::collections::HashSet;

use reductio_logic::ctl::Formula;
use reductio_model::{AtomId, FaultKind, Interpreter, Limit, TransitionSystem};

use crate::circuit::ctl::Labelling;
use crate::circuit::graph::Edge;
use crate::graph::{StateGraph, TooManyStates, state_graph};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    TooManyStates(TooManyStates),
    /// There is no next state, or no value: a formula would say something of nothing.
    StepGoesWrong,
    /// What happens in an `atomic` is not seen, and may go on for ever.
    EndlessAtomic,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::TooManyStates(TooManyStates { limit }) => write!(f, "there are more than {limit} states"),
            NoAnswer::StepGoesWrong => f.write_str("a step goes wrong, or a condition has no value"),
            NoAnswer::EndlessAtomic => Limit::EndlessAtomic.fmt(f),
        }
    }
}

/// All states of a model that are seen, and the steps between them.
pub struct Trees<'m> {
    interpreter: &'m Interpreter<'m>,
    /// The first one is the initial one.
    states: Vec<Vec<u8>>,
    edges: Vec<Vec<Edge>>,
}

impl<'m> Trees<'m> {
    pub fn of(interpreter: &'m Interpreter<'m>, limit: usize) -> Result<Trees<'m>, NoAnswer> {
        let StateGraph { states, edges } = state_graph(interpreter, limit).map_err(NoAnswer::TooManyStates)?;
        let mut onward = vec![Vec::new(); states.len()];
        for edge in &edges {
            onward[edge.from].push(edge.to.ok_or(NoAnswer::StepGoesWrong)?);
        }
        let is_seen: Vec<bool> = states.iter().map(|state| interpreter.decode(state).exclusive.is_none()).collect();
        let seen = |state: &usize| is_seen[*state];
        let mut numbers = vec![0; states.len()];
        (0..states.len()).filter(seen).enumerate().for_each(|(number, state)| numbers[state] = number);
        let mut seen_onward = Vec::new();
        for state in (0..states.len()).filter(seen) {
            let mut targets = next_seen(&onward, &is_seen, state).ok_or(NoAnswer::EndlessAtomic)?;
            if targets.is_empty() {
                targets.push(state);
            }
            let edge = |to: usize| Edge { to: numbers[to], justice: 0 };
            seen_onward.push(targets.into_iter().map(edge).collect());
        }
        let states = states.into_iter().zip(&is_seen).filter(|(_, is_seen)| **is_seen).map(|(state, _)| state);
        Ok(Trees { interpreter, states: states.collect(), edges: seen_onward })
    }

    /// Does a formula hold in the initial state? Its propositions are the atoms of the same number.
    pub fn satisfy(&self, formula: &Formula) -> Result<bool, NoAnswer> {
        let mut atoms = vec![Vec::new(); self.interpreter.model().atoms.len()];
        for prop in formula.atoms() {
            let holds = |state: &Vec<u8>| self.interpreter.holds(AtomId(prop.0), state);
            let labels = self.states.iter().map(holds).collect::<Result<_, FaultKind>>();
            atoms[prop.0 as usize] = labels.map_err(|_| NoAnswer::StepGoesWrong)?;
        }
        Ok(Labelling::new(&self.edges, atoms, 0, Vec::new()).label(formula)[0])
    }
}

/// The next states that are seen after a state. `None`: maybe never again.
fn next_seen(onward: &[Vec<usize>], is_seen: &[bool], from: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    // The path through states that are not seen, with what is left to try in each.
    let mut path = vec![(from, onward[from].clone())];
    let mut passed = HashSet::new();
    while let Some((_, left)) = path.last_mut() {
        match left.pop() {
            None => {
                path.pop();
            }
            Some(next) if is_seen[next] => found.push(next),
            Some(next) if path.iter().any(|(state, _)| *state == next) => return None,
            Some(next) if passed.insert(next) => path.push((next, onward[next].clone())),
            Some(_) => {}
        }
    }
    Some(found)
}
