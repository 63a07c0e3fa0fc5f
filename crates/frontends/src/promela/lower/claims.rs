//! Properties of infinite runs, as claims: formulas, and the labels that ask for a check by being there.
//!
//! A claim is an automaton that accepts the runs that break the property. That of a formula is made from its negation.
//! The smallest parts of a formula that are expressions of Promela become atoms of the model, equal ones one atom.

use reductio_logic::Prop;
use reductio_logic::ltl::{Formula, Formulas};
use reductio_model::{Atom, AtomId, Automaton, Claim, ClaimEdge, Expr, Literal, Origin, PropertyKind};

use super::{Lowering, Question};
use crate::claims::claim_of;
use crate::diagnostics::Diagnostic;
use crate::promela::ast::{self, Binary, ExprKind, Temporal1, Temporal2, Unary, VarRef};
use crate::promela::{text, visit};
use crate::source::Span;

impl Lowering<'_> {
    pub fn lower_ltl(&mut self, ltl: &ast::Ltl) {
        let name = match &ltl.name {
            Some(name) => name.text.clone(),
            None => {
                // As SPIN calls them.
                let name = format!("ltl_{}", self.nameless_formulas);
                self.nameless_formulas += 1;
                name
            }
        };
        if let Some(claim) = self.claim_of_formula(name, ltl.text.clone(), &ltl.formula) {
            self.declare_claim(claim, ltl.span);
        }
    }

    /// Formulas from the command line go by their texts.
    pub fn lower_formulas(&mut self, formulas: &[Question]) {
        for Question { text, expr } in formulas {
            let claim = self.claim_of_formula(text.clone(), text.clone(), expr);
            self.model.claims.extend(claim);
        }
    }

    /// Where processes have acceptance or progress labels, there are cycles that are not to be.
    pub fn lower_labels(&mut self) {
        if let Some(span) = self.uses_accept {
            let accepting = self.atom(Expr::Accepting, "some process is at an acceptance label");
            let at_label = ClaimEdge { marks: 1, ..edge_if(accepting, true, 0) };
            let violations =
                Automaton { initial: 0, sets: 1, edges: vec![vec![at_label, edge_if(accepting, false, 0)]] };
            let text = "no run visits acceptance labels infinitely often";
            self.add_label_claim("acceptance", PropertyKind::Acceptance, text, violations, span);
        }
        if let Some(span) = self.uses_progress {
            let nowhere = self.atom(Expr::NonProgress, "np_");
            let without_progress = ClaimEdge { marks: 1, ..edge_if(nowhere, true, 1) };
            let anything = ClaimEdge { guard: Vec::new(), marks: 0, target: 0 };
            let edges = vec![vec![anything, without_progress.clone()], vec![without_progress]];
            let violations = Automaton { initial: 0, sets: 1, edges };
            let text = "every infinite run visits progress labels infinitely often";
            self.add_label_claim("progress", PropertyKind::Progress, text, violations, span);
        }
    }

    fn add_label_claim(&mut self, name: &str, kind: PropertyKind, text: &str, violations: Automaton, span: Span) {
        let position = Some(self.position(span));
        let (name, text) = (name.to_owned(), text.to_owned());
        // To be somewhere infinitely often is to be there for any time.
        self.model.claims.push(Claim {
            name,
            kind,
            text,
            position,
            of_infinite_runs_only: kind == PropertyKind::Progress,
            origin: Origin::Labels,
            violations,
            stutters: true,
            parts: Vec::new(),
        });
    }

    /// Adds a claim of the program's text. No two of them may have the same name.
    pub fn declare_claim(&mut self, claim: Claim, span: Span) {
        let position = self.position(span);
        if self.model.claims.iter().any(|known| known.name == claim.name) {
            let message = format!("there is a claim `{}` already", claim.name);
            self.error_with_help(message, span, "give it another name, by which it can be asked for");
            return;
        }
        self.model.claims.push(Claim { position: Some(position), ..claim });
    }

    /// The atom that an expression is; `text` is how it reads, if it has not been met before.
    pub fn atom(&mut self, expr: Expr, text: impl Into<String>) -> AtomId {
        let known = self.model.atoms.iter().position(|atom| atom.expr == expr);
        let index = known.unwrap_or_else(|| {
            self.model.atoms.push(Atom { text: text.into(), expr });
            self.model.atoms.len() - 1
        });
        AtomId(index as u32)
    }

    /// What a formula says. `None` after an error.
    fn claim_of_formula(&mut self, name: String, text: String, formula: &ast::Expr) -> Option<Claim> {
        let mut formulas = Formulas::new();
        let wanted = self.formula(formula, &mut formulas);
        match claim_of(&mut formulas, wanted, PropertyKind::Ltl) {
            Ok(claim) => Some(Claim { name, text, ..claim }),
            Err(error) => {
                self.diagnostics.add(Diagnostic::error(error.to_string(), formula.span));
                None
            }
        }
    }

    fn formula(&mut self, expr: &ast::Expr, formulas: &mut Formulas) -> Formula {
        if is_guarded(expr) {
            return self.leaf(expr, formulas);
        }
        match &expr.kind {
            ExprKind::Temporal1(operator, operand) => {
                let operand = self.formula(operand, formulas);
                match operator {
                    Temporal1::Always => formulas.always(operand),
                    Temporal1::Eventually => formulas.eventually(operand),
                    Temporal1::Next => formulas.next(operand),
                }
            }
            ExprKind::Temporal2(operator, left, right) => {
                let left = self.formula(left, formulas);
                let right = self.formula(right, formulas);
                match operator {
                    Temporal2::Until => formulas.until(left, right),
                    Temporal2::WeakUntil => formulas.weak_until(left, right),
                    Temporal2::Release => formulas.release(left, right),
                    Temporal2::Implies => formulas.implies(left, right),
                    Temporal2::Equivalent => formulas.equivalent(left, right),
                }
            }
            ExprKind::Unary(Unary::Not, operand) => {
                let operand = self.formula(operand, formulas);
                formulas.not(operand)
            }
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                let left = self.formula(left, formulas);
                let right = self.formula(right, formulas);
                if *operator == Binary::And { formulas.and(left, right) } else { formulas.or(left, right) }
            }
            _ => self.leaf(expr, formulas),
        }
    }

    /// An expression that speaks of the present moment only.
    fn leaf(&mut self, expr: &ast::Expr, formulas: &mut Formulas) -> Formula {
        match self.condition(expr) {
            Condition::Truth(value) => formulas.truth(value),
            Condition::Atom(atom) => formulas.atom(Prop(atom.0)),
        }
    }

    pub fn condition(&mut self, expr: &ast::Expr) -> Condition {
        self.refuse_pid(expr);
        match self.expression(&without_implication(expr), None) {
            Expr::Const(value) => Condition::Truth(value != 0),
            condition => Condition::Atom(self.atom(condition, text::top(expr))),
        }
    }
}

