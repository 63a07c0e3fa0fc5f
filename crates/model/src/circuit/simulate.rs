//! What a circuit means: its initial states and its steps, one by one. Slow and obvious on purpose.

use super::solve::{At, Given, Moments, Problem, Slot, evaluate};
use super::{Binary, Circuit, Evaluator, Expr, ExprId, Moment, Obligation, Variable, VariableId, VariableKind};

/// A value for each variable. In a state, the inputs have values that mean nothing.
pub type Valuation = Vec<i64>;

/// A step: a state with the inputs, and the next state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    pub from: Valuation,
    pub to: Valuation,
}

/// There is too much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// How many values are tried in one question before it is given up.
pub(super) const BUDGET: u64 = 1 << 22;

pub struct Simulator<'a> {
    circuit: &'a Circuit,
    evaluator: Evaluator<'a>,
    initial: Problem<'a>,
    step: Problem<'a>,
    /// Values for inputs where there are none.
    resting: Valuation,
}

impl<'a> Simulator<'a> {
    pub fn new(circuit: &'a Circuit) -> Simulator<'a> {
        let state: Vec<Slot> = circuit.state_variables().map(|id| (id, false)).collect();
        let mut moving: Vec<Slot> = circuit.inputs().map(|id| (id, false)).collect();
        let changes = |id: &VariableId| circuit.variable(*id).kind == VariableKind::State;
        moving.extend(circuit.variable_ids().filter(changes).map(|id| (id, true)));
        let (conditions, given) = initial_conditions(circuit);
        let initial = Problem::new(circuit, &state, conditions, given);
        let (conditions, given) = step_conditions(circuit);
        let step = Problem::new(circuit, &moving, conditions, given);
        let resting = circuit.variables.iter().map(|variable| variable.domain.value(0)).collect();
        Simulator { circuit, evaluator: Evaluator::new(circuit), initial, step, resting }
    }

    pub fn circuit(&self) -> &'a Circuit {
        self.circuit
    }

    /// All initial states, in an order that depends on the circuit alone.
    pub fn initial(&mut self) -> Result<Vec<Valuation>, TooLarge> {
        let mut found = Vec::new();
        let mut moments: Moments = [self.resting.clone(), self.resting.clone()];
        let Simulator { evaluator, initial, .. } = self;
        initial.solve(evaluator, &mut moments, &mut { BUDGET }, &mut |moments| found.push(moments[0].clone()))?;
        Ok(found)
    }

    /// All steps from a state, each once.
    pub fn steps(&mut self, state: &Valuation) -> Result<Vec<Transition>, TooLarge> {
        let mut found = Vec::new();
        let mut moments: Moments = [state.clone(), self.frozen_of(state)];
        let Simulator { evaluator, step, .. } = self;
        step.solve(evaluator, &mut moments, &mut { BUDGET }, &mut |moments| {
            found.push(Transition { from: moments[0].clone(), to: moments[1].clone() });
        })?;
        Ok(found)
    }

    fn frozen_of(&self, state: &Valuation) -> Valuation {
        let keep = |(variable, value): (&Variable, &i64)| {
            if variable.kind == VariableKind::Frozen { *value } else { variable.domain.value(0) }
        };
        self.circuit.variables.iter().zip(state).map(keep).collect()
    }

    /// The state that is left of a valuation when the inputs are forgotten.
    pub fn without_inputs(&self, valuation: &Valuation) -> Valuation {
        let mut state = valuation.clone();
        for id in self.circuit.inputs() {
            state[id.index()] = self.resting[id.index()];
        }
        state
    }

    /// Does a condition hold of a state and the inputs in it?
    pub fn holds(&mut self, condition: ExprId, valuation: &Valuation) -> bool {
        self.evaluator.forget();
        self.evaluator.value(condition, &|variable, _| valuation[variable.index()]) != 0
    }

    pub fn is_initial(&mut self, state: &Valuation) -> bool {
        let moments = [state.clone(), state.clone()];
        let (mut conditions, given) = initial_conditions(self.circuit);
        conditions.extend(given.iter().map(|given| given.constraint));
        self.all_hold(&conditions, &moments) && self.is_within_domains(state)
    }

    pub fn is_step(&mut self, from: &Valuation, to: &Valuation) -> bool {
        let moments = [from.clone(), to.clone()];
        let (mut conditions, given) = step_conditions(self.circuit);
        conditions.extend(given.iter().map(|given| given.constraint));
        let is_kept = |id: VariableId| {
            self.circuit.variable(id).kind != VariableKind::Frozen || from[id.index()] == to[id.index()]
        };
        self.circuit.variable_ids().all(is_kept) && self.all_hold(&conditions, &moments) && self.is_within_domains(to)
    }

