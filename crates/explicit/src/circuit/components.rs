//! Fair components of a part of the graph: strongly connected, with a step for each justice constraint, and with the second
//! set of each compassion constraint where they have the first.
//!
//! Where a component has states of a first set and none of the second, a fair cycle in it avoids those states: it is looked
//! for in what is left without them.

use super::graph::Edge;

/// For each compassion constraint, in which states its two conditions hold.
pub type Compassion = Vec<(Vec<bool>, Vec<bool>)>;

/// All fair components within a set of states.
pub fn fair_components(
    edges: &[Vec<Edge>],
    within: &[bool],
    justice: u128,
    compassion: &Compassion,
) -> Vec<Vec<usize>> {
    let mut fair = Vec::new();
    let mut pending = components(edges, within);
    if justice == 0 && compassion.is_empty() {
        return pending;
    }
    while let Some(component) = pending.pop() {
        let mut inside = vec![false; edges.len()];
        component.iter().for_each(|state| inside[*state] = true);
        let met = component.iter().flat_map(|state| &edges[*state]).filter(|edge| inside[edge.to]);
        if met.fold(0, |met, edge| met | edge.justice) & justice != justice {
            continue;
        }
        let has = |set: &Vec<bool>| component.iter().any(|state| set[*state]);
        match compassion.iter().find(|(often, then)| has(often) && !has(then)) {
            None => fair.push(component),
            Some((often, _)) => {
                component.iter().filter(|state| often[**state]).for_each(|state| inside[*state] = false);
                pending.extend(components(edges, &inside));
            }
        }
    }
    fair
}

/// The strongly connected components within a set that contain a step, by Tarjan's algorithm.
fn components(edges: &[Vec<Edge>], within: &[bool]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let count = edges.len();
    let (mut number, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let mut next_number = 0;
    for root in (0..count).filter(|state| within[*state]) {
        if number[root] != UNSEEN {
            continue;
        }
        // A state, and how many of its edges have been followed.
        let mut calls: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((state, followed)) = calls.pop() {
            if followed == 0 {
                (number[state], lowest[state]) = (next_number, next_number);
                next_number += 1;
                stack.push(state);
                on_stack[state] = true;
            }
            let edges = &edges[state];
            if followed > 0 {
                // The edge before has been followed to its end.
                let target = edges[followed - 1].to;
                if within[target] && on_stack[target] {
                    lowest[state] = lowest[state].min(lowest[target]);
                }
            }
            let new = |at: &usize| within[edges[*at].to];
            if let Some(at) = (followed..edges.len()).find(new) {
                let target = edges[at].to;
                calls.push((state, at + 1));
                if number[target] == UNSEEN {
                    calls.push((target, 0));
                }
            } else if lowest[state] == number[state] {
                let start = stack.iter().rposition(|other| *other == state).expect("it is on the stack");
                let component = stack.split_off(start);
                component.iter().for_each(|state| on_stack[*state] = false);
                let has_step = component.len() > 1 || edges.iter().any(|edge| edge.to == state);
                if has_step {
                    found.push(component);
                }
            }
        }
    }
    found
}
