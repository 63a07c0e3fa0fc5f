//! Explicit-state search: every reachable state is visited, one by one.
//!
//! The searches see a model only as a [`TransitionSystem`](reductio_model::TransitionSystem), and obey a
//! [`Plan`](reductio_reduce::Plan).

mod breadth_first;
mod coverage;
mod depth_first;
mod explorer;
pub mod graph;
pub mod search;
pub mod store;
mod trace;

pub use coverage::Coverage;
pub use search::{Control, PropertyVerdict, SearchResult, Statistics, search};
