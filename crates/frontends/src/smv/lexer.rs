//! From text to tokens. Text that is no token becomes an invalid one, which the parser reports where it meets it.

use super::token::{Problem, Token, TokenKind, is_keyword};
use crate::source::{FileId, Span};

/// Longer ones first.
const SYMBOLS: [&str; 37] = [
    "<->", ":=", "->", "<=", ">=", "!=", "<<", ">>", "::", "..", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!",
    "&", "|", "=", "<", ">", "+", "-", "*", "/", "?", "@", "\"", "'", "~", "^", "\\",
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
        if first.is_ascii_digit() {
            return self.number(rest);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|next| !is_in_name(next)).unwrap_or(rest.len());
            // A comment ends a name: `x--` is `x` and a comment. So does an arrow.
            let length = rest[..length].find("--").unwrap_or(length);
            let arrow = rest[..length].ends_with('-') && rest[length..].starts_with('>');
            let length = length - usize::from(arrow);
            let kind = if is_keyword(&rest[..length]) { TokenKind::Keyword } else { TokenKind::Name };
            return self.take(length, kind);
        }
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => self.take(symbol.len(), TokenKind::Symbol),
            None => self.take(first.len_utf8(), TokenKind::Invalid(Problem::StrayCharacter)),
        }
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Option<Token<'t>> {
        loop {
            let rest = &self.text[self.position..];
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if let Some(comment) = trimmed.strip_prefix("/--") {
                let Some(end) = comment.find("--/") else {
                    let token = self.take(3, TokenKind::Invalid(Problem::UnterminatedComment));
                    self.position = self.text.len();
                    return Some(token);
                };
                self.position += end + 6;
            } else if trimmed.starts_with("--") {
                self.position += trimmed.find('\n').unwrap_or(trimmed.len());
            } else {
                return None;
            }
        }
    }

    fn number(&mut self, rest: &str) -> Token<'t> {
        let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
        let after = &rest[digits..];
        if rest.starts_with('0') && digits == 1 && after.starts_with(['u', 's', 'b', 'B', 'o', 'O', 'd', 'D', 'h', 'H'])
        {
            let length = rest.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(rest.len());
            return self.take(length, TokenKind::Word);
        }
        let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
        if after.starts_with('.') && is_digit(after.chars().nth(1)) {
            let fraction = after[1..].find(|next: char| !next.is_ascii_digit()).unwrap_or(after.len() - 1);
            return self.take(digits + 1 + fraction, TokenKind::Invalid(Problem::Real));
        }
        self.take(digits, TokenKind::Number)
    }

    fn take(&mut self, length: usize, kind: TokenKind) -> Token<'t> {
        let (start, end) = (self.position, self.position + length);
        self.position = end;
        let span = Span { file: self.file, start: start as u32, end: end as u32, expansion: None };
        Token { kind, text: &self.text[start..end], span }
    }
}

fn is_in_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$#-".contains(character)
}
