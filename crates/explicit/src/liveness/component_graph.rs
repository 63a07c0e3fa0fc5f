//! A component, written out: for what can only be said of a component when all of it is known.

use std::collections::{HashMap, HashSet};

use reductio_logic::strong_components;

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

    /// The strongly connected components of some of the nodes.
    pub fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut is_kept = vec![false; self.edges.len()];
        nodes.iter().for_each(|node| is_kept[*node] = true);
        let mut found = Vec::new();
        let successors = |node: usize| self.edges[node].iter().map(|edge| edge.target).filter(|to| is_kept[*to]);
        strong_components(self.edges.len(), nodes.iter().copied(), successors, |component| {
            found.push(component.to_vec());
        });
        found
    }
}
