//! From the tree to a model: each process is a control-flow graph, its program counter where the next statement is.
//!
//! A process that has come to its end stays there, with its variables, for formulas may look at them. Two processes that
//! talk have a channel without room for messages from the one to the other: a send and a receive are one step of both.

use std::collections::HashMap;

use reductio_model::{
    Action, ActionId, ActionKind, Binary, ChannelType, ChannelTypeId, Communication, Edge, EdgeId, Expr, FileId, Guard,
    Initial, Label, Location, LocationId, Model, Op, Pattern, Place, Position, Proctype, ProctypeId, Scope, Slot,
    Start, ValueType,
};

use super::ast::{self, Statement, StatementKind, Target, Type};
use super::expressions::{Kind, Reader, Variable};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};

/// There are never more channels in a model.
const MOST_CHANNELS: usize = 255;
/// As many slots as a process may have.
const MOST_SLOTS: usize = 1_000_000;

pub struct Lowering<'a> {
    pub model: Model,
    /// By process.
    pub variables: Vec<Vec<Variable>>,
    /// The global variables that hold the channels, by sender and receiver.
    channels: HashMap<(ProctypeId, ProctypeId), u32>,
    sources: &'a SourceMap,
    pub diagnostics: &'a mut Diagnostics,
}

impl<'a> Lowering<'a> {
    pub fn new(name: &str, sources: &'a SourceMap, diagnostics: &'a mut Diagnostics) -> Lowering<'a> {
        let model = Model { name: name.to_owned(), files: sources.file_names(), ..Model::default() };
        let (variables, channels) = (Vec::new(), HashMap::new());
        Lowering { model, variables, channels, sources, diagnostics }
    }

    pub fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.add(Diagnostic::error(message, span));
    }

    pub fn position(&self, span: Span) -> Position {
        let location = self.sources.location(span);
        Position { file: FileId(span.file.0.into()), line: location.line as u32, column: location.column as u32 }
    }

    /// The text of a span, in one line.
    pub fn text(&self, span: Span) -> String {
        let text = &self.sources.file(span.file).text;
        let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
        written.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub fn processes(&mut self, program: &ast::Program) {
        if program.processes.len() > 255 {
            self.error("there can be 255 processes at most", program.processes[255].name.span);
            return;
        }
        for process in &program.processes {
            self.declare(process);
        }
        for (index, process) in program.processes.iter().enumerate() {
            self.body(ProctypeId(index as u32), process);
        }
    }

    fn declare(&mut self, process: &ast::Process) {
        if self.model.proctypes.iter().any(|known| known.name == process.name.text) {
            self.error(format!("there is a process `{}` already", process.name.text), process.name.span);
        }
        let mut variables: Vec<Variable> = Vec::new();
        let mut locals = Vec::new();
        for declared in &process.variables {
            let name = &declared.name;
            if let Some(known) = variables.iter().find(|known| known.name == name.text) {
                let message = format!("there is a variable `{}` already", name.text);
                self.diagnostics.add(Diagnostic::error(message, name.span).note("declared here", known.span));
            }
            let (ty, length, base) = (declared.ty, declared.length, locals.len() as u32);
            let variable = Variable { name: name.text.clone(), ty, length, base, span: name.span };
            // A number that cannot be zero starts with the one that is nearest.
            let start = match ty {
                Type::Range(low, high) => 0.clamp(low, high),
                Type::Boolean | Type::Int | Type::Bits(_) => 0,
            };
            for element in 0..length.unwrap_or(1) {
                let name = match length {
                    Some(_) => format!("{}[{element}]", name.text),
                    None => name.text.clone(),
                };
                locals.push(Slot { name, ty: variable.value_type(), initial: Initial::Value(start) });
            }
            if locals.len() > MOST_SLOTS {
                self.error("these are too many variables", name.span);
                locals.truncate(MOST_SLOTS);
            }
            variables.push(variable);
        }
        let id = ProctypeId(self.model.proctypes.len() as u32);
        self.variables.push(variables);
        self.model.proctypes.push(Proctype {
            name: process.name.text.clone(),
            position: self.position(process.name.span),
            parameters: 0,
            locals,
            entry: LocationId(0),
            locations: Vec::new(),
            edges: Vec::new(),
            actions: Vec::new(),
            labels: Vec::new(),
            provided: None,
        });
        self.model.initial.push(Start { proctype: id, priority: 1 });
    }

    fn body(&mut self, id: ProctypeId, process: &ast::Process) {
        let first = process.body.first().map_or(process.end, |statement| statement.span);
        let entry = self.location(id, first);
        let end = if process.body.is_empty() { entry } else { self.location(id, process.end) };
        self.model.proctypes[id.index()].locations[end.index()].end = true;
        self.sequence(id, &process.body, entry, end);
    }

    fn location(&mut self, id: ProctypeId, span: Span) -> LocationId {
        let position = self.position(span);
        let (end, accept, progress, interior, module) = (false, false, false, false, false);
        let locations = &mut self.model.proctypes[id.index()].locations;
        locations.push(Location { position, edges: Vec::new(), end, accept, progress, interior, module });
        LocationId(locations.len() as u32 - 1)
    }

    /// Statements one after the other, from one location to another.
    fn sequence(&mut self, id: ProctypeId, statements: &[Statement], from: LocationId, to: LocationId) {
        let mut here = from;
        for (index, statement) in statements.iter().enumerate() {
            let next = match statements.get(index + 1) {
                Some(next) => self.location(id, next.span),
                None => to,
            };
            // What is wrong with it has been reported.
            let _ = self.statement(id, statement, here, next);
            here = next;
        }
    }

    /// Where a sequence begins that goes on to `to`.
    fn sequence_to(&mut self, id: ProctypeId, statements: &[Statement], to: LocationId) -> LocationId {
        let Some(first) = statements.first() else { return to };
        let entry = self.location(id, first.span);
        self.sequence(id, statements, entry, to);
        entry
    }

    fn statement(&mut self, id: ProctypeId, statement: &Statement, from: LocationId, to: LocationId) -> Option<()> {
        let reader = Reader::Process(id);
        let text = self.text(statement.span);
        self.model.proctypes[id.index()].locations[from.index()].module |= statement.module;
        let step = |effect: Vec<Op>| step(Guard::When(Expr::TRUE), None, effect);
        match &statement.kind {
            StatementKind::Skip => self.edge(id, from, to, step(Vec::new()), text, statement.span),
            StatementKind::Label(name) => {
                let labels = &mut self.model.proctypes[id.index()].labels;
                if labels.iter().any(|known| known.name == name.text) {
                    self.error(format!("there is a label `{}` already", name.text), name.span);
                    return None;
                }
                labels.push(Label { name: name.text.clone(), location: from });
                self.edge(id, from, to, step(Vec::new()), text, statement.span);
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression_of(Kind::Boolean, condition, reader)?;
                self.edge(id, from, to, step(vec![Op::Assert(condition)]), text, statement.span);
            }
            StatementKind::Assign { target, values } => {
                let (place, variable) = self.target(target, id)?;
                for value in values {
                    let lowered = self.expression_of(variable.kind(), value, reader)?;
                    let mut effect = Vec::from_iter(range_check(&variable, &lowered));
                    effect.push(Op::Assign(place.clone(), lowered));
                    let text = match values.len() {
                        1 => text.clone(),
                        _ => format!("{} := {}", self.target_text(target), self.value_text(value)),
                    };
                    self.edge(id, from, to, step(effect), text, statement.span);
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let lowered = self.expression_of(Kind::Boolean, condition, reader);
                let yes = self.sequence_to(id, then, to);
                let no = self.sequence_to(id, otherwise, to);
                self.test(id, from, (yes, no), lowered?, condition.span);
            }
            StatementKind::While { condition, body } => {
                let lowered = self.expression_of(Kind::Boolean, condition, reader);
                let inside = self.sequence_to(id, body, from);
                self.test(id, from, (inside, to), lowered?, condition.span);
            }
            StatementKind::Send { to: receiver, value } => {
                let (value, _) = self.expression(value, reader)?;
                let partner = self.process_named(receiver)?;
                let channel = self.channel(id, (id, partner), receiver.span)?;
                let send = Communication::Send { channel, sorted: false, arguments: vec![value] };
                let kind = self::step(Guard::When(Expr::TRUE), Some(send), Vec::new());
                self.edge(id, from, to, kind, text, statement.span);
            }
            StatementKind::Receive { from: sender, target } => {
                let (place, variable) = self.target(target, id)?;
                let partner = self.process_named(sender)?;
                let channel = self.channel(id, (partner, id), sender.span)?;
                let read = Expr::Read(Box::new(place.clone()));
                let effect = Vec::from_iter(range_check(&variable, &read));
                let patterns = vec![Pattern::Store(place)];
                let receive = Communication::Receive { channel, random: false, peek: false, patterns };
                let kind = self::step(Guard::When(Expr::TRUE), Some(receive), effect);
                self.edge(id, from, to, kind, text, statement.span);
            }
        }
        Some(())
    }

    fn target_text(&self, target: &Target) -> String {
        match &target.index {
            Some(index) => format!("{}[{}]", target.name.text, self.text(index.span)),
            None => target.name.text.clone(),
        }
    }

    /// A number out of a range has no text of its own.
    fn value_text(&self, value: &ast::Expr) -> String {
        match value.kind {
            ast::ExprKind::Number(number) => number.to_string(),
            _ => self.text(value.span),
        }
    }

    /// Both ways from a condition.
    fn test(&mut self, id: ProctypeId, from: LocationId, ways: (LocationId, LocationId), condition: Expr, span: Span) {
        let text = self.text(span);
        let is_enclosed = matches!(self.sources.file(span.file).text.as_bytes().get(span.start as usize), Some(b'('));
        let bare = if is_enclosed && text.ends_with(')') { format!("!{text}") } else { format!("!({text})") };
        // Where there is no choice, there is no other way.
        let constant = match condition {
            Expr::Const(value) => Some(value != 0),
            _ => None,
        };
        if constant != Some(false) {
            self.edge(id, from, ways.0, step(Guard::When(condition), None, Vec::new()), text, span);
        }
        if constant != Some(true) {
            self.edge(id, from, ways.1, step(Guard::Else, None, Vec::new()), bare, span);
        }
    }

    fn edge(&mut self, id: ProctypeId, from: LocationId, to: LocationId, kind: ActionKind, text: String, span: Span) {
        let position = self.position(span);
        let proctype = &mut self.model.proctypes[id.index()];
        let action = ActionId(proctype.actions.len() as u32);
        proctype.actions.push(Action { position, text, number: action.0 + 1, kind });
        let edge = EdgeId(proctype.edges.len() as u32);
        proctype.edges.push(Edge { from, to, action, escape: 0, atomic: false });
        proctype.locations[from.index()].edges.push(edge);
    }

    /// The channel from one process to another.
    fn channel(&mut self, own: ProctypeId, ends: (ProctypeId, ProctypeId), span: Span) -> Option<Expr> {
        if ends.0 == ends.1 {
            self.error(format!("`{}` cannot talk to itself", self.model.proctype(own).name), span);
            return None;
        }
        let base = match self.channels.get(&ends) {
            Some(&slot) => slot,
            None if self.model.globals.len() >= MOST_CHANNELS => {
                self.error(format!("there can be {MOST_CHANNELS} pairs of processes that talk at most"), span);
                return None;
            }
            None => {
                let name = |id: ProctypeId| self.model.proctype(id).name.clone();
                let name = format!("{}->{}", name(ends.0), name(ends.1));
                let ty = ChannelTypeId(self.model.channel_types.len() as u32);
                let (position, fields) = (self.position(span), vec![ValueType::Int]);
                self.model.channel_types.push(ChannelType { name: name.clone(), capacity: 0, fields, position });
                self.model.globals.push(Slot { name, ty: ValueType::Chan, initial: Initial::Channel(ty) });
                let slot = self.model.globals.len() as u32 - 1;
                self.channels.insert(ends, slot);
                slot
            }
        };
        let place = Place { scope: Scope::Global, base, indices: Vec::new(), ty: ValueType::Chan };
        Some(Expr::Read(Box::new(place)))
    }
}

fn step(guard: Guard, communication: Option<Communication>, effect: Vec<Op>) -> ActionKind {
    ActionKind::Step { guard, communication, effect }
}

/// What must hold of a value that is to fit into a range, unless it is known to.
fn range_check(variable: &Variable, value: &Expr) -> Option<Op> {
    let Type::Range(low, high) = variable.ty else { return None };
    if matches!(value, Expr::Const(constant) if (low..=high).contains(constant)) {
        return None;
    }
    let compare = |operator, bound| Expr::Binary(operator, Box::new(value.clone()), Box::new(Expr::Const(bound)));
    let from = compare(Binary::GreaterEqual, low);
    let to = compare(Binary::LessEqual, high);
    Some(Op::Assert(Expr::Binary(Binary::And, Box::new(from), Box::new(to))))
}
