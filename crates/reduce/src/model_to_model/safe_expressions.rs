//! Expressions that cannot fail, and the values that they can have.

use reductio_model::{Binary, Expr, Place, Unary, ValueType};

/// Is there a value in every state? Only variables are read, and priorities.
pub fn cannot_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::ProcessCount => true,
        Expr::Read(place) => stays_in_range(place),
        Expr::Unary(_, operand) => cannot_fail(operand),
        // That of a process that is not there is zero.
        Expr::PriorityOf(pid) => cannot_fail(pid),
        Expr::Binary(Binary::Divide | Binary::Remainder, left, right) => {
            matches!(**right, Expr::Const(value) if value != 0) && cannot_fail(left)
        }
        Expr::Binary(_, left, right) => cannot_fail(left) && cannot_fail(right),
        Expr::Conditional(parts) => parts.iter().all(cannot_fail),
        _ => false,
    }
}

/// Are all indices where they should be, in every state?
pub fn stays_in_range(place: &Place) -> bool {
    place.indices.iter().all(|index| {
        let inside = |(low, high)| low >= 0 && high < i64::from(index.length);
        cannot_fail(&index.value) && values(&index.value).is_some_and(inside)
    })
}

/// The lowest and the highest value that an expression can have, as far as its form tells.
pub fn values(expr: &Expr) -> Option<(i64, i64)> {
    let (low, high) = match expr {
        Expr::Const(value) => (i64::from(*value), i64::from(*value)),
        Expr::Pid | Expr::ProcessCount => (0, 255),
        Expr::Read(place) => values_of_type(place.ty),
        Expr::Unary(Unary::Not, _) => (0, 1),
        Expr::Unary(Unary::Negate, operand) => {
            let (low, high) = values(operand)?;
            (-high, -low)
        }
        Expr::Unary(Unary::Complement, _) => return None,
        Expr::Conditional(parts) => {
            let [_, yes, no] = &**parts;
            let (yes, no) = (values(yes)?, values(no)?);
            (yes.0.min(no.0), yes.1.max(no.1))
        }
        Expr::Binary(operator, left, right) => values_of_binary(*operator, left, right)?,
        _ => return None,
    };
    let fits = |value: i64| i32::try_from(value).is_ok();
    (fits(low) && fits(high)).then_some((low, high))
}

fn values_of_binary(operator: Binary, left: &Expr, right: &Expr) -> Option<(i64, i64)> {
    match operator {
        Binary::Add => {
            let (left, right) = (values(left)?, values(right)?);
            Some((left.0 + right.0, left.1 + right.1))
        }
        Binary::Subtract => {
            let (left, right) = (values(left)?, values(right)?);
            Some((left.0 - right.1, left.1 - right.0))
        }
        Binary::Remainder => match (values(left)?, right) {
            ((0.., _), Expr::Const(divisor @ 1..)) => Some((0, i64::from(*divisor) - 1)),
            _ => None,
        },
        Binary::BitAnd => match right {
            Expr::Const(mask @ 0..) => Some((0, i64::from(*mask))),
            _ => None,
        },
        operator if operator.is_truth() => Some((0, 1)),
        _ => None,
    }
}

fn values_of_type(ty: ValueType) -> (i64, i64) {
    match ty {
        // What is 32 bits wide is kept as a signed number.
        ValueType::Int | ValueType::Unsigned(32..) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        ValueType::Unsigned(bits) => (0, (1 << bits) - 1),
        ValueType::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        ValueType::Mtype(_) | ValueType::Chan => (0, 255),
    }
}

/// Can never both hold? As far as their form tells.
pub fn exclude_each_other(one: &Expr, other: &Expr) -> bool {
    if is_negation(one, other) || is_negation(other, one) {
        return true;
    }
    match (one, other) {
        (Expr::Binary(first, left, right), Expr::Binary(second, other_left, other_right)) if left == other_left => {
            use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
            let disjoint = |first, second| {
                matches!(
                    (first, second),
                    (Equal, NotEqual | Less | Greater) | (Less, Greater | GreaterEqual) | (LessEqual, Greater)
                )
            };
            if right == other_right {
                return disjoint(*first, *second) || disjoint(*second, *first);
            }
            let constants = (&**right, &**other_right);
            (*first, *second) == (Equal, Equal)
                && matches!(constants, (Expr::Const(one), Expr::Const(other)) if one != other)
        }
        _ => false,
    }
}

