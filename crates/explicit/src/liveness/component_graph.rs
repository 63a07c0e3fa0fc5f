//! A component, written out: for what can only be said of a component when all of it is known.

use std::collections::{HashMap, HashSet};

use super::agents::Agent;
use super::marks::Marks;
use super::product::{Move, Product};
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::Memory;

/// Nodes are places in the list of the component's states.
pub(crate) struct Graph {
    edges: Vec<Vec<Edge>>,
    /// Who can move in each state.
    pub able: Vec<HashSet<Agent>>,
}

pub(crate) struct Edge {
    target: usize,
    pub marks: Marks,
    pub agent: Option<Agent>,
}

impl Graph {
    pub fn new<const W: usize>(
        product: &mut Product<'_, W>,
        component: &[Key<W>],
        memory: &Memory,
    ) -> Result<Graph, Obstacle> {
        let number: HashMap<Key<W>, usize> = component.iter().enumerate().map(|(index, key)| (*key, index)).collect();
        let mut graph = Graph { edges: Vec::new(), able: Vec::new() };
        let mut moves: Vec<Move<W>> = Vec::new();
        for key in component {
            product.expand(key, memory, &mut moves)?;
            let inside = moves.iter().filter_map(|next| {
                let target = *number.get(&next.key)?;
                Some(Edge { target, marks: next.marks, agent: next.agent })
            });
            graph.edges.push(inside.collect());
            graph.able.push(product.able().iter().copied().collect());
        }
        Ok(graph)
    }

    /// The edges between some of the nodes.
    pub fn edges_inside(&self, nodes: &[usize]) -> Vec<&Edge> {
        let inside: HashSet<usize> = nodes.iter().copied().collect();
        nodes.iter().flat_map(|&node| &self.edges[node]).filter(|edge| inside.contains(&edge.target)).collect()
    }

    /// The strongly connected components of some of the nodes, by Tarjan's algorithm.
    pub fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let is_kept: HashSet<usize> = nodes.iter().copied().collect();
        let mut order = vec![UNSEEN; self.edges.len()];
        let mut low = vec![UNSEEN; self.edges.len()];
        let mut is_live = vec![false; self.edges.len()];
        let mut live = Vec::new();
        let mut found = Vec::new();
        let mut seen = 0;
        for &start in nodes.iter() {
            if order[start] != UNSEEN {
                continue;
            }
            // Nodes, and which of their edges comes next.
            let mut stack: Vec<(usize, usize)> = vec![(start, 0)];
            while let Some(&mut (node, ref mut next)) = stack.last_mut() {
                if *next == 0 {
                    order[node] = seen;
                    low[node] = seen;
                    seen += 1;
                    is_live[node] = true;
                    live.push(node);
                }
                if let Some(edge) = self.edges[node].get(*next) {
                    *next += 1;
                    if !is_kept.contains(&edge.target) {
                        continue;
                    }
                    if order[edge.target] == UNSEEN {
                        stack.push((edge.target, 0));
                    } else if is_live[edge.target] {
                        low[node] = low[node].min(order[edge.target]);
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == order[node] {
                    let first = live.iter().rposition(|&other| other == node).unwrap_or(0);
                    let component = live.split_off(first);
                    component.iter().for_each(|&member| is_live[member] = false);
                    found.push(component);
                }
            }
        }
        found
    }
}
