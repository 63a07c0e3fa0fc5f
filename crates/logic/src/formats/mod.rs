//! Automata as text: in the Hanoi format, for other tools and from them; as never claims for SPIN; as graphs for
//! Graphviz.

pub mod dot;
pub mod hoa_read;
pub mod hoa_write;
mod label;
pub mod never_claim;

pub use dot::to_dot;
pub use hoa_read::{HoaError, from_hoa};
pub use hoa_write::{buchi_to_hoa, tgba_to_hoa};
pub use never_claim::to_never_claim;
