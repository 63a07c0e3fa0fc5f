//! Slicing: what nothing depends on is no longer written, by however many processes it was.
//!
//! Paper:     [weiser84]; [millett-teitelbaum00], for Promela.
//! Preserves: CTL*, deadlocks, faults, fairness of any kind: full and sliced graph are bisimilar, step by step the same edges. Not
//!            the number of states in which something goes wrong.
//! Needs:     nothing but the model: all its atoms are visible.
//! Deviates:  no statement is left out, only what statements write, so runs are the same step by step, and whatever decides
//!            whether a step is possible is relevant. The elements of an array are variables of their own, as far as its indices are
//!            constants; each field of the messages of a channel is a variable, too.
//!
//! A variable is *relevant* if a guard, a channel operation, an assertion, an atom, or an expression that may go wrong reads it, or if
//! a relevant variable takes a value from it. Counters that feed only themselves are not, nor are groups of variables that feed only
//! each other.

use reductio_model::{
    ActionKind, Binary, ChannelTypeId, Communication, Event, Expr, Guard, Initial, Model, Op, Pattern, Place, Proctype,
    ProctypeId, Scope, ValueType,
};

use super::safe_expressions::{cannot_fail, stays_in_range};
use super::walk::each_part;
use crate::facts::set::Set;
use crate::facts::{each_slot, written_places};

/// Leaves out what writes variables, and fields of messages, that nothing depends on. Answers how many writes there were.
pub fn slice(model: &mut Model) -> usize {
    let channels = Channels::of(model);
    let relevant = Relevant::of(model, &channels);
    let mut count = 0;
    for (index, proctype) in model.proctypes.iter_mut().enumerate() {
        let mut slicing = Slicing { relevant: &relevant, channels: &channels, id: ProctypeId(index as u32), count: 0 };
        proctype.actions.iter_mut().for_each(|action| slicing.action(&mut action.kind));
        for (slot, local) in proctype.locals.iter_mut().enumerate() {
            let is_left_out = !relevant.locals[index].contains(slot);
            if is_left_out && matches!(&local.initial, Initial::Expr(expr) if cannot_fail(expr)) {
                local.initial = Initial::Value(0);
                slicing.count += 1;
            }
        }
        count += slicing.count;
    }
    count
}

/// Which channels an expression can mean.
struct Channels {
    /// By global slot: the channel that it is for good.
    constant: Vec<Option<ChannelTypeId>>,
    all: Vec<ChannelTypeId>,
}

impl Channels {
    fn of(model: &Model) -> Channels {
        let initial = |initial: &Initial| match initial {
            Initial::Channel(ty) => Some(*ty),
            Initial::Value(_) | Initial::Expr(_) => None,
        };
        let mut constant: Vec<_> = model.globals.iter().map(|slot| initial(&slot.initial)).collect();
        let actions = model.proctypes.iter().flat_map(|proctype| &proctype.actions);
        for place in actions.flat_map(written_places).filter(|place| place.scope == Scope::Global) {
            each_slot(place, &|_| None, &mut |slot| constant[slot] = None);
        }
        Channels { constant, all: (0..model.channel_types.len() as u32).map(ChannelTypeId).collect() }
    }

    /// All that it can, as far as its form tells.
    fn meant_by(&self, channel: &Expr) -> Vec<ChannelTypeId> {
        let Expr::Read(place) = channel else { return self.all.clone() };
        if place.scope == Scope::Local {
            return self.all.clone();
        }
        let mut meant = Some(Vec::new());
        each_slot(place, &|_| None, &mut |slot| match (&mut meant, self.constant[slot]) {
            (Some(known), Some(ty)) if !known.contains(&ty) => known.push(ty),
            (Some(_), Some(_)) | (None, _) => {}
            (Some(_), None) => meant = None,
        });
        meant.unwrap_or_else(|| self.all.clone())
    }
}

/// What something depends on.
#[derive(Clone, PartialEq, Eq)]
struct Relevant {
    globals: Set,
    /// By process type.
    locals: Vec<Set>,
    /// By type of channel: the fields of its messages.
    fields: Vec<Set>,
}

impl Relevant {
    fn of(model: &Model, channels: &Channels) -> Relevant {
        let of_channels = |place: (usize, &ValueType)| (*place.1 == ValueType::Chan).then_some(place.0);
        let chans = |types: &mut dyn Iterator<Item = &ValueType>| types.enumerate().filter_map(of_channels).collect();
        let mut relevant = Relevant {
            globals: chans(&mut model.globals.iter().map(|slot| &slot.ty)),
            locals: model
                .proctypes
                .iter()
                .map(|proctype| chans(&mut proctype.locals.iter().map(|slot| &slot.ty)))
                .collect(),
            fields: model.channel_types.iter().map(|ty| chans(&mut ty.fields.iter())).collect(),
        };
        relevant.globals.extend(model.monitors.iter().map(|monitor| monitor.slot as usize));
        loop {
            let before = relevant.clone();
            Reader { relevant: &mut relevant, channels, id: None }.model(model);
            for (index, proctype) in model.proctypes.iter().enumerate() {
                let id = Some(ProctypeId(index as u32));
                Reader { relevant: &mut relevant, channels, id }.proctype(proctype);
            }
            if relevant == before {
                return relevant;
            }
        }
    }

