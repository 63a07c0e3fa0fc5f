//! What is not asked need not be kept: the atoms of properties that are not checked are forgotten, so that slicing, dead variables and
//! path reduction see what is asked and nothing else. A model with ten properties, of which one is checked, is reduced for that one.
//!
//! Preserves: whatever the reductions after it preserve, for the properties that are asked. Runs are those of the given model.

use reductio_model::{AtomId, Expr, Model, Property};

/// The model with the atoms of these properties, and no others: those are false everywhere.
pub(crate) fn forget_what_is_not_asked(model: &Model, properties: &[Property]) -> Model {
    let asked: Vec<AtomId> = properties.iter().flat_map(|&property| atoms_of(model, property)).collect();
    let mut model = model.clone();
    for (index, atom) in model.atoms.iter_mut().enumerate() {
        if !asked.contains(&AtomId(index as u32)) {
            atom.expr = Expr::Const(0);
        }
    }
    model
}

fn atoms_of(model: &Model, property: Property) -> Vec<AtomId> {
    match property {
        Property::Deadlock | Property::Assertions => Vec::new(),
        Property::Invariant(invariant) => {
            model.invariants.get(invariant.index()).map(|asked| asked.atom).into_iter().collect()
        }
        Property::Claim(claim) => {
            model.claims.get(claim.index()).map_or_else(Vec::new, |claim| claim.violations.atoms())
        }
        Property::Ctl(formula) => {
            let asked = model.ctl.get(formula.index());
            asked.map_or_else(Vec::new, |asked| asked.formula.atoms().iter().map(|prop| AtomId(prop.0)).collect())
        }
    }
}
