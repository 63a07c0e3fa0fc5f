//! Tokens to a tree. After an error the rest of the declaration is skipped, so that several errors are found at once.

mod expressions;
mod modules;
mod words;

use super::ast::{Expr, Name, Program};
use super::words::is_section;
use crate::diagnostics::Diagnostics;
use crate::source::Span;
use crate::tokens::{Cursor, Parse, Parsing, Problem, Reported, Token, TokenKind};

/// Operators in a row nest, too.
const MAX_OPERATORS: usize = 20_000;

pub(super) fn program(tokens: &[Token<'_>], diagnostics: &mut Diagnostics) -> Program {
    Parser::new(tokens, diagnostics).program()
}

/// A formula or a condition that stands alone.
pub(super) fn expression(tokens: &[Token<'_>], diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser::new(tokens, diagnostics);
    let parsed = parser.expression().ok()?;
    if !parser.at_end() {
        parser.error_here("expected the end of the expression");
        return None;
    }
    Some(parsed)
}

struct Parser<'a, 't> {
    cursor: Cursor<'a, 't>,
    operators: usize,
    /// In `A [f U g]`, the `U` ends `f`.
    until_ends: bool,
}

impl<'a, 't> Parsing<'a, 't> for Parser<'a, 't> {
    const MAX_NESTING: usize = 1000;

    fn cursor(&self) -> &Cursor<'a, 't> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, 't> {
        &mut self.cursor
    }

    fn problem(&self, problem: Problem) -> &'static str {
        match problem {
            Problem::StrayCharacter => "this is not SMV: no token starts with this character",
            Problem::UnterminatedComment => "this comment is never ended by `--/`",
            Problem::Real => "real numbers are not supported",
        }
    }
}

impl<'a, 't> Parser<'a, 't> {
    fn new(tokens: &'a [Token<'t>], diagnostics: &'a mut Diagnostics) -> Parser<'a, 't> {
        Parser { cursor: Cursor::new(tokens, diagnostics), operators: 0, until_ends: false }
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Ok(Name { text: token.text.to_owned(), span: token.span })
            }
            TokenKind::Keyword if !is_section(token.text) => self.error_keyword(what),
            _ => {
                self.error_here(&format!("expected {what}"));
                Err(Reported)
            }
        }
    }

    fn unsupported<T>(&mut self, what: &str, span: Span) -> Parse<T> {
        self.error(format!("{what} not supported"), span);
        Err(Reported)
    }

    fn count_operator(&mut self) -> Parse<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Ok(());
        }
        let message = format!("an expression has more than {MAX_OPERATORS} operators");
        self.error(message, self.token().span);
        Err(Reported)
    }

    /// Goes to the next place where a declaration may begin.
    fn recover(&mut self) {
        while !self.at_end() && !self.at_section() {
            if self.advance().text == ";" {
                return;
            }
        }
    }

    fn at_section(&self) -> bool {
        let token = self.token();
        token.kind == TokenKind::Keyword && is_section(token.text)
    }
}
