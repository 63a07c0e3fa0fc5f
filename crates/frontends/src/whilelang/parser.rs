//! Tokens to a tree. After an error the rest of the statement is skipped, so that several errors are found at once.

use super::ast::{
    Binary, Expr, ExprKind, Name, Process, Program, Runs, Spec, Statement, StatementKind, Target, Temporal, Type,
    Variable, When,
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::tokens::{Cursor, Parse, Parsing, Problem, Reported, Token, TokenKind};

/// Operators in a row nest, too.
const MAX_OPERATORS: usize = 1000;

pub fn program(tokens: &[Token<'_>], diagnostics: &mut Diagnostics) -> Program {
    Parser::new(tokens, diagnostics, false).program()
}

/// A condition or a formula that stands alone.
pub fn formula(tokens: &[Token<'_>], diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser::new(tokens, diagnostics, true);
    let parsed = parser.expression().ok()?;
    if !parser.at_end() {
        parser.error_here("expected the end of the formula");
        return None;
    }
    Some(parsed)
}

struct Parser<'a, 't> {
    cursor: Cursor<'a, 't>,
    operators: usize,
    /// Operators of time are words of formulas only.
    in_formula: bool,
    /// In `A[p U q]`, the `U` ends `p`.
    until_ends: bool,
    /// It was said what becomes of `#MODULE#`.
    has_modules: bool,
}

impl<'a, 't> Parsing<'a, 't> for Parser<'a, 't> {
    const MAX_NESTING: usize = 500;

    fn cursor(&self) -> &Cursor<'a, 't> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, 't> {
        &mut self.cursor
    }

    fn problem(&self, problem: Problem) -> &'static str {
        match problem {
            Problem::StrayCharacter => "no token starts with this character",
            Problem::UnterminatedComment => "this comment is never ended by `*/`",
            Problem::Real => "there are whole numbers only",
        }
    }
}

impl<'a, 't> Parser<'a, 't> {
    fn new(tokens: &'a [Token<'t>], diagnostics: &'a mut Diagnostics, in_formula: bool) -> Parser<'a, 't> {
        let (until_ends, has_modules) = (false, false);
        Parser { cursor: Cursor::new(tokens, diagnostics), operators: 0, in_formula, until_ends, has_modules }
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Ok(Name { text: token.text.to_owned(), span: token.span })
            }
            TokenKind::Keyword => self.error_keyword(what),
            _ => {
                self.error_here(&format!("expected {what}"));
                Err(Reported)
            }
        }
    }

    fn program(&mut self) -> Program {
        let mut program = Program::default();
        let variables = self.declarations();
        if self.is("{") {
            let name = Name { text: "main".to_owned(), span: self.token().span };
            program.processes.extend(self.process(name, variables));
        } else if let Some(variable) = variables.first() {
            let message = "variables belong to a process: no other process can read them";
            let help = "declare them after `process NAME`, and send their values";
            self.cursor.diagnostics.add(Diagnostic::error(message, variable.name.span).help(help));
        }
        while self.accept("process") {
            let Ok(name) = self.name("the name of a process") else { break };
            let variables = self.declarations();
            program.processes.extend(self.process(name, variables));
        }
        if program.processes.is_empty() && !self.cursor.diagnostics.has_errors() {
            self.error_here("expected a declaration, `process` or `{`");
        }
        while self.accept("SPEC") {
            self.in_formula = true;
            self.operators = 0;
            let Ok(formula) = self.expression() else { break };
            self.accept(";");
            program.specs.push(Spec { formula });
        }
        if !self.at_end() && !self.cursor.diagnostics.has_errors() {
            self.error_here("expected `SPEC` or the end of the text");
        }
        program
    }

    fn process(&mut self, name: Name, variables: Vec<Variable>) -> Option<Process> {
        self.expect("{").ok()?;
        let mut body = self.statements(&["}"]);
        // A superfluous end is no reason not to understand a program: the one in the literature has one.
        while self.is("od") || self.is("fi") {
            let token = self.advance();
            let message = format!("this `{}` ends nothing and is ignored", token.text);
            self.cursor.diagnostics.add(Diagnostic::warning(message, token.span));
            self.accept(";");
            body.extend(self.statements(&["}"]));
        }
        let end = self.expect("}").ok()?;
        Some(Process { name, variables, body, end })
    }

    fn declarations(&mut self) -> Vec<Variable> {
        let mut variables = Vec::new();
        while self.is("int") || self.is("boolean") {
            if self.declaration(&mut variables).is_err() {
                self.recover();
            }
        }
        variables
    }

    fn declaration(&mut self, variables: &mut Vec<Variable>) -> Parse<()> {
        let ty = if self.advance().text == "boolean" { Type::Boolean } else { self.int_type()? };
        loop {
            let name = self.name("the name of a variable")?;
            let length = if self.accept("[") {
                let span = self.token().span;
                let length = self.number()?;
                self.expect("]")?;
                if !(1..=100_000).contains(&length) {
                    self.error("an array has 1 to 100000 elements", span);
                    return Err(Reported);
                }
                Some(length as u32)
            } else {
                None
            };
            variables.push(Variable { name, ty, length });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";").map(|_| ())
    }

    fn int_type(&mut self) -> Parse<Type> {
        let span = self.token().span;
        if self.accept(":") {
            let bits = self.number()?;
            if !(1..=31).contains(&bits) {
                self.error("a number has 1 to 31 bits", span.to(self.last().span));
                return Err(Reported);
            }
            return Ok(Type::Bits(bits as u8));
        }
        if self.accept("[") {
            let low = self.signed_number()?;
            self.expect("..")?;
            let high = self.signed_number()?;
            self.expect("]")?;
            if low > high {
                self.error("no number lies in this range", span.to(self.last().span));
                return Err(Reported);
            }
            return Ok(Type::Range(low, high));
        }
        Ok(Type::Int)
    }

    fn signed_number(&mut self) -> Parse<i32> {
        let is_negative = self.accept("-");
        let number = self.number()?;
        Ok(if is_negative { -number } else { number })
    }

    fn number(&mut self) -> Parse<i32> {
        let token = self.token();
        if token.kind != TokenKind::Number {
            self.error_here("expected a number");
            return Err(Reported);
        }
        self.advance();
        token.text.parse().map_err(|_| {
            self.error("this number does not fit into 32 bits", token.span);
            Reported
        })
    }

    /// Goes behind the next semicolon, or to where something else must begin.
    fn recover(&mut self) {
        while !self.at_end() && !self.is("}") && !self.is("process") && !self.is("SPEC") {
            if self.advance().text == ";" {
                return;
            }
        }
    }

    /// Statements up to one of these words, which is left for the caller.
    fn statements(&mut self, ends: &[&str]) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            let module = self.module_mark();
            let is_over =
                ["}", "od", "fi", "else"].iter().any(|end| self.is(end)) || ends.iter().any(|end| self.is(end));
            if is_over || self.at_end() || self.cursor.diagnostics.is_full() {
                if let Some(span) = module {
                    let message = "no statement follows: this `#MODULE#` marks nothing";
                    self.cursor.diagnostics.add(Diagnostic::warning(message, span));
                }
                return statements;
            }
            if let Some(span) = module.filter(|_| !self.has_modules) {
                self.has_modules = true;
                let message = "the program is checked as a whole: `#MODULE#` is noted, and changes nothing";
                self.cursor.diagnostics.add(Diagnostic::warning(message, span));
            }
            match self.nested(Parser::statement) {
                Ok(statement) => {
                    statements.push(Statement { module: module.is_some(), ..statement });
                    let may_follow = ["}", "od", "fi", "else", "#MODULE#"].iter().any(|end| self.is(end));
                    if !may_follow && self.expect(";").is_err() {
                        self.recover();
                    }
                }
                Err(Reported) => self.recover(),
            }
        }
    }

    /// Passes over semicolons and marks. Answers where a mark is.
    fn module_mark(&mut self) -> Option<Span> {
        let mut mark = None;
        loop {
            let span = self.token().span;
            if self.accept("#MODULE#") {
                mark = Some(span);
            } else if !self.accept(";") {
                return mark;
            }
        }
    }

    fn statement(&mut self) -> Parse<Statement> {
        self.operators = 0;
        let start = self.token();
        let is_word = |word: &str| start.kind == TokenKind::Keyword && start.text == word;
        let kind = if is_word("skip") {
            self.advance();
            StatementKind::Skip
        } else if is_word("label") {
            self.advance();
            StatementKind::Label(self.name("the name of a label")?)
        } else if is_word("assert") {
            self.advance();
            StatementKind::Assert(self.expression()?)
        } else if is_word("send") {
            self.advance();
            self.expect("(")?;
            let to = self.name("the process that receives")?;
            self.expect(",")?;
            let value = self.expression()?;
            self.expect(")")?;
            StatementKind::Send { to, value }
        } else if is_word("receive") {
            self.advance();
            self.expect("(")?;
            let from = self.name("the process that sends")?;
            self.expect(",")?;
            let target = self.target()?;
            self.expect(")")?;
            StatementKind::Receive { from, target }
        } else if is_word("if") {
            return self.conditional();
        } else if is_word("while") {
            self.advance();
            let condition = self.expression()?;
            let span = start.span.to(condition.span);
            self.expect("do")?;
            let body = self.statements(&["od"]);
            self.expect("od")?;
            return Ok(Statement { kind: StatementKind::While { condition, body }, span, module: false });
        } else {
            self.assignment()?
        };
        Ok(Statement { kind, span: start.span.to(self.last().span), module: false })
    }

    fn conditional(&mut self) -> Parse<Statement> {
        let start = self.advance().span;
        let condition = self.expression()?;
        let span = start.to(condition.span);
        self.expect("then")?;
        let then = self.statements(&["else", "fi"]);
        let otherwise = if self.accept("else") { self.statements(&["fi"]) } else { Vec::new() };
        self.expect("fi")?;
        Ok(Statement { kind: StatementKind::If { condition, then, otherwise }, span, module: false })
    }

    fn assignment(&mut self) -> Parse<StatementKind> {
        let target = self.target()?;
        self.expect(":=")?;
        let mut values = Vec::new();
        if self.accept("{") {
            loop {
                let value = self.expression()?;
                if self.accept("..") {
                    let high = self.expression()?;
                    self.range(&value, &high, &mut values)?;
                } else {
                    values.push(value);
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("}")?;
        } else {
            values.push(self.expression()?);
        }
        Ok(StatementKind::Assign { target, values })
    }

    /// `{1 .. 4}` is short for `{1, 2, 3, 4}`.
    fn range(&mut self, low: &Expr, high: &Expr, values: &mut Vec<Expr>) -> Parse<()> {
        let span = low.span.to(high.span);
        match (&low.kind, &high.kind) {
            (ExprKind::Number(low), ExprKind::Number(high)) if low <= high && high - low < 10_000 => {
                values.extend((*low..=*high).map(|number| Expr { kind: ExprKind::Number(number), span }));
                Ok(())
            }
            _ => {
                let message = "a range goes from a number to one that is not less";
                self.error(message, span);
                Err(Reported)
            }
        }
    }

    fn target(&mut self) -> Parse<Target> {
        let name = self.name("a statement")?;
        let index = if self.accept("[") {
            let index = self.expression()?;
            self.expect("]")?;
            Some(index)
        } else {
            None
        };
        Ok(Target { name, index })
    }

    fn expression(&mut self) -> Parse<Expr> {
        self.nested(|parser| parser.implication())
    }

    fn implication(&mut self) -> Parse<Expr> {
        let left = self.until()?;
        if !self.accept("->") {
            return Ok(left);
        }
        let right = self.nested(|parser| parser.implication())?;
        Ok(binary(Binary::Implies, left, right))
    }

    /// `p U q` of linear time, and what ends at the `U` of `A[p U q]`.
    fn until(&mut self) -> Parse<Expr> {
        let left = self.level(0)?;
        if !self.in_formula || !self.is("U") || self.until_ends {
            return Ok(left);
        }
        self.advance();
        let right = self.nested(|parser| parser.until())?;
        let span = left.span.to(right.span);
        let operator = Temporal { runs: None, when: When::Until };
        Ok(Expr { kind: ExprKind::Temporal(operator, vec![left, right]), span })
    }

    fn level(&mut self, level: usize) -> Parse<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(text, _)| self.is(text)) {
            self.advance();
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                let message = format!("an expression has more than {MAX_OPERATORS} operators");
                self.error(message, self.token().span);
                return Err(Reported);
            }
            let right = self.level(level + 1)?;
            left = binary(*operator, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parse<Expr> {
        let start = self.token().span;
        if self.accept("!") {
            let inner = self.nested(Parser::unary)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
        }
        if self.accept("-") {
            let inner = self.nested(Parser::unary)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Minus(Box::new(inner)), span });
        }
        if let Some(operator) = self.temporal_word() {
            self.advance();
            let inner = self.nested(|parser| parser.level(COMPARISONS))?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Temporal(operator, vec![inner]), span });
        }
        self.primary()
    }

    /// The operator of time that comes next, if it stands before what it is about.
    fn temporal_word(&self) -> Option<Temporal> {
        let token = self.token();
        let is_call = self.following().text == "[" || self.following().text == ":=";
        if !self.in_formula || (token.kind == TokenKind::Name && is_call) {
            return None;
        }
        let (runs, when) = match token.text {
            "AX" => (Some(Runs::All), When::Next),
            "AF" => (Some(Runs::All), When::Eventually),
            "AG" => (Some(Runs::All), When::Always),
            "EX" => (Some(Runs::Some), When::Next),
            "EF" => (Some(Runs::Some), When::Eventually),
            "EG" => (Some(Runs::Some), When::Always),
            "X" => (None, When::Next),
            "F" | "<>" => (None, When::Eventually),
            "G" | "[]" => (None, When::Always),
            _ => return None,
        };
        Some(Temporal { runs, when })
    }

    fn primary(&mut self) -> Parse<Expr> {
        let token = self.token();
        let start = token.span;
        let kind = match token.kind {
            TokenKind::Number => ExprKind::Number(self.number()?),
            TokenKind::Symbol if token.text == "(" => {
                self.advance();
                let until_ends = std::mem::replace(&mut self.until_ends, false);
                let inner = self.expression()?;
                self.until_ends = until_ends;
                let end = self.expect(")")?;
                return Ok(Expr { kind: inner.kind, span: start.to(end) });
            }
            TokenKind::Keyword if token.text == "TRUE" || token.text == "FALSE" => {
                ExprKind::Truth(self.advance().text == "TRUE")
            }
            TokenKind::Keyword if self.in_formula && token.text == "label" => {
                self.advance();
                self.expect("(")?;
                let (process, label) = self.qualified()?;
                self.expect(")")?;
                ExprKind::At { process, label }
            }
            TokenKind::Name if self.in_formula && matches!(token.text, "A" | "E") && self.following().text == "[" => {
                return self.quantified_until();
            }
            _ => {
                let (process, name) = self.qualified()?;
                let index = if self.accept("[") {
                    let index = self.expression()?;
                    self.expect("]")?;
                    Some(Box::new(index))
                } else {
                    None
                };
                ExprKind::Variable { process, name, index }
            }
        };
        Ok(Expr { kind, span: start.to(self.last().span) })
    }

    /// `A[p U q]` or `E[p U q]`.
    fn quantified_until(&mut self) -> Parse<Expr> {
        let word = self.advance();
        let runs = if word.text == "A" { Runs::All } else { Runs::Some };
        self.expect("[")?;
        let until_ends = std::mem::replace(&mut self.until_ends, true);
        let left = self.expression()?;
        self.expect("U")?;
        self.until_ends = false;
        let right = self.expression()?;
        self.until_ends = until_ends;
        let end = self.expect("]")?;
        let operator = Temporal { runs: Some(runs), when: When::Until };
        Ok(Expr { kind: ExprKind::Temporal(operator, vec![left, right]), span: word.span.to(end) })
    }

    /// A name, in formulas also one of a process's own: `P.x`.
    fn qualified(&mut self) -> Parse<(Option<Name>, Name)> {
        let name = self.name("an expression")?;
        if self.in_formula && self.accept(".") {
            let inner = self.name("a name")?;
            return Ok((Some(name), inner));
        }
        Ok((None, name))
    }
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

/// Operators of time take comparisons with them, and nothing looser.
const COMPARISONS: usize = 2;

/// Operators that associate to the left, the loosest first.
const LEVELS: [&[(&str, Binary)]; 5] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[
        ("=", Binary::Equal),
        ("!=", Binary::NotEqual),
        ("<", Binary::Less),
        ("<=", Binary::LessEqual),
        (">", Binary::Greater),
        (">=", Binary::GreaterEqual),
    ],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];
