//! Variables of a never claim: expressions are evaluated as far as its own variables go, so that what is left of them is
//! about the processes alone.

use reductio_model::{Binary, ChannelQuery, Expr, Index, Initial, Pattern, Place, Proctype, Scope, Unary, ValueType};

/// The values of a claim's own variables, slot by slot.
pub type Values = Vec<i32>;

/// The values at the start, or the reason why they are not known.
pub fn initial_values(claim: &Proctype) -> Result<Values, String> {
    let mut values = Values::new();
    for slot in &claim.locals {
        let value = match &slot.initial {
            Initial::Value(value) => *value,
            Initial::Channel(_) => return Err(format!("the claim has a channel of its own, `{}`", slot.name)),
            Initial::Expr(expr) => match known(expr, &values)? {
                Expr::Const(value) => slot.ty.truncate(value),
                _ => return Err(format!("the initial value of `{}` depends on the processes", slot.name)),
            },
        };
        values.push(value);
    }
    Ok(values)
}

/// The slot of an own variable that is assigned to.
pub fn slot(place: &Place, values: &[i32]) -> Result<usize, String> {
    let mut slot = place.base as usize;
    for index in &place.indices {
        match known(&index.value, values)? {
            Expr::Const(value) if (0..index.length as i32).contains(&value) => {
                slot += (value as u32 * index.stride) as usize;
            }
            Expr::Const(value) => return Err(format!("the claim's array index {value} is out of range")),
            _ => return Err("which element of the claim's array is meant depends on the processes".to_owned()),
        }
    }
    Ok(slot)
}

/// What is left of an expression when the claim's own variables have these values.
pub fn known(expr: &Expr, values: &[i32]) -> Result<Expr, String> {
    let part = |expr: &Expr| known(expr, values);
    let boxed = |expr: &Expr| part(expr).map(Box::new);
    let pid = |pid: &Option<Box<Expr>>| pid.as_deref().map(boxed).transpose();
    Ok(match expr {
        Expr::Read(place) if place.scope == Scope::Local => values
            .get(slot(place, values)?)
            .map(|value| Expr::Const(*value))
            .ok_or("the claim reads no such variable")?,
        Expr::Read(place) => Expr::Read(Box::new(known_place(place, values)?)),
        Expr::Unary(operator, operand) => match part(operand)? {
            Expr::Const(value) => Expr::Const(Expr::apply_unary(*operator, value)),
            operand => Expr::Unary(*operator, Box::new(operand)),
        },
        Expr::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            known_connective(*operator, part(left)?, right, values)?
        }
        Expr::Binary(operator, left, right) => match (part(left)?, part(right)?) {
            (Expr::Const(left), Expr::Const(right)) => {
                Expr::Const(Expr::apply(*operator, left, right).ok_or("the claim divides by zero")?)
            }
            (left, right) => Expr::Binary(*operator, Box::new(left), Box::new(right)),
        },
        Expr::Conditional(parts) => {
            let [condition, yes, no] = &**parts;
            match part(condition)? {
                Expr::Const(value) => part(if value != 0 { yes } else { no })?,
                condition => Expr::Conditional(Box::new([condition, part(yes)?, part(no)?])),
            }
        }
        Expr::Query(query, channel) => Expr::Query(*query, boxed(channel)?),
        Expr::Poll { channel, random, patterns } => {
            let pattern = |pattern: &Pattern| match pattern {
                Pattern::Match(expr) => part(expr).map(Pattern::Match),
                // A poll stores nothing.
                Pattern::Store(_) | Pattern::Discard => Ok(Pattern::Discard),
            };
            let patterns = patterns.iter().map(pattern).collect::<Result<_, String>>()?;
            Expr::Poll { channel: boxed(channel)?, random: *random, patterns }
        }
        Expr::Enabled(pid) => Expr::Enabled(boxed(pid)?),
        Expr::PcValue(pid) => Expr::PcValue(boxed(pid)?),
        Expr::PriorityOf(pid) => Expr::PriorityOf(boxed(pid)?),
        Expr::At { proctype, pid: of, label } => Expr::At { proctype: *proctype, pid: pid(of)?, label: label.clone() },
        Expr::Remote { proctype, pid: of, place } => {
            Expr::Remote { proctype: *proctype, pid: pid(of)?, place: Box::new(known_place(place, values)?) }
        }
        Expr::Const(_)
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Accepting => expr.clone(),
    })
}

