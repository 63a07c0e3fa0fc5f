//! What is known of the steps of a model without searching: what they read and write, which of them depend on each other
//! (*dependence*), and which can change the property (*visibility*).

mod access;
pub(crate) mod counting_loops;
mod fairness;
mod future;
mod pid_visibility;
pub(crate) mod priorities;
pub(crate) mod set;
mod situation;
mod static_dependence;
mod steps;
pub mod symmetry;
mod uninterrupted_atomics;
mod visibility;
pub(crate) mod watched_messages;

pub use access::{Accesses, Dependencies};
pub use fairness::{Decisive, Turns, decisive_steps};
pub use static_dependence::{KnownOperation, StaticDependence};
pub use steps::{Facts, ProcessState};
pub(crate) use steps::{each_slot, written_places};
pub use visibility::{Part, Unobservable};
