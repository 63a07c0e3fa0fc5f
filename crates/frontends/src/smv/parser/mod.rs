//! Tokens to a tree. After an error the rest of the declaration is skipped, so that several errors are found at once.

mod expressions;
mod modules;
mod words;

use super::ast::{Expr, Name, Program};
use super::token::{Problem, Token, TokenKind, is_section};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Span;

/// What nests deeper is not written by people, and would need a stack without end.
const MAX_NESTING: usize = 1000;
/// Operators in a row nest, too.
const MAX_OPERATORS: usize = 20_000;

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

type Parse<T> = Result<T, Reported>;

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
    tokens: &'a [Token<'t>],
    at: usize,
    diagnostics: &'a mut Diagnostics,
    nesting: usize,
    operators: usize,
    /// In `A [f U g]`, the `U` ends `f`.
    until_ends: bool,
}

impl<'a, 't> Parser<'a, 't> {
    fn new(tokens: &'a [Token<'t>], diagnostics: &'a mut Diagnostics) -> Parser<'a, 't> {
        Parser { tokens, at: 0, diagnostics, nesting: 0, operators: 0, until_ends: false }
    }

    fn token(&self) -> Token<'t> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn following(&self) -> Token<'t> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.token();
        self.at += 1;
        token
    }

    /// Is this symbol or keyword next?
    fn is(&self, text: &str) -> bool {
        let token = self.token();
        matches!(token.kind, TokenKind::Symbol | TokenKind::Keyword) && token.text == text
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Parse<Span> {
        if self.is(text) {
            return Ok(self.advance().span);
        }
        self.error_here(&format!("expected `{text}`"));
        Err(Reported)
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Ok(Name { text: token.text.to_owned(), span: token.span })
            }
            TokenKind::Keyword if !is_section(token.text) => {
                let message = format!("expected {what}, but `{}` is a word of the language", token.text);
                self.diagnostics.add(Diagnostic::error(message, token.span).help("choose another name"));
                Err(Reported)
            }
            _ => {
                self.error_here(&format!("expected {what}"));
                Err(Reported)
            }
        }
    }

    /// Reports what was expected, and what there is.
    fn error_here(&mut self, expected: &str) {
        let token = self.token();
        let message = match token.kind {
            TokenKind::Invalid(Problem::StrayCharacter) => {
                "this is not SMV: no token starts with this character".into()
            }
            TokenKind::Invalid(Problem::UnterminatedComment) => "this comment is never ended by `--/`".into(),
            TokenKind::Invalid(Problem::Real) => "real numbers are not supported".into(),
            TokenKind::End => format!("{expected}, found the end of the text"),
            _ => format!("{expected}, found `{}`", token.text),
        };
        self.diagnostics.add(Diagnostic::error(message, token.span));
    }

    fn unsupported<T>(&mut self, what: &str, span: Span) -> Parse<T> {
        self.diagnostics.add(Diagnostic::error(format!("{what} not supported"), span));
        Err(Reported)
    }

    /// Runs a parser one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("expressions nest more than {MAX_NESTING} deep");
            self.diagnostics.add(Diagnostic::error(message, self.token().span));
            return Err(Reported);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn count_operator(&mut self) -> Parse<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Ok(());
        }
        let message = format!("an expression has more than {MAX_OPERATORS} operators");
        self.diagnostics.add(Diagnostic::error(message, self.token().span));
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
