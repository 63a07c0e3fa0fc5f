//! All expressions of a model, and all parts of them.

use reductio_model::{ActionKind, Communication, Expr, Guard, Initial, Model, Monitor, Op, Pattern, Place};

/// Calls `visit` with an expression and with every part of it.
pub fn each_part(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::ProcessCount | Expr::Last | Expr::Timeout => {}
        Expr::NonProgress | Expr::Accepting => {}
        Expr::Read(place) => each_index(place, visit),
        Expr::Unary(_, operand) | Expr::Query(_, operand) => each_part(operand, visit),
        Expr::Enabled(pid) | Expr::PcValue(pid) | Expr::PriorityOf(pid) => each_part(pid, visit),
        Expr::Binary(_, left, right) => {
            each_part(left, visit);
            each_part(right, visit);
        }
        Expr::Conditional(parts) => parts.iter().for_each(|part| each_part(part, visit)),
        Expr::Poll { channel, patterns, .. } => {
            each_part(channel, visit);
            patterns.iter().for_each(|pattern| each_of_pattern(pattern, visit));
        }
        Expr::At { pid, .. } => pid.iter().for_each(|pid| each_part(pid, visit)),
        Expr::Remote { pid, place, .. } => {
            pid.iter().for_each(|pid| each_part(pid, visit));
            each_index(place, visit);
        }
    }
}

fn each_index(place: &Place, visit: &mut dyn FnMut(&Expr)) {
    place.indices.iter().for_each(|index| each_part(&index.value, visit));
}

fn each_of_pattern(pattern: &Pattern, visit: &mut dyn FnMut(&Expr)) {
    match pattern {
        Pattern::Store(place) => each_index(place, visit),
        Pattern::Match(expr) => each_part(expr, visit),
        Pattern::Discard => {}
    }
}

/// The same for everything that an action evaluates, the indices of what it writes among it.
pub fn each_part_of_action(kind: &ActionKind, visit: &mut dyn FnMut(&Expr)) {
    let ActionKind::Step { guard, communication, effect } = kind else { return };
    if let Guard::When(condition) = guard {
        each_part(condition, visit);
    }
    if let Some(communication) = communication {
        each_part_of_communication(communication, visit);
    }
    effect.iter().for_each(|op| each_part_of_op(op, visit));
}

pub fn each_part_of_communication(communication: &Communication, visit: &mut dyn FnMut(&Expr)) {
    match communication {
        Communication::Send { channel, arguments, .. } => {
            each_part(channel, visit);
            arguments.iter().for_each(|argument| each_part(argument, visit));
        }
        Communication::Receive { channel, patterns, .. } => {
            each_part(channel, visit);
            patterns.iter().for_each(|pattern| each_of_pattern(pattern, visit));
        }
    }
}

pub fn each_part_of_op(op: &Op, visit: &mut dyn FnMut(&Expr)) {
    match op {
        Op::Assign(place, expr) => {
            each_index(place, visit);
            each_part(expr, visit);
        }
        Op::Evaluate(expr) | Op::Assert(expr) => each_part(expr, visit),
        Op::Print { arguments, .. } => arguments.iter().for_each(|(_, argument)| each_part(argument, visit)),
        Op::Run { arguments, result, .. } => {
            arguments.iter().for_each(|argument| each_part(argument, visit));
            result.iter().for_each(|place| each_index(place, visit));
        }
        Op::SetPriority { pid, priority } => {
            each_part(pid, visit);
            each_part(priority, visit);
        }
    }
}

/// The same for everything in a model.
pub fn each_part_of_model(model: &Model, visit: &mut dyn FnMut(&Expr)) {
    model.atoms.iter().for_each(|atom| each_part(&atom.expr, visit));
    model.monitors.iter().flat_map(Monitor::events).for_each(|event| each_part(&event.channel, visit));
    for proctype in &model.proctypes {
        proctype.provided.iter().for_each(|clause| each_part(clause, visit));
        for slot in &proctype.locals {
            if let Initial::Expr(expr) = &slot.initial {
                each_part(expr, visit);
            }
        }
        proctype.actions.iter().for_each(|action| each_part_of_action(&action.kind, visit));
    }
}
