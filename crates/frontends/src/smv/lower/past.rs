//! Temporal operators of the past. Whether such a formula holds is known in every state, from what was true one step
//! before: a hidden variable remembers that. So `O p` is `p | m`, where at first `m` is false, and then what `O p` was.
//!
//! Paper: [lichtenstein-pnueli-zuck85], where automata are made of the past in this way.

use reductio_model::circuit::{Choice, Domain, ExprId, Moment, Variable, VariableKind};

use super::Lowering;
use super::expressions::Place;
use super::specifications::{Steps, is_connective, is_temporal};
use crate::smv::ast::{Expr, ExprKind, Ltl1, Ltl2};

/// What is remembered, so that nothing is remembered twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Remembered {
    Unary(Ltl1, ExprId),
    Binary(Ltl2, ExprId, ExprId),
}

impl<'a> Lowering<'a> {
    /// A formula without operators of the future, as a condition.
    pub fn past(&mut self, expr: &'a Expr, place: Place) -> Option<ExprId> {
        if !is_temporal(expr) {
            return self.boolean(expr, place);
        }
        match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.past(inner, place)?;
                Some(self.circuit.expressions.not(inner))
            }
            ExprKind::Ltl1(operator, inner) => {
                let inner = self.past(inner, place)?;
                Some(self.past_unary(*operator, inner))
            }
            ExprKind::LtlBounded(operator, bounds, inner) => {
                let (steps, inner) = (self.steps(bounds, place), self.past(inner, place));
                Some(self.past_bounded(*operator, steps?, inner?))
            }
            ExprKind::Ltl2(operator, left, right) => {
                let (left, right) = (self.past(left, place), self.past(right, place));
                Some(self.past_binary(*operator, left?, right?))
            }
            ExprKind::Binary(operator, left, right) if is_connective(*operator) => {
                let (left, right) = (self.past(left, place), self.past(right, place));
                Some(self.connected(*operator, left?, right?))
            }
            _ => unreachable!("there are no operators of the future in it"),
        }
    }

    fn past_unary(&mut self, operator: Ltl1, inner: ExprId) -> ExprId {
        let key = Remembered::Unary(operator, inner);
        if let Some(known) = self.remembered.get(&key) {
            return *known;
        }
        let at_first = matches!(operator, Ltl1::WeakPrevious | Ltl1::Historically);
        let (variable, before) = self.memory(at_first);
        let (value, remember) = match operator {
            Ltl1::Once => {
                let value = self.circuit.expressions.or(inner, before);
                (value, value)
            }
            Ltl1::Historically => {
                let value = self.circuit.expressions.and(inner, before);
                (value, value)
            }
            _ => (before, inner),
        };
        self.circuit.assign(variable, Moment::Next, Choice::Value(remember));
        self.remembered.insert(key, value);
        value
    }

    fn past_binary(&mut self, operator: Ltl2, left: ExprId, right: ExprId) -> ExprId {
        let key = Remembered::Binary(operator, left, right);
        if let Some(known) = self.remembered.get(&key) {
            return *known;
        }
        let (variable, before) = self.memory(operator == Ltl2::Triggered);
        let expressions = &mut self.circuit.expressions;
        let value = if operator == Ltl2::Since {
            let goes_on = expressions.and(left, before);
            expressions.or(right, goes_on)
        } else {
            let ended = expressions.or(left, before);
            expressions.and(right, ended)
        };
        self.circuit.assign(variable, Moment::Next, Choice::Value(value));
        self.remembered.insert(key, value);
        value
    }

    /// `O [1, 2] p` is `Y (p | Y p)`, and `H [1, 2] p` is `Z (p & Z p)`.
    fn past_bounded(&mut self, operator: Ltl1, steps: Steps, inner: ExprId) -> ExprId {
        let back = if operator == Ltl1::Once { Ltl1::Previous } else { Ltl1::WeakPrevious };
        let mut value = inner;
        for _ in steps.low..steps.high {
            let rest = self.past_unary(back, value);
            let expressions = &mut self.circuit.expressions;
            value = if operator == Ltl1::Once { expressions.or(inner, rest) } else { expressions.and(inner, rest) };
        }
        (0..steps.low).fold(value, |rest, _| self.past_unary(back, rest))
    }

    /// A variable that is none of the user's business, and its value as an expression.
    fn memory(&mut self, at_first: bool) -> (reductio_model::circuit::VariableId, ExprId) {
        let name = format!("past.{}", self.remembered.len());
        let variable = Variable { name, kind: VariableKind::State, domain: Domain::Boolean, hidden: true };
        let variable = self.circuit.add_variable(variable);
        let at_first = self.circuit.expressions.truth(at_first);
        self.circuit.assign(variable, Moment::Init, Choice::Value(at_first));
        let before = self.circuit.read(variable, false);
        (variable, before)
    }
}
