//! Whether some run breaks a claim, in the plainest way there is.

use std::collections::HashMap;

use reductio_model::{ClaimId, Interpreter, Model, Successors, TransitionSystem};

/// The states that can be seen, and which follow each other.
struct Graph {
    states: Vec<Vec<u8>>,
    next: Vec<Vec<usize>>,
}

fn graph(system: &Interpreter<'_>) -> Graph {
    let initial = system.initial();
    let mut number = HashMap::from([(initial.clone(), 0)]);
    let mut graph = Graph { states: vec![initial], next: Vec::new() };
    while let Some(state) = graph.states.get(graph.next.len()).cloned() {
        let mut next = Vec::new();
        for state in stable_successors(system, &state) {
            let known = number.len();
            let index = *number.entry(state.clone()).or_insert(known);
            if index == known {
                graph.states.push(state);
            }
            next.push(index);
        }
        graph.next.push(next);
    }
    graph
}

/// The next states that can be seen: the middle of an `atomic` cannot.
fn stable_successors(system: &Interpreter<'_>, state: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut pending = vec![state.to_vec()];
    while let Some(state) = pending.pop() {
        let mut successors = Successors::default();
        system.successors(&state, &mut successors);
        for (successor, next) in successors.iter() {
            let list = if successor.stable { &mut found } else { &mut pending };
            list.extend(next.map(<[u8]>::to_vec));
        }
    }
    found
}

/// Does some run break the claim? A run that ends stays in its last state, unless the claim is about others only.
pub fn is_violated(model: &Model, claim: ClaimId) -> bool {
    let system = Interpreter::new(model);
    let claim = model.claim(claim);
    let automaton = &claim.violations;
    let mut graph = graph(&system);
    if !claim.of_infinite_runs_only {
        for (index, next) in graph.next.iter_mut().enumerate().filter(|(_, next)| next.is_empty()) {
            next.push(index);
        }
    }
    let states = graph.states.len();
    let mut product: Vec<Vec<(usize, u32)>> = Vec::new();
    for edges in &automaton.edges {
        for (state, next) in graph.states.iter().zip(&graph.next) {
            let holds = |atom| system.holds(atom, state).expect("no atom fails here");
            let enabled = edges.iter().filter(|edge| edge.guard.iter().all(|it| holds(it.atom) == it.value));
            let onward = enabled
                .flat_map(|edge| next.iter().map(move |next| (edge.target as usize * states + next, edge.marks)));
            product.push(onward.collect());
        }
    }
    let reached = reachable(&product, vec![automaton.initial as usize * states]);
    let from = |node: usize| reachable(&product, product[node].iter().map(|(target, _)| *target).collect());
    let from: Vec<Vec<bool>> =
        (0..product.len()).map(|node| if reached[node] { from(node) } else { Vec::new() }).collect();
    (0..product.len()).filter(|&node| reached[node] && from[node][node]).any(|node| {
        let inside = |other: usize| from[node][other] && from[other][node];
        let edges = (0..product.len()).filter(|&other| inside(other)).flat_map(|other| &product[other]);
        let marks = edges.filter(|(target, _)| inside(*target)).fold(0, |marks, (_, more)| marks | more);
        marks == automaton.all_marks()
    })
}

fn reachable(graph: &[Vec<(usize, u32)>], mut pending: Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            pending.extend(graph[node].iter().map(|(target, _)| *target));
        }
    }
    reached
}
