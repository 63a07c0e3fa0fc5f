//! What a circuit must meet to make sense, checked for all values that its variables can have.

use reductio_model::Budget;
use reductio_model::circuit::{Circuit, Obligation};

use crate::bdd::Computed;
use crate::encode::Encoding;

/// The obligations that a circuit does not meet, each with values for which it does not.
pub fn broken_obligations<'a>(circuit: &'a Circuit, budget: &Budget) -> Computed<Vec<(&'a Obligation, String)>> {
    if circuit.obligations.is_empty() {
        return Ok(Vec::new());
    }
    let encoding = Encoding::new(circuit, budget);
    let manager = &encoding.manager;
    let mut broken = Vec::new();
    for obligation in &circuit.obligations {
        let support = circuit.support(obligation.condition);
        let mut wrong = manager.not(&encoding.condition(obligation.condition)?)?;
        for (id, next) in &support {
            wrong = manager.and(&wrong, &encoding.is_valid(*id, *next)?)?;
        }
        if let Some(bits) = manager.pick(&wrong) {
            let (now, then) = (encoding.decode(&bits, false), encoding.decode(&bits, true));
            let value = |slot: &(_, bool)| circuit.slot_text(*slot, if slot.1 { &then } else { &now }[slot.0.index()]);
            broken.push((obligation, support.iter().map(value).collect::<Vec<_>>().join(", ")));
        }
    }
    Ok(broken)
}
