//! The C preprocessor, as far as models use it: macros, conditional text, included files.
//!
//! Works on tokens, not on text, so that every token the parser sees still knows where it was written and through
//! which macros it came. SPIN calls the C compiler's preprocessor; like that one we keep the line structure outside
//! macros, because Promela takes the ends of some lines for a `;`, and put a whole expansion on one line.

mod condition;
mod expand;
mod formulas;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::lexer;
use super::token::{Interner, Problem, Punct, Symbol, Token, TokenKind};
use super::{IncludeLoader, MAX_FILE_SIZE};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, SourceMap, Span};

/// Tokens that may be made in all, counting those that expansions pass through: a guard against macros that double
/// with each level. The largest real models have about a hundredth of this.
pub(super) const MAX_TOKENS: usize = 2_000_000;
const MAX_INCLUDE_DEPTH: usize = 64;
/// Longer tokens than this are made only by `#` and `##` that double with each level.
const MAX_TOKEN_LENGTH: usize = 1 << 16;
/// Each inclusion is read again, so this limits the work that files without any tokens can cause.
const MAX_INCLUSIONS: usize = 10_000;

#[derive(Clone, Debug, Default)]
pub(super) struct Macros {
    table: HashMap<Symbol, Rc<Macro>>,
}

#[derive(Debug)]
struct Macro {
    name: Symbol,
    /// `None` for a macro without parentheses.
    parameters: Option<Vec<Symbol>>,
    /// The last parameter is `...` and takes all remaining arguments.
    variadic: bool,
    body: Vec<Token>,
    defined_at: Span,
    /// We are inside its expansion, so it is not expanded again.
    active: Cell<bool>,
}

/// One `#if` that is still open.
struct Conditional {
    opened_at: Span,
    /// The text around it is read.
    outer_active: bool,
    /// The text we are in is read.
    active: bool,
    /// Some branch was chosen already.
    taken: bool,
    in_else: bool,
}

pub(super) struct Preprocessor<'a> {
    pub sources: &'a mut SourceMap,
    pub diagnostics: &'a mut Diagnostics,
    pub interner: &'a mut Interner,
    pub macros: &'a mut Macros,
    pub includes: &'a dyn IncludeLoader,
    output: Vec<Token>,
    tokens_made: usize,
    inclusions: usize,
    /// A limit was exceeded: there is no point in going on.
    gave_up: bool,
    /// What is read is a formula.
    is_formula: bool,
}

