//! Instances of modules, their variables and the constants of enumerations.

use std::collections::HashMap;
use std::rc::Rc;

use reductio_model::circuit::{Domain, Variable, VariableKind};

use super::expressions::Place;
use super::terms::Kind;
use super::{Lowering, ProcessId, Scope, ScopeId, Symbol};
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::smv::ast::{Element, Expr, ExprKind, Module, Name, Program, Section, TypeExpr, TypeKind};
use crate::source::Span;

/// Arrays and instances multiply; more variables than this are a mistake.
const MAX_VARIABLES: usize = 100_000;
const MAX_INSTANCES: usize = 20_000;
const MAX_WIDTH: i64 = 62;
/// Bounds of ranges: what is computed from them should not overflow.
const MAX_BOUND: i64 = 1 << 40;
/// Beyond all numbers that are computed, see `MAX_COMPUTED`.
const FIRST_CONSTANT: i64 = 1 << 46;

impl<'a> Lowering<'a> {
    /// Numbers the constants of all enumerations. Where some enumeration has numbers, too, a constant may be compared
    /// with a number, so they are numbered beyond all numbers that there can be.
    pub fn collect_constants(&mut self, program: &'a Program) {
        let mut names: Vec<&'a Name> = Vec::new();
        let mut names_in_types: Vec<&'a str> = Vec::new();
        let mut numbers = false;
        for element in program.modules.iter().flat_map(|module| &module.elements) {
            match element {
                Element::Constants(constants) => names.extend(constants),
                Element::Variables(_, variables) => {
                    for (_, ty) in variables {
                        constants_of(ty, &mut names_in_types, &mut numbers);
                    }
                }
                _ => {}
            }
        }
        self.has_mixed_enumerations = numbers;
        let first = if numbers { FIRST_CONSTANT } else { 0 };
        for name in names.iter().map(|name| name.text.as_str()).chain(names_in_types) {
            let number = first + self.constants.len() as i64;
            self.constants.entry(name).or_insert(number);
        }
    }

