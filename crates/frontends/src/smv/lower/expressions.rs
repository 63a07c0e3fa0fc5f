//! Expressions to terms, with their types checked.

use reductio_model::circuit::{Choice, ExprId, Type};

use super::terms::{Kind, Term, Value};
use super::{Lowering, ScopeId};
use crate::smv::ast::{Expr, ExprKind};
use crate::source::Span;

/// Numbers that are computed stay below this, so that nothing overflows.
const MAX_COMPUTED: i64 = 1 << 45;

/// Where an expression stands, and what it may speak of there.
#[derive(Clone, Copy)]
pub struct Place {
    pub scope: ScopeId,
    /// The part of the module, for messages.
    pub what: &'static str,
    pub inputs: bool,
    pub next: bool,
    /// Inside `next(...)`.
    pub in_next: bool,
    /// The branches of `case` that lead here are taken if this holds.
    pub path: Option<ExprId>,
}

impl Place {
    pub fn new(scope: ScopeId, what: &'static str) -> Place {
        Place { scope, what, inputs: false, next: false, in_next: false, path: None }
    }

    pub fn with_inputs(self) -> Place {
        Place { inputs: true, ..self }
    }

    pub fn with_next(self) -> Place {
        Place { next: true, ..self }
    }
}

impl<'a> Lowering<'a> {
    pub fn term(&mut self, expr: &'a Expr, place: Place) -> Option<Term> {
        let span = expr.span;
        let value = match &expr.kind {
            ExprKind::Truth(value) => Value { expr: self.circuit.expressions.truth(*value), kind: Kind::Boolean },
            ExprKind::Number(number) => Value { expr: self.circuit.expressions.integer(*number), kind: Kind::Integer },
            ExprKind::Word { width, signed, value } => self.word(*value, *width, *signed),
            ExprKind::Name(name) => return self.named(name, span, place),
            ExprKind::SelfReference => return Some(Term::Instance(place.scope)),
            ExprKind::Member(base, member) => {
                let Term::Instance(scope) = self.term(base, place)? else {
                    self.error("only instances of modules have members", base.span);
                    return None;
                };
                return self.member(scope, member, place);
            }
            ExprKind::Index(base, index) => return self.index(base, index, place),
            ExprKind::Slice(word, high, low) => self.slice(word, high, low, place)?,
            ExprKind::Not(operand) => self.not(operand, place)?,
            ExprKind::Negate(operand) => self.negate(operand, place)?,
            ExprKind::Binary(operator, left, right) => return self.binary(*operator, left, right, span, place),
            ExprKind::If(condition, then, otherwise) => {
                let branches = [(&**condition, &**then)];
                return self.branches(&branches, Some(otherwise), span, place);
            }
            ExprKind::Case(branches) => {
                let branches: Vec<(&Expr, &Expr)> =
                    branches.iter().map(|(condition, value)| (condition, value)).collect();
                return self.branches(&branches, None, span, place);
            }
            ExprKind::Set(items) => return self.set(items, span, place),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.constant_number(low, place)?, self.constant_number(high, place)?);
                if low > high {
                    self.error(format!("the range {low}..{high} is empty"), span);
                    return None;
                }
                return Some(Term::Choice(Choice::Range(low, high), Kind::Integer));
            }
            ExprKind::Array(items) => {
                let elements: Option<Vec<Term>> = items.iter().map(|item| self.term(item, place)).collect();
                return Some(Term::Array { low: 0, elements: elements? });
            }
            ExprKind::Next(operand) => return self.next(operand, span, place),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, span, place)?,
            ExprKind::Ctl1(..)
            | ExprKind::CtlBounded(..)
            | ExprKind::CtlUntil { .. }
            | ExprKind::Ltl1(..)
            | ExprKind::LtlBounded(..)
            | ExprKind::Ltl2(..) => {
                self.error(format!("there can be no temporal operator in {}", place.what), span);
                return None;
            }
        };
        Some(Term::Value(value))
    }

    /// An expression that has one value.
    pub fn value(&mut self, expr: &'a Expr, place: Place) -> Option<Value> {
        match self.term(expr, place)? {
            Term::Value(value) => Some(value),
            Term::Choice(..) => {
                let help = "sets can be assigned, and searched with `in`";
                self.error_with_help("a set of values cannot be used here", expr.span, help);
                None
            }
            Term::Array { .. } => {
                self.error("an array cannot be used as a value here", expr.span);
                None
            }
            Term::Instance(_) => {
                self.error("this is an instance of a module, not a value", expr.span);
                None
            }
        }
    }

    /// A condition.
    pub fn boolean(&mut self, expr: &'a Expr, place: Place) -> Option<ExprId> {
        let value = self.value(expr, place)?;
        if value.kind == Kind::Boolean {
            return Some(value.expr);
        }
        let message = format!("expected a truth value, found {}", value.kind);
        match self.circuit.expressions.constant_value(value.expr) {
            Some(0) => self.error_with_help(message, expr.span, "write `FALSE`"),
            Some(1) => self.error_with_help(message, expr.span, "write `TRUE`"),
            _ => self.error(message, expr.span),
        }
        None
    }

    /// One value or several to choose from.
    pub fn choice(&mut self, expr: &'a Expr, place: Place) -> Option<(Choice, Kind)> {
        let choice = self.term(expr, place)?.into_choice();
        if choice.is_none() {
            self.error("this is neither a value nor a set of values", expr.span);
        }
        choice
    }

    /// What values of two kinds are, if they can be values of one thing.
    pub fn join(&mut self, one: Kind, other: Kind, span: Span) -> Option<Kind> {
        let joined = one.join(other).filter(|kind| *kind != Kind::Mixed || self.has_mixed_enumerations);
        if joined.is_none() {
            self.error(format!("{other} and {one} cannot be values of the same expression"), span);
        }
        joined
    }

    fn next(&mut self, operand: &'a Expr, span: Span, place: Place) -> Option<Term> {
        if place.in_next {
            self.error("`next` in `next` would look two steps ahead", span);
            return None;
        }
        if !place.next {
            self.error(format!("{} is about one state, so it cannot contain `next`", place.what), span);
            return None;
        }
        self.term(operand, Place { in_next: true, ..place })
    }

    /// The condition that leads here, and another one.
    pub fn inside(&mut self, place: Place, condition: ExprId) -> Place {
        let path = match place.path {
            Some(path) => self.circuit.expressions.and(path, condition),
            None => condition,
        };
        Place { path: Some(path), ..place }
    }

    /// The value of the first branch whose condition holds.
    fn branches(
        &mut self,
        branches: &[(&'a Expr, &'a Expr)],
        otherwise: Option<&'a Expr>,
        span: Span,
        place: Place,
    ) -> Option<Term> {
        let mut reached = place;
        let mut terms: Vec<(ExprId, Term, Span)> = Vec::new();
        let mut ok = true;
        for (condition, value) in branches {
            let Some(condition) = self.boolean(condition, reached) else {
                ok = false;
                continue;
            };
            let inside = self.inside(reached, condition);
            match self.term(value, inside) {
                Some(term) => terms.push((condition, term, value.span)),
                None => ok = false,
            }
            let not = self.circuit.expressions.not(condition);
            reached = self.inside(reached, not);
        }
        if let Some(otherwise) = otherwise {
            let term = self.term(otherwise, reached)?;
            terms.push((self.circuit.expressions.truth(true), term, otherwise.span));
        } else if ok {
            let never = self.circuit.expressions.truth(false);
            let message = "the conditions of this `case` do not cover all values".to_owned();
            self.oblige_at(reached, never, message, span);
        }
        if !ok {
            return None;
        }
        self.first_of(terms)
    }

    /// The last term is taken if no condition holds, which an obligation rules out.
    fn first_of(&mut self, mut terms: Vec<(ExprId, Term, Span)>) -> Option<Term> {
        let (_, mut result, last_span) = terms.pop()?;
        for (condition, term, span) in terms.into_iter().rev() {
            result = match (term, result) {
                (Term::Value(then), Term::Value(otherwise)) => {
                    let kind = self.join(then.kind, otherwise.kind, last_span)?;
                    let expr = self.circuit.expressions.choose(condition, then.expr, otherwise.expr);
                    Term::Value(Value { expr, kind })
                }
                (then, otherwise) => {
                    let (Some((then, one)), Some((otherwise, other))) = (then.into_choice(), otherwise.into_choice())
                    else {
                        self.error("the branches of a choice are values, not arrays or instances", span);
                        return None;
                    };
                    let kind = self.join(one, other, last_span)?;
                    Term::Choice(Choice::If(condition, Box::new(then), Box::new(otherwise)), kind)
                }
            };
        }
        Some(result)
    }

    fn set(&mut self, items: &'a [Expr], span: Span, place: Place) -> Option<Term> {
        let mut joined: Option<Kind> = None;
        let mut choices = Vec::new();
        for item in items {
            let (choice, kind) = self.choice(item, place)?;
            joined = Some(match joined {
                Some(known) => self.join(known, kind, item.span)?,
                None => kind,
            });
            choices.push(choice);
        }
        let Some(kind) = joined else {
            self.error("a set has at least one element", span);
            return None;
        };
        // One value is one value, in braces or not.
        match (choices.len(), choices.pop()) {
            (1, Some(Choice::Value(expr))) => Some(Term::Value(Value { expr, kind })),
            (_, last) => {
                choices.extend(last);
                Some(Term::Choice(Choice::Any(choices), kind))
            }
        }
    }

    fn index(&mut self, base: &'a Expr, index: &'a Expr, place: Place) -> Option<Term> {
        let Term::Array { low, elements } = self.term(base, place)? else {
            self.error_with_help("only arrays have an index", base.span, "a bit of a word is `w[3:3]`");
            return None;
        };
        let high = low + elements.len() as i64 - 1;
        let index_value = self.value(index, place)?;
        if index_value.kind != Kind::Integer {
            self.error(format!("an index is a number, not {}", index_value.kind), index.span);
            return None;
        }
        let outside = format!("an index is out of the array's bounds {low}..{high}");
        if let Some(number) = self.circuit.expressions.constant_value(index_value.expr) {
            let element = usize::try_from(number - low).ok().and_then(|at| elements.get(at));
            if element.is_none() {
                self.error(format!("index {number} is out of the array's bounds {low}..{high}"), index.span);
            }
            return element.cloned();
        }
        let target = index_value.expr;
        let within = Choice::Range(low, high).has(target, &mut self.circuit.expressions);
        self.oblige_at(place, within, outside, index.span);
        let terms: Vec<(ExprId, Term, Span)> = (low..)
            .zip(elements)
            .map(|(number, element)| {
                let number = self.circuit.expressions.integer(number);
                (self.circuit.expressions.equal(target, number), element, base.span)
            })
            .collect();
        self.index_terms(terms)
    }

    /// Chooses among elements, which may be arrays themselves.
    fn index_terms(&mut self, terms: Vec<(ExprId, Term, Span)>) -> Option<Term> {
        let Some((_, Term::Array { low, elements }, _)) = terms.first() else { return self.first_of(terms) };
        let (low, count) = (*low, elements.len());
        let mut columns: Vec<Vec<(ExprId, Term, Span)>> = vec![Vec::new(); count];
        for (condition, term, span) in terms {
            if let Term::Array { elements, .. } = term {
                for (column, element) in columns.iter_mut().zip(elements) {
                    column.push((condition, element, span));
                }
            }
        }
        let elements: Option<Vec<Term>> = columns.into_iter().map(|column| self.index_terms(column)).collect();
        Some(Term::Array { low, elements: elements? })
    }

    pub fn word(&mut self, value: i64, width: u32, signed: bool) -> Value {
        let expr = self.circuit.expressions.constant(value, Type::Word { width, signed });
        Value { expr, kind: Kind::Word { width, signed } }
    }

    /// Refuses numbers that may become too large to compute with.
    pub fn bounded(&mut self, value: Value, span: Span) -> Option<Value> {
        let (low, high) = self.circuit.expressions.bounds(value.expr);
        if value.kind == Kind::Integer && (low < -MAX_COMPUTED || high > MAX_COMPUTED) {
            self.error("this number may become too large", span);
            return None;
        }
        Some(value)
    }
}
