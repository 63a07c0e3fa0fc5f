//! The tests of reductions, in one binary: verdicts and sizes with them and without, found by the explicit engine.

mod fair_orders;
mod loops;
mod monitors;
mod partial_orders;
mod priorities;
mod static_reductions;
mod symmetry;
