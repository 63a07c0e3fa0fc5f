//! Results and traces, for people and for programs.
//!
//! A [`CheckReport`] is plain data; [`text`] shows it to people, [`CheckReport::to_json`] to programs.

pub mod aiger_witness;
pub mod circuit;
pub mod containment;
pub mod dependencies;
pub mod dot;
pub mod explanation;
pub mod result;
pub mod run_file;
#[cfg(test)]
mod schema;
mod shown;
pub mod spin_trail;
pub mod text;
pub mod trace;
pub mod trace_file;
pub mod value;

pub use aiger_witness::WitnessError;
pub use circuit::{BranchEntry, RunEntry};
pub use containment::{ContainmentReport, WordEntry};
pub use explanation::{AtomChange, AtomEntry, ExplanationEntry, ReasonEntry, VisitEntry};
pub use result::{
    CheckReport, DetailEntry, FurtherEntry, PlanEntry, RefusedEntry, RemarkEntry, RemarkKind, ResultEntry,
    StatisticsEntry, Technique, UncheckedEntry, UnreachedEntry, VacuityEntry, VerdictName,
};
pub use run_file::{RunFile, RunFileError};
pub use shown::{Amount, Hints, Shown};
pub use spin_trail::TrailError;
pub use trace::{LeftOut, PartnerEntry, StepEntry, TraceEntry, WrappedEntry};
pub use trace_file::{TraceFile, TraceFileError};
pub use value::{Change, Value};
