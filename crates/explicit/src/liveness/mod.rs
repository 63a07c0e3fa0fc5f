//! Properties of infinite runs: is there a run that the automaton of a claim accepts?
//!
//! The model and the automaton are explored [together](product), on the fly, by a search for [strongly connected
//! components](components) that meet every acceptance set. Fairness is a matter of further sets. What is found
//! becomes a [lasso](lasso): a stem, and a cycle that repeats for ever.

mod components;
mod endless_atomic;
mod lasso;
mod marks;
mod product;
mod strong_fairness;
mod valuation;

pub(crate) use components::check;
pub(crate) use lasso::{Lasso, follow};
