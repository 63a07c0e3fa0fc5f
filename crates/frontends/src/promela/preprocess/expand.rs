//! Macro expansion with C's rules: arguments are expanded first, the result is read again, and a macro is never
//! expanded inside its own expansion.

use std::rc::Rc;

use super::super::lexer;
use super::super::parser::argument_counts;
use super::super::token::{Punct, Token, TokenKind};
use super::{Macro, Preprocessor};
use crate::diagnostics::Diagnostic;
use crate::source::{ExpansionId, ExpansionKind, Span};

/// Macros in macros, and uses of macros in arguments of macros. Bounds our stack and the chains of expansions.
const MAX_MACRO_DEPTH: usize = 256;

/// Tokens still to be read, and the macro whose expansion they are, which is active as long as the frame exists.
struct Frame {
    tokens: Vec<Token>,
    position: usize,
    of_macro: Option<Rc<Macro>>,
}

impl Drop for Frame {
    fn drop(&mut self) {
        if let Some(definition) = &self.of_macro {
            definition.active.set(false);
        }
    }
}

/// The arguments of one use of a macro: as written, and expanded once that was needed.
struct Arguments {
    raw: Vec<Vec<Token>>,
    expanded: Vec<Option<Vec<Token>>>,
    depth: usize,
}

impl Preprocessor<'_> {
    pub(super) fn expand(&mut self, tokens: &[Token], depth: usize) -> Vec<Token> {
        let mut output = Vec::new();
        let mut frames = vec![Frame { tokens: tokens.to_vec(), position: 0, of_macro: None }];
        while let Some(token) = next_token(&mut frames) {
            if token.kind != TokenKind::Name || token.never_expand {
                output.push(token);
                continue;
            }
            let Some(definition) = self.macros.table.get(&token.text).cloned() else {
                output.push(self.predefined(token));
                continue;
            };
            if definition.active.get() {
                output.push(Token { never_expand: true, ..token });
                continue;
            }
            if definition.parameters.is_some() && !peek(&frames).is_some_and(|next| next.is(Punct::OpenParen)) {
                output.push(token);
                continue;
            }
            if depth + frames.len() > MAX_MACRO_DEPTH {
                self.error(&format!("macros nest more than {MAX_MACRO_DEPTH} deep"), token.span);
                self.gave_up = true;
            }
            if self.gave_up {
                break;
            }
            self.enter(&definition, token, &mut frames, depth);
        }
        output
    }

    /// `__LINE__` and `__FILE__`.
    fn predefined(&mut self, token: Token) -> Token {
        let text = self.interner.text(token.text);
        let is_line = text == "__LINE__";
        if !is_line && text != "__FILE__" {
            return token;
        }
        let place = self.sources.location(self.sources.outermost(token.span));
        let (kind, text) = match is_line {
            true => (TokenKind::Number, place.line.to_string()),
            false => (TokenKind::String, format!("\"{}\"", place.file)),
        };
        Token { kind, text: self.interner.intern(&text), ..token }
    }

    /// Puts the expansion of a macro in front of what is still to be read.
    fn enter(&mut self, definition: &Rc<Macro>, name: Token, frames: &mut Vec<Frame>, depth: usize) {
        let mut used_at = name.span;
        let mut arguments = Arguments { raw: Vec::new(), expanded: Vec::new(), depth };
        if let Some(parameters) = &definition.parameters {
            let Some((raw, end)) = self.arguments(definition, name, frames) else {
                return;
            };
            used_at = self.sources.join(name.span, end);
            if !self.right_number(definition, parameters.len(), raw.len(), used_at) {
                return;
            }
            arguments.expanded = vec![None; raw.len()];
            arguments.raw = raw;
        }
        let text = self.interner.text(name.text);
        let expansion = self.sources.add_expansion(ExpansionKind::Macro, text, used_at);
        let mut tokens = self.substitute(definition, &mut arguments, expansion);
        if let Some(first) = tokens.first_mut() {
            first.starts_line = name.starts_line;
            first.space_before = name.space_before;
        } else if name.starts_line
            && let Some(next) = peek_mut(frames)
        {
            // A macro that stands for nothing still leaves its line end behind.
            next.starts_line = true;
        }
        self.spend(tokens.len() + 1, used_at);
        definition.active.set(true);
        frames.push(Frame { tokens, position: 0, of_macro: Some(definition.clone()) });
    }

    /// Reads the arguments from `(` to `)`; returns them and the place of the `)`.
    fn arguments(
        &mut self,
        definition: &Macro,
        name: Token,
        frames: &mut Vec<Frame>,
    ) -> Option<(Vec<Vec<Token>>, Span)> {
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        next_token(frames);
        let mut arguments = vec![Vec::new()];
        let mut parentheses = 0;
        while let Some(mut token) = next_token(frames) {
            if token.is(Punct::OpenParen) {
                parentheses += 1;
            } else if token.is(Punct::CloseParen) {
                if parentheses == 0 {
                    if parameters == 0 && arguments.len() == 1 && arguments[0].is_empty() {
                        arguments.clear();
                    }
                    let length = arguments.iter().map(Vec::len).sum();
                    self.spend(length, name.span);
                    return Some((arguments, token.span));
                }
                parentheses -= 1;
            } else if token.is(Punct::Comma)
                && parentheses == 0
                && !(definition.variadic && arguments.len() == parameters)
            {
                arguments.push(Vec::new());
                continue;
            }
            if token.starts_line {
                token.starts_line = false;
                token.space_before = true;
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        }
        let text = self.interner.text(name.text);
        let message = format!("the arguments of macro `{text}` never end: `)` is missing");
        self.error(&message, name.span);
        None
    }

    fn right_number(&mut self, definition: &Macro, parameters: usize, given: usize, at: Span) -> bool {
        if given == parameters || (definition.variadic && given + 1 == parameters) {
            return true;
        }
        let text = self.interner.text(definition.name);
        let message = format!("macro `{text}` takes {}", argument_counts(parameters, given));
        self.diagnostics.add(Diagnostic::error(message, at).note("defined here", definition.defined_at));
        false
    }

    fn substitute(&mut self, definition: &Macro, arguments: &mut Arguments, expansion: ExpansionId) -> Vec<Token> {
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let parameter_of = |token: &Token| parameters.iter().position(|name| *name == token.text);
        let body = &definition.body;
        let mut output: Vec<Token> = Vec::new();
        let mut paste_next = false;
        let mut at = 0;
        while at < body.len() && !self.gave_up {
            let mut token = body[at];
            token.span.expansion = Some(expansion);
            let before_paste = body.get(at + 1).is_some_and(|next| next.is(Punct::HashHash));
            let mut piece = if token.is(Punct::HashHash) {
                paste_next = true;
                at += 1;
                continue;
            } else if token.is(Punct::Hash)
                && definition.parameters.is_some()
                && let Some(index) = body.get(at + 1).and_then(parameter_of)
            {
                at += 1;
                vec![self.stringified(arguments.raw.get(index).map_or(&[], Vec::as_slice), token)]
            } else if let Some(index) = parameter_of(&token) {
                // Next to `##` the argument counts as written, elsewhere expanded.
                if before_paste || paste_next {
                    arguments.raw.get(index).cloned().unwrap_or_default()
                } else {
                    self.expanded_argument(arguments, index, token)
                }
            } else {
                vec![token]
            };
            if paste_next {
                paste_next = false;
                if !piece.is_empty() && !output.is_empty() {
                    let right = piece.remove(0);
                    self.paste(&mut output, right);
                }
            }
            output.extend(piece);
            self.spend_check(output.len(), token.span);
            at += 1;
        }
        output
    }

    /// A body may use a large argument many times, so the limit is looked at while the result grows.
    fn spend_check(&mut self, made: usize, at: Span) {
        if self.tokens_made + made > super::MAX_TOKENS {
            self.spend(made, at);
        }
    }

    fn expanded_argument(&mut self, arguments: &mut Arguments, index: usize, parameter: Token) -> Vec<Token> {
        let Some(slot) = arguments.expanded.get(index) else {
            return Vec::new();
        };
        let mut tokens = match slot {
            Some(tokens) => tokens.clone(),
            None => {
                if arguments.depth >= MAX_MACRO_DEPTH {
                    self.error(&format!("macros nest more than {MAX_MACRO_DEPTH} deep"), parameter.span);
                    self.gave_up = true;
                    return Vec::new();
                }
                let tokens = self.expand(&arguments.raw[index], arguments.depth + 1);
                self.spend(tokens.len(), parameter.span);
                arguments.expanded[index] = Some(tokens.clone());
                tokens
            }
        };
        if let Some(first) = tokens.first_mut() {
            first.space_before = parameter.space_before;
        }
        tokens
    }

    /// `#parameter`: the argument as a string.
    fn stringified(&mut self, argument: &[Token], hash: Token) -> Token {
        let mut text = String::from("\"");
        for (number, token) in argument.iter().enumerate() {
            if number > 0 && token.space_before {
                text.push(' ');
            }
            let written = self.interner.text(token.text);
            if matches!(token.kind, TokenKind::String | TokenKind::Character) {
                text.push_str(&written.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(written);
            }
        }
        text.push('"');
        self.check_length(&text, hash.span);
        Token { kind: TokenKind::String, text: self.interner.intern(&text), ..hash }
    }

    /// `left ## right`: one token from two.
    fn paste(&mut self, output: &mut Vec<Token>, right: Token) {
        let Some(left) = output.pop() else {
            return output.push(right);
        };
        let text = format!("{}{}", self.interner.text(left.text), self.interner.text(right.text));
        self.check_length(&text, right.span);
        match lexer::single_token(&text, self.interner) {
            Some((kind, text)) => output.push(Token { kind, text, never_expand: false, ..left }),
            None => {
                let message = format!("`##` makes `{text}` here, which is not a single token");
                self.error(&message, right.span);
                output.push(left);
                output.push(right);
            }
        }
    }
}

fn next_token(frames: &mut Vec<Frame>) -> Option<Token> {
    while let Some(frame) = frames.last_mut() {
        if let Some(token) = frame.tokens.get(frame.position) {
            frame.position += 1;
            return Some(*token);
        }
        frames.pop();
    }
    None
}

fn peek(frames: &[Frame]) -> Option<&Token> {
    frames.iter().rev().find_map(|frame| frame.tokens.get(frame.position))
}

fn peek_mut(frames: &mut [Frame]) -> Option<&mut Token> {
    frames.iter_mut().rev().find_map(|frame| frame.tokens.get_mut(frame.position))
}