/// Does one of them always hold? As far as their form tells.
pub fn one_must_hold(one: &Expr, other: &Expr) -> bool {
    if is_negation(one, other) || is_negation(other, one) {
        return true;
    }
    match (one, other) {
        (Expr::Binary(first, left, right), Expr::Binary(second, other_left, other_right)) => {
            use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
            let all = |first, second| {
                matches!(
                    (first, second),
                    (Equal, NotEqual) | (Less, GreaterEqual) | (LessEqual, Greater | GreaterEqual)
                )
            };
            left == other_left && right == other_right && (all(*first, *second) || all(*second, *first))
        }
        _ => false,
    }
}

fn is_negation(one: &Expr, other: &Expr) -> bool {
    matches!(one, Expr::Unary(Unary::Not, inner) if **inner == *other)
}

#[cfg(test)]
mod tests {
    use reductio_model::{Index, Scope};

    use super::*;

    fn read(ty: ValueType) -> Expr {
        Expr::Read(Box::new(Place { scope: Scope::Local, base: 0, indices: Vec::new(), ty }))
    }

    fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    fn element(index: Expr, length: u32) -> Expr {
        let indices = vec![Index { value: index, length, stride: 1 }];
        Expr::Read(Box::new(Place { scope: Scope::Local, base: 0, indices, ty: ValueType::BYTE }))
    }

    #[test]
    fn only_what_is_known_to_be_in_range_cannot_fail() {
        let byte = || read(ValueType::BYTE);
        assert!(cannot_fail(&element(byte(), 256)) && !cannot_fail(&element(byte(), 255)));
        assert!(cannot_fail(&element(binary(Binary::Remainder, byte(), Expr::Const(4)), 4)));
        assert!(!cannot_fail(&element(binary(Binary::Remainder, read(ValueType::Int), Expr::Const(4)), 4)));
        assert!(!cannot_fail(&element(binary(Binary::Subtract, byte(), Expr::Const(1)), 256)));
        assert!(!cannot_fail(&binary(Binary::Divide, byte(), byte())));
        assert!(cannot_fail(&binary(Binary::Divide, byte(), Expr::Const(2))));
        assert!(!cannot_fail(&element(binary(Binary::Add, read(ValueType::Int), read(ValueType::Int)), 4)));
        assert!(!cannot_fail(&Expr::Timeout));
    }

    /// Compares what the form tells with the values, for all pairs of comparisons of small numbers.
    #[test]
    fn forms_tell_the_truth() {
        let operators =
            [Binary::Less, Binary::LessEqual, Binary::Greater, Binary::GreaterEqual, Binary::Equal, Binary::NotEqual];
        let conditions: Vec<(Binary, i32)> =
            operators.iter().flat_map(|&operator| (0..3).map(move |constant| (operator, constant))).collect();
        let holds = |&(operator, constant): &(Binary, i32), value| Expr::apply(operator, value, constant) == Some(1);
        let expr =
            |&(operator, constant): &(Binary, i32)| binary(operator, read(ValueType::BYTE), Expr::Const(constant));
        let mut known = (0, 0);
        for one in &conditions {
            for other in &conditions {
                if exclude_each_other(&expr(one), &expr(other)) {
                    known.0 += 1;
                    assert!((0..6).all(|value| !(holds(one, value) && holds(other, value))), "{one:?} {other:?}");
                }
                if one_must_hold(&expr(one), &expr(other)) {
                    known.1 += 1;
                    assert!((-2..6).all(|value| holds(one, value) || holds(other, value)), "{one:?} {other:?}");
                }
            }
            let negated = Expr::Unary(Unary::Not, Box::new(expr(one)));
            assert!(exclude_each_other(&negated, &expr(one)) && one_must_hold(&expr(one), &negated));
        }
        assert!(known.0 > 20 && known.1 > 10, "{known:?}");
    }
}
