//! Negation normal form, and the negation of formulas that are in it.

use std::collections::HashMap;

use super::Simplifier;
use crate::ltl::formula::{Formula, Formulas, Node};

/// Each part is turned into two formulas, one for it and one for its negation, so a shared part is turned once.
pub(super) fn normal_form(formulas: &mut Formulas, formula: Formula) -> Formula {
    let mut both: HashMap<Formula, (Formula, Formula)> = HashMap::new();
    for part in formulas.parts(formula) {
        let node = formulas.node(part);
        let result = match node {
            Node::True | Node::False => (part, formulas.truth(node == Node::False)),
            Node::Atom(_) => (part, formulas.not(part)),
            Node::Not(f) => (both[&f].1, both[&f].0),
            Node::Implies(f, g) => {
                let ((f, not_f), (g, not_g)) = (both[&f], both[&g]);
                (formulas.or(not_f, g), formulas.and(f, not_g))
            }
            Node::Equivalent(f, g) => {
                let ((f, not_f), (g, not_g)) = (both[&f], both[&g]);
                (equal(formulas, (f, not_f), (g, not_g)), equal(formulas, (f, not_f), (not_g, g)))
            }
            _ => (rebuild(formulas, node, |f| both[&f].0), dual(formulas, node, |f| both[&f].1)),
        };
        both.insert(part, result);
    }
    both[&formula].0
}

/// Both hold or neither does. Each formula comes with its negation.
fn equal(formulas: &mut Formulas, f: (Formula, Formula), g: (Formula, Formula)) -> Formula {
    let both = formulas.and(f.0, g.0);
    let neither = formulas.and(f.1, g.1);
    formulas.or(both, neither)
}

/// The same operator on other operands.
fn rebuild(formulas: &mut Formulas, node: Node, operand: impl Fn(Formula) -> Formula) -> Formula {
    let rebuilt = match node {
        Node::And(f, g) => Node::And(operand(f), operand(g)),
        Node::Or(f, g) => Node::Or(operand(f), operand(g)),
        Node::Next(f) => Node::Next(operand(f)),
        Node::Always(f) => Node::Always(operand(f)),
        Node::Eventually(f) => Node::Eventually(operand(f)),
        Node::Until(f, g) => Node::Until(operand(f), operand(g)),
        Node::Release(f, g) => Node::Release(operand(f), operand(g)),
        Node::WeakUntil(f, g) => Node::WeakUntil(operand(f), operand(g)),
        Node::StrongRelease(f, g) => Node::StrongRelease(operand(f), operand(g)),
        other => other,
    };
    formulas.make(rebuilt)
}

/// The operator that says the contrary if its operands do.
fn dual(formulas: &mut Formulas, node: Node, contrary: impl Fn(Formula) -> Formula) -> Formula {
    let dual = match node {
        Node::True => Node::False,
        Node::False => Node::True,
        Node::And(f, g) => Node::Or(contrary(f), contrary(g)),
        Node::Or(f, g) => Node::And(contrary(f), contrary(g)),
        Node::Next(f) => Node::Next(contrary(f)),
        Node::Always(f) => Node::Eventually(contrary(f)),
        Node::Eventually(f) => Node::Always(contrary(f)),
        Node::Until(f, g) => Node::Release(contrary(f), contrary(g)),
        Node::Release(f, g) => Node::Until(contrary(f), contrary(g)),
        Node::WeakUntil(f, g) => Node::StrongRelease(contrary(f), contrary(g)),
        Node::StrongRelease(f, g) => Node::WeakUntil(contrary(f), contrary(g)),
        other => other,
    };
    formulas.make(dual)
}

impl Simplifier<'_> {
    /// The negation of a formula in negation normal form.
    pub(super) fn negation(&mut self, formula: Formula) -> Formula {
        if let Some(&known) = self.negations.get(&formula) {
            return known;
        }
        let node = self.node(formula);
        let negation = match node {
            Node::Atom(_) => self.formulas.not(formula),
            Node::Not(atom) => atom,
            _ => {
                let contraries: HashMap<Formula, Formula> =
                    node.operands().map(|operand| (operand, self.negation(operand))).collect();
                dual(self.formulas, node, |operand| contraries[&operand])
            }
        };
        self.negations.insert(formula, negation);
        self.negations.insert(negation, formula);
        negation
    }
}
