//! The rules of each temporal operator. Operands are already as simple as they get.

use super::Simplifier;
use crate::ltl::formula::{Formula, Node};

impl Simplifier<'_> {
    pub(super) fn next(&mut self, f: Formula) -> Formula {
        if self.is_timeless(f) { f } else { self.formulas.next(f) }
    }

    pub(super) fn eventually(&mut self, f: Formula) -> Formula {
        if self.is_eventual(f) {
            return f;
        }
        match self.node(f) {
            Node::Next(f) => {
                let later = self.eventually(f);
                self.next(later)
            }
            Node::Until(_, g) => self.eventually(g),
            Node::StrongRelease(f, g) => {
                let both = self.and(f, g);
                self.eventually(both)
            }
            // <> (f || e) is <> f || e, and <> (f && t) is <> f && t if t is timeless.
            Node::Or(..) => match self.split(f, Operator::Or, Self::is_eventual) {
                Some((rest, apart)) => {
                    let rest = self.eventually(rest);
                    self.or(rest, apart)
                }
                None => self.formulas.eventually(f),
            },
            Node::And(..) => match self.split(f, Operator::And, Self::is_timeless) {
                Some((rest, apart)) => {
                    let rest = self.eventually(rest);
                    self.and(rest, apart)
                }
                None => self.formulas.eventually(f),
            },
            _ => self.formulas.eventually(f),
        }
    }

    pub(super) fn always(&mut self, f: Formula) -> Formula {
        if self.is_universal(f) {
            return f;
        }
        match self.node(f) {
            Node::Next(f) => {
                let all = self.always(f);
                self.next(all)
            }
            Node::Release(_, g) => self.always(g),
            Node::WeakUntil(f, g) => {
                let either = self.or(f, g);
                self.always(either)
            }
            // [] (f && u) is [] f && u, and [] (f || t) is [] f || t if t is timeless.
            Node::And(..) => match self.split(f, Operator::And, Self::is_universal) {
                Some((rest, apart)) => {
                    let rest = self.always(rest);
                    self.and(rest, apart)
                }
                None => self.formulas.always(f),
            },
            Node::Or(..) => match self.split(f, Operator::Or, Self::is_timeless) {
                Some((rest, apart)) => {
                    let rest = self.always(rest);
                    self.or(rest, apart)
                }
                None => self.formulas.always(f),
            },
            _ => self.formulas.always(f),
        }
    }

    pub(super) fn until(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_false(f) || self.is_eventual(g) || self.implies(f, g) {
            return g;
        }
        if self.is_true(f) || self.exhausts(f, g) {
            return self.eventually(g);
        }
        match (self.node(f), self.node(g)) {
            (Node::Next(f), Node::Next(g)) => {
                let until = self.until(f, g);
                return self.next(until);
            }
            (_, Node::Until(g1, _)) if self.implies(f, g1) => return g,
            (_, Node::Until(g1, g2)) if self.implies(g1, f) => return self.until(f, g2),
            _ => {}
        }
        // f U (g || e) is (f U g) || e, and f U (g && t) is (f U g) && t.
        if let Some((rest, apart)) = self.split(g, Operator::Or, Self::is_eventual) {
            let rest = self.until(f, rest);
            return self.or(rest, apart);
        }
        if let Some((rest, apart)) = self.split(g, Operator::And, Self::is_timeless) {
            let rest = self.until(f, rest);
            return self.and(rest, apart);
        }
        self.formulas.until(f, g)
    }

    pub(super) fn release(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_true(f) || self.is_universal(g) || self.implies(g, f) {
            return g;
        }
        if self.is_false(f) || self.excludes(f, g) {
            return self.always(g);
        }
        match (self.node(f), self.node(g)) {
            (Node::Next(f), Node::Next(g)) => {
                let release = self.release(f, g);
                return self.next(release);
            }
            (_, Node::Release(g1, _)) if self.implies(g1, f) => return g,
            (_, Node::Release(g1, g2)) if self.implies(f, g1) => return self.release(f, g2),
            _ => {}
        }
        if let Some((rest, apart)) = self.split(g, Operator::And, Self::is_universal) {
            let rest = self.release(f, rest);
            return self.and(rest, apart);
        }
        if let Some((rest, apart)) = self.split(g, Operator::Or, Self::is_timeless) {
            let rest = self.release(f, rest);
            return self.or(rest, apart);
        }
        self.formulas.release(f, g)
    }

    pub(super) fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_false(g) {
            return self.always(f);
        }
        if self.is_true(g) || self.exhausts(f, g) {
            return self.formulas.truth(true);
        }
        if self.is_false(f) || self.implies(f, g) {
            return g;
        }
        if self.is_universal(f) {
            return self.or(f, g);
        }
        if self.is_eventual(g) {
            let all = self.always(f);
            return self.or(all, g);
        }
        match (self.node(f), self.node(g)) {
            (Node::Next(f), Node::Next(g)) => {
                let weak_until = self.weak_until(f, g);
                self.next(weak_until)
            }
            (_, Node::WeakUntil(g1, _)) if self.implies(f, g1) => g,
            (_, Node::WeakUntil(g1, g2)) if self.implies(g1, f) => self.weak_until(f, g2),
            _ => self.formulas.weak_until(f, g),
        }
    }

    pub(super) fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_true(g) {
            return self.eventually(f);
        }
        if self.is_false(g) || self.excludes(f, g) {
            return self.formulas.truth(false);
        }
        if self.is_true(f) || self.implies(g, f) {
            return g;
        }
        if self.is_eventual(f) {
            return self.and(f, g);
        }
        if self.is_universal(g) {
            let comes = self.eventually(f);
            return self.and(comes, g);
        }
        match (self.node(f), self.node(g)) {
            (Node::Next(f), Node::Next(g)) => {
                let strong_release = self.strong_release(f, g);
                self.next(strong_release)
            }
            (_, Node::StrongRelease(g1, _)) if self.implies(g1, f) => g,
            (_, Node::StrongRelease(g1, g2)) if self.implies(f, g1) => self.strong_release(f, g2),
            _ => self.formulas.strong_release(f, g),
        }
    }

    /// Splits the operands of a conjunction or disjunction into those that are not of a kind and those that are. There
    /// is nothing to split if either part would be empty.
    fn split(
        &mut self,
        formula: Formula,
        operator: Operator,
        of_kind: impl Fn(&mut Self, Formula) -> bool,
    ) -> Option<(Formula, Formula)> {
        let operands = self.operands(formula, operator);
        let (apart, rest): (Vec<Formula>, Vec<Formula>) =
            operands.into_iter().partition(|&operand| of_kind(self, operand));
        if apart.is_empty() || rest.is_empty() {
            return None;
        }
        Some((self.join(operator, rest), self.join(operator, apart)))
    }
}

/// The two that take any number of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    And,
    Or,
}
