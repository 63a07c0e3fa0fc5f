//! Sending and receiving.

use super::super::ast::{ExprKind, ReceiveArgument, StatementKind, VarRef};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{Parse, Parser};
use crate::source::Span;

impl Parser<'_> {
    /// `! arguments` and `!! arguments`; `c!a(b, c)` means `c!a,b,c`.
    pub(super) fn send(&mut self, channel: VarRef) -> Parse<StatementKind> {
        let sorted = self.bump().is(Punct::NotNot);
        let outer = std::mem::replace(&mut self.in_send, true);
        let first = self.expression();
        self.in_send = outer;
        let mut arguments = vec![first?];
        if self.at(Punct::OpenParen) {
            let more = self.parenthesized(|this| this.comma_separated(Self::expression))?;
            arguments.extend(more);
        } else if self.take(Punct::Comma) {
            arguments.extend(self.comma_separated(Self::expression)?);
        }
        Ok(StatementKind::Send { channel, sorted, arguments })
    }

    /// `? arguments`, `?? arguments`, `?<arguments>`, `??<arguments>`
    pub(super) fn receive(&mut self, channel: VarRef) -> Parse<StatementKind> {
        let random = self.bump().is(Punct::QuestionQuestion);
        let open = self.peek();
        let peek = self.take(Punct::Less);
        let arguments = self.receive_arguments()?;
        if peek {
            self.expect_closing(Punct::Greater, open)?;
        }
        Ok(StatementKind::Receive { channel, random, peek, arguments })
    }

    /// `?[arguments]` and `??[arguments]`: whether a receive would succeed.
    pub(super) fn poll(&mut self, channel: VarRef) -> Parse<(Span, ExprKind)> {
        let start = channel.span;
        let random = self.bump().is(Punct::QuestionQuestion);
        if !self.at(Punct::OpenBracket) {
            let help = "in an expression, `c?[...]` asks whether a message can be received";
            let error = crate::diagnostics::Diagnostic::error("a receive is a statement, not an expression", start);
            return Err(self.report(error.help(help)));
        }
        let open = self.bump();
        let arguments = self.receive_arguments()?;
        self.expect_closing(Punct::CloseBracket, open)?;
        Ok((self.since(start), ExprKind::Poll { channel, random, arguments }))
    }

    /// `a, b`, `a(b, c)` and `(a, b)`
    fn receive_arguments(&mut self) -> Parse<Vec<ReceiveArgument>> {
        self.nested(|this| {
            if this.at(Punct::OpenParen) {
                return this.parenthesized(Self::receive_arguments);
            }
            let mut arguments = vec![this.receive_argument()?];
            loop {
                if this.at(Punct::OpenParen) {
                    arguments.extend(this.parenthesized(Self::receive_arguments)?);
                    return Ok(arguments);
                }
                if !this.take(Punct::Comma) {
                    return Ok(arguments);
                }
                if this.at(Punct::OpenParen) {
                    arguments.extend(this.parenthesized(Self::receive_arguments)?);
                    return Ok(arguments);
                }
                arguments.push(this.receive_argument()?);
            }
        })
    }

    fn receive_argument(&mut self) -> Parse<ReceiveArgument> {
        let start = self.peek();
        match start.kind {
            TokenKind::Name => Ok(ReceiveArgument::Plain(self.reference()?)),
            TokenKind::Keyword(Keyword::Eval) => {
                self.bump();
                Ok(ReceiveArgument::Eval(self.parenthesized(Self::expression)?))
            }
            TokenKind::Punct(Punct::Minus) => {
                self.bump();
                let value = self.constant(true)?;
                Ok(ReceiveArgument::Constant(value, self.since(start.span)))
            }
            _ if self.at_constant() => {
                let value = self.constant(false)?;
                Ok(ReceiveArgument::Constant(value, start.span))
            }
            _ => Err(self.unexpected("a variable, a constant, `_` or `eval(...)` to receive into")),
        }
    }
}
