//! Formulas of computation tree logic on the states of a small model.
//!
//! Paper: [clarke-emerson-sistla86]: [labelling](crate::circuit::ctl), as for circuits. A run that ends stays in its last state for ever.

use reductio_logic::ctl::Formula;
use reductio_model::{AtomId, FaultKind, Interpreter, TransitionSystem};

use crate::circuit::ctl::Labelling;
use crate::circuit::graph::Edge;
use crate::graph::{TooManyStates, state_graph};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    TooManyStates(TooManyStates),
    /// There is no next state, or no value: a formula would say something of nothing.
    StepGoesWrong,
    /// What happens in an `atomic` is not seen, and may go on for ever.
    Atomic,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::TooManyStates(TooManyStates { limit }) => write!(f, "there are more than {limit} states"),
            NoAnswer::StepGoesWrong => f.write_str("a step goes wrong, or a condition has no value"),
            NoAnswer::Atomic => f.write_str("there is an atomic"),
        }
    }
}

/// All states of a model and the steps between them.
pub struct Trees<'m> {
    interpreter: &'m Interpreter<'m>,
    /// The first one is the initial one.
    states: Vec<Vec<u8>>,
    edges: Vec<Vec<Edge>>,
}

impl<'m> Trees<'m> {
    pub fn of(interpreter: &'m Interpreter<'m>, limit: usize) -> Result<Trees<'m>, NoAnswer> {
        let graph = state_graph(interpreter, limit).map_err(NoAnswer::TooManyStates)?;
        if graph.states.iter().any(|state| interpreter.decode(state).exclusive.is_some()) {
            return Err(NoAnswer::Atomic);
        }
        let mut edges = vec![Vec::new(); graph.states.len()];
        let to = |to: usize| Edge { to, justice: 0 };
        for edge in &graph.edges {
            edges[edge.from].push(to(edge.to.ok_or(NoAnswer::StepGoesWrong)?));
        }
        for (state, edges) in edges.iter_mut().enumerate().filter(|(_, edges)| edges.is_empty()) {
            edges.push(to(state));
        }
        Ok(Trees { interpreter, states: graph.states, edges })
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
