//! Formulas from text.
//!
//! Operators are spelled as in SPIN (`[] <> X U V W ! && || -> <->`, `always`, `eventually`, `next`, `until`, ...) or
//! as elsewhere (`G F R M & | ~ and or not xor`). The precedences are SPIN's, the same as in a Promela `ltl` block:
//!
//! ```text
//! loosest   -> <->            and all binary operators
//!           || xor            associate from the left:
//!           &&                a U b U c is (a U b) U c
//!           U V R W M
//!           comparisons and arithmetic, which make atoms
//! tightest  ! [] <> X
//! ```
//!
//! An atom is a name, an expression of the model's language (`x > 1`, `len(q) < 3`, `p@label`), or any text in braces
//! or quotes. Only its extent is found here; what it means is left to whoever knows the model.

use std::ops::Range;

use super::formula::{Formula, Formulas};
use super::lexer::{self, Token};
use crate::prop::Propositions;

/// How deeply formulas may nest when they are read, simplified or translated.
pub const MAX_DEPTH: u32 = 500;

/// How deeply parentheses and unary operators may nest in a text.
const MAX_NESTING: usize = 250;

/// What is wrong with the text of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ParseError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        ParseError { offset, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula. The texts of its atoms are added to the table.
pub fn parse(text: &str, formulas: &mut Formulas, propositions: &mut Propositions) -> Result<Formula, ParseError> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser { text, tokens, at: 0, nesting: 0 };
    let tree = parser.formula()?;
    match parser.peek() {
        Token::End => Ok(tree.build(text, formulas, propositions)),
        _ => Err(parser.no_operator()),
    }
}

/// A formula whose atoms are still places in the text: only when all is read is it known how far each of them extends.
struct Tree {
    place: Range<usize>,
    depth: u32,
    /// Why it cannot be a part of an expression, if it cannot, in the words of a help.
    no_expression: Option<&'static str>,
    kind: TreeKind,
}

enum TreeKind {
    /// An expression of the model's language, without the parentheses around it.
    Text(Range<usize>),
    Opaque(String),
    Unary(Make1, Box<Tree>),
    Binary(Make2, Box<Tree>, Box<Tree>),
}

type Make1 = fn(&mut Formulas, Formula) -> Formula;
type Make2 = fn(&mut Formulas, Formula, Formula) -> Formula;

impl Tree {
    fn text(place: Range<usize>) -> Tree {
        Tree { kind: TreeKind::Text(place.clone()), place, depth: 1, no_expression: None }
    }

    fn build(&self, text: &str, formulas: &mut Formulas, propositions: &mut Propositions) -> Formula {
        match &self.kind {
            TreeKind::Text(place) => match &text[place.clone()] {
                "true" | "1" => formulas.truth(true),
                "false" | "0" => formulas.truth(false),
                atom => formulas.atom(propositions.intern(atom)),
            },
            TreeKind::Opaque(atom) => formulas.atom(propositions.intern(atom)),
            TreeKind::Unary(make, operand) => {
                let operand = operand.build(text, formulas, propositions);
                make(formulas, operand)
            }
            TreeKind::Binary(make, left, right) => {
                let left = left.build(text, formulas, propositions);
                let right = right.build(text, formulas, propositions);
                make(formulas, left, right)
            }
        }
    }
}

