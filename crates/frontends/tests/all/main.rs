//! The tests of the front ends, in one binary.

mod aiger;
mod claims;
mod common;
mod diagnostics;
mod door;
mod hints;
mod meaning;
mod own_variables;
mod printed_models;
mod regressions;
mod robustness;
mod smv;
mod spin_micro;
mod traces;
mod whilelang;
