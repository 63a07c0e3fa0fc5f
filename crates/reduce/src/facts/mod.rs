//! What is known of the steps of a model without searching: what they read and write, which of them depend on each other
//! (*dependence*), and which can change the property (*visibility*).

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
