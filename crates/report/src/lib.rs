//! Results and traces, for people and for programs.
//!
//! A [`CheckReport`] is plain data; [`text`] shows it to people, [`CheckReport::to_json`] to programs.

pub mod aiger_witness;
pub mod containment;
pub mod dependencies;
pub mod describe;
pub mod dot;
pub mod explanation;
mod presentation;
pub mod result;
#[cfg(test)]
mod schema;
pub mod spin_trail;
pub mod text;
pub mod trace;
pub mod trace_file;
pub mod trace_text;
pub mod value;

pub use aiger_witness::WitnessError;
pub use containment::{ContainmentReport, WordEntry};
pub use describe::Described;
pub use explanation::{AtomChange, AtomEntry, ExplanationEntry, ReasonEntry, VisitEntry};
pub use presentation::{Amount, Hints, Presentation};
pub use result::{
    CheckReport, DetailEntry, FurtherEntry, PlanEntry, RefusedEntry, RemarkEntry, RemarkKind, ResultEntry,
    StatisticsEntry, Technique, UncheckedEntry, UnreachedEntry, VacuityEntry, VerdictName,
};
pub use spin_trail::TrailError;
pub use trace::{BranchEntry, CircuitStep, LeftOut, PartnerEntry, ProcessStep, StepEntry, TraceEntry, WrappedEntry};
pub use trace_file::{Recorded, StoredTrace, TraceFile, TraceFileError};
pub use value::{Change, Value};
