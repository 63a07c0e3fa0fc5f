//! What can be asked of a model.

use reductio_logic::ctl::Formula;

use crate::claim::Claim;
use crate::model::{AtomId, ClaimId, CtlId, InvariantId, Position};

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
    /// The name of a place in its text: file and line.
    fn place_name(&self, position: Position) -> String;
}

impl Property {
    pub fn kind(self, of: &impl Subject) -> PropertyKind {
        match self {
            Property::Deadlock => PropertyKind::Deadlock,
            Property::Assertions => PropertyKind::Assertion,
            Property::Invariant(_) => PropertyKind::Invariant,
            Property::Claim(claim) => of.claim(claim).kind,
            Property::Ctl(_) => PropertyKind::Ctl,
        }
    }

    /// The name by which reports know it.
    pub fn name(self, of: &impl Subject) -> String {
        match self {
            Property::Deadlock => "deadlock".to_owned(),
            Property::Assertions => "assertion".to_owned(),
            Property::Invariant(invariant) => of.invariant(invariant).name.clone(),
            Property::Claim(claim) => of.claim(claim).name.clone(),
            Property::Ctl(formula) => of.ctl_formula(formula).name.clone(),
        }
    }

    /// Where it is declared, if the model's text does so.
    pub fn position(self, of: &impl Subject) -> Option<Position> {
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
