//! How a check is to be done.

use std::num::NonZeroU32;

use reductio_model::{Budget, Property};
use reductio_reduce::circuit_plan::{CircuitRequest, Direction, InitialOrder, RelationChoice};
use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{CycleSearch, EngineChoice, Fairness, PlanRequest, ReduceChoice, SearchOrder, StoreChoice};

use crate::job::Language;

/// How a check is to be done. What makes no sense together, or for what is asked, is refused and never ignored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which engine answers.
    pub engine: EngineChoice,
    /// Which reductions apply.
    pub reductions: ReduceChoice,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// The order in which states are visited.
    pub search: SearchOrder,
    /// How visited states are stored.
    pub store: StoreChoice,
    /// How infinite runs that break a property are looked for.
    pub cycles: CycleSearch,
    /// How many threads search.
    pub threads: u32,
    /// How many violations of one property to look for; `None` looks for all.
    pub max_violations: Option<NonZeroU32>,
    /// Whether the first violation of any property is the end.
    pub first_only: bool,
    /// Whether to ask if properties hold for a poor reason.
    pub vacuity: Vacuity,
    /// Of circuits: which parts of the transition relation an image uses.
    pub relation: Option<RelationChoice>,
    /// Of circuits: whether the reachable states are computed first.
    pub direction: Option<Direction>,
    /// Of circuits: the first order of the bits.
    pub order: Option<InitialOrder>,
    /// Of circuits: whether the order of the bits stays as it is.
    pub fixed_order: Option<bool>,
    /// Of circuits: whether the outcome is to tell the reachable states.
    pub keep_states: bool,
    /// Of circuits: the reachable states, as the outcome of an earlier check told them.
    pub states: Option<String>,
    /// How much of long counterexamples is described.
    pub detail: Detail,
    /// Is the first counterexample described in full, whatever its length?
    pub first_in_full: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engine: EngineChoice::Auto,
            reductions: ReduceChoice::Auto,
            fairness: Fairness::None,
            search: SearchOrder::Auto,
            store: StoreChoice::Exact,
            cycles: CycleSearch::Components,
            threads: 1,
            max_violations: Some(NonZeroU32::MIN),
            first_only: false,
            vacuity: Vacuity::Auto,
            relation: None,
            direction: None,
            order: None,
            fixed_order: None,
            keep_states: false,
            states: None,
            detail: Detail::Complete,
            first_in_full: false,
        }
    }
}

/// Whether to ask, where a property of infinite runs holds, if it does for a poor reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// Within a time that is small beside that of the check.
    Auto,
    /// However long it takes.
    Full,
    /// Not at all.
    Off,
}

/// How much of a long counterexample is described. Whatever is described, all of it was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Without the middle of what is too long to be read.
    ForPeople,
    /// As much as there is memory for.
    Complete,
}

impl Settings {
    pub(crate) fn plan_request(&self, properties: &[Property]) -> PlanRequest {
        PlanRequest {
            engine: self.engine,
            reductions: self.reductions.clone(),
            search: self.search,
            store: self.store,
            fairness: self.fairness,
            cycles: self.cycles,
            threads: self.threads,
            properties: properties.to_vec(),
            max_violations: self.max_violations,
            first_only: self.first_only,
            budget: Budget::UNLIMITED,
        }
    }

    pub(crate) fn circuit_request(&self, properties: &[Property]) -> CircuitRequest {
        CircuitRequest {
            engine: self.engine,
            reductions: self.reductions.clone(),
            properties: properties.to_vec(),
            relation: self.relation,
            direction: self.direction,
            order: self.order,
            fixed_order: self.fixed_order,
            keeps_states: self.keep_states,
            has_states: self.states.is_some(),
        }
    }

    /// Refuses what no model in the language can make use of.
    pub(crate) fn refuse_for(&self, language: Language) -> Result<(), Unavailable> {
        let of_circuits = [
            (self.relation.is_some(), Setting::Relation),
            (self.direction.is_some(), Setting::Direction),
            (self.order.is_some(), Setting::Order),
            (self.fixed_order.is_some(), Setting::Reordering),
            (self.keep_states, Setting::KeptStates),
            (self.states.is_some(), Setting::GivenStates),
        ];
        let of_processes = [
            (self.fairness != Fairness::None, Setting::Fairness(self.fairness)),
            (self.search != SearchOrder::Auto, Setting::Search(self.search)),
            (self.cycles != CycleSearch::Components, Setting::Cycles(self.cycles)),
            (self.vacuity == Vacuity::Full, Setting::FullVacuity),
            (self.store != StoreChoice::Exact, Setting::Store(self.store)),
            (self.threads != 1, Setting::Threads(self.threads)),
            (self.max_violations != Some(NonZeroU32::MIN), Setting::MaxViolations),
            (self.first_only, Setting::FirstOnly),
        ];
        let (given, topic) = match language {
            Language::Promela | Language::While => (&of_circuits[..], Topic::Processes),
            Language::Smv | Language::Aiger => (&of_processes[..], Topic::Circuits),
        };
        match given.iter().find(|(is_given, _)| *is_given) {
            Some((_, setting)) => Err(Unavailable::new(*setting, Conflict::For(topic), &[Alternative::Default])),
            None => Ok(()),
        }
    }

    /// Refuses what none of the properties of a model of processes can make use of.
    pub(crate) fn refuse_idle(&self, properties: &[Property]) -> Result<(), Unavailable> {
        let has_claims = properties.iter().any(|property| property.is_of_infinite_runs());
        let only_claims = has_claims && properties.iter().all(|property| property.is_of_infinite_runs());
        let refuse = |setting, conflict, instead: &[Alternative]| Err(Unavailable::new(setting, conflict, instead));
        if self.vacuity == Vacuity::Full {
            let instead = [Alternative::Default, Alternative::OtherProperties];
            let symbolic = Setting::Engine(EngineChoice::Symbolic);
            if self.engine == EngineChoice::Symbolic {
                return refuse(Setting::FullVacuity, Conflict::With(symbolic), &instead);
            }
            if properties.iter().any(|property| matches!(property, Property::Ctl(_))) {
                return refuse(Setting::FullVacuity, Conflict::For(Topic::Ctl), &instead);
            }
            if !has_claims {
                return refuse(Setting::FullVacuity, Conflict::Without(Topic::InfiniteRuns), &instead[..1]);
            }
        }
        let for_claims = Conflict::For(Topic::OnlyInfiniteRuns);
        if only_claims && self.threads > 1 {
            let one = Alternative::Setting(Setting::Threads(1));
            return refuse(Setting::Threads(self.threads), for_claims, &[one]);
        }
        if only_claims && self.max_violations != Some(NonZeroU32::MIN) {
            return refuse(Setting::MaxViolations, for_claims, &[Alternative::Default]);
        }
        Ok(())
    }
}
