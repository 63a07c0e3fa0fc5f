//! The tests of models, in one binary.

mod conjuncts;
mod verify;
