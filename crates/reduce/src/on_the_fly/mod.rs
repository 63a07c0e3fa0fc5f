//! Ample sets, sleep sets, canonical states: reductions that a search consults state by state.

pub mod representative;
mod sleep;
mod stubborn;
pub mod symmetry;

pub use sleep::Node;
pub use stubborn::{Processes, choose};
