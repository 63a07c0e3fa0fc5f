//! Expressions in bits that are plain truth values: their numbers are what the simulator says. So encoding is checked on far
//! more expressions and values than sets of states could be compared for, and shown not to depend on diagrams.

use std::cell::RefCell;
use std::convert::Infallible;

use reductio_model::circuit::{
    Binary, Circuit, Domain, Evaluator, ExprId, Type, Valuation, Variable, VariableId, VariableKind,
};
use reductio_symbolic::bit_algebra::BitAlgebra;
use reductio_symbolic::expressions::{Encoder, code_of, width_of};

use reductio_testing::random::Random;

/// Bits that are known.
struct Booleans;

impl BitAlgebra for Booleans {
    type Bit = bool;
    type Error = Infallible;

    fn truth(&self, value: bool) -> bool {
        value
    }

    fn not(&self, a: &bool) -> Result<bool, Infallible> {
        Ok(!a)
    }

    fn and(&self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(*a && *b)
    }

    fn or(&self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(*a || *b)
    }

    fn xor(&self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(a != b)
    }

    fn choose(&self, condition: &bool, then: &bool, otherwise: &bool) -> Result<bool, Infallible> {
        Ok(if *condition { *then } else { *otherwise })
    }
}

const WORDS: [Type; 4] = [
    Type::Word { width: 1, signed: false },
    Type::Word { width: 4, signed: false },
    Type::Word { width: 3, signed: true },
    Type::Word { width: 5, signed: true },
];

/// Numbers beyond that are not made: front ends refuse larger ones.
const MOST: i64 = 1 << 40;

fn domains() -> Vec<Domain> {
    let mut domains = vec![
        Domain::Boolean,
        Domain::Boolean,
        Domain::Range { low: -3, high: 4 },
        Domain::Range { low: 2, high: 12 },
        Domain::Range { low: 5, high: 5 },
        Domain::Values(vec![(7, "seven".to_owned()), (-1, "less".to_owned()), (0, "none".to_owned())]),
    ];
    for ty in WORDS {
        let Type::Word { width, signed } = ty else { unreachable!("they are words") };
        domains.push(Domain::Word { width, signed });
    }
    domains
}

struct Writer {
    random: Random,
    circuit: Circuit,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut circuit = Circuit::default();
        for (number, domain) in domains().into_iter().enumerate() {
            let name = format!("v{number}");
            circuit.add_variable(Variable { name, kind: VariableKind::State, domain, hidden: false });
        }
        Writer { random: Random::new(seed), circuit }
    }

    fn leaf(&mut self, ty: Type) -> ExprId {
        if self.random.chance(3) {
            let value = self.random.below(40) as i64 - 20;
            return self.circuit.expressions.constant(ty.wrap(value.into()), ty);
        }
        let fits = |id: &VariableId| self.circuit.variable(*id).domain.ty() == ty;
        let fitting: Vec<VariableId> = self.circuit.variable_ids().filter(fits).collect();
        let next = self.random.chance(3);
        match fitting.is_empty() {
            true => self.circuit.expressions.constant(ty.wrap(1), ty),
            false => {
                let id = *self.random.pick(&fitting);
                self.circuit.read(id, next)
            }
        }
    }

    fn expression(&mut self, ty: Type, depth: usize) -> ExprId {
        if depth == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        let made = match (ty, self.random.below(8)) {
            (_, 0) => self.leaf(ty),
            (_, 1) => {
                let condition = self.expression(Type::Boolean, depth);
                let (then, otherwise) = (self.expression(ty, depth), self.expression(ty, depth));
                self.circuit.expressions.choose(condition, then, otherwise)
            }
            (_, 2) => {
                let from = self.some_type();
                let operand = self.expression(from, depth);
                self.circuit.expressions.cast(operand, ty)
            }
            (Type::Boolean, 3 | 4) => {
                let operands = self.some_type();
                let operator = *self.random.pick(&[Binary::Equal, Binary::Less]);
                self.binary(operator, operands, depth)
            }
            (Type::Integer, _) => self.arithmetic(ty, depth),
            (Type::Boolean | Type::Word { .. }, 5) => {
                let operand = self.expression(ty, depth);
                self.circuit.expressions.not(operand)
            }
            (Type::Boolean, _) | (Type::Word { .. }, 6) => {
                let operator = *self.random.pick(&[Binary::And, Binary::Or, Binary::Xor]);
                self.binary(operator, ty, depth)
            }
            (Type::Word { .. }, 7) => self.shifted(ty, depth),
            (Type::Word { width, signed: false }, 4) => {
                let low = self.random.below(3) as u32;
                let word = Type::Word { width: width + low + 1, signed: self.random.chance(2) };
                let operand = self.expression(word, depth);
                self.circuit.expressions.extract(operand, low + width - 1, low)
            }
            (Type::Word { width, signed: false }, 3) if width > 1 => {
                let above = Type::Word { width: 1, signed: self.random.chance(2) };
                let below = Type::Word { width: width - 1, signed: self.random.chance(2) };
                let (above, below) = (self.expression(above, depth), self.expression(below, depth));
                self.circuit.expressions.binary(Binary::Concatenate, above, below)
            }
            (Type::Word { .. }, _) => self.arithmetic(ty, depth),
        };
        let (low, high) = self.circuit.expressions.bounds(made);
        if low < -MOST || high > MOST { self.leaf(ty) } else { made }
    }

    fn some_type(&mut self) -> Type {
        match self.random.below(4) {
            0 => Type::Boolean,
            1 => Type::Integer,
            _ => *self.random.pick(&WORDS),
        }
    }

    fn binary(&mut self, operator: Binary, ty: Type, depth: usize) -> ExprId {
        let (left, right) = (self.expression(ty, depth), self.expression(ty, depth));
        self.circuit.expressions.binary(operator, left, right)
    }

    /// Divisors may be zero: both sides say what becomes of that.
    fn arithmetic(&mut self, ty: Type, depth: usize) -> ExprId {
        let operators = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Remainder];
        let operator = *self.random.pick(&operators);
        self.binary(operator, ty, depth)
    }

    /// Amounts are not negative.
    fn shifted(&mut self, ty: Type, depth: usize) -> ExprId {
        let word = self.expression(ty, depth);
        let amount = match self.random.chance(2) {
            true => self.expression(Type::Word { width: 4, signed: false }, depth),
            false => self.circuit.read(VariableId(3), false),
        };
        let operator = *self.random.pick(&[Binary::ShiftLeft, Binary::ShiftRight]);
        self.circuit.expressions.binary(operator, word, amount)
    }

    fn valuation(&mut self) -> Valuation {
        let domains = self.circuit.variables.iter().map(|variable| &variable.domain);
        domains.map(|domain| domain.value(self.random.below(domain.size() as usize) as u64)).collect()
    }
}

