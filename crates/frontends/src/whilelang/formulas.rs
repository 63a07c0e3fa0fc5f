//! What is asked of a program: conditions, formulas of linear time, and those of computation trees, as ones of linear time
//! where they say the same.
//!
//! Paper: [maidl00]: a formula about all runs whose choices are decided by the present state means the same without its
//! quantifiers.

use reductio_logic::Prop;
use reductio_logic::ctl;
use reductio_logic::ltl::{Formula, Formulas};
use reductio_model::{Atom, AtomId, Claim, CtlFormula, Expr, Invariant, PropertyKind};

use super::ast::{self, Binary, ExprKind, Program, Runs, When};
use super::expressions::{Kind, Reader};
use super::lower::Lowering;
use crate::claims::claim_of;
use crate::diagnostics::Diagnostic;

/// Questions from outside the text.
pub struct Questions {
    pub invariants: Vec<ast::Expr>,
    pub ltl: Vec<ast::Expr>,
    pub ctl: Vec<ast::Expr>,
    /// Do all formulas of computation trees stay what they are?
    pub keep_trees: bool,
}

impl Lowering<'_> {
    pub fn questions(&mut self, program: &Program, questions: &Questions) {
        if self.diagnostics.has_errors() {
            return;
        }
        for condition in &questions.invariants {
            if let Some(expr) = self.expression_of(Kind::Boolean, condition, Reader::Formula) {
                let (atom, name) = (AtomId(self.model.atoms.len() as u32), self.text(condition.span));
                self.model.atoms.push(Atom { text: name.clone(), expr });
                self.model.invariants.push(Invariant { name, atom, position: None });
            }
        }
        for formula in &questions.ltl {
            self.claim(formula, PropertyKind::Ltl);
        }
        let specs = program.specs.iter().map(|spec| &spec.formula);
        for formula in specs.chain(&questions.ctl) {
            if is_decided_by_states(formula) && !questions.keep_trees {
                self.claim(formula, PropertyKind::Ctl);
            } else if let Some(tree) = self.tree(formula) {
                let (name, position) = (self.text(formula.span), Some(self.position(formula.span)));
                if !self.model.ctl.iter().any(|known| known.name == name) {
                    self.model.ctl.push(CtlFormula { name, formula: tree, position });
                }
            }
        }
    }

    /// A formula of computation trees. `None` after an error.
    fn tree(&mut self, expr: &ast::Expr) -> Option<ctl::Formula> {
        if is_of_now(expr) {
            return Some(match self.condition(expr)? {
                Condition::Constant(value) => ctl::Formula::Truth(value),
                Condition::Atom(atom) => ctl::Formula::Atom(Prop(atom.0)),
            });
        }
        match &expr.kind {
            ExprKind::Not(inner) => Some(self.tree(inner)?.not()),
            ExprKind::Binary(operator @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
                let (left, right) = (self.tree(left)?, self.tree(right)?);
                Some(match operator {
                    Binary::And => left.and(right),
                    Binary::Or => left.or(right),
                    _ => left.implies(right),
                })
            }
            ExprKind::Temporal(operator, operands) => {
                let Some(runs) = operator.runs else {
                    self.error(WHICH_RUNS, expr.span);
                    return None;
                };
                let parts: Option<Vec<ctl::Formula>> = operands.iter().map(|operand| self.tree(operand)).collect();
                let mut parts = parts?.into_iter();
                let (first, second) = (parts.next()?, parts.next());
                let path = match (operator.when, second) {
                    (When::Next, None) => ctl::Path::Next(first),
                    (When::Eventually, None) => ctl::Path::Eventually(first),
                    (When::Always, None) => ctl::Path::Always(first),
                    (When::Until, Some(second)) => ctl::Path::Until(first, second),
                    _ => unreachable!("the parser gives each operator its operands"),
                };
                Some(if runs == Runs::All { ctl::Formula::all(path) } else { ctl::Formula::some(path) })
            }
            _ => {
                self.error("temporal operators cannot be used in arithmetic or comparisons", expr.span);
                None
            }
        }
    }

    fn claim(&mut self, written: &ast::Expr, kind: PropertyKind) {
        let mut formulas = Formulas::new();
        let Some(formula) = self.formula(written, kind, &mut formulas) else { return };
        match claim_of(&mut formulas, formula, kind) {
            Ok(claim) => {
                let text = self.text(written.span);
                if self.model.claims.iter().any(|known| known.name == text) {
                    return;
                }
                let position = Some(self.position(written.span));
                self.model.claims.push(Claim { name: text.clone(), text, position, ..claim });
            }
            Err(error) => self.diagnostics.add(Diagnostic::error(error.to_string(), written.span)),
        }
    }

    /// The formula without quantifiers. `None` after an error.
    fn formula(&mut self, expr: &ast::Expr, kind: PropertyKind, formulas: &mut Formulas) -> Option<Formula> {
        if is_of_now(expr) {
            return self.leaf(expr, formulas);
        }
        Some(match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.formula(inner, kind, formulas)?;
                formulas.not(inner)
            }
            ExprKind::Binary(operator @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
                let left = self.formula(left, kind, formulas)?;
                let right = self.formula(right, kind, formulas)?;
                match operator {
                    Binary::And => formulas.and(left, right),
                    Binary::Or => formulas.or(left, right),
                    _ => formulas.implies(left, right),
                }
            }
            ExprKind::Temporal(operator, operands) => {
                match (operator.runs, kind) {
                    (Some(_), PropertyKind::Ltl) => {
                        self.error("an LTL formula is about one run: it has no A and no E", expr.span);
                        return None;
                    }
                    (None, PropertyKind::Ctl) => {
                        self.error(WHICH_RUNS, expr.span);
                        return None;
                    }
                    _ => {}
                }
                let parts: Option<Vec<Formula>> =
                    operands.iter().map(|operand| self.formula(operand, kind, formulas)).collect();
                match (operator.when, &parts?[..]) {
                    (When::Next, &[inner]) => formulas.next(inner),
                    (When::Eventually, &[inner]) => formulas.eventually(inner),
                    (When::Always, &[inner]) => formulas.always(inner),
                    (When::Until, &[left, right]) => formulas.until(left, right),
                    _ => unreachable!("the parser gives each operator its operands"),
                }
            }
            _ => return self.leaf(expr, formulas),
        })
    }

    fn leaf(&mut self, expr: &ast::Expr, formulas: &mut Formulas) -> Option<Formula> {
        Some(match self.condition(expr)? {
            Condition::Constant(value) => formulas.truth(value),
            Condition::Atom(atom) => formulas.atom(Prop(atom.0)),
        })
    }

    /// A condition on the present state is one atom.
    fn condition(&mut self, expr: &ast::Expr) -> Option<Condition> {
        Some(match self.expression_of(Kind::Boolean, expr, Reader::Formula)? {
            Expr::Const(value) => Condition::Constant(value != 0),
            condition => {
                let known = self.model.atoms.iter().position(|atom| atom.expr == condition);
                let index = known.unwrap_or_else(|| {
                    let text = self.text(expr.span);
                    self.model.atoms.push(Atom { text, expr: condition });
                    self.model.atoms.len() - 1
                });
                Condition::Atom(AtomId(index as u32))
            }
        })
    }
}

