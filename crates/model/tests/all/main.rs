//! The tests of models, in one binary.

mod component;
mod conjuncts;
mod verify;
mod verify_circuit;
