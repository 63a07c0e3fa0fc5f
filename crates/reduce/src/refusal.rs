//! What a check cannot have: settings that exclude each other, or that what is asked leaves nothing to do for.
//!
//! A refusal is a value. It says which setting stands against what; how users spell settings is known to whoever talks to them.

use std::fmt::{Display, Formatter};

use crate::plan::{CycleSearch, EngineChoice, Fairness, Reduction, SearchOrder, StoreChoice};

/// A setting of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Engine(EngineChoice),
    Search(SearchOrder),
    Store(StoreChoice),
    Threads(u32),
    Fairness(Fairness),
    Cycles(CycleSearch),
    Reduction(Reduction),
    /// Another number of violations than one.
    MaxViolations,
    /// The first violation of any property is the end.
    FirstOnly,
    /// Vacuity checks that take as long as they need.
    FullVacuity,
    /// Which parts of the transition relation an image uses.
    Relation,
    /// Whether the reachable states are computed first.
    Direction,
    /// That they are not.
    Backward,
    /// The first order of the bits of BDDs.
    Order,
    /// Whether better orders are looked for.
    Reordering,
    /// The reachable states are to be kept.
    KeptStates,
    /// The reachable states are given.
    GivenStates,
    /// Macros that are defined outside the model.
    Definitions,
    Invariant,
    Ltl,
    Ctl,
    /// A counterexample as a trail of SPIN's.
    SpinTrail,
}

/// What a setting does not go together with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Another setting.
    With(Setting),
    /// It cannot be used for this.
    For(Topic),
    /// It would have nothing to do but for this.
    Without(Topic),
}

/// Kinds of properties and of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Properties of infinite runs: LTL, never claims, acceptance and progress.
    InfiniteRuns,
    /// Nothing but such properties.
    OnlyInfiniteRuns,
    Ctl,
    /// Models in Promela.
    Promela,
    /// Models of processes: Promela and while-programs.
    Processes,
    /// Models in SMV and AIGER.
    Circuits,
    Aiger,
}

/// What can be had instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    Setting(Setting),
    /// A choice of other properties.
    OtherProperties,
    /// The property as a formula of LTL.
    LtlFormula,
    /// Leave the setting alone.
    Default,
}

/// A setting, what it does not go together with, and what can be had instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    pub setting: Setting,
    pub conflict: Conflict,
    pub instead: Vec<Alternative>,
}

impl Unavailable {
    pub fn new(setting: Setting, conflict: Conflict, instead: &[Alternative]) -> Unavailable {
        Unavailable { setting, conflict, instead: instead.to_vec() }
    }
}

impl Display for Unavailable {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Unavailable { setting, conflict, .. } = self;
        match conflict {
            Conflict::With(other) => write!(f, "{setting} with {other} is not available"),
            Conflict::For(topic) => write!(f, "{setting} is not available for {topic}"),
            Conflict::Without(topic) => write!(f, "{setting} is not available without {topic}"),
        }
    }
}

impl std::error::Error for Unavailable {}

impl Display for Setting {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Setting::Engine(EngineChoice::Auto) => f.write_str("the default engine"),
            Setting::Engine(EngineChoice::Explicit) => f.write_str("the explicit engine"),
            Setting::Engine(EngineChoice::Symbolic) => f.write_str("the symbolic engine"),
            Setting::Search(SearchOrder::Auto) => f.write_str("breadth-first search with probes"),
            Setting::Search(SearchOrder::DepthFirst) => f.write_str("depth-first search"),
            Setting::Search(SearchOrder::BreadthFirst) => f.write_str("breadth-first search"),
            Setting::Store(store) => write!(f, "the {} store", store.name()),
            Setting::Threads(1) => f.write_str("one thread"),
            Setting::Threads(count) => write!(f, "{count} threads"),
            Setting::Fairness(fairness) => write!(f, "fairness `{}`", fairness.name()),
            Setting::Cycles(search) => write!(f, "the cycle search `{}`", search.name()),
            Setting::Reduction(reduction) => f.write_str(reduction.full_name()),
            Setting::MaxViolations => f.write_str("a number of violations other than one"),
            Setting::FirstOnly => f.write_str("stopping at the first violation"),
            Setting::FullVacuity => f.write_str("a full vacuity check"),
            Setting::Relation => f.write_str("a choice of transition relation"),
            Setting::Direction => f.write_str("a direction"),
            Setting::Backward => f.write_str("the direction `backward`"),
            Setting::Order => f.write_str("an order of bits"),
            Setting::Reordering => f.write_str("a choice about reordering"),
            Setting::KeptStates => f.write_str("keeping the reachable states"),
            Setting::GivenStates => f.write_str("taking the reachable states from elsewhere"),
            Setting::Definitions => f.write_str("a definition of a macro"),
            Setting::Invariant => f.write_str("an additional invariant"),
            Setting::Ltl => f.write_str("an additional LTL formula"),
            Setting::Ctl => f.write_str("an additional CTL formula"),
            Setting::SpinTrail => f.write_str("a trail"),
        }
    }
}

impl Display for Topic {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Topic::InfiniteRuns => "properties of infinite runs",
            Topic::OnlyInfiniteRuns => "nothing but properties of infinite runs",
            Topic::Ctl => "CTL formulas",
            Topic::Promela => "models in Promela",
            Topic::Processes => "models in Promela and while-programs",
            Topic::Circuits => "models in SMV or AIGER",
            Topic::Aiger => "models in AIGER",
        })
    }
}
