//! Operators: which operands they take, and what they are in a circuit.

use reductio_model::circuit::{self, Choice, ExprId};

use super::Lowering;
use super::expressions::Place;
use super::terms::{Kind, Term, Value};
use crate::smv::ast::{Binary, Expr};
use crate::source::Span;

impl<'a> Lowering<'a> {
    pub fn not(&mut self, operand: &'a Expr, place: Place) -> Option<Value> {
        let value = self.value(operand, place)?;
        if !matches!(value.kind, Kind::Boolean | Kind::Word { .. }) {
            self.error(format!("`!` takes a truth value or a word, not {}", value.kind), operand.span);
            return None;
        }
        Some(Value { expr: self.circuit.expressions.not(value.expr), ..value })
    }

    pub fn negate(&mut self, operand: &'a Expr, place: Place) -> Option<Value> {
        let value = self.value(operand, place)?;
        if !matches!(value.kind, Kind::Integer | Kind::Word { .. }) {
            self.error(format!("`-` takes a number or a word, not {}", value.kind), operand.span);
            return None;
        }
        let zero = self.circuit.expressions.constant(0, self.circuit.expressions.ty(value.expr));
        let expr = self.circuit.expressions.binary(circuit::Binary::Subtract, zero, value.expr);
        self.bounded(Value { expr, ..value }, operand.span)
    }

    pub fn binary(
        &mut self,
        operator: Binary,
        left: &'a Expr,
        right: &'a Expr,
        span: Span,
        place: Place,
    ) -> Option<Term> {
        match operator {
            Binary::Union => {
                let (one, other) = (self.choice(left, place), self.choice(right, place));
                let ((one, one_kind), (other, other_kind)) = (one?, other?);
                let kind = self.join(one_kind, other_kind, right.span)?;
                return Some(Term::Choice(Choice::Any(vec![one, other]), kind));
            }
            Binary::In => {
                let (value, set) = (self.value(left, place), self.choice(right, place));
                let (value, (set, kind)) = (value?, set?);
                if !value.kind.meets(kind) {
                    self.mismatch(operator, value.kind, kind, span);
                    return None;
                }
                let expr = set.has(value.expr, &mut self.circuit.expressions);
                return Some(Term::Value(Value { expr, kind: Kind::Boolean }));
            }
            Binary::Equal | Binary::NotEqual => {
                let (one, other) = (self.term(left, place), self.term(right, place));
                let expr = self.equality(one?, other?, operator, span)?;
                let expr = if operator == Binary::Equal { expr } else { self.circuit.expressions.not(expr) };
                return Some(Term::Value(Value { expr, kind: Kind::Boolean }));
            }
            _ => {}
        }
        let (one, other) = self.operands(operator, left, right, place)?;
        let value = match operator {
            Binary::And | Binary::Or | Binary::Xor | Binary::Xnor | Binary::Implies | Binary::Iff => {
                self.logical(operator, one, other, span)
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                self.comparison(operator, one, other, span)
            }
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => {
                self.arithmetic(operator, one, other, right.span, span, place)
            }
            Binary::ShiftLeft | Binary::ShiftRight => self.shift(operator, one, other, right.span, span, place),
            Binary::Concatenate => self.concatenation(one, other, span),
            Binary::Union | Binary::In | Binary::Equal | Binary::NotEqual => unreachable!("done above"),
        };
        value.map(Term::Value)
    }

    /// Both operands. What one asks for need not be met where the other decides alone: `i < 3 & a[i]` is fine if the
    /// array ends at 2.
    fn operands(&mut self, operator: Binary, left: &'a Expr, right: &'a Expr, place: Place) -> Option<(Value, Value)> {
        let start = self.circuit.obligations.len();
        let one = self.value(left, place);
        let of_left = start..self.circuit.obligations.len();
        let matters = one.filter(|one| one.kind == Kind::Boolean).and_then(|one| match operator {
            Binary::And | Binary::Implies => Some(one.expr),
            Binary::Or => Some(self.circuit.expressions.not(one.expr)),
            _ => None,
        });
        let inside = matters.map_or(place, |matters| self.inside(place, matters));
        let other = self.value(right, inside);
        let (one, other) = (one?, other?);
        // If both ask for something, neither can be trusted to decide before what it asks for is met.
        let right_asks = self.circuit.obligations.len() > of_left.end;
        if matters.is_some() && other.kind == Kind::Boolean && !right_asks {
            let decides = match operator {
                Binary::And => self.circuit.expressions.not(other.expr),
                _ => other.expr,
            };
            self.weaken(of_left, decides);
        }
        Some((one, other))
    }

    fn mismatch(&mut self, operator: Binary, left: Kind, right: Kind, span: Span) {
        let message = format!("`{}` cannot be between {left} and {right}", operator.symbol());
        let with_number = |one, other| one == Kind::Boolean && other == Kind::Integer;
        if with_number(left, right) || with_number(right, left) {
            self.error_with_help(message, span, "truth values are `TRUE` and `FALSE`; `toint` makes numbers of them");
        } else {
            self.error(message, span);
        }
    }

