//! What tests share. Nothing that users get depends on this crate.
//!
//! Random programs of every language ([`promela`], [`whilelang`], [`smv`], [`aiger`]), all by one generator of random
//! numbers ([`random`]); everything of ours that can answer whether a model is right ([`contenders`], [`infinite_runs`]), and
//! what can be asked of generated programs ([`questions`], [`trees`]); what confirms counterexamples
//! ([`certified`]); golden files ([`golden`]).

pub mod aiger;
pub mod certified;
pub mod contenders;
pub mod golden;
pub mod infinite_runs;
pub mod promela;
pub mod questions;
pub mod random;
pub mod smv;
pub mod trees;
pub mod whilelang;

use std::path::PathBuf;

/// The root of the repository, where `testdata` is.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
