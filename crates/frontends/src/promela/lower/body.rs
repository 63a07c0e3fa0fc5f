//! Bodies of processes: declarations, statements, labels and jumps.

use std::collections::HashSet;

use reductio_model::{ActionKind, Expr, Guard, Initial, Op, Place, Position, Proctype, Scope, Slot};

use super::flow::{ElementId, ElementKind, Flow, SequenceId, TargetId};
use super::statements::step;
use super::{Lowering, Process, Signature, failed_proctype};
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::promela::ast::{self, Block, Initializer, Name, Statement, StatementKind, Step};
use crate::promela::symbols::{Scopes, Variable};
use crate::promela::text;
use crate::source::Span;

/// The uses of inlines that a statement stands in, outermost first. Labels are local to them.
pub type InlineUses = Vec<u32>;

pub struct LabelHere {
    name: Name,
    inside: InlineUses,
    element: ElementId,
}

pub struct Goto {
    pub label: Name,
    pub inside: InlineUses,
    /// The jump itself, to see whether it crosses the border of a `d_step`.
    pub element: ElementId,
}

/// One body in the course of being lowered.
pub struct Body<'l, 'a> {
    pub lowering: &'l mut Lowering<'a>,
    pub flow: Flow,
    pub scopes: Scopes,
    pub slots: Vec<Slot>,
    /// Variables of the signature that have not been met yet.
    pub upcoming: std::vec::IntoIter<Variable>,
    /// No statement has been met: what a variable starts with is part of creating the process.
    pub at_start: bool,
    pub breaks: Vec<TargetId>,
    pub labels: Vec<LabelHere>,
    pub gotos: Vec<Goto>,
    pub inside: InlineUses,
    pub inline_uses: u32,
    pub keeps_all_skips: bool,
    pub consists_of_events: bool,
}

impl Lowering<'_> {
    pub fn lower_body(&mut self, signature: Signature, name: &Name, block: &Block, process: &dyn Process) -> Proctype {
        let position = self.position(name.span);
        let parameters = signature.parameter_slots;
        let upcoming = signature.variables.into_iter();
        let slots = signature.slots;
        let mut scopes = Scopes::default();
        scopes.enter();
        let first_number = self.next_number;
        let mut body = Body {
            lowering: self,
            flow: Flow::starting_at(first_number),
            scopes,
            slots,
            upcoming,
            at_start: true,
            breaks: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            inside: Vec::new(),
            inline_uses: 0,
            keeps_all_skips: process.keeps_all_skips(),
            consists_of_events: process.consists_of_events(),
        };
        for declaration in process.parameters() {
            for declarator in &declaration.variables {
                if let Some(variable) = body.next_variable(declarator) {
                    body.lowering.declare_in(Some(&mut body.scopes), variable);
                }
            }
        }
        let provided = process.provided().map(|clause| body.expression(clause));
        let sequence = body.flow.open_sequence();
        body.steps(block, sequence);
        let end = body.lowering.position(block.end);
        body.flow.add(sequence, ElementKind::Stop, end, block.end);
        body.flow.close_sequence(sequence);
        body.bind_gotos();
        let Body { flow, slots, labels, lowering, .. } = body;
        lowering.next_number = flow.next_number();
        let failed = failed_proctype(&name.text, position);
        if lowering.diagnostics.has_errors() {
            return failed;
        }
        let labels: Vec<(String, ElementId)> =
            labels.into_iter().map(|label| (label.name.text, label.element)).collect();
        let referenced = &lowering.labels_referenced;
        match flow.into_graph(sequence, &labels, &|name| referenced.contains(name)) {
            Err(endless) => {
                lowering.error("this jump leads back to itself without a statement in between", endless.span);
                failed
            }
            Ok(graph) => Proctype {
                parameters,
                locals: slots,
                entry: graph.entry.expect("a graph has an entry"),
                locations: graph.locations,
                edges: graph.edges,
                actions: graph.actions,
                labels: graph.labels,
                provided,
                ..failed
            },
        }
    }
}

