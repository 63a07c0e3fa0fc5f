//! Expressions and formulas. From the loosest to the tightest:
//!
//! ```text
//! ->   <->   ? :   | xor xnor   &   U V S T   X G F Y Z H O EX AX EF AF EG AG   = != < > <= >=   in   union
//! ..   << >>   + -   * / mod   - (sign)   ::   !   [ ] .
//! ```
//!
//! All associate to the left but `->`.

use super::{Parse, Parser, Reported, words};
use crate::smv::ast::{Binary, Bounds, Ctl1, Expr, ExprKind, Function, Ltl1, Ltl2};
use crate::source::Span;
use crate::tokens::{Parsing, TokenKind};

/// The binary operators of each level, from the loosest on.
const RELATIONS: [(&str, Binary); 6] = [
    ("=", Binary::Equal),
    ("!=", Binary::NotEqual),
    ("<", Binary::Less),
    ("<=", Binary::LessEqual),
    (">", Binary::Greater),
    (">=", Binary::GreaterEqual),
];

impl Parser<'_, '_> {
    pub fn expression(&mut self) -> Parse<Expr> {
        let left = self.equivalence()?;
        if !self.accept("->") {
            return Ok(left);
        }
        self.count_operator()?;
        let right = self.nested(Self::expression)?;
        Ok(binary(Binary::Implies, left, right))
    }

    fn equivalence(&mut self) -> Parse<Expr> {
        self.left_associative(&[("<->", Binary::Iff)], Self::conditional)
    }

