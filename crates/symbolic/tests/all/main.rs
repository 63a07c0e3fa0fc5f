//! The tests of diagrams, in one binary.

mod agreement;
mod cone_of_influence;
mod dynamic_relations;
mod expression_bits;
mod files;
mod interleaved;
mod random_aiger;
mod reordering;
mod temporal;
