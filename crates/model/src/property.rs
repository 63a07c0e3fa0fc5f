//! What can be asked of a model.

use reductio_logic::Prop;
use reductio_logic::ctl::Formula;

use crate::claim::{Automaton, Claim, Origin};
use crate::model::{AtomId, ClaimId, CtlId, InvariantId, Position, Unchecked};

/// Something to be shown of a model. What it says in full is in the model's tables: the condition, the claim with its formula and its
/// automaton, the formula of computation tree logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// No run ends where a process should have gone on. Of a circuit: every state has a successor.
    Deadlock,
    /// No step goes wrong: a failed assertion, an index out of range, a division by zero and the like.
    Assertions,
    /// Its atom holds in every state.
    Invariant(InvariantId),
    /// No run is among the violations of a claim.
    Claim(ClaimId),
    /// A formula of computation tree logic (CTL) holds in every initial state.
    Ctl(CtlId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    Deadlock,
    Assertion,
    Invariant,
    Ltl,
    Ctl,
    Never,
    Acceptance,
    Progress,
}

impl PropertyKind {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Assertion => "assertion",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Progress => "progress",
        }
    }
}

/// A condition that is to hold in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The name by which reports know it.
    pub name: String,
    pub atom: AtomId,
    /// Where it is declared; `None` for what the user asked for outside the model's text.
    pub position: Option<Position>,
}

/// A formula of computation tree logic. Its propositions are the atoms of the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlFormula {
    /// The name by which reports know it.
    pub name: String,
    pub formula: Formula,
    /// Where it is declared; `None` for what the user asked for outside the model's text.
    pub position: Option<Position>,
}

/// What properties are about: processes, or a circuit.
pub trait Subject {
    /// All that is asked, in the order of reports.
    fn properties(&self) -> Vec<Property>;
    fn invariant(&self, invariant: InvariantId) -> &Invariant;
    fn claim(&self, claim: ClaimId) -> &Claim;
    fn ctl_formula(&self, formula: CtlId) -> &CtlFormula;
    /// What its text asks to be checked and this version cannot check.
    fn unchecked(&self) -> &[Unchecked];
    /// The name of a place in its text: file and line.
    fn place_name(&self, position: Position) -> String;
}

/// All that is asked of a model, for the verifiers.
pub(crate) struct AllProperties<'a> {
    pub invariants: &'a [Invariant],
    pub claims: &'a [Claim],
    pub ctl: &'a [CtlFormula],
}

impl AllProperties<'_> {
    /// What speaks of atoms that do not exist, or of an automaton's states that do not.
    pub fn problems(&self, atoms: usize) -> Vec<String> {
        let is_known = |prop: &Prop| (prop.0 as usize) < atoms;
        let mut problems = Vec::new();
        let mut require = |condition: bool, message: String| {
            if !condition {
                problems.push(message);
            }
        };
        for Invariant { name, atom, .. } in self.invariants {
            require(atom.index() < atoms, format!("invariant {name} has an unknown atom"));
        }
        for CtlFormula { name, formula, .. } in self.ctl {
            require(formula.atoms().iter().all(is_known), format!("formula {name} has an unknown atom"));
        }
        for Claim { name, violations, origin, .. } in self.claims {
            let states = violations.edges.len();
            require((violations.initial as usize) < states, format!("claim {name} starts nowhere"));
            require(violations.sets <= Automaton::MAX_SETS, format!("claim {name} has too many sets"));
            for edge in violations.edges.iter().flatten() {
                require((edge.target as usize) < states, format!("an edge of claim {name} leads nowhere"));
                require(edge.marks & !violations.all_marks() == 0, format!("claim {name} has unknown marks"));
                let known = edge.guard.iter().all(|literal| literal.atom.index() < atoms);
                require(known, format!("claim {name} has an unknown atom"));
            }
            if let Origin::Formula { formulas, formula } = origin {
                let known = formulas.propositions(*formula).iter().all(is_known);
                require(known, format!("the formula of claim {name} has an unknown atom"));
            }
        }
        problems
    }
}

impl Property {
    pub fn kind(self, of: &(impl Subject + ?Sized)) -> PropertyKind {
        match self {
            Property::Deadlock => PropertyKind::Deadlock,
            Property::Assertions => PropertyKind::Assertion,
            Property::Invariant(_) => PropertyKind::Invariant,
            Property::Claim(claim) => of.claim(claim).kind,
            Property::Ctl(_) => PropertyKind::Ctl,
        }
    }

    /// The name by which reports know it.
    pub fn name(self, of: &(impl Subject + ?Sized)) -> String {
        match self {
            Property::Deadlock => "deadlock".to_owned(),
            Property::Assertions => "assertion".to_owned(),
            Property::Invariant(invariant) => of.invariant(invariant).name.clone(),
            Property::Claim(claim) => of.claim(claim).name.clone(),
            Property::Ctl(formula) => of.ctl_formula(formula).name.clone(),
        }
    }

    /// Where it is declared, if the model's text does so.
    pub fn position(self, of: &(impl Subject + ?Sized)) -> Option<Position> {
        match self {
            Property::Deadlock | Property::Assertions => None,
            Property::Invariant(invariant) => of.invariant(invariant).position,
            Property::Claim(claim) => of.claim(claim).position,
            Property::Ctl(formula) => of.ctl_formula(formula).position,
        }
    }

    /// Is it checked by a look at each state and each step?
    pub fn is_of_states(self) -> bool {
        matches!(self, Property::Deadlock | Property::Assertions | Property::Invariant(_))
    }

    /// Is it checked by a search for cycles?
    pub fn is_of_infinite_runs(self) -> bool {
        matches!(self, Property::Claim(_))
    }
}
