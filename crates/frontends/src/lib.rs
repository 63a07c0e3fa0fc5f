//! From model texts to models: lexing, parsing, checking and lowering, with diagnostics a reader can act on.
//!
//! The crate does no input or output: files arrive as bytes, included files through an [`promela::IncludeLoader`],
//! and what there is to say leaves as [`diagnostics::Diagnostics`].

pub mod aiger;
mod decode;
pub mod diagnostics;
mod nearest;
pub mod origin;
pub mod promela;
pub mod smv;
pub mod source;
pub mod specification;
mod tokens;
pub mod whilelang;