fn known_place(place: &Place, values: &[i32]) -> Result<Place, String> {
    let index = |index: &Index| Ok(Index { value: known(&index.value, values)?, ..index.clone() });
    Ok(Place { indices: place.indices.iter().map(index).collect::<Result<_, String>>()?, ..place.clone() })
}

/// `&&` and `||`. What is on the right is not looked at where the left decides.
fn known_connective(operator: Binary, left: Expr, right: &Expr, values: &[i32]) -> Result<Expr, String> {
    let decides = operator == Binary::Or;
    if let Expr::Const(value) = left {
        return Ok(if (value != 0) == decides { Expr::Const(decides as i32) } else { truth(known(right, values)?) });
    }
    Ok(match known(right, values)? {
        Expr::Const(value) if (value != 0) != decides => truth(left),
        // What goes wrong on the left must still go wrong.
        Expr::Const(_) if cannot_fail(&left) => Expr::Const(decides as i32),
        right => Expr::Binary(operator, Box::new(left), Box::new(right)),
    })
}

/// One if the value is not zero, and zero if it is.
fn truth(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const((value != 0) as i32),
        expr if is_truth(&expr) => expr,
        expr => Expr::Binary(Binary::NotEqual, Box::new(expr), Box::new(Expr::Const(0))),
    }
}

/// Is the value zero or one, whatever the state?
pub fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Read(place) | Expr::Remote { place, .. } => place.ty == ValueType::BIT,
        Expr::Unary(Unary::Not, _) => true,
        Expr::Binary(operator, ..) => operator.is_truth(),
        Expr::Conditional(parts) => is_truth(&parts[1]) && is_truth(&parts[2]),
        Expr::Query(query, _) => *query != ChannelQuery::Len,
        Expr::Poll { .. } | Expr::Timeout | Expr::NonProgress | Expr::Accepting => true,
        Expr::Enabled(_) | Expr::At { .. } => true,
        _ => false,
    }
}

/// How many bits of an expression's value tell what a variable of this type has after it was assigned; `None` if they are
/// too many.
pub fn bits_that_matter(expr: &Expr, ty: ValueType) -> Option<u32> {
    let width = |ty: ValueType| match ty {
        ValueType::Unsigned(bits @ ..=8) => Some(u32::from(bits)),
        ValueType::Mtype(_) | ValueType::Chan => Some(8),
        _ => None,
    };
    width(ty).or_else(|| match expr {
        Expr::Read(place) | Expr::Remote { place, .. } => width(place.ty),
        _ => None,
    })
}

fn cannot_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::ProcessCount | Expr::Last | Expr::NonProgress | Expr::Accepting => true,
        Expr::Read(place) => place.indices.is_empty(),
        Expr::Unary(_, operand) => cannot_fail(operand),
        Expr::Binary(Binary::Divide | Binary::Remainder, ..) => false,
        Expr::Binary(_, left, right) => cannot_fail(left) && cannot_fail(right),
        Expr::Conditional(parts) => parts.iter().all(cannot_fail),
        Expr::At { pid, .. } => pid.as_deref().is_none_or(cannot_fail),
        Expr::Remote { pid, place, .. } => pid.as_deref().is_none_or(cannot_fail) && place.indices.is_empty(),
        _ => false,
    }
}

/// The own variables that an expression reads, each once.
pub fn read_by<'c>(expr: &Expr, claim: &'c Proctype, values: &[i32]) -> Vec<(&'c str, i32)> {
    let mut found = Vec::new();
    for (slot, variable) in claim.locals.iter().enumerate() {
        let elsewhere: Values = values.iter().enumerate().map(|(other, v)| v ^ i32::from(other == slot)).collect();
        if known(expr, &elsewhere) != known(expr, values) {
            found.push((variable.name.as_str(), values[slot]));
        }
    }
    found
}
