//! Hints for those who write C where Promela differs.

use super::super::ast::{Binary, Expr, ExprKind, Statement, StatementKind, Step, VarRef};
use super::super::token::{Keyword, Punct, Token, TokenKind};
use super::{Failed, Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::nearest::nearest;

/// What can be called though it is no inline.
const CALLS: [&str; 11] =
    ["assert", "printf", "printm", "len", "empty", "nempty", "full", "nfull", "enabled", "pc_value", "select"];
const TYPES: [&str; 9] = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];
/// What else stands at the top of a text before a name.
const UNITS: [&str; 7] = ["proctype", "active", "typedef", "inline", "ltl", "never", "init"];

impl Parser<'_> {
    /// `=` in an expression: reported, then read as `==`, so that one error stays one error.
    pub(super) fn assignment_in_expression(&mut self, left: Expr) -> Parse<Expr> {
        let sign = self.peek();
        if self.peek_at(1).is(Punct::Greater) && !self.peek_at(1).space_before {
            return Err(self.double_arrow());
        }
        let error = Diagnostic::error("`=` assigns, which an expression cannot do", sign.span);
        self.report(error.help("to compare, write `==`; an assignment is a statement of its own"));
        self.bump();
        let right = self.expression()?;
        let span = self.sources.join(left.span, right.span);
        Ok(Expr { span, kind: ExprKind::Binary(Binary::Equal, Box::new(left), Box::new(right)) })
    }

    /// `a => b`
    fn double_arrow(&mut self) -> Failed {
        let sign = self.bump();
        self.bump();
        let error = Diagnostic::error("Promela has no `=>`", self.since(sign.span));
        self.report(error.help("write `->` for implication and behind a guard, `>=` for at least"))
    }

    /// At the parenthesis of `if (condition) statement else statement`.
    pub(super) fn c_if(&mut self) -> Failed {
        let error = Diagnostic::error("expected `::` after `if`", self.peek().span);
        let failed = self.report(error.help("Promela writes `if :: condition -> ... :: else -> ... fi`"));
        // One explanation is enough for a whole chain of them.
        loop {
            self.skip_balanced();
            self.c_branch();
            let end = self.position;
            self.skip_separators();
            if !self.take_keyword(Keyword::Else) {
                self.position = end;
                return failed;
            }
            if !(self.at_keyword(Keyword::If) && self.peek_at(1).is(Punct::OpenParen)) {
                self.c_branch();
                return failed;
            }
            self.bump();
        }
    }

    fn c_branch(&mut self) {
        self.skip_separators();
        // An error inside is reported there; the way on is found by the caller.
        let _: Parse<_> = self.nested(Self::statement);
    }

    /// At a name: a statement that C has and Promela does not.
    pub(super) fn c_statement(&mut self) -> Option<Failed> {
        let (name, next) = (self.peek(), self.peek_at(1));
        let text = self.interner.text(name.text);
        let help = match text {
            "while" => "write `do :: condition -> ... :: else -> break od`",
            "switch" | "case" => "write `if :: x == 1 -> ... :: x == 2 -> ... :: else -> ... fi`",
            "continue" => "put a label before the `do` and `goto` it",
            "elif" | "elsif" | "elseif" => "each condition is an option of its own: `:: condition -> ...`",
            "endif" | "end" | "then" | "begin" => "`if` ends with `fi`, `do` with `od`, and blocks stand in braces",
            _ => "",
        };
        if !help.is_empty() && !next.is(Punct::Assign) && !next.is(Punct::Colon) && !self.is_operator(next) {
            let message = format!("Promela has no `{text}`");
            let failed = self.report(Diagnostic::error(message, name.span).help(help));
            self.bump();
            if self.at(Punct::OpenParen) {
                self.skip_balanced();
            }
            return Some(failed);
        }
        if next.kind == TokenKind::Name {
            let found = self.interner.text(next.text);
            let message = format!("expected an operator, `;` or `->` after `{text}`, found `{found}`");
            let error = Diagnostic::error(message, next.span);
            let error = error.help(format!("if `{text}` is meant to be a type: no typedef has that name"));
            return Some(self.report(error));
        }
        None
    }

    fn is_operator(&self, token: Token) -> bool {
        let TokenKind::Punct(punct) = token.kind else {
            return false;
        };
        punct != Punct::OpenParen && punct != Punct::OpenBrace
    }

    /// `x += 1` and `x := 1`
    pub(super) fn compound_assignment(&mut self, target: &VarRef) -> Failed {
        let sign = self.peek();
        let text = self.interner.text(sign.text);
        let target = self.sources.text(target.span);
        let help = match text.strip_suffix('=') {
            Some(":") | None => format!("write `{target} = ...`"),
            Some(operator) => format!("write `{target} = {target} {operator} ...`"),
        };
        let message = format!("Promela has no `{text}`");
        self.report(Diagnostic::error(message, sign.span).help(help))
    }

    /// `for (i = 0; i < n; i++)` and `for (int i = 0; ...)`
    pub(super) fn c_for(&mut self) -> Option<Failed> {
        let declares = self.at_declaration();
        if !declares && !self.peek_at(1).is(Punct::Assign) {
            return None;
        }
        let error = Diagnostic::error("this is not how Promela writes `for`", self.peek().span);
        let failed = self.report(error.help("declare the variable before, and write `for (i : 0 .. n - 1) { ... }`"));
        // Behind the header the body can be read as a block.
        while !matches!(self.peek().kind, TokenKind::End | TokenKind::Punct(Punct::OpenBrace | Punct::CloseBrace)) {
            if self.starts_unit() {
                break;
            }
            self.bump();
        }
        Some(failed)
    }

    /// A declarator followed by `(`.
    pub(super) fn no_functions(&mut self) -> Failed {
        let error = Diagnostic::error("Promela has no functions", self.peek().span);
        self.report(error.help("a process is a `proctype`, a piece of code to be used in several places an `inline`"))
    }

    /// `f(x)` where `f` is no inline.
    pub(super) fn no_such_call(&mut self, reference: &VarRef) -> Failed {
        let name = &reference.parts[0].name;
        let error = Diagnostic::error(format!("there is no inline `{}`", name.text), reference.span);
        let is_proctype = self.names.proctypes.iter().any(|symbol| self.interner.text(*symbol) == name.text);
        let is_inline = self.names.inlines.keys().any(|symbol| self.interner.text(*symbol) == name.text);
        let failed = if is_inline {
            let message = format!("inline `{}` cannot be used inside an expression", name.text);
            let help = format!("use it as a statement, or as in `x = {}(...)` if it returns a value", name.text);
            self.report(Diagnostic::error(message, reference.span).help(help))
        } else if is_proctype {
            let help = format!("to start the process, write `run {}(...)`", name.text);
            self.report(error.help(help))
        } else {
            let known = self.names.inlines.keys().map(|symbol| self.interner.text(*symbol)).chain(CALLS);
            let error = error.suggest(nearest(&name.text, known));
            self.report(error)
        };
        self.skip_balanced();
        failed
    }

    /// Something at the top level that is nothing.
    pub(super) fn not_a_unit(&mut self) -> Failed {
        let (token, next) = (self.peek(), self.peek_at(1));
        let found = self.describe(token);
        if token.is(Punct::CloseBrace) {
            let error = Diagnostic::error("this `}` closes nothing", token.span);
            return self.report(error.help("is there one `}` too many before it?"));
        }
        let message = format!("expected a declaration, `proctype`, `init`, `inline`, `ltl` or `never`, found {found}");
        let error = Diagnostic::error(message, token.span);
        if token.kind == TokenKind::Name && next.kind == TokenKind::Name {
            let text = self.interner.text(token.text);
            let error = Diagnostic::error(format!("there is no type `{text}`"), token.span);
            let typedefs = self.names.typedefs.iter().map(|symbol| self.interner.text(*symbol));
            return self.report(match nearest(text, typedefs.chain(UNITS)) {
                Some(unit) if UNITS.contains(&unit) => {
                    Diagnostic::error(format!("there is no `{text}`"), token.span).suggest(Some(unit))
                }
                Some(near) => error.suggest(Some(near)),
                None => error.help(format!("types are {} and those of a typedef", TYPES.join(", "))),
            });
        }
        let is_statement = self.starts_step() || next.is(Punct::Assign);
        self.report(if is_statement { error.help("statements stand inside a `proctype` or `init`") } else { error })
    }

    /// Something among the parameters of a proctype that declares none.
    pub(super) fn not_a_parameter(&mut self) -> Failed {
        let token = self.peek();
        if token.kind == TokenKind::Name {
            let text = self.interner.text(token.text);
            let error = Diagnostic::error(format!("expected the type of a parameter, found `{text}`"), token.span);
            return self.report(error.help("parameters are declared as in `proctype P(byte x, y; chan c)`"));
        }
        self.unexpected("the declaration of a parameter or `)`")
    }

    /// `:: x = 1 -> ...`: an option may start with an assignment, but one that is written like a condition and sets a
    /// constant was likely meant to be one.
    pub(super) fn suspicious_guard(&mut self, step: &Step) {
        let Step::Statement(Statement { kind: StatementKind::Assign { value, .. }, span }) = step else { return };
        if matches!(value.kind, ExprKind::Number(_)) && self.inlines.is_empty() {
            let warning = Diagnostic::warning("this option starts with an assignment, which is always possible", *span);
            self.diagnostics
                .add(warning.help("to compare, write `==`; to assign, write `;` instead of `->` behind it"));
        }
    }
}
