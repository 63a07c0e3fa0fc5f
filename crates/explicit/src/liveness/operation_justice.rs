//! Justice of operations: one that is possible from some time on is executed infinitely often.
//!
//! On a cycle through all of a component, an operation is treated unjustly if it is possible in every state of the
//! component, and no edge of the component executes it. Then it is on every cycle of the component: if there is no just
//! cycle through all of it, there is none. In the middle of an `atomic` the operations of other processes are only kept
//! from being possible.
//!
//! Paper:    [peled93] section 4.2.
//! Deviates: the component must be complete, since there may be more operations than there are marks.

use std::collections::HashSet;

use super::agents::Agent;
use super::component_graph::Graph;
use super::lasso::Goal;
use super::product::Product;
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::Memory;

/// The component, if there is a just cycle in it, with what such a cycle is to meet. The component's edges bear the
/// required marks.
pub(crate) fn just_component<const W: usize>(
    product: &mut Product<'_, W>,
    component: &[Key<W>],
    memory: &Memory,
) -> Result<Option<Goal<W>>, Obstacle> {
    served_component(product, component, memory, |_, waiting, executed| waiting == executed)
}

/// The component, if each operation that is possible in all of its states is served by one that an edge of it executes.
pub(super) fn served_component<'m, const W: usize>(
    product: &mut Product<'m, W>,
    component: &[Key<W>],
    memory: &Memory,
    is_served: impl Fn(&Product<'m, W>, Agent, Agent) -> bool,
) -> Result<Option<Goal<W>>, Obstacle> {
    let graph = Graph::new(product, component, memory)?;
    let mut waiting: HashSet<Agent> = graph.able.iter().flatten().copied().collect();
    let mut visits = HashSet::new();
    for (key, able) in component.iter().zip(&graph.able) {
        let before = waiting.len();
        waiting.retain(|agent| able.contains(agent) || product.is_kept(*agent, key));
        if waiting.len() < before {
            visits.insert(*key);
        }
    }
    let nodes: Vec<usize> = (0..component.len()).collect();
    let moved: HashSet<Agent> = graph.edges_inside(&nodes).iter().filter_map(|edge| edge.agent).collect();
    let states = component.iter().copied().collect();
    // Those that are executed serve themselves.
    let (mut movers, others): (HashSet<Agent>, HashSet<Agent>) =
        waiting.into_iter().partition(|agent| moved.contains(agent));
    for agent in others {
        let Some(serves) = moved.iter().find(|executed| is_served(product, agent, **executed)) else { return Ok(None) };
        movers.insert(*serves);
    }
    Ok(Some(Goal { movers, visits, ..Goal::new(states, product.accepting()) }))
}