/// The number that bits stand for.
fn decoded(bits: &[bool], ty: Type) -> i64 {
    let unsigned = bits.iter().enumerate().fold(0i128, |sum, (place, bit)| sum | i128::from(*bit) << place);
    match ty {
        // The last bit is the sign.
        Type::Integer if bits.last() == Some(&true) => (unsigned - (1 << bits.len())) as i64,
        _ => ty.wrap(unsigned),
    }
}

#[test]
fn bits_have_the_values_of_expressions() {
    let mut compared = 0;
    for seed in 0..3000 {
        let mut writer = Writer::new(seed);
        let ty = writer.some_type();
        let depth = 1 + writer.random.below(4);
        let expr = writer.expression(ty, depth);
        for _ in 0..8 {
            let moments = [writer.valuation(), writer.valuation()];
            let circuit = &writer.circuit;
            let read = |id: VariableId, next: bool| {
                let domain = &circuit.variable(id).domain;
                let code = code_of(domain, moments[usize::from(next)][id.index()]);
                Ok((0..width_of(domain)).map(|place| code >> place & 1 == 1).collect())
            };
            let encoded = RefCell::default();
            let encoder = Encoder { circuit, algebra: &Booleans, read, encoded: &encoded };
            let Ok(bits) = encoder.encode(expr);
            let value = Evaluator::new(circuit).value(expr, &|id, next| moments[usize::from(next)][id.index()]);
            assert_eq!(decoded(&bits, ty), value, "seed {seed}: {} at {moments:?}", circuit.text(expr));
            compared += usize::from(circuit.expressions.constant_value(expr).is_none());
        }
    }
    // Most of them depend on something.
    assert!(compared > 12_000, "{compared}");
}

#[test]
fn bits_stand_for_values_of_the_domain() {
    let circuit = Writer::new(0).circuit;
    for id in circuit.variable_ids() {
        let domain = &circuit.variable(id).domain;
        let width = width_of(domain);
        for code in 0..1_u64 << width {
            let read = |_, _| Ok((0..width).map(|place| code >> place & 1 == 1).collect());
            let encoded = RefCell::default();
            let Ok(valid) =
                Encoder { circuit: &circuit, algebra: &Booleans, read, encoded: &encoded }.is_valid(id, false);
            assert_eq!(valid, code < domain.size(), "{domain:?} {code}");
        }
    }
}
