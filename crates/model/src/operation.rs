//! Operations: what fairness of operations is about.
//!
//! Paper: [peled93] section 4.2, where programs are sets of operations.

use crate::model::ProctypeId;
use crate::state::State;
use crate::system::Step;

/// A statement of a process, as an edge of its control flow. A send and a receive that meet in a rendezvous are one
/// operation, of the process that sends. A process is known by its number and its type: one that comes after another of
/// the same type, by the same number, has the same operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    step: Step,
    proctype: ProctypeId,
    partner: Option<ProctypeId>,
}

impl Operation {
    /// The operation that is executed by a step that is possible in a state.
    pub fn of(step: Step, state: &State) -> Operation {
        let proctype = |pid: u8| state.processes[pid as usize].proctype;
        Operation { step, proctype: proctype(step.process), partner: step.partner.map(|(pid, _)| proctype(pid)) }
    }

    /// The processes that take part in it: the one that executes it, and who receives by rendezvous.
    pub fn processes(&self) -> impl Iterator<Item = u8> + use<> {
        [Some(self.step.process), self.step.partner.map(|(pid, _)| pid)].into_iter().flatten()
    }

    /// The process that executes it.
    pub fn process(&self) -> u8 {
        self.step.process
    }
}
