//! Tokens of formulas: signs, words, and texts in braces or quotes that are taken as they are.

use std::ops::Range;

use super::parse::ParseError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a keyword or a number.
    Word(String),
    Sign(&'static str),
    /// What stood in braces or quotes.
    Opaque(String),
    End,
}

/// Longer signs before those they start with.
const SIGNS: [&str; 43] = [
    "<->", "<=>", "[]", "<>", "->", "=>", "&&", "||", "/\\", "\\/", "==", "!=", "<=", ">=", "<<", ">>", "!", "~", "(",
    ")", "[", "]", "&", "|", "^", "<", ">", "+", "-", "*", "/", "%", ".", "@", ":", ",", "?", "=", ";", "#", "$", "'",
    "\\",
];

/// All tokens of a text with their places; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = if is_in_word(first) {
            let length = rest.find(|character| !is_in_word(character)).unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else if first == '{' {
            let length = braced(rest).ok_or_else(|| unclosed(at, '{', '}'))?;
            (Token::Opaque(rest[1..length - 1].trim().to_owned()), length)
        } else if first == '"' {
            quoted(rest).ok_or_else(|| unclosed(at, '"', '"'))?
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return Err(ParseError::new(at, format!("`{first}` is not part of any formula"))
                .help("put an expression of another language in double quotes"));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn unclosed(at: usize, open: char, close: char) -> ParseError {
    ParseError::new(at, format!("this `{open}` is never closed")).help(format!("add a `{close}`"))
}

/// The length of a text from its opening brace to the matching one.
fn braced(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A text from its opening quote to the closing one; a backslash keeps a quote or a backslash from being read as one.
fn quoted(text: &str) -> Option<(Token, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((Token::Opaque(content), at + 1)),
            '\\' => content.push(characters.next()?.1),
            _ => content.push(character),
        }
    }
    None
}

/// Words that mean something in formulas and so are no atoms.
pub(super) fn is_reserved(word: &str) -> bool {
    const RESERVED: [&str; 27] = [
        "X",
        "next",
        "G",
        "always",
        "F",
        "eventually",
        "U",
        "until",
        "stronguntil",
        "W",
        "weakuntil",
        "V",
        "R",
        "release",
        "M",
        "strongrelease",
        "and",
        "or",
        "not",
        "xor",
        "implies",
        "equivalent",
        "iff",
        "true",
        "false",
        "1",
        "0",
    ];
    RESERVED.contains(&word)
}

/// Whether an atom can be written as it is: a name with no other meaning.
pub(super) fn is_plain_atom(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_in_word) && !is_reserved(text)
}

/// Whether a text in braces is read back as the same text.
pub(super) fn fits_in_braces(text: &str) -> bool {
    text == text.trim() && braced(&format!("{{{text}}}")) == Some(text.len() + 2)
}

/// A text in quotes that is read back as the same text.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
