//! Runs of which some variables are known, with values for the others: the first that are possible.

use super::simulate::{BUDGET, initial_conditions, step_conditions};
use super::solve::{Moments, Problem, Slot};
use super::{Circuit, Evaluator, TooLarge, Transition, Valuation, VariableId, VariableKind};

pub struct Completion<'a> {
    circuit: &'a Circuit,
    evaluator: Evaluator<'a>,
    /// Which variables are known.
    known: &'a [bool],
    initial: Problem<'a>,
    step: Problem<'a>,
}

impl<'a> Completion<'a> {
    pub fn new(circuit: &'a Circuit, known: &'a [bool]) -> Completion<'a> {
        let changes = |id: &VariableId| circuit.variable(*id).kind == VariableKind::State;
        let unknown = |id: &VariableId| !known[id.index()];
        let state: Vec<Slot> = circuit.state_variables().filter(unknown).map(|id| (id, false)).collect();
        let mut moving: Vec<Slot> = circuit.inputs().filter(unknown).map(|id| (id, false)).collect();
        moving.extend(circuit.variable_ids().filter(changes).filter(unknown).map(|id| (id, true)));
        let (conditions, given) = initial_conditions(circuit);
        let initial = Problem::new(circuit, &state, conditions, given);
        let (conditions, given) = step_conditions(circuit);
        let step = Problem::new(circuit, &moving, conditions, given);
        Completion { circuit, evaluator: Evaluator::new(circuit), known, initial, step }
    }

    /// An initial state that has these values where they are known.
    pub fn initial(&mut self, values: &Valuation) -> Result<Option<Valuation>, TooLarge> {
        let mut moments: Moments = [self.with_known(values), self.with_known(values)];
        let found = self.initial.solve_once(&mut self.evaluator, &mut moments, &mut { BUDGET })?;
        let [state, _] = moments;
        Ok(found.then_some(state))
    }

    /// A step from a state, with inputs as in `from` and next values as in `to` where they are known.
    pub fn step(
        &mut self,
        state: &Valuation,
        from: &Valuation,
        to: &Valuation,
    ) -> Result<Option<Transition>, TooLarge> {
        let mut moments: Moments = [self.with_known(from), self.with_known(to)];
        for id in self.circuit.state_variables() {
            moments[0][id.index()] = state[id.index()];
            if self.circuit.variable(id).kind == VariableKind::Frozen {
                moments[1][id.index()] = state[id.index()];
            }
        }
        let found = self.step.solve_once(&mut self.evaluator, &mut moments, &mut { BUDGET })?;
        let [from, to] = moments;
        Ok(found.then_some(Transition { from, to }))
    }

    /// What is not known has some value.
    fn with_known(&self, values: &Valuation) -> Valuation {
        let value = |id: VariableId| {
            if self.known[id.index()] { values[id.index()] } else { self.circuit.variable(id).domain.value(0) }
        };
        self.circuit.variable_ids().map(value).collect()
    }
}
