//! What a circuit means: its initial states and its steps, one by one. Slow and obvious on purpose.

use super::solve::{At, Given, Moments, Problem, Slot, Trial, evaluate};
use super::{Binary, Circuit, Evaluator, Expr, ExprId, Moment, Obligation, Variable, VariableId, VariableKind};
use crate::interpreter::Outcome;
use crate::steppable::{Choose, Several, Steppable, TooLarge};

/// A value for each variable. In a state, the inputs have values that mean nothing.
pub type Valuation = Vec<i64>;

/// A step: a state with the inputs, and the next state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    pub from: Valuation,
    pub to: Valuation,
}

/// How many values are tried in one question before it is given up.
pub(super) const BUDGET: u64 = 1 << 22;

pub struct Simulator<'a> {
    circuit: &'a Circuit,
    evaluator: Evaluator<'a>,
    initial: Problem<'a>,
    step: Problem<'a>,
    /// Values for inputs where there are none.
    resting: Valuation,
    /// How many values are tried before all initial states or all steps are known.
    budget: u64,
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
        Simulator { circuit, evaluator: Evaluator::new(circuit), initial, step, resting, budget: BUDGET }
    }

    /// There will be no more initial states, and no more steps from a state, than so many. All of them are kept at once.
    pub fn allow(&mut self, most: u64) {
        self.budget = most.min(BUDGET);
    }

    pub fn circuit(&self) -> &'a Circuit {
        self.circuit
    }

    /// All initial states, in an order that depends on the circuit alone.
    pub fn initial(&mut self) -> Result<Vec<Valuation>, TooLarge> {
        let mut found = Vec::new();
        let mut moments: Moments = [self.resting.clone(), self.resting.clone()];
        let Simulator { evaluator, initial, budget, .. } = self;
        initial.solve(evaluator, &mut moments, &mut { *budget }, &mut |moments| found.push(moments[0].clone()))?;
        Ok(found)
    }

    /// All steps from a state, each once.
    pub fn steps(&mut self, state: &Valuation) -> Result<Vec<Transition>, TooLarge> {
        let mut found = Vec::new();
        let mut moments: Moments = [state.clone(), self.frozen_of(state)];
        let Simulator { evaluator, step, budget, .. } = self;
        step.solve(evaluator, &mut moments, &mut { *budget }, &mut |moments| {
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

impl Steppable for Simulator<'_> {
    type State = Valuation;
    type Step = Transition;

    fn initial_states(&mut self, most: usize) -> Result<Several<Valuation>, TooLarge> {
        let moments: Moments = [self.resting.clone(), self.resting.clone()];
        let Simulator { evaluator, initial, .. } = self;
        several(initial, evaluator, moments, most, |[state, _]| state.clone())
    }

    fn some_initial_state(&mut self, choose: Choose<'_>) -> Result<Option<Valuation>, TooLarge> {
        let mut moments: Moments = [self.resting.clone(), self.resting.clone()];
        let Simulator { evaluator, initial, .. } = self;
        let (moments, budget) = (&mut moments, &mut { BUDGET });
        let found =
            initial.search(&mut Trial { evaluator, moments, budget, begin: choose, is_enough: &mut |_| true })?;
        Ok(found.then(|| moments[0].clone()))
    }

    fn is_initial_state(&mut self, state: &Valuation) -> bool {
        self.is_initial(state)
    }

    fn steps_from(&mut self, state: &Valuation, most: usize) -> Result<Several<Transition>, TooLarge> {
        let moments: Moments = [state.clone(), self.frozen_of(state)];
        let Simulator { evaluator, step, .. } = self;
        several(step, evaluator, moments, most, |[from, to]| Transition { from: from.clone(), to: to.clone() })
    }

    fn some_step_from(&mut self, state: &Valuation, choose: Choose<'_>) -> Result<Option<Transition>, TooLarge> {
        let mut moments: Moments = [state.clone(), self.frozen_of(state)];
        let Simulator { evaluator, step, .. } = self;
        let (moments, budget) = (&mut moments, &mut { BUDGET });
        let found = step.search(&mut Trial { evaluator, moments, budget, begin: choose, is_enough: &mut |_| true })?;
        Ok(found.then(|| Transition { from: moments[0].clone(), to: moments[1].clone() }))
    }

    fn is_possible(&mut self, state: &Valuation, step: &Transition) -> bool {
        let Transition { from, to } = step;
        let is_from_here = self.without_inputs(from) == self.without_inputs(state);
        is_from_here && self.is_within_domains(from) && self.is_step(from, to)
    }

    fn take(&mut self, _: &Valuation, step: &Transition) -> Outcome<Valuation> {
        Outcome::to(self.without_inputs(&step.to))
    }

    /// In AIGER a run may end, where constraints cannot be met.
    fn may_end(&mut self, _: &Valuation) -> bool {
        !self.circuit.may_not_end()
    }
}

fn several<'a, T>(
    problem: &Problem<'a>,
    evaluator: &mut Evaluator<'a>,
    mut moments: Moments,
    most: usize,
    taken: impl Fn(&Moments) -> T,
) -> Result<Several<T>, TooLarge> {
    let mut found = Vec::new();
    let mut is_enough = |moments: &Moments| {
        if found.len() < most {
            found.push(taken(moments));
            return false;
        }
        true
    };
    let (moments, budget) = (&mut moments, &mut { BUDGET });
    let more = problem.search(&mut Trial { evaluator, moments, budget, begin: &mut |_| 0, is_enough: &mut is_enough });
    match more {
        // Somebody who looks at some of them need not know that the others could not all be tried.
        Err(TooLarge) if found.is_empty() => Err(TooLarge),
        Err(TooLarge) => Ok(Several { found, more: true }),
        Ok(more) => Ok(Several { found, more }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Domain;

    /// Two numbers from 0 to 3 of which one is chosen once, and the other is never smaller.
    fn circuit() -> Circuit {
        let mut circuit = Circuit::default();
        let domain = || Domain::Range { low: 0, high: 3 };
        let mut add = |name: &str, kind| {
            circuit.add_variable(Variable { name: name.to_owned(), kind, domain: domain(), hidden: false })
        };
        let (low, high) = (add("low", VariableKind::Frozen), add("high", VariableKind::State));
        let (low, high) = (circuit.read(low, false), circuit.read(high, false));
        let less = circuit.expressions.less(high, low);
        let invariant = circuit.expressions.not(less);
        circuit.invar.push(invariant);
        circuit
    }

    #[test]
    fn whatever_is_tried_first_some_state_is_found() {
        let circuit = circuit();
        let mut simulator = Simulator::new(&circuit);
        let all = simulator.initial().expect("there is little to try");
        assert_eq!(all.len(), 10);
        let mut found: Vec<Valuation> = Vec::new();
        for first in 0..16 {
            let mut rest = first;
            let mut begin = |count: u64| {
                let place = rest % count;
                rest /= count;
                place
            };
            let state =
                simulator.some_initial_state(&mut begin).expect("there is little to try").expect("there are some");
            assert!(all.contains(&state));
            found.push(state);
        }
        found.sort_unstable();
        found.dedup();
        // Nothing is out of reach.
        assert_eq!(found.len(), all.len());
    }

    #[test]
    fn some_of_the_steps_are_the_first_of_all() {
        let circuit = circuit();
        let mut simulator = Simulator::new(&circuit);
        let state = vec![2, 3];
        let all = simulator.steps(&state).expect("there is little to try");
        assert_eq!(all.len(), 2);
        for most in 0..4 {
            let several = simulator.steps_from(&state, most).expect("there is little to try");
            assert_eq!(several.found, all[..most.min(2)]);
            assert_eq!(several.more, most < 2);
        }
        assert_eq!(simulator.initial_states(3).map(|several| (several.found.len(), several.more)), Ok((3, true)));
    }
}
