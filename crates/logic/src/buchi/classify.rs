//! What a search may know of an automaton in advance.
//!
//! Paper: [bloem-ravi-somenzi99], strong, weak and terminal automata.

use super::automaton::{StateId, Tgba};
use super::components::{Components, Kind};
use super::guard::Guard;

/// The components of an automaton and what follows from them.
#[derive(Clone, Debug)]
pub struct Classes {
    components: Components,
    kinds: Vec<Kind>,
    /// For each component whether every word has a run that stays in it, and all its cycles are accepting.
    accepts_all: Vec<bool>,
}

impl Classes {
    /// Looks at every component of an automaton.
    pub fn of(automaton: &Tgba) -> Classes {
        let components = Components::of(automaton);
        let kinds = components.kinds(automaton);
        let mut accepts_all: Vec<bool> = kinds.iter().map(|&kind| kind == Kind::Accepting).collect();
        for state in automaton.states() {
            let internal = automaton.edges_of(state).iter().filter(|edge| components.is_internal(state, edge));
            let goes_on = Guard::truth(true).implies_one_of(internal.map(|edge| &edge.guard));
            accepts_all[components.component(state)] &= goes_on;
        }
        Classes { components, kinds, accepts_all }
    }

    /// The components themselves.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// What the cycles through a state are like.
    pub fn kind(&self, state: StateId) -> Kind {
        self.kinds[self.components.component(state)]
    }

    /// Whether every word is accepted from a state. A search that gets there has found an accepted run, however it
    /// goes on. There may be other states of which this is true, too.
    pub fn accepts_all(&self, state: StateId) -> bool {
        self.accepts_all[self.components.component(state)]
    }

    /// Whether in each component all cycles are accepting or none is. Then one search suffices.
    pub fn is_weak(&self) -> bool {
        !self.kinds.contains(&Kind::Mixed)
    }

    /// Whether a run is accepted just if it reaches a state from which every word is: each accepted word has a finite
    /// prefix that decides it.
    pub fn is_terminal(&self) -> bool {
        let accepting = |component: usize| matches!(self.kinds[component], Kind::Accepting | Kind::Mixed);
        (0..self.kinds.len()).all(|component| !accepting(component) || self.accepts_all[component])
    }

    /// Whether every infinite run is accepted: the language is a safety property, and a word is outside it just if
    /// a finite prefix has no run.
    pub fn accepts_every_run(&self) -> bool {
        self.kinds.iter().all(|kind| matches!(kind, Kind::Trivial | Kind::Accepting))
    }
}
