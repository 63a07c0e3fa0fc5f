//! From text to tokens. The lexer reports nothing: text that is no token becomes an invalid token, because whether
//! it matters is known only after `#if` has chosen what to read.

use super::token::{Interner, Problem, Punct, Symbol, Token, TokenKind};
use crate::source::{FileId, Span};

/// More tokens than a program may have, so that one of nothing but parentheses does not fill the memory first.
const ENOUGH_TOKENS: usize = super::preprocess::MAX_TOKENS + 1;

/// All tokens of a file's text, or enough of them to see that they are too many.
pub(super) fn tokens(file: FileId, text: &str, interner: &mut Interner) -> Vec<Token> {
    let mut lexer = Lexer { text, position: 0, file, starts_line: true, space_before: false, interner };
    std::iter::from_fn(|| lexer.next()).take(ENOUGH_TOKENS).collect()
}

/// What is wrong with the digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberProblem {
    /// Does not fit in 32 bits.
    TooLarge,
    /// `0x1f`, which Promela does not have; with its value, if it fits.
    Hexadecimal(Option<i32>),
    /// Letters among the digits.
    Malformed,
}

/// The value of a number in Promela, where a leading zero means nothing.
pub(super) fn number_value(text: &str) -> Result<i64, NumberProblem> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NumberProblem::Hexadecimal(i32::from_str_radix(digits, 16).ok()));
        }
        return Err(NumberProblem::Malformed);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberProblem::Malformed);
    }
    match text.parse::<i64>() {
        // One more than the greatest 32-bit number is allowed here for the sake of its negation.
        Ok(value) if value <= i64::from(i32::MAX) + 1 => Ok(value),
        _ => Err(NumberProblem::TooLarge),
    }
}

/// The value of a character constant, given with its quotes.
pub(super) fn character_value(text: &str) -> i32 {
    let mut characters = text.trim_matches('\'').chars();
    match (text, characters.next(), characters.next()) {
        ("'''" | "'\\''", ..) => i32::from(b'\''),
        (_, Some('\\'), Some(escaped)) => match escaped {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'f' => 12,
            other => other as i32,
        },
        (_, Some(character), _) => character as i32,
        _ => 0,
    }
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
    file: FileId,
    starts_line: bool,
    space_before: bool,
    interner: &'a mut Interner,
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Neither white space nor the start of any token.
fn is_stray(character: char) -> bool {
    let starts_token = character.is_ascii_alphanumeric() || matches!(character, '_' | '"' | '\'');
    !starts_token
        && !character.is_ascii_whitespace()
        && Punct::at_start_of(character.encode_utf8(&mut [0; 4])).is_none()
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        if let Some(unterminated) = self.skip_space() {
            self.position = self.text.len();
            return Some(self.token(TokenKind::Invalid(Problem::UnterminatedComment), unterminated, unterminated + 2));
        }
        let start = self.position;
        let byte = self.byte(0)?;
        let kind = match byte {
            b'*' if self.at_stray_comment_end() => {
                self.position += 2;
                TokenKind::Invalid(Problem::StrayCommentEnd)
            }
            b'"' => self.string(),
            b'\'' => self.character(),
            _ if starts_name(byte) => {
                self.skip_while(continues_name);
                TokenKind::Name
            }
            _ if byte.is_ascii_digit() => {
                self.skip_while(continues_name);
                TokenKind::Number
            }
            _ => match Punct::at_start_of(&self.text[start..]) {
                Some(punct) => {
                    self.position += punct.text().len();
                    TokenKind::Punct(punct)
                }
                None => {
                    // A run of them is one mistake, not many.
                    let rest = &self.text[start..];
                    self.position += rest.find(|character| !is_stray(character)).unwrap_or(rest.len());
                    TokenKind::Invalid(Problem::StrayCharacter)
                }
            },
        };
        Some(self.token(kind, start, self.position))
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + ahead).copied()
    }

    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&condition) {
            self.position += 1;
        }
    }

    fn token(&mut self, kind: TokenKind, start: usize, end: usize) -> Token {
        let text = &self.text[start..end];
        let text = if kind == TokenKind::String && text.contains("\\\n") {
            self.interner.intern(&text.replace("\\\n", ""))
        } else if matches!(kind, TokenKind::Invalid(_)) {
            // Of no use, and binary files would fill the table with them.
            self.interner.intern("")
        } else {
            self.interner.intern(text)
        };
        let span = Span { file: self.file, start: start as u32, end: end as u32, expansion: None };
        let token = Token {
            kind,
            text,
            span,
            starts_line: self.starts_line,
            space_before: self.space_before,
            never_expand: false,
        };
        self.starts_line = false;
        self.space_before = false;
        token
    }

    /// Skips white space and comments; returns where a comment starts that does not end. As in C, a comment is one
    /// space, even if it stretches over lines, and so is a line end after a backslash.
    fn skip_space(&mut self) -> Option<usize> {
        loop {
            match (self.byte(0), self.byte(1)) {
                (Some(b'\n'), _) => {
                    self.starts_line = true;
                    self.position += 1;
                }
                (Some(b'\\'), Some(b'\n')) => self.position += 2,
                (Some(b'\\'), Some(b'\r')) if self.byte(2) == Some(b'\n') => self.position += 3,
                (Some(byte), _) if byte.is_ascii_whitespace() || byte == 0x0b => self.position += 1,
                (Some(b'/'), Some(b'*')) => match self.text[self.position + 2..].find("*/") {
                    Some(length) => self.position += length + 4,
                    None => return Some(self.position),
                },
                (Some(b'/'), Some(b'/')) => self.skip_line_comment(),
                _ => return None,
            }
            self.space_before = true;
        }
    }

    /// `*/`, but not `*` before a comment.
    fn at_stray_comment_end(&self) -> bool {
        self.byte(1) == Some(b'/') && !matches!(self.byte(2), Some(b'*' | b'/'))
    }

    fn skip_line_comment(&mut self) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\\' if self.byte(1) == Some(b'\n') => self.position += 2,
                b'\n' => return,
                _ => self.position += 1,
            }
        }
    }

    fn string(&mut self) -> TokenKind {
        match self.quoted(b'"') {
            true => TokenKind::String,
            false => TokenKind::Invalid(Problem::UnterminatedString),
        }
    }

    fn character(&mut self) -> TokenKind {
        let start = self.position;
        // Three quotes are the quote itself, as SPIN reads them.
        if self.text[start..].starts_with("'''") {
            self.position += 3;
            return TokenKind::Character;
        }
        if !self.quoted(b'\'') {
            return TokenKind::Invalid(Problem::UnterminatedCharacter);
        }
        let inside = &self.text[start + 1..self.position - 1];
        let (escaped, expected) = if inside.starts_with('\\') { (true, 2) } else { (false, 1) };
        match inside.chars().count() {
            0 => TokenKind::Invalid(Problem::EmptyCharacter),
            count if count == expected && (escaped || inside.is_ascii()) => TokenKind::Character,
            _ => TokenKind::Invalid(Problem::LongCharacter),
        }
    }

    /// Moves behind the closing quote, or to the end of the line if there is none.
    fn quoted(&mut self, quote: u8) -> bool {
        self.position += 1;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => return false,
                b'\\' if self.byte(1).is_some() => {
                    let escaped = self.text[self.position + 1..].chars().next().map_or(0, char::len_utf8);
                    self.position += 1 + escaped;
                }
                _ if byte == quote => {
                    self.position += 1;
                    return true;
                }
                _ => self.position += 1,
            }
        }
        false
    }
}

