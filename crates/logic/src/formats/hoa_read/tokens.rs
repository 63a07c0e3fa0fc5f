//! Tokens of the format.

use super::HoaError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `States:`, without the colon.
    Header(String),
    Name(String),
    /// `@name`, without the sign.
    Alias(String),
    Number(u64),
    Text(String),
    Sign(char),
    Body,
    End,
}

pub(super) struct Tokens {
    tokens: Vec<(Token, usize)>,
    at: usize,
    last_line: usize,
}

impl Tokens {
    pub fn of(text: &str) -> Result<Tokens, HoaError> {
        let mut lexer = Lexer { rest: text, line: 1 };
        let mut tokens = Vec::new();
        while let Some(token) = lexer.next()? {
            let is_end = token.0 == Token::End;
            tokens.push(token);
            if is_end {
                break;
            }
        }
        Ok(Tokens { tokens, at: 0, last_line: lexer.line })
    }

    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    pub fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, token: &Token, what: &str) -> Result<(), HoaError> {
        if self.take(token) { Ok(()) } else { Err(self.expected(what)) }
    }

    pub fn number(&mut self, what: &str) -> Result<u64, HoaError> {
        match self.peek() {
            Some(&Token::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// The tokens up to the next header, which are passed over.
    pub fn rest_of_header(&mut self) -> Tokens {
        let start = self.at.min(self.tokens.len());
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Body)) {
            self.at += 1;
        }
        Tokens { tokens: self.tokens[start..self.at].to_vec(), at: 0, last_line: self.last_line }
    }

    pub fn expected(&self, what: &str) -> HoaError {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(Token::Header(name)) => format!("`{name}:`"),
            Some(Token::Name(name)) => format!("`{name}`"),
            Some(Token::Alias(name)) => format!("`@{name}`"),
            Some(Token::Number(number)) => format!("`{number}`"),
            Some(Token::Text(text)) => format!("{text:?}"),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
            Some(Token::Body) => "`--BODY--`".to_owned(),
            Some(Token::End) => "`--END--`".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    pub fn error(&self, message: impl Into<String>) -> HoaError {
        let line = self.tokens.get(self.at).map_or(self.last_line, |(_, line)| *line);
        HoaError { line, message: message.into() }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<(Token, usize)>, HoaError> {
        self.skip_blanks()?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = if first == '"' {
            self.text()?
        } else if first.is_ascii_digit() {
            let digits = self.while_true(|character| character.is_ascii_digit()).to_owned();
            Token::Number(digits.parse().map_err(|_| self.error(format!("`{digits}` is too large")))?)
        } else if first == '@' {
            self.skip(1);
            Token::Alias(self.while_true(is_in_name).to_owned())
        } else if let Some(marker) = ["--BODY--", "--END--", "--ABORT--"].iter().find(|m| self.rest.starts_with(**m)) {
            self.skip(marker.len());
            match *marker {
                "--BODY--" => Token::Body,
                "--END--" => Token::End,
                _ => return Err(self.error("the automaton is incomplete: its writer gave up (`--ABORT--`)")),
            }
        } else if first.is_alphabetic() || first == '_' {
            let name = self.while_true(is_in_name).to_owned();
            if self.rest.starts_with(':') {
                self.skip(1);
                Token::Header(name)
            } else {
                Token::Name(name)
            }
        } else {
            self.skip(first.len_utf8());
            Token::Sign(first)
        };
        Ok(Some((token, line)))
    }

    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }

    fn while_true(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let length = self.rest.find(|character| !wanted(character)).unwrap_or(self.rest.len());
        let (found, rest) = self.rest.split_at(length);
        self.rest = rest;
        found
    }

    fn skip_blanks(&mut self) -> Result<(), HoaError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.skip(blanks);
            if !self.rest.starts_with("/*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self) -> Result<(), HoaError> {
        let start = self.error("this comment is never closed");
        let mut depth = 0;
        while !self.rest.is_empty() {
            if self.rest.starts_with("/*") {
                depth += 1;
                self.skip(2);
            } else if self.rest.starts_with("*/") {
                depth -= 1;
                self.skip(2);
                if depth == 0 {
                    return Ok(());
                }
            } else {
                self.skip(self.rest.chars().next().map_or(0, char::len_utf8));
            }
        }
        Err(start)
    }

    fn text(&mut self) -> Result<Token, HoaError> {
        let start = self.error("this text is never closed");
        let mut content = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.skip(at + 1);
                    return Ok(Token::Text(content));
                }
                '\\' => content.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => content.push(character),
            }
        }
        Err(start)
    }

    fn error(&self, message: impl Into<String>) -> HoaError {
        HoaError { line: self.line, message: message.into() }
    }
}

fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '-'
}
