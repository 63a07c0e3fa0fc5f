//! Tokens of SMV and of while-programs: from text to tokens, and a parser's way through them. Promela has its own, because
//! of its macros.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    pub kind: TokenKind,
    /// The text as written; empty at the end.
    pub text: &'t str,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    Keyword,
    Number,
    /// A constant such as `0ud8_255`.
    Word,
    Symbol,
    End,
    Invalid(Problem),
}

/// Text that is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    StrayCharacter,
    UnterminatedComment,
    Real,
}

/// All tokens of a text, with one for its end. A language says how the next one is taken.
pub fn tokens<'t>(file: FileId, text: &'t str, next: fn(&mut Scanner<'t>) -> Token<'t>) -> Vec<Token<'t>> {
    let mut scanner = Scanner { text, position: 0, file };
    let mut tokens = Vec::new();
    loop {
        let token = next(&mut scanner);
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

/// A place in a text.
pub struct Scanner<'t> {
    text: &'t str,
    position: usize,
    file: FileId,
}

impl<'t> Scanner<'t> {
    pub fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    pub fn skip(&mut self, length: usize) {
        self.position += length;
    }

    pub fn skip_blanks(&mut self) {
        self.skip(self.rest().len() - self.rest().trim_start().len());
    }

    /// Passes over a comment, if one begins here. What is not a comment is left alone; a comment without an end is a token, and the
    /// last one.
    pub fn skip_comment(&mut self, begin: &str, end: &str) -> Result<bool, Token<'t>> {
        let Some(comment) = self.rest().strip_prefix(begin) else { return Ok(false) };
        if let Some(length) = comment.find(end) {
            self.skip(begin.len() + length + end.len());
            return Ok(true);
        }
        let token = self.take(begin.len(), TokenKind::Invalid(Problem::UnterminatedComment));
        self.position = self.text.len();
        Err(token)
    }

    pub fn take(&mut self, length: usize, kind: TokenKind) -> Token<'t> {
        let (start, end) = (self.position, self.position + length);
        self.position = end;
        let span = Span { file: self.file, start: start as u32, end: end as u32, expansion: None };
        Token { kind, text: &self.text[start..end], span }
    }

    /// The first of these symbols that is here, or a character that should not be.
    pub fn take_symbol(&mut self, symbols: &[&str]) -> Token<'t> {
        let rest = self.rest();
        match (symbols.iter().find(|symbol| rest.starts_with(**symbol)), rest.chars().next()) {
            (Some(symbol), _) => self.take(symbol.len(), TokenKind::Symbol),
            (None, Some(stray)) => self.take(stray.len_utf8(), TokenKind::Invalid(Problem::StrayCharacter)),
            (None, None) => self.take(0, TokenKind::End),
        }
    }
}

/// How many characters at the beginning of a text are such.
pub fn length_of(text: &str, is_part: fn(char) -> bool) -> usize {
    text.find(|next| !is_part(next)).unwrap_or(text.len())
}

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

pub type Parse<T> = Result<T, Reported>;

/// How far a parser has come.
pub struct Cursor<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    nesting: usize,
    pub diagnostics: &'a mut Diagnostics,
}

impl<'a, 't> Cursor<'a, 't> {
    /// There is always a token for the end.
    pub fn new(tokens: &'a [Token<'t>], diagnostics: &'a mut Diagnostics) -> Cursor<'a, 't> {
        Cursor { tokens, at: 0, nesting: 0, diagnostics }
    }

    fn get(&self, index: usize) -> Token<'t> {
        self.tokens[index.min(self.tokens.len() - 1)]
    }
}

/// What parsers have in common.
pub trait Parsing<'a, 't: 'a> {
    /// What nests deeper is not written by people, and would need a stack without end.
    const MAX_NESTING: usize;

    fn cursor(&self) -> &Cursor<'a, 't>;
    fn cursor_mut(&mut self) -> &mut Cursor<'a, 't>;
    /// What to say about text that is no token.
    fn problem(&self, problem: Problem) -> &'static str;

    fn token(&self) -> Token<'t> {
        self.cursor().get(self.cursor().at)
    }

    fn following(&self) -> Token<'t> {
        self.cursor().get(self.cursor().at + 1)
    }

    /// What was read last.
    fn last(&self) -> Token<'t> {
        self.cursor().get(self.cursor().at.saturating_sub(1))
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.token();
        self.cursor_mut().at += 1;
        token
    }

    /// Is this symbol, keyword or name next?
    fn is(&self, text: &str) -> bool {
        let token = self.token();
        matches!(token.kind, TokenKind::Symbol | TokenKind::Keyword | TokenKind::Name) && token.text == text
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.cursor_mut().at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Parse<Span> {
        if self.is(text) {
            return Ok(self.advance().span);
        }
        self.error_here(&format!("expected `{text}`"));
        Err(Reported)
    }

    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.cursor_mut().diagnostics.add(Diagnostic::error(message, span));
    }

    /// Reports what was expected, and what there is.
    fn error_here(&mut self, expected: &str) {
        let token = self.token();
        let message = match token.kind {
            TokenKind::Invalid(problem) => self.problem(problem).to_owned(),
            TokenKind::End => format!("{expected}, found the end of the text"),
            _ => format!("{expected}, found `{}`", token.text),
        };
        let mut diagnostic = Diagnostic::error(message, token.span);
        if token.text == "=" && expected.contains("`:=`") {
            diagnostic = diagnostic.help("`:=` assigns, `=` compares");
        }
        self.cursor_mut().diagnostics.add(diagnostic);
    }

    /// A word of the language where a name should be.
    fn error_keyword<T>(&mut self, what: &str) -> Parse<T> {
        let token = self.token();
        let message = format!("expected {what}, but `{}` is a word of the language", token.text);
        self.cursor_mut().diagnostics.add(Diagnostic::error(message, token.span).help("choose another name"));
        Err(Reported)
    }

    /// Runs a parser one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.cursor().nesting >= Self::MAX_NESTING {
            self.error(format!("this nests more than {} deep", Self::MAX_NESTING), self.token().span);
            return Err(Reported);
        }
        self.cursor_mut().nesting += 1;
        let result = parse(self);
        self.cursor_mut().nesting -= 1;
        result
    }
}
