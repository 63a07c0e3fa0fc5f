//! Liveness: is there an infinite run that the automaton of a claim accepts (an accepting lasso)?
//!
//! The model and the automaton are explored [together](product), on the fly, by a search for [strongly connected
//! components](components) that meet every acceptance set, or by [nested](nested) depth-first searches for a cycle.
//! Fairness is a matter of further sets, or of a closer look at components. What is found becomes a [lasso](lasso): a
//! stem, and a cycle that repeats forever.

mod agents;
mod choueka;
mod component_graph;
mod components;
mod endless_atomic;
mod lasso;
mod marks;
mod maximal_traces;
mod nested;
mod operation_justice;
mod permutation_classes;
mod product;
mod strong_fairness;
mod symmetric_fairness;
mod valuation;
mod walk;

use reductio_model::{Claim, Door, Property};
use reductio_reduce::CycleSearch;

pub(crate) use lasso::{Lasso, follow, step};
pub(crate) use product::STAYS;

use crate::packed::selector::PartialOrder;
use crate::run::{KeysTooLong, Run};
use crate::search::Explored;

/// Looks for a run that breaks the claim, as the plan says.
pub(crate) fn check(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    claim: &Claim,
    property: Property,
    run: Run<'_, Lasso>,
) -> Result<Explored<Lasso>, KeysTooLong> {
    match run.plan.cycle_search() {
        CycleSearch::Components => components::check(system, order, claim, property, run),
        CycleSearch::Nested | CycleSearch::Hunt => nested::check(system, order, claim, property, run),
    }
}
