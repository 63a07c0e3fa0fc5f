//! What can be answered about a circuit.

use super::Run;
use crate::verdict::Why;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds,
    /// A run that breaks the property, or shows that it is broken.
    Violated(Run),
    Unanswered(Why),
}
