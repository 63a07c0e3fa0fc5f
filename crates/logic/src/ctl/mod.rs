//! Computation tree logic: formulas about the tree of all runs from a state.

mod formula;
mod negation;
mod print;
mod showing;

pub use formula::{Formula, Path, Quantifier};
pub use showing::Showing;
