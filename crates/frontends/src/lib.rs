//! From model texts to models: lexing, parsing, checking and lowering, with diagnostics a reader can act on.
//!
//! The crate does no input or output: files arrive as bytes, included files through an [`promela::IncludeLoader`],
//! and what there is to say leaves as [`diagnostics::Diagnostics`].

pub mod aiger;
pub mod claims;
mod decode;
pub mod diagnostics;
mod nearest;
pub mod promela;
pub mod smv;
pub mod source;
mod tokens;
pub mod whilelang;

/// A model, of processes or of a circuit, with all that is asked of it, if the text is one; and what there is to say about the text.
pub struct Loaded<M> {
    pub model: Option<M>,
    pub sources: source::SourceMap,
    pub diagnostics: diagnostics::Diagnostics,
}