    /// Is some slot relevant that a place of this process type may mean?
    fn meets(&self, id: Option<ProctypeId>, place: &Place) -> bool {
        let mut meets = false;
        let slots = match place.scope {
            Scope::Global => &self.globals,
            Scope::Local => match id {
                Some(id) => &self.locals[id.index()],
                None => return true,
            },
        };
        each_slot(place, &constant, &mut |slot| meets |= slots.contains(slot));
        meets
    }

    fn has_field(&self, types: &[ChannelTypeId], field: usize) -> bool {
        types.iter().any(|ty| self.fields[ty.index()].contains(field))
    }

    fn add_field(&mut self, types: &[ChannelTypeId], field: usize) {
        types.iter().for_each(|ty| self.fields[ty.index()].insert(field));
    }
}

fn constant(index: &Expr) -> Option<i32> {
    match index {
        Expr::Const(value) => Some(*value),
        _ => None,
    }
}

/// Adds what is read for something that matters, in the text of one process type, or outside of all.
struct Reader<'r> {
    relevant: &'r mut Relevant,
    channels: &'r Channels,
    id: Option<ProctypeId>,
}

impl Reader<'_> {
    fn model(mut self, model: &Model) {
        model.atoms.iter().for_each(|atom| self.expr(&atom.expr));
        model.monitors.iter().flat_map(|monitor| monitor.events()).for_each(|event| self.event(event));
    }

    /// What a monitor looks at in a message.
    fn event(&mut self, event: &Event) {
        self.expr(&event.channel);
        let types = self.channels.meant_by(&event.channel);
        let asked = event.fields.iter().enumerate().filter(|(_, value)| value.is_some());
        asked.for_each(|(field, _)| self.relevant.add_field(&types, field));
    }

    fn proctype(mut self, proctype: &Proctype) {
        proctype.provided.iter().for_each(|clause| self.expr(clause));
        for (slot, local) in proctype.locals.iter().enumerate() {
            let is_relevant = self.id.is_some_and(|id| self.relevant.locals[id.index()].contains(slot));
            if let Initial::Expr(expr) = &local.initial {
                self.value(expr, is_relevant);
            }
        }
        proctype.actions.iter().for_each(|action| self.action(&action.kind));
    }

    fn action(&mut self, kind: &ActionKind) {
        let ActionKind::Step { guard, communication, effect } = kind else { return };
        if let Guard::When(condition) = guard {
            self.expr(condition);
        }
        match communication {
            None => {}
            Some(Communication::Send { channel, sorted, arguments }) => self.send(channel, *sorted, arguments),
            Some(Communication::Receive { channel, patterns, .. }) => self.receive(channel, patterns),
        }
        effect.iter().for_each(|op| self.op(op));
    }

    fn send(&mut self, channel: &Expr, sorted: bool, arguments: &[Expr]) {
        self.expr(channel);
        let types = self.channels.meant_by(channel);
        for (field, argument) in arguments.iter().enumerate() {
            // Where a message is inserted depends on all its fields.
            if sorted {
                self.relevant.add_field(&types, field);
            }
            self.value(argument, self.relevant.has_field(&types, field));
        }
    }

    fn receive(&mut self, channel: &Expr, patterns: &[Pattern]) {
        self.expr(channel);
        let types = self.channels.meant_by(channel);
        for (field, pattern) in patterns.iter().enumerate() {
            match pattern {
                Pattern::Store(place) => {
                    if self.writes(place) {
                        self.relevant.add_field(&types, field);
                    }
                }
                Pattern::Match(expr) => {
                    self.relevant.add_field(&types, field);
                    self.expr(expr);
                }
                Pattern::Discard => {}
            }
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(place, expr) => {
                self.value(expr, self.is_relevant(place));
                self.indices(place);
            }
            Op::Evaluate(expr) | Op::Assert(expr) => self.expr(expr),
            Op::Print { arguments, .. } => {
                arguments.iter().for_each(|(_, argument)| self.risk(argument));
            }
            Op::Run { proctype, arguments, result, .. } => {
                for (slot, argument) in arguments.iter().enumerate() {
                    self.value(argument, self.relevant.locals[proctype.index()].contains(slot));
                }
                if let Some(place) = result {
                    self.writes(place);
                }
            }
            Op::SetPriority { pid, priority } => {
                self.expr(pid);
                self.expr(priority);
            }
        }
    }

    fn is_relevant(&self, place: &Place) -> bool {
        self.relevant.meets(self.id, place)
    }

    /// A place that is written where it cannot be left out but as a whole: it is relevant if its indices may be out of range.
    fn writes(&mut self, place: &Place) -> bool {
        if !stays_in_range(place) {
            self.add(place);
        }
        self.indices(place);
        self.is_relevant(place)
    }

    /// The indices of a place that is written matter if it is relevant, or if they may be out of range.
    fn indices(&mut self, place: &Place) {
        if self.is_relevant(place) || !stays_in_range(place) {
            place.indices.iter().for_each(|index| self.expr(&index.value));
        }
    }

    /// A value for something that is relevant or not: if it is not, it still matters whether the expression goes wrong.
    fn value(&mut self, expr: &Expr, is_relevant: bool) {
        if is_relevant { self.expr(expr) } else { self.risk(expr) }
    }

    /// What decides whether an expression goes wrong: indices and divisors, and what decides whether they are evaluated.
    fn risk(&mut self, expr: &Expr) {
        match expr {
            _ if cannot_fail(expr) => {}
            Expr::Read(place) => place.indices.iter().for_each(|index| self.expr(&index.value)),
            Expr::Unary(_, operand) => self.risk(operand),
            Expr::Binary(Binary::Divide | Binary::Remainder, left, right) => {
                self.risk(left);
                self.expr(right);
            }
            Expr::Binary(Binary::And | Binary::Or, left, right) => {
                self.value(left, !cannot_fail(right));
                self.risk(right);
            }
            Expr::Binary(_, left, right) => {
                self.risk(left);
                self.risk(right);
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.value(condition, !(cannot_fail(yes) && cannot_fail(no)));
                self.risk(yes);
                self.risk(no);
            }
            _ => self.expr(expr),
        }
    }

    /// All that an expression depends on.
    fn expr(&mut self, expr: &Expr) {
        each_part(expr, &mut |part| self.part(part));
    }

    /// What one part of an expression depends on by itself.
    fn part(&mut self, part: &Expr) {
        match part {
            Expr::Read(place) => self.add(place),
            Expr::Remote { proctype, place, .. } => {
                let id = Some(*proctype);
                Reader { relevant: &mut *self.relevant, channels: self.channels, id }.add(place);
            }
            Expr::Poll { channel, patterns, .. } => {
                let types = self.channels.meant_by(channel);
                let is_match = |(_, pattern): &(usize, &Pattern)| matches!(pattern, Pattern::Match(_));
                let matched = patterns.iter().enumerate().filter(is_match);
                matched.for_each(|(field, _)| self.relevant.add_field(&types, field));
            }
            _ => {}
        }
    }

    fn add(&mut self, place: &Place) {
        let slots = match (place.scope, self.id) {
            (Scope::Local, Some(id)) => &mut self.relevant.locals[id.index()],
            (Scope::Global, _) | (Scope::Local, None) => &mut self.relevant.globals,
        };
        each_slot(place, &constant, &mut |slot| slots.insert(slot));
    }
}

