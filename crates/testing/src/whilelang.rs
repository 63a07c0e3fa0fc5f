//! Random while-programs: as trees that are generated, printed and made smaller.

pub mod generate;
pub mod program;
