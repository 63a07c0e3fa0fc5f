//! Refusals in the words of the command line.

use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{CycleSearch, EngineChoice, PlanError, SearchOrder};

/// What is wrong with the options that were given, and what can be given instead.
pub fn text(error: &PlanError) -> String {
    match error {
        PlanError::Unavailable(unavailable) => unavailable_text(unavailable),
        PlanError::NotSound { reduction, because } => {
            format!("--reduce {} is not available here: {because}", reduction.name())
        }
        PlanError::NothingToCheck => error.to_string(),
    }
}

fn unavailable_text(Unavailable { setting, conflict, instead }: &Unavailable) -> String {
    let given = option(*setting);
    let what = match conflict {
        Conflict::With(Setting::Fairness(_)) if *setting == Setting::Cycles(CycleSearch::Hunt) => {
            return format!("{given} needs --fairness weak");
        }
        Conflict::For(topic @ (Topic::Circuits | Topic::Aiger)) => return format!("{given} is not for {topic}"),
        Conflict::For(Topic::Processes) => return format!("{given} is for {} only", Topic::Circuits),
        Conflict::Without(topic @ Topic::Promela) => return format!("{given} is for {topic} only"),
        Conflict::With(other) => format!("{given} with {}", option(*other)),
        Conflict::For(topic) => format!("{given} for {topic}"),
        Conflict::Without(topic) => format!("{given} without {topic}"),
    };
    let instead: Vec<String> = instead.iter().filter_map(|one| alternative(*setting, *one)).collect();
    match &instead[..] {
        [] => format!("{what} is not available"),
        [one] => format!("{what} is not available; use {one}"),
        [all @ .., last] => format!("{what} is not available; use {}, or {last}", all.join(", ")),
    }
}

fn alternative(setting: Setting, alternative: Alternative) -> Option<String> {
    match alternative {
        Alternative::Setting(other) => Some(option(other)),
        Alternative::OtherProperties => Some("--property to choose other properties".to_owned()),
        Alternative::LtlFormula => Some("an LTL formula".to_owned()),
        Alternative::Default => match setting {
            Setting::FullVacuity => Some("--vacuity auto".to_owned()),
            Setting::MaxViolations => Some("--max-violations 1".to_owned()),
            _ => None,
        },
    }
}

/// How a setting is spelt.
fn option(setting: Setting) -> String {
    let fixed = match setting {
        Setting::Engine(EngineChoice::Auto) => "--engine auto",
        Setting::Engine(EngineChoice::Explicit) => "--engine explicit",
        Setting::Engine(EngineChoice::Symbolic) => "--engine symbolic",
        Setting::Search(SearchOrder::Auto) => "--search auto",
        Setting::Search(SearchOrder::DepthFirst) => "--search dfs",
        Setting::Search(SearchOrder::BreadthFirst) => "--search bfs",
        Setting::Store(store) => return format!("--store {}", store.name()),
        Setting::Threads(count) => return format!("--threads {count}"),
        Setting::Fairness(fairness) => return format!("--fairness {}", fairness.name()),
        Setting::Cycles(CycleSearch::Hunt) => "--hunt",
        Setting::Cycles(search) => return format!("--cycles {}", search.name()),
        Setting::Reduction(reduction) => return format!("--reduce {}", reduction.name()),
        Setting::MaxViolations => "--max-violations",
        Setting::FirstOnly => "--first",
        Setting::FullVacuity => "--vacuity full",
        Setting::Relation => "--relation",
        Setting::Direction => "--direction",
        Setting::Backward => "--direction backward",
        Setting::Order => "--order",
        Setting::Reordering => "--reorder",
        Setting::KeptStates => "--save-states",
        Setting::GivenStates => "--load-states",
        Setting::Definitions => "-D",
        Setting::Invariant => "--invariant",
        Setting::Ltl => "--ltl",
        Setting::Ctl => "--ctl",
        Setting::SpinTrail => "--trace with a trail",
    };
    fixed.to_owned()
}
