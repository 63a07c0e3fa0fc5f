//! Bodies of processes: declarations, statements, labels and jumps.

use std::collections::HashSet;

use reductio_model::{
    ActionKind, Binary, ChannelQuery, Communication, Conversion, Expr, Guard, Initial, Op, Pattern, Place, Position,
    Proctype, ProctypeId, Scope, Slot, ValueType,
};

use super::declarations::{FOR_COUNTER, implicit_variable};
use super::flow::{ElementId, ElementKind, Flow, SequenceId, TargetId};
use super::{Lowering, Process, failed_proctype};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::{self, Block, ExprKind, Initializer, Name, Statement, StatementKind, Step, VarRef};
use crate::promela::symbols::{DeclaredType, Scopes, Variable, nearest};
use crate::promela::text;
use crate::source::Span;

/// The uses of inlines that a statement stands in, outermost first. Labels are local to them.
type InlineUses = Vec<u32>;

struct LabelHere {
    name: Name,
    inside: InlineUses,
    element: ElementId,
}

struct Goto {
    label: Name,
    inside: InlineUses,
    target: TargetId,
    /// The jump itself, to see whether it crosses the border of a `d_step`.
    element: Option<ElementId>,
}

/// One body in the course of being lowered.
struct Body<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    flow: Flow,
    scopes: Scopes,
    slots: Vec<Slot>,
    /// Variables of the signature that have not been met yet.
    upcoming: std::vec::IntoIter<Variable>,
    /// No statement has been met: what a variable starts with is part of creating the process.
    at_start: bool,
    breaks: Vec<TargetId>,
    labels: Vec<LabelHere>,
    gotos: Vec<Goto>,
    inside: InlineUses,
    inline_uses: u32,
}

