//! Formulas as trees. Front ends parse them, each in the syntax of its language.
//!
//! Paper: [clarke-emerson-sistla86].

use std::collections::BTreeSet;

use crate::prop::Prop;

/// A property of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Truth(bool),
    Atom(Prop),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    /// Some run, or every run, from the state is as told.
    Runs(Quantifier, Box<Path>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Some,
    All,
}

impl Quantifier {
    pub fn dual(self) -> Quantifier {
        match self {
            Quantifier::Some => Quantifier::All,
            Quantifier::All => Quantifier::Some,
        }
    }
}

/// A property of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// `X f`: in the next state.
    Next(Formula),
    /// `F f`: in this state or in a later one.
    Eventually(Formula),
    /// `G f`: in this state and in all later ones.
    Always(Formula),
    /// `f U g`: g in some state, and f in all states before.
    Until(Formula, Formula),
    /// `f V g`: g up to and including the first state with f, forever if there is none.
    Release(Formula, Formula),
}

impl Formula {
    #[allow(clippy::should_implement_trait, reason = "as of the other connectives, this is a constructor")]
    pub fn not(self) -> Formula {
        match self {
            Formula::Truth(value) => Formula::Truth(!value),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(Box::new(self), Box::new(other))
    }

    pub fn implies(self, other: Formula) -> Formula {
        self.not().or(other)
    }

    pub fn equivalent(self, other: Formula) -> Formula {
        let both = self.clone().and(other.clone());
        both.or(self.not().and(other.not()))
    }

    pub fn some(path: Path) -> Formula {
        Formula::Runs(Quantifier::Some, Box::new(path))
    }

    pub fn all(path: Path) -> Formula {
        Formula::Runs(Quantifier::All, Box::new(path))
    }

    /// The atoms that it speaks of.
    pub fn atoms(&self) -> BTreeSet<Prop> {
        match self {
            Formula::Truth(_) => BTreeSet::new(),
            Formula::Atom(prop) => BTreeSet::from([*prop]),
            Formula::Not(inner) => inner.atoms(),
            Formula::And(left, right) | Formula::Or(left, right) => &left.atoms() | &right.atoms(),
            Formula::Runs(_, path) => path.operands().flat_map(Formula::atoms).collect(),
        }
    }

    /// Does it have an `X`, and so may tell how many steps are taken?
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Truth(_) | Formula::Atom(_) => false,
            Formula::Not(inner) => inner.has_next(),
            Formula::And(left, right) | Formula::Or(left, right) => left.has_next() || right.has_next(),
            Formula::Runs(_, path) => matches!(**path, Path::Next(_)) || path.operands().any(Formula::has_next),
        }
    }

    /// Does it speak of this state only?
    pub fn is_of_now(&self) -> bool {
        match self {
            Formula::Truth(_) | Formula::Atom(_) => true,
            Formula::Not(inner) => inner.is_of_now(),
            Formula::And(left, right) | Formula::Or(left, right) => left.is_of_now() && right.is_of_now(),
            Formula::Runs(..) => false,
        }
    }

    /// In negation normal form: does it never speak of all runs, so that some runs are enough to show it?
    pub fn is_existential(&self) -> bool {
        match self {
            Formula::Truth(_) | Formula::Atom(_) | Formula::Not(_) => true,
            Formula::And(left, right) | Formula::Or(left, right) => left.is_existential() && right.is_existential(),
            Formula::Runs(Quantifier::All, _) => false,
            Formula::Runs(Quantifier::Some, path) => path.operands().all(Formula::is_existential),
        }
    }
}

impl Path {
    /// What a run does that is not as told.
    pub fn opposite(&self) -> Path {
        let not = |formula: &Formula| formula.clone().not();
        match self {
            Path::Next(f) => Path::Next(not(f)),
            Path::Eventually(f) => Path::Always(not(f)),
            Path::Always(f) => Path::Eventually(not(f)),
            Path::Until(f, g) => Path::Release(not(f), not(g)),
            Path::Release(f, g) => Path::Until(not(f), not(g)),
        }
    }

    /// The formulas it is made of.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self {
            Path::Next(f) | Path::Eventually(f) | Path::Always(f) => (f, None),
            Path::Until(f, g) | Path::Release(f, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }
}
