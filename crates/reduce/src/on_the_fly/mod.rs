//! Reductions that a search consults state by state.

pub mod representative;
mod stubborn;
pub mod symmetry;

pub use stubborn::{Processes, choose};