    /// Declares everything in an instance of a module, and the instances in it.
    pub fn instantiate(
        &mut self,
        module: &'a Module,
        prefix: String,
        arguments: HashMap<&'a str, (&'a Expr, ScopeId)>,
        process: ProcessId,
    ) -> Option<ScopeId> {
        let scope = self.scopes.len();
        if scope >= MAX_INSTANCES {
            self.error(format!("there are more than {MAX_INSTANCES} instances of modules"), module.name.span);
            return None;
        }
        let elements = self.elements_of(module)?;
        self.scopes.push(Scope {
            module,
            elements: Rc::clone(&elements),
            prefix,
            arguments,
            symbols: HashMap::new(),
            process,
        });
        // Definitions first: types may use them.
        for element in elements.iter() {
            if let Element::Defines(defines) = element {
                for define in defines.iter().filter(|define| define.owner.is_none()) {
                    self.declare(scope, &define.name, Symbol::Define(&define.value, scope));
                }
            }
        }
        for element in elements.iter() {
            if let Element::Variables(section, variables) = element {
                for (name, ty) in variables {
                    let full_name = format!("{}{}", self.scopes[scope].prefix, name.text);
                    if let Some(symbol) = self.declare_type(scope, *section, &full_name, name.span, ty) {
                        self.declare(scope, name, symbol);
                    }
                }
            }
        }
        Some(scope)
    }

    pub fn declare(&mut self, scope: ScopeId, name: &'a Name, symbol: Symbol<'a>) {
        let is_main = self.scopes[scope].prefix.is_empty();
        if is_main && self.constants.contains_key(name.text.as_str()) {
            self.error(format!("`{}` is a constant of an enumeration, too", name.text), name.span);
        }
        let of_parameter = self.scopes[scope].module.parameters.iter().any(|parameter| parameter.text == name.text);
        if of_parameter || self.scopes[scope].symbols.insert(&name.text, symbol).is_some() {
            self.error(format!("`{}` is declared twice in this module", name.text), name.span);
        }
    }

    fn declare_type(
        &mut self,
        scope: ScopeId,
        section: Section,
        name: &str,
        span: Span,
        ty: &'a TypeExpr,
    ) -> Option<Symbol<'a>> {
        let constant_place = Place::new(scope, "a type");
        let (domain, kind) = match &ty.kind {
            TypeKind::Boolean => (Domain::Boolean, Kind::Boolean),
            TypeKind::Word { signed, width } => {
                let bits = self.constant_number(width, constant_place)?;
                if !(1..=MAX_WIDTH).contains(&bits) {
                    self.error(format!("words have 1 to {MAX_WIDTH} bits here, not {bits}"), width.span);
                    return None;
                }
                let domain = Domain::Word { width: bits as u32, signed: *signed };
                let kind = Kind::of(&domain, false, false);
                (domain, kind)
            }
            TypeKind::Range(low, high) => {
                let (low, high) = self.bounds(low, high, constant_place, ty.span)?;
                (Domain::Range { low, high }, Kind::Integer)
            }
            TypeKind::Enumeration(items) => self.enumeration(items, ty.span)?,
            TypeKind::Array(low, high, element) => {
                let (low, high) = self.bounds(low, high, constant_place, ty.span)?;
                if (high - low) as usize >= MAX_VARIABLES {
                    self.error(format!("an array has {MAX_VARIABLES} elements at most"), ty.span);
                    return None;
                }
                let elements: Option<Vec<Symbol<'a>>> = (low..=high)
                    .map(|index| self.declare_type(scope, section, &format!("{name}[{index}]"), span, element))
                    .collect();
                return Some(Symbol::Array { low, elements: elements? });
            }
            TypeKind::Instance { process, module, arguments } => {
                if section != Section::Var {
                    self.error("only `VAR` can have instances of modules", ty.span);
                    return None;
                }
                return self.declare_instance(scope, name, *process, module, arguments).map(Symbol::Instance);
            }
        };
        if self.circuit.variables.len() >= MAX_VARIABLES {
            self.error(format!("there are more than {MAX_VARIABLES} variables"), span);
            return None;
        }
        let variable_kind = match section {
            Section::Var => VariableKind::State,
            Section::Ivar => VariableKind::Input,
            Section::FrozenVar => VariableKind::Frozen,
        };
        let variable = Variable { name: name.to_owned(), kind: variable_kind, domain, hidden: false };
        Some(Symbol::Variable(self.circuit.add_variable(variable), kind))
    }

    pub fn module_named(&mut self, name: &Name) -> Option<&'a Module> {
        let module = self.modules.get(name.text.as_str()).copied();
        if module.is_none() {
            let near = nearest(&name.text, self.modules.keys().copied());
            let message = format!("there is no module `{}`", name.text);
            self.diagnostics.add(Diagnostic::error(message, name.span).suggest(near));
        }
        module
    }

    fn declare_instance(
        &mut self,
        scope: ScopeId,
        name: &str,
        process: bool,
        module: &'a Name,
        arguments: &'a [Expr],
    ) -> Option<ScopeId> {
        let definition = self.module_named(module)?;
        if definition.parameters.len() != arguments.len() {
            let (wanted, given) = (definition.parameters.len(), arguments.len());
            let message = format!("module `{}` has {wanted} parameters, but {given} arguments are given", module.text);
            let note = Diagnostic::error(message, module.span).note("the module", definition.name.span);
            self.diagnostics.add(note);
            return None;
        }
        // An instance in an instance of the same module would go on without end.
        let is_open = |outer: &Scope<'a>| name.starts_with(&outer.prefix) && std::ptr::eq(outer.module, definition);
        if self.scopes.iter().any(is_open) {
            self.error(format!("module `{}` contains itself", module.text), module.span);
            return None;
        }
        let names = definition.parameters.iter().map(|parameter| parameter.text.as_str());
        let arguments = names.zip(arguments.iter().map(|argument| (argument, scope))).collect();
        let process = if process {
            self.processes.push(name.to_owned());
            self.processes.len() - 1
        } else {
            self.scopes[scope].process
        };
        self.instantiate(definition, format!("{name}."), arguments, process)
    }

    fn bounds(&mut self, low: &'a Expr, high: &'a Expr, place: Place, span: Span) -> Option<(i64, i64)> {
        let (low, high) = (self.constant_number(low, place)?, self.constant_number(high, place)?);
        if low > high {
            self.error(format!("the range {low}..{high} is empty"), span);
            return None;
        }
        if low < -MAX_BOUND || high > MAX_BOUND {
            self.error("the bounds of this range are too large", span);
            return None;
        }
        Some((low, high))
    }

    /// The value of an expression that does not depend on variables.
    pub fn constant_number(&mut self, expr: &'a Expr, place: Place) -> Option<i64> {
        let value = self.value(expr, place)?;
        let number = self.circuit.expressions.constant_value(value.expr);
        match number {
            Some(number) if value.kind == Kind::Integer => Some(number),
            _ => {
                self.error("expected a number that does not depend on variables", expr.span);
                None
            }
        }
    }

    fn enumeration(&mut self, items: &'a [Expr], span: Span) -> Option<(Domain, Kind)> {
        let mut values: Vec<(i64, String)> = Vec::new();
        let (mut names, mut numbers) = (false, false);
        for item in items {
            let value = match &item.kind {
                ExprKind::Name(name) => {
                    names = true;
                    (self.constants[name.as_str()], name.clone())
                }
                ExprKind::Number(number) => {
                    numbers = true;
                    (*number, number.to_string())
                }
                ExprKind::Truth(_) => {
                    self.error_with_help("truth values are no constants of an enumeration", item.span, "use `boolean`");
                    return None;
                }
                _ => {
                    self.error("expected a name or a number", item.span);
                    return None;
                }
            };
            if values.contains(&value) {
                self.error(format!("`{}` is in this enumeration twice", value.1), item.span);
                return None;
            }
            values.push(value);
        }
        if values.is_empty() {
            self.error("an enumeration has at least one value", span);
            return None;
        }
        let domain = Domain::Values(values);
        let kind = Kind::of(&domain, names, numbers);
        Some((domain, kind))
    }

    /// With several processes, an input tells which of them runs.
    pub fn declare_selector(&mut self) {
        if self.processes.len() < 2 {
            return;
        }
        let values = self.processes.iter().enumerate().map(|(number, name)| (number as i64, name.clone()));
        let domain = Domain::Values(values.collect());
        let name = "_process_selector_".to_owned();
        let selector = Variable { name, kind: VariableKind::Input, domain, hidden: false };
        self.selector = Some(self.circuit.add_variable(selector));
    }
}

fn constants_of<'a>(ty: &'a TypeExpr, names: &mut Vec<&'a str>, mixed: &mut bool) {
    match &ty.kind {
        TypeKind::Enumeration(items) => {
            let before = names.len();
            names.extend(items.iter().filter_map(|item| match &item.kind {
                ExprKind::Name(name) => Some(name.as_str()),
                _ => None,
            }));
            *mixed |= names.len() > before && names.len() - before < items.len();
        }
        TypeKind::Array(_, _, element) => constants_of(element, names, mixed),
        _ => {}
    }
}
