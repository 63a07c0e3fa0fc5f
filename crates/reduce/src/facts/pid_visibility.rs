//! Can it be told which numbers processes and channels have?
//!
//! A process that has ended goes when all that were created after it are gone, and one that is created later takes its
//! number. Whether the one happens before the other can be told only by looking at numbers, at how many processes there
//! are, or by using a channel that went with its process.

use reductio_model::{
    Action, ActionKind, Communication, Expr, Guard, Initial, Model, Op, Pattern, Place, Proctype, ProctypeId, ValueType,
};

/// Does anything depend on the number of a process that is created in the middle of a run, or on that of a channel?
/// Messages and variables may hold channels, as long as nothing else is done with them than to use them as channels.
pub(super) fn are_looked_at(model: &Model) -> bool {
    let in_process = |(index, proctype): (usize, &Proctype)| {
        let eye = Eye { model, minds_pid: is_created(model, ProctypeId(index as u32)) };
        let in_initial = |slot: &reductio_model::Slot| match &slot.initial {
            Initial::Expr(expr) => eye.sees_in_flow(slot.ty, expr),
            Initial::Value(_) | Initial::Channel(_) => false,
        };
        proctype.provided.is_some()
            || proctype.locals.iter().any(in_initial)
            || proctype.actions.iter().any(|action| eye.sees_in_action(action))
    };
    let outside = Eye { model, minds_pid: true };
    !fields_are_of_one_kind(model)
        || model.proctypes.iter().enumerate().any(in_process)
        || model.atoms.iter().any(|atom| outside.sees(&atom.expr))
}

/// Is such a process ever created by another?
fn is_created(model: &Model, id: ProctypeId) -> bool {
    let creates = |action: &Action| match &action.kind {
        ActionKind::Step { effect, .. } => {
            effect.iter().any(|op| matches!(op, Op::Run { proctype, .. } if *proctype == id))
        }
        ActionKind::DStep { .. } | ActionKind::End => false,
    };
    model.proctypes.iter().flat_map(|proctype| &proctype.actions).any(creates)
}

/// It need not be known which channel a message goes through to tell whether its n-th field is a channel.
fn fields_are_of_one_kind(model: &Model) -> bool {
    model.channel_types.iter().all(|ty| {
        let mut fields = ty.fields.iter().enumerate();
        fields.all(|(index, &field)| (field == ValueType::Chan) == is_channel_field(model, index))
    })
}

fn is_channel_field(model: &Model, index: usize) -> bool {
    model.channel_types.iter().any(|ty| ty.fields.get(index) == Some(&ValueType::Chan))
}

/// Looks for expressions that look at numbers.
struct Eye<'m> {
    model: &'m Model,
    /// The number of the process itself is one.
    minds_pid: bool,
}

impl Eye<'_> {
    fn sees_in_action(&self, action: &Action) -> bool {
        let ActionKind::Step { guard, communication, effect } = &action.kind else { return false };
        matches!(guard, Guard::When(condition) if self.sees(condition))
            || communication.as_ref().is_some_and(|communication| self.sees_in_communication(communication))
            || effect.iter().any(|op| self.sees_in_op(op))
    }

    fn sees_in_communication(&self, communication: &Communication) -> bool {
        match communication {
            Communication::Send { channel, sorted, arguments } => {
                let sees_in_argument = |(index, argument)| match is_channel_field(self.model, index) {
                    // Sorted by number.
                    true => *sorted || self.sees_in_flow(ValueType::Chan, argument),
                    false => self.sees(argument),
                };
                self.sees_in_channel(channel) || arguments.iter().enumerate().any(sees_in_argument)
            }
            Communication::Receive { channel, patterns, .. } => {
                self.sees_in_channel(channel) || self.sees_in_patterns(patterns)
            }
        }
    }

    fn sees_in_patterns(&self, patterns: &[Pattern]) -> bool {
        patterns.iter().enumerate().any(|(index, pattern)| {
            let holds_channel = is_channel_field(self.model, index);
            match pattern {
                Pattern::Store(place) => (place.ty == ValueType::Chan) != holds_channel || self.sees_in_indices(place),
                Pattern::Match(expr) => holds_channel || self.sees(expr),
                Pattern::Discard => false,
            }
        })
    }

    fn sees_in_op(&self, op: &Op) -> bool {
        match op {
            Op::Assign(place, expr) => self.sees_in_indices(place) || self.sees_in_flow(place.ty, expr),
            Op::Evaluate(expr) | Op::Assert(expr) => self.sees(expr),
            // Only people see it.
            Op::Print { .. } => false,
            Op::Run { proctype, arguments, result, .. } => {
                let parameters = &self.model.proctype(*proctype).locals;
                let mut flows = parameters.iter().zip(arguments);
                result.is_some() || flows.any(|(parameter, argument)| self.sees_in_flow(parameter.ty, argument))
            }
            Op::SetPriority { .. } => true,
        }
    }

    /// A value goes into a variable of this type: a channel only where channels belong.
    fn sees_in_flow(&self, ty: ValueType, expr: &Expr) -> bool {
        match ty {
            ValueType::Chan => self.sees_in_channel(expr),
            _ => self.sees(expr),
        }
    }

    /// An expression that means a channel: it has to be a variable.
    fn sees_in_channel(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Read(place) => place.ty != ValueType::Chan || self.sees_in_indices(place),
            _ => true,
        }
    }

    fn sees_in_indices(&self, place: &Place) -> bool {
        place.indices.iter().any(|index| self.sees(&index.value))
    }

    /// In an expression whose value may be anything but a channel.
    fn sees(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Timeout => false,
            Expr::Pid => self.minds_pid,
            Expr::Read(place) => place.ty == ValueType::Chan || self.sees_in_indices(place),
            Expr::Unary(_, operand) => self.sees(operand),
            Expr::Binary(_, left, right) => self.sees(left) || self.sees(right),
            Expr::Conditional(parts) => parts.iter().any(|part| self.sees(part)),
            Expr::Query(_, channel) => self.sees_in_channel(channel),
            Expr::Poll { channel, patterns, .. } => self.sees_in_channel(channel) || self.sees_in_patterns(patterns),
            Expr::ProcessCount
            | Expr::Last
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::PriorityOf(_)
            | Expr::At { .. }
            | Expr::Remote { .. } => true,
        }
    }
}
