//! The conditions of `#if` and `#elif`: C's integer expressions over numbers, `defined` and macros.

use super::super::lexer::character_value;
use super::super::token::{Punct, Token, TokenKind};
use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::source::Span;

const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// The truth of a condition; one that is malformed is reported and counts as false.
    pub(super) fn condition(&mut self, tokens: &[Token], at: Span) -> bool {
        let tokens = self.without_defined(tokens);
        let tokens = self.expand(&tokens, 0);
        if self.gave_up {
            return false;
        }
        let mut evaluation = Evaluation { preprocessor: self, tokens: &tokens, position: 0, depth: 0, at, live: true };
        let value = evaluation.conditional().and_then(|value| match evaluation.peek() {
            None => Ok(value),
            Some(token) => Err(Malformed { message: "this is not part of the condition".into(), span: token.span }),
        });
        match value {
            Ok(value) => value != 0,
            Err(malformed) => {
                self.diagnostics.add(Diagnostic::error(malformed.message, malformed.span));
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0, before macros are expanded.
    fn without_defined(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut result = Vec::new();
        let mut rest = tokens;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if first.kind != TokenKind::Name || self.interner.text(first.text) != "defined" {
                result.push(*first);
                continue;
            }
            let name = match rest {
                [open, name, close, after @ ..] if open.is(Punct::OpenParen) && close.is(Punct::CloseParen) => {
                    rest = after;
                    Some(name)
                }
                [name, after @ ..] => {
                    rest = after;
                    Some(name)
                }
                [] => None,
            };
            let Some(name) = name.filter(|name| name.kind == TokenKind::Name) else {
                self.error("`defined` needs the name of a macro", first.span);
                continue;
            };
            let text = if self.macros.table.contains_key(&name.text) { "1" } else { "0" };
            result.push(Token { kind: TokenKind::Number, text: self.interner.intern(text), ..*first });
        }
        result
    }
}

struct Malformed {
    message: String,
    span: Span,
}

struct Evaluation<'a, 'b> {
    preprocessor: &'a mut Preprocessor<'b>,
    tokens: &'a [Token],
    position: usize,
    depth: usize,
    /// Where to point if the condition ends too early.
    at: Span,
    /// False in the operand that `&&`, `||` or `?:` leaves out: it may divide by zero.
    live: bool,
}

type Value = Result<i64, Malformed>;

impl Evaluation<'_, '_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.position).copied()
    }

    fn take(&mut self, punct: Punct) -> bool {
        let found = self.peek().is_some_and(|token| token.is(punct));
        self.position += usize::from(found);
        found
    }

    fn failure<T>(&self, message: &str) -> Result<T, Malformed> {
        let span = self.peek().map_or(self.at, |token| token.span);
        Err(Malformed { message: message.to_string(), span })
    }

    fn evaluated_if(&mut self, live: bool, operand: impl FnOnce(&mut Self) -> Value) -> Value {
        let live_before = self.live;
        self.live &= live;
        let value = operand(self);
        self.live = live_before;
        value
    }

    fn conditional(&mut self) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.failure("the condition is nested too deeply");
        }
        let mut value = self.binary(1)?;
        if self.take(Punct::Question) {
            let chosen = value != 0;
            let then = self.evaluated_if(chosen, Self::conditional)?;
            if !self.take(Punct::Colon) {
                return self.failure("expected `:` in the condition");
            }
            let otherwise = self.evaluated_if(!chosen, Self::conditional)?;
            value = if chosen { then } else { otherwise };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, minimum: u8) -> Value {
        let mut left = self.unary()?;
        while let Some(token) = self.peek() {
            let TokenKind::Punct(operator) = token.kind else { break };
            let Some(precedence) = precedence(operator).filter(|precedence| *precedence >= minimum) else {
                break;
            };
            self.position += 1;
            let live = match operator {
                Punct::AndAnd => left != 0,
                Punct::OrOr => left == 0,
                _ => true,
            };
            let right = self.evaluated_if(live, |this| this.binary(precedence + 1))?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !self.live => 0,
                None => {
                    return Err(Malformed { message: "division by zero in a condition".into(), span: token.span });
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.failure("the condition is nested too deeply");
        }
        let value = if self.take(Punct::Not) {
            i64::from(self.unary()? == 0)
        } else if self.take(Punct::Minus) {
            self.unary()?.wrapping_neg()
        } else if self.take(Punct::Plus) {
            self.unary()?
        } else if self.take(Punct::Tilde) {
            !self.unary()?
        } else if self.take(Punct::OpenParen) {
            let value = self.conditional()?;
            if !self.take(Punct::CloseParen) {
                return self.failure("expected `)` in the condition");
            }
            value
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Value {
        let Some(token) = self.peek() else {
            return self.failure("the condition ends too early");
        };
        let text = self.preprocessor.interner.text(token.text);
        let value = match token.kind {
            // A name that is no macro counts as zero, as in C.
            TokenKind::Name => Some(0),
            TokenKind::Character => Some(i64::from(character_value(text))),
            TokenKind::Number => c_number(text),
            _ => None,
        };
        match value {
            Some(value) => {
                self.position += 1;
                Ok(value)
            }
            None => self.failure("expected a number or the name of a macro in the condition"),
        }
    }
}

/// A number with C's prefixes and suffixes.
fn c_number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        i64::from_str_radix(hexadecimal, 16).ok()
    } else if lower.len() > 1 && lower.starts_with('0') {
        i64::from_str_radix(&lower, 8).ok()
    } else {
        lower.parse().ok()
    }
}

fn precedence(operator: Punct) -> Option<u8> {
    Some(match operator {
        Punct::OrOr => 1,
        Punct::AndAnd => 2,
        Punct::Or => 3,
        Punct::Xor => 4,
        Punct::And => 5,
        Punct::EqualEqual | Punct::NotEqual => 6,
        Punct::Less | Punct::LessEqual | Punct::Greater | Punct::GreaterEqual => 7,
        Punct::ShiftLeft | Punct::ShiftRight => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(operator: Punct, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        Punct::OrOr => i64::from(left != 0 || right != 0),
        Punct::AndAnd => i64::from(left != 0 && right != 0),
        Punct::Or => left | right,
        Punct::Xor => left ^ right,
        Punct::And => left & right,
        Punct::EqualEqual => i64::from(left == right),
        Punct::NotEqual => i64::from(left != right),
        Punct::Less => i64::from(left < right),
        Punct::LessEqual => i64::from(left <= right),
        Punct::Greater => i64::from(left > right),
        Punct::GreaterEqual => i64::from(left >= right),
        Punct::ShiftLeft => left.wrapping_shl(right as u32),
        Punct::ShiftRight => left.wrapping_shr(right as u32),
        Punct::Plus => left.wrapping_add(right),
        Punct::Minus => left.wrapping_sub(right),
        Punct::Star => left.wrapping_mul(right),
        Punct::Slash => return (right != 0).then(|| left.wrapping_div(right)),
        _ => return (right != 0).then(|| left.wrapping_rem(right)),
    })
}
