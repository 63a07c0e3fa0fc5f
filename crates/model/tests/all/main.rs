//! The tests of models, in one binary.

mod conjuncts;
mod verify;
mod verify_circuit;
