//! What an expression of the text stands for, before it is part of the circuit.

use reductio_model::circuit::{Choice, Domain, ExprId, Type};

use super::ScopeId;

/// The kinds of values that SMV tells apart. In a circuit, the middle three are all numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Integer,
    /// Constants of enumerations.
    Symbolic,
    /// Constants and numbers.
    Mixed,
    Word {
        width: u32,
        signed: bool,
    },
}

impl Kind {
    pub fn of(domain: &Domain, has_names: bool, has_numbers: bool) -> Kind {
        match domain.ty() {
            Type::Boolean => Kind::Boolean,
            Type::Word { width, signed } => Kind::Word { width, signed },
            Type::Integer if has_names && has_numbers => Kind::Mixed,
            Type::Integer if has_names => Kind::Symbolic,
            Type::Integer => Kind::Integer,
        }
    }

    /// What values of either kind are; `None` if they have nothing in common.
    pub fn join(self, other: Kind) -> Option<Kind> {
        let is_number = |kind| matches!(kind, Kind::Integer | Kind::Symbolic | Kind::Mixed);
        match (self, other) {
            _ if self == other => Some(self),
            _ if is_number(self) && is_number(other) => Some(Kind::Mixed),
            _ => None,
        }
    }

    /// Can a value of one kind be equal to one of the other?
    pub fn meets(self, other: Kind) -> bool {
        let apart = [(Kind::Integer, Kind::Symbolic), (Kind::Symbolic, Kind::Integer)];
        self.join(other).is_some() && !apart.contains(&(self, other))
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Boolean => f.write_str("a truth value"),
            Kind::Integer => f.write_str("a number"),
            Kind::Symbolic => f.write_str("a constant of an enumeration"),
            Kind::Mixed => f.write_str("a number or a constant of an enumeration"),
            Kind::Word { width, signed } => {
                write!(f, "{} word[{width}]", if *signed { "a signed" } else { "an unsigned" })
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub expr: ExprId,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Term {
    Value(Value),
    /// Several values to choose from.
    Choice(Choice, Kind),
    Array {
        low: i64,
        elements: Vec<Term>,
    },
    Instance(ScopeId),
}

impl Term {
    /// Values to choose from, be it one. `None` for arrays and instances.
    pub fn into_choice(self) -> Option<(Choice, Kind)> {
        match self {
            Term::Value(value) => Some((Choice::Value(value.expr), value.kind)),
            Term::Choice(choice, kind) => Some((choice, kind)),
            Term::Array { .. } | Term::Instance(_) => None,
        }
    }
}
