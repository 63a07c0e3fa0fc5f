//! Strong fairness: a process that can move infinitely often does move infinitely often. Fairness of operations is the
//! same of operations: one that is possible infinitely often is executed infinitely often.
//!
//! A cycle through all of a component is accepted by the automaton, but may leave out somebody who can move there and
//! never does. Then no state in which they can move is on a fair cycle. Without these states the component falls
//! apart into smaller ones, and each of them is looked at in the same way.
//!
//! Paper: [emerson-lei87], the emptiness test for Streett automata; [peled93] section 4.2 for operations.

use std::collections::HashSet;

use super::agents::Agent;
use super::component_graph::Graph;
use super::lasso::Goal;
use super::marks::Marks;
use super::product::Product;
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::Memory;

/// A part of a component in which there is a fair cycle that bears the required marks.
pub(crate) fn fair_part<const W: usize>(
    product: &mut Product<'_, W>,
    component: &[Key<W>],
    memory: &Memory,
) -> Result<Option<Goal<W>>, Obstacle> {
    let required = product.accepting();
    let graph = Graph::new(product, component, memory)?;
    let mut pending: Vec<Vec<usize>> = vec![(0..component.len()).collect()];
    while let Some(nodes) = pending.pop() {
        for part in graph.components(&nodes) {
            let edges = graph.edges_inside(&part);
            let marks = edges.iter().fold(Marks::NONE, |marks, edge| marks.union(edge.marks));
            if edges.is_empty() || !marks.includes(required) {
                continue;
            }
            let moved: HashSet<Agent> = edges.iter().filter_map(|edge| edge.agent).collect();
            let able: HashSet<Agent> = part.iter().flat_map(|&node| &graph.able[node]).copied().collect();
            if able.is_subset(&moved) {
                let states = part.iter().map(|&node| component[node]).collect();
                return Ok(Some(Goal { movers: able, ..Goal::new(states, required) }));
            }
            let left_out: HashSet<Agent> = able.difference(&moved).copied().collect();
            pending.push(part.into_iter().filter(|&node| graph.able[node].is_disjoint(&left_out)).collect());
        }
    }
    Ok(None)
}
