//! Whom fairness is about: processes, or operations.

use std::collections::HashMap;
use std::num::NonZeroU32;

use reductio_model::{Model, Operation, State, Step};
use reductio_reduce::facts::{KnownOperation, StaticDependence};

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
pub(crate) struct Operations<'m> {
    /// Tells which depend on each other, where that matters.
    dependence: Option<StaticDependence<'m>>,
    numbers: HashMap<Identity, Agent>,
    known: Vec<Identity>,
}

/// What makes an operation what it is. With other channels, for instance, it depends on others.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Identity {
    Plain(Operation),
    Known(Box<KnownOperation>),
}

impl<'m> Operations<'m> {
    /// It matters which depend on each other.
    pub fn with_dependence(model: &'m Model) -> Operations<'m> {
        Operations { dependence: Some(StaticDependence::new(model)), ..Operations::default() }
    }

    /// Appends the operation of every step that is possible in a state, in the order of the steps.
    pub fn append(&mut self, steps: &[Step], state: &State, out: &mut Vec<Agent>) {
        for &step in steps {
            let identity = match &self.dependence {
                None => Identity::Plain(Operation::of(step, state)),
                Some(dependence) => Identity::Known(Box::new(dependence.operation(step, state))),
            };
            out.push(self.number(identity));
        }
    }

    fn number(&mut self, identity: Identity) -> Agent {
        if let Some(&known) = self.numbers.get(&identity) {
            return known;
        }
        self.known.push(identity.clone());
        let number = Agent(NonZeroU32::MIN.saturating_add(self.known.len() as u32 - 1));
        self.numbers.insert(identity, number);
        number
    }

    fn identity(&self, agent: Agent) -> &Identity {
        &self.known[agent.0.get() as usize - 1]
    }

    /// Does one of the two depend on the other? Each does on itself.
    pub fn depend(&self, one: Agent, other: Agent) -> bool {
        match (self.identity(one), self.identity(other)) {
            (Identity::Known(one), Identity::Known(other)) => one.depends_on(other),
            _ => one == other,
        }
    }

    /// The process that executes an operation.
    pub fn process_of(&self, agent: Agent) -> u8 {
        match self.identity(agent) {
            Identity::Plain(operation) => operation.process(),
            Identity::Known(known) => known.operation().process(),
        }
    }
}