    fn conditional(&mut self) -> Parse<Expr> {
        let condition = self.disjunction()?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = self.nested(Self::expression)?;
        self.expect(":")?;
        let otherwise = self.nested(Self::conditional)?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { kind: ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), span })
    }

    fn disjunction(&mut self) -> Parse<Expr> {
        let operators = [("|", Binary::Or), ("xor", Binary::Xor), ("xnor", Binary::Xnor)];
        self.left_associative(&operators, |parser| {
            parser.left_associative(&[("&", Binary::And)], Self::temporal_binary)
        })
    }

    fn temporal_binary(&mut self) -> Parse<Expr> {
        let mut left = self.temporal_unary()?;
        loop {
            let token = self.token();
            let operator = match token.text {
                "U" if !self.until_ends => Ltl2::Until,
                "V" => Ltl2::Release,
                "S" => Ltl2::Since,
                "T" => Ltl2::Triggered,
                _ => return Ok(left),
            };
            self.advance();
            self.count_operator()?;
            let right = self.temporal_unary()?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Ltl2(operator, Box::new(left), Box::new(right)), span };
        }
    }

    fn temporal_unary(&mut self) -> Parse<Expr> {
        match self.temporal_prefix()? {
            Some(formula) => Ok(formula),
            None => self.left_associative(&RELATIONS, Self::membership),
        }
    }

    /// A formula that begins with a temporal operator, if there is one.
    fn temporal_prefix(&mut self) -> Parse<Option<Expr>> {
        let token = self.token();
        if token.kind != TokenKind::Keyword {
            return Ok(None);
        }
        let ctl = |operator| move |inner| ExprKind::Ctl1(operator, inner);
        let ltl = |operator| move |inner| ExprKind::Ltl1(operator, inner);
        match token.text {
            "EX" => self.prefixed(ctl(Ctl1::Ex)),
            "AX" => self.prefixed(ctl(Ctl1::Ax)),
            "EF" => self.prefixed(ctl(Ctl1::Ef)),
            "AF" => self.prefixed(ctl(Ctl1::Af)),
            "EG" => self.prefixed(ctl(Ctl1::Eg)),
            "AG" => self.prefixed(ctl(Ctl1::Ag)),
            "EBF" => self.ctl_bounded(Ctl1::Ef),
            "ABF" => self.ctl_bounded(Ctl1::Af),
            "EBG" => self.ctl_bounded(Ctl1::Eg),
            "ABG" => self.ctl_bounded(Ctl1::Ag),
            "A" | "E" => self.ctl_until(),
            "X" => self.prefixed(ltl(Ltl1::Next)),
            "Y" => self.prefixed(ltl(Ltl1::Previous)),
            "Z" => self.prefixed(ltl(Ltl1::WeakPrevious)),
            "G" => self.ltl_prefixed(Ltl1::Always),
            "F" => self.ltl_prefixed(Ltl1::Eventually),
            "H" => self.ltl_prefixed(Ltl1::Historically),
            "O" => self.ltl_prefixed(Ltl1::Once),
            _ => return Ok(None),
        }
        .map(Some)
    }

    fn prefixed(&mut self, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Parse<Expr> {
        let start = self.advance().span;
        self.operand_of(start, kind)
    }

    fn operand_of(&mut self, start: Span, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Parse<Expr> {
        let inner = self.nested(Self::temporal_unary)?;
        let span = start.to(inner.span);
        Ok(Expr { kind: kind(Box::new(inner)), span })
    }

    /// `EBF 1..3 f`.
    fn ctl_bounded(&mut self, operator: Ctl1) -> Parse<Expr> {
        let start = self.advance().span;
        let bounds = self.ctl_bounds()?;
        self.operand_of(start, |inner| ExprKind::CtlBounded(operator, Box::new(bounds), inner))
    }

    fn ctl_bounds(&mut self) -> Parse<Bounds> {
        let low = self.postfix()?;
        self.expect("..")?;
        Ok(Bounds { low, high: self.postfix()? })
    }

    /// `F f` or `F [1, 3] f`.
    fn ltl_prefixed(&mut self, operator: Ltl1) -> Parse<Expr> {
        let start = self.advance().span;
        if !self.accept("[") {
            return self.operand_of(start, |inner| ExprKind::Ltl1(operator, inner));
        }
        let low = self.postfix()?;
        self.expect(",")?;
        let bounds = Bounds { low, high: self.postfix()? };
        self.expect("]")?;
        self.operand_of(start, |inner| ExprKind::LtlBounded(operator, Box::new(bounds), inner))
    }

    fn ctl_until(&mut self) -> Parse<Expr> {
        let start = self.advance();
        self.expect("[")?;
        let before = std::mem::replace(&mut self.until_ends, true);
        let left = self.nested(Self::expression);
        self.until_ends = before;
        let left = left?;
        let bounds = if self.accept("BU") {
            Some(Box::new(self.ctl_bounds()?))
        } else {
            self.expect("U")?;
            None
        };
        let right = self.nested(Self::expression)?;
        let end = self.expect("]")?;
        let all = start.text == "A";
        let kind = ExprKind::CtlUntil { all, bounds, left: Box::new(left), right: Box::new(right) };
        Ok(Expr { kind, span: start.span.to(end) })
    }

    fn membership(&mut self) -> Parse<Expr> {
        self.left_associative(&[("in", Binary::In)], |parser| {
            parser.left_associative(&[("union", Binary::Union)], Self::interval)
        })
    }

    fn interval(&mut self) -> Parse<Expr> {
        let low = self.shift()?;
        if !self.accept("..") {
            return Ok(low);
        }
        let high = self.shift()?;
        let span = low.span.to(high.span);
        Ok(Expr { kind: ExprKind::Range(Box::new(low), Box::new(high)), span })
    }

    fn shift(&mut self) -> Parse<Expr> {
        self.left_associative(&[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)], |parser| {
            parser.left_associative(&[("+", Binary::Add), ("-", Binary::Subtract)], |parser| {
                let products = [("*", Binary::Multiply), ("/", Binary::Divide), ("mod", Binary::Remainder)];
                parser.left_associative(&products, Self::signed)
            })
        })
    }

    fn signed(&mut self) -> Parse<Expr> {
        if !self.is("-") {
            return self.left_associative(&[("::", Binary::Concatenate)], Self::negation);
        }
        let start = self.advance().span;
        let inner = self.nested(Self::signed)?;
        let span = start.to(inner.span);
        let kind = match inner.kind {
            ExprKind::Number(value) => ExprKind::Number(-value),
            other => ExprKind::Negate(Box::new(Expr { kind: other, span: inner.span })),
        };
        Ok(Expr { kind, span })
    }

    fn negation(&mut self) -> Parse<Expr> {
        if self.is("!") {
            let start = self.advance().span;
            let inner = self.nested(Self::negation)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
        }
        match self.temporal_prefix()? {
            Some(formula) => Ok(formula),
            None => self.postfix(),
        }
    }

    fn left_associative(
        &mut self,
        operators: &[(&str, Binary)],
        mut operand: impl FnMut(&mut Self) -> Parse<Expr>,
    ) -> Parse<Expr> {
        let mut left = operand(self)?;
        while let Some((_, operator)) = operators.iter().find(|(symbol, _)| self.is(symbol)) {
            self.advance();
            self.count_operator()?;
            let right = operand(self)?;
            left = binary(*operator, left, right);
        }
        Ok(left)
    }

    /// A name, a constant or brackets, with members and indices.
    pub fn postfix(&mut self) -> Parse<Expr> {
        let mut expr = self.primary()?;
        loop {
            if self.accept(".") {
                let member = self.name("the name of a member")?;
                let span = expr.span.to(member.span);
                expr = Expr { kind: ExprKind::Member(Box::new(expr), member), span };
            } else if self.accept("[") {
                self.count_operator()?;
                let index = self.nested(Self::expression)?;
                let low = if self.accept(":") { Some(self.nested(Self::expression)?) } else { None };
                let span = expr.span.to(self.expect("]")?);
                let kind = match low {
                    Some(low) => ExprKind::Slice(Box::new(expr), Box::new(index), Box::new(low)),
                    None => ExprKind::Index(Box::new(expr), Box::new(index)),
                };
                expr = Expr { kind, span };
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Parse<Expr> {
        let token = self.token();
        let simple = |kind| Ok(Expr { kind, span: token.span });
        match (token.kind, token.text) {
            (TokenKind::Number, text) => {
                self.advance();
                let value = text.parse().ok().filter(|value| *value <= super::words::MAX_NUMBER);
                let Some(value) = value else {
                    self.error("this number is too large", token.span);
                    return Err(Reported);
                };
                simple(ExprKind::Number(value))
            }
            (TokenKind::Word, text) => {
                self.advance();
                match words::constant(text) {
                    Ok(kind) => simple(kind),
                    Err(message) => {
                        self.error(message, token.span);
                        Err(Reported)
                    }
                }
            }
            (_, "TRUE" | "FALSE") => {
                self.advance();
                simple(ExprKind::Truth(token.text == "TRUE"))
            }
            (_, "self") => {
                self.advance();
                simple(ExprKind::SelfReference)
            }
            (_, "(") => {
                self.advance();
                let before = std::mem::replace(&mut self.until_ends, false);
                let inner = self.nested(Self::expression);
                self.until_ends = before;
                let mut inner = inner?;
                inner.span = token.span.to(self.expect(")")?);
                Ok(inner)
            }
            (_, "{") => {
                self.advance();
                let items = self.expressions_until("}")?;
                self.bracketed(token.span, ExprKind::Set(items))
            }
            (_, "[") => {
                self.advance();
                let items = self.expressions_until("]")?;
                self.bracketed(token.span, ExprKind::Array(items))
            }
            (_, "case") => self.case(),
            (_, "next") => {
                self.advance();
                self.expect("(")?;
                let inner = self.nested(Self::expression)?;
                self.expect(")")?;
                self.bracketed(token.span, ExprKind::Next(Box::new(inner)))
            }
            (TokenKind::Name | TokenKind::Keyword, name) => match Function::from_name(name) {
                Some(function) if self.following().text == "(" => self.call(function),
                _ if token.kind == TokenKind::Name => {
                    self.advance();
                    simple(ExprKind::Name(name.to_owned()))
                }
                _ => self.no_expression(),
            },
            _ => self.no_expression(),
        }
    }

    fn no_expression<T>(&mut self) -> Parse<T> {
        // Operators of other languages are twice those of SMV.
        let doubled = ["=", "&", "|"].into_iter().find(|symbol| self.is(symbol) && self.last().text == *symbol);
        match doubled {
            Some(symbol) => self.error_here(&format!("in SMV, this operator is `{symbol}`: expected an expression")),
            None => self.error_here("expected an expression"),
        }
        Err(Reported)
    }

    /// An expression that ends with the last token.
    fn bracketed(&mut self, start: Span, kind: ExprKind) -> Parse<Expr> {
        Ok(Expr { kind, span: start.to(self.last().span) })
    }

    fn call(&mut self, function: Function) -> Parse<Expr> {
        let name = self.advance();
        self.expect("(")?;
        let arguments = self.expressions_until(")")?;
        let fits = function.arity().map_or(!arguments.is_empty(), |arity| arity == arguments.len());
        if !fits {
            let wanted = match function.arity() {
                Some(1) => "one argument".to_owned(),
                Some(number) => format!("{number} arguments"),
                None => "at least one argument".to_owned(),
            };
            self.error(format!("`{}` takes {wanted}", name.text), name.span);
            return Err(Reported);
        }
        self.bracketed(name.span, ExprKind::Call(function, arguments))
    }

    fn case(&mut self) -> Parse<Expr> {
        let parsed = self.branches();
        if parsed.is_err() {
            // The `;` after a branch does not end the declaration.
            let mut open = 1;
            while open > 0 && !self.at_end() && !self.at_section() {
                match self.advance().text {
                    "case" => open += 1,
                    "esac" => open -= 1,
                    _ => {}
                }
            }
        }
        parsed
    }

    fn branches(&mut self) -> Parse<Expr> {
        let start = self.advance().span;
        let mut branches = Vec::new();
        while !self.is("esac") {
            let condition = self.nested(Self::expression)?;
            self.expect(":")?;
            let value = self.nested(Self::expression)?;
            self.expect(";")?;
            branches.push((condition, value));
        }
        self.advance();
        if branches.is_empty() {
            self.error("this `case` has no branches", start);
            return Err(Reported);
        }
        self.bracketed(start, ExprKind::Case(branches))
    }
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}
