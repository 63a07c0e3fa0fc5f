//! Circuits state by state: the oracle of the symbolic engine, and an engine of its own for small circuits.
//!
//! Nothing here is shared with the symbolic engine but the circuit and its simulator.

mod components;
pub(crate) mod ctl;
mod engine;
pub(crate) mod graph;

pub use engine::Engine;
pub use graph::Graph;