impl Body<'_, '_> {
    pub fn expression(&mut self, expr: &ast::Expr) -> Expr {
        self.lowering.expression(expr, Some(&self.scopes))
    }

    /// Adds a step that is always executable unless `kind` says otherwise.
    pub fn add(&mut self, sequence: SequenceId, action: ActionKind, text: String, span: Span) -> ElementId {
        let position = self.lowering.position(span);
        self.flow.add(sequence, ElementKind::Step { action, text }, position, span)
    }

    pub fn add_effect(&mut self, sequence: SequenceId, effect: Vec<Op>, text: String, span: Span) -> ElementId {
        self.add(sequence, step(Guard::When(Expr::TRUE), None, effect), text, span)
    }

    pub fn steps(&mut self, block: &Block, sequence: SequenceId) {
        for step in &block.steps {
            match step {
                Step::Declaration(declaration) => self.declaration(declaration, sequence),
                // What xr and xs promise is no part of the meaning; a reduction may use and must check it.
                Step::Exclusive(exclusive) => {
                    for channel in &exclusive.channels {
                        self.lowering.channel(channel, Some(&self.scopes));
                    }
                }
                Step::Statement(statement) => {
                    self.statement(statement, sequence);
                    self.at_start = false;
                }
            }
        }
    }

    /// The statements between braces, in a scope of their own.
    pub fn block(&mut self, block: &Block) -> SequenceId {
        let sequence = self.flow.open_sequence();
        self.continue_block(block, sequence);
        sequence
    }

    pub fn continue_block(&mut self, block: &Block, sequence: SequenceId) {
        self.at_start = false;
        self.scopes.enter();
        self.steps(block, sequence);
        self.scopes.leave();
        if self.flow.is_empty(sequence) {
            self.lowering.error_with_help("this needs at least one statement", block.span, "write `skip`");
            self.add_effect(sequence, Vec::new(), "skip".to_owned(), block.span);
        }
        self.flow.close_sequence(sequence);
    }

    /// The variable laid out for a declarator.
    pub fn next_variable(&mut self, declarator: &ast::Declarator) -> Option<Variable> {
        // After an error in a declaration its variable is missing here, too.
        if self.upcoming.as_slice().first()?.span != declarator.name.span {
            return None;
        }
        self.upcoming.next()
    }

    pub fn declaration(&mut self, declaration: &ast::Declaration, sequence: SequenceId) {
        for declarator in &declaration.variables {
            let Some(variable) = self.next_variable(declarator) else { continue };
            if !variable.dropped {
                self.initialise(&variable, declarator, sequence);
            }
            self.lowering.declare_in(Some(&mut self.scopes), variable);
        }
    }

    /// At the start of a body, initial values are part of creating the process. Later, a declaration is an
    /// assignment, executed where it stands each time control comes by, and a step of its own.
    pub fn initialise(&mut self, variable: &Variable, declarator: &ast::Declarator, sequence: SequenceId) {
        let initials = self.lowering.local_initials(variable, declarator, &self.scopes);
        let base = variable.base as usize;
        if self.at_start {
            self.slots[base..base + initials.len()].clone_from_slice(&initials);
            return;
        }
        if matches!(declarator.initial, Some(Initializer::Channel(_))) {
            let help = "a channel is created with its process: declare it before the first statement";
            self.lowering.error_with_help("a channel cannot be created here", declarator.name.span, help);
            return;
        }
        let mut effect = Vec::new();
        for (slot, base) in initials.iter().zip(variable.base..) {
            let value = match &slot.initial {
                Initial::Value(value) => Expr::Const(*value),
                Initial::Expr(expr) => expr.clone(),
                Initial::Channel(_) => continue,
            };
            effect.push(Op::Assign(Place { scope: Scope::Local, base, indices: Vec::new(), ty: slot.ty }, value));
        }
        let value = match &declarator.initial {
            Some(Initializer::Expr(expr)) => text::top(expr),
            Some(_) => "{ ... }".to_owned(),
            None => "0".to_owned(),
        };
        self.add_effect(sequence, effect, format!("{} = {value}", variable.name), declarator.name.span);
    }

