//! What can be known of the steps of a model without searching: what they look at and change, which of them matter to
//! which, and which affect the property.

mod access;
mod assured;
mod future;
mod numbers;
pub(crate) mod set;
mod situation;
mod steps;
pub mod symmetry;
mod visibility;

pub use access::{Accesses, Concerns};
pub use steps::{Facts, Here};
pub(crate) use steps::{each_slot, written_places};
pub use visibility::{CannotBeSeen, Part};
