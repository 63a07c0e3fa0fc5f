//! Syntactic implication [somenzi-bloem00]: a quick test, sound but not complete, that one formula implies another.

use super::Simplifier;
use crate::ltl::formula::{Formula, Node};

impl Simplifier<'_> {
    /// Whether f is seen to imply g.
    pub(super) fn implies(&mut self, f: Formula, g: Formula) -> bool {
        if f == g || self.is_false(f) || self.is_true(g) {
            return true;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        let result = self.implies_by_cases(f, g)
            || self.implied_by_what_f_says(f, g)
            || self.implied_by_what_g_needs(f, g)
            || self.implies_by_operands(f, g)
            || self.implies_by_purity(f, g);
        self.implications.insert((f, g), result);
        result
    }

    /// Whether f and g are seen to exclude each other.
    pub(super) fn excludes(&mut self, f: Formula, g: Formula) -> bool {
        let (not_f, not_g) = (self.negation(f), self.negation(g));
        self.implies(f, not_g) || self.implies(g, not_f)
    }

    /// Whether one of the two is seen to hold always.
    pub(super) fn exhausts(&mut self, f: Formula, g: Formula) -> bool {
        let (not_f, not_g) = (self.negation(f), self.negation(g));
        self.implies(not_f, g) || self.implies(not_g, f)
    }

    fn implies_by_cases(&mut self, f: Formula, g: Formula) -> bool {
        if let Node::Or(left, right) = self.node(f) {
            return self.implies(left, g) && self.implies(right, g);
        }
        match self.node(g) {
            Node::And(left, right) => self.implies(f, left) && self.implies(f, right),
            _ => false,
        }
    }

    /// Something that f says about this moment suffices.
    fn implied_by_what_f_says(&mut self, f: Formula, g: Formula) -> bool {
        match self.node(f) {
            Node::And(left, right) => self.implies(left, g) || self.implies(right, g),
            Node::Always(operand) => self.implies(operand, g),
            Node::Until(left, right) | Node::WeakUntil(left, right) => self.implies(left, g) && self.implies(right, g),
            Node::Release(_, right) | Node::StrongRelease(_, right) => self.implies(right, g),
            _ => false,
        }
    }

    /// f suffices for g at this very moment.
    fn implied_by_what_g_needs(&mut self, f: Formula, g: Formula) -> bool {
        match self.node(g) {
            Node::Or(left, right) => self.implies(f, left) || self.implies(f, right),
            Node::Eventually(operand) => self.implies(f, operand),
            Node::Until(_, right) | Node::WeakUntil(_, right) => self.implies(f, right),
            Node::Release(left, right) | Node::StrongRelease(left, right) => {
                self.implies(f, left) && self.implies(f, right)
            }
            _ => false,
        }
    }

    fn implies_by_operands(&mut self, f: Formula, g: Formula) -> bool {
        match (self.node(f), self.node(g)) {
            (Node::Next(f), Node::Next(g)) => self.implies(f, g),
            (Node::Until(f1, f2), Node::Until(g1, g2) | Node::WeakUntil(g1, g2))
            | (Node::WeakUntil(f1, f2), Node::WeakUntil(g1, g2))
            | (Node::Release(f1, f2), Node::Release(g1, g2))
            | (Node::StrongRelease(f1, f2), Node::StrongRelease(g1, g2) | Node::Release(g1, g2)) => {
                self.implies(f1, g1) && self.implies(f2, g2)
            }
            // a M b is b U (a && b), and a W b is b V (a || b).
            (Node::StrongRelease(a, b), Node::Until(g1, g2) | Node::WeakUntil(g1, g2)) => {
                self.implies(b, g1) && (self.implies(a, g2) || self.implies(b, g2))
            }
            (Node::WeakUntil(a, b), Node::Release(g1, g2)) => {
                self.implies(b, g1) && self.implies(a, g2) && self.implies(b, g2)
            }
            _ => false,
        }
    }

    /// What is eventual may become true later; what is universal stays true.
    fn implies_by_purity(&mut self, f: Formula, g: Formula) -> bool {
        if self.is_eventual(g) {
            let comes = match self.node(f) {
                Node::Eventually(later) | Node::Next(later) | Node::Until(_, later) => Some(later),
                Node::StrongRelease(later, _) => Some(later),
                _ => None,
            };
            if comes.is_some_and(|later| self.implies(later, g)) {
                return true;
            }
        }
        if self.is_universal(f) {
            let stays = match self.node(g) {
                Node::Always(all) | Node::Next(all) | Node::WeakUntil(all, _) | Node::Release(_, all) => Some(all),
                _ => None,
            };
            return stays.is_some_and(|all| self.implies(f, all));
        }
        false
    }
}
