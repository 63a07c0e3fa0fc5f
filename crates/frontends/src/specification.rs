//! What is asked of a circuit, and of a model in the logic of computation trees.

use reductio_logic::ctl::Formula;
use reductio_model::{AtomId, Automaton, Position};

/// A property, with the name by which `--property` and reports know it.
#[derive(Clone, Debug)]
pub struct Specification {
    pub name: String,
    pub what: Asked,
    /// Where it is declared; `None` for what the user asked for outside the model's text.
    pub position: Option<Position>,
}

/// What a text asks and is not answered.
#[derive(Clone, Debug)]
pub struct Unchecked {
    pub name: String,
    pub because: String,
}

#[derive(Clone, Debug)]
pub enum Asked {
    /// The atom holds in every reachable state.
    Invariant(AtomId),
    /// The formula holds in every initial state. Its propositions are the atoms of the same number.
    Ctl(Formula),
    /// No run is among these.
    Ltl(Automaton),
    /// No run that goes on for ever is among these; whether others end does not matter.
    Justice(Automaton),
}
