//! Whom fairness is about: processes, or operations.

use std::collections::HashMap;
use std::num::NonZeroU32;

use reductio_model::{Operation, State, Step};

/// A process or an operation, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Agent(NonZeroU32);

impl Agent {
    pub fn of_process(pid: u8) -> Agent {
        Agent(NonZeroU32::MIN.saturating_add(u32::from(pid)))
    }
}

/// The operations that were ever possible, numbered in the order in which they came up.
#[derive(Default)]
pub(crate) struct Operations {
    numbers: HashMap<Operation, Agent>,
    known: Vec<Operation>,
}

impl Operations {
    /// Appends the operation of every step that is possible in a state, in the order of the steps.
    pub fn append(&mut self, steps: &[Step], state: &State, out: &mut Vec<Agent>) {
        out.extend(steps.iter().map(|&step| self.number(Operation::of(step, state))));
    }

    fn number(&mut self, operation: Operation) -> Agent {
        *self.numbers.entry(operation).or_insert_with(|| {
            self.known.push(operation);
            Agent(NonZeroU32::MIN.saturating_add(self.known.len() as u32 - 1))
        })
    }

    /// The process that executes an operation.
    pub fn process_of(&self, agent: Agent) -> u8 {
        self.known[agent.0.get() as usize - 1].process()
    }
}
