//! Constants of word types: `0b3_101`, `0ud8_255`, `-0sh16_ff`; without a width, as many bits as the digits say.

use crate::smv::ast::ExprKind;

/// Larger numbers are refused, so that arithmetic on what a text says does not overflow.
pub const MAX_NUMBER: i64 = 1 << 40;
/// A word is stored as a number.
pub const MAX_WIDTH: i64 = 62;

/// The constant that a text stands for, or what is wrong with it.
pub fn constant(text: &str) -> Result<ExprKind, String> {
    let lower = text.to_ascii_lowercase();
    let rest = &lower[1..];
    let (signed, rest) = match rest.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('u').unwrap_or(rest)),
    };
    let (radix, bits_per_digit) = match rest.chars().next() {
        Some('b') => (2, Some(1)),
        Some('o') => (8, Some(3)),
        Some('d') => (10, None),
        Some('h') => (16, Some(4)),
        _ => return Err(format!("`{text}` is no constant of a word type; one is `0ud8_255`")),
    };
    let (width, digits) = match rest[1..].split_once('_') {
        Some((width, digits)) if !width.is_empty() => (Some(width), digits),
        Some((_, digits)) => (None, digits),
        None => (None, &rest[1..]),
    };
    let digits: String = digits.chars().filter(|digit| *digit != '_').collect();
    let width = match (width, bits_per_digit) {
        (Some(width), _) => width.parse::<i64>().ok(),
        (None, Some(bits)) => Some(bits * digits.len() as i64),
        (None, None) => return Err("a decimal word needs a width, as in `0ud8_255`".to_owned()),
    };
    let Some(width) = width.filter(|width| (1..=MAX_WIDTH).contains(width)) else {
        return Err(format!("words have 1 to {MAX_WIDTH} bits here"));
    };
    let value = i64::from_str_radix(&digits, radix).map_err(|_| format!("`{digits}` is no number in base {radix}"))?;
    if value >> width != 0 {
        return Err(format!("{value} does not fit in {width} bits"));
    }
    let is_negative = signed && value >> (width - 1) == 1;
    let value = if is_negative { value - (1 << width) } else { value };
    Ok(ExprKind::Word { width: width as u32, signed, value })
}
