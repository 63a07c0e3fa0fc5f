//! Trace assertions: a body that tells which messages may be sent and received, and in which order.
//!
//! The control flow is that of a process body, by the same rules, but its sends and receives are awaited, not done.
//! A trace speaks of the sends on those channels on which its body sends, and of the receives on those on which it
//! receives; of them, every single one must be the next one of the body. A run may end where the body may.

use reductio_model::{
    ActionKind, Direction, EdgeId, Event, Expr, Guard, Initial, LocationId, Monitor, Point, Proctype, Slot, Unary,
    ValueType,
};

use super::body::Body;
use super::expressions::Incomplete;
use super::{Lowering, Watcher};
use crate::promela::ast::{self, ExprKind, ReceiveArgument, StatementKind};
use crate::source::Span;

impl Lowering<'_> {
    pub fn lower_trace(&mut self, trace: &ast::Trace) {
        let name = if trace.negated { "notrace" } else { "trace" };
        let body = self.watching_body(trace.span, &trace.body, Watcher::Trace);
        let events = std::mem::take(&mut self.events);
        if self.diagnostics.has_errors() {
            return;
        }
        if body.locations.iter().any(|location| location.accept || location.progress) {
            let why = "what its accept and progress labels say is not checked; the order of its messages is";
            self.unchecked(name, why, trace.span);
        }
        let points = points(&body, &events);
        let slot = self.model.globals.len() as u32;
        let ty = if points.len() <= 256 { ValueType::BYTE } else { ValueType::Int };
        let initial = Initial::Value(body.entry.0 as i32);
        self.model.globals.push(Slot { name: name.to_owned(), ty, initial });
        let position = self.position(trace.span);
        self.model.monitors.push(Monitor { name: name.to_owned(), position, slot, points, forbids: trace.negated });
    }
}

impl Body<'_, '_> {
    /// A message of a trace: what is to happen, by its number.
    pub fn event(&mut self, kind: &StatementKind, span: Span) -> ActionKind {
        let (direction, channel, fields) = match kind {
            StatementKind::Send { channel, arguments, .. } => {
                let fields: Vec<_> = arguments.iter().map(|argument| self.sent_field(argument)).collect();
                (Direction::Send, channel, fields)
            }
            StatementKind::Receive { channel, arguments, .. } => {
                let fields = arguments.iter().map(|argument| self.received_field(argument)).collect();
                (Direction::Receive, channel, fields)
            }
            _ => unreachable!("all others were refused"),
        };
        let (channel, width) = self.lowering.channel(channel, None);
        self.lowering.check_width(fields.len(), width, Incomplete::MatchesAny, span);
        self.lowering.events.push(Event { direction, channel, fields });
        let guard = guard_of_event(self.lowering.events.len());
        ActionKind::Step { guard, communication: None, effect: Vec::new() }
    }

    fn sent_field(&mut self, argument: &ast::Expr) -> Option<i32> {
        match &argument.kind {
            ExprKind::Reference(reference) if is_anything(reference) => None,
            _ => self.constant_field(argument),
        }
    }

    fn received_field(&mut self, argument: &ReceiveArgument) -> Option<i32> {
        match argument {
            ReceiveArgument::Constant(value, _) => Some(*value),
            ReceiveArgument::Plain(reference) if is_anything(reference) => None,
            ReceiveArgument::Plain(reference) => {
                let expr = ast::Expr { kind: ExprKind::Reference(reference.clone()), span: reference.span };
                self.constant_field(&expr)
            }
            ReceiveArgument::Eval(expr) => self.constant_field(expr),
        }
    }

    fn constant_field(&mut self, expr: &ast::Expr) -> Option<i32> {
        let value = match self.lowering.expression(expr, None) {
            Expr::Const(value) => Some(value),
            Expr::Unary(Unary::Negate, operand) => match *operand {
                Expr::Const(value) => Some(value.wrapping_neg()),
                _ => None,
            },
            _ => None,
        };
        if value.is_none() {
            let help = "a field of a message in a trace is a number, a symbolic name, or `_` for any value";
            self.lowering.error_with_help("this must be a constant", expr.span, help);
        }
        value
    }
}

/// Messages, and what tells their order.
pub fn is_part_of_trace(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Send { .. }
            | StatementKind::Receive { peek: false, .. }
            | StatementKind::Labeled { .. }
            | StatementKind::If(_)
            | StatementKind::Do(_)
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Block(_)
            | StatementKind::Inline { .. }
    )
}

fn is_anything(reference: &ast::VarRef) -> bool {
    reference.parts.len() == 1 && reference.parts[0].name.text == "_"
}

/// Events are told from other steps by numbers that no condition has.
fn guard_of_event(number: usize) -> Guard {
    Guard::When(Expr::Const(-(number as i32)))
}

fn event_of_guard<'e>(guard: &Guard, events: &'e [Event]) -> Option<&'e Event> {
    match guard {
        Guard::When(Expr::Const(number)) => events.get(usize::try_from(-i64::from(*number)).ok()?.checked_sub(1)?),
        Guard::When(_) | Guard::Else => None,
    }
}

/// The points of the body: one for each of its locations, and one for its end.
fn points(body: &Proctype, events: &[Event]) -> Vec<Point> {
    let last = body.locations.len() as u32;
    let mut points: Vec<Point> = (0..last).map(|location| point(body, events, LocationId(location))).collect();
    points.push(Point { end: true, events: Vec::new() });
    points
}

fn point(body: &Proctype, events: &[Event], location: LocationId) -> Point {
    let mut point = Point::default();
    let mut seen = vec![location];
    let mut next = 0;
    while let Some(&here) = seen.get(next) {
        next += 1;
        point.end |= body.location(here).end;
        for &edge in &body.location(here).edges {
            match &body.action_of(edge).kind {
                ActionKind::End => point.end = true,
                ActionKind::Step { guard, .. } => match event_of_guard(guard, events) {
                    Some(event) => point.events.push((event.clone(), target(body, edge))),
                    // A jump: nothing has to happen for it.
                    None if !seen.contains(&body.edge(edge).to) => seen.push(body.edge(edge).to),
                    None => {}
                },
                ActionKind::DStep { .. } => unreachable!("there is no `d_step` in a trace"),
            }
        }
    }
    point
}

/// The point that an edge leads to: where only the end can follow, the end.
fn target(body: &Proctype, edge: EdgeId) -> u32 {
    let to = body.edge(edge).to;
    let edges = &body.location(to).edges;
    let ends = edges.iter().any(|&edge| body.action_of(edge).kind == ActionKind::End);
    if ends { body.locations.len() as u32 } else { to.0 }
}