    fn equality(&mut self, left: Term, right: Term, operator: Binary, span: Span) -> Option<ExprId> {
        match (left, right) {
            (Term::Value(one), Term::Value(other)) => {
                if !one.kind.meets(other.kind) {
                    self.mismatch(operator, one.kind, other.kind, span);
                    return None;
                }
                Some(self.circuit.expressions.equal(one.expr, other.expr))
            }
            (Term::Array { elements: one, .. }, Term::Array { elements: other, .. }) if one.len() == other.len() => {
                let pairs = one.into_iter().zip(other);
                let parts: Option<Vec<ExprId>> =
                    pairs.map(|(one, other)| self.equality(one, other, operator, span)).collect();
                Some(self.circuit.expressions.all(parts?))
            }
            (Term::Choice(..), _) | (_, Term::Choice(..)) => {
                self.error_with_help("a value cannot equal a set of values", span, "`in` asks for a member of a set");
                None
            }
            _ => {
                self.error(format!("`{}` is between two values, or two arrays of one length", operator.symbol()), span);
                None
            }
        }
    }

    fn logical(&mut self, operator: Binary, left: Value, right: Value, span: Span) -> Option<Value> {
        if left.kind != right.kind || !matches!(left.kind, Kind::Boolean | Kind::Word { .. }) {
            self.mismatch(operator, left.kind, right.kind, span);
            return None;
        }
        Some(Value { expr: self.connected(operator, left.expr, right.expr), kind: left.kind })
    }

    /// A logical operator between expressions of one type.
    pub fn connected(&mut self, operator: Binary, left: ExprId, right: ExprId) -> ExprId {
        let expressions = &mut self.circuit.expressions;
        match operator {
            Binary::And => expressions.and(left, right),
            Binary::Or => expressions.or(left, right),
            Binary::Xor => expressions.binary(circuit::Binary::Xor, left, right),
            Binary::Implies => expressions.implies(left, right),
            _ => {
                let differ = expressions.binary(circuit::Binary::Xor, left, right);
                expressions.not(differ)
            }
        }
    }

    fn comparison(&mut self, operator: Binary, left: Value, right: Value, span: Span) -> Option<Value> {
        if left.kind != right.kind || !matches!(left.kind, Kind::Integer | Kind::Word { .. }) {
            self.mismatch(operator, left.kind, right.kind, span);
            return None;
        }
        let expressions = &mut self.circuit.expressions;
        let expr = match operator {
            Binary::Less => expressions.less(left.expr, right.expr),
            Binary::Greater => expressions.less(right.expr, left.expr),
            Binary::LessEqual => {
                let greater = expressions.less(right.expr, left.expr);
                expressions.not(greater)
            }
            _ => {
                let less = expressions.less(left.expr, right.expr);
                expressions.not(less)
            }
        };
        Some(Value { expr, kind: Kind::Boolean })
    }

    fn arithmetic(
        &mut self,
        operator: Binary,
        left: Value,
        right: Value,
        divisor_span: Span,
        span: Span,
        place: Place,
    ) -> Option<Value> {
        if left.kind != right.kind || !matches!(left.kind, Kind::Integer | Kind::Word { .. }) {
            self.mismatch(operator, left.kind, right.kind, span);
            return None;
        }
        let operation = match operator {
            Binary::Add => circuit::Binary::Add,
            Binary::Subtract => circuit::Binary::Subtract,
            Binary::Multiply => circuit::Binary::Multiply,
            Binary::Divide => circuit::Binary::Divide,
            _ => circuit::Binary::Remainder,
        };
        if matches!(operator, Binary::Divide | Binary::Remainder) {
            let zero = self.circuit.expressions.constant(0, self.circuit.expressions.ty(right.expr));
            let is_zero = self.circuit.expressions.equal(right.expr, zero);
            let not_zero = self.circuit.expressions.not(is_zero);
            self.oblige_at(place, not_zero, "the divisor may be zero".to_owned(), divisor_span);
        }
        let expr = self.circuit.expressions.binary(operation, left.expr, right.expr);
        self.bounded(Value { expr, kind: left.kind }, span)
    }

    fn shift(
        &mut self,
        operator: Binary,
        left: Value,
        right: Value,
        amount_span: Span,
        span: Span,
        place: Place,
    ) -> Option<Value> {
        let is_amount = matches!(right.kind, Kind::Integer | Kind::Word { signed: false, .. });
        let (Kind::Word { width, .. }, true) = (left.kind, is_amount) else {
            self.mismatch(operator, left.kind, right.kind, span);
            return None;
        };
        let ty = self.circuit.expressions.ty(right.expr);
        let fits = match ty {
            circuit::Type::Integer => Choice::Range(0, width.into()).has(right.expr, &mut self.circuit.expressions),
            _ => {
                let (_, high) = self.circuit.expressions.bounds(right.expr);
                let most = self.circuit.expressions.constant(high.min(width.into()), ty);
                let more = self.circuit.expressions.less(most, right.expr);
                self.circuit.expressions.not(more)
            }
        };
        self.oblige_at(place, fits, format!("a word of {width} bits may be shifted by more than that"), amount_span);
        let operation =
            if operator == Binary::ShiftLeft { circuit::Binary::ShiftLeft } else { circuit::Binary::ShiftRight };
        Some(Value { expr: self.circuit.expressions.binary(operation, left.expr, right.expr), ..left })
    }

    fn concatenation(&mut self, left: Value, right: Value, span: Span) -> Option<Value> {
        let (Kind::Word { width: above, .. }, Kind::Word { width: below, .. }) = (left.kind, right.kind) else {
            self.mismatch(Binary::Concatenate, left.kind, right.kind, span);
            return None;
        };
        self.fits_in_a_word(above + below, span)?;
        let expr = self.circuit.expressions.binary(circuit::Binary::Concatenate, left.expr, right.expr);
        Some(Value { expr, kind: Kind::Word { width: above + below, signed: false } })
    }
}
