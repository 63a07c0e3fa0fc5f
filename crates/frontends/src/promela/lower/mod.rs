//! From the syntax tree to a [`Model`]: names are resolved, types checked and laid out, bodies become graphs.

mod body;
mod claims;
mod declarations;
mod expressions;
mod flow;
mod graph;
mod loops;
mod never;
mod own_variables;
mod references;
mod statements;
mod trace;
mod trees;

use std::collections::{HashMap, HashSet};

use reductio_model::{
    Atom, AtomId, Enumeration, Event, Features, FileId, Interpreter, Invariant, Model, Position, Proctype, ProctypeId,
    Slot, Start, Unchecked, verify,
};

use super::ast::{self, ExprKind, Program, Unit};
use super::symbols::{Scopes, Types, Variable};
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};

/// What is asked of a program besides what it says itself.
pub struct Questions {
    /// Conditions that are to hold in every state.
    pub invariants: Vec<Question>,
    /// Formulas that every run is to satisfy.
    pub formulas: Vec<Question>,
    /// Formulas of computation trees.
    pub trees: Vec<Question>,
}

pub struct Question {
    pub text: String,
    pub expr: ast::Expr,
}

/// Lowers a program that was parsed without errors. `None` when there is something wrong with it; the diagnostics
/// say what.
pub fn lower(
    name: &str,
    program: &Program,
    questions: &Questions,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let mut own = Diagnostics::default();
    let mut lowering = Lowering::new(name, program, questions, sources, &mut own);
    lowering.declare_globals(program);
    lowering.declare_proctypes(program);
    lowering.lower_invariants(&questions.invariants);
    lowering.lower_bodies(program);
    lowering.lower_formulas(&questions.formulas);
    lowering.lower_labels();
    lowering.lower_trees(&questions.trees);
    let model = lowering.model;
    let sound = !own.has_errors();
    diagnostics.append(own);
    if !sound {
        return None;
    }
    if let Err(broken) = verify(&model) {
        panic!("the Promela front end made a model that breaks its rules: {}", broken.join("; "));
    }
    if let Err((proctype, fault)) = Interpreter::new(&model).find_initial_state() {
        let proctype = model.proctype(proctype);
        let place = model.place_name(proctype.position);
        let message = format!("{place}: a variable of {} has no initial value: {fault}", proctype.name);
        diagnostics.add(Diagnostic::error(message, None));
        return None;
    }
    Some(model)
}

/// What is known of a process type before its body is lowered, so that other bodies can refer to it.
#[derive(Clone)]
struct Signature {
    /// Parameters, then all variables of the body, in the order in which they are declared.
    variables: Vec<Variable>,
    /// How many of `variables` are parameters, and how many slots these take.
    parameters: usize,
    parameter_slots: u32,
    slots: Vec<Slot>,
    labels: HashSet<String>,
}

struct Lowering<'a> {
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    model: Model,
    /// Where each claim of the model comes from.
    types: Types,
    /// Symbolic constants: their enumeration and value.
    constants: HashMap<String, (u32, i32)>,
    globals: Scopes,
    proctypes: HashMap<String, ProctypeId>,
    signatures: Vec<Signature>,
    /// Names that occur in some expression, so that `hidden` variables that do not can be dropped.
    names_read: HashSet<String>,
    /// Labels that some remote reference names.
    labels_referenced: HashSet<String>,
    /// Inside an expression with very many operators.
    works_out_constants: bool,
    uses_accept: Option<Span>,
    uses_progress: Option<Span>,
    /// How many `ltl` blocks without a name there have been.
    nameless_formulas: u32,
    /// What is sent and received in the trace at hand.
    events: Vec<Event>,
    /// The number of the next element of control flow, counted through the whole program.
    next_number: u32,
}

