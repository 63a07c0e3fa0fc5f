//! The functions of the language: conversions of words, and a few on numbers.

use reductio_model::circuit::{Binary, Type};

use super::Lowering;
use super::expressions::Place;
use super::terms::{Kind, Value};
use crate::smv::ast::{Expr, Function};
use crate::source::Span;

const MAX_WIDTH: u32 = 62;

impl<'a> Lowering<'a> {
    pub fn fits_in_a_word(&mut self, width: u32, span: Span) -> Option<()> {
        if (1..=MAX_WIDTH).contains(&width) {
            return Some(());
        }
        self.error(format!("words have 1 to {MAX_WIDTH} bits here, not {width}"), span);
        None
    }

    pub fn slice(&mut self, word: &'a Expr, high: &'a Expr, low: &'a Expr, place: Place) -> Option<Value> {
        let value = self.value(word, place)?;
        let Kind::Word { width, .. } = value.kind else {
            self.error(format!("bits are taken from a word, not from {}", value.kind), word.span);
            return None;
        };
        let (from, to) = (self.constant_number(high, place)?, self.constant_number(low, place)?);
        if !(0 <= to && to <= from && from < width.into()) {
            self.error(
                format!("there are no bits {from} down to {to} in a word of {width} bits"),
                high.span.to(low.span),
            );
            return None;
        }
        let expr = self.circuit.expressions.extract(value.expr, from as u32, to as u32);
        Some(Value { expr, kind: Kind::Word { width: (from - to + 1) as u32, signed: false } })
    }

    pub fn call(&mut self, function: Function, arguments: &'a [Expr], span: Span, place: Place) -> Option<Value> {
        let first = &arguments[0];
        match function {
            Function::UwConst | Function::SwConst => {
                return self.word_constant(function == Function::SwConst, first, &arguments[1], place);
            }
            Function::Count => return self.count(arguments, place),
            _ => {}
        }
        let value = self.value(first, place)?;
        match (function, value.kind) {
            (Function::Word1, Kind::Boolean) => Some(self.cast(value, Kind::Word { width: 1, signed: false })),
            (Function::Bool, Kind::Word { width: 1, .. } | Kind::Boolean) => Some(self.cast(value, Kind::Boolean)),
            (Function::Bool, Kind::Integer) => {
                let zero = self.circuit.expressions.integer(0);
                let is_zero = self.circuit.expressions.equal(value.expr, zero);
                Some(Value { expr: self.circuit.expressions.not(is_zero), kind: Kind::Boolean })
            }
            (Function::ToInt, Kind::Word { width, .. }) if width > 40 => {
                self.error("words of more than 40 bits make numbers that are too large", span);
                None
            }
            (Function::ToInt, Kind::Boolean | Kind::Integer | Kind::Word { .. }) => {
                Some(self.cast(value, Kind::Integer))
            }
            (Function::Signed, Kind::Word { width, .. }) => Some(self.cast(value, Kind::Word { width, signed: true })),
            (Function::Unsigned, Kind::Word { width, .. }) => {
                Some(self.cast(value, Kind::Word { width, signed: false }))
            }
            (Function::SizeOf, Kind::Word { width, .. }) => {
                Some(Value { expr: self.circuit.expressions.integer(width.into()), kind: Kind::Integer })
            }
            (Function::Extend | Function::Resize, Kind::Word { width, signed }) => {
                let number = self.constant_number(&arguments[1], place)?;
                let wanted = if function == Function::Extend { number.saturating_add(width.into()) } else { number };
                let wanted = u32::try_from(wanted).unwrap_or(0);
                self.fits_in_a_word(wanted, arguments[1].span)?;
                Some(self.resized(value, width, signed, wanted))
            }
            (Function::Abs, Kind::Integer) => {
                let zero = self.circuit.expressions.integer(0);
                let negative = self.circuit.expressions.less(value.expr, zero);
                let opposite = self.circuit.expressions.binary(Binary::Subtract, zero, value.expr);
                Some(Value { expr: self.circuit.expressions.choose(negative, opposite, value.expr), ..value })
            }
            (Function::Min | Function::Max, Kind::Integer) => {
                let other = self.value(&arguments[1], place)?;
                if other.kind != Kind::Integer {
                    self.error(format!("expected a number, found {}", other.kind), arguments[1].span);
                    return None;
                }
                let less = self.circuit.expressions.less(value.expr, other.expr);
                let (then, otherwise) = if function == Function::Min { (value, other) } else { (other, value) };
                Some(Value { expr: self.circuit.expressions.choose(less, then.expr, otherwise.expr), ..value })
            }
            (_, kind) => {
                let name = self.text(span);
                let name = name.split('(').next().unwrap_or("").trim();
                self.error(format!("`{name}` cannot be applied to {kind}"), first.span);
                None
            }
        }
    }

    fn cast(&mut self, value: Value, kind: Kind) -> Value {
        let ty = match kind {
            Kind::Boolean => Type::Boolean,
            Kind::Word { width, signed } => Type::Word { width, signed },
            Kind::Integer | Kind::Symbolic | Kind::Mixed => Type::Integer,
        };
        Value { expr: self.circuit.expressions.cast(value.expr, ty), kind }
    }

    /// A longer word has the same value. A shorter signed one keeps its sign, and the lowest of the other bits.
    fn resized(&mut self, value: Value, width: u32, signed: bool, wanted: u32) -> Value {
        let kind = Kind::Word { width: wanted, signed };
        if !signed || wanted >= width || wanted == 1 {
            let sign_only = signed && wanted == 1 && width > 1;
            if sign_only {
                let expr = self.circuit.expressions.extract(value.expr, width - 1, width - 1);
                return self.cast(Value { expr, kind: Kind::Word { width: 1, signed: false } }, kind);
            }
            return self.cast(value, kind);
        }
        let sign = self.circuit.expressions.extract(value.expr, width - 1, width - 1);
        let rest = self.circuit.expressions.extract(value.expr, wanted - 2, 0);
        let expr = self.circuit.expressions.binary(Binary::Concatenate, sign, rest);
        self.cast(Value { expr, kind: Kind::Word { width: wanted, signed: false } }, kind)
    }

    fn word_constant(&mut self, signed: bool, number: &'a Expr, width: &'a Expr, place: Place) -> Option<Value> {
        let (value, bits) = (self.constant_number(number, place)?, self.constant_number(width, place)?);
        let bits = u32::try_from(bits).unwrap_or(0);
        self.fits_in_a_word(bits, width.span)?;
        let ty = Type::Word { width: bits, signed };
        if ty.wrap(value.into()) != value {
            self.error(format!("{value} does not fit in {bits} bits"), number.span);
            return None;
        }
        Some(self.word(value, bits, signed))
    }

    /// How many of some conditions hold.
    fn count(&mut self, conditions: &'a [Expr], place: Place) -> Option<Value> {
        let mut sum = self.circuit.expressions.integer(0);
        for condition in conditions {
            let condition = self.boolean(condition, place)?;
            let number = self.circuit.expressions.cast(condition, Type::Integer);
            sum = self.circuit.expressions.binary(Binary::Add, sum, number);
        }
        Some(Value { expr: sum, kind: Kind::Integer })
    }
}
