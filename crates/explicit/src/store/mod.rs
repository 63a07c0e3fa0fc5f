//! Where the states that were seen are kept.

pub mod exact;
mod hash;
pub mod memory;

pub use exact::{ExactStore, Insertion, StateId};
pub use memory::{Memory, OutOfMemory};