const TIGHTLY: &str = "temporal operators bind tightly: write `[] (a == b)` rather than `[] a == b`";
const WHOLE_ATOMS: &str = "braces and quotes hold whole atoms: put the whole comparison into them";

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    nesting: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn place(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    fn bump(&mut self) {
        // The last token is the end, which stays.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn formula(&mut self) -> Result<Tree, ParseError> {
        let left = self.unary()?;
        self.binary_from(left, 0)
    }

    /// Precedence climbing: takes operators that bind at least as tightly as the minimum.
    fn binary_from(&mut self, mut left: Tree, minimum: u8) -> Result<Tree, ParseError> {
        while let Some((precedence, make)) = binary_operator(self.peek()).filter(|found| found.0 >= minimum) {
            let sign = self.place();
            self.bump();
            let right = self.unary()?;
            let right = self.binary_from(right, precedence + 1)?;
            let no_expression = left.no_expression.or(right.no_expression);
            let place = left.place.start..right.place.end;
            left = match make {
                Some(make) => self.bounded(Tree {
                    place,
                    depth: left.depth.max(right.depth) + 1,
                    no_expression: no_expression.or((precedence == TEMPORAL).then_some(TIGHTLY)),
                    kind: TreeKind::Binary(make, Box::new(left), Box::new(right)),
                })?,
                None => self.expression(place, sign, no_expression)?,
            };
        }
        Ok(left)
    }

    /// What is compared or computed with becomes part of one atom, unless it can only be read as a formula.
    fn expression(
        &self,
        place: Range<usize>,
        sign: Range<usize>,
        no_expression: Option<&'static str>,
    ) -> Result<Tree, ParseError> {
        match no_expression {
            None => Ok(Tree::text(place)),
            Some(help) => {
                let message = format!("`{}` cannot be applied to a formula", &self.text[sign.clone()]);
                Err(ParseError::new(sign.start, message).help(help))
            }
        }
    }

    fn bounded(&self, tree: Tree) -> Result<Tree, ParseError> {
        if tree.depth > MAX_DEPTH { Err(too_deep(tree.place.start)) } else { Ok(tree) }
    }

    fn unary(&mut self) -> Result<Tree, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(too_deep(self.place().start));
        }
        let tree = self.unary_within();
        self.nesting -= 1;
        tree
    }

    fn unary_within(&mut self) -> Result<Tree, ParseError> {
        let sign = self.place();
        if *self.peek() == Token::Sign("-") {
            self.bump();
            let operand = self.unary()?;
            return self.expression(sign.start..operand.place.end, sign, operand.no_expression);
        }
        let Some((make, is_temporal)) = unary_operator(self.peek()) else { return self.primary() };
        self.bump();
        let operand = self.unary()?;
        self.bounded(Tree {
            place: sign.start..operand.place.end,
            depth: operand.depth + 1,
            no_expression: operand.no_expression.or(is_temporal.then_some(TIGHTLY)),
            kind: TreeKind::Unary(make, Box::new(operand)),
        })
    }

    fn primary(&mut self) -> Result<Tree, ParseError> {
        let place = self.place();
        match self.peek().clone() {
            Token::Opaque(content) if content.is_empty() => {
                Err(ParseError::new(place.start, "an atom has no text").help("write an expression between the marks"))
            }
            Token::Opaque(content) => {
                self.bump();
                Ok(Tree { place, depth: 1, no_expression: Some(WHOLE_ATOMS), kind: TreeKind::Opaque(content) })
            }
            Token::Sign("(") => self.parenthesized(),
            Token::Word(word) if !lexer::is_reserved(&word) || is_constant(&word) => {
                self.bump();
                self.suffixes()?;
                Ok(Tree::text(place.start..self.tokens[self.at - 1].1.end))
            }
            found => Err(self.expected_operand(&found)),
        }
    }

    fn parenthesized(&mut self) -> Result<Tree, ParseError> {
        let open = self.place();
        self.bump();
        let inner = self.formula()?;
        if *self.peek() != Token::Sign(")") {
            if *self.peek() == Token::End {
                return Err(ParseError::new(open.start, "this `(` is never closed").help("add a `)`"));
            }
            return Err(self.no_operator());
        }
        let place = open.start..self.place().end;
        self.bump();
        Ok(Tree { place, ..inner })
    }

    /// What can follow a name: `q[i]`, `s.field`, `p@label`, `p:variable`, `len(q)`.
    fn suffixes(&mut self) -> Result<(), ParseError> {
        loop {
            let touches = self.place().start == self.tokens[self.at - 1].1.end;
            match self.peek() {
                Token::Sign("[") => self.skip_balanced("[", "]")?,
                Token::Sign("(") if touches => self.skip_balanced("(", ")")?,
                Token::Sign("." | "@" | ":") => {
                    self.bump();
                    let Token::Word(_) = self.peek() else {
                        return Err(self.unexpected("a name").help("a field, label or variable is named here"));
                    };
                    self.bump();
                }
                _ => return Ok(()),
            }
        }
    }

    fn skip_balanced(&mut self, open: &'static str, close: &'static str) -> Result<(), ParseError> {
        let start = self.place().start;
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::Sign(sign) if *sign == open => depth += 1,
                Token::Sign(sign) if *sign == close => depth -= 1,
                Token::End => {
                    let message = format!("this `{open}` is never closed");
                    return Err(ParseError::new(start, message).help(format!("add a `{close}`")));
                }
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", &self.text[self.place()]),
        }
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        ParseError::new(self.place().start, format!("expected {expected}, found {}", self.found()))
    }

    fn expected_operand(&self, found: &Token) -> ParseError {
        let error = self.unexpected("a formula");
        match found {
            Token::End => error.help("the formula ends too early: complete it or remove the last operator"),
            Token::Word(word) => error.help(format!("`{word}` is an operator; put an atom of that name in quotes")),
            _ => error.help("an operand is a name, an expression such as `x > 1`, or a formula in parentheses"),
        }
    }

    /// Two operands in a row, or a closing parenthesis too many.
    fn no_operator(&self) -> ParseError {
        let error = self.unexpected("an operator or the end");
        let before = match self.at.checked_sub(1).map(|before| &self.tokens[before].0) {
            Some(Token::Word(word)) => word.as_str(),
            _ => "",
        };
        if *self.peek() == Token::Sign(")") {
            error.help("remove this `)` or add a `(` before")
        } else if before.len() > 1 && before.chars().all(|letter| "GFX".contains(letter)) {
            let spaced: Vec<String> = before.chars().map(String::from).collect();
            error.help(format!("`{before}` is read as a name: write `{}`", spaced.join(" ")))
        } else {
            error.help("write `&&`, `||`, `->` or a temporal operator between two formulas")
        }
    }
}

