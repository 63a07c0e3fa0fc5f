//! The names that decide how a text is to be read, collected before parsing: typedefs, proctypes, inlines.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::super::token::{Keyword, Punct, Symbol, Token, TokenKind};
use crate::source::Span;

#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(super) typedefs: HashSet<Symbol>,
    pub(super) proctypes: HashSet<Symbol>,
    pub(super) inlines: HashMap<Symbol, Rc<Inline>>,
}

#[derive(Debug)]
pub(super) struct Inline {
    pub name: Symbol,
    pub parameters: Vec<Symbol>,
    /// From `{` to `}`.
    pub body: Vec<Token>,
    pub defined_at: Span,
}

impl Names {
    /// Finds all definitions, well-formed or not; the parser complains about those that are not when it meets them.
    pub(super) fn of(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        for at in 0..tokens.len() {
            let Some(name) = tokens.get(at + 1).filter(|name| name.kind == TokenKind::Name) else {
                continue;
            };
            match tokens[at].kind {
                TokenKind::Keyword(Keyword::Typedef) => {
                    names.typedefs.insert(name.text);
                }
                TokenKind::Keyword(Keyword::Proctype | Keyword::DProctype) => {
                    names.proctypes.insert(name.text);
                }
                TokenKind::Keyword(Keyword::Inline) => {
                    if let Some(inline) = inline_at(&tokens[at..]) {
                        // The first definition counts; the parser reports a second one.
                        names.inlines.entry(name.text).or_insert_with(|| Rc::new(inline));
                    }
                }
                _ => {}
            }
        }
        names
    }
}

/// `inline name ( parameters ) { body }`
fn inline_at(tokens: &[Token]) -> Option<Inline> {
    let (name, open) = (tokens.get(1)?, tokens.get(2)?);
    if !open.is(Punct::OpenParen) {
        return None;
    }
    let mut parameters = Vec::new();
    let mut at = 3;
    loop {
        let token = tokens.get(at)?;
        at += 1;
        match token.kind {
            TokenKind::Name => parameters.push(token.text),
            TokenKind::Punct(Punct::Comma) => {}
            TokenKind::Punct(Punct::CloseParen) => break,
            _ => return None,
        }
    }
    if !tokens.get(at)?.is(Punct::OpenBrace) {
        return None;
    }
    let length = body_length(&tokens[at..])?;
    let body = tokens[at..at + length].to_vec();
    Some(Inline { name: name.text, parameters, body, defined_at: name.span })
}

/// The number of tokens of a body from `{` to `}`; none if it is not closed before something that no body contains.
fn body_length(tokens: &[Token]) -> Option<usize> {
    use Keyword::{Active, DProctype, Init, Inline, Never, Proctype, Typedef};
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punct(Punct::OpenBrace) => depth += 1,
            TokenKind::Punct(Punct::CloseBrace) => depth -= 1,
            TokenKind::Keyword(Active | DProctype | Init | Inline | Never | Proctype | Typedef) => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
