//! The rules that every circuit obeys. A front end or a transformation that breaks one has a bug.

use std::collections::HashSet;

use super::expr::{bounds, width};
use super::{Assignment, Binary, Choice, Circuit, Domain, Expr, ExprId, Moment, Round, Type, VariableId, VariableKind};
use crate::property::{AllProperties, Property};

/// Wider words are no numbers of 64 bits, of which also the negative one and the number of all are needed.
const MAX_WIDTH: u32 = 62;

/// Checks every rule; answers what is broken, each in a sentence that names the place.
///
/// 1. A domain has at least one value, no value or name twice, and not more values than can be counted. Words have 1 to 62
///    bits.
/// 2. No two variables that the user sees have one name: files of runs know variables by name.
/// 3. Ids lie in range: variables and expressions.
/// 4. Expressions are made of expressions before them, so none is made of itself, and each is stored once.
/// 5. The types of operands fit their operator, and the type of the result follows from them.
/// 6. Constants are numbers of their type; bounds are not narrower than the bounds of the operands make them.
/// 7. What is used reads variables as what they are: with the type of the domain and no narrower bounds. No one reads the next
///    value of an input.
/// 8. Constraints, fairness, atoms and obligations are conditions. `INIT`, `INVAR` and compassion look at the state alone,
///    justice and atoms also at inputs, `TRANS` also at the next state.
/// 9. No input is assigned to, and at most one assignment applies to a variable at a moment.
/// 10. What can be chosen is something and has the type of what is assigned; initial values and those of all states look at the
///     state alone.
/// 11. The constraint of an assignment says that the variable has one of the values of its choice.
/// 12. Assignments do not depend on each other in a circle.
/// 13. What is asked is there, and speaks of atoms that exist; the edges of claims lead to states that do.
pub fn verify(circuit: &Circuit) -> Result<(), Vec<String>> {
    let mut verifier = Verifier { circuit, sights: Vec::new(), used: Vec::new(), errors: Vec::new() };
    verifier.circuit();
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

/// What an expression looks at besides the state.
#[derive(Clone, Copy, Default)]
struct Sight {
    inputs: bool,
    next: bool,
}

/// The state alone.
const STATE: Sight = Sight { inputs: false, next: false };
const INPUTS_TOO: Sight = Sight { inputs: true, next: false };
const EVERYTHING: Sight = Sight { inputs: true, next: true };

struct Verifier<'c> {
    circuit: &'c Circuit,
    /// By expression.
    sights: Vec<Sight>,
    /// Which expressions something in the circuit is made of.
    used: Vec<bool>,
    errors: Vec<String>,
}