    pub fn labeled(&mut self, label: &Name, statement: &Statement, sequence: SequenceId) -> ElementId {
        let span = statement.span;
        if label.text.starts_with("accept") {
            self.lowering.uses_accept.get_or_insert(label.span);
        }
        if label.text.starts_with("progress") {
            self.lowering.uses_progress.get_or_insert(label.span);
        }
        let special = ["accept", "end", "progress"].iter().any(|prefix| label.text.starts_with(prefix));
        let observed = special || self.lowering.labels_referenced.contains(&label.text);
        let is_jump = matches!(statement.kind, StatementKind::Goto(_) | StatementKind::Break);
        let jump = if is_jump && observed { self.jump(statement) } else { None };
        let element = match jump {
            Some(jump) => {
                let action = step(Guard::When(Expr::TRUE), None, Vec::new());
                let skip = ElementKind::Step { action, text: "skip".to_owned() };
                let position = self.lowering.position(span);
                let (skip, jump) = self.flow.add_rest_and_jump(sequence, skip, jump, position, span);
                self.note_goto(statement, jump);
                skip
            }
            None => self.statement(statement, sequence),
        };
        self.flow.mark_label(element, &label.text);
        let duplicate = self.labels.iter().find(|known| known.name.text == label.text && known.inside == self.inside);
        if let Some(first) = duplicate {
            let message = format!("label `{}` stands here and elsewhere", label.text);
            let diagnostic = Diagnostic::error(message, label.span).note("the other place", first.name.span);
            self.lowering.diagnostics.add(diagnostic);
        }
        self.labels.push(LabelHere { name: label.clone(), inside: self.inside.clone(), element });
        element
    }

    /// The element of a `goto` or `break`. `None` after an error.
    pub fn jump(&mut self, statement: &Statement) -> Option<ElementKind> {
        let target = match &statement.kind {
            StatementKind::Goto(_) => self.flow.new_target(),
            _ => match self.breaks.last() {
                Some(&target) => target,
                None => {
                    self.lowering.error("`break` outside a loop", statement.span);
                    return None;
                }
            },
        };
        Some(ElementKind::Jump { target, text: text::statement(statement) })
    }

    /// Remembers that a jump is to be bound to its label.
    pub fn note_goto(&mut self, statement: &Statement, element: ElementId) {
        if let StatementKind::Goto(label) = &statement.kind {
            self.gotos.push(Goto { label: label.clone(), inside: self.inside.clone(), element });
        }
    }

    pub fn unless(
        &mut self,
        main: &Statement,
        escape: &Statement,
        sequence: SequenceId,
        position: Position,
        span: Span,
    ) -> ElementId {
        if self.flow.in_d_step() {
            self.lowering.error("`unless` cannot stand inside a d_step", span);
        }
        // A label in front of an `unless` means the whole. If what it seems to label is a block, SPIN puts the whole
        // into a block of its own.
        if let StatementKind::Labeled { label, statement } = &main.kind {
            let kind = StatementKind::Unless { main: statement.clone(), escape: Box::new(escape.clone()) };
            let unless = Statement { span, kind };
            let is_block =
                matches!(statement.kind, StatementKind::Block(_) | StatementKind::Atomic(_) | StatementKind::DStep(_));
            let whole = if is_block {
                let block = Block { span, steps: vec![Step::Statement(unless)], end: span };
                Statement { span, kind: StatementKind::Block(block) }
            } else {
                unless
            };
            return self.labeled(label, &whole, sequence);
        }
        let own_elements = match main.kind {
            StatementKind::Block(_) => 0,
            StatementKind::If(_) => 2,
            StatementKind::Do(_) | StatementKind::ForRange { .. } | StatementKind::ForIn { .. } => 3,
            _ => 1,
        };
        let main = self.part_of_unless(main);
        let middle = self.flow.next_number();
        let escape = self.part_of_unless(escape);
        self.flow.number_last(middle - own_elements, middle);
        self.flow.add_unless(sequence, main, escape, position, span)
    }

