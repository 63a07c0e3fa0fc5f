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
                if is_word { text } else { format!("({text})") }
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
