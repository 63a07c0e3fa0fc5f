//! Conjunctions and disjunctions of any number of operands: what follows from another operand is dropped, and operands
//! of the same form are joined into one.

use std::collections::BTreeSet;

use super::Simplifier;
use super::rules::Operator;
use crate::ltl::formula::{Formula, Node};

/// Of more operands not every two are compared, which would take too long: they stay as they are.
const MAX_COMPARED: usize = 50;

impl Simplifier<'_> {
    pub(super) fn and(&mut self, f: Formula, g: Formula) -> Formula {
        self.connect(Operator::And, f, g)
    }

    pub(super) fn or(&mut self, f: Formula, g: Formula) -> Formula {
        self.connect(Operator::Or, f, g)
    }

    /// The operands of nested conjunctions or disjunctions; the formula itself if it is neither.
    pub(super) fn operands(&self, formula: Formula, operator: Operator) -> Vec<Formula> {
        let mut operands = BTreeSet::new();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            match (operator, self.node(formula)) {
                (Operator::And, Node::And(f, g)) | (Operator::Or, Node::Or(f, g)) => open.extend([f, g]),
                _ => {
                    operands.insert(formula);
                }
            }
        }
        operands.into_iter().collect()
    }

    /// Operands joined as they are.
    pub(super) fn join(&mut self, operator: Operator, operands: Vec<Formula>) -> Formula {
        let joined = operands.into_iter().reduce(|f, g| match operator {
            Operator::And => self.formulas.and(f, g),
            Operator::Or => self.formulas.or(f, g),
        });
        joined.unwrap_or_else(|| self.formulas.truth(operator == Operator::And))
    }

    fn connect(&mut self, operator: Operator, f: Formula, g: Formula) -> Formula {
        let operands: BTreeSet<Formula> =
            [f, g].into_iter().flat_map(|formula| self.operands(formula, operator)).collect();
        let mut operands: Vec<Formula> = operands.into_iter().collect();
        if operands.len() > MAX_COMPARED {
            return self.join(operator, operands);
        }
        loop {
            if self.settles(operator, &operands) {
                return self.formulas.truth(operator == Operator::Or);
            }
            self.drop_redundant(operator, &mut operands);
            if let Some((first, second, joined)) = self.joinable(operator, &operands) {
                operands.retain(|operand| ![first, second].contains(operand));
                operands.extend(self.operands(joined, operator));
            } else if !self.shorten_one(operator, &mut operands) {
                operands.sort();
                operands.dedup();
                return self.join(operator, operands);
            }
            operands.sort();
            operands.dedup();
        }
    }

    /// Whether two operands exclude each other, which makes a conjunction false, or exhaust all cases, which makes a
    /// disjunction true.
    fn settles(&mut self, operator: Operator, operands: &[Formula]) -> bool {
        let alone = |this: &Self, f| match operator {
            Operator::And => this.is_false(f),
            Operator::Or => this.is_true(f),
        };
        operands.iter().enumerate().any(|(at, &f)| {
            alone(self, f)
                || operands[at + 1..].iter().any(|&g| match operator {
                    Operator::And => self.excludes(f, g),
                    Operator::Or => self.exhausts(f, g),
                })
        })
    }

    /// Drops what follows from another operand, or in a disjunction what another operand follows from.
    fn drop_redundant(&mut self, operator: Operator, operands: &mut Vec<Formula>) {
        let mut at = 0;
        while at < operands.len() {
            let candidate = operands[at];
            let neutral = match operator {
                Operator::And => self.is_true(candidate),
                Operator::Or => self.is_false(candidate),
            };
            let redundant = neutral
                || operands.iter().any(|&other| {
                    other != candidate
                        && match operator {
                            Operator::And => self.implies(other, candidate),
                            Operator::Or => self.implies(candidate, other),
                        }
                });
            if redundant {
                operands.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// In `a && (!a || b)` the `!a` cannot help; in `a || (!a && b)` it need not be said.
    fn shorten_one(&mut self, operator: Operator, operands: &mut Vec<Formula>) -> bool {
        let inner = if operator == Operator::And { Operator::Or } else { Operator::And };
        for at in 0..operands.len() {
            let parts = self.operands(operands[at], inner);
            if parts.len() < 2 {
                continue;
            }
            let others: Vec<Formula> = operands.iter().copied().filter(|&other| other != operands[at]).collect();
            let useful = |this: &mut Self, part: Formula| {
                !others.iter().any(|&other| match operator {
                    Operator::And => this.excludes(other, part),
                    Operator::Or => this.exhausts(other, part),
                })
            };
            let kept: Vec<Formula> = parts.iter().copied().filter(|&part| useful(self, part)).collect();
            if kept.len() < parts.len() {
                let shorter = self.join(inner, kept);
                operands.remove(at);
                operands.extend(self.operands(shorter, operator));
                return true;
            }
        }
        false
    }

    /// Two operands that are one: `[] f && [] g`, `(f U h) && (g U h)` and their kin.
    fn joinable(&mut self, operator: Operator, operands: &[Formula]) -> Option<(Formula, Formula, Formula)> {
        for (at, &first) in operands.iter().enumerate() {
            for &second in &operands[at + 1..] {
                let joined = self
                    .join_two(operator, first, second)
                    .or_else(|| self.strengthen_or_weaken(operator, first, second))
                    .or_else(|| self.strengthen_or_weaken(operator, second, first));
                if let Some(joined) = joined {
                    return Some((first, second, joined));
                }
            }
        }
        None
    }

    fn join_two(&mut self, operator: Operator, first: Formula, second: Formula) -> Option<Formula> {
        use Operator::{And, Or};
        match (operator, self.node(first), self.node(second)) {
            (_, Node::Next(f), Node::Next(g)) => {
                let inner = self.connect(operator, f, g);
                Some(self.next(inner))
            }
            (And, Node::Always(f), Node::Always(g)) => {
                let inner = self.and(f, g);
                Some(self.always(inner))
            }
            (Or, Node::Eventually(f), Node::Eventually(g)) => {
                let inner = self.or(f, g);
                Some(self.eventually(inner))
            }
            (And, Node::Eventually(f), Node::Eventually(g)) => {
                let (Node::Always(f), Node::Always(g)) = (self.node(f), self.node(g)) else { return None };
                let inner = self.and(f, g);
                let stays = self.always(inner);
                Some(self.eventually(stays))
            }
            (Or, Node::Always(f), Node::Always(g)) => {
                let (Node::Eventually(f), Node::Eventually(g)) = (self.node(f), self.node(g)) else { return None };
                let inner = self.or(f, g);
                let recurs = self.eventually(inner);
                Some(self.always(recurs))
            }
            (And, Node::Until(f, h), Node::Until(g, k)) | (Or, Node::Release(f, h), Node::Release(g, k)) if h == k => {
                let inner = self.connect(operator, f, g);
                Some(if operator == And { self.until(inner, h) } else { self.release(inner, h) })
            }
            (Or, Node::Until(h, f), Node::Until(k, g)) | (And, Node::Release(h, f), Node::Release(k, g)) if h == k => {
                let inner = self.connect(operator, f, g);
                Some(if operator == Or { self.until(h, inner) } else { self.release(h, inner) })
            }
            (And, Node::WeakUntil(f, h), Node::WeakUntil(g, k))
            | (Or, Node::StrongRelease(f, h), Node::StrongRelease(g, k))
                if h == k =>
            {
                let inner = self.connect(operator, f, g);
                Some(if operator == And { self.weak_until(inner, h) } else { self.strong_release(inner, h) })
            }
            (Or, Node::WeakUntil(h, f), Node::WeakUntil(k, g))
            | (And, Node::StrongRelease(h, f), Node::StrongRelease(k, g))
                if h == k =>
            {
                let inner = self.connect(operator, f, g);
                Some(if operator == Or { self.weak_until(h, inner) } else { self.strong_release(h, inner) })
            }
            _ => None,
        }
    }

    /// `(f W g) && <> g` is `f U g`, `(f V g) && <> f` is `f M g`; `(f U g) || [] f` is `f W g`, `(f M g) || [] g` is
    /// `f V g`.
    fn strengthen_or_weaken(&mut self, operator: Operator, first: Formula, second: Formula) -> Option<Formula> {
        match (operator, self.node(first), self.node(second)) {
            (Operator::And, Node::WeakUntil(f, g), Node::Eventually(h)) if g == h => Some(self.until(f, g)),
            (Operator::And, Node::Release(f, g), Node::Eventually(h)) if f == h => Some(self.strong_release(f, g)),
            (Operator::Or, Node::Until(f, g), Node::Always(h)) if f == h => Some(self.weak_until(f, g)),
            (Operator::Or, Node::StrongRelease(f, g), Node::Always(h)) if g == h => Some(self.release(f, g)),
            _ => None,
        }
    }
}
