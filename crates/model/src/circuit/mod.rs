//! Circuits: models whose variables all change at once. SMV modules and AIGER files become circuits.
//!
//! A circuit stands beside the interleaved [`Model`](crate::Model): both are plain data, both have one obvious meaning
//! that faster engines are compared with. Here that is the [`Simulator`].
//!
//! Every value is an `i64`: a truth value is 0 or 1, the constants of an enumeration are numbers with names, a word
//! is the number that it stands for.

mod complete;
mod conjuncts;
mod cyclic_assignments;
mod evaluate;
mod expr;
mod print;
mod product;
mod run;
mod simulate;
mod solve;
mod verify;

pub use complete::Completion;
pub use cyclic_assignments::Round;
pub use evaluate::Evaluator;
pub use expr::{Binary, Expr, ExprId, Expressions, Type};
pub use product::with_automaton;
pub use run::{Reached, Run, RunError};
pub use simulate::{Simulator, Transition, Valuation};

pub use crate::steppable::TooLarge;
pub use verify::verify;

use crate::claim::Claim;
use crate::model::{AtomId, ClaimId, CtlId, InvariantId, Position, Unchecked};
use crate::property::{CtlFormula, Invariant, Property, Subject};

/// A variable of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

impl VariableId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state is a value for every variable but the inputs. From a state, inputs and a next state are possible together if
/// all transition constraints hold of them and both states satisfy the invariants.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// As the user named it.
    pub name: String,
    pub files: Vec<String>,
    pub expressions: Expressions,
    pub variables: Vec<Variable>,
    /// Values that the text gives to variables. At most one applies to a variable at a moment, and they do not depend on
    /// each other in a circle.
    pub assignments: Vec<Assignment>,
    /// What holds in initial states, besides invariants.
    pub init: Vec<ExprId>,
    /// What holds of a state, inputs and the next state.
    pub trans: Vec<ExprId>,
    /// What holds in every state.
    pub invar: Vec<ExprId>,
    /// Only runs count on which each of these holds infinitely often, of a state and the inputs in it.
    pub justice: Vec<ExprId>,
    /// Only runs count on which the second holds infinitely often if the first does. Of states only.
    pub compassion: Vec<(ExprId, ExprId)>,
    /// What formulas speak of.
    pub atoms: Vec<CircuitAtom>,
    pub obligations: Vec<Obligation>,
    /// All that is asked, in the order of the text.
    pub properties: Vec<Property>,
    pub invariants: Vec<Invariant>,
    pub claims: Vec<Claim>,
    pub ctl: Vec<CtlFormula>,
    /// What the text asks to be checked and this version cannot check.
    pub unchecked: Vec<Unchecked>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub kind: VariableKind,
    pub domain: Domain,
    /// Part of a construction of ours, and none of the user's business.
    pub hidden: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    State,
    /// Chosen anew in each step, and not part of the state.
    Input,
    /// Chosen once.
    Frozen,
}

/// The values that a variable can have. There is always at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    Boolean,
    Range {
        low: i64,
        high: i64,
    },
    /// In the order of the declaration, with the names that they have in the text.
    Values(Vec<(i64, String)>),
    Word {
        width: u32,
        signed: bool,
    },
}

impl Domain {
    pub fn ty(&self) -> Type {
        match *self {
            Domain::Boolean => Type::Boolean,
            Domain::Range { .. } | Domain::Values(_) => Type::Integer,
            Domain::Word { width, signed } => Type::Word { width, signed },
        }
    }

    /// The smallest and the largest value.
    pub fn bounds(&self) -> (i64, i64) {
        match self {
            Domain::Boolean => (0, 1),
            Domain::Range { low, high } => (*low, *high),
            Domain::Values(values) => {
                let numbers = || values.iter().map(|(value, _)| *value);
                (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
            }
            Domain::Word { width, signed: false } => (0, (1 << width) - 1),
            Domain::Word { width, signed: true } => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        }
    }

    pub fn size(&self) -> u64 {
        match self {
            Domain::Values(values) => values.len() as u64,
            _ => {
                let (low, high) = self.bounds();
                (high - low) as u64 + 1
            }
        }
    }

    /// The value at a place, counted from zero.
    pub fn value(&self, place: u64) -> i64 {
        match self {
            Domain::Values(values) => values[place as usize].0,
            _ => self.bounds().0 + place as i64,
        }
    }

    pub fn contains(&self, value: i64) -> bool {
        match self {
            Domain::Values(values) => values.iter().any(|(known, _)| *known == value),
            _ => {
                let (low, high) = self.bounds();
                (low..=high).contains(&value)
            }
        }
    }

    /// A value as the user would write it.
    pub fn text(&self, value: i64) -> String {
        match self {
            Domain::Boolean => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Domain::Range { .. } => value.to_string(),
            Domain::Values(values) => {
                let known = values.iter().find(|(known, _)| *known == value);
                known.map_or_else(|| value.to_string(), |(_, name)| name.clone())
            }
            Domain::Word { width, signed } => {
                let sign = if value < 0 { "-" } else { "" };
                let letter = if *signed { 's' } else { 'u' };
                format!("{sign}0{letter}d{width}_{}", value.unsigned_abs())
            }
        }
    }

    /// The value that [`text`](Domain::text) writes so, if there is one.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        let value = match self {
            Domain::Boolean => i64::from(text == "TRUE"),
            Domain::Range { .. } => text.parse().ok()?,
            Domain::Values(values) => values.iter().find(|(_, name)| name == text)?.0,
            Domain::Word { .. } => {
                let number: i64 = text.rsplit_once('_')?.1.parse().ok()?;
                if text.starts_with('-') { number.checked_neg()? } else { number }
            }
        };
        (self.contains(value) && self.text(value) == text).then_some(value)
    }
}

