//! The fairness assumption (*): an operation that can be executed from some time on is executed, or one that depends on it is. The runs for which that is so
//! are those of maximal traces.
//!
//! On a cycle through all of a component, an operation is left out if it is possible in every state of the component, and no
//! edge of the component executes one that depends on it. Then it is on every cycle of the component.
//!
//! Paper: [peled93] section 3.2.

use super::lasso::Goal;
use super::operation_justice::served_component;
use super::product::Product;
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::Memory;

/// The component, if a cycle through all of it leaves out nothing, with what such a cycle is to meet.
pub(crate) fn maximal_component<const W: usize>(
    product: &mut Product<'_, W>,
    component: &[Key<W>],
    memory: &Memory,
) -> Result<Option<Goal<W>>, Obstacle> {
    served_component(product, component, memory, |product, waiting, executed| product.depend(waiting, executed))
}
