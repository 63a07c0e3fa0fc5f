//! The symbolic engine: sets of states as BDDs (binary decision diagrams).
//!
//! [`Engine`] is the entry. Variables and [`expressions`] become bits ([`encode`]), the transition relation a list of conjuncts ([`relation`]), of
//! which each image uses what it needs ([`dynamic_relations`]). On top of that are reachability ([`space`]), fair runs
//! ([`fair_ctl`]), formulas ([`ctl`]) and counterexamples ([`witness`], [`tree`]).

pub mod arithmetic;
pub mod bdd;
pub mod bit_algebra;
pub mod check;
pub mod ctl;
pub mod dynamic_relations;
pub mod encode;
pub mod expressions;
pub mod fair_ctl;
mod force;
pub mod interleaved;
mod obligations;
pub mod relation;
mod selectors;
pub mod space;
pub mod structure;
pub mod tree;
pub mod witness;

pub use check::Engine;
pub use obligations::broken_obligations;
pub use reductio_reduce::circuit_plan::{Direction, InitialOrder, RelationChoice};
pub use relation::LargestCluster;
pub use space::{NoStates, Options};
