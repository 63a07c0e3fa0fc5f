//! The operators of temporal logic, which exist only inside formulas: those of linear time as signs and as words, those of
//! computation trees as in SMV.

use super::super::ast::{Binary, Expr, ExprKind, Runs, Temporal1, Temporal2};
use super::super::token::{Punct, Token, TokenKind};
use super::expressions::Operator;
use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

impl Parser<'_> {
    /// The binary temporal operator at hand, its precedence among all operators and its length in tokens.
    pub(super) fn temporal_operator(&self) -> Option<(Temporal2, u8, usize)> {
        let token = self.peek();
        // As in SPIN, implication and equivalence bind least and equally, and from the left.
        const LOOSE: u8 = 1;
        const TIGHT: u8 = 4;
        // In the brackets of `A [f U g]` nothing binds less.
        let until = if self.branching { 0 } else { TIGHT };
        match token.kind {
            TokenKind::Punct(Punct::Arrow) => Some((Temporal2::Implies, LOOSE, 1)),
            TokenKind::Punct(Punct::Less) => {
                let arrow = self.peek_at(1);
                (arrow.is(Punct::Arrow) && adjacent(token, arrow)).then_some((Temporal2::Equivalent, LOOSE, 2))
            }
            TokenKind::Name => match self.interner.text(token.text) {
                "implies" => Some((Temporal2::Implies, LOOSE, 1)),
                "equivalent" => Some((Temporal2::Equivalent, LOOSE, 1)),
                "U" | "until" | "stronguntil" => Some((Temporal2::Until, until, 1)),
                "W" | "weakuntil" => Some((Temporal2::WeakUntil, until, 1)),
                "V" | "release" => Some((Temporal2::Release, until, 1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The unary temporal operator at hand and its length in tokens.
    pub(super) fn temporal_prefix(&self) -> Option<(Temporal1, usize)> {
        let (token, next) = (self.peek(), self.peek_at(1));
        match token.kind {
            TokenKind::Punct(Punct::OpenBracket) => {
                (next.is(Punct::CloseBracket) && adjacent(token, next)).then_some((Temporal1::Always, 2))
            }
            TokenKind::Punct(Punct::Less) => {
                (next.is(Punct::Greater) && adjacent(token, next)).then_some((Temporal1::Eventually, 2))
            }
            TokenKind::Name => match self.interner.text(token.text) {
                "always" => Some((Temporal1::Always, 1)),
                "eventually" => Some((Temporal1::Eventually, 1)),
                "X" | "next" => Some((Temporal1::Next, 1)),
                "G" if self.is_before_operand() => Some((Temporal1::Always, 1)),
                "F" if self.is_before_operand() => Some((Temporal1::Eventually, 1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Can the name at hand only be an operator, since an operand follows? Programs may have variables `G` and `F`.
    fn is_before_operand(&self) -> bool {
        let (next, after) = (self.peek_at(1), self.peek_at(2));
        match next.kind {
            TokenKind::Name => !is_binary_word(self.interner.text(next.text)),
            TokenKind::Punct(Punct::OpenBracket) => after.is(Punct::CloseBracket) && adjacent(next, after),
            TokenKind::Punct(Punct::Less) => after.is(Punct::Greater) && adjacent(next, after),
            TokenKind::Punct(Punct::OpenParen | Punct::Not | Punct::NotNot | Punct::Tilde) => true,
            TokenKind::Number | TokenKind::Character | TokenKind::Keyword(_) => true,
            _ => false,
        }
    }

    /// The operator of computation trees at hand: which runs, and when; `None` stands for the brackets of `A [f U g]`.
    pub(super) fn runs_prefix(&self) -> Option<(Runs, Option<Temporal1>)> {
        let token = self.peek();
        let name = (token.kind == TokenKind::Name).then(|| self.interner.text(token.text))?;
        let (runs, when) = name.split_at_checked(1)?;
        let runs = match runs {
            "A" => Runs::All,
            "E" => Runs::Some,
            _ => return None,
        };
        if self.is_remote_reference() {
            return None;
        }
        match when {
            "G" => Some((runs, Some(Temporal1::Always))),
            "F" => Some((runs, Some(Temporal1::Eventually))),
            "X" => Some((runs, Some(Temporal1::Next))),
            "" => self.peek_at(1).is(Punct::OpenBracket).then_some((runs, None)),
            _ => None,
        }
    }

    /// Is the name at hand that of a proctype, as in `A[0]@label` or `E:x`? Nothing of the kind follows a formula.
    fn is_remote_reference(&self) -> bool {
        let mut after = 1;
        if self.peek_at(1).is(Punct::OpenBracket) {
            let mut open = 0_usize;
            loop {
                match self.peek_at(after).kind {
                    TokenKind::Punct(Punct::OpenBracket) => open += 1,
                    TokenKind::Punct(Punct::CloseBracket) => open -= 1,
                    TokenKind::End => return false,
                    _ => {}
                }
                after += 1;
                if open == 0 {
                    break;
                }
            }
        }
        self.peek_at(after).is(Punct::At) || self.peek_at(after).is(Punct::Colon)
    }

    pub(super) fn runs(&mut self, (runs, when): (Runs, Option<Temporal1>)) -> Parse<Expr> {
        let path = match when {
            Some(operator) => self.temporal_unary(operator, 1)?,
            None => {
                let start = self.bump().span;
                let open = self.bump();
                let path = self.nested(|this| this.expression())?;
                self.expect_closing(Punct::CloseBracket, open)?;
                if !matches!(
                    path.kind,
                    ExprKind::Temporal2(Temporal2::Until | Temporal2::WeakUntil | Temporal2::Release, ..)
                ) {
                    let error = Diagnostic::error("in these brackets belongs a `U`, a `W` or a `V`", path.span);
                    return Err(self.report(error.help("write `A [f U g]` or `E [f U g]`")));
                }
                Expr { span: self.since(start), kind: path.kind }
            }
        };
        Ok(Expr { span: path.span, kind: ExprKind::Runs(runs, Box::new(path)) })
    }

    /// Like `!`, these bind tighter than any binary operator.
    pub(super) fn temporal_unary(&mut self, operator: Temporal1, length: usize) -> Parse<Expr> {
        let start = self.peek().span;
        for _ in 0..length {
            self.bump();
        }
        let operand = self.nested(|this| this.unary("a formula"))?;
        let span = self.sources.join(start, operand.span);
        Ok(Expr { span, kind: ExprKind::Temporal1(operator, Box::new(operand)) })
    }

    /// Nothing temporal can be compared or computed with. SPIN accepts this and makes nonsense of it; we do so only
    /// where the sense is clear.
    pub(super) fn between_formulas(
        &mut self,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        sign: Span,
    ) -> Parse<Operator> {
        let meant = match operator {
            Operator::Temporal(_) | Operator::Plain(Binary::And | Binary::Or) => return Ok(operator),
            Operator::Plain(Binary::BitAnd) => Binary::And,
            Operator::Plain(Binary::BitOr) => Binary::Or,
            Operator::Plain(_) => {
                self.no_temporal_operand(left, sign)?;
                self.no_temporal_operand(right, sign)?;
                return Ok(operator);
            }
        };
        if !is_temporal(left) && !is_temporal(right) {
            return Ok(operator);
        }
        let text = self.sources.text(sign);
        let message = format!("`{text}` next to a temporal formula is read as `{text}{text}`");
        self.diagnostics.add(Diagnostic::warning(message, sign));
        Ok(Operator::Plain(meant))
    }

    pub(super) fn no_temporal_operand(&mut self, operand: &Expr, operator: Span) -> Parse<()> {
        if !is_temporal(operand) {
            return Ok(());
        }
        let text = self.sources.text(operator);
        let error = Diagnostic::error(format!("`{text}` cannot be applied to a temporal formula"), operator);
        let help = "temporal operators bind tightly: write `[] (a == b)` rather than `[] a == b`";
        Err(self.report(error.help(help).note("the formula", operand.span)))
    }
}

fn is_temporal(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Temporal1(..) | ExprKind::Temporal2(..) | ExprKind::Runs(..) => true,
        ExprKind::Unary(_, operand) => is_temporal(operand),
        ExprKind::Binary(Binary::And | Binary::Or, left, right) => is_temporal(left) || is_temporal(right),
        _ => false,
    }
}

/// The binary operators that are words. Those of one letter may be names, too, but not behind an operand.
pub(in super::super) fn is_binary_word(text: &str) -> bool {
    let words = ["U", "W", "V", "until", "stronguntil", "weakuntil", "release", "implies", "equivalent"];
    words.contains(&text)
}

/// Without a space between them: `<` and `>` may be far apart, `<>` may not.
fn adjacent(first: Token, second: Token) -> bool {
    !second.space_before && !second.starts_line && first.span.file == second.span.file
}
