//! What a model means: its initial state, the steps possible in a state, and what a step does.
//!
//! This is the oracle. It favours being obviously right over being fast: no caches, no sharing, one function per
//! rule. The rules are those of SPIN's verifier. They see a state only through a [`Workspace`], which can tell what they
//! looked at.
//!
//! * A step is one edge of one process; a rendezvous is one step of two processes.
//! * After an edge that is marked atomic the process keeps the right to move while it can ([`State::exclusive`]).
//!   A state in which it cannot move is like any other: the right is lost.
//! * A rendezvous passes the right on: what counts is whether the *receiver's* edge is atomic.
//! * `timeout` is true only where nothing could move otherwise.

use crate::door::Door;
use crate::evaluate::{Context, Evaluated};
use crate::execute::{Execution, Told, Wrapped};
use crate::expr::Expr;
use crate::model::{
    Action, ActionId, ActionKind, AtomId, Communication, EdgeId, Guard, Initial, InvariantId, LocationId, Model,
    Proctype, ProctypeId,
};
use crate::monitor::Monitor;
use crate::state::{Channel, Process, State};
use crate::system::{Fault, FaultKind, Step, Successors, TransitionSystem};
use crate::workspace::Workspace;

#[derive(Clone, Copy)]
pub struct Interpreter<'m> {
    model: &'m Model,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<S = State> {
    /// `None`: the run ends in the fault.
    pub state: Option<S>,
    pub fault: Option<Fault>,
    /// What the step printed.
    pub output: String,
    /// The values that did not fit into their variables.
    pub wrapped: Vec<Wrapped>,
}

impl<S> Outcome<S> {
    /// A step that does nothing but lead to a state.
    pub fn to(state: S) -> Outcome<S> {
        Outcome { state: Some(state), fault: None, output: String::new(), wrapped: Vec::new() }
    }
}

