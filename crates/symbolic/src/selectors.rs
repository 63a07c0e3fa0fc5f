//! What selects an element of an array comes before the array in the order of the bits.
//!
//! `a[i]` is `i = 0 ? a[0] : i = 1 ? a[1] : ...`. With `i` below the elements, a diagram has to remember them all before it comes
//! to know which of them matters: its size is exponential in their number, and with `i` above them it is linear. A text may well
//! declare the array first. No later change of the order helps if the first operation on such diagrams does not come to an end.

use std::collections::BTreeSet;

use reductio_model::circuit::{Circuit, Expr, ExprId, VariableId};

/// With fewer elements, a bad order does no harm.
const FEWEST_ELEMENTS: usize = 3;

/// Variables that select, and what they select from.
struct Selection {
    selectors: BTreeSet<VariableId>,
    elements: BTreeSet<VariableId>,
}

/// The variables in the given order, but for selectors that move up.
pub fn selectors_first(circuit: &Circuit, mut order: Vec<VariableId>) -> Vec<VariableId> {
    for Selection { selectors, elements } in selections(circuit) {
        let first = order.iter().position(|id| elements.contains(id)).unwrap_or(order.len());
        let late: Vec<VariableId> =
            order[first..].iter().copied().filter(|id| selectors.contains(id) && !elements.contains(id)).collect();
        if !late.is_empty() {
            order.retain(|id| !late.contains(id));
            order.splice(first..first, late);
        }
    }
    order
}

fn selections(circuit: &Circuit) -> Vec<Selection> {
    let mut found: Vec<Selection> = Vec::new();
    // A choice that goes on in another one is part of that.
    let parts: BTreeSet<ExprId> = circuit.expressions.ids().filter_map(|id| otherwise(circuit, id)).collect();
    for id in circuit.expressions.ids().filter(|id| !parts.contains(id)) {
        if let Some(selection) = selection(circuit, id)
            && !found.iter().any(|one| one.selectors == selection.selectors && one.elements == selection.elements)
        {
            found.push(selection);
        }
    }
    found
}

fn otherwise(circuit: &Circuit, id: ExprId) -> Option<ExprId> {
    match circuit.expressions.get(id) {
        Expr::If(_, _, otherwise) => Some(otherwise),
        _ => None,
    }
}

/// A chain of choices between variables, if it is long enough.
fn selection(circuit: &Circuit, mut id: ExprId) -> Option<Selection> {
    let (mut selectors, mut elements) = (BTreeSet::new(), BTreeSet::new());
    while let Expr::If(condition, then, otherwise) = circuit.expressions.get(id) {
        selectors.extend(circuit.support(condition).into_iter().map(|(id, _)| id));
        elements.extend(variable(circuit, then));
        id = otherwise;
    }
    elements.extend(variable(circuit, id));
    // Where each element has a selector of its own, as in a chain of priorities, they belong side by side.
    let is_one = elements.len() >= FEWEST_ELEMENTS && selectors.len() * 2 < elements.len();
    is_one.then_some(Selection { selectors, elements })
}

fn variable(circuit: &Circuit, id: ExprId) -> Option<VariableId> {
    match circuit.expressions.get(id) {
        Expr::Variable(id) | Expr::Next(id) => Some(id),
        Expr::Cast(inner) => variable(circuit, inner),
        _ => None,
    }
}
