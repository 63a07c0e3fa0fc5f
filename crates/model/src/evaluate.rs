//! Evaluation of expressions in a state.

use crate::expr::{Binary, ChannelQuery, Expr, Pattern, Place, Scope};
use crate::interpreter::{Interpreter, Mode, Moment};
use crate::model::{ChannelType, Location, Model, ProctypeId};
use crate::system::FaultKind;
use crate::workspace::Workspace;

/// Whether a process can move may depend on whether another can; deeper than this, it depends on itself.
const MAX_QUESTIONS: u8 = 8;

pub(crate) type Evaluated<T> = Result<T, FaultKind>;

/// Who evaluates, where and when.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub interpreter: &'a Interpreter<'a>,
    pub workspace: &'a Workspace,
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
                let channel = self.channel(channel)?;
                if self.channel_type(channel).capacity == 0 {
                    return Err(FaultKind::PolledRendezvous);
                }
                self.find_message(channel, patterns, *random)?.is_some() as i32
            }
            Expr::Pid => self.pid.map_or(0, |pid| pid as i32),
            Expr::ProcessCount => self.workspace.process_count() as i32,
            Expr::Last => self.workspace.last() as i32,
            // Whoever looks at the state as a whole is not told whether something can move, and has to find out.
            Expr::Timeout if self.pid.is_none() => {
                let mut processes = 0..self.workspace.process_count();
                !processes.any(|process| self.interpreter.can_move_now(self.workspace, process, false)) as i32
            }
            Expr::Timeout => self.moment.timeout as i32,
            Expr::NonProgress => {
                (0..self.workspace.process_count()).all(|process| !self.location_of(process).progress) as i32
            }
            Expr::Accepting => {
                (0..self.workspace.process_count()).any(|process| self.location_of(process).accept) as i32
            }
            Expr::Enabled(pid) => {
                let pid = self.evaluate(pid)?;
                let process = self.process(pid);
                let asks_itself = process.is_some() && process == self.pid;
                if asks_itself || self.moment.questions >= MAX_QUESTIONS {
                    return Err(FaultKind::CircularEnabled);
                }
                let moment = Moment { questions: self.moment.questions + 1, ..self.moment };
                match process {
                    Some(process) => self.interpreter.can_move(self.workspace, process, Mode::Free(moment))? as i32,
                    None => 0,
                }
            }
            Expr::PcValue(pid) => {
                let pid = self.evaluate(pid)?;
                self.process(pid).map_or(0, |process| self.workspace.location(process).0 as i32)
            }
            Expr::PriorityOf(pid) => {
                let pid = self.evaluate(pid)?;
                self.process(pid).map_or(0, |process| self.workspace.priority(process) as i32)
            }
            Expr::At { proctype, pid, label } => {
                let labels = &self.model().proctype(*proctype).labels;
                self.instance(*proctype, pid.as_deref())?.is_some_and(|process| {
                    let location = self.workspace.location(process);
                    labels.iter().any(|known| known.location == location && known.name == *label)
                }) as i32
            }
            Expr::Remote { proctype, pid, place } => match self.instance(*proctype, pid.as_deref())? {
                Some(process) => self.workspace.local(process, self.slot(place)?),
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
            Scope::Global => self.workspace.global(slot),
            Scope::Local => {
                let pid = self.pid.expect("a condition on the state as a whole reads no locals");
                self.workspace.local(pid, slot)
            }
        })
    }

    /// The index of the channel that an expression means.
    pub fn channel(&self, expr: &Expr) -> Evaluated<usize> {
        let value = self.evaluate(expr)?;
        match usize::try_from(value) {
            Ok(number) if (1..=self.workspace.channel_count()).contains(&number) => Ok(number - 1),
            _ => Err(FaultKind::NoChannel { value }),
        }
    }

    fn query(&self, query: ChannelQuery, index: usize) -> i32 {
        let length = self.message_count(index);
        // A rendezvous channel is never seen to hold a message: it is empty, and it is not full.
        let capacity = self.channel_type(index).capacity.max(1) as usize;
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
        let width = self.channel_type(index).fields.len();
        let candidates = if random { usize::MAX } else { 1 };
        for (position, message) in self.workspace.messages(index).chunks_exact(width).take(candidates).enumerate() {
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

    /// The process that a value means, if there is one.
    pub fn process(&self, pid: i32) -> Option<usize> {
        usize::try_from(pid).ok().filter(|&pid| self.workspace.has_process(pid))
    }

    /// The process of this type that a remote reference means.
    fn instance(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Evaluated<Option<usize>> {
        let process = match pid {
            Some(pid) => self.process(self.evaluate(pid)?),
            None => (0..self.workspace.process_count()).find(|&process| self.workspace.proctype(process) == proctype),
        };
        Ok(process.filter(|&process| self.workspace.proctype(process) == proctype))
    }

    fn location_of(&self, process: usize) -> &'a Location {
        self.model().proctype(self.workspace.proctype(process)).location(self.workspace.location(process))
    }

    pub fn channel_type(&self, index: usize) -> &'a ChannelType {
        self.model().channel_type(self.workspace.channel_type(index))
    }

    pub fn message_count(&self, index: usize) -> usize {
        self.workspace.messages(index).len() / self.channel_type(index).fields.len()
    }

    fn model(&self) -> &'a Model {
        self.interpreter.model()
    }
}
