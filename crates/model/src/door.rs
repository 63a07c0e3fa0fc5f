//! The door that engines step a model through: *what can process p do in state s, and what does that depend on?*
//!
//! An engine keeps what it is told, because the answer is good for many states: the memo of the packed engine, the facts of the
//! symbolic one. So it does not walk from state to state (for that there are [`TransitionSystem`](crate::TransitionSystem) and
//! [`Replay`](crate::Replay)), but asks one process at a time, and takes states apart into [components](crate::component).
//!
//! # How to ask
//!
//! The state that is asked about is in a [`Workspace`]. While that [observes](Workspace::observe), it notes what is looked at:
//!
//! ```
//! # use reductio_model::{Model, Possible, Door, Workspace};
//! # fn learn(system: &dyn Door, workspace: &mut Workspace, pid: u8) {
//! let mut possible = Possible::default();
//! workspace.observe(true);
//! let answered: Result<(), ()> = system.ask(workspace, pid, false, &mut possible, |tried| {
//!     // Here the step is done. What it has written:
//!     let changes: Vec<_> = tried.written().collect();
//!     // And the state it leads to, if it leads to one:
//!     let next = tried.state();
//!     Ok(())
//! });
//! // What the whole answer depends on, from the first step to the last:
//! let footprint = workspace.touched();
//! # }
//! ```
//!
//! # What is promised
//!
//! * **An answer depends on its footprint, and on nothing else.** In every state in which the [parts](Part) that were touched
//!   have these values, the process has the same steps in the same order, each goes wrong in the same way, writes
//!   the same parts, and gives them the same values. Whatever rule had to be asked is part of it: what an `else` stands for,
//!   the locations of all who might receive a message by rendezvous, the priorities of others and whether they could move,
//!   who is counted for a process to end, and whether an `atomic` can go on after the step.
//! * **A step changes nothing but what it [has written](Tried::written)**, and what it has written is in the footprint.
//! * The same holds of [atoms](Door::atom_holds), [expressions](Door::value) and whether a run [may
//!   end](Door::may_end): while the workspace observes, it notes what they depend on.
//! * Steps come in an order that is the model's: of the edges of the process, and for each of the pids and edges of those who
//!   receive. It does not depend on who asks, or when.
//!
//! # What is left to the engine
//!
//! Two things depend on all processes, and would make every answer depend on everything:
//!
//! * **Who may move.** A process is asked as if no other held the right to move. Where [one alone](crate::State::exclusive) may,
//!   the others must not be asked.
//! * **Whether `timeout` holds.** It does where no process has a step without it. The engine says which of the two it asks about.
//!
//! [`possible_steps`](trait.Door.html#method.possible_steps) puts them together for one state.

use crate::expr::Expr;
use crate::interpreter::Performed;
use crate::model::{ActionId, AtomId, Model, ProctypeId};
use crate::state::State;
use crate::system::{Fault, FaultKind, Step};
use crate::workspace::{Part, Workspace};

/// A model that can be asked what its processes do. The [`Interpreter`](crate::Interpreter) is one.
///
/// This is what has to be there. Engines use [`ask`](trait.Door.html#method.ask), which puts it together.
pub trait Door: Sync {
    fn model(&self) -> &Model;

    fn initial_state(&self) -> State;

    /// Appends the steps that a process which exists can take by itself or begin, in the order of the edges. Whether another
    /// holds the right to move is not asked.
    fn steps_of(&self, workspace: &Workspace, process: u8, timeout: bool, out: &mut Vec<Step>);

    /// Executes a step in place, as told by [`Door::steps_of`] for the same `timeout`, and appends the actions
    /// executed. The caller undoes what was changed, or keeps it.
    fn perform(
        &self,
        workspace: &mut Workspace,
        step: Step,
        timeout: bool,
        executed: &mut Vec<(ProctypeId, ActionId)>,
    ) -> Performed;

    /// May a run that cannot go on rest in this state?
    fn may_end(&self, workspace: &Workspace) -> bool;

    /// Does the atom hold in this state? Evaluating it can itself go wrong, for instance index out of range.
    fn atom_holds(&self, workspace: &Workspace, atom: AtomId) -> Result<bool, FaultKind>;

    /// The value of an expression for a process.
    fn value(&self, workspace: &Workspace, process: u8, expr: &Expr) -> Result<i32, FaultKind>;
}

/// The steps that were possible where it was asked last. It is used again from question to question, for the room that it has.
#[derive(Default)]
pub struct Possible {
    steps: Vec<Step>,
    executed: Vec<(ProctypeId, ActionId)>,
}

impl Possible {
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

/// A step that is tried: it is done in the workspace, and will be undone when it has been looked at.
pub struct Tried<'a> {
    pub step: Step,
    /// What goes wrong in it. The run may go on all the same, see [`Tried::state`].
    pub fault: Option<Fault>,
    /// Others may move in the state that it leads to, see [`Successor::stable`](crate::Successor::stable). So they may where it
    /// leads to none.
    pub stable: bool,
    /// The actions that it executes: two in a rendezvous, many in a `d_step`.
    pub executed: &'a [(ProctypeId, ActionId)],
    workspace: &'a Workspace,
    ends: bool,
}

impl<'a> Tried<'a> {
    /// The state that it leads to, `None` when the run ends in the fault.
    pub fn state(&self) -> Option<&'a State> {
        (!self.ends).then(|| self.workspace.state())
    }

    /// The parts that it has written, whether or not they have another value now, some of them more than once. Where the
    /// run ends in a fault, what was written before.
    pub fn written(&self) -> impl Iterator<Item = Part> {
        self.workspace.written()
    }
}

impl dyn Door + '_ {
    /// Has every step tried that a process can take by itself or begin, one after the other, until `visit` answers an error.
    /// The workspace is left as it was, but for its notes.
    pub fn ask<E>(
        &self,
        workspace: &mut Workspace,
        process: u8,
        timeout: bool,
        possible: &mut Possible,
        mut visit: impl FnMut(Tried<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Possible { steps, executed } = possible;
        steps.clear();
        self.steps_of(workspace, process, timeout, steps);
        for &step in &*steps {
            executed.clear();
            let Performed { ended, fault } = self.perform(workspace, step, timeout, executed);
            let ends = ended.is_some();
            let stable = ends || workspace.state().exclusive.is_none();
            let visited = visit(Tried { step, fault: ended.or(fault), stable, executed, workspace, ends });
            workspace.undo();
            visited?;
        }
        Ok(())
    }

    /// Replaces `out` by the steps possible in the state, by pid, and answers whether they need a `timeout`.
    pub fn possible_steps(&self, workspace: &Workspace, out: &mut Vec<Step>) -> bool {
        out.clear();
        if let Some(pid) = workspace.exclusive() {
            self.steps_of(workspace, pid, false, out);
            return false;
        }
        for timeout in [false, true] {
            for pid in 0..workspace.process_count() {
                self.steps_of(workspace, pid as u8, timeout, out);
            }
            if !out.is_empty() {
                return timeout;
            }
        }
        false
    }

    /// The bytes of a state, which are the same on every machine. [`State::decode`] reads them.
    pub fn bytes_of(&self, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        state.encode(self.model().features, &mut bytes);
        bytes
    }
}
