//! Explicit-state search: every reachable state is visited, one by one.
//!
//! The fast engine packs states into short [keys](packed) and remembers what processes do; the interpreter works out
//! every step the first time. The [`plain`] engine takes any
//! [`TransitionSystem`](reductio_model::TransitionSystem) and is what the fast one is compared with. Both obey a
//! [`Plan`](reductio_reduce::Plan).

mod atomic_sequences;
mod breadth_first;
pub mod circuit;
mod clock;
mod coverage;
pub mod ctl;
mod depth_first;
mod findings;
mod first_violation;
#[cfg(debug_assertions)]
mod independence;
mod liveness;
mod packed;
mod path_log;
mod patience;
mod permuted_runs;
pub mod plain;
mod probe;
mod proviso;
mod reduction;
mod run;
pub mod search;
mod shorten;
mod sleep_sets;
pub mod store;
mod worker;

pub use coverage::Coverage;
pub use reduction::Reduction;
pub use search::{PropertyVerdict, SearchResult, search};