impl<'a> Preprocessor<'a> {
    pub fn new(
        sources: &'a mut SourceMap,
        diagnostics: &'a mut Diagnostics,
        interner: &'a mut Interner,
        macros: &'a mut Macros,
        includes: &'a dyn IncludeLoader,
    ) -> Preprocessor<'a> {
        Preprocessor {
            sources,
            diagnostics,
            interner,
            macros,
            includes,
            output: Vec::new(),
            tokens_made: 0,
            inclusions: 0,
            gave_up: false,
            is_formula: false,
        }
    }

    /// The same for a formula.
    pub fn of_formula(self, is_formula: bool) -> Preprocessor<'a> {
        Preprocessor { is_formula, ..self }
    }

    /// Reads a file and all that it includes; returns the tokens that are left for the parser.
    pub fn run(&mut self, file: FileId) -> Vec<Token> {
        self.file(file, 0);
        std::mem::take(&mut self.output)
    }

    fn file(&mut self, file: FileId, include_depth: usize) {
        let mut tokens = lexer::tokens(file, &self.sources.file(file).text, self.interner);
        if self.is_formula {
            self.keep_operators(&mut tokens);
        }
        let start = Span { file, start: 0, end: 0, expansion: None };
        self.spend(tokens.len(), start);
        if include_depth > 0 {
            // Reading a file costs time even if all of it is comments.
            self.spend(self.sources.file(file).text.len() / 64, start);
        }
        if let Some(last) = tokens.last()
            && last.kind == TokenKind::Invalid(Problem::UnterminatedComment)
        {
            self.error("this comment never ends: `*/` is missing", last.span);
        }
        let mut conditionals = Vec::new();
        let mut at = 0;
        while at < tokens.len() && !self.gave_up {
            if is_directive(&tokens[at]) {
                let end = end_of_line(&tokens, at);
                self.directive(&tokens[at..end], &mut conditionals, include_depth);
                at = end;
            } else {
                let length = tokens[at..].iter().take_while(|token| !is_directive(token)).count();
                if conditionals.last().is_none_or(|conditional: &Conditional| conditional.active) {
                    let expanded = self.expand(&tokens[at..at + length], 0);
                    self.output.extend(expanded);
                }
                at += length;
            }
        }
        for conditional in conditionals {
            self.error("this `#if` is never closed: `#endif` is missing", conditional.opened_at);
        }
    }

    /// One line that starts with `#`.
    fn directive(&mut self, line: &[Token], conditionals: &mut Vec<Conditional>, include_depth: usize) {
        let hash = line[0];
        let Some(name) = line.get(1).copied() else { return };
        let active = conditionals.last().is_none_or(|conditional| conditional.active);
        let rest = &line[2..];
        let word = self.interner.text(name.text).to_string();
        let whole = hash.span.to(line[line.len() - 1].span);
        match word.as_str() {
            "if" | "ifdef" | "ifndef" => {
                let holds = active && self.opening_condition(&word, name.span, rest);
                conditionals.push(Conditional {
                    opened_at: hash.span.to(name.span),
                    outer_active: active,
                    active: holds,
                    taken: holds,
                    in_else: false,
                });
            }
            "elif" | "else" | "endif" => self.next_branch(&word, hash.span.to(name.span), rest, conditionals),
            _ if !active => {}
            "define" => self.define(rest, name.span),
            "undef" => match rest {
                [macro_name, ..] if macro_name.kind == TokenKind::Name => {
                    self.macros.table.remove(&macro_name.text);
                }
                _ => self.error("`#undef` needs the name of a macro", name.span),
            },
            "include" => self.include(rest, whole, include_depth),
            "error" => {
                let message = self.text_after(name.span, whole);
                self.error(&format!("#error {message}"), whole);
            }
            "warning" => {
                let message = self.text_after(name.span, whole);
                self.diagnostics.add(Diagnostic::warning(format!("#warning {message}"), whole));
            }
            "pragma" => self.diagnostics.add(Diagnostic::warning("`#pragma` is ignored", whole)),
            // Marks of where text came from, left by another preprocessor. Our places are those in the text at hand.
            "line" | "ident" => {}
            _ if name.kind == TokenKind::Number => {}
            _ => self.error(&format!("there is no preprocessor directive `#{word}`"), hash.span.to(name.span)),
        }
    }

    fn text_after(&self, name: Span, whole: Span) -> String {
        self.sources.text(Span { start: name.end, ..whole }).trim().to_string()
    }

    fn opening_condition(&mut self, word: &str, at: Span, rest: &[Token]) -> bool {
        if word == "if" {
            return self.condition(rest, at);
        }
        match rest {
            [name, ..] if name.kind == TokenKind::Name => {
                self.macros.table.contains_key(&name.text) == (word == "ifdef")
            }
            _ => {
                self.error(&format!("`#{word}` needs the name of a macro"), at);
                false
            }
        }
    }

    fn next_branch(&mut self, word: &str, at: Span, rest: &[Token], conditionals: &mut Vec<Conditional>) {
        let Some(conditional) = conditionals.last_mut() else {
            return self.error(&format!("`#{word}` without an `#if` before it"), at);
        };
        if word == "endif" {
            conditionals.pop();
            return;
        }
        if conditional.in_else {
            let opened_at = conditional.opened_at;
            let error = Diagnostic::error(format!("`#{word}` after the `#else` of the same `#if`"), at);
            return self.diagnostics.add(error.note("opened here", opened_at));
        }
        conditional.in_else = word == "else";
        let choose = conditional.outer_active && !conditional.taken && (word == "else" || self.condition(rest, at));
        // Evaluating the condition needed all of `self`, so the conditional is looked up again.
        if let Some(conditional) = conditionals.last_mut() {
            conditional.active = choose;
            conditional.taken |= choose;
        }
    }

    fn define(&mut self, rest: &[Token], at: Span) {
        let Some(name) = rest.first().copied().filter(|name| name.kind == TokenKind::Name) else {
            return self.error("`#define` needs a name", rest.first().map_or(at, |token| token.span));
        };
        if self.interner.text(name.text) == "defined" {
            return self.error("`defined` cannot be the name of a macro", name.span);
        }
        let mut body = &rest[1..];
        let mut parameters = None;
        let mut variadic = false;
        // Only a parenthesis right behind the name starts a list of parameters.
        if body.first().is_some_and(|token| token.is(Punct::OpenParen) && !token.space_before) {
            let Some((names, length)) = self.macro_parameters(body, name.span) else {
                return;
            };
            variadic = body[length - 2].is(Punct::Ellipsis);
            parameters = Some(names);
            body = &body[length..];
        }
        for end in [body.first(), body.last()].into_iter().flatten() {
            if end.is(Punct::HashHash) {
                return self.error("`##` cannot stand at either end of a macro", end.span);
            }
        }
        let body = body.iter().map(|token| Token { starts_line: false, ..*token }).collect();
        let new =
            Macro { name: name.text, parameters, variadic, body, defined_at: name.span, active: Cell::new(false) };
        if let Some(old) = self.macros.table.get(&name.text)
            && !same_definition(old, &new)
        {
            let text = self.interner.text(name.text);
            let warning = Diagnostic::warning(format!("macro `{text}` is defined again, differently"), name.span);
            self.diagnostics.add(warning.note("the definition before", old.defined_at));
        }
        self.macros.table.insert(name.text, Rc::new(new));
    }

    /// The names between the parentheses at the start of `tokens`, and how many tokens that took.
    fn macro_parameters(&mut self, tokens: &[Token], name: Span) -> Option<(Vec<Symbol>, usize)> {
        let mut names = Vec::new();
        let mut at = 1;
        if tokens.get(at).is_some_and(|token| token.is(Punct::CloseParen)) {
            return Some((names, 2));
        }
        loop {
            let (here, separator) = (tokens.get(at), tokens.get(at + 1));
            match here {
                Some(token) if token.kind == TokenKind::Name && !names.contains(&token.text) => names.push(token.text),
                Some(token) if token.is(Punct::Ellipsis) => names.push(self.interner.intern("__VA_ARGS__")),
                other => {
                    let span = other.map_or(name, |token| token.span);
                    self.error("expected a parameter of the macro, each with another name", span);
                    return None;
                }
            }
            match separator {
                Some(token) if token.is(Punct::CloseParen) => return Some((names, at + 2)),
                Some(token) if token.is(Punct::Comma) && !here.is_some_and(|token| token.is(Punct::Ellipsis)) => {
                    at += 2
                }
                other => {
                    let span = other.map_or(name, |token| token.span);
                    self.error("expected `,` or `)` after a parameter of the macro", span);
                    return None;
                }
            }
        }
    }

    fn include(&mut self, rest: &[Token], whole: Span, include_depth: usize) {
        let direct = matches!(rest, [token] if token.kind == TokenKind::String)
            || rest.first().is_some_and(|token| token.is(Punct::Less));
        let expanded = if direct { rest.to_vec() } else { self.expand(rest, 0) };
        let name = match expanded.as_slice() {
            [token] if token.kind == TokenKind::String => self.interner.text(token.text).trim_matches('"').to_string(),
            [open, .., close] if open.is(Punct::Less) && close.is(Punct::Greater) => {
                let inside = Span { start: open.span.end, end: close.span.start, ..open.span };
                self.sources.text(inside).to_string()
            }
            _ => return self.error("expected `#include \"file\"` or `#include <file>`", whole),
        };
        if include_depth >= MAX_INCLUDE_DEPTH {
            let error = Diagnostic::error(format!("included files nest more than {MAX_INCLUDE_DEPTH} deep"), whole);
            self.diagnostics.add(error.help("does the file include itself?"));
            self.gave_up = true;
            return;
        }
        self.inclusions += 1;
        if self.inclusions > MAX_INCLUSIONS {
            self.error(&format!("more than {MAX_INCLUSIONS} files are included"), whole);
            self.gave_up = true;
            return;
        }
        let including = self.sources.file(whole.file).name.clone();
        match self.includes.load(&including, &name) {
            Ok((resolved, bytes)) => {
                if let Some(file) = self.included_file(&resolved, &bytes, whole) {
                    self.file(file, include_depth + 1);
                }
            }
            Err(error) => self.error(&format!("cannot include `{name}`: {}", error.reason), whole),
        }
    }

    fn included_file(&mut self, name: &str, bytes: &[u8], included_at: Span) -> Option<FileId> {
        if let Some(known) = self.sources.find_file(name) {
            return Some(known);
        }
        if bytes.len() > MAX_FILE_SIZE {
            self.error(&format!("the file `{name}` is larger than {} MiB", MAX_FILE_SIZE >> 20), included_at);
            return None;
        }
        match crate::decode::decode(bytes) {
            Ok(text) => Some(self.sources.add_file(name, text)),
            Err(problem) => {
                self.error(&format!("cannot include `{name}`: {}", problem.message()), included_at);
                None
            }
        }
    }

    fn error(&mut self, message: &str, span: Span) {
        self.diagnostics.add(Diagnostic::error(message, span));
    }

    fn check_length(&mut self, text: &str, at: Span) {
        if text.len() > MAX_TOKEN_LENGTH && !self.gave_up {
            self.error(&format!("`#` or `##` makes a token of more than {MAX_TOKEN_LENGTH} bytes"), at);
            self.gave_up = true;
        }
    }

    /// Counts tokens against the limit.
    fn spend(&mut self, tokens: usize, at: Span) {
        self.tokens_made += tokens;
        if self.tokens_made > MAX_TOKENS && !self.gave_up {
            self.gave_up = true;
            let error = Diagnostic::error(format!("the program has more than {MAX_TOKENS} tokens"), at);
            self.diagnostics
                .add(error.help("does a macro, or a file that is included, grow with each use of another?"));
        }
    }
}

fn is_directive(token: &Token) -> bool {
    token.starts_line && token.is(Punct::Hash)
}

fn end_of_line(tokens: &[Token], start: usize) -> usize {
    start + 1 + tokens[start + 1..].iter().take_while(|token| !token.starts_line).count()
}

fn same_definition(one: &Macro, other: &Macro) -> bool {
    one.parameters == other.parameters
        && one.body.len() == other.body.len()
        && one.body.iter().zip(&other.body).all(|(one, other)| one.kind == other.kind && one.text == other.text)
}

#[cfg(test)]
mod tests;
