//! Negation normal form: negations stand before atoms only.

use super::{Formula, Path};

impl Formula {
    /// The formula, or its negation, in negation normal form.
    pub fn normal_form(&self, negated: bool) -> Formula {
        match self {
            Formula::Truth(value) => Formula::Truth(*value != negated),
            Formula::Atom(_) if negated => self.clone().not(),
            Formula::Atom(_) => self.clone(),
            Formula::Not(inner) => inner.normal_form(!negated),
            Formula::And(left, right) | Formula::Or(left, right) => {
                let is_and = matches!(self, Formula::And(..)) != negated;
                let (left, right) = (left.normal_form(negated), right.normal_form(negated));
                if is_and { left.and(right) } else { left.or(right) }
            }
            Formula::Runs(quantifier, path) => {
                let quantifier = if negated { quantifier.dual() } else { *quantifier };
                Formula::Runs(quantifier, Box::new(path.normal_form(negated)))
            }
        }
    }
}

impl Path {
    fn normal_form(&self, negated: bool) -> Path {
        match self {
            Path::Next(f) => Path::Next(f.normal_form(negated)),
            Path::Eventually(f) if negated => Path::Always(f.normal_form(true)),
            Path::Eventually(f) => Path::Eventually(f.normal_form(false)),
            Path::Always(f) if negated => Path::Eventually(f.normal_form(true)),
            Path::Always(f) => Path::Always(f.normal_form(false)),
            Path::Until(f, g) if negated => Path::Release(f.normal_form(true), g.normal_form(true)),
            Path::Until(f, g) => Path::Until(f.normal_form(false), g.normal_form(false)),
            Path::Release(f, g) if negated => Path::Until(f.normal_form(true), g.normal_form(true)),
            Path::Release(f, g) => Path::Release(f.normal_form(false), g.normal_form(false)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prop::Prop;

    #[test]
    fn negations_end_at_atoms() {
        let (p, q) = (Formula::Atom(Prop(0)), Formula::Atom(Prop(1)));
        let formula = Formula::all(Path::Always(p.clone().implies(Formula::all(Path::Until(p, q)))));
        let text = |formula: &Formula| formula.text(&|prop| ["p", "q"][prop.0 as usize].to_owned());
        assert_eq!(text(&formula), "AG (!p | A [p U q])");
        assert_eq!(text(&formula.normal_form(true)), "EF (p & E [!p V !q])");
        assert_eq!(formula.normal_form(true).normal_form(true), formula.normal_form(false));
    }
}
