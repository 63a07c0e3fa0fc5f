//! The rules that every model obeys. A front end or a reduction that breaks one has a bug.

use crate::expr::{Expr, Pattern, Place, Scope};
use crate::model::{ActionKind, Communication, Guard, Initial, Model, Op, Proctype, Slot};
use crate::monitor::Monitor;
use crate::property::AllProperties;

/// Checks every rule; answers what is broken, each in a sentence that names the place.
///
/// 1. Ids lie in range: locations, edges, actions, process types, channel types, slots.
/// 2. An edge stands in the list of the location it leaves, and nowhere else.
/// 3. Globals start with values or channels; atoms read no locals.
/// 4. A `run` gives one argument a parameter.
/// 5. Inside a `d_step` there are only plain steps, and an interior location has somewhere to go.
/// 6. A process rests nowhere inside a `d_step`: interior locations are reached only through one.
/// 7. Invariants, claims and formulas speak of atoms that exist, and the edges of claims lead to states that do.
/// 8. Monitors have a global of their own that tells a point that exists; their channels read no locals.
/// 9. Places stay inside the slots of their scope, whatever the indices.
pub fn verify(model: &Model) -> Result<(), Vec<String>> {
    let mut verifier = Verifier { model, proctype: None, errors: Vec::new() };
    verifier.model();
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'m> {
    model: &'m Model,
    /// Whose locals are in scope.
    proctype: Option<&'m Proctype>,
    errors: Vec<String>,
}

impl<'m> Verifier<'m> {
    fn require(&mut self, condition: bool, message: impl FnOnce() -> String) {
        if !condition {
            let context = self.proctype.map_or(String::new(), |proctype| format!("{}: ", proctype.name));
            self.errors.push(context + &message());
        }
    }

    fn model(&mut self) {
        let model = self.model;
        for slot in &model.globals {
            self.require(!matches!(slot.initial, Initial::Expr(_)), || {
                format!("global {} starts with an expression that was not evaluated", slot.name)
            });
            self.slot(slot);
        }
        for atom in &model.atoms {
            self.expr(&atom.expr);
        }
        let asked = AllProperties { invariants: &model.invariants, claims: &model.claims, ctl: &model.ctl };
        self.errors.extend(asked.problems(model.atoms.len()));
        for monitor in &model.monitors {
            self.monitor(monitor);
        }
        for channel in &model.channel_types {
            self.require(!channel.fields.is_empty(), || format!("channel {} has no fields", channel.name));
        }
        for start in &model.initial {
            let known = start.proctype.index() < model.proctypes.len();
            self.require(known, || "an initial process has no type".to_owned());
        }
        self.require(model.initial.len() <= 255, || "more than 255 initial processes".to_owned());
        for proctype in &model.proctypes {
            self.proctype = Some(proctype);
            self.proctype(proctype);
        }
    }

    fn monitor(&mut self, monitor: &Monitor) {
        let Monitor { name, points, .. } = monitor;
        let starts = self.model.globals.get(monitor.slot as usize).map(|slot| &slot.initial);
        let starts_somewhere =
            matches!(starts, Some(Initial::Value(point)) if (*point as usize) < points.len() && *point >= 0);
        self.require(starts_somewhere, || format!("{name} starts nowhere"));
        let exists = |next: u32| (next as usize) < points.len();
        for (event, next) in points.iter().flat_map(|point| &point.events) {
            self.require(exists(*next), || format!("an event of {name} leads nowhere"));
            self.expr(&event.channel);
        }
    }

    fn slot(&mut self, slot: &Slot) {
        match &slot.initial {
            Initial::Value(_) => {}
            Initial::Expr(expr) => self.expr(expr),
            Initial::Channel(ty) => self.require(ty.index() < self.model.channel_types.len(), || {
                format!("{} starts with an unknown channel type", slot.name)
            }),
        }
    }

    fn proctype(&mut self, proctype: &'m Proctype) {
        let location_exists = |location: crate::model::LocationId| location.index() < proctype.locations.len();
        self.require(location_exists(proctype.entry), || "the entry is no location".to_owned());
        self.require(proctype.parameters as usize <= proctype.locals.len(), || {
            "more parameters than locals".to_owned()
        });
        for slot in &proctype.locals {
            self.slot(slot);
        }
        if let Some(provided) = &proctype.provided {
            self.expr(provided);
        }
        let mut listed = vec![0u32; proctype.edges.len()];
        for (index, location) in proctype.locations.iter().enumerate() {
            for &edge in &location.edges {
                let stands_right = proctype.edges.get(edge.index()).is_some_and(|edge| edge.from.index() == index);
                self.require(stands_right, || format!("location {index} lists edge {} of another", edge.0));
                if let Some(count) = listed.get_mut(edge.index()) {
                    *count += 1;
                }
            }
        }
        self.require(listed.iter().all(|&count| count == 1), || "an edge is not listed exactly once".to_owned());
        let interior = |location: crate::model::LocationId| {
            proctype.locations.get(location.index()).is_some_and(|location| location.interior)
        };
        self.require(!interior(proctype.entry), || "the entry lies inside a d_step".to_owned());
        for (index, edge) in proctype.edges.iter().enumerate() {
            self.require(location_exists(edge.to), || format!("edge {index} leads to no location"));
            let Some(action) = proctype.actions.get(edge.action.index()) else {
                self.require(false, || format!("edge {index} has no action"));
                continue;
            };
            self.require(interior(edge.from) || !interior(edge.to), || format!("edge {index} jumps into a d_step"));
            self.require(!interior(edge.from) || matches!(action.kind, ActionKind::Step { .. }), || {
                format!("edge {index} inside a d_step is no plain step")
            });
        }
        for action in &proctype.actions {
            self.action(proctype, &action.kind);
        }
        for label in &proctype.labels {
            self.require(location_exists(label.location), || format!("label {} has no location", label.name));
        }
    }

