//! Formulas from outside a program: the program's macros do not take their operators away. After `#define W 2`, the second
//! letter of `p W q` is still an operator and that of `x < W` is 2.

use super::super::parser::is_binary_word;
use super::super::token::{Punct, Token, TokenKind};
use super::Preprocessor;

impl Preprocessor<'_> {
    /// Marks the words that can only be operators, by what stands before and behind them.
    pub(super) fn keep_operators(&self, tokens: &mut [Token]) {
        let mut after_operand = false;
        for at in 0..tokens.len() {
            let token = tokens[at];
            let word = if token.kind == TokenKind::Name { self.interner.text(token.text) } else { "" };
            let is_operator =
                if after_operand { is_binary_word(word) } else { is_prefix_word(word) && !self.is_call(&tokens[at..]) };
            let is_operator = is_operator && self.starts_operand(word, &tokens[at + 1..]);
            tokens[at].never_expand |= is_operator;
            after_operand = match token.kind {
                TokenKind::Name => !is_operator,
                TokenKind::Number | TokenKind::Character | TokenKind::Punct(Punct::CloseParen) => true,
                TokenKind::Punct(Punct::CloseBracket) => !(at > 0 && tokens[at - 1].is(Punct::OpenBracket)),
                _ => false,
            };
        }
    }

    /// Is it the name of a macro with parameters, and are they given?
    fn is_call(&self, tokens: &[Token]) -> bool {
        let has_parameters = self.macros.table.get(&tokens[0].text).is_some_and(|known| known.parameters.is_some());
        has_parameters && tokens.get(1).is_some_and(|next| next.is(Punct::OpenParen))
    }

    fn starts_operand(&self, operator: &str, tokens: &[Token]) -> bool {
        let Some(next) = tokens.first() else { return false };
        let then = |punct| tokens.get(1).is_some_and(|after| after.is(punct));
        match next.kind {
            TokenKind::Name => !is_binary_word(self.interner.text(next.text)),
            TokenKind::Number | TokenKind::Character => true,
            TokenKind::Punct(Punct::OpenParen | Punct::Not | Punct::NotNot | Punct::Tilde) => true,
            TokenKind::Punct(Punct::OpenBracket) => matches!(operator, "A" | "E") || then(Punct::CloseBracket),
            TokenKind::Punct(Punct::Less) => then(Punct::Greater),
            _ => false,
        }
    }
}

fn is_prefix_word(text: &str) -> bool {
    let of_runs = text.strip_prefix(['A', 'E']);
    matches!(text, "X" | "F" | "G" | "next" | "eventually" | "always")
        || of_runs.is_some_and(|when| matches!(when, "" | "X" | "F" | "G"))
}
