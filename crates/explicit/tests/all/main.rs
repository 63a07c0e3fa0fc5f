//! The tests of the explicit engine, in one binary.

mod common;
mod small_graphs;
