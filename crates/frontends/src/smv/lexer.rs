//! From text to tokens. Text that is no token becomes an invalid one, which the parser reports where it meets it.

use super::words::is_keyword;
use crate::source::FileId;
use crate::tokens::{self, Problem, Scanner, Token, TokenKind, length_of};

/// Longer ones first.
const SYMBOLS: [&str; 37] = [
    "<->", ":=", "->", "<=", ">=", "!=", "<<", ">>", "::", "..", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!",
    "&", "|", "=", "<", ">", "+", "-", "*", "/", "?", "@", "\"", "'", "~", "^", "\\",
];

pub fn tokens(file: FileId, text: &str) -> Vec<Token<'_>> {
    tokens::tokens(file, text, next)
}

fn next<'t>(scanner: &mut Scanner<'t>) -> Token<'t> {
    if let Err(unterminated) = skip_blanks(scanner) {
        return unterminated;
    }
    let rest = scanner.rest();
    match rest.chars().next() {
        Some('0'..='9') => number(scanner),
        Some(first) if first.is_ascii_alphabetic() || first == '_' => {
            let length = length_of(rest, is_in_name);
            // A comment ends a name: `x--` is `x` and a comment. So does an arrow.
            let length = rest[..length].find("--").unwrap_or(length);
            let arrow = rest[..length].ends_with('-') && rest[length..].starts_with('>');
            let length = length - usize::from(arrow);
            let kind = if is_keyword(&rest[..length]) { TokenKind::Keyword } else { TokenKind::Name };
            scanner.take(length, kind)
        }
        _ => scanner.take_symbol(&SYMBOLS),
    }
}

/// Skips blanks and comments.
fn skip_blanks<'t>(scanner: &mut Scanner<'t>) -> Result<(), Token<'t>> {
    loop {
        scanner.skip_blanks();
        if scanner.skip_comment("/--", "--/")? {
            continue;
        }
        let rest = scanner.rest();
        if !rest.starts_with("--") {
            return Ok(());
        }
        scanner.skip(rest.find('\n').unwrap_or(rest.len()));
    }
}

fn number<'t>(scanner: &mut Scanner<'t>) -> Token<'t> {
    let rest = scanner.rest();
    let digits = length_of(rest, |next| next.is_ascii_digit());
    let after = &rest[digits..];
    if rest.starts_with('0') && digits == 1 && after.starts_with(['u', 's', 'b', 'B', 'o', 'O', 'd', 'D', 'h', 'H']) {
        return scanner.take(length_of(rest, |next| next.is_ascii_alphanumeric() || next == '_'), TokenKind::Word);
    }
    let fraction = after.strip_prefix('.').map_or(0, |after| length_of(after, |next| next.is_ascii_digit()));
    if fraction > 0 {
        return scanner.take(digits + 1 + fraction, TokenKind::Invalid(Problem::Real));
    }
    scanner.take(digits, TokenKind::Number)
}

fn is_in_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$#-".contains(character)
}
