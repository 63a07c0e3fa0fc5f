//! Expressions over a circuit's variables, now and in the next state. Each distinct expression is stored once, so a
//! definition that is used a hundred times is evaluated and encoded once.

use std::collections::{BTreeSet, HashMap};

use super::VariableId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Boolean,
    /// Numbers as in mathematics; front ends see to it that they stay small.
    Integer,
    /// Arithmetic is modulo two to the width.
    Word {
        width: u32,
        signed: bool,
    },
}

impl Type {
    /// The number of this type that a number becomes.
    pub fn wrap(self, value: i128) -> i64 {
        match self {
            Type::Boolean => (value & 1) as i64,
            Type::Integer => value.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
            Type::Word { width, signed } => {
                let bits = value & ((1 << width) - 1);
                let is_negative = signed && bits >> (width - 1) == 1;
                (if is_negative { bits - (1 << width) } else { bits }) as i64
            }
        }
    }

    /// The numbers of the type; `None` for all there are.
    pub(super) fn bounds(self) -> Option<(i64, i64)> {
        match self {
            Type::Boolean => Some((0, 1)),
            Type::Integer => None,
            Type::Word { width, signed: false } => Some((0, (1 << width) - 1)),
            Type::Word { width, signed: true } => Some((-(1 << (width - 1)), (1 << (width - 1)) - 1)),
        }
    }
}

/// An expression of the [`Expressions`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Constant(i64),
    Variable(VariableId),
    /// The variable in the next state.
    Next(VariableId),
    /// Of truth values, or bit by bit of a word.
    Not(ExprId),
    Binary(Binary, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    /// The same number in another type, which may wrap it.
    Cast(ExprId),
    /// As many bits of a word as the type has, from this one on.
    Extract(ExprId, u32),
}

impl Expr {
    /// The expressions that it is made of.
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let operands = match self {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Next(_) => [None; 3],
            Expr::Not(operand) | Expr::Cast(operand) | Expr::Extract(operand, _) => [Some(operand), None, None],
            Expr::Binary(_, left, right) => [Some(left), Some(right), None],
            Expr::If(condition, then, otherwise) => [Some(condition), Some(then), Some(otherwise)],
        };
        operands.into_iter().flatten()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Of truth values, or bit by bit of words.
    And,
    Or,
    Xor,
    Equal,
    Less,
    Add,
    Subtract,
    Multiply,
    /// Towards zero; zero if the divisor is, which obligations rule out.
    Divide,
    /// Has the sign of the dividend.
    Remainder,
    ShiftLeft,
    ShiftRight,
    /// The left word above the right one.
    Concatenate,
}

#[derive(Clone, Debug)]
struct Node {
    expr: Expr,
    ty: Type,
    /// The smallest and the largest value, or bounds that are wider.
    bounds: (i64, i64),
}

/// What stands where a variable was read.
type Instead<'f> = dyn FnMut(&mut Expressions, VariableId, bool, Node) -> ExprId + 'f;

#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Node>,
    known: HashMap<(Expr, Type), ExprId>,
}

