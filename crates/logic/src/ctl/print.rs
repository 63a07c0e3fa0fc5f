//! Formulas as text, in the syntax of SMV.

use super::{Formula, Path, Quantifier};
use crate::prop::Prop;

impl Formula {
    /// The formula as text; `atom` tells how the atoms read.
    pub fn text(&self, atom: &dyn Fn(Prop) -> String) -> String {
        match self {
            Formula::Truth(true) => "TRUE".to_owned(),
            Formula::Truth(false) => "FALSE".to_owned(),
            Formula::Atom(prop) => {
                let text = atom(*prop);
                let is_word = text.chars().all(|character| character.is_alphanumeric() || "_.[]$#".contains(character));
                if is_word || is_in_parentheses(&text) { text } else { format!("({text})") }
            }
            Formula::Not(inner) => format!("!{}", inner.text(atom)),
            Formula::And(left, right) => format!("({} & {})", left.text(atom), right.text(atom)),
            Formula::Or(left, right) => format!("({} | {})", left.text(atom), right.text(atom)),
            Formula::Runs(quantifier, path) => {
                let quantifier = match quantifier {
                    Quantifier::Some => 'E',
                    Quantifier::All => 'A',
                };
                match &**path {
                    Path::Next(f) => format!("{quantifier}X {}", f.text(atom)),
                    Path::Eventually(f) => format!("{quantifier}F {}", f.text(atom)),
                    Path::Always(f) => format!("{quantifier}G {}", f.text(atom)),
                    Path::Until(f, g) => format!("{quantifier} [{} U {}]", f.text(atom), g.text(atom)),
                    Path::Release(f, g) => format!("{quantifier} [{} V {}]", f.text(atom), g.text(atom)),
                }
            }
        }
    }
}

/// Does the parenthesis that a text begins with close at its end?
fn is_in_parentheses(text: &str) -> bool {
    let mut open = 0;
    for (index, character) in text.char_indices() {
        match character {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return character == ')' && index + 1 == text.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_put_in_parentheses_once() {
        let text = |atom: &str| Formula::some(Path::Next(Formula::Atom(Prop(0)))).text(&|_| atom.to_owned());
        assert_eq!(text("a.b"), "EX a.b");
        assert_eq!(text("a = 1"), "EX (a = 1)");
        assert_eq!(text("(a = 1)"), "EX (a = 1)");
        assert_eq!(text("(a) = (1)"), "EX ((a) = (1))");
    }
}
