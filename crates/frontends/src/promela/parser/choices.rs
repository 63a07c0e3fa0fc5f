//! `if`, `do`, `for` and `select`.

use super::super::ast::{Block, StatementKind};
use super::super::token::{Keyword, Punct, Token, TokenKind};
use super::{Enclosing, Failed, Parse, Parser};
use crate::diagnostics::Diagnostic;

impl Parser<'_> {
    pub(super) fn if_statement(&mut self) -> Parse<StatementKind> {
        let word = self.bump();
        if self.at(Punct::OpenParen) {
            return Err(self.c_if());
        }
        let options = self.options(Enclosing::If, word)?;
        Ok(StatementKind::If(options))
    }

    pub(super) fn do_statement(&mut self) -> Parse<StatementKind> {
        let word = self.bump();
        let options = self.options(Enclosing::Do, word)?;
        Ok(StatementKind::Do(options))
    }

    /// `:: steps :: steps fi`
    fn options(&mut self, inside: Enclosing, word: Token) -> Parse<Vec<Block>> {
        let (open, close) = if inside == Enclosing::If { ("if", Keyword::Fi) } else { ("do", Keyword::Od) };
        self.nested(|this| {
            this.skip_separators();
            let mut options = Vec::new();
            let mut failed = false;
            if !this.at(Punct::ColonColon) && !this.at_keyword(close) {
                let found = this.describe(this.peek());
                let message = format!("expected `::` after `{open}`, found {found}");
                let error = Diagnostic::error(message, this.peek().span);
                this.report(
                    error.help(format!("each option starts with `::`, as in `{open} :: a -> b :: c {}`", close.text())),
                );
                failed = true;
                this.steps(inside);
            }
            while this.at(Punct::ColonColon) {
                let start = this.bump();
                let steps = this.steps(inside);
                let end = this.previous().span;
                options.push(Block { span: this.since(start.span), steps, end });
            }
            if !this.take_keyword(close) {
                return Err(this.unclosed_choice(open, close, word));
            }
            if options.is_empty() && !failed {
                let error = Diagnostic::error(format!("this `{open}` has no options"), word.span);
                this.report(error.help("each option starts with `::`"));
            }
            if failed { Err(Failed) } else { Ok(options) }
        })
    }

    fn unclosed_choice(&mut self, open: &str, close: Keyword, word: Token) -> Failed {
        let found = self.describe(self.peek());
        let close = close.text();
        let error =
            Diagnostic::error(format!("expected `{close}` to end the `{open}`, found {found}"), self.peek().span);
        let article = if close == "od" { "an" } else { "a" };
        self.report(error.note(format!("this `{open}` needs {article} `{close}`"), word.span))
    }

    pub(super) fn for_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let open = self.expect(Punct::OpenParen)?;
        if let Some(failed) = self.c_for() {
            return Err(failed);
        }
        let index = self.reference()?;
        let is_in = self.peek().kind == TokenKind::Name && self.interner.text(self.peek().text) == "in";
        if is_in {
            self.bump();
            let collection = self.reference()?;
            self.expect_closing(Punct::CloseParen, open)?;
            let body = self.for_body()?;
            return Ok(StatementKind::ForIn { index, collection, body });
        }
        if !self.take(Punct::Colon) {
            return Err(self.unexpected("`:` or `in`, as in `for (i : 0 .. 9)` or `for (i in array)`"));
        }
        let (low, high) = self.range()?;
        self.expect_closing(Punct::CloseParen, open)?;
        let body = self.for_body()?;
        Ok(StatementKind::ForRange { index, low, high, body })
    }

    fn for_body(&mut self) -> Parse<Block> {
        // The end of the line before the brace counts as a separator, and `->` and `;` are tolerated like it.
        self.skip_separators();
        if !self.at(Punct::OpenBrace) {
            return Err(self.unexpected("`{`: the body of a `for` stands in braces"));
        }
        self.block()
    }

    fn range(&mut self) -> Parse<(super::Expr, super::Expr)> {
        let low = self.expression()?;
        if !self.take(Punct::DotDot) {
            return Err(self.unexpected("`..` and the end of the range"));
        }
        let high = self.expression()?;
        Ok((low, high))
    }

    pub(super) fn select_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let open = self.expect(Punct::OpenParen)?;
        let index = self.reference()?;
        self.expect(Punct::Colon)?;
        let (low, high) = self.range()?;
        self.expect_closing(Punct::CloseParen, open)?;
        Ok(StatementKind::Select { index, low, high })
    }
}