/// When an assignment applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In initial states.
    Init,
    /// In each step, to the variable in the next state.
    Next,
    /// In every state.
    Always,
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub target: VariableId,
    pub moment: Moment,
    pub choice: Choice,
    /// The same as a condition: the target has one of the values.
    pub constraint: ExprId,
}

/// One or several values to choose from, at least one of which is in the domain of what is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Value(ExprId),
    /// Every number from the first to the second.
    Range(i64, i64),
    Any(Vec<Choice>),
    If(ExprId, Box<Choice>, Box<Choice>),
}

impl Choice {
    /// That `target` is one of the values.
    pub fn has(&self, target: ExprId, expressions: &mut Expressions) -> ExprId {
        match self {
            Choice::Value(value) => expressions.equal(target, *value),
            Choice::Range(low, high) => {
                let (low, high) = (expressions.integer(*low), expressions.integer(*high));
                let (below, above) = (expressions.less(target, low), expressions.less(high, target));
                let outside = expressions.or(below, above);
                expressions.not(outside)
            }
            Choice::Any(choices) => {
                let parts: Vec<ExprId> = choices.iter().map(|choice| choice.has(target, expressions)).collect();
                expressions.any(parts)
            }
            Choice::If(condition, then, otherwise) => {
                let (then, otherwise) = (then.has(target, expressions), otherwise.has(target, expressions));
                expressions.choose(*condition, then, otherwise)
            }
        }
    }

    /// The same with other expressions.
    pub fn map(&self, change: &mut impl FnMut(ExprId) -> ExprId) -> Choice {
        match self {
            Choice::Value(value) => Choice::Value(change(*value)),
            Choice::Range(low, high) => Choice::Range(*low, *high),
            Choice::Any(choices) => Choice::Any(choices.iter().map(|choice| choice.map(change)).collect()),
            Choice::If(condition, then, otherwise) => {
                Choice::If(change(*condition), Box::new(then.map(change)), Box::new(otherwise.map(change)))
            }
        }
    }

