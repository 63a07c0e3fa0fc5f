//! A circuit together with an automaton that reads its runs: its fair runs are the circuit's fair runs that the automaton
//! accepts. So whatever finds fair runs of circuits checks formulas of linear temporal logic.
//!
//! The automaton's state is a variable, the edge that it takes an input. Acceptance sets of edges become justice
//! constraints on that input.

use super::{Choice, Circuit, Domain, ExprId, Moment, Variable, VariableKind, verify};
use crate::claim::{Automaton, ClaimEdge};

pub fn with_automaton(circuit: &Circuit, automaton: &Automaton) -> Circuit {
    let mut product = circuit.clone();
    let edges: Vec<(usize, &ClaimEdge)> = automaton
        .edges
        .iter()
        .enumerate()
        .flat_map(|(state, edges)| edges.iter().map(move |edge| (state, edge)))
        .collect();
    let mut hidden = |name: &str, kind, count: usize| {
        let domain = Domain::Range { low: 0, high: count.max(1) as i64 - 1 };
        product.add_variable(Variable { name: name.to_owned(), kind, domain, hidden: true })
    };
    let place = hidden("automaton", VariableKind::State, automaton.edges.len());
    let taken = hidden("automaton.edge", VariableKind::Input, edges.len());
    let (place_now, taken_now) = (product.read(place, false), product.read(taken, false));

    let initial = Choice::Value(product.expressions.integer(automaton.initial.into()));
    product.assign(place, Moment::Init, initial);

    let takes: Vec<ExprId> = (0..edges.len())
        .map(|edge| {
            let edge = product.expressions.integer(edge as i64);
            product.expressions.equal(taken_now, edge)
        })
        .collect();
    let mut enabled = Vec::new();
    let mut target = product.expressions.integer(0);
    for ((source, edge), takes) in edges.iter().zip(&takes) {
        let mut conditions = vec![*takes];
        let source = product.expressions.integer(*source as i64);
        conditions.push(product.expressions.equal(place_now, source));
        conditions.extend(edge.guard.iter().map(|literal| product.literal(literal.atom, literal.value)));
        enabled.push(product.expressions.all(conditions));
        let this = product.expressions.integer(edge.target.into());
        target = product.expressions.choose(*takes, this, target);
    }
    let enabled = product.expressions.any(enabled);
    product.trans.push(enabled);
    product.assign(place, Moment::Next, Choice::Value(target));

    for set in 0..automaton.sets {
        let marked = edges.iter().zip(&takes).filter(|((_, edge), _)| edge.marks >> set & 1 == 1);
        let marked: Vec<ExprId> = marked.map(|(_, takes)| *takes).collect();
        let meets = product.expressions.any(marked);
        product.justice.push(meets);
    }
    debug_assert_eq!(verify(&product), Ok(()), "a product keeps the rules of circuits");
    product
}