impl Lowering<'_> {
    pub fn lower_body(&mut self, id: ProctypeId, name: &Name, block: &Block, process: &dyn Process) -> Proctype {
        let position = self.position(name.span);
        let signature = &self.signatures[id.index()];
        let parameters = signature.parameter_slots;
        let upcoming = signature.variables.clone().into_iter();
        let slots = signature.slots.clone();
        let mut scopes = Scopes::default();
        scopes.enter();
        let mut body = Body {
            lowering: self,
            flow: Flow::default(),
            scopes,
            slots,
            upcoming,
            at_start: true,
            breaks: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            inside: Vec::new(),
            inline_uses: 0,
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
    fn expression(&mut self, expr: &ast::Expr) -> Expr {
        self.lowering.expression(expr, Some(&self.scopes))
    }

    /// Adds a step that is always executable unless `kind` says otherwise.
    fn add(&mut self, sequence: SequenceId, action: ActionKind, text: String, span: Span) -> ElementId {
        let position = self.lowering.position(span);
        self.flow.add(sequence, ElementKind::Step { action, text }, position, span)
    }

    fn add_effect(&mut self, sequence: SequenceId, effect: Vec<Op>, text: String, span: Span) -> ElementId {
        self.add(sequence, step(Guard::When(Expr::TRUE), None, effect), text, span)
    }

    fn steps(&mut self, block: &Block, sequence: SequenceId) {
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
    fn block(&mut self, block: &Block) -> SequenceId {
        let sequence = self.flow.open_sequence();
        self.continue_block(block, sequence);
        sequence
    }

    fn continue_block(&mut self, block: &Block, sequence: SequenceId) {
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
    fn next_variable(&mut self, declarator: &ast::Declarator) -> Option<Variable> {
        // After an error in a declaration its variable is missing here, too.
        if self.upcoming.as_slice().first()?.span != declarator.name.span {
            return None;
        }
        self.upcoming.next()
    }

    fn declaration(&mut self, declaration: &ast::Declaration, sequence: SequenceId) {
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
    fn initialise(&mut self, variable: &Variable, declarator: &ast::Declarator, sequence: SequenceId) {
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

    /// Adds a statement; answers the element that a label in front of it means.
    fn statement(&mut self, statement: &Statement, sequence: SequenceId) -> ElementId {
        let span = statement.span;
        let position = self.lowering.position(span);
        match &statement.kind {
            StatementKind::Labeled { label, statement } => self.labeled(label, statement, sequence),
            StatementKind::Unless { main, escape } => self.unless(main, escape, sequence, position, span),
            StatementKind::If(options) => {
                let options = self.options(options);
                self.flow.add_choice(sequence, options, None, position, span)
            }
            StatementKind::Do(options) => {
                let after = self.flow.new_target();
                self.breaks.push(after);
                let options = self.options(options);
                self.breaks.pop();
                self.flow.add_choice(sequence, options, Some(after), position, span)
            }
            StatementKind::ForRange { index, low, high, body } => {
                let low_value = self.expression(low);
                let high_value = self.expression(high);
                let texts = (text::top(low), text::top(high));
                self.for_range(index, (low_value, high_value), texts, body, sequence, span)
            }
            StatementKind::ForIn { index, collection, body } => self.for_in(index, collection, body, sequence, span),
            StatementKind::Select { index, low, high } => self.select(index, low, high, sequence, span),
            StatementKind::Atomic(block) => {
                let body = self.block(block);
                self.flow.make_atomic(body);
                self.flow.add(sequence, ElementKind::Block(body), position, span)
            }
            StatementKind::DStep(block) => self.d_step(block, sequence, position, span),
            StatementKind::Block(block) => {
                let body = self.block(block);
                self.flow.add(sequence, ElementKind::Block(body), position, span)
            }
            StatementKind::Inline { body, .. } => self.inline(body, sequence, position, span),
            StatementKind::Goto(label) => {
                let target = self.flow.new_target();
                let kind = ElementKind::Jump { target, text: format!("goto {}", label.text) };
                let element = self.flow.add(sequence, kind, position, span);
                let inside = self.inside.clone();
                self.gotos.push(Goto { label: label.clone(), inside, target, element: Some(element) });
                element
            }
            StatementKind::Break => {
                let Some(&target) = self.breaks.last() else {
                    self.lowering.error("`break` outside a loop", span);
                    return self.add_effect(sequence, Vec::new(), "break".to_owned(), span);
                };
                let kind = ElementKind::Jump { target, text: "break".to_owned() };
                self.flow.add(sequence, kind, position, span)
            }
            kind => {
                let action = self.simple(kind, span);
                self.add(sequence, action, text::statement(statement), span)
            }
        }
    }

    /// Statements that are one step each.
    fn simple(&mut self, kind: &StatementKind, span: Span) -> ActionKind {
        let always = || Guard::When(Expr::TRUE);
        match kind {
            StatementKind::Skip => step(always(), None, Vec::new()),
            StatementKind::Else => step(Guard::Else, None, Vec::new()),
            StatementKind::Assign { target, value } => step(always(), None, self.assignment(target, value)),
            StatementKind::Increment { target, by } => {
                let place = self.lowering.target(target, Some(&self.scopes));
                let effect = place.map(|place| {
                    let old = Box::new(Expr::Read(Box::new(place.clone())));
                    let operator = if *by > 0 { Binary::Add } else { Binary::Subtract };
                    Op::Assign(place, Expr::Binary(operator, old, Box::new(Expr::Const(by.abs()))))
                });
                step(always(), None, effect.into_iter().collect())
            }
            StatementKind::Send { channel, sorted, arguments } => {
                let (channel, width) = self.lowering.channel(channel, Some(&self.scopes));
                let arguments = self.lowering.arguments(arguments, Some(&self.scopes));
                self.lowering.check_width(arguments.len(), width, span);
                step(always(), Some(Communication::Send { channel, sorted: *sorted, arguments }), Vec::new())
            }
            StatementKind::Receive { channel, random, peek, arguments } => {
                let (channel, width) = self.lowering.channel(channel, Some(&self.scopes));
                let patterns = self.lowering.patterns(arguments, Some(&self.scopes));
                self.lowering.check_width(patterns.len(), width, span);
                let receive = Communication::Receive { channel, random: *random, peek: *peek, patterns };
                step(always(), Some(receive), Vec::new())
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression(condition);
                step(always(), None, vec![Op::Assert(condition)])
            }
            StatementKind::Printf { format, arguments } => {
                let print = self.printf(format, arguments, span);
                step(always(), None, vec![print])
            }
            StatementKind::Printm(value) => {
                let conversion = Conversion::Symbol(self.enumeration_of(value));
                let arguments = vec![(conversion, self.expression(value))];
                step(always(), None, vec![Op::Print { literals: vec![String::new(), String::new()], arguments }])
            }
            StatementKind::SetPriority { pid, priority } => {
                self.lowering.model.features.priorities = true;
                let effect = Op::SetPriority { pid: self.expression(pid), priority: self.expression(priority) };
                step(always(), None, vec![effect])
            }
            StatementKind::Expression(condition) => match &condition.kind {
                ExprKind::Run { proctype, arguments, priority } => {
                    let run = self.run(proctype, arguments, priority.as_deref(), None, condition.span);
                    step(always(), None, run.into_iter().collect())
                }
                _ => {
                    let condition = self.expression(condition);
                    step(Guard::When(condition), None, Vec::new())
                }
            },
            _ => unreachable!("compound statements are lowered elsewhere"),
        }
    }

    fn assignment(&mut self, target: &VarRef, value: &ast::Expr) -> Vec<Op> {
        if target.parts.len() == 1 && target.parts[0].name.text == "_priority" {
            self.lowering.model.features.priorities = true;
            return vec![Op::SetPriority { pid: Expr::Pid, priority: self.expression(value) }];
        }
        let place = self.lowering.target(target, Some(&self.scopes));
        if let ExprKind::Run { proctype, arguments, priority } = &value.kind {
            return self.run(proctype, arguments, priority.as_deref(), place, value.span).into_iter().collect();
        }
        let value = self.expression(value);
        place.map(|place| Op::Assign(place, value)).into_iter().collect()
    }

    fn run(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
        result: Option<Place>,
        span: Span,
    ) -> Option<Op> {
        let arguments = self.lowering.arguments(arguments, Some(&self.scopes));
        let priority = self.lowering.priority(priority);
        let Some(&proctype) = self.lowering.proctypes.get(&name.text) else {
            let known = self.lowering.proctypes.keys().map(String::as_str);
            let near = nearest(&name.text, known).map(|near| format!("did you mean `{near}`?"));
            let mut diagnostic = Diagnostic::error(format!("there is no proctype `{}`", name.text), name.span);
            diagnostic.help = near;
            self.lowering.diagnostics.add(diagnostic);
            return None;
        };
        let expected = self.lowering.signatures[proctype.index()].parameter_slots as usize;
        if arguments.len() != expected {
            let message = format!("`{}` has {expected} parameters, not {}", name.text, arguments.len());
            self.lowering.error(message, span);
            return None;
        }
        Some(Op::Run { proctype, arguments, priority, result })
    }

    fn labeled(&mut self, label: &Name, statement: &Statement, sequence: SequenceId) -> ElementId {
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
        let element = if is_jump && observed {
            // A process never rests at a jump. Where it can be seen that it is there, it rests before it.
            let skip = self.add_effect(sequence, Vec::new(), "skip".to_owned(), span);
            self.statement(statement, sequence);
            skip
        } else {
            self.statement(statement, sequence)
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

    fn unless(
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
        // A label in front of an `unless` means the whole.
        if let StatementKind::Labeled { label, statement } = &main.kind {
            let whole = Statement {
                span,
                kind: StatementKind::Unless { main: statement.clone(), escape: Box::new(escape.clone()) },
            };
            return self.labeled(label, &whole, sequence);
        }
        let main = self.part_of_unless(main);
        let escape = self.part_of_unless(escape);
        self.flow.add_unless(sequence, main, escape, position, span)
    }

    fn part_of_unless(&mut self, part: &Statement) -> SequenceId {
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

    /// The options of a choice, an `else` last.
    fn options(&mut self, options: &[Block]) -> Vec<SequenceId> {
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
            let labelled: HashSet<ElementId> = self.labels.iter().map(|label| label.element).collect();
            self.flow.prune_skips(sequence, &|element| labelled.contains(&element));
        }
        sequences.extend(otherwise);
        sequences
    }

    fn d_step(&mut self, block: &Block, sequence: SequenceId, position: Position, span: Span) -> ElementId {
        if self.flow.in_d_step() {
            let body = self.block(block);
            return self.flow.add(sequence, ElementKind::Block(body), position, span);
        }
        let outer = self.flow.enter_d_step();
        let body = self.block(block);
        self.flow.leave_d_step(outer);
        self.flow.add(sequence, ElementKind::DStep { body, text: "d_step".to_owned() }, position, span)
    }

    fn inline(&mut self, block: &Block, sequence: SequenceId, position: Position, span: Span) -> ElementId {
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

    fn assign_constant(
        &mut self,
        sequence: SequenceId,
        place: &Place,
        value: Expr,
        text: String,
        span: Span,
    ) -> ElementId {
        self.add_effect(sequence, vec![Op::Assign(place.clone(), value)], text, span)
    }

    /// `i = low; do :: i <= high -> body; i++ :: else -> break od`
    fn for_range(
        &mut self,
        index: &VarRef,
        (low, high): (Expr, Expr),
        (low_text, high_text): (String, String),
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let Some(place) = self.lowering.target(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        };
        let name = text::reference(index);
        let first = self.assign_constant(sequence, &place, low, format!("{name} = {low_text}"), span);
        let condition = binary(Binary::LessEqual, read(&place), high);
        let option = self.flow.open_sequence();
        let after = self.flow.new_target();
        let guard = step(Guard::When(condition), None, Vec::new());
        self.add(option, guard, format!("{name} <= {high_text}"), span);
        self.finish_loop(place, name, option, body, after, sequence, span);
        first
    }

    /// The body of a `for`, the increment, and the option that ends the loop.
    #[expect(clippy::too_many_arguments, reason = "the parts of one loop, each used once")]
    fn finish_loop(
        &mut self,
        counter: Place,
        counter_name: String,
        option: SequenceId,
        body: &Block,
        after: TargetId,
        sequence: SequenceId,
        span: Span,
    ) {
        self.breaks.push(after);
        self.at_start = false;
        self.scopes.enter();
        self.steps(body, option);
        self.scopes.leave();
        self.breaks.pop();
        let next = binary(Binary::Add, read(&counter), Expr::Const(1));
        self.assign_constant(option, &counter, next, format!("{counter_name} = {counter_name} + 1"), span);
        self.flow.close_sequence(option);
        let done = self.flow.open_sequence();
        self.add(done, step(Guard::Else, None, Vec::new()), "else".to_owned(), span);
        let position = self.lowering.position(span);
        self.flow.add(done, ElementKind::Jump { target: after, text: "break".to_owned() }, position, span);
        self.flow.close_sequence(done);
        self.flow.add_choice(sequence, vec![option, done], Some(after), position, span);
    }

    fn for_in(
        &mut self,
        index: &VarRef,
        collection: &VarRef,
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let nothing = |body: &mut Self| body.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        let Some(resolved) = self.lowering.resolve(collection, Some(&self.scopes)) else { return nothing(self) };
        if let Some(length) = resolved.whole_array {
            let bounds = (Expr::Const(0), Expr::Const(length as i32 - 1));
            let texts = ("0".to_owned(), (length - 1).to_string());
            return self.for_range(index, bounds, texts, body, sequence, span);
        }
        if resolved.ty != DeclaredType::Scalar(ValueType::Chan) {
            let message = format!("`{}` is neither an array nor a channel", text::reference(collection));
            self.lowering.error(message, collection.span);
            return nothing(self);
        }
        self.for_in_channel(index, collection, body, sequence, span)
    }

    /// Each message is taken from the channel and put back, as often as there are messages.
    fn for_in_channel(
        &mut self,
        index: &VarRef,
        collection: &VarRef,
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let (channel, width) = self.lowering.channel(collection, Some(&self.scopes));
        let name = "counter of for".to_owned();
        let base = self.slots.len() as u32;
        let counter = implicit_variable(FOR_COUNTER, span, ValueType::BYTE, base);
        self.slots.push(Slot { name: name.clone(), ty: ValueType::BYTE, initial: Initial::Value(0) });
        let place = Place { scope: Scope::Local, base: counter.base, indices: Vec::new(), ty: ValueType::BYTE };
        let Some(resolved) = self.lowering.resolve(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        };
        let fields = self.lowering.scalars(index, resolved);
        self.lowering.check_width(fields.len(), width, index.span);
        let first = self.assign_constant(sequence, &place, Expr::Const(0), format!("{name} = 0"), span);
        let length = Expr::Query(ChannelQuery::Len, Box::new(channel.clone()));
        let option = self.flow.open_sequence();
        let after = self.flow.new_target();
        let (loop_variable, channel_name) = (text::reference(index), text::reference(collection));
        let guard = step(Guard::When(binary(Binary::Less, read(&place), length)), None, Vec::new());
        self.add(option, guard, format!("{name} < len({channel_name})"), span);
        let patterns = fields.iter().cloned().map(Pattern::Store).collect();
        let receive = Communication::Receive { channel: channel.clone(), random: false, peek: false, patterns };
        let text = format!("{channel_name}?{loop_variable}");
        self.add(option, step(Guard::When(Expr::TRUE), Some(receive), Vec::new()), text, span);
        let arguments = fields.iter().map(read).collect();
        let send = Communication::Send { channel, sorted: false, arguments };
        let text = format!("{channel_name}!{loop_variable}");
        self.add(option, step(Guard::When(Expr::TRUE), Some(send), Vec::new()), text, span);
        self.finish_loop(place, name, option, body, after, sequence, span);
        first
    }

    /// `i = low; do :: break :: i < high -> i++ od`; but of few constants SPIN makes a choice in one step,
    /// `if :: i = low :: ... :: i = high fi`, outside inlines and for names without `_`, and so the states that can be
    /// observed in between are not there.
    fn select(
        &mut self,
        index: &VarRef,
        low: &ast::Expr,
        high: &ast::Expr,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let (low_text, high_text) = (text::top(low), text::top(high));
        let (low, high) = (self.expression(low), self.expression(high));
        let Some(place) = self.lowering.target(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "select".to_owned(), span);
        };
        let position = self.lowering.position(span);
        let name = text::reference(index);
        if let (Expr::Const(low), Expr::Const(high)) = (&low, &high)
            && low > high
        {
            self.lowering.error(format!("there is nothing to select from {low} to {high}"), span);
        }
        if let (Expr::Const(low @ 0..), Expr::Const(high)) = (&low, &high)
            && self.inside.is_empty()
            && high - low <= 32
            && name.chars().all(|character| character.is_ascii_alphanumeric())
        {
            let choose = |value: i32| {
                let option = self.flow.open_sequence();
                self.assign_constant(option, &place, Expr::Const(value), format!("{name} = {value}"), span);
                self.flow.close_sequence(option);
                option
            };
            let options = (*low..=*high).map(choose).collect();
            return self.flow.add_choice(sequence, options, None, position, span);
        }
        let first = self.assign_constant(sequence, &place, low, format!("{name} = {low_text}"), span);
        let after = self.flow.new_target();
        let done = self.flow.open_sequence();
        self.flow.add(done, ElementKind::Jump { target: after, text: "break".to_owned() }, position, span);
        self.flow.close_sequence(done);
        let option = self.flow.open_sequence();
        let condition = binary(Binary::Less, read(&place), high);
        self.add(option, step(Guard::When(condition), None, Vec::new()), format!("{name} < {high_text}"), span);
        let next = binary(Binary::Add, read(&place), Expr::Const(1));
        self.assign_constant(option, &place, next, format!("{name} = {name} + 1"), span);
        self.flow.close_sequence(option);
        self.flow.add_choice(sequence, vec![done, option], Some(after), position, span);
        first
    }

    /// Splits a format at its conversions and checks it against its arguments.
    fn printf(&mut self, format: &str, arguments: &[ast::Expr], span: Span) -> Op {
        let mut literals = vec![String::new()];
        let mut conversions = Vec::new();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            let literal = literals.last_mut().expect("there is always a literal");
            if character != '%' {
                literal.push(character);
                continue;
            }
            let conversion = match characters.next() {
                Some('%') => {
                    literal.push('%');
                    continue;
                }
                Some('d') | Some('i') => Conversion::Decimal,
                Some('u') => Conversion::Unsigned,
                Some('x') => Conversion::Hexadecimal,
                Some('o') => Conversion::Octal,
                Some('c') => Conversion::Character,
                Some('e') => {
                    let enumeration =
                        arguments.get(conversions.len()).and_then(|argument| self.enumeration_of(argument));
                    Conversion::Symbol(enumeration)
                }
                other => {
                    let shown = other.map_or(String::new(), String::from);
                    let help = "printf knows %d %u %x %o %c, %e for mtype names, and %% for a percent sign";
                    self.lowering.error_with_help(format!("printf does not know `%{shown}`"), span, help);
                    Conversion::Decimal
                }
            };
            conversions.push(conversion);
            literals.push(String::new());
        }
        if conversions.len() != arguments.len() {
            let message = format!("the format takes {} values, {} are given", conversions.len(), arguments.len());
            self.lowering.error(message, span);
        }
        let arguments: Vec<(Conversion, Expr)> = conversions
            .into_iter()
            .zip(arguments)
            .map(|(conversion, expr)| (conversion, self.expression(expr)))
            .collect();
        literals.truncate(arguments.len() + 1);
        Op::Print { literals, arguments }
    }

    /// Which enumeration a printed value belongs to, if its type tells.
    fn enumeration_of(&mut self, expr: &ast::Expr) -> Option<u32> {
        let ExprKind::Reference(reference) = &expr.kind else { return None };
        let first = &reference.parts[0].name.text;
        if self.lowering.find_variable(first, Some(&self.scopes)).is_none() {
            return self.lowering.constants.get(first).map(|(enumeration, _)| *enumeration);
        }
        match self.lowering.resolve(reference, Some(&self.scopes))?.ty {
            DeclaredType::Scalar(ValueType::Mtype(index)) => Some(index),
            _ => None,
        }
    }

    /// Every `goto` finds its label: in the same use of an inline, else in the uses around it, else anywhere.
    fn bind_gotos(&mut self) {
        for goto in std::mem::take(&mut self.gotos) {
            let candidates = self.labels.iter().filter(|label| label.name.text == goto.label.text);
            let best = candidates.max_by_key(|label| {
                let visible = goto.inside.starts_with(&label.inside);
                if visible { label.inside.len() as i32 } else { -1 }
            });
            let Some(label) = best else {
                let known = self.labels.iter().map(|label| label.name.text.as_str());
                let near = nearest(&goto.label.text, known).map(|near| format!("did you mean `{near}`?"));
                let mut diagnostic =
                    Diagnostic::error(format!("there is no label `{}`", goto.label.text), goto.label.span);
                diagnostic.help = near;
                self.lowering.diagnostics.add(diagnostic);
                continue;
            };
            let crosses = goto.element.is_some_and(|jump| !self.flow.in_same_d_step(jump, label.element));
            if crosses {
                self.lowering.error("a jump cannot lead into or out of a d_step", goto.label.span);
            }
            self.flow.bind(goto.target, label.element);
        }
    }
}

fn step(guard: Guard, communication: Option<Communication>, effect: Vec<Op>) -> ActionKind {
    ActionKind::Step { guard, communication, effect }
}

fn read(place: &Place) -> Expr {
    Expr::Read(Box::new(place.clone()))
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}
