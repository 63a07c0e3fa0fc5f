//! All mutants, by area.

mod circuits;
mod infinite_runs;
mod loops;
mod partial_orders;
mod probes;
mod programs;
mod smaller_models;
mod symmetry;

use super::Mutant;

/// All of them. Their places in this order are their numbers.
pub fn all() -> Vec<&'static Mutant> {
    let lists = [
        programs::PROGRAMS,
        infinite_runs::CLAIMS,
        infinite_runs::INFINITE_RUNS,
        smaller_models::WHILES,
        smaller_models::SMALLER_MODELS,
        partial_orders::PARTIAL_ORDERS,
        probes::PROBES,
        symmetry::SYMMETRY,
        loops::LOOPS,
        circuits::CIRCUITS,
    ];
    lists.into_iter().flatten().collect()
}
