//! Random Promela programs: as trees that are generated, printed, transformed and made smaller.

pub mod generate;
pub mod metamorphic;
pub mod program;
pub mod shrink;
