//! Symbolic model checking of interleaved processes, with BDDs.
//!
//! [`Engine`] is the entry. A state is a row of numbers ([`components`]), what a step does is learnt from the interpreter
//! ([`learning`]) and kept in parts ([`facts`]). When everything is reached, it is a structure for formulas ([`space`]), and
//! what they find becomes runs again ([`runs`]).

pub mod check;
mod components;
mod facts;
mod learning;
mod runs;
mod space;

pub use check::Engine;
