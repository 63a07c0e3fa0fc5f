//! When partial orders may be used: for which properties of a plan, and what their steps may not hide.

use reductio_model::{Binary, Expr, Model};

use crate::facts::{CannotBeSeen, Facts, Part};
use crate::plan::{PlanRequest, Property};

/// Why steps may not be left out, if they may not: for the properties of states and steps.
pub(crate) fn obstacle(model: &Model, request: &PlanRequest) -> Option<String> {
    if model.features.priorities {
        return Some("who may move depends on the priorities of all".to_owned());
    }
    if model.features.last {
        return Some("the model asks which process moved last".to_owned());
    }
    if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        return Some("more than one violation is asked for".to_owned());
    }
    match facts_for_states(model, &request.properties) {
        Ok(_) => None,
        Err(CannotBeSeen(what)) => Some(format!("an invariant depends on {what}")),
    }
}

/// What is known of the steps of a model, for properties of states and steps. Each conjunct of an invariant is a part of
/// the property by itself.
pub fn facts_for_states<'m>(model: &'m Model, properties: &[Property]) -> Result<Facts<'m>, CannotBeSeen> {
    let facts = Facts::new(model);
    let mut parts = Vec::new();
    for property in properties {
        if let Property::Invariant(atom) = property {
            for conjunct in conjuncts(&model.atoms[atom.index()].expr) {
                parts.push(Part::new(&facts, [conjunct])?);
            }
        }
    }
    Ok(facts.with_property(parts))
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(Binary::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}