    pub fn part_of_unless(&mut self, part: &Statement) -> SequenceId {
        match &part.kind {
            StatementKind::Block(block) => self.block(block),
            _ => {
                let sequence = self.flow.open_sequence();
                self.at_start = false;
                self.statement(part, sequence);
                self.flow.close_sequence(sequence);
                sequence
            }
        }
    }

    /// Nobody looks at a process in the middle of an `atomic` that goes on. The first label stands before it.
    pub fn warn_of_unseen_labels(&mut self, block: &Block, labels_before: usize) {
        let first = match block.steps.first() {
            Some(Step::Statement(Statement { kind: StatementKind::Labeled { label, .. }, .. })) => Some(label.span),
            _ => None,
        };
        for LabelHere { name, .. } in &self.labels[labels_before..] {
            let is_watched = name.text.starts_with("accept") || name.text.starts_with("progress");
            if is_watched && Some(name.span) != first {
                let message = format!("`{}` is seen only where a process waits inside this `atomic`", name.text);
                let help = "put the label before the `atomic`, or after it";
                self.lowering.diagnostics.add(Diagnostic::warning(message, name.span).help(help));
            }
        }
    }

    /// The options of a choice, an `else` last.
    pub fn options(&mut self, options: &[Block]) -> Vec<SequenceId> {
        let mut sequences = Vec::new();
        let mut otherwise = None;
        for option in options {
            let sequence = self.block(option);
            let first = option.steps.first();
            let is_else = matches!(first, Some(Step::Statement(Statement { kind: StatementKind::Else, .. })));
            if is_else {
                if otherwise.is_some() {
                    self.lowering.error("there is an `else` option already", option.span);
                }
                otherwise = Some(sequence);
            } else {
                sequences.push(sequence);
            }
            if self.keeps_all_skips {
                continue;
            }
            let labelled: HashSet<ElementId> = self.labels.iter().map(|label| label.element).collect();
            self.flow.prune_skips(sequence, &|element| labelled.contains(&element));
        }
        sequences.extend(otherwise);
        sequences
    }

    pub fn d_step(&mut self, block: &Block, sequence: SequenceId, position: Position, span: Span) -> ElementId {
        if self.flow.in_d_step() {
            let body = self.block(block);
            return self.flow.add(sequence, ElementKind::Block(body), position, span);
        }
        let outer = self.flow.enter_d_step();
        let body = self.block(block);
        self.flow.leave_d_step(outer);
        self.flow.add(sequence, ElementKind::DStep { body, text: "d_step".to_owned() }, position, span)
    }

    pub fn inline(&mut self, block: &Block, sequence: SequenceId, position: Position, span: Span) -> ElementId {
        self.inline_uses += 1;
        self.inside.push(self.inline_uses);
        let body = self.flow.open_sequence();
        if block.steps.is_empty() {
            self.add_effect(body, Vec::new(), "skip".to_owned(), span);
        }
        self.continue_block(block, body);
        self.inside.pop();
        self.flow.add(sequence, ElementKind::Block(body), position, span)
    }

    /// Every `goto` finds its label: in the same use of an inline, else in the uses around it, else anywhere.
    pub fn bind_gotos(&mut self) {
        for goto in std::mem::take(&mut self.gotos) {
            let candidates = self.labels.iter().filter(|label| label.name.text == goto.label.text);
            let best = candidates.max_by_key(|label| {
                let visible = goto.inside.starts_with(&label.inside);
                if visible { label.inside.len() as i32 } else { -1 }
            });
            let Some(label) = best else {
                let known = self.labels.iter().map(|label| label.name.text.as_str());
                let message = format!("there is no label `{}`", goto.label.text);
                let near = nearest(&goto.label.text, known);
                self.lowering.diagnostics.add(Diagnostic::error(message, goto.label.span).suggest(near));
                continue;
            };
            if !self.flow.in_same_d_step(goto.element, label.element) {
                self.lowering.error("a jump cannot lead into or out of a d_step", goto.label.span);
            }
            self.flow.bind_jump(goto.element, label.element);
        }
    }
}
