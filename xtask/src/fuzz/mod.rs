//! A fuzzer that speaks Promela.

pub mod generate;
pub mod metamorphic;
pub mod program;
pub mod shrink;