impl Expressions {
    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id.index()].expr
    }

    pub fn ty(&self, id: ExprId) -> Type {
        self.nodes[id.index()].ty
    }

    pub fn bounds(&self, id: ExprId) -> (i64, i64) {
        self.nodes[id.index()].bounds
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = ExprId> {
        (0..self.len() as u32).map(ExprId)
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value, if it is the same whatever the variables are.
    pub fn constant_value(&self, id: ExprId) -> Option<i64> {
        match self.get(id) {
            Expr::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn intern(&mut self, expr: Expr, ty: Type, bounds: (i64, i64)) -> ExprId {
        *self.known.entry((expr, ty)).or_insert_with(|| {
            self.nodes.push(Node { expr, ty, bounds });
            ExprId(u32::try_from(self.nodes.len() - 1).expect("front ends limit the size of what they read"))
        })
    }

    pub fn constant(&mut self, value: i64, ty: Type) -> ExprId {
        self.intern(Expr::Constant(value), ty, (value, value))
    }

    pub fn truth(&mut self, value: bool) -> ExprId {
        self.constant(value.into(), Type::Boolean)
    }

    pub fn integer(&mut self, value: i64) -> ExprId {
        self.constant(value, Type::Integer)
    }

    /// Is each expression stored once, where it is found again?
    pub(super) fn are_stored_once(&self) -> bool {
        let is_known = |id: ExprId| self.known.get(&(self.get(id), self.ty(id))) == Some(&id);
        self.known.len() == self.len() && self.ids().all(is_known)
    }

    /// An expression that need not make sense, to see that it is found out.
    #[cfg(test)]
    pub(super) fn store(&mut self, expr: Expr, ty: Type, bounds: (i64, i64)) -> ExprId {
        self.nodes.push(Node { expr, ty, bounds });
        let id = ExprId(self.nodes.len() as u32 - 1);
        self.known.entry((expr, ty)).or_insert(id);
        id
    }

    pub(super) fn variable(&mut self, id: VariableId, next: bool, ty: Type, bounds: (i64, i64)) -> ExprId {
        self.intern(if next { Expr::Next(id) } else { Expr::Variable(id) }, ty, bounds)
    }

    pub fn not(&mut self, operand: ExprId) -> ExprId {
        let ty = self.ty(operand);
        match self.get(operand) {
            Expr::Constant(value) => self.constant(ty.wrap(!i128::from(value)), ty),
            Expr::Not(inner) => inner,
            _ => self.intern(Expr::Not(operand), ty, ty.bounds().expect("numbers have no bits")),
        }
    }

    /// An operation on two operands. They are of the same type, but for the amount of a shift and for words that are
    /// concatenated.
    pub fn binary(&mut self, operator: Binary, left: ExprId, right: ExprId) -> ExprId {
        let (left_type, right_type) = (self.ty(left), self.ty(right));
        let ty = match operator {
            Binary::Equal | Binary::Less => Type::Boolean,
            Binary::Concatenate => Type::Word { width: width(left_type) + width(right_type), signed: false },
            _ => left_type,
        };
        if let (Some(a), Some(b)) = (self.constant_value(left), self.constant_value(right)) {
            return self.constant(apply(operator, a, left_type, b, right_type, ty), ty);
        }
        if ty == Type::Boolean
            && let Some(simpler) = self.simplified(operator, left, right)
        {
            return simpler;
        }
        let bounds = ty.bounds().unwrap_or_else(|| bounds(operator, self.bounds(left), self.bounds(right)));
        self.intern(Expr::Binary(operator, left, right), ty, bounds)
    }

    fn simplified(&mut self, operator: Binary, left: ExprId, right: ExprId) -> Option<ExprId> {
        let ((left_low, left_high), (right_low, right_high)) = (self.bounds(left), self.bounds(right));
        match operator {
            Binary::And | Binary::Or => {
                let neutral = i64::from(operator == Binary::And);
                for (one, other) in [(left, right), (right, left)] {
                    match self.constant_value(one) {
                        Some(value) if value == neutral => return Some(other),
                        Some(_) => return Some(one),
                        None => {}
                    }
                }
                (left == right).then_some(left)
            }
            Binary::Equal if left == right => Some(self.truth(true)),
            Binary::Equal if left_high < right_low || right_high < left_low => Some(self.truth(false)),
            Binary::Less if left_high < right_low => Some(self.truth(true)),
            Binary::Less if left_low >= right_high => Some(self.truth(false)),
            _ => None,
        }
    }

    pub fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::And, left, right)
    }

    pub fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Or, left, right)
    }

    pub fn equal(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Equal, left, right)
    }

    pub fn less(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Less, left, right)
    }

    pub fn implies(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let not_left = self.not(left);
        self.or(not_left, right)
    }

    /// That one of the conditions holds.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = ExprId>) -> ExprId {
        let start = self.truth(false);
        conditions.into_iter().fold(start, |sum, condition| self.or(sum, condition))
    }

    /// That all of the conditions hold.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = ExprId>) -> ExprId {
        let start = self.truth(true);
        conditions.into_iter().fold(start, |product, condition| self.and(product, condition))
    }

    pub fn choose(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.constant_value(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None if then == otherwise => return then,
            None => {}
        }
        let (one, other) = (self.bounds(then), self.bounds(otherwise));
        let bounds = (one.0.min(other.0), one.1.max(other.1));
        self.intern(Expr::If(condition, then, otherwise), self.ty(then), bounds)
    }

    pub fn cast(&mut self, operand: ExprId, ty: Type) -> ExprId {
        if self.ty(operand) == ty {
            return operand;
        }
        if let Some(value) = self.constant_value(operand) {
            return self.constant(ty.wrap(value.into()), ty);
        }
        let bounds = ty.bounds().unwrap_or(self.bounds(operand));
        self.intern(Expr::Cast(operand), ty, bounds)
    }

    /// The bits from `low` to `high` of a word.
    pub fn extract(&mut self, operand: ExprId, high: u32, low: u32) -> ExprId {
        let ty = Type::Word { width: high - low + 1, signed: false };
        if let Some(value) = self.constant_value(operand) {
            return self.constant(ty.wrap(i128::from(value) >> low), ty);
        }
        self.intern(Expr::Extract(operand, low), ty, ty.bounds().expect("a word"))
    }

    /// The same expression of the next state. It must not look ahead itself.
    pub fn shifted(&mut self, id: ExprId) -> ExprId {
        self.with_variables(id, &mut |expressions, variable, next, Node { ty, bounds, .. }| {
            assert!(!next, "an expression that looks ahead is not shifted");
            expressions.variable(variable, true, ty, bounds)
        })
    }

    /// The same expression with constants for some variables, now and in the next state.
    pub fn substituted(&mut self, id: ExprId, value: &dyn Fn(VariableId) -> Option<i64>) -> ExprId {
        self.with_variables(id, &mut |expressions, variable, next, Node { ty, bounds, .. }| match value(variable) {
            Some(value) => expressions.constant(value, ty),
            None => expressions.variable(variable, next, ty, bounds),
        })
    }

    /// The same expression with something else where it reads a variable, now (`false`) or in the next state (`true`).
    fn with_variables(&mut self, id: ExprId, instead: &mut Instead<'_>) -> ExprId {
        self.replace(id, instead, &mut HashMap::new())
    }

    fn replace(&mut self, id: ExprId, instead: &mut Instead<'_>, done: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(known) = done.get(&id) {
            return *known;
        }
        let node = self.nodes[id.index()].clone();
        let ty = node.ty;
        let mut replaced = |expressions: &mut Expressions, id| expressions.replace(id, instead, done);
        let result = match node.expr {
            Expr::Constant(_) => id,
            Expr::Variable(variable) => instead(self, variable, false, node),
            Expr::Next(variable) => instead(self, variable, true, node),
            Expr::Not(operand) => {
                let operand = replaced(self, operand);
                self.not(operand)
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (replaced(self, left), replaced(self, right));
                self.binary(operator, left, right)
            }
            Expr::If(condition, then, otherwise) => {
                let condition = replaced(self, condition);
                let (then, otherwise) = (replaced(self, then), replaced(self, otherwise));
                self.choose(condition, then, otherwise)
            }
            Expr::Cast(operand) => {
                let operand = replaced(self, operand);
                self.cast(operand, ty)
            }
            Expr::Extract(operand, low) => {
                let operand = replaced(self, operand);
                self.extract(operand, low + width(ty) - 1, low)
            }
        };
        done.insert(id, result);
        result
    }

    /// The variables that these look at, now (`false`) and in the next state (`true`).
    pub fn support(&self, ids: impl IntoIterator<Item = ExprId>) -> Vec<(VariableId, bool)> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<ExprId> = ids.into_iter().collect();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let expr = self.get(id);
            match expr {
                Expr::Variable(variable) => {
                    found.insert((variable, false));
                }
                Expr::Next(variable) => {
                    found.insert((variable, true));
                }
                _ => pending.extend(expr.operands()),
            }
        }
        found.into_iter().collect()
    }
}

