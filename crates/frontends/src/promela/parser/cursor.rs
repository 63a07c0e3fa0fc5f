//! Reading tokens one by one, and saying what is wrong with them.

use super::super::ast::Name;
use super::super::token::{Interner, Keyword, Punct, Token, TokenKind};
use super::{Failed, MAX_NESTING, Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// "2 arguments, but 1 is given"
pub(in crate::promela) fn argument_counts(expected: usize, given: usize) -> String {
    let plural = if expected == 1 { "argument" } else { "arguments" };
    let verb = if given == 1 { "is" } else { "are" };
    format!("{expected} {plural}, but {given} {verb} given")
}

pub(super) fn end_token(span: Span, interner: &Interner) -> Token {
    // The text of an end token is never looked at; the first symbol will do.
    let text = interner.first();
    Token { kind: TokenKind::End, text, span, starts_line: true, space_before: true, never_expand: false }
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        let at = if self.gave_up { last } else { (self.position + ahead).min(last) };
        self.tokens[at]
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn at(&self, punct: Punct) -> bool {
        self.peek().is(punct)
    }

    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek().is_keyword(keyword)
    }

    pub(super) fn take(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, punct: Punct) -> Parse<Token> {
        if self.at(punct) { Ok(self.bump()) } else { Err(self.unexpected(&format!("`{}`", punct.text()))) }
    }

    /// The closing counterpart of a bracket; a missing one is explained by the place of the opening one.
    pub(super) fn expect_closing(&mut self, punct: Punct, opening: Token) -> Parse<Token> {
        if self.at(punct) {
            return Ok(self.bump());
        }
        if self.gave_up {
            return Err(Failed);
        }
        let found = self.describe(self.peek());
        let message = format!("expected `{}`, found {found}", punct.text());
        let mut error = Diagnostic::error(message, self.peek().span);
        // Where both are on one line, the marker under the opening one would only repeat the line.
        let line_of = |span: Span| (span.file, self.sources.file(span.file).line_of(span.start));
        if line_of(opening.span) != line_of(self.peek().span) {
            let text = self.interner.text(opening.text);
            error = error.note(format!("to close this `{text}`"), opening.span);
        }
        self.diagnostics.add(error);
        Err(Failed)
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Parse<Name> {
        let token = self.peek();
        if token.kind == TokenKind::Name {
            self.bump();
            return Ok(self.name(token));
        }
        if let TokenKind::Keyword(keyword) = token.kind
            && !self.gave_up
        {
            let word = keyword.text();
            let message = format!("expected {what}, found the keyword `{word}`");
            let error = Diagnostic::error(message, token.span);
            self.diagnostics.add(error.help(format!("`{word}` is a reserved word and cannot be a name")));
            return Err(Failed);
        }
        Err(self.unexpected(what))
    }

    pub(super) fn name(&self, token: Token) -> Name {
        Name { text: self.interner.text(token.text).to_string(), span: token.span }
    }

    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End if self.inlines.is_empty() => "the end of the text".to_string(),
            TokenKind::End => "the end of the inline".to_string(),
            TokenKind::LineEnd => "the end of the line".to_string(),
            TokenKind::String => "a string".to_string(),
            _ => format!("`{}`", self.interner.text(token.text)),
        }
    }

    /// Reports that something else should stand here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        let found = self.describe(self.peek());
        self.error(format!("expected {expected}, found {found}"), self.peek().span)
    }

    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) -> Failed {
        self.report(Diagnostic::error(message, span))
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        // After giving up everything reads as the end, and complaining about that helps nobody.
        if !self.gave_up {
            self.diagnostics.add(diagnostic);
        }
        if self.diagnostics.is_full() {
            self.gave_up = true;
        }
        Failed
    }

    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.report(diagnostic);
        self.gave_up = true;
        Failed
    }

    /// Runs a parser of something that may contain its own kind.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("brackets, blocks and inlines nest more than {MAX_NESTING} deep");
            return Err(self.give_up(Diagnostic::error(message, self.peek().span)));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// From a place to the token read last.
    pub(super) fn since(&self, start: Span) -> Span {
        match self.position.checked_sub(1) {
            Some(last) => self.sources.join(start, self.tokens[last].span),
            None => start,
        }
    }

    pub(super) fn previous(&self) -> Token {
        self.tokens[self.position.saturating_sub(1)]
    }

    /// A list with commas between its members.
    pub(super) fn comma_separated<T>(&mut self, mut member: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut members = vec![member(self)?];
        while self.take(Punct::Comma) {
            members.push(member(self)?);
        }
        Ok(members)
    }

    /// Moves behind the bracket that closes the one we are at, or to the end.
    pub(super) fn skip_balanced(&mut self) {
        let TokenKind::Punct(open) = self.peek().kind else {
            return;
        };
        let close = match open {
            Punct::OpenParen => Punct::CloseParen,
            Punct::OpenBracket => Punct::CloseBracket,
            Punct::OpenBrace => Punct::CloseBrace,
            _ => return,
        };
        let last = self.tokens.len() - 1;
        let length = super::super::separators::balanced_length(&self.tokens[self.position..last], open, close);
        self.position += length;
    }
}
