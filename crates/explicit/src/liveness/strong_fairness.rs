//! Strong fairness: a process that can move again and again does move again and again.
//!
//! A cycle through all of a component is accepted by the automaton, but may leave out a process that can move there and
//! never does. Then no state in which that process can move is on a fair cycle. Without these states the component falls
//! apart into smaller ones, and each of them is looked at in the same way.
//!
//! Paper: [emerson-lei87], the emptiness test for Streett automata.

use std::collections::{HashMap, HashSet};

use super::marks::Marks;
use super::product::{Move, Product};
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::Memory;

/// States that reach each other, and the marks and movers that a fair cycle in them meets.
pub(crate) struct FairPart<const W: usize> {
    pub states: HashSet<Key<W>>,
    /// Every process that can move in one of them. Each does.
    pub movers: Marks,
}

/// A part of a component in which there is a fair cycle that bears the required marks.
pub(crate) fn fair_part<const W: usize>(
    product: &mut Product<'_, W>,
    component: &[Key<W>],
    required: Marks,
    memory: &Memory,
) -> Result<Option<FairPart<W>>, Obstacle> {
    let graph = Graph::new(product, component, memory)?;
    let mut pending: Vec<Vec<usize>> = vec![(0..component.len()).collect()];
    while let Some(nodes) = pending.pop() {
        for part in graph.components(&nodes) {
            let inside: HashSet<usize> = part.iter().copied().collect();
            let edges =
                || part.iter().flat_map(|&node| &graph.edges[node]).filter(|edge| inside.contains(&edge.target));
            let marks = edges().fold(Marks::NONE, |marks, edge| marks.union(edge.marks));
            if edges().next().is_none() || !marks.includes(required) {
                continue;
            }
            let moved = edges().fold(Marks::NONE, |moved, edge| moved.union(edge.mover));
            let can_move = part.iter().fold(Marks::NONE, |all, &node| all.union(graph.moving[node]));
            let left_out = can_move.without(moved);
            if left_out.is_empty() {
                let states = part.iter().map(|&node| component[node]).collect();
                return Ok(Some(FairPart { states, movers: can_move }));
            }
            pending.push(part.into_iter().filter(|&node| !graph.moving[node].meets(left_out)).collect());
        }
    }
    Ok(None)
}

/// The component, written out.
struct Graph {
    edges: Vec<Vec<Edge>>,
    /// Who can move in each state.
    moving: Vec<Marks>,
}

struct Edge {
    target: usize,
    marks: Marks,
    mover: Marks,
}

impl Graph {
    fn new<const W: usize>(
        product: &mut Product<'_, W>,
        component: &[Key<W>],
        memory: &Memory,
    ) -> Result<Graph, Obstacle> {
        let number: HashMap<Key<W>, usize> = component.iter().enumerate().map(|(index, key)| (*key, index)).collect();
        let mut graph = Graph { edges: Vec::new(), moving: Vec::new() };
        let mut moves: Vec<Move<W>> = Vec::new();
        for key in component {
            product.expand(key, memory, &mut moves)?;
            let inside = moves.iter().filter_map(|next| {
                let target = *number.get(&next.key)?;
                Some(Edge { target, marks: next.marks, mover: next.mover() })
            });
            graph.edges.push(inside.collect());
            graph.moving.push(product.moving());
        }
        Ok(graph)
    }

    /// The strongly connected components of some of the nodes, by Tarjan's algorithm.
    fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
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