/// The single token that a text makes, if it makes one: what `##` pastes together.
pub(super) fn single_token(text: &str, interner: &mut Interner) -> Option<(TokenKind, Symbol)> {
    let tokens = tokens(FileId(0), text, interner);
    match tokens.as_slice() {
        [token] if !matches!(token.kind, TokenKind::Invalid(_)) => Some((token.kind, token.text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(TokenKind, String)> {
        let mut interner = Interner::default();
        let tokens = tokens(FileId(0), text, &mut interner);
        tokens.iter().map(|token| (token.kind, interner.text(token.text).to_string())).collect()
    }

    fn texts(text: &str) -> Vec<String> {
        lex(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ranges_and_operators_are_cut_as_promela_has_them() {
        assert_eq!(texts("0..N c??<x>->i--"), ["0", "..", "N", "c", "??", "<", "x", ">", "->", "i", "--"]);
        assert_eq!(texts("a/*x\ny*/b // c\nd\\\ne"), ["a", "b", "d", "e"]);
        assert_eq!(texts("a */**/ b *// c\nd"), ["a", "*", "b", "*", "d"]);
        assert_eq!(lex("a */ b")[1].0, TokenKind::Invalid(Problem::StrayCommentEnd));
    }

    #[test]
    fn only_line_ends_start_lines() {
        let mut interner = Interner::default();
        let tokens = tokens(FileId(0), "a /* \n */ b \\\n c\nd", &mut interner);
        let flags: Vec<bool> = tokens.iter().map(|token| token.starts_line).collect();
        assert_eq!(flags, [true, false, false, true]);
    }

    #[test]
    fn literals() {
        assert_eq!(lex("'a'")[0].0, TokenKind::Character);
        assert_eq!(character_value("'a'"), 97);
        assert_eq!(character_value("'\\n'"), 10);
        assert_eq!(character_value("'\\''"), 39);
        assert_eq!(lex("'\\''")[0].0, TokenKind::Character);
        assert_eq!(lex("'ab'")[0].0, TokenKind::Invalid(Problem::LongCharacter));
        assert_eq!(lex("\"a\\\"b\"")[0].0, TokenKind::String);
        assert_eq!(lex("\"abc\nd")[0].0, TokenKind::Invalid(Problem::UnterminatedString));
        assert_eq!(number_value("010"), Ok(10));
        assert_eq!(number_value("2147483648"), Ok(2147483648));
        assert_eq!(number_value("2147483649"), Err(NumberProblem::TooLarge));
        assert_eq!(number_value("0x1f"), Err(NumberProblem::Hexadecimal(Some(31))));
        assert_eq!(number_value("12ab"), Err(NumberProblem::Malformed));
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in
            ["\\", "'", "'\\", "\"\\", "/*", "/", "\u{fffd}\u{e9}", "'\u{e9}'", "'\\\u{e9}'", "//\\", "\"\\\u{e9}"]
        {
            lex(text);
        }
    }
}