fn too_deep(offset: usize) -> ParseError {
    ParseError::new(offset, "the formula nests too deeply").help("check its parts one by one")
}

fn is_constant(word: &str) -> bool {
    matches!(word, "true" | "false" | "1" | "0")
}

/// What the operator makes of its operand, and whether it is temporal.
fn unary_operator(token: &Token) -> Option<(Make1, bool)> {
    Some(match operator_text(token)? {
        "!" | "~" | "not" => (Formulas::not, false),
        "[]" | "G" | "always" => (Formulas::always, true),
        "<>" | "F" | "eventually" => (Formulas::eventually, true),
        "X" | "next" => (Formulas::next, true),
        _ => return None,
    })
}

/// How tightly the binary temporal operators bind.
const TEMPORAL: u8 = 4;

/// How tightly an operator binds and what it makes of its operands; nothing if it is part of an atom. Implication and
/// equivalence bind equally, as in SPIN.
fn binary_operator(token: &Token) -> Option<(u8, Option<Make2>)> {
    let exclusive: Make2 = |formulas, left, right| {
        let same = formulas.equivalent(left, right);
        formulas.not(same)
    };
    Some(match operator_text(token)? {
        "->" | "=>" | "implies" => (1, Some(Formulas::implies)),
        "<->" | "<=>" | "equivalent" | "iff" => (1, Some(Formulas::equivalent)),
        "||" | "|" | "\\/" | "or" => (2, Some(Formulas::or)),
        "^" | "xor" => (2, Some(exclusive)),
        "&&" | "&" | "/\\" | "and" => (3, Some(Formulas::and)),
        "U" | "until" | "stronguntil" => (TEMPORAL, Some(Formulas::until)),
        "V" | "R" | "release" => (TEMPORAL, Some(Formulas::release)),
        "W" | "weakuntil" => (TEMPORAL, Some(Formulas::weak_until)),
        "M" | "strongrelease" => (TEMPORAL, Some(Formulas::strong_release)),
        "==" | "!=" => (8, None),
        "<" | "<=" | ">" | ">=" => (9, None),
        "<<" | ">>" => (10, None),
        "+" | "-" => (11, None),
        "*" | "/" | "%" => (12, None),
        _ => return None,
    })
}

fn operator_text(token: &Token) -> Option<&str> {
    match token {
        Token::Sign(sign) => Some(sign),
        Token::Word(word) => Some(word),
        Token::Opaque(_) | Token::End => None,
    }
}
