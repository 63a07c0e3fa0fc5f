//! What a model means: its initial state, the steps possible in a state, and what a step does.
//!
//! This is the oracle. It favours being obviously right over being fast: no caches, no sharing, one function per
//! rule. The rules are those of SPIN's verifier.
//!
//! * A step is one edge of one process; a rendezvous is one step of two processes.
//! * After an edge that is marked atomic the process keeps the right to move while it can ([`State::exclusive`]).
//!   A state in which it cannot move is like any other: the right is lost.
//! * A rendezvous passes the right on: what counts is whether the *receiver's* edge is atomic.
//! * `timeout` is true only where nothing could move otherwise.

use crate::evaluate::{Context, Evaluated};
use crate::execute::Execution;
use crate::expr::Expr;
use crate::model::{
    Action, ActionId, ActionKind, AtomId, Communication, EdgeId, Guard, Initial, LocationId, Model, Proctype,
    ProctypeId,
};
use crate::state::{Channel, Process, State};
use crate::system::{Fault, FaultKind, Step, Successors, TransitionSystem};

pub struct Interpreter<'m> {
    model: &'m Model,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `None`: the run ends in the fault.
    pub state: Option<State>,
    pub fault: Option<Fault>,
    /// What the step printed.
    pub output: String,
}

/// What a step does, and by which actions.
struct Executed {
    outcome: Outcome,
    actions: Vec<(ProctypeId, ActionId)>,
}

/// In which situation a process is asked to move.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'a> {
    /// It moves by itself, or begins a rendezvous.
    Free(Moment),
    /// It completes a rendezvous by receiving this message.
    Receive { channel: usize, message: &'a [i32], moment: Moment },
}

/// What a condition can see besides the state.
#[derive(Clone, Copy, Default)]
pub(crate) struct Moment {
    /// No process can move without a timeout.
    pub timeout: bool,
    /// The condition is evaluated to answer an `enabled()` inside so many others.
    pub questions: u8,
}

impl Mode<'_> {
    fn moment(&self) -> Moment {
        match self {
            Mode::Free(moment) | Mode::Receive { moment, .. } => *moment,
        }
    }
}

/// Whether an edge can be taken.
enum Executable {
    No,
    Yes,
    /// If some other process receives this message.
    Offer {
        channel: usize,
        message: Vec<i32>,
    },
}

impl<'m> Interpreter<'m> {
    pub fn new(model: &'m Model) -> Self {
        Interpreter { model }
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    pub fn decode(&self, bytes: &[u8]) -> State {
        State::decode(self.model, bytes)
    }

    pub fn encode(&self, state: &State, out: &mut Vec<u8>) {
        state.encode(self.model.features, out);
    }

    /// The initial state. Front ends see to it that there is one.
    pub fn initial_state(&self) -> State {
        match self.find_initial_state() {
            Ok(state) => state,
            Err((proctype, fault)) => {
                unreachable!("a front end let an initial process of type {} through: {fault}", proctype.0)
            }
        }
    }

    /// The initial state, or which process cannot be created and why: its initialisers are evaluated.
    pub fn find_initial_state(&self) -> Result<State, (ProctypeId, FaultKind)> {
        let mut state = State {
            globals: vec![0; self.model.globals.len()],
            processes: Vec::new(),
            channels: Vec::new(),
            exclusive: None,
            last: 0,
        };
        for (index, slot) in self.model.globals.iter().enumerate() {
            state.globals[index] = match &slot.initial {
                Initial::Value(value) => *value,
                Initial::Channel(ty) => {
                    state.channels.push(Channel { ty: *ty, owner: None, messages: Vec::new() });
                    state.channels.len() as i32
                }
                Initial::Expr(_) => unreachable!("the verifier rejects global initialisers that are not values"),
            };
        }
        for start in &self.model.initial {
            let created = self.create_process(&mut state, start.proctype, &[], start.priority);
            created.map_err(|fault| (start.proctype, fault))?;
        }
        Ok(state)
    }

    /// Adds a process and its channels; answers its pid.
    pub(crate) fn create_process(
        &self,
        state: &mut State,
        proctype: ProctypeId,
        arguments: &[i32],
        priority: u8,
    ) -> Evaluated<u8> {
        let pid = state.processes.len();
        if pid >= 255 {
            return Err(FaultKind::TooManyProcesses);
        }
        let declaration = self.model.proctype(proctype);
        let locals = vec![0; declaration.locals.len()];
        state.processes.push(Process { proctype, location: declaration.entry, priority, locals });
        for (index, slot) in declaration.locals.iter().enumerate() {
            let value = match (&slot.initial, arguments.get(index)) {
                (_, Some(&argument)) => argument,
                (Initial::Value(value), None) => *value,
                (Initial::Expr(expr), None) => {
                    let context = Context { interpreter: self, state, pid: Some(pid), moment: Moment::default() };
                    context.evaluate(expr)?
                }
                (Initial::Channel(ty), None) => {
                    if state.channels.len() >= 255 {
                        return Err(FaultKind::TooManyChannels);
                    }
                    state.channels.push(Channel { ty: *ty, owner: Some(pid as u8), messages: Vec::new() });
                    state.channels.len() as i32
                }
            };
            state.processes[pid].locals[index] = slot.ty.truncate(value);
        }
        Ok(pid as u8)
    }

    /// The steps possible in a state: by pid, then in the order of the edges.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        self.steps_and_timeout(state).0
    }

