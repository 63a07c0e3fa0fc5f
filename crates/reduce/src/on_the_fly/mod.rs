//! Reductions that a search consults state by state.

mod stubborn;

pub use stubborn::{Processes, choose};
