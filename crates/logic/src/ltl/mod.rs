//! Linear temporal logic: formulas, their texts, and simpler formulas that mean the same.

pub mod formula;
mod lexer;
pub mod parse;
pub mod print;
pub mod separate;
pub mod simplify;
pub mod vacuity;

pub use formula::{Formula, Formulas, Node};
pub use parse::{MAX_DEPTH, ParseError, parse};
pub use print::{Spelling, print, print_with};
pub use separate::components;
pub use simplify::{TooDeep, simplify};
