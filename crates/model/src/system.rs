//! Steps and faults; and models as states without structure, which is what the plain engine sees.

use std::ops::Range;

use crate::model::{ActionId, AtomId, EdgeId, InvariantId, ProctypeId};
use crate::verdict::Why;

/// One step of a run: which process took which edge, and for a rendezvous who received and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub process: u8,
    pub edge: EdgeId,
    pub partner: Option<(u8, EdgeId)>,
}

/// What a model does wrong in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    pub kind: FaultKind,
    /// The action at fault.
    pub proctype: ProctypeId,
    pub action: ActionId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    AssertionViolated,
    /// A message that a `trace` does not allow here.
    UnexpectedMessage,
    /// The last of the messages that a `notrace` forbids to come in this order.
    ForbiddenMessages,
    /// A `trace` that could go on in more than one way.
    AmbiguousTrace,
    IndexOutOfRange {
        index: i32,
        length: u32,
    },
    DivisionByZero,
    /// A channel operation on a variable that holds no channel.
    NoChannel {
        value: i32,
    },
    /// A message with more fields than the channel has.
    TooManyFields {
        given: u32,
        fields: u32,
    },
    /// A message that is sent or taken out with fewer fields than the channel has.
    TooFewFields {
        given: u32,
        fields: u32,
    },
    /// A rendezvous channel holds no message that could be looked at.
    PolledRendezvous,
    TooManyProcesses,
    TooManyChannels,
    BlockedInDStep,
    EndlessDStep,
    BadPriority {
        value: i32,
    },
    /// `enabled()` of the process that asks, or of one that asks, directly or not, whether the asking one is enabled.
    CircularEnabled,
}

impl FaultKind {
    /// Is it an assertion that failed? The run goes on then; after other faults there is no next state.
    pub fn is_assertion(&self) -> bool {
        matches!(self, FaultKind::AssertionViolated | FaultKind::UnexpectedMessage | FaultKind::ForbiddenMessages)
    }

    /// Is it not the model that fails, but we who cannot follow it? How many processes there are in which order of
    /// independent steps is nothing that a model should depend on.
    pub fn limit(&self) -> Option<Why> {
        match self {
            FaultKind::TooManyProcesses => Some(Why::Crowded { what: "processes" }),
            FaultKind::TooManyChannels => Some(Why::Crowded { what: "channels" }),
            _ => None,
        }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FaultKind::AssertionViolated => f.write_str("assertion violated"),
            FaultKind::UnexpectedMessage => f.write_str("the trace assertion does not allow this message here"),
            FaultKind::ForbiddenMessages => f.write_str("the run matches the notrace assertion"),
            FaultKind::AmbiguousTrace => f.write_str("the trace assertion is not deterministic here"),
            FaultKind::IndexOutOfRange { index, length } => {
                write!(f, "array index {index} out of range 0..{}", length.saturating_sub(1))
            }
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::NoChannel { value: 0 } => f.write_str("operation on a channel that was never initialised"),
            FaultKind::NoChannel { value } => {
                write!(f, "operation on channel {value}, which does not exist (any more)")
            }
            FaultKind::TooManyFields { given, fields } | FaultKind::TooFewFields { given, fields } => {
                let s = if *given == 1 { "" } else { "s" };
                write!(f, "a message of {given} field{s} on a channel whose messages have {fields}")
            }
            FaultKind::PolledRendezvous => f.write_str("a rendezvous channel stores no message to read"),
            FaultKind::TooManyProcesses => f.write_str("more than 255 processes"),
            FaultKind::TooManyChannels => f.write_str("more than 255 channels"),
            FaultKind::BlockedInDStep => f.write_str("d_step blocks after its first statement"),
            FaultKind::EndlessDStep => f.write_str("d_step does not end"),
            FaultKind::CircularEnabled => f.write_str("enabled() depends on itself"),
            FaultKind::BadPriority { value } => write!(f, "priority {value} is out of range 1..255"),
        }
    }
}

/// States reached by one step each, in one buffer that is reused from state to state.
#[derive(Default)]
pub struct Successors {
    bytes: Vec<u8>,
    items: Vec<Successor>,
    executed: Vec<(ProctypeId, ActionId)>,
}

/// One step and where it leads.
#[derive(Clone, Debug)]
pub struct Successor {
    pub step: Step,
    pub fault: Option<Fault>,
    /// Others may move in this state too. States where one process holds the right to move (in the middle of an
    /// `atomic`) are passed through; they do not count as states and no property is evaluated in them.
    pub stable: bool,
    /// Bytes of the state, `None` when the run ends in the fault.
    state: Option<Range<usize>>,
    executed: Range<usize>,
}

impl Successors {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.executed.clear();
    }

    /// Adds a successor whose bytes `write` appends. `executed` are the actions that the step executes, for coverage.
    pub fn push(
        &mut self,
        step: Step,
        fault: Option<Fault>,
        stable: bool,
        executed: &[(ProctypeId, ActionId)],
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let state = Some(start..self.bytes.len());
        let executed = self.note(executed);
        self.items.push(Successor { step, fault, stable, state, executed });
    }

    /// Adds a step that ends the run.
    pub fn push_end(&mut self, step: Step, fault: Fault, executed: &[(ProctypeId, ActionId)]) {
        let executed = self.note(executed);
        self.items.push(Successor { step, fault: Some(fault), stable: true, state: None, executed });
    }

    fn note(&mut self, executed: &[(ProctypeId, ActionId)]) -> Range<usize> {
        let start = self.executed.len();
        self.executed.extend_from_slice(executed);
        start..self.executed.len()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, index: usize) -> &Successor {
        &self.items[index]
    }

    /// The state a successor leads to, `None` when the run ends in a fault.
    pub fn state(&self, index: usize) -> Option<&[u8]> {
        self.items[index].state.clone().map(|range| &self.bytes[range])
    }

    /// The actions that a step executes: two in a rendezvous, many in a `d_step`.
    pub fn executed(&self, index: usize) -> &[(ProctypeId, ActionId)] {
        &self.executed[self.items[index].executed.clone()]
    }

    /// Every successor with its state.
    pub fn iter(&self) -> impl Iterator<Item = (&Successor, Option<&[u8]>)> {
        (0..self.len()).map(|index| (self.get(index), self.state(index)))
    }
}

/// A state space to explore, in the plainest way there is. A state is a string of bytes that only the system understands: two
/// states are the same state exactly when their bytes are. Engines that want to know what a step depends on use the
/// [`Door`](crate::Door), and are compared with those that do not.
pub trait TransitionSystem: Sync {
    /// The initial state, and whether it is stable (see [`Successor::stable`]).
    fn initial(&self) -> Vec<u8>;

    /// Replaces `out` by the steps possible in `state`, in an order that depends on nothing else.
    fn successors(&self, state: &[u8], out: &mut Successors);

    /// May a run that cannot go on rest in this state?
    fn is_valid_end(&self, state: &[u8]) -> bool;

    /// The atom that is to hold in every state.
    fn atom_of(&self, invariant: InvariantId) -> AtomId;

    /// Does the atom hold in this state? Evaluating it can itself go wrong, for instance index out of range.
    fn holds(&self, atom: AtomId, state: &[u8]) -> Result<bool, FaultKind>;
}
