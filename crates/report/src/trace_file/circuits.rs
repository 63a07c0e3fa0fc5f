//! States and steps of circuits, by what variables hold. Files know nothing of hidden variables: those have values that follow.

use std::collections::BTreeSet;

use reductio_model::circuit::{
    Assignment, Circuit, Completion, Evaluator, Moment, Simulator, Transition, Valuation, Variable, VariableId,
    VariableKind,
};

use crate::trace_file::{Recorded, StoredStep, StoredValues, TraceFileError};

impl Recorded for Simulator<'_> {
    fn recorded_start(
        &mut self,
        values: Option<&StoredValues>,
        parent: Option<&Valuation>,
    ) -> Result<Valuation, TraceFileError> {
        let circuit = self.circuit();
        let values = values.ok_or(TraceFileError::NoFirstState)?;
        let mut state: Valuation = circuit.variables.iter().map(|variable| variable.domain.value(0)).collect();
        let reading = Reading { circuit, number: 1 };
        reading.read_all(values, false, &mut state)?;
        match parent {
            Some(parent) => hidden(circuit).for_each(|index| state[index] = parent[index]),
            None if hidden(circuit).next().is_some() => {
                let known = known(circuit);
                if let Ok(Some(completed)) = Completion::new(circuit, &known).initial(&state) {
                    state = completed;
                }
            }
            None => {}
        }
        Ok(state)
    }

    fn recorded_step(
        &mut self,
        before: &Valuation,
        step: &StoredStep,
        index: usize,
        back_to: Option<&Valuation>,
    ) -> Result<Transition, TraceFileError> {
        let StoredStep::Circuit { inputs, changes } = step else { return Err(TraceFileError::OtherKind) };
        let circuit = self.circuit();
        let (mut from, mut to) = (before.clone(), before.clone());
        Reading { circuit, number: index + 1 }.read_all(inputs, true, &mut from)?;
        Reading { circuit, number: index + 2 }.read(changes, false, &mut to)?;
        if hidden(circuit).next().is_none() {
            return Ok(Transition { from, to });
        }
        let known = known(circuit);
        let is_known_alike =
            |other: &Valuation| (0..known.len()).all(|place| !known[place] || other[place] == to[place]);
        // Where a cycle closes, what is hidden is known, too.
        if let Some(back_to) = back_to.filter(|state| is_known_alike(state)) {
            return Ok(Transition { from, to: back_to.clone() });
        }
        let completed = Completion::new(circuit, &known).step(before, &from, &to);
        // Where nothing follows, the step is none, as will be found out.
        Ok(completed.ok().flatten().unwrap_or(Transition { from, to }))
    }

    fn why_not_initial(&self, state: &Valuation) -> TraceFileError {
        let variable = wrong_variable(self.circuit(), None, state);
        TraceFileError::WrongState { state: 1, variable: variable.map(|variable| variable.name.clone()) }
    }

    fn why_impossible(&self, _: &Valuation, step: &Transition, index: usize) -> TraceFileError {
        let variable = wrong_variable(self.circuit(), Some(&step.from), &step.to);
        TraceFileError::WrongState { state: index + 2, variable: variable.map(|variable| variable.name.clone()) }
    }
}

fn known(circuit: &Circuit) -> Vec<bool> {
    circuit.variables.iter().map(|variable| !variable.hidden).collect()
}

/// The places of variables of which files know nothing.
fn hidden(circuit: &Circuit) -> impl Iterator<Item = usize> + '_ {
    circuit.variables.iter().enumerate().filter(|(_, variable)| variable.hidden).map(|(index, _)| index)
}

/// Values that a file gives to the variables of a state with this number.
struct Reading<'c> {
    circuit: &'c Circuit,
    number: usize,
}

impl Reading<'_> {
    /// Values for all variables of a kind, the inputs or the others.
    fn read_all(&self, values: &StoredValues, of_inputs: bool, state: &mut Valuation) -> Result<(), TraceFileError> {
        self.read(values, of_inputs, state)?;
        let mut variables = self.circuit.variables.iter().filter(|variable| is_input(variable) == of_inputs);
        match variables.find(|variable| !variable.hidden && !values.contains_key(&variable.name)) {
            Some(variable) => Err(TraceFileError::NoValue { state: self.number, name: variable.name.clone() }),
            None => Ok(()),
        }
    }

    /// Values for some of them.
    fn read(&self, values: &StoredValues, of_inputs: bool, state: &mut Valuation) -> Result<(), TraceFileError> {
        let mut known = BTreeSet::new();
        for (variable, place) in self.circuit.variables.iter().zip(state) {
            if is_input(variable) != of_inputs || variable.hidden {
                continue;
            }
            known.insert(variable.name.as_str());
            let Some(value) = values.get(&variable.name) else { continue };
            let value = value.text();
            *place = variable.domain.value_of(&value).ok_or_else(|| TraceFileError::BadValue {
                state: self.number,
                name: variable.name.clone(),
                value,
            })?;
        }
        match values.keys().find(|name| !known.contains(name.as_str())) {
            Some(name) => Err(TraceFileError::NoSuchVariable { state: self.number, name: name.clone() }),
            None => Ok(()),
        }
    }
}

fn is_input(variable: &Variable) -> bool {
    variable.kind == VariableKind::Input
}

/// A variable that has another value than its assignment gives to it.
fn wrong_variable<'c>(circuit: &'c Circuit, before: Option<&Valuation>, state: &Valuation) -> Option<&'c Variable> {
    let mut evaluator = Evaluator::new(circuit);
    let mut frozen = circuit.variable_ids().filter(|id| circuit.variable(*id).kind == VariableKind::Frozen);
    let melted = before.and_then(|before| frozen.find(|id| before[id.index()] != state[id.index()]));
    let passed_over = if before.is_some() { Moment::Init } else { Moment::Next };
    let mut assignments = circuit.assignments.iter().filter(|assignment| assignment.moment != passed_over);
    let assigned = assignments.find(|Assignment { constraint, moment, .. }| {
        evaluator.forget();
        // What is always assigned looks only at the state itself.
        let now = before.filter(|_| *moment == Moment::Next).unwrap_or(state);
        let read = |id: VariableId, next: bool| if next { state[id.index()] } else { now[id.index()] };
        evaluator.value(*constraint, &read) == 0
    });
    melted.or(assigned.map(|assignment| assignment.target)).map(|id| circuit.variable(id))
}
