//! What a step does to a state.

use crate::evaluate::{Context, Evaluated};
use crate::expr::{Expr, Pattern, Place, Scope, ValueType};
use crate::interpreter::{Interpreter, Mode, Moment};
use crate::model::{ActionId, ActionKind, Communication, Conversion, EdgeId, LocationId, Op, Proctype, ProctypeId};
use crate::monitor::{Direction, Event, Monitor};
use crate::system::{Fault, FaultKind, Step};
use crate::workspace::Workspace;

/// A `d_step` of more steps than this is taken to be endless.
const MAX_D_STEP: usize = 1_000_000;

/// What a step tells whoever watches it.
#[derive(Default)]
pub(crate) struct Told {
    pub output: String,
    pub wrapped: Vec<Wrapped>,
}

/// A value that did not fit into the variable it was assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    pub variable: String,
    pub value: i32,
    pub stored: i32,
}

/// One step in the course of being executed.
pub(crate) struct Execution<'a> {
    interpreter: &'a Interpreter<'a>,
    workspace: &'a mut Workspace,
    /// The first failed assertion.
    pub fault: Option<Fault>,
    /// What the step tells, if anyone wants to read it.
    told: Option<&'a mut Told>,
    timeout: bool,
    /// The actions executed so far; the last is the one to blame when something goes wrong.
    executed: &'a mut Vec<(ProctypeId, ActionId)>,
}

impl<'a> Execution<'a> {
    pub fn new(
        interpreter: &'a Interpreter<'a>,
        workspace: &'a mut Workspace,
        timeout: bool,
        executed: &'a mut Vec<(ProctypeId, ActionId)>,
        told: Option<&'a mut Told>,
    ) -> Self {
        Execution { interpreter, workspace, fault: None, told, timeout, executed }
    }

    pub fn run(&mut self, step: Step) -> Result<(), Fault> {
        self.run_step(step).map_err(|kind| self.blame(kind))
    }

    fn run_step(&mut self, step: Step) -> Evaluated<()> {
        let sender = step.process as usize;
        let Some((receiver, receiving_edge)) = step.partner else {
            return self.take(sender, step.edge, Mode::Free(Moment { timeout: self.timeout, questions: 0 }));
        };
        let proctype = self.proctype(sender);
        self.begin(sender, proctype.edge(step.edge).action);
        let ActionKind::Step { communication: Some(Communication::Send { channel, arguments, .. }), effect, .. } =
            &proctype.action_of(step.edge).kind
        else {
            unreachable!("only a send begins a rendezvous");
        };
        self.check_provided(sender, proctype)?;
        let context = self.context(sender);
        let channel = context.channel(channel)?;
        let message = context.message(channel, arguments)?;
        self.watch(Direction::Send, channel, &message)?;
        self.workspace.set_location(sender, proctype.edge(step.edge).to);
        let mode = Mode::Receive { channel, message: &message, moment: Moment::default() };
        self.take(receiver as usize, receiving_edge, mode)?;
        self.begin(sender, proctype.edge(step.edge).action);
        self.apply(sender, effect)
    }

    /// Takes an edge of process `pid`, alone or as the receiver of a rendezvous.
    fn take(&mut self, pid: usize, edge: EdgeId, mode: Mode) -> Evaluated<()> {
        let proctype = self.proctype(pid);
        let target = proctype.edge(edge).to;
        self.begin(pid, proctype.edge(edge).action);
        self.check_provided(pid, proctype)?;
        match &proctype.action_of(edge).kind {
            ActionKind::End => self.end_process(pid),
            ActionKind::DStep { entry } => self.run_d_step(pid, proctype, *entry, mode)?,
            ActionKind::Step { .. } => {
                self.perform(pid, proctype, edge, mode)?;
                self.workspace.set_location(pid, target);
            }
        }
        Ok(())
    }