impl Verifier<'_> {
    fn require(&mut self, condition: bool, message: impl FnOnce() -> String) {
        if !condition {
            self.errors.push(message());
        }
    }

    fn circuit(&mut self) {
        self.variables();
        self.asked();
        self.ids();
        // Whatever follows goes from expressions to what they are made of.
        if self.errors.is_empty() {
            self.look_around();
            self.expressions();
            self.reads();
            self.conditions();
            self.assignments();
        }
    }

    fn variables(&mut self) {
        let mut names: HashSet<&str> = HashSet::new();
        for variable in &self.circuit.variables {
            let name = &variable.name;
            let is_new = variable.hidden || names.insert(name);
            self.require(is_new, || format!("two variables are called `{name}`"));
            match &variable.domain {
                Domain::Boolean => {}
                Domain::Range { low, high } => {
                    let counts = low <= high && high.checked_sub(*low).is_some();
                    self.require(counts, || format!("`{name}` cannot be in {low}..{high}"));
                }
                Domain::Values(values) => {
                    let numbers: HashSet<i64> = values.iter().map(|(value, _)| *value).collect();
                    let texts: HashSet<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
                    let count = values.len();
                    self.require(count > 0, || format!("`{name}` has no values"));
                    self.require(numbers.len() == count, || format!("`{name}` has a value twice"));
                    self.require(texts.len() == count, || format!("two values of `{name}` have one name"));
                }
                Domain::Word { width, .. } => {
                    self.require((1..=MAX_WIDTH).contains(width), || format!("`{name}` is a word of {width} bits"));
                }
            }
        }
    }

    fn asked(&mut self) {
        let Circuit { properties, invariants, claims, ctl, atoms, .. } = self.circuit;
        for property in properties {
            let is_there = match property {
                Property::Deadlock => true,
                // No step of a circuit goes wrong.
                Property::Assertions => false,
                Property::Invariant(id) => id.index() < invariants.len(),
                Property::Claim(id) => id.index() < claims.len(),
                Property::Ctl(id) => id.index() < ctl.len(),
            };
            self.require(is_there, || format!("{property:?} is asked and not there"));
        }
        self.errors.extend(AllProperties { invariants, claims, ctl }.problems(atoms.len()));
    }

    fn ids(&mut self) {
        let circuit = self.circuit;
        let (variables, count) = (circuit.variables.len(), circuit.expressions.len());
        for id in circuit.expressions.ids() {
            let expr = circuit.expressions.get(id);
            let is_before = expr.operands().all(|operand| operand < id);
            self.require(is_before, || format!("expression {} is not made of expressions before it", id.index()));
            if let Expr::Variable(variable) | Expr::Next(variable) = expr {
                let exists = variable.index() < variables;
                self.require(exists, || format!("expression {} reads a variable that does not exist", id.index()));
            }
        }
        self.require(circuit.expressions.are_stored_once(), || "an expression is not stored once".to_owned());
        for (what, ids) in roots(circuit) {
            let exist = ids.iter().all(|id| id.index() < count);
            self.require(exist, || format!("{what} is made of an expression that does not exist"));
        }
        let exist = circuit.assignments.iter().all(|assignment| assignment.target.index() < variables);
        self.require(exist, || "a variable that does not exist is assigned to".to_owned());
    }

    /// What each expression looks at, and which are used.
    fn look_around(&mut self) {
        let expressions = &self.circuit.expressions;
        for id in expressions.ids() {
            let expr = expressions.get(id);
            let of = |id: ExprId| self.sights[id.index()];
            let is_input = |id: VariableId| self.circuit.variable(id).kind == VariableKind::Input;
            let sight = match expr {
                Expr::Variable(variable) => Sight { inputs: is_input(variable), next: false },
                Expr::Next(_) => Sight { inputs: false, next: true },
                _ => Sight {
                    inputs: expr.operands().any(|operand| of(operand).inputs),
                    next: expr.operands().any(|operand| of(operand).next),
                },
            };
            self.sights.push(sight);
        }
        self.used = vec![false; expressions.len()];
        let mut pending: Vec<ExprId> = roots(self.circuit).into_iter().flat_map(|(_, ids)| ids).collect();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut self.used[id.index()], true) {
                pending.extend(expressions.get(id).operands());
            }
        }
    }

    fn expressions(&mut self) {
        let expressions = &self.circuit.expressions;
        for id in expressions.ids() {
            let number = id.index();
            if let Type::Word { width, .. } = expressions.ty(id)
                && !(1..=MAX_WIDTH).contains(&width)
            {
                self.require(false, || format!("expression {number} is a word of {width} bits"));
                continue;
            }
            if let Some(wanted) = self.result(id) {
                let (low, high) = expressions.bounds(id);
                let within = low <= wanted.0 && wanted.1 <= high;
                self.require(within, || format!("the bounds of expression {number} are too narrow"));
            } else {
                self.require(false, || {
                    format!("the types of expression {number} do not fit: {}", self.circuit.text(id))
                });
            }
        }
    }

    /// The bounds of an expression as its operands make them, if they fit.
    fn result(&self, id: ExprId) -> Option<(i64, i64)> {
        let expressions = &self.circuit.expressions;
        let (expr, ty) = (expressions.get(id), expressions.ty(id));
        let type_of = |id: ExprId| expressions.ty(id);
        let is_word = |ty: Type| matches!(ty, Type::Word { .. });
        let has_bits = |ty: Type| ty == Type::Boolean || is_word(ty);
        let is_computed_with = |ty: Type| ty == Type::Integer || is_word(ty);
        let numbers = match expr {
            Expr::Constant(value) => {
                return (ty.wrap(value.into()) == value).then_some((value, value));
            }
            // What they read is looked at where they are used.
            Expr::Variable(_) | Expr::Next(_) => return Some(expressions.bounds(id)),
            Expr::Not(operand) => (ty == type_of(operand) && has_bits(ty)).then_some(None),
            Expr::If(condition, then, otherwise) => {
                let fits = type_of(condition) == Type::Boolean && ty == type_of(then) && ty == type_of(otherwise);
                let (one, other) = (expressions.bounds(then), expressions.bounds(otherwise));
                fits.then_some(Some((one.0.min(other.0), one.1.max(other.1))))
            }
            Expr::Cast(operand) => (ty != type_of(operand)).then(|| Some(expressions.bounds(operand))),
            Expr::Extract(operand, low) => {
                let fits = is_word(type_of(operand))
                    && matches!(ty, Type::Word { signed: false, .. })
                    && low.saturating_add(width(ty)) <= width(type_of(operand));
                fits.then_some(None)
            }
            Expr::Binary(operator, left, right) => {
                let (one, other) = (type_of(left), type_of(right));
                let fits = match operator {
                    Binary::And | Binary::Or | Binary::Xor => ty == one && one == other && has_bits(ty),
                    Binary::Equal | Binary::Less => ty == Type::Boolean && one == other,
                    Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => {
                        ty == one && one == other && is_computed_with(ty)
                    }
                    // What is shifted by is not negative, which obligations see to.
                    Binary::ShiftLeft | Binary::ShiftRight => {
                        let is_amount = matches!(other, Type::Integer | Type::Word { signed: false, .. });
                        ty == one && is_word(ty) && is_amount
                    }
                    Binary::Concatenate => {
                        let both = || Type::Word { width: width(one) + width(other), signed: false };
                        is_word(one) && is_word(other) && ty == both()
                    }
                };
                let computed = || bounds(operator, expressions.bounds(left), expressions.bounds(right));
                fits.then(|| (ty == Type::Integer).then(computed))
            }
        };
        numbers.map(|numbers| ty.bounds().or(numbers).unwrap_or((i64::MIN, i64::MAX)))
    }

    fn reads(&mut self) {
        let circuit = self.circuit;
        let expressions = &circuit.expressions;
        for id in expressions.ids() {
            let (Expr::Variable(variable) | Expr::Next(variable)) = expressions.get(id) else { continue };
            if !self.used[id.index()] {
                continue;
            }
            let variable = circuit.variable(variable);
            let name = &variable.name;
            let (wanted, bounds) = (variable.domain.bounds(), expressions.bounds(id));
            let fits = expressions.ty(id) == variable.domain.ty() && bounds.0 <= wanted.0 && wanted.1 <= bounds.1;
            self.require(fits, || format!("`{name}` is read as something that it is not"));
            let is_next_input = variable.kind == VariableKind::Input && matches!(expressions.get(id), Expr::Next(_));
            self.require(!is_next_input, || format!("the next value of the input `{name}` is read"));
        }
    }

    fn conditions(&mut self) {
        let circuit = self.circuit;
        for (ids, what, sight) in [
            (&circuit.init, "INIT", STATE),
            (&circuit.invar, "INVAR", STATE),
            (&circuit.trans, "TRANS", EVERYTHING),
            (&circuit.justice, "JUSTICE", INPUTS_TOO),
        ] {
            ids.iter().for_each(|id| self.condition(*id, sight, || what.to_owned()));
        }
        for (often, then) in &circuit.compassion {
            [often, then].into_iter().for_each(|id| self.condition(*id, STATE, || "COMPASSION".to_owned()));
        }
        for atom in &circuit.atoms {
            self.condition(atom.expr, INPUTS_TOO, || format!("the atom `{}`", atom.text));
        }
        for obligation in &circuit.obligations {
            self.condition(obligation.condition, EVERYTHING, || format!("the obligation `{}`", obligation.message));
        }
    }

    fn condition(&mut self, id: ExprId, allowed: Sight, what: impl Fn() -> String) {
        let is_condition = self.circuit.expressions.ty(id) == Type::Boolean;
        self.require(is_condition, || format!("{} is no condition", what()));
        self.looks_at(id, allowed, what);
    }

    fn looks_at(&mut self, id: ExprId, allowed: Sight, what: impl Fn() -> String) {
        let sight = self.sights[id.index()];
        self.require(allowed.inputs || !sight.inputs, || format!("{} looks at inputs", what()));
        self.require(allowed.next || !sight.next, || format!("{} looks at the next state", what()));
    }

    fn assignments(&mut self) {
        let circuit = self.circuit;
        let mut expressions = circuit.expressions.clone();
        // By variable, for initial states and for steps.
        let mut assigned = vec![[false; 2]; circuit.variables.len()];
        for assignment in &circuit.assignments {
            let Assignment { target, moment, choice, constraint } = assignment;
            let variable = circuit.variable(*target);
            let name = &variable.name;
            self.require(variable.kind != VariableKind::Input, || format!("the input `{name}` is assigned to"));
            let applies = [*moment != Moment::Next, *moment != Moment::Init];
            for (taken, applies) in assigned[target.index()].iter_mut().zip(applies) {
                let is_first = !(*taken && applies);
                *taken |= applies;
                self.require(is_first, || format!("`{name}` is assigned twice"));
            }
            let before = self.errors.len();
            let allowed = if *moment == Moment::Next { EVERYTHING } else { STATE };
            self.choice(choice, variable.domain.ty(), allowed, name);
            if self.errors.len() == before {
                let ty = variable.domain.ty();
                let read = expressions.variable(*target, *moment == Moment::Next, ty, variable.domain.bounds());
                let is_meant = choice.has(read, &mut expressions) == *constraint;
                self.require(is_meant, || format!("the constraint of `{name}` is not that it has an assigned value"));
            }
        }
        for round in [Round::Initial, Round::Step] {
            let circle = circuit.circle(round).unwrap_or_default();
            let names: Vec<&str> = circle.iter().map(|id| circuit.variable(*id).name.as_str()).collect();
            self.require(names.is_empty(), || format!("assignments depend on each other: {}", names.join(", ")));
        }
    }

    fn choice(&mut self, choice: &Choice, ty: Type, allowed: Sight, name: &str) {
        match choice {
            Choice::Value(value) => {
                let fits = self.circuit.expressions.ty(*value) == ty;
                self.require(fits, || format!("what is assigned to `{name}` is of another type"));
                self.looks_at(*value, allowed, || format!("what is assigned to `{name}`"));
            }
            Choice::Range(low, high) => {
                self.require(ty == Type::Integer, || format!("what is assigned to `{name}` is of another type"));
                let counts = low <= high && high.checked_sub(*low).is_some();
                self.require(counts, || format!("nothing can be assigned to `{name}`"));
            }
            Choice::Any(choices) => {
                self.require(!choices.is_empty(), || format!("nothing can be assigned to `{name}`"));
                choices.iter().for_each(|choice| self.choice(choice, ty, allowed, name));
            }
            Choice::If(condition, then, otherwise) => {
                self.condition(*condition, allowed, || format!("what decides the value of `{name}`"));
                self.choice(then, ty, allowed, name);
                self.choice(otherwise, ty, allowed, name);
            }
        }
    }
}

