//! The interpreter (to come).
use crate::model::Model;
use crate::state::State;
use crate::system::{Fault, Step};

pub struct Interpreter<'m> {
    model: &'m Model,
}

/// What a step does.
pub struct Outcome {
    /// `None`: the run ends in the fault.
    pub state: Option<State>,
    pub fault: Option<Fault>,
    /// What the step printed.
    pub output: String,
}

impl<'m> Interpreter<'m> {
    pub fn new(model: &'m Model) -> Self {
        Interpreter { model }
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    pub fn initial_state(&self) -> State {
        todo!()
    }

    /// The steps possible in a state.
    pub fn steps(&self, _state: &State) -> Vec<Step> {
        todo!()
    }

    /// Executes a step that is possible in `state`, as told by [`Interpreter::steps`].
    pub fn execute(&self, _state: &State, _step: Step) -> Outcome {
        todo!()
    }

    pub fn is_valid_end_state(&self, _state: &State) -> bool {
        todo!()
    }
}