    /// A `provided` clause that cannot be evaluated does not stop a process: the step that it takes fails.
    fn check_provided(&self, pid: usize, proctype: &Proctype) -> Evaluated<()> {
        match &proctype.provided {
            Some(clause) => self.context(pid).evaluate(clause).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Runs from `entry` to the first location that is not interior.
    fn run_d_step(&mut self, pid: usize, proctype: &Proctype, entry: LocationId, mode: Mode) -> Evaluated<()> {
        let mut location = entry;
        let mut mode = mode;
        for _ in 0..MAX_D_STEP {
            if !proctype.location(location).interior {
                self.workspace.set_location(pid, location);
                return Ok(());
            }
            let Some(edge) = self.interpreter.first_interior_edge(self.workspace, pid, proctype, location, mode) else {
                if let Some(&blocked) = proctype.location(location).edges.first() {
                    self.begin(pid, proctype.edge(blocked).action);
                }
                return Err(FaultKind::BlockedInDStep);
            };
            self.begin(pid, proctype.edge(edge).action);
            self.perform(pid, proctype, edge, mode)?;
            location = proctype.edge(edge).to;
            mode = Mode::Free(Moment::default());
        }
        Err(FaultKind::EndlessDStep)
    }

    /// Guard, communication and effect of a plain step, without the change of location.
    fn perform(&mut self, pid: usize, proctype: &Proctype, edge: EdgeId, mode: Mode) -> Evaluated<()> {
        let ActionKind::Step { guard, communication, effect } = &proctype.action_of(edge).kind else {
            unreachable!("a d_step or an end inside a d_step: the verifier rejects it");
        };
        if let crate::model::Guard::When(condition) = guard {
            // The guard is known to hold, or to fail to evaluate: then the step fails here.
            self.context(pid).evaluate(condition)?;
        }
        if let Some(communication) = communication {
            self.communicate(pid, communication, mode)?;
        }
        self.apply(pid, effect)
    }

    fn communicate(&mut self, pid: usize, communication: &Communication, mode: Mode) -> Evaluated<()> {
        match communication {
            Communication::Send { channel, sorted, arguments } => {
                let context = self.context(pid);
                let channel = context.channel(channel)?;
                let message = context.message(channel, arguments)?;
                let messages = self.workspace.messages(channel);
                let position = match sorted {
                    true => messages.chunks_exact(message.len()).position(|other| other > &message[..]),
                    false => None,
                };
                let at = position.map_or(messages.len(), |position| position * message.len());
                self.workspace.insert_message(channel, at, &message);
                self.watch(Direction::Send, channel, &message)
            }
            Communication::Receive { channel, random, peek, patterns } => {
                let context = self.context(pid);
                if let Mode::Receive { channel, message, .. } = mode {
                    // The message is known to match, or not to: then the step fails here.
                    context.check_width(channel, patterns.len())?;
                    context.matches(patterns, message)?;
                    if *peek {
                        return Err(FaultKind::PolledRendezvous);
                    }
                    context.check_complete(channel, patterns.len())?;
                    self.watch(Direction::Receive, channel, message)?;
                    return self.store_message(pid, patterns, message);
                }
                let channel = context.channel(channel)?;
                let width = context.channel_type(channel).fields.len();
                let start = match context.find_message(channel, patterns, *random)? {
                    Some(position) => position * width,
                    None => unreachable!("the receive was found to be possible"),
                };
                let fields = start..start + width;
                let message = self.workspace.messages(channel)[fields.clone()].to_vec();
                if !peek {
                    context.check_complete(channel, patterns.len())?;
                    self.workspace.remove_message(channel, fields);
                    self.watch(Direction::Receive, channel, &message)?;
                }
                self.store_message(pid, patterns, &message)
            }
        }
    }

    /// Tells the monitors of a message that is sent or received.
    fn watch(&mut self, direction: Direction, channel: usize, message: &[i32]) -> Evaluated<()> {
        self.interpreter.model().monitors.iter().try_for_each(|monitor| self.tell(monitor, direction, channel, message))
    }

    fn tell(&mut self, monitor: &Monitor, direction: Direction, channel: usize, message: &[i32]) -> Evaluated<()> {
        let context = Context { pid: None, ..self.context(0) };
        let concerns = |event: &&Event| event.direction == direction && context.channel(&event.channel) == Ok(channel);
        if !monitor.events().any(|event| concerns(&event)) {
            return Ok(());
        }
        let slot = monitor.slot as usize;
        let point = &monitor.points[self.workspace.global(slot) as usize];
        let mut fitting = point.events.iter().filter(|(event, _)| concerns(&event) && event.fits(message));
        let next = fitting.next().map(|(_, next)| *next);
        if fitting.next().is_some() {
            return Err(FaultKind::AmbiguousTrace);
        }
        match next {
            Some(next) => {
                self.workspace.set_global(slot, next as i32);
                if monitor.forbids && next == monitor.last() {
                    self.fail(FaultKind::ForbiddenMessages);
                }
            }
            // The messages came in another order: from now on, it does not matter.
            None if monitor.forbids => self.workspace.set_global(slot, monitor.last() as i32),
            None => self.fail(FaultKind::UnexpectedMessage),
        }
        Ok(())
    }

    /// Something fails after which the run goes on.
    fn fail(&mut self, kind: FaultKind) {
        if self.fault.is_none() {
            self.fault = Some(self.blame(kind));
        }
    }

    fn store_message(&mut self, pid: usize, patterns: &[Pattern], message: &[i32]) -> Evaluated<()> {
        for (pattern, &value) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                self.assign(pid, place, value)?;
            }
        }
        Ok(())
    }