impl<'a> Lowering<'a> {
    fn new(
        name: &str,
        program: &Program,
        questions: &Questions,
        sources: &'a SourceMap,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut names_read = HashSet::new();
        let mut labels_referenced = HashSet::new();
        let mut note = |expr: &ast::Expr| match &expr.kind {
            ExprKind::Reference(reference) | ExprKind::RemoteVariable { variable: reference, .. } => {
                names_read.extend(reference.parts.first().map(|part| part.name.text.clone()));
            }
            ExprKind::RemoteLabel { label, .. } => {
                labels_referenced.insert(label.text.clone());
            }
            _ => {}
        };
        visit::each_expression(program, &mut note);
        for question in questions.invariants.iter().chain(&questions.formulas).chain(&questions.trees) {
            visit::in_expression(&question.expr, &mut note);
        }
        let mut globals = Scopes::default();
        globals.enter();
        // Who moved last is part of the state as soon as anything mentions it, be it a claim that is not checked.
        let features = Features { last: names_read.contains("_last"), priorities: false };
        Lowering {
            sources,
            diagnostics,
            model: Model { name: name.to_owned(), files: sources.file_names(), features, ..Model::default() },
            types: Types::default(),
            constants: HashMap::new(),
            globals,
            proctypes: HashMap::new(),
            signatures: Vec::new(),
            names_read,
            labels_referenced,
            works_out_constants: false,
            uses_accept: None,
            uses_progress: None,
            nameless_formulas: 0,
            events: Vec::new(),
            next_number: 0,
        }
    }

    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.add(Diagnostic::error(message, span));
    }

    fn error_with_help(&mut self, message: impl Into<String>, span: Span, help: impl Into<String>) {
        self.diagnostics.add(Diagnostic::error(message, span).help(help));
    }

    /// Where a statement stands for the user: inside an inline's body, but where a macro was used.
    fn position(&self, span: Span) -> Position {
        let span = self.sources.outside_macros(span);
        let location = self.sources.location(span);
        Position { file: FileId(span.file.0.into()), line: location.line as u32, column: location.column as u32 }
    }

    fn declare_globals(&mut self, program: &Program) {
        for unit in &program.units {
            match unit {
                Unit::Mtype(declaration) => self.declare_mtype(declaration),
                Unit::Typedef(typedef) => self.declare_typedef(typedef),
                Unit::Variables(declaration) => self.declare_global(declaration),
                _ => {}
            }
        }
    }

    /// `mtype = { a, b, c }`: the last name is one, as in SPIN, and a further declaration counts on.
    fn declare_mtype(&mut self, declaration: &ast::MtypeDeclaration) {
        let index = self.enumeration(declaration.subtype.as_ref().map(|name| name.text.as_str()));
        for name in declaration.members.iter().rev() {
            let members = &mut self.model.enumerations[index as usize].members;
            let value = members.len() as i32 + 1;
            members.push((name.text.clone(), value));
            if self.constants.insert(name.text.clone(), (index, value)).is_some() {
                self.error(format!("`{}` is the name of an mtype constant already", name.text), name.span);
            }
        }
        if self.model.enumerations[index as usize].members.len() > 255 {
            self.error("an mtype has room for 255 names", declaration.span);
        }
    }

    fn enumeration(&mut self, name: Option<&str>) -> u32 {
        let known = self.model.enumerations.iter().position(|enumeration| enumeration.name.as_deref() == name);
        let index = known.unwrap_or_else(|| {
            let name = name.map(str::to_owned);
            self.model.enumerations.push(Enumeration { name, members: Vec::new() });
            self.model.enumerations.len() - 1
        });
        index as u32
    }

    fn declare_proctypes(&mut self, program: &Program) {
        for unit in &program.units {
            let (name, span) = match unit {
                Unit::Proctype(proctype) => (proctype.name.text.clone(), proctype.name.span),
                Unit::Init(init) => (":init:".to_owned(), init.span),
                _ => continue,
            };
            let id = ProctypeId(self.signatures.len() as u32);
            if self.proctypes.insert(name.clone(), id).is_some() {
                match name.as_str() {
                    ":init:" => self.error("there is an `init` already", span),
                    _ => self.error(format!("there is a proctype `{name}` already"), span),
                }
            }
            let signature = match unit {
                Unit::Proctype(proctype) => self.signature(&proctype.parameters, &proctype.body),
                Unit::Init(init) => self.signature(&[], &init.body),
                _ => continue,
            };
            self.signatures.push(signature);
        }
    }

    fn lower_bodies(&mut self, program: &Program) {
        let mut id = 0;
        for unit in &program.units {
            match unit {
                Unit::Proctype(proctype) => {
                    let lowered =
                        self.lower_body(self.signatures[id as usize].clone(), &proctype.name, &proctype.body, proctype);
                    self.model.proctypes.push(lowered);
                    self.start_active(ProctypeId(id), proctype);
                    if proctype.deterministic {
                        let message = "`D_proctype` is taken as `proctype`: all choices are explored";
                        self.diagnostics.add(Diagnostic::warning(message, proctype.name.span));
                    }
                    id += 1;
                }
                Unit::Init(init) => {
                    let name = ast::Name { text: ":init:".to_owned(), span: init.span };
                    let lowered = self.lower_body(self.signatures[id as usize].clone(), &name, &init.body, init);
                    self.model.proctypes.push(lowered);
                    let priority = self.priority(init.priority.as_ref());
                    self.model.initial.push(Start { proctype: ProctypeId(id), priority });
                    id += 1;
                }
                Unit::Never(claim) => self.lower_never(claim),
                Unit::Ltl(ltl) => self.lower_ltl(ltl),
                Unit::Trace(trace) => self.lower_trace(trace),
                Unit::Variables(_) | Unit::Mtype(_) | Unit::Typedef(_) => {}
            }
        }
        if self.model.initial.is_empty() && !self.diagnostics.has_errors() {
            let message = format!("{}: the model has no process to run", self.model.name);
            self.diagnostics.add(Diagnostic::error(message, None).help("write an `init` or an `active proctype`"));
        }
        if self.model.initial.len() > 255 {
            self.diagnostics.add(Diagnostic::error("more than 255 processes are active at the start", None));
        }
    }

    /// The control flow of what watches the processes and is none. Its labels ask for nothing beyond itself.
    fn watching_body(&mut self, span: Span, body: &ast::Block, watcher: Watcher) -> Proctype {
        let channel_types = self.model.channel_types.len();
        let (uses_accept, uses_progress) = (self.uses_accept, self.uses_progress);
        let signature = self.signature(&[], body);
        let name = ast::Name { text: String::new(), span };
        let lowered = self.lower_body(signature, &name, body, &watcher);
        self.model.channel_types.truncate(channel_types);
        (self.uses_accept, self.uses_progress) = (uses_accept, uses_progress);
        lowered
    }

    fn unchecked(&mut self, name: &str, why: &str, span: Span) {
        let position = self.position(span);
        self.model.unchecked.push(Unchecked { name: name.to_owned(), why: why.to_owned(), position });
    }

    fn start_active(&mut self, proctype: ProctypeId, declaration: &ast::Proctype) {
        let Some(active) = &declaration.active else { return };
        let count = active.count.as_ref().map_or(Some(1), |count| self.constant(count)).unwrap_or(0);
        if !(0..=255).contains(&count) {
            self.error(format!("cannot start {count} processes: at most 255"), active.span);
            return;
        }
        let priority = self.priority(declaration.priority.as_ref());
        self.model.initial.extend((0..count).map(|_| Start { proctype, priority }));
    }

    /// The value of a `priority` clause. That there is one makes priorities part of the model.
    fn priority(&mut self, clause: Option<&ast::Expr>) -> u8 {
        let Some(expr) = clause else { return 1 };
        self.model.features.priorities = true;
        match self.constant(expr) {
            Some(value @ 1..=255) => value as u8,
            Some(_) => {
                self.error("a priority lies between 1 and 255", expr.span);
                1
            }
            None => 1,
        }
    }

    /// A condition on the state as a whole is no process, and so has no pid.
    fn refuse_pid(&mut self, expr: &ast::Expr) {
        let mut spans = Vec::new();
        visit::in_expression(expr, &mut |part| {
            if let ExprKind::Reference(reference) = &part.kind
                && matches!(reference.parts[0].name.text.as_str(), "_pid" | "_priority")
            {
                spans.push(reference.span);
            }
        });
        for span in spans {
            self.error("there is no process here whose number this could be", span);
        }
    }

    fn lower_invariants(&mut self, invariants: &[Question]) {
        for invariant in invariants {
            self.refuse_pid(&invariant.expr);
            let expr = self.expression(&invariant.expr, None);
            let (name, atom) = (invariant.text.clone(), AtomId(self.model.atoms.len() as u32));
            self.model.atoms.push(Atom { text: name.clone(), expr });
            self.model.invariants.push(Invariant { name, atom, position: None });
        }
    }
}

