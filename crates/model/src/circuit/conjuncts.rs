//! A condition as several that hold together: constraints in parts are encoded, multiplied and tried part by part.
//!
//! `a & b` is two parts, and so is `c -> a & b`. A disjunction of conjunctions stays one part, because multiplying it out
//! makes it larger.

use super::expr::{Binary, Expr, ExprId, Expressions, Type};

/// More parts than this are not worth having.
const MAX_PARTS: usize = 4096;
/// How deep conjunctions are looked for in a disjunction.
const MAX_DEPTH: usize = 20;

impl Expressions {
    /// The parts of a condition, which all hold where it does.
    pub fn conjuncts(&mut self, condition: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        // Each with what may hold instead of it.
        let instead = self.truth(false);
        let mut pending = vec![(instead, condition)];
        while let Some((instead, expr)) = pending.pop() {
            if parts.len() + pending.len() > MAX_PARTS {
                return vec![condition];
            }
            match self.halves(expr) {
                Some([(first, one), (second, other)]) => {
                    let first = self.or(instead, first);
                    let second = self.or(instead, second);
                    pending.extend([(second, other), (first, one)]);
                }
                None => match self.guarded(expr) {
                    Some((guard, rest)) => pending.push((self.or(instead, guard), rest)),
                    None => parts.push(self.or(instead, expr)),
                },
            }
        }
        parts
    }

    /// Two conditions that are one together, each with what may hold instead of it.
    fn halves(&mut self, expr: ExprId) -> Option<[(ExprId, ExprId); 2]> {
        let never = self.truth(false);
        match self.get(expr) {
            Expr::Binary(Binary::And, one, other) => Some([(never, one), (never, other)]),
            Expr::Not(inner) => match self.get(inner) {
                Expr::Binary(Binary::Or, one, other) => Some([(never, self.not(one)), (never, self.not(other))]),
                _ => None,
            },
            Expr::If(condition, then, otherwise) if self.has_parts(then, 0) || self.has_parts(otherwise, 0) => {
                let not = self.not(condition);
                Some([(not, then), (condition, otherwise)])
            }
            _ => None,
        }
    }

    /// A disjunction of something with something that has parts, if the first has none.
    fn guarded(&self, expr: ExprId) -> Option<(ExprId, ExprId)> {
        let Expr::Binary(Binary::Or, one, other) = self.get(expr) else { return None };
        match (self.has_parts(one, 0), self.has_parts(other, 0)) {
            (false, true) => Some((one, other)),
            (true, false) => Some((other, one)),
            _ => None,
        }
    }

    fn has_parts(&self, expr: ExprId, depth: usize) -> bool {
        if depth > MAX_DEPTH || self.ty(expr) != Type::Boolean {
            return false;
        }
        match self.get(expr) {
            Expr::Binary(Binary::And, ..) => true,
            Expr::Binary(Binary::Or, one, other) => self.has_parts(one, depth + 1) != self.has_parts(other, depth + 1),
            Expr::Not(inner) => matches!(self.get(inner), Expr::Binary(Binary::Or, ..)),
            Expr::If(_, then, otherwise) => self.has_parts(then, depth + 1) || self.has_parts(otherwise, depth + 1),
            _ => false,
        }
    }
}
