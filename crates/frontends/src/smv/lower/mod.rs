//! Tree to circuit: instances of modules, types, and what the parts of modules mean.

mod assignments;
mod ctl;
mod cyclic_assignments;
mod declarations;
mod expressions;
mod functions;
mod includes;
mod ltl;
mod names;
mod obligations;
mod operators;
mod past;
mod specifications;
mod terms;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use reductio_model::circuit::{Circuit, ExprId, VariableId};
use reductio_model::{FileId, Position, Property};

use super::ast::{Constraint, Define, Element, Expr, Module, Program, Spec};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::nearest::nearest;
use crate::source::{SourceMap, Span};
use names::Expanded;
use past::Remembered;
use terms::Kind;

/// The circuit of a program, whose main module is called `main`, and what is asked of it.
pub fn lower(
    name: &str,
    program: &Program,
    questions: &[Spec],
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Circuit> {
    let properties = vec![Property::Deadlock];
    let circuit = Circuit { name: name.to_owned(), files: sources.file_names(), properties, ..Circuit::default() };
    let mut lowering = Lowering {
        sources,
        diagnostics,
        circuit,
        modules: HashMap::new(),
        scopes: Vec::new(),
        constants: HashMap::new(),
        has_mixed_enumerations: false,
        processes: Vec::new(),
        selector: None,
        expanding: Vec::new(),
        expanded: HashMap::new(),
        obligations: HashSet::new(),
        remembered: HashMap::new(),
    };
    lowering.collect_modules(program);
    let main = lowering.main_module()?;
    lowering.collect_constants(program);
    lowering.processes.push("main".to_owned());
    let scope = lowering.instantiate(main, String::new(), HashMap::new(), 0)?;
    lowering.declare_selector();
    lowering.define_for_others();
    lowering.check_definitions();
    lowering.lower_elements();
    lowering.lower_assignments();
    for question in questions {
        lowering.lower_specification(scope, question, None);
    }
    lowering.refuse_circles();
    Some(lowering.circuit)
}

/// An instance of a module.
type ScopeId = usize;
/// A process; number 0 is the main module.
type ProcessId = usize;

struct Lowering<'a> {
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    circuit: Circuit,
    modules: HashMap<&'a str, &'a Module>,
    scopes: Vec<Scope<'a>>,
    /// The constants of enumerations, as numbers.
    constants: HashMap<&'a str, i64>,
    /// Are there enumerations of both names and numbers?
    has_mixed_enumerations: bool,
    processes: Vec<String>,
    /// The input that tells which process runs, where there are several.
    selector: Option<VariableId>,
    /// The definitions that are being read, to tell those that refer to themselves.
    expanding: Vec<(ScopeId, &'a str)>,
    /// What definitions stand for, now and in the next state.
    expanded: HashMap<(ScopeId, &'a str, bool), Option<Expanded>>,
    /// Each condition is asked for once.
    obligations: HashSet<ExprId>,
    /// What formulas say of the past, as conditions.
    remembered: HashMap<Remembered, ExprId>,
}

/// An instance of a module.
struct Scope<'a> {
    module: &'a Module,
    /// What is in the module, and in those that it includes.
    elements: Rc<[&'a Element]>,
    /// What stands before its names: nothing, or `a.b.`.
    prefix: String,
    arguments: HashMap<&'a str, (&'a Expr, ScopeId)>,
    symbols: HashMap<&'a str, Symbol<'a>>,
    process: ProcessId,
}

/// What a name stands for.
#[derive(Clone)]
enum Symbol<'a> {
    Variable(VariableId, Kind),
    Array {
        low: i64,
        elements: Vec<Symbol<'a>>,
    },
    /// The definition, and the instance whose names it speaks of.
    Define(&'a Expr, ScopeId),
    Instance(ScopeId),
}

impl<'a> Lowering<'a> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.add(Diagnostic::error(message, span));
    }

    fn error_with_help(&mut self, message: impl Into<String>, span: Span, help: impl Into<String>) {
        self.diagnostics.add(Diagnostic::error(message, span).help(help));
    }

    fn position(&self, span: Span) -> Position {
        let location = self.sources.location(span);
        Position { file: FileId(span.file.0.into()), line: location.line as u32, column: location.column as u32 }
    }

    /// The text of a span on one line.
    fn text(&self, span: Span) -> String {
        let text = &self.sources.file(span.file).text[span.start as usize..span.end as usize];
        let without_comments = text.lines().map(|line| line.split("--").next().unwrap_or(""));
        without_comments.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    fn collect_modules(&mut self, program: &'a Program) {
        for module in &program.modules {
            if let Some(first) = self.modules.insert(&module.name.text, module) {
                let message = format!("there is a module `{}` already", module.name.text);
                let note = Diagnostic::error(message, module.name.span).note("the first one", first.name.span);
                self.diagnostics.add(note);
            }
        }
    }

    fn main_module(&mut self) -> Option<&'a Module> {
        let Some(main) = self.modules.get("main").copied() else {
            let near = nearest("main", self.modules.keys().copied());
            self.diagnostics.add(Diagnostic::error("there is no module `main`", None).suggest(near));
            return None;
        };
        if let Some(parameter) = main.parameters.first() {
            self.error("the module `main` cannot have parameters", parameter.span);
        }
        Some(main)
    }

    /// Constraints and specifications of all instances; assignments follow when all are known.
    fn lower_elements(&mut self) {
        for scope in 0..self.scopes.len() {
            for element in self.scopes[scope].elements.clone().iter() {
                match element {
                    Element::Constraint(kind, expr) => self.lower_constraint(scope, *kind, expr),
                    Element::Compassion(often, then) => {
                        let place = expressions::Place::new(scope, "COMPASSION");
                        let often = self.boolean(often, place);
                        let then = self.boolean(then, place);
                        self.circuit.compassion.extend(often.zip(then));
                    }
                    Element::Spec(spec) => {
                        let position = self.position(spec.formula.span);
                        self.lower_specification(scope, spec, Some(position));
                    }
                    Element::Compute(compute) => self.lower_compute(scope, compute),
                    Element::Variables(..) | Element::Defines(_) | Element::Constants(_) => {}
                    Element::Assign(_) | Element::Include(_) => {}
                }
            }
        }
    }

    /// Constraints hold whichever process runs: only assignments wait for their process.
    fn lower_constraint(&mut self, scope: ScopeId, kind: Constraint, expr: &'a Expr) {
        let place = match kind {
            Constraint::Init => expressions::Place::new(scope, "INIT"),
            Constraint::Invar => expressions::Place::new(scope, "INVAR"),
            Constraint::Justice => expressions::Place::new(scope, "FAIRNESS").with_inputs(),
            Constraint::Trans => expressions::Place::new(scope, "TRANS").with_inputs().with_next(),
        };
        let Some(condition) = self.boolean(expr, place) else { return };
        let constraints = match kind {
            Constraint::Justice => {
                self.circuit.justice.push(condition);
                return;
            }
            Constraint::Init => &mut self.circuit.init,
            Constraint::Trans => &mut self.circuit.trans,
            Constraint::Invar => &mut self.circuit.invar,
        };
        constraints.extend(self.circuit.expressions.conjuncts(condition));
    }
}