/// What a proctype and an `init` have besides a body.
trait Process {
    fn parameters(&self) -> &[ast::Declaration];
    fn provided(&self) -> Option<&ast::Expr>;

    /// In a claim, every `skip` is a step that reads a state.
    fn keeps_all_skips(&self) -> bool {
        false
    }

    /// In a trace, what is sent and received is not done but awaited.
    fn consists_of_events(&self) -> bool {
        false
    }
}

impl Process for ast::Proctype {
    fn parameters(&self) -> &[ast::Declaration] {
        &self.parameters
    }

    fn provided(&self) -> Option<&ast::Expr> {
        self.provided.as_ref()
    }
}

impl Process for ast::Init {
    fn parameters(&self) -> &[ast::Declaration] {
        &[]
    }

    fn provided(&self) -> Option<&ast::Expr> {
        None
    }
}

/// What has nothing but a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watcher {
    Never,
    Trace,
}

impl Process for Watcher {
    fn parameters(&self) -> &[ast::Declaration] {
        &[]
    }

    fn provided(&self) -> Option<&ast::Expr> {
        None
    }

    fn keeps_all_skips(&self) -> bool {
        true
    }

    fn consists_of_events(&self) -> bool {
        *self == Watcher::Trace
    }
}

/// A process type whose body could not be lowered; errors were reported, the model will not be used.
fn failed_proctype(name: &str, position: Position) -> Proctype {
    Proctype {
        name: name.to_owned(),
        position,
        parameters: 0,
        locals: Vec::new(),
        entry: reductio_model::LocationId(0),
        locations: Vec::new(),
        edges: Vec::new(),
        actions: Vec::new(),
        labels: Vec::new(),
        provided: None,
    }
}
