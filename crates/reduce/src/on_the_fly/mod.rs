//! Ample sets, sleep sets, canonical states: reductions that a search consults state by state.

mod ample;
pub mod canonical_state;
mod ranks;
mod sleep;
pub mod symmetry;

pub use ample::{Choice, Processes, choose};
pub use ranks::Ranks;
pub use sleep::Node;
