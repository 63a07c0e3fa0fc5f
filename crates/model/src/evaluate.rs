//! Evaluation of expressions in a state.

use crate::expr::{Binary, ChannelQuery, Expr, Pattern, Place, Scope};
use crate::interpreter::{Interpreter, Mode, Moment};
use crate::model::{Model, ProctypeId};
use crate::state::{Channel, Process, State};
use crate::system::FaultKind;

/// Whether a process can move may depend on whether another can; deeper than this, it depends on itself.
const MAX_QUESTIONS: u8 = 8;

pub(crate) type Evaluated<T> = Result<T, FaultKind>;

/// Who evaluates, where and when.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub interpreter: &'a Interpreter<'a>,
    pub state: &'a State,
    /// `None` for conditions on the state as a whole.
    pub pid: Option<usize>,
    pub moment: Moment,
}

impl<'a> Context<'a> {
    pub fn evaluate(&self, expr: &Expr) -> Evaluated<i32> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Read(place) => self.read(place)?,
            Expr::Unary(operator, operand) => Expr::apply_unary(*operator, self.evaluate(operand)?),
            Expr::Binary(Binary::And, left, right) => (self.holds(left)? && self.holds(right)?) as i32,
            Expr::Binary(Binary::Or, left, right) => (self.holds(left)? || self.holds(right)?) as i32,
            Expr::Binary(operator, left, right) => {
                Expr::apply(*operator, self.evaluate(left)?, self.evaluate(right)?).ok_or(FaultKind::DivisionByZero)?
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.evaluate(if self.holds(condition)? { yes } else { no })?
            }
            Expr::Query(query, channel) => self.query(*query, self.channel(channel)?),
            Expr::Poll { channel, random, patterns } => {
                self.find_message(self.channel(channel)?, patterns, *random)?.is_some() as i32
            }
            Expr::Pid => self.pid.map_or(0, |pid| pid as i32),
            Expr::ProcessCount => self.state.processes.len() as i32,
            Expr::Last => self.state.last as i32,
            Expr::Timeout => self.moment.timeout as i32,
            Expr::NonProgress => self.state.processes.iter().all(|process| !self.location_of(process).progress) as i32,
            Expr::Enabled(pid) => {
                let pid = self.evaluate(pid)?;
                if self.moment.questions >= MAX_QUESTIONS {
                    return Err(FaultKind::CircularEnabled);
                }
                let moment = Moment { questions: self.moment.questions + 1, ..self.moment };
                let exists = (0..self.state.processes.len() as i32).contains(&pid);
                (exists && self.interpreter.can_move(self.state, pid as usize, Mode::Free(moment))?) as i32
            }
            Expr::PcValue(pid) => {
                let pid = self.evaluate(pid)?;
                self.process(pid).map_or(0, |process| process.location.0 as i32)
            }
            Expr::PriorityOf(pid) => {
                let pid = self.evaluate(pid)?;
                self.process(pid).map_or(0, |process| process.priority as i32)
            }
            Expr::At { proctype, pid, label } => {
                let labels = &self.model().proctype(*proctype).labels;
                self.instance(*proctype, pid.as_deref())?.is_some_and(|process| {
                    labels.iter().any(|known| known.location == process.location && known.name == *label)
                }) as i32
            }
            Expr::Remote { proctype, pid, place } => match self.instance(*proctype, pid.as_deref())? {
                Some(process) => process.locals[self.slot(place)?],
                None => 0,
            },
        })
    }

    pub fn holds(&self, expr: &Expr) -> Evaluated<bool> {
        Ok(self.evaluate(expr)? != 0)
    }

    /// The slot a place means, in the globals or in the locals of a process.
    pub fn slot(&self, place: &Place) -> Evaluated<usize> {
        let mut slot = place.base as usize;
        for index in &place.indices {
            let value = self.evaluate(&index.value)?;
            if value < 0 || value as u32 >= index.length {
                return Err(FaultKind::IndexOutOfRange { index: value, length: index.length });
            }
            slot += value as usize * index.stride as usize;
        }
        Ok(slot)
    }

    fn read(&self, place: &Place) -> Evaluated<i32> {
        let slot = self.slot(place)?;
        Ok(match place.scope {
            Scope::Global => self.state.globals[slot],
            Scope::Local => {
                let pid = self.pid.expect("a condition on the state as a whole reads no locals");
                self.state.processes[pid].locals[slot]
            }
        })
    }

    /// The index of the channel that an expression means.
    pub fn channel(&self, expr: &Expr) -> Evaluated<usize> {
        let value = self.evaluate(expr)?;
        match usize::try_from(value) {
            Ok(number) if (1..=self.state.channels.len()).contains(&number) => Ok(number - 1),
            _ => Err(FaultKind::NoChannel { value }),
        }
    }

    fn query(&self, query: ChannelQuery, index: usize) -> i32 {
        let channel = &self.state.channels[index];
        let length = channel.message_count(self.model());
        // A rendezvous channel is never seen to hold a message: it is empty, and it is not full.
        let capacity = self.model().channel_type(channel.ty).capacity.max(1) as usize;
        match query {
            ChannelQuery::Len => length as i32,
            ChannelQuery::Empty => (length == 0) as i32,
            ChannelQuery::Full => (length == capacity) as i32,
            ChannelQuery::NotEmpty => (length != 0) as i32,
            ChannelQuery::NotFull => (length != capacity) as i32,
        }
    }

    /// The position of the message that a receive would take.
    pub fn find_message(&self, index: usize, patterns: &[Pattern], random: bool) -> Evaluated<Option<usize>> {
        self.check_width(index, patterns.len())?;
        let channel = &self.state.channels[index];
        let width = self.model().channel_type(channel.ty).fields.len();
        let candidates = if random { usize::MAX } else { 1 };
        for (position, message) in channel.messages.chunks_exact(width).take(candidates).enumerate() {
            if self.matches(patterns, message)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    pub fn matches(&self, patterns: &[Pattern], message: &[i32]) -> Evaluated<bool> {
        for (pattern, &field) in patterns.iter().zip(message) {
            if let Pattern::Match(expr) = pattern
                && self.evaluate(expr)? != field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn process(&self, pid: i32) -> Option<&'a Process> {
        self.state.processes.get(usize::try_from(pid).ok()?)
    }

    /// The process of this type that a remote reference means.
    fn instance(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Evaluated<Option<&'a Process>> {
        let process = match pid {
            Some(pid) => self.process(self.evaluate(pid)?),
            None => self.state.processes.iter().find(|process| process.proctype == proctype),
        };
        Ok(process.filter(|process| process.proctype == proctype))
    }

    fn location_of(&self, process: &Process) -> &'a crate::model::Location {
        self.interpreter.model().proctype(process.proctype).location(process.location)
    }

    fn model(&self) -> &'a Model {
        self.interpreter.model()
    }
}

impl Channel {
    pub fn message_count(&self, model: &Model) -> usize {
        self.messages.len() / model.channel_type(self.ty).fields.len()
    }
}
