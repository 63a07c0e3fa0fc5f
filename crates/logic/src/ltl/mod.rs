//! Linear temporal logic: formulas, their texts, and simpler formulas that mean the same.

pub mod formula;
mod lexer;
pub mod parse;
pub mod print;
pub mod simplify;

pub use formula::{Formula, Formulas, Node};
pub use parse::{MAX_DEPTH, ParseError, parse};
pub use print::{Spelling, print};
pub use simplify::{TooDeep, simplify};
