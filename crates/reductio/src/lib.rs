//! A model checker that reduces before it searches, as a library: what a check comes to, without input and output.
//!
//! So far this crate confirms counterexamples ([`certify`], [`certify_circuit`]), explains them ([`explain`]) and looks for poor reasons
//! for which a claim holds ([`vacuity`]). [`selection`] is what is checked and what is not.

pub mod certify;
pub mod certify_circuit;
pub mod check_symbolic;
pub mod circuit_trees;
pub mod explain;
pub mod reading;
pub mod selection;
pub mod vacuity;

/// What was to be shown as a counterexample is none: the fault is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    pub property: String,
    pub story: String,
}

impl std::fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Unconfirmed { property, story } = self;
        write!(
            f,
            "internal error: a counterexample to `{property}` was found, but {story}.\nThis is a bug in reductio, not in the model. Please report it together with the model."
        )
    }
}

impl std::error::Error for Unconfirmed {}