    /// The expressions that it is made of.
    pub fn expressions(&self, out: &mut Vec<ExprId>) {
        match self {
            Choice::Value(value) => out.push(*value),
            Choice::Range(..) => {}
            Choice::Any(choices) => choices.iter().for_each(|choice| choice.expressions(out)),
            Choice::If(condition, then, otherwise) => {
                out.push(*condition);
                then.expressions(out);
                otherwise.expressions(out);
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitAtom {
    pub text: String,
    pub expr: ExprId,
}

/// A condition that must hold whatever the values of its variables, or the text makes no sense: that a `case` leaves
/// nothing out, that no divisor is zero, that a value fits the variable it is assigned to.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub condition: ExprId,
    /// What is wrong if it does not hold.
    pub message: String,
    pub position: Position,
}

impl Subject for Circuit {
    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn invariant(&self, invariant: InvariantId) -> &Invariant {
        Circuit::invariant(self, invariant)
    }

    fn claim(&self, claim: ClaimId) -> &Claim {
        Circuit::claim(self, claim)
    }

    fn ctl_formula(&self, formula: CtlId) -> &CtlFormula {
        Circuit::ctl_formula(self, formula)
    }

    fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    fn place_name(&self, position: Position) -> String {
        Circuit::place_name(self, position)
    }
}

impl Circuit {
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// The variables that make up a state.
    pub fn state_variables(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.variable_ids().filter(|id| self.variable(*id).kind != VariableKind::Input)
    }

    pub fn inputs(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.variable_ids().filter(|id| self.variable(*id).kind == VariableKind::Input)
    }

    /// How many variables are given no next value by an assignment: of what comes from AIGER, these are the inputs, which come
    /// first, and all others are latches.
    pub fn unassigned(&self) -> usize {
        let is_next = |assignment: &&Assignment| assignment.moment == Moment::Next;
        self.variables.len() - self.assignments.iter().filter(is_next).count()
    }

    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// The variable as an expression, now or in the next state.
    pub fn read(&mut self, id: VariableId, next: bool) -> ExprId {
        let domain = &self.variables[id.index()].domain;
        let (ty, bounds) = (domain.ty(), domain.bounds());
        self.expressions.variable(id, next, ty, bounds)
    }

    pub fn assign(&mut self, target: VariableId, moment: Moment, choice: Choice) {
        let read = self.read(target, moment == Moment::Next);
        let constraint = choice.has(read, &mut self.expressions);
        self.assignments.push(Assignment { target, moment, choice, constraint });
    }

    /// The atom that a condition is; `text` is how it reads, if it has not been met before.
    pub fn atom(&mut self, expr: ExprId, text: &str) -> AtomId {
        let known = self.atoms.iter().position(|atom| atom.expr == expr);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(CircuitAtom { text: text.to_owned(), expr });
            self.atoms.len() - 1
        });
        AtomId(index as u32)
    }

    pub fn invariant(&self, id: InvariantId) -> &Invariant {
        &self.invariants[id.index()]
    }

    pub fn claim(&self, id: ClaimId) -> &Claim {
        &self.claims[id.index()]
    }

    pub fn ctl_formula(&self, id: CtlId) -> &CtlFormula {
        &self.ctl[id.index()]
    }

    /// Does the text ask something by this name? That there is no deadlock is not asked by the text.
    pub fn declares(&self, name: &str) -> bool {
        self.invariants.iter().any(|one| one.name == name)
            || self.claims.iter().any(|one| one.name == name)
            || self.ctl.iter().any(|one| one.name == name)
    }

    pub fn ask_invariant(&mut self, invariant: Invariant) {
        self.properties.push(Property::Invariant(InvariantId(self.invariants.len() as u32)));
        self.invariants.push(invariant);
    }

    pub fn ask_claim(&mut self, claim: Claim) {
        self.properties.push(Property::Claim(ClaimId(self.claims.len() as u32)));
        self.claims.push(claim);
    }

    pub fn ask_ctl(&mut self, formula: CtlFormula) {
        self.properties.push(Property::Ctl(CtlId(self.ctl.len() as u32)));
        self.ctl.push(formula);
    }

    /// Must every state have a successor? In AIGER, where constraints cannot be met, nothing is asked.
    pub fn may_not_end(&self) -> bool {
        self.properties.contains(&Property::Deadlock)
    }

    /// A place of the text, for messages.
    pub fn place_name(&self, position: Position) -> String {
        format!("{}:{}", self.files.get(position.file.index()).map_or("?", String::as_str), position.line)
    }

    /// The atoms that an automaton reads, as conditions.
    fn literal(&mut self, atom: AtomId, value: bool) -> ExprId {
        let expr = self.atoms[atom.index()].expr;
        if value { expr } else { self.expressions.not(expr) }
    }

    /// The variables that an expression looks at, now (`false`) and in the next state (`true`).
    pub fn support(&self, expr: ExprId) -> Vec<(VariableId, bool)> {
        self.expressions.support([expr])
    }

    /// Does it look at the next state?
    pub fn looks_ahead(&self, expr: ExprId) -> bool {
        self.support(expr).iter().any(|(_, next)| *next)
    }

    /// Does it look at inputs?
    pub fn looks_at_inputs(&self, expr: ExprId) -> bool {
        self.support(expr).iter().any(|(id, _)| self.variable(*id).kind == VariableKind::Input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_written() {
        let colours = vec![(7, "red".to_owned()), (-1, "-1".to_owned())];
        let domains = [
            Domain::Boolean,
            Domain::Range { low: -2, high: 3 },
            Domain::Values(colours),
            Domain::Word { width: 3, signed: false },
            Domain::Word { width: 3, signed: true },
        ];
        for domain in domains {
            for place in 0..domain.size() {
                let value = domain.value(place);
                assert_eq!(domain.value_of(&domain.text(value)), Some(value));
            }
            for wrong in ["", "4", "true", "blue", "+1", "01", "0ud3_8", "0sd3_4", "-0ud3_1", "0ud4_1", "_", "-_1"] {
                assert_eq!(domain.value_of(wrong), None, "{domain:?} {wrong}");
            }
        }
    }
}
