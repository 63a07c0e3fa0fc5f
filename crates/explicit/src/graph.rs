//! The whole state graph of a small system, for pictures and for tests.

use std::collections::HashMap;

use reductio_model::{Step, Successors, TransitionSystem};

/// States and the steps between them. The first state is the initial one.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    pub states: Vec<Vec<u8>>,
    pub edges: Vec<StateEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateEdge {
    pub from: usize,
    pub step: Step,
    /// `None`: the run ends in a fault.
    pub to: Option<usize>,
    pub faulty: bool,
}

/// There are more states than were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates {
    pub limit: usize,
}

/// All states that can be reached, those in the middle of an `atomic` among them.
pub fn state_graph(system: &dyn TransitionSystem, limit: usize) -> Result<StateGraph, TooManyStates> {
    let initial = system.initial();
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let mut graph = StateGraph { states: vec![initial], edges: Vec::new() };
    let mut successors = Successors::default();
    let mut from = 0;
    while from < graph.states.len() {
        system.successors(&graph.states[from], &mut successors);
        for (successor, state) in successors.iter() {
            let to = state.map(|state| {
                *numbers.entry(state.to_vec()).or_insert_with(|| {
                    graph.states.push(state.to_vec());
                    graph.states.len() - 1
                })
            });
            if graph.states.len() > limit {
                return Err(TooManyStates { limit });
            }
            graph.edges.push(StateEdge { from, step: successor.step, to, faulty: successor.fault.is_some() });
        }
        from += 1;
    }
    Ok(graph)
}
