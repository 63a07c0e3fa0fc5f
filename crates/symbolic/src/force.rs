//! FORCE: a static variable order from the structure of the circuit alone: what is looked at together is moved together.
//!
//! Paper: [aloul-markov-sakallah03].
//!
//! Every group of variables that an assignment or a constraint looks at pulls its members to its middle. That is repeated
//! as long as the groups get closer.

use reductio_model::circuit::{Circuit, VariableId};

/// Groups may have to get farther apart before they get closer.
const ROUNDS_WITHOUT_GAIN: usize = 20;

/// A better order of a circuit's variables than the one given.
pub fn force(circuit: &Circuit, start: Vec<VariableId>) -> Vec<VariableId> {
    let groups = groups(circuit);
    let mut order = start;
    let mut best = (span(&groups, &places(&order)), order.clone());
    let mut without_gain = 0;
    while without_gain < ROUNDS_WITHOUT_GAIN {
        order = pulled(&groups, order);
        let span = span(&groups, &places(&order));
        without_gain += 1;
        if span < best.0 {
            best = (span, order.clone());
            without_gain = 0;
        }
    }
    best.1
}

fn groups(circuit: &Circuit) -> Vec<Vec<VariableId>> {
    let assigned = circuit.assignments.iter().map(|assignment| assignment.constraint);
    let constraints = circuit.trans.iter().chain(&circuit.invar).chain(&circuit.init).copied();
    let group = |condition| {
        let mut group: Vec<VariableId> = circuit.support(condition).into_iter().map(|(id, _)| id).collect();
        group.dedup();
        group
    };
    assigned.chain(constraints).map(group).filter(|group| group.len() > 1).collect()
}

/// By variable, where it is.
fn places(order: &[VariableId]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, id) in order.iter().enumerate() {
        places[id.index()] = place;
    }
    places
}

/// How far the members of groups are apart, added up.
fn span(groups: &[Vec<VariableId>], places: &[usize]) -> usize {
    let of_group = |group: &Vec<VariableId>| {
        let places = || group.iter().map(|id| places[id.index()]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    groups.iter().map(of_group).sum()
}

/// Every variable goes to the mean of the middles of its groups.
fn pulled(groups: &[Vec<VariableId>], order: Vec<VariableId>) -> Vec<VariableId> {
    let places = places(&order);
    let mut pulls = vec![(0.0, 0u32); places.len()];
    for group in groups {
        let middle = group.iter().map(|id| places[id.index()] as f64).sum::<f64>() / group.len() as f64;
        for id in group {
            let (sum, count) = &mut pulls[id.index()];
            *sum += middle;
            *count += 1;
        }
    }
    let target = |id: &VariableId| match pulls[id.index()] {
        (_, 0) => places[id.index()] as f64,
        (sum, count) => sum / f64::from(count),
    };
    let mut order = order;
    order.sort_by(|one, other| target(one).total_cmp(&target(other)));
    order
}