    fn all_hold(&mut self, conditions: &[At], moments: &Moments) -> bool {
        conditions.iter().all(|at| evaluate(&mut self.evaluator, *at, moments) != 0)
    }

    fn is_within_domains(&self, state: &Valuation) -> bool {
        self.circuit.variables.iter().zip(state).all(|(variable, value)| variable.domain.contains(*value))
    }

    /// The obligations that the circuit does not meet, each with values for which it does not.
    pub fn broken_obligations(&mut self) -> Result<Vec<(&'a Obligation, String)>, TooLarge> {
        let mut broken = Vec::new();
        for obligation in &self.circuit.obligations {
            if self.is_met_by_a_part(obligation.condition) {
                continue;
            }
            let slots = self.circuit.support(obligation.condition);
            let problem = Problem::new(self.circuit, &slots, Vec::new(), Vec::new());
            let mut moments: Moments = [self.resting.clone(), self.resting.clone()];
            let mut example = None;
            let mut checker = Evaluator::new(self.circuit);
            problem.solve(&mut self.evaluator, &mut moments, &mut { BUDGET }, &mut |moments| {
                let at = At { expr: obligation.condition, next: false };
                if example.is_none() && evaluate(&mut checker, at, moments) == 0 {
                    let value =
                        |slot: &Slot| self.circuit.slot_text(*slot, moments[usize::from(slot.1)][slot.0.index()]);
                    example = Some(slots.iter().map(value).collect::<Vec<_>>().join(", "));
                }
            })?;
            broken.extend(example.map(|example| (obligation, example)));
        }
        Ok(broken)
    }
}

/// How many values are tried to see that a part of a condition always holds.
const SMALL_BUDGET: u64 = 1 << 12;

impl Simulator<'_> {
    /// Conditions are often `path -> wanted`, where what is wanted holds anyway, and speaks of much less.
    fn is_met_by_a_part(&mut self, condition: ExprId) -> bool {
        let mut part = condition;
        while let Expr::Binary(Binary::Or, _, wanted) = self.circuit.expressions.get(part) {
            part = wanted;
            if self.always_holds(part) {
                return true;
            }
        }
        false
    }

    /// `false` also if there is too much to try.
    fn always_holds(&mut self, condition: ExprId) -> bool {
        let slots = self.circuit.support(condition);
        let problem = Problem::new(self.circuit, &slots, Vec::new(), Vec::new());
        let mut moments: Moments = [self.resting.clone(), self.resting.clone()];
        let mut checker = Evaluator::new(self.circuit);
        let mut holds = true;
        let tried = problem.solve(&mut self.evaluator, &mut moments, &mut { SMALL_BUDGET }, &mut |moments| {
            holds &= evaluate(&mut checker, At { expr: condition, next: false }, moments) != 0;
        });
        tried.is_ok() && holds
    }
}

impl Circuit {
    /// A variable and its value, as the user would write them.
    pub fn slot_text(&self, (variable, next): Slot, value: i64) -> String {
        let variable = self.variable(variable);
        let name = if next { format!("next({})", variable.name) } else { variable.name.clone() };
        format!("{name} = {}", variable.domain.text(value))
    }
}

pub(super) fn initial_conditions(circuit: &Circuit) -> (Vec<At>, Vec<Given<'_>>) {
    let now = |expr: &ExprId| At { expr: *expr, next: false };
    let conditions = circuit.init.iter().chain(&circuit.invar).map(now).collect();
    let applies = circuit.assignments.iter().filter(|assignment| assignment.moment != Moment::Next);
    let given = applies.map(|assignment| Given {
        slot: (assignment.target, false),
        choice: &assignment.choice,
        next: false,
        constraint: now(&assignment.constraint),
    });
    (conditions, given.collect())
}

pub(super) fn step_conditions(circuit: &Circuit) -> (Vec<At>, Vec<Given<'_>>) {
    let trans = circuit.trans.iter().map(|expr| At { expr: *expr, next: false });
    let invar = circuit.invar.iter().map(|expr| At { expr: *expr, next: true });
    // What is always assigned is assigned to the next state, too; a state is known already.
    let applies = circuit.assignments.iter().filter(|assignment| assignment.moment != Moment::Init);
    let given = applies.map(|assignment| {
        let next = assignment.moment == Moment::Always;
        Given {
            slot: (assignment.target, true),
            choice: &assignment.choice,
            next,
            constraint: At { expr: assignment.constraint, next },
        }
    });
    (trans.chain(invar).collect(), given.collect())
}