/// How many bits a word or a truth value has.
pub(super) fn width(ty: Type) -> u32 {
    match ty {
        Type::Word { width, .. } => width,
        Type::Boolean => 1,
        Type::Integer => unreachable!("numbers have no bits"),
    }
}

/// What an operator makes of two numbers of the given types.
pub(super) fn apply(operator: Binary, left: i64, left_type: Type, right: i64, right_type: Type, ty: Type) -> i64 {
    let (a, b) = (i128::from(left), i128::from(right));
    let bits = |value: i128, ty: Type| value & ((1 << width(ty)) - 1);
    let amount = || right.clamp(0, 64) as u32;
    let value = match operator {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Equal => (a == b).into(),
        Binary::Less => (a < b).into(),
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => {
            if b == 0 {
                0
            } else {
                a / b
            }
        }
        Binary::Remainder => {
            if b == 0 {
                0
            } else {
                a % b
            }
        }
        Binary::ShiftLeft => a.wrapping_shl(amount()),
        Binary::ShiftRight => a >> amount(),
        Binary::Concatenate => bits(a, left_type) << width(right_type) | bits(b, right_type),
    };
    ty.wrap(value)
}

/// Bounds of a number that is computed from two others.
pub(super) fn bounds(operator: Binary, left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
    let corners = |operation: fn(i128, i128) -> i128| {
        let values = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
        let values = values.map(|(a, b)| operation(a.into(), b.into()));
        (values.into_iter().min().unwrap_or(0), values.into_iter().max().unwrap_or(0))
    };
    let largest = i128::from(left.0.unsigned_abs().max(left.1.unsigned_abs()));
    let (low, high) = match operator {
        Binary::Add => corners(|a, b| a + b),
        Binary::Subtract => corners(|a, b| a - b),
        Binary::Multiply => corners(|a, b| a * b),
        Binary::Divide => (-largest, largest),
        Binary::Remainder => {
            let divisor = i128::from(right.0.unsigned_abs().max(right.1.unsigned_abs()));
            let largest = largest.min((divisor - 1).max(0));
            (if left.0 < 0 { -largest } else { 0 }, if left.1 > 0 { largest } else { 0 })
        }
        _ => unreachable!("the result is a number"),
    };
    (Type::Integer.wrap(low), Type::Integer.wrap(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_wrapped_to_words() {
        let (unsigned, signed) = (Type::Word { width: 3, signed: false }, Type::Word { width: 3, signed: true });
        assert_eq!([7, 8, -1].map(|value| unsigned.wrap(value)), [7, 0, 7]);
        assert_eq!([3, 4, -5].map(|value| signed.wrap(value)), [3, -4, 3]);
    }

    #[test]
    fn bounds_are_never_too_narrow() {
        for operator in [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Remainder] {
            for (left, right) in [((-3, 5), (1, 4)), ((-7, -2), (-3, 3)), ((0, 6), (2, 2)), ((2, 9), (-4, -1))] {
                let (low, high) = bounds(operator, left, right);
                for a in left.0..=left.1 {
                    for b in right.0..=right.1 {
                        let value = apply(operator, a, Type::Integer, b, Type::Integer, Type::Integer);
                        assert!((low..=high).contains(&value), "{operator:?} {a} {b}: {value} in {low}..{high}");
                    }
                }
            }
        }
    }
}
