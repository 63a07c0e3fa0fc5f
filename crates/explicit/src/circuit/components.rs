//! Fair strongly connected components of a part of the graph: with a step for each justice constraint, and with the second
//! set of each compassion constraint where they have the first.
//!
//! Where a component has states of a first set and none of the second, a fair cycle in it avoids those states: it is looked
//! for in what is left without them.

use reductio_logic::strong_components;

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

/// The strongly connected components within a set that contain a step.
fn components(edges: &[Vec<Edge>], within: &[bool]) -> Vec<Vec<usize>> {
    let count = edges.len();
    let mut found = Vec::new();
    let successors = |state: usize| edges[state].iter().map(|edge| edge.to).filter(|to| within[*to]);
    strong_components(count, (0..count).filter(|state| within[*state]), successors, |component| {
        let has_step = component.len() > 1 || edges[component[0]].iter().any(|edge| edge.to == component[0]);
        if has_step {
            found.push(component.to_vec());
        }
    });
    found
}
