//! A recursive-descent parser for Promela that always returns a tree.
//!
//! A method that fails has reported why and returns [`Failed`]; whoever owns a sequence of things catches that and
//! goes on at the next place where a thing can start, so one run reports several independent errors.
//!
//! Inlines are expanded here, token by token, because only the parser knows where a statement starts.

mod channels;
mod choices;
mod cursor;
mod declarations;
mod expressions;
mod habits;
mod inlines;
mod names;
mod sequences;
mod statements;
mod temporal;
mod units;

use std::collections::HashSet;

use super::ExpressionKind;
use super::ast::{Expr, Program, VarRef};
use super::token::{Interner, Symbol, Token, TokenKind};
use crate::diagnostics::Diagnostics;
use crate::source::{FileId, SourceMap, Span};
pub(super) use cursor::argument_counts;
pub(super) use names::Names;
pub(super) use temporal::is_binary_word;

/// How deeply brackets, blocks and inlines may nest. Later passes recurse over the tree, so this bounds their stack.
pub const MAX_NESTING: usize = 1000;
/// How deeply binary operators may nest: `a - b - c` does so as deeply as it is long.
pub const MAX_OPERATORS: usize = 5000;

/// The mark of an error that has been reported.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'a> {
    /// What is being read: the program, or for a while the expansion of an inline. Ends in an end token.
    tokens: Vec<Token>,
    position: usize,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    interner: &'a Interner,
    names: &'a Names,
    /// The proctypes whose declarations have been passed.
    proctypes_seen: HashSet<Symbol>,
    /// The inlines whose bodies we are in, innermost last.
    inlines: Vec<ActiveInline>,
    inline_tokens: usize,
    /// What is open around us in the current stream of tokens, innermost last.
    enclosing: Vec<Enclosing>,
    nesting: usize,
    /// How many binary operators nest in the operand or expression read last.
    operators: usize,
    expression_depth: usize,
    /// In the first argument of a send, where `a(b)` is no call.
    in_send: bool,
    /// Inside a formula of temporal logic.
    temporal: bool,
    /// Which is one of computation trees.
    branching: bool,
    /// A limit was exceeded: all that follows reads as the end.
    gave_up: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enclosing {
    Braces,
    If,
    Do,
}

struct ActiveInline {
    name: Symbol,
    /// What `return` assigns to, if the inline is used as in `x = f()`.
    result: Option<VarRef>,
}

/// Parses a program, and records the names that it defines for what is to be read in its terms later.
pub(super) fn program(
    tokens: Vec<Token>,
    file: FileId,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    interner: &Interner,
    names: &mut Names,
) -> Program {
    *names = Names::of(&tokens);
    let mut parser = Parser::new(tokens, file, sources, diagnostics, interner, names);
    parser.program()
}

/// Parses a single expression; the names are those of the program it is about.
pub(super) fn expression(
    tokens: Vec<Token>,
    file: FileId,
    kind: ExpressionKind,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    interner: &Interner,
    names: &Names,
) -> Option<Expr> {
    let mut parser = Parser::new(tokens, file, sources, diagnostics, interner, names);
    parser.temporal = matches!(kind, ExpressionKind::Temporal | ExpressionKind::Branching);
    parser.branching = kind == ExpressionKind::Branching;
    let expression = parser.expression().ok()?;
    if parser.peek().kind != TokenKind::End {
        parser.unexpected("the end of the expression");
        return None;
    }
    Some(expression)
}

impl<'a> Parser<'a> {
    fn new(
        mut tokens: Vec<Token>,
        file: FileId,
        sources: &'a mut SourceMap,
        diagnostics: &'a mut Diagnostics,
        interner: &'a Interner,
        names: &'a Names,
    ) -> Parser<'a> {
        let length = sources.file(file).text.trim_end().len() as u32;
        let end = Span { file, start: length, end: length, expansion: None };
        tokens.push(cursor::end_token(end, interner));
        Parser {
            tokens,
            position: 0,
            sources,
            diagnostics,
            interner,
            names,
            proctypes_seen: HashSet::new(),
            inlines: Vec::new(),
            inline_tokens: 0,
            enclosing: Vec::new(),
            nesting: 0,
            operators: 0,
            expression_depth: 0,
            in_send: false,
            temporal: false,
            branching: false,
            gave_up: false,
        }
    }
}

#[cfg(test)]
mod tests;
