//! A model checker that reduces before it searches, as a library: all that `reductio check` does, without input and output.
//!
//! A [`Job`] is a model's text and what is asked of it. [Prepared](Job::prepare), it has a plan: which reductions apply, and which engine
//! answers what. [Checked](Prepared::check), it comes to an [`Outcome`]: an answer for each property, and where one is violated a
//! counterexample, which was replayed on the model as it was read.
//!
//! ```
//! use reductio::{Budget, Job, Language, Source, Verdict};
//!
//! let text = "byte x; active proctype P() { do :: x < 3 -> x++ :: x = 0 od }";
//! let job = Job::new(Source::text(Language::Promela, "counter.pml", text)).invariant("x <= 3").ltl("[] <> (x == 3)");
//! let outcome = job.check(&Budget::UNLIMITED)?;
//! let invariant = &outcome.answers[2];
//! assert!(matches!(invariant.verdict, Verdict::Holds));
//! let Verdict::Violated(counterexample) = &outcome.answers[3].verdict else { panic!("x may stay small") };
//! println!("{}: {}", outcome.answers[3].name, counterexample.reason);
//! # Ok::<(), reductio::CheckError>(())
//! ```

#![warn(missing_docs)]

pub mod certify;
mod circuit_trees;
mod description;
pub mod engines;
mod explain;
pub mod job;
pub mod outcome;
mod pipeline;
pub mod prepared;
mod reading;
pub mod selection;
pub mod settings;
mod vacuity;
pub mod walking;

pub use job::{CheckError, Job, Language, LoadedSystem, Questions, Source, System};
pub use outcome::{Answer, Counterexample, Evidence, Outcome};
pub use pipeline::expect_values;
pub use prepared::{NotPrepared, Planned, Prepared};
pub use reductio_model::circuit::Circuit;
pub use reductio_model::{Budget, Phase, Progress, Verdict, Why};
pub use reductio_model::{Model, Property, Subject};
pub use reductio_reduce::circuit_plan::{Direction, InitialOrder, RelationChoice};
pub use reductio_reduce::refusal::Unavailable;
pub use reductio_reduce::{
    CycleSearch, EngineChoice, Fairness, Ledger, PlanError, ReduceChoice, Reduction, SearchOrder, StoreChoice,
};
pub use selection::Choice;
pub use settings::{Detail, Settings, Vacuity};

/// What was to be shown as a counterexample is none: the fault is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The name of the property.
    pub property: String,
    /// What happened instead of what should have.
    pub story: String,
}

impl std::fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Unconfirmed { property, story } = self;
        write!(
            f,
            "internal error: a counterexample to `{property}` was found, but {story}.\nThis is a bug in reductio, not in the model. Please report it together with the model."
        )
    }
}

impl std::error::Error for Unconfirmed {}
