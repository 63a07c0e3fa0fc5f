//! What may be reduced before and during a search, and the planner that decides.

pub mod circuit_plan;
pub mod cone_of_influence;
pub mod facts;
pub mod model_to_model;
pub mod on_the_fly;
pub mod partial_order;
pub mod plan;
pub mod refusal;
mod sleep_sets;
pub mod symmetry;

pub use plan::{
    CycleSearch, EngineChoice, Fairness, Ledger, Plan, PlanError, PlanRequest, ReduceChoice, Reduction, Refusal,
    SearchOrder, StoreChoice, plan,
};
