//! Conditions that must hold whatever the values of the variables, or the text makes no sense.

use std::ops::Range;

use reductio_model::circuit::{ExprId, Obligation};

use super::Lowering;
use super::expressions::Place;
use crate::source::Span;

impl Lowering<'_> {
    /// A condition that must hold whenever the place is reached.
    pub fn oblige_at(&mut self, place: Place, condition: ExprId, message: String, span: Span) {
        let position = self.position(span);
        self.require(place, Obligation { condition, message, position });
    }

    /// An obligation that must be met whenever the place is reached.
    pub fn require(&mut self, place: Place, mut obligation: Obligation) {
        if let Some(path) = place.path {
            obligation.condition = self.circuit.expressions.implies(path, obligation.condition);
        }
        let is_met = self.circuit.expressions.constant_value(obligation.condition) == Some(1);
        if !is_met && self.obligations.insert(obligation.condition) {
            self.circuit.obligations.push(obligation);
        }
    }

    /// Some of the obligations need not be met where something else decides.
    pub fn weaken(&mut self, which: Range<usize>, decides: ExprId) {
        for obligation in &mut self.circuit.obligations[which] {
            self.obligations.remove(&obligation.condition);
            obligation.condition = self.circuit.expressions.or(decides, obligation.condition);
            self.obligations.insert(obligation.condition);
        }
    }

    /// Takes back the obligations from the one with this number on.
    pub fn take_obligations(&mut self, from: usize) -> Vec<Obligation> {
        let taken = self.circuit.obligations.split_off(from);
        for obligation in &taken {
            self.obligations.remove(&obligation.condition);
        }
        taken
    }
}
