//! The tests of the command and of everything together, in one binary: each binary links the whole workspace.

mod architecture;
mod atoms;
mod check;
mod circuit_runs;
mod circuit_trees;
mod circuits;
mod common;
mod computation_trees;
mod emptiness;
mod endings;
mod engine_limits;
mod engines_agree;
mod golden;
mod guide;
mod infinite_runs;
mod limits;
mod options;
mod partial_orders;
mod runs;
mod schema;
mod static_reductions;
mod suspicion;
mod symmetry;
