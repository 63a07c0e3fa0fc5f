//! Variable references: from `a[i].b` to places.

use reductio_model::{Expr, Index, Place, ProctypeId, Scope, ValueType};

use super::Lowering;
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;
use crate::promela::ast;
use crate::promela::symbols::{DeclaredType, Scopes, Variable};

/// What a reference means, before it is known whether a scalar is wanted.
pub struct Resolved {
    pub scope: Scope,
    pub base: u32,
    pub indices: Vec<Index>,
    pub ty: DeclaredType,
    /// An array whose index is missing.
    pub whole_array: Option<u32>,
    pub channel_width: Option<usize>,
    /// A hidden variable that is not part of the state.
    pub dropped: bool,
}

impl Lowering<'_> {
    pub fn find_variable<'s>(&'s self, name: &str, scopes: Option<&'s Scopes>) -> Option<(Scope, &'s Variable)> {
        let local = scopes.and_then(|scopes| scopes.find(name)).map(|variable| (Scope::Local, variable));
        local.or_else(|| self.globals.find(name).map(|variable| (Scope::Global, variable)))
    }

    /// Resolves a reference to a variable. `None` after an error.
    pub fn resolve(&mut self, reference: &ast::VarRef, scopes: Option<&Scopes>) -> Option<Resolved> {
        let first = &reference.parts[0];
        let Some((scope, variable)) = self.find_variable(&first.name.text, scopes) else {
            self.undeclared(&first.name, scopes);
            return None;
        };
        let variable = variable.clone();
        self.resolve_in(reference, scope, variable, scopes)
    }

    /// Resolves a reference whose first name means `variable`; indices are evaluated in `scopes`.
    pub fn resolve_in(
        &mut self,
        reference: &ast::VarRef,
        scope: Scope,
        variable: Variable,
        scopes: Option<&Scopes>,
    ) -> Option<Resolved> {
        let mut resolved = Resolved {
            scope,
            base: 0,
            indices: Vec::new(),
            ty: variable.ty,
            whole_array: None,
            channel_width: None,
            dropped: variable.dropped,
        };
        let mut current = variable;
        for (position, part) in reference.parts.iter().enumerate() {
            if position > 0 {
                let DeclaredType::Structure(structure) = current.ty else {
                    self.error(format!("`{}` has no fields", current.name), part.name.span);
                    return None;
                };
                if let Some(length) = resolved.whole_array {
                    self.missing_index(&current.name, length, part.name.span);
                    return None;
                }
                let structure = &self.types.structures[structure];
                let Some(field) = structure.fields.iter().find(|field| field.name == part.name.text) else {
                    let names = structure.fields.iter().map(|field| field.name.as_str());
                    let near = nearest(&part.name.text, names);
                    let message = format!("typedef `{}` has no field `{}`", structure.name, part.name.text);
                    self.diagnostics.add(Diagnostic::error(message, part.name.span).suggest(near));
                    return None;
                };
                current = field.clone();
            }
            resolved.base += current.base;
            resolved.ty = current.ty;
            resolved.channel_width = current.channel_width;
            resolved.whole_array = match (&part.index, current.length) {
                (None, length) => length,
                (Some(index), None) => {
                    self.error(format!("`{}` is no array", current.name), index.span);
                    return None;
                }
                (Some(index), Some(length)) => {
                    let value = self.expression(index, scopes);
                    if let Expr::Const(value) = value
                        && !(0..length as i32).contains(&value)
                    {
                        let message =
                            format!("index {value} is out of range: `{}` has {length} elements", current.name);
                        self.diagnostics.add(Diagnostic::warning(message, index.span));
                    }
                    let stride = self.types.size(current.ty);
                    resolved.indices.push(Index { value, length, stride });
                    None
                }
            };
        }
        Some(resolved)
    }

    fn missing_index(&mut self, name: &str, length: u32, span: crate::source::Span) {
        let help = format!("it has {length} elements: write `{name}[i]`");
        self.error_with_help(format!("`{name}` is an array and needs an index"), span, help);
    }

    /// The scalar that a reference means. `None` after an error.
    pub fn scalar(&mut self, reference: &ast::VarRef, resolved: Resolved) -> Option<Place> {
        let name = &reference.parts[reference.parts.len() - 1].name;
        if let Some(length) = resolved.whole_array {
            self.missing_index(&name.text, length, reference.span);
            return None;
        }
        match resolved.ty {
            DeclaredType::Scalar(ty) => {
                Some(Place { scope: resolved.scope, base: resolved.base, indices: resolved.indices, ty })
            }
            DeclaredType::Structure(index) => {
                let structure = &self.types.structures[index];
                let example = structure.fields.first().map_or("field", |field| field.name.as_str());
                let help = format!("name one of its fields: `{}.{example}`", name.text);
                self.error_with_help(format!("`{}` is a structure, not a value", name.text), reference.span, help);
                None
            }
        }
    }

    /// All scalars that a reference means: those of a structure in order, or the one.
    pub fn scalars(&mut self, reference: &ast::VarRef, resolved: Resolved) -> Vec<Place> {
        let DeclaredType::Structure(index) = resolved.ty else {
            return self.scalar(reference, resolved).into_iter().collect();
        };
        if let Some(length) = resolved.whole_array {
            self.missing_index(&reference.parts[reference.parts.len() - 1].name.text, length, reference.span);
            return Vec::new();
        }
        let scalars = self.types.structure_scalars(index).into_iter().zip(resolved.base..);
        let (scope, indices) = (resolved.scope, resolved.indices);
        scalars.map(|(scalar, base)| Place { scope, base, indices: indices.clone(), ty: scalar.ty }).collect()
    }

    /// The channel that a reference means, and the number of its message fields where that is known.
    pub fn channel(&mut self, reference: &ast::VarRef, scopes: Option<&Scopes>) -> (Expr, Option<usize>) {
        let nothing = (Expr::Const(0), None);
        let Some(resolved) = self.resolve(reference, scopes) else { return nothing };
        let width = resolved.channel_width;
        match self.scalar(reference, resolved) {
            None => nothing,
            Some(place) if place.ty == ValueType::Chan => (Expr::Read(Box::new(place)), width),
            // SPIN keeps channel numbers in bytes, and some models keep them in byte variables.
            Some(place) if place.ty == ValueType::BYTE => (Expr::Read(Box::new(place)), width),
            Some(_) => {
                let name = &reference.parts[reference.parts.len() - 1].name.text;
                self.error(format!("`{name}` is no channel"), reference.span);
                nothing
            }
        }
    }

    fn undeclared(&mut self, name: &ast::Name, scopes: Option<&Scopes>) {
        let locals = scopes.into_iter().flat_map(Scopes::names);
        let known = locals.chain(self.globals.names()).chain(self.constants.keys().map(String::as_str));
        let error = Diagnostic::error(format!("`{}` is not declared", name.text), name.span);
        let help = match name.text.to_ascii_lowercase().as_str() {
            word @ ("true" | "false" | "skip" | "timeout") => Some(format!("write `{word}`")),
            _ if scopes.is_none() => self.remote_name(&name.text),
            _ => None,
        };
        self.diagnostics.add(match help {
            Some(help) => error.help(help),
            None => error.suggest(nearest(&name.text, known)),
        });
    }

    /// How to write the variable of this name that a process has.
    fn remote_name(&self, variable: &str) -> Option<String> {
        let has_it = |&(_, id): &(&String, &ProctypeId)| {
            self.signatures.get(id.index()).is_some_and(|known| known.variables.iter().any(|own| own.name == variable))
        };
        let (proctype, id) = self.proctypes.iter().filter(has_it).min_by_key(|(_, id)| id.0)?;
        let pid = self.model.initial.iter().position(|start| start.proctype == *id).unwrap_or(0);
        Some(format!("it is a variable of `{proctype}`: write `{proctype}[{pid}]:{variable}`, {pid} being the pid"))
    }
}
