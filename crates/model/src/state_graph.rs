//! The whole state graph of a small system, for pictures and for tests.

use std::collections::HashMap;

use crate::steppable::{Several, Steppable, TooLarge};

/// States and the steps between them.
#[derive(Clone, Debug)]
pub struct StateGraph<S, T> {
    /// The initial states come first.
    pub states: Vec<S>,
    pub initial: usize,
    /// In the order of the states that they lead from.
    pub edges: Vec<StateEdge<T>>,
}

/// The state graph of a system.
pub type StateGraphOf<S> = StateGraph<<S as Steppable>::State, <S as Steppable>::Step>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateEdge<T> {
    pub from: usize,
    pub step: T,
    /// `None`: the run ends in a fault.
    pub to: Option<usize>,
    pub faulty: bool,
}

/// How much there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub states: usize,
    pub steps: usize,
}

/// Why there is no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGraph {
    TooManyStates,
    TooManySteps,
    /// There is too much to try.
    TooLarge,
}

impl<S, T> StateGraph<S, T> {
    /// All states that can be reached, breadth-first, those in the middle of an `atomic` among them.
    pub fn of<Y: Steppable<State = S, Step = T>>(system: &mut Y, bounds: Bounds) -> Result<StateGraph<S, T>, NoGraph>
    where
        S: Clone + Eq + std::hash::Hash,
    {
        let first = all(system.initial_states(bounds.states), bounds.states, NoGraph::TooManyStates)?;
        let mut numbers: HashMap<S, usize> = first.iter().cloned().zip(0..).collect();
        let mut graph = StateGraph { initial: first.len(), states: first, edges: Vec::new() };
        let mut from = 0;
        while from < graph.states.len() {
            let state = graph.states[from].clone();
            let steps_left = bounds.steps - graph.edges.len();
            for step in all(system.steps_from(&state, steps_left), steps_left, NoGraph::TooManySteps)? {
                let outcome = system.take(&state, &step);
                let to = outcome.state.map(|next| {
                    *numbers.entry(next).or_insert_with_key(|next| {
                        graph.states.push(next.clone());
                        graph.states.len() - 1
                    })
                });
                graph.edges.push(StateEdge { from, step, to, faulty: outcome.fault.is_some() });
            }
            if graph.states.len() > bounds.states {
                return Err(NoGraph::TooManyStates);
            }
            from += 1;
        }
        Ok(graph)
    }
}

/// Everything there is, unless that is more than `most`.
fn all<T>(several: Result<Several<T>, TooLarge>, most: usize, too_many: NoGraph) -> Result<Vec<T>, NoGraph> {
    match several {
        Ok(Several { found, more: false }) => Ok(found),
        Ok(Several { found, more: true }) if found.len() == most => Err(too_many),
        Ok(_) | Err(TooLarge) => Err(NoGraph::TooLarge),
    }
}
