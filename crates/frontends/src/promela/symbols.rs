//! What names mean: types and how they are laid out, variables and where they are visible.

use std::collections::HashMap;

use reductio_model::{Initial, ValueType};

use crate::source::Span;

/// The type of one variable or field, as far as the layout needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredType {
    Scalar(ValueType),
    /// A typedef, by its index.
    Structure(usize),
}

/// A variable, a parameter or a field of a typedef.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub span: Span,
    pub ty: DeclaredType,
    /// `None` for a variable that is no array.
    pub length: Option<u32>,
    /// The first slot, in the globals, the locals or the structure.
    pub base: u32,
    /// The number of message fields, for channels whose initialiser tells it.
    pub channel_width: Option<usize>,
    /// What a field of a typedef starts with; other variables keep that in their slots.
    pub initial: Initial,
    /// Declared `hidden` and never read: it is not part of the state.
    pub dropped: bool,
}

#[derive(Clone, Debug)]
pub struct Structure {
    pub name: String,
    pub fields: Vec<Variable>,
    /// In slots.
    pub size: u32,
}

/// More slots than this in one structure or scope are a mistake, or more than a search could ever handle.
pub const MAX_SLOTS: u32 = 1 << 20;

#[derive(Clone, Debug, Default)]
pub struct Types {
    pub structures: Vec<Structure>,
    by_name: HashMap<String, usize>,
}

/// One scalar inside a variable: how its name continues after the variable's, its type, and what it starts with.
pub struct Scalar {
    pub suffix: String,
    pub ty: ValueType,
    pub initial: Initial,
}

impl Types {
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Adds a typedef; answers false when the name is taken.
    pub fn add(&mut self, structure: Structure) -> bool {
        let index = self.structures.len();
        if self.by_name.contains_key(&structure.name) {
            return false;
        }
        self.by_name.insert(structure.name.clone(), index);
        self.structures.push(structure);
        true
    }

    /// The slots that one element of this type takes.
    pub fn size(&self, ty: DeclaredType) -> u32 {
        match ty {
            DeclaredType::Scalar(_) => 1,
            DeclaredType::Structure(index) => self.structures[index].size,
        }
    }

    /// The slots of a variable, `None` when they are too many.
    pub fn slots(&self, variable: &Variable) -> Option<u32> {
        self.size(variable.ty).checked_mul(variable.length.unwrap_or(1)).filter(|&slots| slots <= MAX_SLOTS)
    }

    /// The scalars of a variable in slot order.
    pub fn scalars(&self, variable: &Variable) -> Vec<Scalar> {
        let mut scalars = Vec::new();
        self.collect_scalars(variable, String::new(), &mut scalars);
        scalars
    }

    /// The scalars of one structure in slot order.
    pub fn structure_scalars(&self, index: usize) -> Vec<Scalar> {
        let mut scalars = Vec::new();
        self.collect_fields(index, "", &mut scalars);
        scalars
    }

    fn collect_fields(&self, structure: usize, prefix: &str, out: &mut Vec<Scalar>) {
        for field in &self.structures[structure].fields {
            self.collect_scalars(field, format!("{prefix}.{}", field.name), out);
        }
    }

    fn collect_scalars(&self, variable: &Variable, prefix: String, out: &mut Vec<Scalar>) {
        let suffixes: Vec<String> = match variable.length {
            None => vec![prefix],
            Some(length) => (0..length).map(|index| format!("{prefix}[{index}]")).collect(),
        };
        for suffix in suffixes {
            match variable.ty {
                DeclaredType::Scalar(ty) => out.push(Scalar { suffix, ty, initial: variable.initial.clone() }),
                DeclaredType::Structure(index) => self.collect_fields(index, &suffix, out),
            }
        }
    }
}

/// Variables by name, innermost block last.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    blocks: Vec<HashMap<String, Variable>>,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Makes a variable visible in the innermost block; answers the one of the same name that is there already.
    pub fn declare(&mut self, variable: Variable) -> Result<(), Span> {
        let block = self.blocks.last_mut().expect("variables are declared inside a scope");
        if let Some(previous) = block.get(&variable.name) {
            return Err(previous.span);
        }
        block.insert(variable.name.clone(), variable);
        Ok(())
    }

    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().flat_map(|block| block.keys().map(String::as_str))
    }
}
