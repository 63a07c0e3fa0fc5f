//! Expressions, with the precedences of SPIN's grammar: those of C, and below the bitwise operators those of temporal
//! logic, which are read only inside formulas.

use super::super::ast::{Binary, Expr, ExprKind, Query, RefPart, Unary, VarRef};
use super::super::lexer::{NumberProblem, character_value, number_value};
use super::super::token::{Keyword, Punct, Token, TokenKind};
use super::{Failed, MAX_OPERATORS, Parse, Parser};
use crate::diagnostics::Diagnostic;

/// A binary operator's tree and how tightly it binds; see [`binary_operator`] and the module `temporal`.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Plain(Binary),
    Temporal(super::super::ast::Temporal2),
}

/// The same operator over and over, as in `a || b || c`. A tree that nests as deeply as such an expression is long would be
/// too much for those who walk over it. Where it makes no difference how the operands are grouped, it is built flat.
#[derive(Default)]
struct Run {
    operator: Option<Binary>,
    length: usize,
}

impl Run {
    /// What is shorter stays as it is written.
    const LONG: usize = 64;
    /// Before it is flat it must not be too deep either.
    const LONGEST: usize = 16_384;

    fn is_long(&self) -> bool {
        self.length > Self::LONG
    }

    /// How many operators nest where one has a left operand in which so many nest, and a right one.
    fn depth(&self, left: usize, right: usize) -> usize {
        if self.is_long() { left.max(right + Self::LONG) } else { left.max(right) + 1 }
    }

    /// What is on the left of the next operator.
    fn before(&mut self, operator: Operator, left: Expr) -> Expr {
        use Binary::{Add, And, BitAnd, BitOr, BitXor, Multiply, Or};
        let operator = match operator {
            Operator::Plain(binary @ (And | Or | BitAnd | BitOr | BitXor | Add | Multiply)) => Some(binary),
            Operator::Plain(_) | Operator::Temporal(_) => None,
        };
        let goes_on = operator.is_some() && operator == self.operator && self.length < Self::LONGEST;
        if goes_on {
            self.length += 1;
            return left;
        }
        let last = std::mem::replace(self, Run { operator, length: 1 });
        last.end(left)
    }

    fn end(self, left: Expr) -> Expr {
        match self.operator {
            Some(operator) if self.is_long() => flat(operator, left, self.length),
            _ => left,
        }
    }
}

