//! Sequences of steps: what separates them, what ends them, and how to go on after an error in one.

use super::super::ast::{Block, Statement, StatementKind, Step};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{Enclosing, Failed, Parse, Parser};
use crate::diagnostics::Diagnostic;

impl Parser<'_> {
    /// `;`, `->`, or the end of a line that stands for them.
    pub(super) fn at_separator(&self) -> bool {
        let kind = self.peek().kind;
        matches!(kind, TokenKind::Punct(Punct::Semicolon | Punct::Arrow) | TokenKind::LineEnd)
    }

    pub(super) fn skip_separators(&mut self) {
        while self.at_separator() {
            self.bump();
        }
    }

    /// `{ steps }`
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.nested(|this| {
            let open = this.expect(Punct::OpenBrace)?;
            let steps = this.steps(Enclosing::Braces);
            let close = this.expect_closing(Punct::CloseBrace, open)?;
            Ok(Block { span: this.sources.join(open.span, close.span), steps, end: close.span })
        })
    }

    /// All steps up to what ends the sequence, which is left for the caller.
    pub(super) fn steps(&mut self, inside: Enclosing) -> Vec<Step> {
        self.enclosing.push(inside);
        let mut steps = Vec::new();
        let mut failed = self.leading_separator();
        while !self.at_end_of_sequence() {
            let before = self.position;
            if let Ok(step) = self.step() {
                if steps.is_empty() && inside != Enclosing::Braces && self.at(Punct::Arrow) {
                    self.suspicious_guard(&step);
                }
                let separated = self.separate(&step);
                steps.push(step);
                if separated.is_ok() {
                    continue;
                }
            }
            failed = true;
            self.recover_to_step(before);
        }
        if steps.is_empty() && !failed {
            let found = self.describe(self.peek());
            let error = Diagnostic::error(format!("expected a statement, found {found}"), self.peek().span);
            self.report(error.help("write `skip` for a statement that does nothing"));
        }
        self.enclosing.pop();
        steps
    }

    fn leading_separator(&mut self) -> bool {
        let found = self.at_separator();
        if found {
            let text = self.describe(self.peek());
            self.error(format!("expected a statement before {text}"), self.peek().span);
        }
        self.skip_separators();
        found
    }

    /// What stands between a step and the next. SPIN needs nothing after `}` and `else`.
    fn separate(&mut self, step: &Step) -> Parse<()> {
        if self.at_separator() {
            self.skip_separators();
            return Ok(());
        }
        if self.at_end_of_sequence() || self.previous().is(Punct::CloseBrace) || ends_by_itself(step) {
            return Ok(());
        }
        let found = self.describe(self.peek());
        if self.starts_step() {
            let error = Diagnostic::error(format!("expected `;` or `->` before {found}"), self.peek().span);
            self.report(error.help("statements on one line are separated by `;` or `->`"));
            return Ok(());
        }
        Err(self.unexpected("`;` or `->` after the statement"))
    }

    /// At something that ends a sequence. What ends nothing that is open is reported and skipped.
    fn at_end_of_sequence(&mut self) -> bool {
        loop {
            let token = self.peek();
            let in_choice = |this: &Self| this.enclosing.iter().any(|inside| *inside != Enclosing::Braces);
            let (closes_something, message) = match token.kind {
                TokenKind::End => return true,
                TokenKind::Punct(Punct::CloseBrace) => return true,
                TokenKind::Punct(Punct::ColonColon) => (in_choice(self), "`::` outside `if` and `do`"),
                TokenKind::Keyword(Keyword::Fi) => {
                    (self.enclosing.contains(&Enclosing::If), "`fi` without an `if` before it")
                }
                TokenKind::Keyword(Keyword::Od) => {
                    (self.enclosing.contains(&Enclosing::Do), "`od` without a `do` before it")
                }
                _ => return self.starts_unit(),
            };
            if closes_something {
                return true;
            }
            self.error(message, token.span);
            self.bump();
            self.skip_separators();
        }
    }

    fn step(&mut self) -> Parse<Step> {
        if self.at_mtype_declaration() {
            let error = Diagnostic::error("names of mtypes are declared outside processes", self.peek().span);
            self.report(error.help("move this declaration to the top level"));
            self.mtype_declaration()?;
            return Err(Failed);
        }
        if self.at_declaration() {
            return Ok(Step::Declaration(self.declaration()?));
        }
        if self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs) {
            return Ok(Step::Exclusive(self.exclusive()?));
        }
        let main = self.statement()?;
        if !self.take_keyword(Keyword::Unless) {
            return Ok(Step::Statement(main));
        }
        let escape = self.statement()?;
        if self.at_keyword(Keyword::Unless) {
            let error = Diagnostic::error("`unless` cannot be chained", self.peek().span);
            return Err(self.report(error.help("put braces around the first `unless` with both its sides")));
        }
        let span = self.sources.join(main.span, escape.span);
        let kind = StatementKind::Unless { main: Box::new(main), escape: Box::new(escape) };
        Ok(Step::Statement(Statement { span, kind }))
    }

    /// Whether a step can start with the token at hand; names and constants can, so this is a guess after an error.
    pub(super) fn starts_step(&self) -> bool {
        match self.peek().kind {
            TokenKind::Name | TokenKind::Number | TokenKind::EmbeddedC => true,
            TokenKind::Punct(punct) => matches!(punct, Punct::OpenBrace | Punct::OpenParen),
            TokenKind::Keyword(keyword) => {
                !matches!(keyword, Keyword::Of | Keyword::Unless | Keyword::Priority | Keyword::Provided)
                    && !self.starts_unit()
            }
            _ => false,
        }
    }

    /// At a keyword that only a top-level item can start with.
    pub(super) fn starts_unit(&self) -> bool {
        let TokenKind::Keyword(keyword) = self.peek().kind else {
            return false;
        };
        matches!(
            keyword,
            Keyword::Proctype
                | Keyword::DProctype
                | Keyword::Active
                | Keyword::Init
                | Keyword::Never
                | Keyword::Trace
                | Keyword::Notrace
                | Keyword::Ltl
                | Keyword::Typedef
                | Keyword::Inline
        )
    }

    /// Moves behind the next separator, or to where a statement surely starts or a sequence may end.
    fn recover_to_step(&mut self, before: usize) {
        let mut parentheses = 0_usize;
        loop {
            let token = self.peek();
            // A separator inside parentheses separates nothing; but the end of a line is one only outside them.
            if token.kind == TokenKind::LineEnd || (parentheses == 0 && self.at_separator()) {
                self.skip_separators();
                return;
            }
            let stops = match token.kind {
                TokenKind::End => return,
                TokenKind::Punct(Punct::CloseBrace | Punct::ColonColon) => return,
                TokenKind::Punct(Punct::OpenBrace) => true,
                TokenKind::Keyword(keyword) => match keyword {
                    Keyword::Fi | Keyword::Od => return,
                    _ if self.starts_unit() => return,
                    _ => starts_only_statements(keyword),
                },
                _ => false,
            };
            if stops && self.position > before {
                return;
            }
            match token.kind {
                TokenKind::Punct(Punct::OpenParen | Punct::OpenBracket) => parentheses += 1,
                TokenKind::Punct(Punct::CloseParen | Punct::CloseBracket) => {
                    parentheses = parentheses.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Moves to where the next top-level item may start.
    pub(super) fn recover_to_unit(&mut self, before: usize) {
        // Behind a broken body whatever looks like a declaration is likely a local one.
        let first = self.tokens[before];
        let was_declaration =
            !first.is(Punct::CloseBrace) && !matches!(first.kind, TokenKind::Keyword(keyword) if has_body(keyword));
        if self.position == before {
            self.bump();
        }
        loop {
            let token = self.peek();
            if token.kind == TokenKind::End || self.starts_unit() {
                return;
            }
            if was_declaration && (self.at_separator() || (token.starts_line && self.at_declaration())) {
                return;
            }
            if token.is(Punct::OpenBrace) {
                self.skip_balanced();
                if was_declaration {
                    return;
                }
            } else {
                self.bump();
            }
        }
    }
}

/// After an inline its closing brace is gone, but it was there.
fn ends_by_itself(step: &Step) -> bool {
    let Step::Statement(statement) = step else { return false };
    let mut kind = &statement.kind;
    while let StatementKind::Labeled { statement, .. } | StatementKind::Unless { escape: statement, .. } = kind {
        kind = &statement.kind;
    }
    matches!(kind, StatementKind::Else | StatementKind::Inline { .. })
}

fn starts_only_statements(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::If
            | Keyword::Do
            | Keyword::Atomic
            | Keyword::DStep
            | Keyword::For
            | Keyword::Select
            | Keyword::Goto
            | Keyword::Break
            | Keyword::Assert
            | Keyword::Printf
            | Keyword::Else
    )
}

fn has_body(keyword: Keyword) -> bool {
    use Keyword::{Active, DProctype, Init, Inline, Never, Notrace, Proctype, Trace};
    matches!(keyword, Active | DProctype | Init | Inline | Never | Notrace | Proctype | Trace)
}