    fn apply(&mut self, pid: usize, effect: &[Op]) -> Evaluated<()> {
        for op in effect {
            match op {
                Op::Assign(place, expr) => {
                    let value = self.context(pid).evaluate(expr)?;
                    self.assign(pid, place, value)?;
                }
                Op::Evaluate(expr) => {
                    self.context(pid).evaluate(expr)?;
                }
                Op::Assert(condition) => {
                    if !self.context(pid).holds(condition)? {
                        self.fail(FaultKind::AssertionViolated);
                    }
                }
                Op::Print { literals, arguments } => {
                    if self.told.is_some() {
                        self.print(pid, literals, arguments)?;
                    }
                }
                Op::Run { proctype, arguments, priority, result } => {
                    let context = self.context(pid);
                    let values =
                        arguments.iter().map(|argument| context.evaluate(argument)).collect::<Result<Vec<_>, _>>()?;
                    let child = self.interpreter.create_process(self.workspace, *proctype, &values, *priority)?;
                    if let Some(place) = result {
                        self.assign(pid, place, child as i32)?;
                    }
                }
                Op::SetPriority { pid: whose, priority } => {
                    let whose = self.context(pid).evaluate(whose)?;
                    let value = self.context(pid).evaluate(priority)?;
                    if !(1..=255).contains(&value) {
                        return Err(FaultKind::BadPriority { value });
                    }
                    if let Some(process) = self.context(pid).process(whose) {
                        self.workspace.set_priority(process, value as u8);
                    }
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, pid: usize, place: &Place, value: i32) -> Evaluated<()> {
        let slot = self.context(pid).slot(place)?;
        let stored = place.ty.truncate(value);
        if stored != value {
            self.tell_wrapped(pid, place.scope, slot, value, stored);
        }
        match place.scope {
            Scope::Global => self.workspace.set_global(slot, stored),
            Scope::Local => self.workspace.set_local(pid, slot, stored),
        }
        Ok(())
    }

    fn tell_wrapped(&mut self, pid: usize, scope: Scope, slot: usize, value: i32, stored: i32) {
        let proctype = self.proctype(pid);
        let model = self.interpreter.model();
        if let Some(told) = &mut self.told {
            let variable = match scope {
                Scope::Global => model.globals[slot].name.clone(),
                Scope::Local => format!("{}[{pid}]:{}", proctype.name, proctype.locals[slot].name),
            };
            told.wrapped.push(Wrapped { variable, value, stored });
        }
    }

    /// The youngest process dies, and the channels it was created with: they are the youngest channels.
    fn end_process(&mut self, pid: usize) {
        self.workspace.pop_process();
        while let Some(youngest) = self.workspace.channel_count().checked_sub(1)
            && self.workspace.channel_owner(youngest) == Some(pid as u8)
        {
            self.workspace.pop_channel();
        }
    }

    fn print(&mut self, pid: usize, literals: &[String], arguments: &[(Conversion, Expr)]) -> Evaluated<()> {
        let mut text = String::new();
        for (position, literal) in literals.iter().enumerate() {
            text.push_str(literal);
            if let Some((conversion, expr)) = arguments.get(position) {
                let value = self.context(pid).evaluate(expr)?;
                text.push_str(&self.show(*conversion, value));
            }
        }
        if let Some(told) = &mut self.told {
            told.output.push_str(&text);
        }
        Ok(())
    }

    fn show(&self, conversion: Conversion, value: i32) -> String {
        match conversion {
            Conversion::Decimal => value.to_string(),
            Conversion::Unsigned => (value as u32).to_string(),
            Conversion::Hexadecimal => format!("{value:x}"),
            Conversion::Octal => format!("{value:o}"),
            Conversion::Character => char::from(value as u8).to_string(),
            Conversion::Symbol(enumeration) => {
                let model = self.interpreter.model();
                let mut candidates = match enumeration {
                    Some(index) => index..index + 1,
                    None => 0..model.enumerations.len() as u32,
                };
                let name = candidates.find_map(|index| model.symbol(index, value));
                name.map_or_else(|| value.to_string(), str::to_owned)
            }
        }
    }

    fn proctype(&self, pid: usize) -> &'a Proctype {
        self.interpreter.model().proctype(self.workspace.proctype(pid))
    }

    fn context(&self, pid: usize) -> Context<'_> {
        let moment = Moment { timeout: self.timeout, questions: 0 };
        Context { interpreter: self.interpreter, workspace: self.workspace, pid: Some(pid), moment }
    }

    fn begin(&mut self, pid: usize, action: ActionId) {
        self.executed.push((self.workspace.proctype(pid), action));
    }

    fn blame(&self, kind: FaultKind) -> Fault {
        let &(proctype, action) = self.executed.last().expect("a step starts by naming its action");
        Fault { kind, proctype, action }
    }
}

impl Context<'_> {
    /// The message that a send puts together: one value a field, each cut to its field's type.
    pub fn message(&self, channel: usize, arguments: &[Expr]) -> Evaluated<Vec<i32>> {
        self.check_width(channel, arguments.len())?;
        self.check_complete(channel, arguments.len())?;
        let fields = self.fields(channel).iter().zip(arguments);
        fields.map(|(ty, argument)| Ok(ty.truncate(self.evaluate(argument)?))).collect()
    }

    /// A channel that is reached through a variable can have messages of any type.
    pub fn check_width(&self, channel: usize, given: usize) -> Evaluated<()> {
        let fields = self.fields(channel).len();
        if given > fields {
            Err(FaultKind::TooManyFields { given: given as u32, fields: fields as u32 })
        } else {
            Ok(())
        }
    }

    /// What is sent or taken out has a value for every field; what is only looked at need not.
    pub fn check_complete(&self, channel: usize, given: usize) -> Evaluated<()> {
        let fields = self.fields(channel).len();
        if given < fields {
            Err(FaultKind::TooFewFields { given: given as u32, fields: fields as u32 })
        } else {
            Ok(())
        }
    }

    fn fields(&self, channel: usize) -> &[ValueType] {
        &self.channel_type(channel).fields
    }
}