/// The operands of a run, grouped anew: as a tree that is as flat as can be.
fn flat(operator: Binary, left: Expr, length: usize) -> Expr {
    let mut operands = Vec::new();
    let mut first = left;
    for _ in 0..length {
        first = match first.kind {
            ExprKind::Binary(_, left, right) => {
                operands.push(*right);
                *left
            }
            _ => unreachable!("a run of `{operator}` has fewer operators than were counted"),
        };
    }
    operands.push(first);
    operands.reverse();
    while operands.len() > 1 {
        let mut pairs = operands.into_iter();
        operands = Vec::new();
        while let Some(left) = pairs.next() {
            operands.push(match pairs.next() {
                Some(right) => {
                    let span = left.span.to(right.span);
                    Expr { span, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
                }
                None => left,
            });
        }
    }
    operands.remove(0)
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.expression_or("an expression")
    }

    /// An expression; a message about something else says what was expected.
    pub(super) fn expression_or(&mut self, expected: &str) -> Parse<Expr> {
        self.whole(|this| {
            let left = this.unary(expected)?;
            this.rest_of_expression(left)
        })
    }

    /// An expression that starts with a reference already read.
    pub(super) fn expression_from_reference(&mut self, reference: VarRef) -> Parse<Expr> {
        self.whole(|this| {
            let left = this.after_reference(reference)?;
            this.rest_of_expression(left)
        })
    }

    /// Runs a parser of a whole expression, which may be one of several inside the same operand of another.
    fn whole<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let beside = if self.expression_depth == 0 { 0 } else { self.operators };
        self.operators = 0;
        self.expression_depth += 1;
        let result = self.nested(parse);
        self.expression_depth -= 1;
        self.operators = self.operators.max(beside);
        result
    }

    fn rest_of_expression(&mut self, left: Expr) -> Parse<Expr> {
        let left = self.binary_from(left, 0)?;
        if self.at(Punct::Assign) {
            return self.assignment_in_expression(left);
        }
        if self.at(Punct::PlusPlus) || self.at(Punct::MinusMinus) {
            let text = self.describe(self.peek());
            let error = Diagnostic::error(
                format!("{text} is a statement of its own, not part of an expression"),
                self.peek().span,
            );
            return Err(self.report(error.help("write `x++` as a statement before or after this one")));
        }
        Ok(left)
    }

    /// Precedence climbing: takes operators that bind at least as tightly as the minimum. All are left-associative.
    fn binary_from(&mut self, mut left: Expr, minimum: u8) -> Parse<Expr> {
        let mut run = Run::default();
        let mut operators = self.operators;
        while let Some((operator, precedence, length)) = self.operator() {
            if precedence < minimum {
                break;
            }
            let sign = self.peek().span;
            for _ in 0..length {
                self.bump();
            }
            self.operators = 0;
            let right = self.unary("an expression")?;
            let right = self.binary_from(right, precedence + 1)?;
            let operator = if self.temporal { self.between_formulas(operator, &left, &right, sign)? } else { operator };
            left = run.before(operator, left);
            operators = run.depth(operators, self.operators);
            if operators > MAX_OPERATORS {
                let message = format!("more than {MAX_OPERATORS} operators nest in an expression");
                return Err(self.give_up(Diagnostic::error(message, sign)));
            }
            let span = self.sources.join(left.span, right.span);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Operator::Plain(binary) => ExprKind::Binary(binary, left_box, right_box),
                Operator::Temporal(temporal) => ExprKind::Temporal2(temporal, left_box, right_box),
            };
            left = Expr { span, kind };
        }
        self.operators = operators;
        Ok(run.end(left))
    }

    /// The binary operator at hand, its precedence and its length in tokens.
    fn operator(&self) -> Option<(Operator, u8, usize)> {
        if self.temporal
            && let Some((operator, precedence, length)) = self.temporal_operator()
        {
            return Some((Operator::Temporal(operator), precedence, length));
        }
        let TokenKind::Punct(punct) = self.peek().kind else {
            return None;
        };
        let (binary, precedence) = binary_operator(punct)?;
        Some((Operator::Plain(binary), precedence, 1))
    }

    pub(super) fn unary(&mut self, expected: &str) -> Parse<Expr> {
        let token = self.peek();
        let operator = match token.kind {
            TokenKind::Punct(Punct::Not | Punct::NotNot) => Unary::Not,
            TokenKind::Punct(Punct::Minus) => Unary::Negate,
            TokenKind::Punct(Punct::Tilde) => Unary::Complement,
            _ => {
                if self.branching
                    && let Some(runs) = self.runs_prefix()
                {
                    return self.runs(runs);
                }
                if self.temporal
                    && let Some((operator, length)) = self.temporal_prefix()
                {
                    return self.temporal_unary(operator, length);
                }
                return self.primary(expected);
            }
        };
        self.bump();
        if operator == Unary::Negate && self.peek().kind == TokenKind::Number {
            // The least 32-bit number is the negation of one that does not fit.
            let value = self.constant(true)?;
            return Ok(Expr { span: self.since(token.span), kind: ExprKind::Number(value) });
        }
        let operand = self.nested(|this| this.unary("an expression"))?;
        if self.temporal && operator != Unary::Not {
            self.no_temporal_operand(&operand, token.span)?;
        }
        let span = self.sources.join(token.span, operand.span);
        let mut expression = Expr { span, kind: ExprKind::Unary(operator, Box::new(operand)) };
        if token.is(Punct::NotNot) {
            expression = Expr { span, kind: ExprKind::Unary(Unary::Not, Box::new(expression)) };
        }
        Ok(expression)
    }

    fn primary(&mut self, expected: &str) -> Parse<Expr> {
        let token = self.peek();
        if self.at_constant() {
            let value = self.constant(false)?;
            return Ok(Expr { span: token.span, kind: ExprKind::Number(value) });
        }
        match token.kind {
            TokenKind::Name => self.name_expression(),
            TokenKind::Punct(Punct::OpenParen) => self.parenthesized_expression(),
            TokenKind::Keyword(keyword) => self.keyword_expression(token, keyword, expected),
            TokenKind::EmbeddedC => {
                self.bump();
                Ok(Expr { span: token.span, kind: ExprKind::Number(0) })
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A parenthesis, or the conditional expression `(c -> a : b)`.
    fn parenthesized_expression(&mut self) -> Parse<Expr> {
        let open = self.bump();
        let mut inside = self.expression()?;
        if !self.temporal && self.take(Punct::Arrow) {
            let then = self.expression()?;
            if !self.take(Punct::Colon) {
                let found = self.describe(self.peek());
                let error = Diagnostic::error(format!("expected `:`, found {found}"), self.peek().span);
                return Err(
                    self.report(error.help("in parentheses, `->` starts a conditional expression: `(c -> a : b)`"))
                );
            }
            let otherwise = self.expression()?;
            inside.kind = ExprKind::Conditional(
                Box::new(Expr { span: inside.span, kind: inside.kind }),
                Box::new(then),
                Box::new(otherwise),
            );
        }
        self.expect_closing(Punct::CloseParen, open)?;
        Ok(Expr { span: self.since(open.span), kind: inside.kind })
    }

    fn keyword_expression(&mut self, word: Token, keyword: Keyword, expected: &str) -> Parse<Expr> {
        let kind = match keyword {
            Keyword::Run => return self.run_expression(),
            Keyword::Timeout => {
                self.bump();
                ExprKind::Timeout
            }
            Keyword::NonProgress => {
                self.bump();
                ExprKind::NonProgress
            }
            Keyword::Len => self.query(Query::Len)?,
            Keyword::Empty => self.query(Query::Empty)?,
            Keyword::Full => self.query(Query::Full)?,
            Keyword::Nempty => self.query(Query::NotEmpty)?,
            Keyword::Nfull => self.query(Query::NotFull)?,
            Keyword::Enabled => ExprKind::Enabled(self.argument()?),
            Keyword::PcValue => ExprKind::PcValue(self.argument()?),
            Keyword::GetPriority => ExprKind::GetPriority(self.argument()?),
            Keyword::Eval => {
                let error = Diagnostic::error("`eval` has a meaning only among the arguments of a receive", word.span);
                return Err(self.report(error));
            }
            _ => return Err(self.unexpected(expected)),
        };
        Ok(Expr { span: self.since(word.span), kind })
    }

    /// `len(channel)` and its kin
    fn query(&mut self, query: Query) -> Parse<ExprKind> {
        self.bump();
        let channel = self.parenthesized(Self::reference)?;
        Ok(ExprKind::Query(query, channel))
    }

    /// `enabled(pid)` and its kin
    fn argument(&mut self) -> Parse<Box<Expr>> {
        self.bump();
        Ok(Box::new(self.parenthesized(Self::expression)?))
    }

    fn run_expression(&mut self) -> Parse<Expr> {
        let word = self.bump();
        let proctype = self.expect_name("the name of a proctype")?;
        let open = self.expect(Punct::OpenParen)?;
        let arguments = if self.at(Punct::CloseParen) { Vec::new() } else { self.comma_separated(Self::expression)? };
        self.expect_closing(Punct::CloseParen, open)?;
        let priority = self.optional_priority()?.map(Box::new);
        Ok(Expr { span: self.since(word.span), kind: ExprKind::Run { proctype, arguments, priority } })
    }

    /// A reference, a poll, or a remote reference.
    fn name_expression(&mut self) -> Parse<Expr> {
        let token = self.peek();
        if self.names.proctypes.contains(&token.text) {
            let next = self.peek_at(1);
            if next.is(Punct::At) || next.is(Punct::Colon) || next.is(Punct::OpenBracket) {
                return self.remote_reference();
            }
        }
        let reference = self.reference()?;
        self.after_reference(reference)
    }

    /// What may follow a reference before any operator.
    fn after_reference(&mut self, reference: VarRef) -> Parse<Expr> {
        let token = self.peek();
        if token.is(Punct::Question) || token.is(Punct::QuestionQuestion) {
            let (span, kind) = self.poll(reference)?;
            return Ok(Expr { span, kind });
        }
        if token.is(Punct::OpenParen) && self.follows_directly(token) {
            return Err(self.no_such_call(&reference));
        }
        if token.is(Punct::At) {
            let name = &reference.parts[0].name;
            let message = format!("there is no proctype `{}`", name.text);
            return Err(self.error(message, name.span));
        }
        Ok(Expr { span: reference.span, kind: ExprKind::Reference(reference) })
    }

    /// `c!a(b)` is a message with two fields, so a parenthesis alone does not make a call.
    fn follows_directly(&self, token: Token) -> bool {
        !self.in_send && !token.space_before && token.span.file == self.previous().span.file
    }

    /// `P[pid]@label`, `P@label`, `P[pid]:variable`, `P:variable`
    fn remote_reference(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let proctype = self.name(token);
        let mut pid = None;
        if self.at(Punct::OpenBracket) {
            let open = self.bump();
            pid = Some(Box::new(self.expression()?));
            self.expect_closing(Punct::CloseBracket, open)?;
        }
        let kind = if self.take(Punct::At) {
            let label = self.expect_name("the name of a label")?;
            ExprKind::RemoteLabel { proctype, pid, label }
        } else if self.take(Punct::Colon) {
            ExprKind::RemoteVariable { proctype, pid, variable: self.reference()? }
        } else {
            return Err(self.unexpected("`@` and a label, or `:` and a variable"));
        };
        Ok(Expr { span: self.since(token.span), kind })
    }

    /// `a`, `a[i]`, `a[i].b`
    pub(super) fn reference(&mut self) -> Parse<VarRef> {
        let start = self.peek().span;
        let mut parts = Vec::new();
        loop {
            let what = if parts.is_empty() { "a variable" } else { "the name of a field" };
            let name = self.expect_name(what)?;
            let mut index = None;
            if self.at(Punct::OpenBracket) && !self.at_empty_brackets() {
                let open = self.bump();
                index = Some(self.expression()?);
                self.expect_closing(Punct::CloseBracket, open)?;
                if self.at(Punct::OpenBracket) {
                    let error = Diagnostic::error("arrays have one dimension only", self.peek().span);
                    return Err(
                        self.report(error.help("an array of a typedef that holds an array is used as `a[i].b[j]`"))
                    );
                }
            }
            parts.push(RefPart { name, index });
            if !self.take(Punct::Dot) {
                return Ok(VarRef { span: self.since(start), parts });
            }
        }
    }

    /// In a formula `[]` is an operator.
    fn at_empty_brackets(&self) -> bool {
        self.temporal && self.peek_at(1).is(Punct::CloseBracket)
    }

    pub(super) fn at_constant(&self) -> bool {
        matches!(
            self.peek().kind,
            TokenKind::Number
                | TokenKind::Character
                | TokenKind::Keyword(Keyword::True | Keyword::False | Keyword::Skip)
        )
    }

    /// The value of a constant, negated if it stands behind a minus.
    pub(super) fn constant(&mut self, negated: bool) -> Parse<i32> {
        let token = self.peek();
        let text = self.interner.text(token.text);
        let value = match token.kind {
            TokenKind::Keyword(Keyword::True | Keyword::Skip) => 1,
            TokenKind::Keyword(Keyword::False) => 0,
            TokenKind::Character => i64::from(character_value(text)),
            TokenKind::Number => match number_value(text) {
                Ok(value) => value,
                Err(problem) => return Err(self.wrong_number(problem, token)),
            },
            _ => return Err(self.unexpected("a constant")),
        };
        let is_octal = token.kind == TokenKind::Number && text.len() > 1 && text.starts_with('0') && value > 7;
        let value = if negated { -value } else { value };
        let Ok(value) = i32::try_from(value) else {
            return Err(self.wrong_number(NumberProblem::TooLarge, token));
        };
        if is_octal {
            let warning = Diagnostic::warning(
                format!("this number is read as {value}: a leading zero means nothing"),
                token.span,
            );
            self.diagnostics.add(warning.help("Promela has decimal numbers only"));
        }
        self.bump();
        Ok(value)
    }

    fn wrong_number(&mut self, problem: NumberProblem, token: Token) -> Failed {
        let text = self.interner.text(token.text);
        let (message, help) = match problem {
            NumberProblem::TooLarge => {
                (format!("the number {text} does not fit in 32 bits"), "the greatest number is 2147483647".to_string())
            }
            NumberProblem::Hexadecimal(Some(value)) => {
                ("Promela has decimal numbers only".to_string(), format!("write {value}"))
            }
            NumberProblem::Hexadecimal(None) => {
                ("Promela has decimal numbers only".to_string(), "and this one does not fit in 32 bits".to_string())
            }
            NumberProblem::Malformed => {
                (format!("`{text}` is neither a number nor a name"), "a name cannot start with a digit".to_string())
            }
        };
        // What follows the number can be read all the same.
        self.report(Diagnostic::error(message, token.span).help(help));
        self.bump();
        Failed
    }

    /// A constant, a name or a parenthesis: where SPIN's grammar has no room for operators.
    pub(super) fn constant_operand(&mut self) -> Parse<Expr> {
        if self.at(Punct::Minus) {
            return self.unary("a constant");
        }
        self.primary("a constant")
    }
}

/// SPIN's precedences; those of the temporal operators lie between.
pub(super) fn binary_operator(punct: Punct) -> Option<(Binary, u8)> {
    Some(match punct {
        Punct::OrOr => (Binary::Or, 2),
        Punct::AndAnd => (Binary::And, 3),
        Punct::Or => (Binary::BitOr, 5),
        Punct::Xor => (Binary::BitXor, 6),
        Punct::And => (Binary::BitAnd, 7),
        Punct::EqualEqual => (Binary::Equal, 8),
        Punct::NotEqual => (Binary::NotEqual, 8),
        Punct::Less => (Binary::Less, 9),
        Punct::LessEqual => (Binary::LessEqual, 9),
        Punct::Greater => (Binary::Greater, 9),
        Punct::GreaterEqual => (Binary::GreaterEqual, 9),
        Punct::ShiftLeft => (Binary::ShiftLeft, 10),
        Punct::ShiftRight => (Binary::ShiftRight, 10),
        Punct::Plus => (Binary::Add, 11),
        Punct::Minus => (Binary::Subtract, 11),
        Punct::Star => (Binary::Multiply, 12),
        Punct::Slash => (Binary::Divide, 12),
        Punct::Percent => (Binary::Remainder, 12),
        _ => return None,
    })
}
