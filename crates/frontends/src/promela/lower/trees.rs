//! Formulas of computation trees. Their atoms are those that formulas of linear time have.

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path};
use reductio_model::CtlFormula;

use super::claims::{Condition, is_guarded};
use super::{Lowering, Question};
use crate::promela::ast::{self, Binary, ExprKind, Runs, Temporal1, Temporal2, Unary};

impl Lowering<'_> {
    /// Formulas go by their texts, each once.
    pub fn lower_trees(&mut self, questions: &[Question]) {
        for Question { text, expr } in questions {
            if let Some(formula) = self.tree(expr)
                && !self.model.ctl.iter().any(|known| known.name == *text)
            {
                self.model.ctl.push(CtlFormula { name: text.clone(), formula, position: None });
            }
        }
    }

    /// `None` after an error.
    fn tree(&mut self, expr: &ast::Expr) -> Option<Formula> {
        if is_guarded(expr) {
            return Some(self.tree_leaf(expr));
        }
        Some(match &expr.kind {
            ExprKind::Runs(runs, path) => {
                let path = self.path(path)?;
                match runs {
                    Runs::All => Formula::all(path),
                    Runs::Some => Formula::some(path),
                }
            }
            ExprKind::Temporal1(..)
            | ExprKind::Temporal2(Temporal2::Until | Temporal2::WeakUntil | Temporal2::Release, ..) => {
                let help = "write `AG f` or `EF f` rather than `[] f` or `<> f`, and `A [f U g]` rather than `f U g`";
                self.error_with_help(
                    "in CTL, every temporal operator begins with A (all runs) or E (some run)",
                    expr.span,
                    help,
                );
                return None;
            }
            ExprKind::Temporal2(operator, left, right) => {
                let (left, right) = (self.tree(left)?, self.tree(right)?);
                if *operator == Temporal2::Implies { left.implies(right) } else { left.equivalent(right) }
            }
            ExprKind::Unary(Unary::Not, operand) => self.tree(operand)?.not(),
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                let (left, right) = (self.tree(left)?, self.tree(right)?);
                if *operator == Binary::And { left.and(right) } else { left.or(right) }
            }
            _ => self.tree_leaf(expr),
        })
    }

    fn path(&mut self, expr: &ast::Expr) -> Option<Path> {
        Some(match &expr.kind {
            ExprKind::Temporal1(operator, operand) => {
                let operand = self.tree(operand)?;
                match operator {
                    Temporal1::Always => Path::Always(operand),
                    Temporal1::Eventually => Path::Eventually(operand),
                    Temporal1::Next => Path::Next(operand),
                }
            }
            ExprKind::Temporal2(operator, left, right) => {
                let (left, right) = (self.tree(left)?, self.tree(right)?);
                match operator {
                    Temporal2::Until => Path::Until(left, right),
                    // The second is to come, or never does; until then, and including then, there is one of both.
                    Temporal2::WeakUntil => Path::Release(right.clone(), left.or(right)),
                    Temporal2::Release => Path::Release(left, right),
                    Temporal2::Implies | Temporal2::Equivalent => unreachable!("the parser wants an operator of time"),
                }
            }
            _ => unreachable!("the parser wants an operator of time"),
        })
    }

    fn tree_leaf(&mut self, expr: &ast::Expr) -> Formula {
        match self.condition(expr) {
            Condition::Truth(value) => Formula::Truth(value),
            Condition::Atom(atom) => Formula::Atom(Prop(atom.0)),
        }
    }
}