/// What an expression that speaks of the present moment only is.
pub enum Condition {
    Truth(bool),
    Atom(AtomId),
}

fn edge_if(atom: AtomId, value: bool, target: u32) -> ClaimEdge {
    ClaimEdge { guard: vec![Literal { atom, value }], marks: 0, target }
}

/// In `i < 3 && a[i] == 0` the left part sees to it that the right one has a value. Such a condition is one atom: its
/// parts as atoms of their own would be evaluated each on its own.
pub fn is_guarded(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(Binary::And | Binary::Or, left, right)
        | ExprKind::Temporal2(Temporal2::Implies, left, right) => {
            is_of_now(left) && is_of_now(right) && may_fail(right)
        }
        _ => false,
    }
}

/// Does it speak of the present moment only?
fn is_of_now(expr: &ast::Expr) -> bool {
    let mut of_now = true;
    visit::in_expression(expr, &mut |part| {
        of_now &= !matches!(
            part.kind,
            ExprKind::Temporal1(..)
                | ExprKind::Temporal2(Temporal2::Until | Temporal2::WeakUntil | Temporal2::Release, ..)
        );
    });
    of_now
}

/// Are there states in which it may have no value?
fn may_fail(expr: &ast::Expr) -> bool {
    let computed = |index: &ast::Expr| !matches!(index.kind, ExprKind::Number(_));
    let has_computed_index =
        |reference: &VarRef| reference.parts.iter().any(|part| part.index.as_ref().is_some_and(computed));
    let mut may = false;
    visit::in_expression(expr, &mut |part| {
        may |= match &part.kind {
            ExprKind::Reference(reference) => has_computed_index(reference),
            ExprKind::RemoteVariable { variable, .. } => has_computed_index(variable),
            ExprKind::Binary(Binary::Divide | Binary::Remainder, ..) => true,
            // There may be no channel yet.
            ExprKind::Query(..) | ExprKind::Poll { .. } => true,
            ExprKind::Enabled(_) => true,
            _ => false,
        };
    });
    may
}

/// The same condition in the operators that expressions have.
fn without_implication(expr: &ast::Expr) -> ast::Expr {
    let rewritten = |part: &ast::Expr| Box::new(without_implication(part));
    let not = |part: &ast::Expr| {
        Box::new(ast::Expr { span: part.span, kind: ExprKind::Unary(Unary::Not, Box::new(without_implication(part))) })
    };
    let kind = match &expr.kind {
        ExprKind::Temporal2(Temporal2::Implies, left, right) => {
            ExprKind::Binary(Binary::Or, not(left), rewritten(right))
        }
        ExprKind::Temporal2(Temporal2::Equivalent, left, right) => {
            ExprKind::Binary(Binary::Equal, not(left), not(right))
        }
        ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, rewritten(operand)),
        ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, rewritten(left), rewritten(right)),
        other => other.clone(),
    };
    ast::Expr { span: expr.span, kind }
}