    fn action(&mut self, proctype: &Proctype, kind: &ActionKind) {
        match kind {
            ActionKind::End => {}
            ActionKind::DStep { entry } => {
                let inside = proctype.locations.get(entry.index()).is_some_and(|location| location.interior);
                self.require(inside, || "a d_step enters at a location that is not interior".to_owned());
            }
            ActionKind::Step { guard, communication, effect } => {
                if let Guard::When(condition) = guard {
                    self.expr(condition);
                }
                match communication {
                    None => {}
                    Some(Communication::Send { channel, arguments, .. }) => {
                        self.expr(channel);
                        arguments.iter().for_each(|argument| self.expr(argument));
                    }
                    Some(Communication::Receive { channel, patterns, .. }) => {
                        self.expr(channel);
                        patterns.iter().for_each(|pattern| self.pattern(pattern));
                    }
                }
                effect.iter().for_each(|op| self.op(op));
            }
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(place, expr) => {
                self.place(place);
                self.expr(expr);
            }
            Op::Evaluate(expr) | Op::Assert(expr) => self.expr(expr),
            Op::Print { literals, arguments } => {
                self.require(literals.len() == arguments.len() + 1, || "a print has a ragged format".to_owned());
                arguments.iter().for_each(|(_, argument)| self.expr(argument));
            }
            Op::Run { proctype, arguments, result, .. } => {
                let matches = self.model.proctypes.get(proctype.index()).map(|proctype| proctype.parameters as usize)
                    == Some(arguments.len());
                self.require(matches, || "a run does not match its process type".to_owned());
                arguments.iter().for_each(|argument| self.expr(argument));
                result.iter().for_each(|place| self.place(place));
            }
            Op::SetPriority { pid, priority } => {
                self.expr(pid);
                self.expr(priority);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Store(place) => self.place(place),
            Pattern::Match(expr) => self.expr(expr),
            Pattern::Discard => {}
        }
    }

    fn place(&mut self, place: &Place) {
        let slots = match (place.scope, self.proctype) {
            (Scope::Global, _) => self.model.globals.len(),
            (Scope::Local, Some(proctype)) => proctype.locals.len(),
            (Scope::Local, None) => 0,
        };
        self.place_within(place, slots);
    }

    fn place_within(&mut self, place: &Place, slots: usize) {
        let reach: u64 =
            place.indices.iter().map(|index| index.length.saturating_sub(1) as u64 * index.stride as u64).sum();
        self.require(place.base as u64 + reach < slots as u64, || {
            format!("a place at slot {} is out of range", place.base)
        });
        place.indices.iter().for_each(|index| self.expr(&index.value));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Pid | Expr::ProcessCount | Expr::Last | Expr::Timeout => {}
            Expr::NonProgress | Expr::Accepting => {}
            Expr::Read(place) => self.place(place),
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Conditional(parts) => parts.iter().for_each(|part| self.expr(part)),
            Expr::Query(_, channel) => self.expr(channel),
            Expr::Poll { channel, patterns, .. } => {
                self.expr(channel);
                patterns.iter().for_each(|pattern| self.pattern(pattern));
            }
            Expr::Enabled(pid) | Expr::PcValue(pid) | Expr::PriorityOf(pid) => self.expr(pid),
            Expr::At { proctype, pid, label } => {
                let proctype = self.model.proctypes.get(proctype.index());
                let exists = proctype.is_some_and(|proctype| proctype.labels.iter().any(|known| known.name == *label));
                self.require(exists, || format!("a remote reference names no label: {label}"));
                pid.iter().for_each(|pid| self.expr(pid));
            }
            Expr::Remote { proctype, pid, place } => {
                let slots = self.model.proctypes.get(proctype.index()).map_or(0, |proctype| proctype.locals.len());
                self.place_within(place, slots);
                pid.iter().for_each(|pid| self.expr(pid));
            }
        }
    }
}
