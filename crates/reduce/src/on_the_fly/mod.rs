//! Reductions that a search consults state by state.

mod sleep;
mod stubborn;

pub use sleep::Node;
pub use stubborn::{Processes, choose};
