//! From text to tokens. Text that is no token becomes an invalid one, which the parser reports where it meets it.

use crate::source::FileId;
use crate::tokens::{self, Scanner, Token, TokenKind, length_of};

/// Longer ones first.
const SYMBOLS: [&str; 34] = [
    "#MODULE#", ":=", "->", "&&", "||", "!=", "<=", ">=", "<>", "[]", "..", "(", ")", "[", "]", "{", "}", ",", ";",
    ":", ".", "!", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "#", "?",
];

/// Words that cannot be names.
const KEYWORDS: &str =
    "TRUE FALSE SPEC boolean int process if then else fi while do od skip label send receive assert terminate";

pub fn tokens(file: FileId, text: &str) -> Vec<Token<'_>> {
    tokens::tokens(file, text, next)
}

fn next<'t>(scanner: &mut Scanner<'t>) -> Token<'t> {
    loop {
        scanner.skip_blanks();
        match scanner.skip_comment("/*", "*/") {
            Ok(true) => {}
            Ok(false) => break,
            Err(unterminated) => return unterminated,
        }
    }
    let rest = scanner.rest();
    match rest.chars().next() {
        Some('0'..='9') => scanner.take(length_of(rest, |next| next.is_ascii_digit()), TokenKind::Number),
        Some(first) if first.is_ascii_alphabetic() || first == '_' => {
            let length = length_of(rest, |next| next.is_ascii_alphanumeric() || next == '_');
            let is_keyword = KEYWORDS.split_whitespace().any(|keyword| keyword == &rest[..length]);
            scanner.take(length, if is_keyword { TokenKind::Keyword } else { TokenKind::Name })
        }
        _ => scanner.take_symbol(&SYMBOLS),
    }
}
