//! The parts of a formula that matter separately: a formula as a Boolean combination of components.
//!
//! If the order of what affects each component is kept, so is the truth of the formula.
//!
//! Paper:    [peled93], section 4.1: the table of six rows, after negations were pushed inwards. Row 5 is garbled in print:
//!           `(f && g) U h` is `f U h` and `g U h`.
//! Deviates: where the table goes on with the operands of `[]` and `<>`, the operator stays with them. Otherwise
//!           `[](f U (g || h))` would fall apart, which is no Boolean combination of anything. The rows have duals, for
//!           what negation makes of `U`.

use super::formula::{Formula, Formulas, Node};
use super::simplify::{TooDeep, negation_normal_form};

/// More components than this are not looked for: a part of the formula is then taken as a whole.
const MOST: usize = 64;

/// The components of a formula.
pub fn components(formulas: &mut Formulas, formula: Formula) -> Result<Vec<Formula>, TooDeep> {
    let formula = negation_normal_form(formulas, formula)?;
    let mut components = Vec::new();
    let mut open = vec![formula];
    while let Some(next) = open.pop() {
        match split(formulas, next).filter(|_| open.len() + components.len() < MOST) {
            Some(combination) => open.extend(combination.operands()),
            None if !components.contains(&next) => components.push(next),
            None => {}
        }
    }
    Ok(components)
}

/// A conjunction or disjunction that means the same as the formula, if the table has one.
pub fn split(formulas: &mut Formulas, formula: Formula) -> Option<Node> {
    let node = formulas.node(formula);
    Some(match node {
        Node::And(..) | Node::Or(..) => node,
        Node::Always(inner) => match formulas.node(inner) {
            Node::And(f, g) => Node::And(formulas.always(f), formulas.always(g)),
            Node::Eventually(inner) => match formulas.node(inner) {
                Node::Or(f, g) => {
                    let (f, g) = (formulas.eventually(f), formulas.eventually(g));
                    Node::Or(formulas.always(f), formulas.always(g))
                }
                _ => return None,
            },
            _ => return None,
        },
        Node::Eventually(inner) => match formulas.node(inner) {
            Node::Or(f, g) => Node::Or(formulas.eventually(f), formulas.eventually(g)),
            Node::Always(inner) => match formulas.node(inner) {
                Node::And(f, g) => {
                    let (f, g) = (formulas.always(f), formulas.always(g));
                    Node::And(formulas.eventually(f), formulas.eventually(g))
                }
                _ => return None,
            },
            _ => return None,
        },
        Node::Until(left, right) => until(formulas, left, right, Formulas::until)?,
        Node::WeakUntil(left, right) => until(formulas, left, right, Formulas::weak_until)?,
        Node::Release(left, right) => release(formulas, left, right, Formulas::release)?,
        Node::StrongRelease(left, right) => release(formulas, left, right, Formulas::strong_release)?,
        _ => return None,
    })
}

type Operator = fn(&mut Formulas, Formula, Formula) -> Formula;

/// Rows 5 and 6, for `U` and `W`.
fn until(formulas: &mut Formulas, left: Formula, right: Formula, operator: Operator) -> Option<Node> {
    match (formulas.node(left), formulas.node(right)) {
        (Node::And(f, g), _) => Some(Node::And(operator(formulas, f, right), operator(formulas, g, right))),
        (_, Node::Or(f, g)) => Some(Node::Or(operator(formulas, left, f), operator(formulas, left, g))),
        _ => None,
    }
}

/// Their duals, for `V` and `M`.
fn release(formulas: &mut Formulas, left: Formula, right: Formula, operator: Operator) -> Option<Node> {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Or(f, g), _) => Some(Node::Or(operator(formulas, f, right), operator(formulas, g, right))),
        (_, Node::And(f, g)) => Some(Node::And(operator(formulas, left, f), operator(formulas, left, g))),
        _ => None,
    }
}
