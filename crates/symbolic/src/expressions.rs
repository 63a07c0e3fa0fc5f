//! Expressions as bits, whatever bits are.
//!
//! A truth value is one bit, a word has its bits, and a number as many as its bounds need, in two's complement. A variable with
//! n values is a number below n in as few bits as it takes, see [`code_of`].

use std::cell::RefCell;
use std::collections::HashMap;

use reductio_model::circuit::{Binary, Circuit, Domain, Expr, ExprId, Type, VariableId};

use crate::arithmetic::{Arithmetic, Bits, Outcome};
use crate::bit_algebra::BitAlgebra;

/// The bits of the expressions that were encoded before.
pub type Encoded<A> = RefCell<HashMap<ExprId, Bits<A>>>;

/// Encodes expressions in the bits of an algebra.
pub struct Encoder<'e, A: BitAlgebra, R> {
    pub circuit: &'e Circuit,
    pub algebra: &'e A,
    /// The bits of a variable, now (`false`) or in the next state (`true`), as many as [`width_of`] says.
    pub read: R,
    pub encoded: &'e Encoded<A>,
}

impl<A: BitAlgebra, R: Fn(VariableId, bool) -> Outcome<Bits<A>, A>> Encoder<'_, A, R> {
    /// The bit of a condition.
    pub fn condition(&self, expr: ExprId) -> Outcome<A::Bit, A> {
        debug_assert_eq!(self.circuit.expressions.ty(expr), Type::Boolean);
        Ok(self.encode(expr)?[0].clone())
    }

    /// That the bits of a variable stand for a value.
    pub fn is_valid(&self, id: VariableId, next: bool) -> Outcome<A::Bit, A> {
        let size = self.circuit.variable(id).domain.size();
        let bits = (self.read)(id, next)?;
        if size == 1 << bits.len() {
            return Ok(self.algebra.truth(true));
        }
        let arithmetic = self.arithmetic();
        let last = arithmetic.constant(size as i64 - 1, bits.len());
        let beyond = arithmetic.less_unsigned(&last, &bits)?;
        self.algebra.not(&beyond)
    }

    /// The bits of an expression: one of a truth value, those of a word, and of a number as many as its bounds need.
    pub fn encode(&self, expr: ExprId) -> Outcome<Bits<A>, A> {
        if let Some(known) = self.encoded.borrow().get(&expr) {
            return Ok(known.clone());
        }
        let bits = self.encode_anew(expr)?;
        self.encoded.borrow_mut().insert(expr, bits.clone());
        Ok(bits)
    }

    fn encode_anew(&self, id: ExprId) -> Outcome<Bits<A>, A> {
        let (algebra, arithmetic) = (self.algebra, self.arithmetic());
        let expressions = &self.circuit.expressions;
        let width = self.width(id);
        Ok(match expressions.get(id) {
            Expr::Constant(value) => arithmetic.constant(value, width),
            Expr::Variable(variable) => self.variable(variable, false, width)?,
            Expr::Next(variable) => self.variable(variable, true, width)?,
            Expr::Not(operand) => arithmetic.not(&self.encode(operand)?)?,
            Expr::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.wide(then, width)?, self.wide(otherwise, width)?);
                arithmetic.choose(&condition, &then, &otherwise)?
            }
            Expr::Cast(operand) => self.wide(operand, width)?,
            Expr::Extract(operand, low) => self.encode(operand)?[low as usize..low as usize + width].to_vec(),
            Expr::Binary(operator, left, right) => {
                let signed = self.is_signed(left);
                // Where the operands are numbers, they and the result have to fit.
                let common = self.width(left).max(self.width(right)).max(width);
                let both = |width| Ok((self.wide(left, width)?, self.wide(right, width)?));
                match operator {
                    Binary::And | Binary::Or | Binary::Xor => {
                        let (a, b) = both(width)?;
                        arithmetic.each(&a, &b, |a, b| match operator {
                            Binary::And => algebra.and(a, b),
                            Binary::Or => algebra.or(a, b),
                            _ => algebra.xor(a, b),
                        })?
                    }
                    Binary::Equal => {
                        let (a, b) = both(common)?;
                        vec![arithmetic.equal(&a, &b)?]
                    }
                    Binary::Less => {
                        let (a, b) = both(common)?;
                        vec![if signed { arithmetic.less_signed(&a, &b)? } else { arithmetic.less_unsigned(&a, &b)? }]
                    }
                    Binary::Add | Binary::Subtract | Binary::Multiply => {
                        let (a, b) = both(width)?;
                        match operator {
                            Binary::Add => arithmetic.add(&a, &b)?,
                            Binary::Subtract => arithmetic.subtract(&a, &b)?,
                            _ => arithmetic.multiply(&a, &b)?,
                        }
                    }
                    Binary::Divide | Binary::Remainder => {
                        let (a, b) = both(common)?;
                        let (quotient, remainder) = if signed {
                            arithmetic.divide_signed(&a, &b)?
                        } else {
                            arithmetic.divide_unsigned(&a, &b)?
                        };
                        let result = if operator == Binary::Divide { quotient } else { remainder };
                        arithmetic.unsigned_to(&result, width)
                    }
                    Binary::ShiftLeft | Binary::ShiftRight => {
                        let a = self.encode(left)?;
                        let is_left = operator == Binary::ShiftLeft;
                        let fill = if signed && !is_left { a[width - 1].clone() } else { algebra.truth(false) };
                        let mut amount = self.encode(right)?;
                        if expressions.ty(right) == Type::Integer {
                            // It is not negative.
                            amount.pop();
                        }
                        arithmetic.shift(&a, &amount, is_left, &fill)?
                    }
                    Binary::Concatenate => {
                        let mut bits = self.encode(right)?;
                        bits.extend(self.encode(left)?);
                        bits
                    }
                }
            }
        })
    }

    fn arithmetic(&self) -> Arithmetic<'_, A> {
        Arithmetic { algebra: self.algebra }
    }

    /// How many bits an expression has.
    fn width(&self, id: ExprId) -> usize {
        match self.circuit.expressions.ty(id) {
            Type::Boolean => 1,
            Type::Word { width, .. } => width as usize,
            Type::Integer => {
                let (low, high) = self.circuit.expressions.bounds(id);
                let magnitude = |value: i64| 64 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
                magnitude(low).max(magnitude(high)) + 1
            }
        }
    }

    fn is_signed(&self, id: ExprId) -> bool {
        match self.circuit.expressions.ty(id) {
            Type::Boolean => false,
            Type::Word { signed, .. } => signed,
            Type::Integer => true,
        }
    }

    /// An expression in another number of bits, with its sign if it has one.
    fn wide(&self, id: ExprId, width: usize) -> Outcome<Bits<A>, A> {
        let bits = self.encode(id)?;
        let arithmetic = self.arithmetic();
        Ok(if self.is_signed(id) { arithmetic.signed_to(&bits, width) } else { arithmetic.unsigned_to(&bits, width) })
    }

    fn variable(&self, id: VariableId, next: bool, width: usize) -> Outcome<Bits<A>, A> {
        let bits = (self.read)(id, next)?;
        let arithmetic = self.arithmetic();
        match &self.circuit.variable(id).domain {
            Domain::Boolean | Domain::Word { .. } => Ok(bits),
            Domain::Range { low, .. } => {
                let offset = arithmetic.constant(*low, width);
                arithmetic.add(&arithmetic.unsigned_to(&bits, width), &offset)
            }
            Domain::Values(values) => {
                let mut result = arithmetic.constant(values[0].0, width);
                for (place, (value, _)) in values.iter().enumerate().skip(1) {
                    let this = arithmetic.equal(&bits, &arithmetic.constant(place as i64, bits.len()))?;
                    result = arithmetic.choose(&this, &arithmetic.constant(*value, width), &result)?;
                }
                Ok(result)
            }
        }
    }
}

/// How many bits it takes to number the values.
pub fn width_of(domain: &Domain) -> u32 {
    64 - (domain.size() - 1).leading_zeros()
}

/// The number that stands for a value. Words are their own numbers, of which the lowest bits count.
pub fn code_of(domain: &Domain, value: i64) -> i64 {
    match domain {
        Domain::Values(all) => all.iter().position(|(known, _)| *known == value).unwrap_or(0) as i64,
        Domain::Range { low, .. } => value - low,
        Domain::Boolean | Domain::Word { .. } => value,
    }
}