/// How a step went that was executed in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The run ends in this fault: there is no next state, and what is in the workspace is to be undone.
    pub ended: Option<Fault>,
    /// The first failed assertion of a step after which the run goes on.
    pub fault: Option<Fault>,
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
        let mut workspace = Workspace::new(state);
        for start in &self.model.initial {
            let created = self.create_process(&mut workspace, start.proctype, &[], start.priority);
            created.map_err(|fault| (start.proctype, fault))?;
        }
        Ok(workspace.into_state())
    }

    /// Adds a process and its channels; answers its pid.
    pub(crate) fn create_process(
        &self,
        workspace: &mut Workspace,
        proctype: ProctypeId,
        arguments: &[i32],
        priority: u8,
    ) -> Evaluated<u8> {
        let pid = workspace.process_count();
        if pid >= 255 {
            return Err(FaultKind::TooManyProcesses);
        }
        let declaration = self.model.proctype(proctype);
        let locals = vec![0; declaration.locals.len()];
        workspace.push_process(Process { proctype, location: declaration.entry, priority, locals });
        for (index, slot) in declaration.locals.iter().enumerate() {
            let value = match (&slot.initial, arguments.get(index)) {
                (_, Some(&argument)) => argument,
                (Initial::Value(value), None) => *value,
                (Initial::Expr(expr), None) => {
                    let context = Context { interpreter: self, workspace, pid: Some(pid), moment: Moment::default() };
                    context.evaluate(expr)?
                }
                (Initial::Channel(ty), None) => {
                    if workspace.channel_count() >= 255 {
                        return Err(FaultKind::TooManyChannels);
                    }
                    workspace.push_channel(Channel { ty: *ty, owner: Some(pid as u8), messages: Vec::new() });
                    workspace.channel_count() as i32
                }
            };
            workspace.set_local(pid, index, slot.ty.truncate(value));
        }
        Ok(pid as u8)
    }

    /// The steps possible in a state: by pid, then in the order of the edges.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        self.steps_and_timeout(&Workspace::new(state.clone())).0
    }

    fn steps_and_timeout(&self, workspace: &Workspace) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        if let Some(pid) = workspace.exclusive() {
            self.steps_of(workspace, pid, false, &mut steps);
            return (steps, false);
        }
        for timeout in [false, true] {
            for pid in 0..workspace.process_count() {
                self.steps_of(workspace, pid as u8, timeout, &mut steps);
            }
            if !steps.is_empty() {
                return (steps, timeout);
            }
        }
        (steps, false)
    }

    /// Could process `pid` move, if its priority allowed it?
    pub(crate) fn can_move(&self, workspace: &Workspace, pid: usize, mode: Mode) -> Evaluated<bool> {
        let mut found = false;
        self.each_option(workspace, pid, mode, |_, _| {
            found = true;
            false
        })?;
        Ok(found)
    }

    pub(crate) fn can_move_now(&self, workspace: &Workspace, pid: usize, timeout: bool) -> bool {
        // Nothing is asked here that could be circular, and other faults are the process's own when it moves.
        self.can_move(workspace, pid, Mode::Free(Moment { timeout, questions: 0 })).unwrap_or(true)
    }

    /// Only processes of the highest priority among those that can move may move.
    fn has_priority(&self, workspace: &Workspace, pid: usize, timeout: bool) -> bool {
        !self.model.features.priorities
            || (0..workspace.process_count()).all(|other| {
                workspace.priority(other) <= workspace.priority(pid) || !self.can_move_now(workspace, other, timeout)
            })
    }

    /// Calls `visit` with every edge that process `pid` can take now, and its partner in a rendezvous, until it
    /// answers `false`. Escapes come first: once one can be taken, what follows its group cannot.
    ///
    /// What goes wrong in a guard goes wrong in the step: the step can be taken, and fails. Only where an `enabled()`
    /// asks, a circle of questions has no answer.
    fn each_option(
        &self,
        workspace: &Workspace,
        pid: usize,
        mode: Mode,
        mut visit: impl FnMut(EdgeId, Option<(u8, EdgeId)>) -> bool,
    ) -> Evaluated<()> {
        let asked = mode.moment().questions > 0;
        if !self.is_provided(workspace, pid, mode.moment())? {
            return Ok(());
        }
        let proctype = self.model.proctype(workspace.proctype(pid));
        let mut moved = false;
        let mut escape = 0;
        for &id in &proctype.location(workspace.location(pid)).edges {
            let edge = proctype.edge(id);
            if escape > 0 && edge.escape != escape {
                return Ok(());
            }
            match self.executable(workspace, pid, proctype, proctype.action(edge.action), mode, moved) {
                Err(FaultKind::CircularEnabled) if asked => return Err(FaultKind::CircularEnabled),
                Err(_) | Ok(Executable::Yes) => {
                    moved = true;
                    escape = edge.escape;
                    if !visit(id, None) {
                        return Ok(());
                    }
                }
                Ok(Executable::Offer { channel, message }) => {
                    for partner in self.receivers(workspace, pid, channel, &message, mode.moment())? {
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

    fn is_provided(&self, workspace: &Workspace, pid: usize, moment: Moment) -> Evaluated<bool> {
        let Some(condition) = &self.model.proctype(workspace.proctype(pid)).provided else { return Ok(true) };
        let context = Context { interpreter: self, workspace, pid: Some(pid), moment };
        match context.holds(condition) {
            Err(FaultKind::CircularEnabled) if moment.questions > 0 => Err(FaultKind::CircularEnabled),
            // A clause that cannot be evaluated does not stop the process: its step fails.
            provided => Ok(provided.unwrap_or(true)),
        }
    }

    /// Who could receive this message in a rendezvous, and by which edge.
    fn receivers(
        &self,
        workspace: &Workspace,
        sender: usize,
        channel: usize,
        message: &[i32],
        moment: Moment,
    ) -> Evaluated<Vec<(u8, EdgeId)>> {
        let mode = Mode::Receive { channel, message, moment: Moment { timeout: false, ..moment } };
        let mut receivers = Vec::new();
        for pid in (0..workspace.process_count()).filter(|&pid| pid != sender) {
            self.each_option(workspace, pid, mode, |edge, _| {
                receivers.push((pid as u8, edge));
                true
            })?;
        }
        if self.model.features.priorities {
            let priority = |&(pid, _): &(u8, EdgeId)| workspace.priority(pid as usize);
            let highest = receivers.iter().map(priority).max();
            receivers.retain(|receiver| Some(priority(receiver)) == highest);
        }
        Ok(receivers)
    }

    fn executable(
        &self,
        workspace: &Workspace,
        pid: usize,
        proctype: &Proctype,
        action: &Action,
        mode: Mode,
        moved: bool,
    ) -> Evaluated<Executable> {
        let context = Context { interpreter: self, workspace, pid: Some(pid), moment: mode.moment() };
        match &action.kind {
            ActionKind::End => {
                let free = matches!(mode, Mode::Free(_));
                Ok(yes_if(free && pid + 1 == workspace.process_count()))
            }
            ActionKind::DStep { entry } => {
                Ok(yes_if(self.first_interior_edge(workspace, pid, proctype, *entry, mode).is_some()))
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
                let capacity = context.channel_type(channel).capacity as usize;
                if capacity == 0 {
                    return Ok(Executable::Offer { channel, message: context.message(channel, arguments)? });
                }
                Ok(yes_if(context.message_count(channel) < capacity))
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
        workspace: &Workspace,
        pid: usize,
        proctype: &Proctype,
        location: LocationId,
        mode: Mode,
    ) -> Option<EdgeId> {
        proctype.location(location).edges.iter().copied().find(|&id| {
            let action = proctype.action_of(id);
            matches!(self.executable(workspace, pid, proctype, action, mode, false), Err(_) | Ok(Executable::Yes))
        })
    }

    /// Executes a step that is possible in `state`, as told by [`Interpreter::steps`].
    pub fn execute(&self, state: &State, step: Step) -> Outcome {
        let mut workspace = Workspace::new(state.clone());
        let timeout = self.steps_and_timeout(&workspace).1;
        let mut told = Told::default();
        let Performed { ended, fault } =
            self.perform_and_tell(&mut workspace, step, timeout, &mut Vec::new(), Some(&mut told));
        let state = ended.is_none().then(|| workspace.into_state());
        Outcome { state, fault: ended.or(fault), output: told.output, wrapped: told.wrapped }
    }

    fn perform_and_tell(
        &self,
        workspace: &mut Workspace,
        step: Step,
        timeout: bool,
        executed: &mut Vec<(ProctypeId, ActionId)>,
        told: Option<&mut Told>,
    ) -> Performed {
        let (pid, edge) = step.partner.unwrap_or((step.process, step.edge));
        let atomic = self.model.proctype(workspace.proctype(pid as usize)).edge(edge).atomic;
        let mut execution = Execution::new(self, workspace, timeout, executed, told);
        if let Err(fault) = execution.run(step) {
            return Performed { ended: Some(fault), fault: None };
        }
        let fault = execution.fault;
        // Before it is asked who can go on: that may depend on it.
        if self.model.features.last {
            workspace.set_last(pid);
        }
        let exclusive = self.right_to_move(workspace, pid, atomic);
        workspace.set_exclusive(exclusive);
        Performed { ended: None, fault }
    }

    /// Who alone may move after a step of process `pid`, if the step was atomic and that process can go on.
    fn right_to_move(&self, workspace: &Workspace, pid: u8, atomic: bool) -> Option<u8> {
        let process = pid as usize;
        let can_go_on = || {
            workspace.has_process(process)
                && self.has_priority(workspace, process, false)
                && self.can_move_now(workspace, process, false)
        };
        (atomic && can_go_on()).then_some(pid)
    }

    pub fn is_valid_end_state(&self, state: &State) -> bool {
        self.may_end(&Workspace::new(state.clone()))
    }

    /// A monitor that demands more messages than there have been.
    pub fn unfinished_monitor(&self, workspace: &Workspace) -> Option<&'m Monitor> {
        let may_end = |monitor: &Monitor| monitor.points[workspace.global(monitor.slot as usize) as usize].end;
        self.model.monitors.iter().find(|monitor| !monitor.forbids && !may_end(monitor))
    }

    /// The value of an expression for a process.
    pub fn value(&self, workspace: &Workspace, pid: u8, expr: &Expr) -> Result<i32, FaultKind> {
        let context = Context { interpreter: self, workspace, pid: Some(pid as usize), moment: Moment::default() };
        context.evaluate(expr)
    }

    /// The value of an expression over globals.
    pub fn evaluate_global(&self, expr: &Expr, state: &State) -> Result<i32, FaultKind> {
        self.whole_state(&Workspace::new(state.clone())).evaluate(expr)
    }

    /// Does the atom hold in the state that is being worked on?
    pub fn atom_holds(&self, workspace: &Workspace, atom: AtomId) -> Result<bool, FaultKind> {
        self.whole_state(workspace).holds(&self.model.atoms[atom.index()].expr)
    }

    fn whole_state<'a>(&'a self, workspace: &'a Workspace) -> Context<'a> {
        Context { interpreter: self, workspace, pid: None, moment: Moment::default() }
    }
}

fn yes_if(condition: bool) -> Executable {
    if condition { Executable::Yes } else { Executable::No }
}

impl Door for Interpreter<'_> {
    fn model(&self) -> &Model {
        self.model
    }

    fn initial_state(&self) -> State {
        self.initial_state()
    }

    fn steps_of(&self, workspace: &Workspace, process: u8, timeout: bool, out: &mut Vec<Step>) {
        let pid = process as usize;
        if !self.has_priority(workspace, pid, timeout) {
            return;
        }
        let asked = self.each_option(workspace, pid, Mode::Free(Moment { timeout, questions: 0 }), |edge, partner| {
            out.push(Step { process, edge, partner });
            true
        });
        debug_assert!(asked.is_ok(), "a fault that is not asked about is a step that fails");
    }

    fn perform(
        &self,
        workspace: &mut Workspace,
        step: Step,
        timeout: bool,
        executed: &mut Vec<(ProctypeId, ActionId)>,
    ) -> Performed {
        self.perform_and_tell(workspace, step, timeout, executed, None)
    }

    fn may_end(&self, workspace: &Workspace) -> bool {
        let rests = |pid| self.model.proctype(workspace.proctype(pid)).location(workspace.location(pid)).end;
        (0..workspace.process_count()).all(rests) && self.unfinished_monitor(workspace).is_none()
    }

    fn atom_holds(&self, workspace: &Workspace, atom: AtomId) -> Result<bool, FaultKind> {
        self.atom_holds(workspace, atom)
    }

    fn value(&self, workspace: &Workspace, process: u8, expr: &Expr) -> Result<i32, FaultKind> {
        self.value(workspace, process, expr)
    }
}

impl TransitionSystem for Interpreter<'_> {
    fn initial(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&self.initial_state(), &mut bytes);
        bytes
    }

    fn successors(&self, state: &[u8], out: &mut Successors) {
        out.clear();
        let mut workspace = Workspace::new(self.decode(state));
        let (steps, timeout) = self.steps_and_timeout(&workspace);
        let mut executed = Vec::with_capacity(2);
        for step in steps {
            executed.clear();
            let Performed { ended, fault } = self.perform(&mut workspace, step, timeout, &mut executed);
            match ended {
                None => {
                    let next = workspace.state();
                    out.push(step, fault, next.exclusive.is_none(), &executed, |bytes| self.encode(next, bytes));
                }
                Some(fault) => out.push_end(step, fault, &executed),
            }
            workspace.undo();
        }
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.is_valid_end_state(&self.decode(state))
    }

    fn atom_of(&self, invariant: InvariantId) -> AtomId {
        self.model().invariant(invariant).atom
    }

    fn holds(&self, atom: AtomId, state: &[u8]) -> Result<bool, FaultKind> {
        self.atom_holds(&Workspace::new(self.decode(state)), atom)
    }
}
