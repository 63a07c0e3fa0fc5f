//! Formulas as text that [`super::parse`] reads back to the same formula.

use crate::ltl::formula::{Formula, Formulas, Node};
use crate::ltl::lexer;
use crate::prop::{Prop, Propositions};

/// How operators are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `[] <> X U V W M ! && || -> <->`, with as few parentheses as the precedences allow.
    Signs,
    /// For `spin -f`: as signs, every operand in parentheses, and neither `W` nor `M`, which it does not know.
    Spin,
}

/// The text of a formula.
pub fn print(formulas: &Formulas, propositions: &Propositions, formula: Formula, spelling: Spelling) -> String {
    print_with(formulas, formula, spelling, &|prop| atom(&propositions.text(prop)))
}

/// The text of a formula whose propositions read as told.
pub fn print_with(formulas: &Formulas, formula: Formula, spelling: Spelling, atom: &dyn Fn(Prop) -> String) -> String {
    // Operands come before what is made of them, so each text is put together from finished ones.
    let mut texts = std::collections::HashMap::new();
    for part in formulas.parts(formula) {
        let text = Printer { formulas, atom, texts: &texts, spelling }.one(part);
        texts.insert(part, text);
    }
    texts.remove(&formula).unwrap_or_default()
}

struct Printer<'a> {
    formulas: &'a Formulas,
    atom: &'a dyn Fn(Prop) -> String,
    texts: &'a std::collections::HashMap<Formula, String>,
    spelling: Spelling,
}

impl Printer<'_> {
    fn one(&self, formula: Formula) -> String {
        let node = self.formulas.node(formula);
        match node {
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
            Node::Atom(prop) => (self.atom)(prop),
            Node::Not(f) => self.unary("!", f),
            Node::Next(f) => self.unary("X ", f),
            Node::Always(f) => self.unary("[] ", f),
            Node::Eventually(f) => self.unary("<> ", f),
            Node::And(f, g) => self.binary(formula, f, "&&", g),
            Node::Or(f, g) => self.binary(formula, f, "||", g),
            Node::Implies(f, g) => self.binary(formula, f, "->", g),
            Node::Equivalent(f, g) => self.binary(formula, f, "<->", g),
            Node::Until(f, g) => self.binary(formula, f, "U", g),
            Node::Release(f, g) => self.binary(formula, f, "V", g),
            Node::WeakUntil(f, g) if self.spelling == Spelling::Spin => {
                let (f, g) = (self.operand(f, u8::MAX), self.operand(g, u8::MAX));
                // As SPIN's own grammar reads it in `ltl` blocks.
                format!("([] {f}) || ({f} U {g})")
            }
            Node::StrongRelease(f, g) if self.spelling == Spelling::Spin => {
                let (f, g) = (self.operand(f, u8::MAX), self.operand(g, u8::MAX));
                format!("{g} U ({f} && {g})")
            }
            Node::WeakUntil(f, g) => self.binary(formula, f, "W", g),
            Node::StrongRelease(f, g) => self.binary(formula, f, "M", g),
        }
    }

    fn unary(&self, sign: &str, f: Formula) -> String {
        format!("{sign}{}", self.operand(f, UNARY))
    }

    /// All binary operators associate from the left: a right operand of the same precedence needs parentheses.
    fn binary(&self, whole: Formula, f: Formula, sign: &str, g: Formula) -> String {
        let precedence = precedence(self.formulas.node(whole));
        format!("{} {sign} {}", self.operand(f, precedence), self.operand(g, precedence + 1))
    }

    fn operand(&self, f: Formula, minimum: u8) -> String {
        let text = &self.texts[&f];
        let node = self.formulas.node(f);
        let is_plain = matches!(node, Node::True | Node::False | Node::Atom(_));
        let is_clear = match self.spelling {
            Spelling::Signs => precedence(node) >= minimum,
            Spelling::Spin => is_plain,
        };
        if is_clear || is_plain { text.clone() } else { format!("({text})") }
    }
}

const UNARY: u8 = 5;

/// How tightly a formula's outermost operator binds; the parser's table in reverse.
fn precedence(node: Node) -> u8 {
    match node {
        Node::Implies(..) | Node::Equivalent(..) => 1,
        Node::Or(..) => 2,
        Node::And(..) => 3,
        Node::Until(..) | Node::Release(..) | Node::WeakUntil(..) | Node::StrongRelease(..) => 4,
        _ => UNARY,
    }
}

/// A name stays as it is, anything else is put in braces, or in quotes if its own braces do not match.
fn atom(text: &str) -> String {
    if lexer::is_plain_atom(text) {
        text.to_owned()
    } else if lexer::fits_in_braces(text) {
        format!("{{{text}}}")
    } else {
        lexer::quote(text)
    }
}