/// Leaves out what one process type writes and nothing depends on.
struct Slicing<'r> {
    relevant: &'r Relevant,
    channels: &'r Channels,
    id: ProctypeId,
    count: usize,
}

impl Slicing<'_> {
    fn action(&mut self, kind: &mut ActionKind) {
        let ActionKind::Step { communication, effect, .. } = kind else { return };
        match communication {
            None => {}
            Some(Communication::Send { channel, arguments, .. }) => {
                let types = self.channels.meant_by(channel);
                for (field, argument) in arguments.iter_mut().enumerate() {
                    if !self.relevant.has_field(&types, field) {
                        self.forget(argument);
                    }
                }
            }
            Some(Communication::Receive { patterns, .. }) => {
                for pattern in patterns {
                    if matches!(pattern, Pattern::Store(place) if !self.is_relevant(place)) {
                        *pattern = Pattern::Discard;
                        self.count += 1;
                    }
                }
            }
        }
        let before = std::mem::take(effect);
        before.into_iter().for_each(|op| self.op(op, effect));
    }

    /// Adds what is left of an operation.
    fn op(&mut self, op: Op, left: &mut Vec<Op>) {
        match op {
            Op::Assign(place, expr) if !self.is_relevant(&place) => {
                self.count += 1;
                if !cannot_fail(&expr) {
                    left.push(Op::Evaluate(expr));
                }
                if !stays_in_range(&place) {
                    left.push(Op::Evaluate(Expr::Read(Box::new(place))));
                }
            }
            Op::Run { proctype, mut arguments, priority, result } => {
                for (slot, argument) in arguments.iter_mut().enumerate() {
                    if !self.relevant.locals[proctype.index()].contains(slot) {
                        self.forget(argument);
                    }
                }
                let result = result.filter(|place| self.is_relevant(place));
                left.push(Op::Run { proctype, arguments, priority, result });
            }
            op => left.push(op),
        }
    }

    /// A value that goes nowhere.
    fn forget(&mut self, value: &mut Expr) {
        if cannot_fail(value) && !matches!(value, Expr::Const(_)) {
            *value = Expr::Const(0);
            self.count += 1;
        }
    }

    fn is_relevant(&self, place: &Place) -> bool {
        self.relevant.meets(Some(self.id), place)
    }
}