    fn steps_and_timeout(&self, state: &State) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        if let Some(pid) = state.exclusive {
            self.steps_of(state, pid as usize, false, &mut steps);
            return (steps, false);
        }
        for timeout in [false, true] {
            for pid in 0..state.processes.len() {
                self.steps_of(state, pid, timeout, &mut steps);
            }
            if !steps.is_empty() {
                return (steps, timeout);
            }
        }
        (steps, false)
    }

    /// The steps that process `pid` can take by itself or begin.
    fn steps_of(&self, state: &State, pid: usize, timeout: bool, out: &mut Vec<Step>) {
        if !self.has_priority(state, pid, timeout) {
            return;
        }
        let asked = self.each_option(state, pid, Mode::Free(Moment { timeout, questions: 0 }), |edge, partner| {
            out.push(Step { process: pid as u8, edge, partner });
            true
        });
        debug_assert!(asked.is_ok(), "a fault that is not asked about is a step that fails");
    }

    /// Could process `pid` move, if its priority allowed it?
    pub(crate) fn can_move(&self, state: &State, pid: usize, mode: Mode) -> Evaluated<bool> {
        let mut found = false;
        self.each_option(state, pid, mode, |_, _| {
            found = true;
            false
        })?;
        Ok(found)
    }

    fn can_move_now(&self, state: &State, pid: usize, timeout: bool) -> bool {
        // Nothing is asked here that could be circular, and other faults are the process's own when it moves.
        self.can_move(state, pid, Mode::Free(Moment { timeout, questions: 0 })).unwrap_or(true)
    }

    /// Only processes of the highest priority among those that can move may move.
    fn has_priority(&self, state: &State, pid: usize, timeout: bool) -> bool {
        !self.model.features.priorities
            || (0..state.processes.len()).all(|other| {
                state.processes[other].priority <= state.processes[pid].priority
                    || !self.can_move_now(state, other, timeout)
            })
    }

    /// Calls `visit` with every edge that process `pid` can take now, and its partner in a rendezvous, until it
    /// answers `false`. Escapes come first: once one can be taken, what follows its group cannot.
    ///
    /// What goes wrong in a guard goes wrong in the step: the step can be taken, and fails. Only where an `enabled()`
    /// asks, a circle of questions has no answer.
    fn each_option(
        &self,
        state: &State,
        pid: usize,
        mode: Mode,
        mut visit: impl FnMut(EdgeId, Option<(u8, EdgeId)>) -> bool,
    ) -> Evaluated<()> {
        let asked = mode.moment().questions > 0;
        if !self.is_provided(state, pid, mode.moment())? {
            return Ok(());
        }
        let process = &state.processes[pid];
        let proctype = self.model.proctype(process.proctype);
        let mut moved = false;
        let mut escape = 0;
        for &id in &proctype.location(process.location).edges {
            let edge = proctype.edge(id);
            if escape > 0 && edge.escape != escape {
                return Ok(());
            }
            match self.executable(state, pid, proctype, proctype.action(edge.action), mode, moved) {
                Err(FaultKind::CircularEnabled) if asked => return Err(FaultKind::CircularEnabled),
                Err(_) | Ok(Executable::Yes) => {
                    moved = true;
                    escape = edge.escape;
                    if !visit(id, None) {
                        return Ok(());
                    }
                }
                Ok(Executable::Offer { channel, message }) => {
                    for partner in self.receivers(state, pid, channel, &message, mode.moment())? {
                        moved = true;
                        escape = edge.escape;
                        if !visit(id, Some(partner)) {
                            return Ok(());
                        }
                    }
                }
                Ok(Executable::No) => {}
            }
        }
        Ok(())
    }

    fn is_provided(&self, state: &State, pid: usize, moment: Moment) -> Evaluated<bool> {
        let Some(condition) = &self.model.proctype(state.processes[pid].proctype).provided else { return Ok(true) };
        let context = Context { interpreter: self, state, pid: Some(pid), moment };
        match context.holds(condition) {
            Err(FaultKind::CircularEnabled) if moment.questions > 0 => Err(FaultKind::CircularEnabled),
            // A clause that cannot be evaluated does not stop the process: its step fails.
            provided => Ok(provided.unwrap_or(true)),
        }
    }

    /// Who could receive this message in a rendezvous, and by which edge.
    fn receivers(
        &self,
        state: &State,
        sender: usize,
        channel: usize,
        message: &[i32],
        moment: Moment,
    ) -> Evaluated<Vec<(u8, EdgeId)>> {
        let mode = Mode::Receive { channel, message, moment: Moment { timeout: false, ..moment } };
        let mut receivers = Vec::new();
        for pid in (0..state.processes.len()).filter(|&pid| pid != sender) {
            self.each_option(state, pid, mode, |edge, _| {
                receivers.push((pid as u8, edge));
                true
            })?;
        }
        if self.model.features.priorities {
            let priority = |&(pid, _): &(u8, EdgeId)| state.processes[pid as usize].priority;
            let highest = receivers.iter().map(priority).max();
            receivers.retain(|receiver| Some(priority(receiver)) == highest);
        }
        Ok(receivers)
    }

    fn executable(
        &self,
        state: &State,
        pid: usize,
        proctype: &Proctype,
        action: &Action,
        mode: Mode,
        moved: bool,
    ) -> Evaluated<Executable> {
        let context = Context { interpreter: self, state, pid: Some(pid), moment: mode.moment() };
        match &action.kind {
            ActionKind::End => {
                let free = matches!(mode, Mode::Free(_));
                Ok(yes_if(free && pid + 1 == state.processes.len()))
            }
            ActionKind::DStep { entry } => {
                Ok(yes_if(self.first_interior_edge(state, pid, proctype, *entry, mode).is_some()))
            }
            ActionKind::Step { guard, communication, .. } => {
                let receives = matches!(communication, Some(Communication::Receive { .. }));
                if matches!(mode, Mode::Receive { .. }) && !receives {
                    return Ok(Executable::No);
                }
                let guard_holds = match guard {
                    Guard::Else => !moved,
                    Guard::When(condition) => context.holds(condition)?,
                };
                match communication {
                    _ if !guard_holds => Ok(Executable::No),
                    None => Ok(Executable::Yes),
                    Some(communication) => self.can_communicate(context, communication, mode),
                }
            }
        }
    }

    fn can_communicate(&self, context: Context, communication: &Communication, mode: Mode) -> Evaluated<Executable> {
        match (communication, mode) {
            (Communication::Send { channel, arguments, .. }, Mode::Free(_)) => {
                let channel = context.channel(channel)?;
                let ty = self.model.channel_type(context.state.channels[channel].ty);
                if ty.capacity == 0 {
                    return Ok(Executable::Offer { channel, message: context.message(channel, arguments)? });
                }
                Ok(yes_if(context.state.channels[channel].message_count(self.model) < ty.capacity as usize))
            }
            (Communication::Receive { channel, random, patterns, .. }, Mode::Free(_)) => {
                let channel = context.channel(channel)?;
                // A rendezvous channel holds no message, so a receive never begins one.
                Ok(yes_if(context.find_message(channel, patterns, *random)?.is_some()))
            }
            (Communication::Receive { channel, patterns, .. }, Mode::Receive { channel: offered, message, .. }) => {
                let fits = context.channel(channel)? == offered;
                if fits {
                    context.check_width(offered, patterns.len())?;
                }
                Ok(yes_if(fits && context.matches(patterns, message)?))
            }
            (Communication::Send { .. }, Mode::Receive { .. }) => Ok(Executable::No),
        }
    }

    /// The edge a `d_step` takes at an interior location: the first that can be taken. A rendezvous can only be
    /// completed there, not begun.
    pub(crate) fn first_interior_edge(
        &self,
        state: &State,
        pid: usize,
        proctype: &Proctype,
        location: LocationId,
        mode: Mode,
    ) -> Option<EdgeId> {
        proctype.location(location).edges.iter().copied().find(|&id| {
            let action = proctype.action_of(id);
            matches!(self.executable(state, pid, proctype, action, mode, false), Err(_) | Ok(Executable::Yes))
        })
    }

    /// Executes a step that is possible in `state`, as told by [`Interpreter::steps`].
    pub fn execute(&self, state: &State, step: Step) -> Outcome {
        let timeout = self.steps_and_timeout(state).1;
        self.execute_at(state, step, timeout, true).outcome
    }

    fn execute_at(&self, state: &State, step: Step, timeout: bool, with_output: bool) -> Executed {
        let mut execution = Execution::new(self, state.clone(), timeout, with_output);
        let ended = execution.run(step).err();
        let Execution { mut state, fault, output, executed, .. } = execution;
        if ended.is_some() {
            return Executed { outcome: Outcome { state: None, fault: ended, output }, actions: executed };
        }
        state.exclusive = self.right_to_move(&state, step);
        if self.model.features.last {
            state.last = step.partner.map_or(step.process, |(pid, _)| pid);
        }
        Executed { outcome: Outcome { state: Some(state), fault, output }, actions: executed }
    }

    /// Who alone may move after the step, if the step was atomic and that process can go on.
    fn right_to_move(&self, state: &State, step: Step) -> Option<u8> {
        let (pid, edge) = step.partner.unwrap_or((step.process, step.edge));
        let process = state.processes.get(pid as usize)?;
        let atomic = self.model.proctype(process.proctype).edge(edge).atomic;
        let can_go_on =
            || self.has_priority(state, pid as usize, false) && self.can_move_now(state, pid as usize, false);
        (atomic && can_go_on()).then_some(pid)
    }

    pub fn is_valid_end_state(&self, state: &State) -> bool {
        state.processes.iter().all(|process| self.model.proctype(process.proctype).location(process.location).end)
    }

    /// The value of an expression over globals.
    pub fn evaluate_global(&self, expr: &Expr, state: &State) -> Result<i32, FaultKind> {
        Context { interpreter: self, state, pid: None, moment: Moment::default() }.evaluate(expr)
    }
}

fn yes_if(condition: bool) -> Executable {
    if condition { Executable::Yes } else { Executable::No }
}

impl TransitionSystem for Interpreter<'_> {
    fn initial(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&self.initial_state(), &mut bytes);
        bytes
    }

    fn successors(&self, state: &[u8], out: &mut Successors) {
        out.clear();
        let state = self.decode(state);
        let (steps, timeout) = self.steps_and_timeout(&state);
        for step in steps {
            let Executed { outcome, actions } = self.execute_at(&state, step, timeout, false);
            match (outcome.state, outcome.fault) {
                (Some(next), fault) => {
                    out.push(step, fault, next.exclusive.is_none(), &actions, |bytes| self.encode(&next, bytes));
                }
                (None, Some(fault)) => out.push_end(step, fault, &actions),
                (None, None) => unreachable!("a run ends only in a fault"),
            }
        }
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.is_valid_end_state(&self.decode(state))
    }

    fn holds(&self, atom: AtomId, state: &[u8]) -> Result<bool, FaultKind> {
        Ok(self.evaluate_global(&self.model.atoms[atom.index()].expr, &self.decode(state))? != 0)
    }
}
