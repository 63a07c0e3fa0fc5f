//! The value of an expression, the slow and obvious way.

use super::expr::apply;
use super::{Circuit, Expr, ExprId, VariableId};

/// Evaluates expressions, each once for the values that the variables have.
pub struct Evaluator<'a> {
    circuit: &'a Circuit,
    /// The value of each expression, and the round in which it was computed.
    values: Vec<(u64, i64)>,
    round: u64,
}

impl<'a> Evaluator<'a> {
    pub fn new(circuit: &'a Circuit) -> Evaluator<'a> {
        Evaluator { circuit, values: vec![(0, 0); circuit.expressions.len()], round: 0 }
    }

    /// The variables may have other values from now on.
    pub fn forget(&mut self) {
        self.round += 1;
    }

    /// The value of an expression, where `read` tells that of a variable, now (`false`) or in the next state (`true`).
    pub fn value(&mut self, id: ExprId, read: &dyn Fn(VariableId, bool) -> i64) -> i64 {
        if self.round == 0 {
            self.round = 1;
        }
        let (round, value) = self.values[id.index()];
        if round == self.round {
            return value;
        }
        let expressions = &self.circuit.expressions;
        let ty = expressions.ty(id);
        let value = match expressions.get(id) {
            Expr::Constant(value) => value,
            Expr::Variable(variable) => read(variable, false),
            Expr::Next(variable) => read(variable, true),
            Expr::Not(operand) => ty.wrap(!i128::from(self.value(operand, read))),
            Expr::Binary(operator, left, right) => {
                let (a, b) = (self.value(left, read), self.value(right, read));
                apply(operator, a, expressions.ty(left), b, expressions.ty(right), ty)
            }
            Expr::If(condition, then, otherwise) => {
                let chosen = if self.value(condition, read) != 0 { then } else { otherwise };
                self.value(chosen, read)
            }
            Expr::Cast(operand) => ty.wrap(self.value(operand, read).into()),
            Expr::Extract(operand, low) => ty.wrap(i128::from(self.value(operand, read)) >> low),
        };
        self.values[id.index()] = (self.round, value);
        value
    }
}
