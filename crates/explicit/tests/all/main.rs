//! The tests of the explicit engine, in one binary.

mod common;
mod emptiness;
mod engine_limits;
mod engines_agree;
mod infinite_runs;
mod on_the_fly;
mod small_graphs;
