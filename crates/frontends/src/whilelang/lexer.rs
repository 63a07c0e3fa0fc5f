//! From text to tokens. Text that is no token becomes an invalid one, which the parser reports where it meets it.

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
    /// A name or a word of the language.
    Word,
    Number,
    Symbol,
    End,
    StrayCharacter,
    UnterminatedComment,
}

/// Longer ones first.
const SYMBOLS: [&str; 34] = [
    "#MODULE#", ":=", "->", "&&", "||", "!=", "<=", ">=", "<>", "[]", "..", "(", ")", "[", "]", "{", "}", ",", ";",
    ":", ".", "!", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "#", "?",
];

pub fn tokens(file: FileId, text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, position: 0, file };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    file: FileId,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> Token<'t> {
        if let Some(unterminated) = self.skip_blanks() {
            return unterminated;
        }
        let rest = &self.text[self.position..];
        let Some(first) = rest.chars().next() else { return self.take(0, TokenKind::End) };
        let length_of = |is_part: fn(char) -> bool| rest.find(|next: char| !is_part(next)).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            return self.take(length_of(|next| next.is_ascii_digit()), TokenKind::Number);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return self.take(length_of(|next| next.is_ascii_alphanumeric() || next == '_'), TokenKind::Word);
        }
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => self.take(symbol.len(), TokenKind::Symbol),
            None => self.take(first.len_utf8(), TokenKind::StrayCharacter),
        }
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Option<Token<'t>> {
        loop {
            let rest = &self.text[self.position..];
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            let comment = trimmed.strip_prefix("/*")?;
            let Some(end) = comment.find("*/") else {
                let token = self.take(2, TokenKind::UnterminatedComment);
                self.position = self.text.len();
                return Some(token);
            };
            self.position += end + 4;
        }
    }

    fn take(&mut self, length: usize, kind: TokenKind) -> Token<'t> {
        let (start, end) = (self.position, self.position + length);
        self.position = end;
        let span = Span { file: self.file, start: start as u32, end: end as u32, expansion: None };
        Token { kind, text: &self.text[start..end], span }
    }
}