enum Condition {
    Constant(bool),
    Atom(AtomId),
}

const WHICH_RUNS: &str = "in CTL, every temporal operator begins with A (all runs) or E (some run)";

/// Does it speak of the present state only?
fn is_of_now(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => false,
        ExprKind::Not(inner) | ExprKind::Minus(inner) => is_of_now(inner),
        ExprKind::Binary(_, left, right) => is_of_now(left) && is_of_now(right),
        ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Variable { .. } | ExprKind::At { .. } => true,
    }
}

/// Is a formula of computation trees about all runs, and does the present state always tell which part of it must hold? Then it
/// means the same without quantifiers.
fn is_decided_by_states(expr: &ast::Expr) -> bool {
    if is_of_now(expr) {
        return true;
    }
    match &expr.kind {
        ExprKind::Binary(Binary::And, left, right) => is_decided_by_states(left) && is_decided_by_states(right),
        ExprKind::Binary(Binary::Implies, left, right) => is_of_now(left) && is_decided_by_states(right),
        ExprKind::Binary(Binary::Or, left, right) => {
            is_of_now(left) && is_decided_by_states(right) || is_decided_by_states(left) && is_of_now(right)
        }
        ExprKind::Temporal(operator, operands) => {
            operator.runs == Some(Runs::All)
                && match (operator.when, &operands[..]) {
                    (When::Next | When::Always, [inner]) => is_decided_by_states(inner),
                    (When::Eventually | When::Until, _) => operands.iter().all(is_of_now),
                    _ => false,
                }
        }
        _ => false,
    }
}
