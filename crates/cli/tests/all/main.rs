//! The tests of the command, in one binary: each binary links the whole workspace.

mod architecture;
mod atoms;
mod check;
mod circuit_runs;
mod circuit_trees;
mod circuits;
mod common;
mod computation_trees;
mod endings;
mod first;
mod golden;
mod guide;
mod limits;
mod options;
mod runs;
mod schema;
mod suspicion;