/// The expressions that the circuit is about, and what they are to it.
fn roots(circuit: &Circuit) -> Vec<(&'static str, Vec<ExprId>)> {
    let pairs = circuit.compassion.iter().flat_map(|(often, then)| [*often, *then]);
    let mut assigned: Vec<ExprId> = Vec::new();
    for assignment in &circuit.assignments {
        assigned.push(assignment.constraint);
        assignment.choice.expressions(&mut assigned);
    }
    vec![
        ("INIT", circuit.init.clone()),
        ("TRANS", circuit.trans.clone()),
        ("INVAR", circuit.invar.clone()),
        ("JUSTICE", circuit.justice.clone()),
        ("COMPASSION", pairs.collect()),
        ("an atom", circuit.atoms.iter().map(|atom| atom.expr).collect()),
        ("an obligation", circuit.obligations.iter().map(|obligation| obligation.condition).collect()),
        ("an assignment", assigned),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Variable;

    /// What the verifier should say, and what breaks the circuit.
    type Break = (&'static str, fn(&mut Circuit));

    fn number(circuit: &mut Circuit) -> ExprId {
        circuit.read(VariableId(1), false)
    }

    /// What cannot be made from outside, because expressions are made by functions that see to it.
    #[test]
    fn broken_expressions_are_told() {
        let breaks: &[Break] = &[
            ("not made of expressions before it", |circuit| {
                let next = circuit.expressions.clone().store(Expr::Constant(1), Type::Boolean, (1, 1));
                circuit.expressions.store(Expr::Not(next), Type::Boolean, (0, 1));
            }),
            ("not stored once", |circuit| {
                circuit.expressions.store(Expr::Constant(0), Type::Boolean, (0, 0));
            }),
            ("reads a variable that does not exist", |circuit| {
                circuit.expressions.variable(VariableId(9), false, Type::Boolean, (0, 1));
            }),
            ("read as something that it is not", |circuit| {
                let read = circuit.expressions.variable(VariableId(1), false, Type::Boolean, (0, 1));
                circuit.init.push(read);
            }),
            ("the bounds of expression", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Binary(Binary::Add, number, number), Type::Integer, (0, 5));
            }),
            // Numbers have no bits.
            ("do not fit", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Not(number), Type::Integer, (-4, -1));
            }),
            ("do not fit", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Binary(Binary::ShiftLeft, number, number), Type::Integer, (0, 99));
            }),
            ("do not fit", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Extract(number, 0), Type::Word { width: 1, signed: false }, (0, 1));
            }),
            ("do not fit", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Cast(number), Type::Integer, (0, 3));
            }),
            ("is a word of 63 bits", |circuit| {
                let number = number(circuit);
                circuit.expressions.store(Expr::Cast(number), Type::Word { width: 63, signed: false }, (0, 3));
            }),
        ];
        for (message, break_it) in breaks {
            let mut circuit = Circuit::default();
            let variable = |name: &str, domain| Variable {
                name: name.to_owned(),
                kind: VariableKind::State,
                domain,
                hidden: false,
            };
            let truth = circuit.add_variable(variable("b", Domain::Boolean));
            circuit.add_variable(variable("n", Domain::Range { low: 0, high: 3 }));
            circuit.expressions.truth(false);
            number(&mut circuit);
            let condition = circuit.read(truth, false);
            circuit.init.push(condition);
            assert_eq!(verify(&circuit), Ok(()));
            break_it(&mut circuit);
            let errors = verify(&circuit).expect_err(message);
            assert!(errors.iter().any(|error| error.contains(message)), "expected `{message}`, got {errors:?}");
        }
    }
}
