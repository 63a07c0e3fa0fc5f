//! Runs of circuits in files, schema `reductio.run/1`: written by a check, read back by a replay.
//!
//! A file is input like any other: it may be damaged, or belong to another model. Variables are known by their names, and
//! a state must have a value for each.

use std::collections::{BTreeMap, BTreeSet};

use reductio_model::circuit::{
    Assignment, Circuit, Completion, Evaluator, Moment, Reached, Run, RunError, Simulator, Valuation, Variable,
    VariableId, VariableKind,
};
use serde::{Deserialize, Serialize};

use crate::circuit::RunEntry;
use crate::trace_file::{TraceFileError, of_schema};

pub const RUN_SCHEMA: &str = "reductio.run/1";

/// A file with a run, to be written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunFile<'a> {
    #[cfg_attr(test, schemars(extend("const" = RUN_SCHEMA)))]
    pub schema: &'static str,
    pub model: &'a str,
    pub property: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = crate::schema::KINDS.map(reductio_model::PropertyKind::name))))]
    pub kind: &'a str,
    pub reason: Option<&'a str>,
    pub run: &'a RunEntry,
}

impl RunFile<'_> {
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("keys are strings and numbers are finite");
        json.push('\n');
        json
    }
}

/// Why the file of a run cannot be replayed. States count from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunFileError {
    File(TraceFileError),
    BadCycle {
        start: usize,
        states: usize,
    },
    CycleDoesNotClose,
    NoSuchVariable {
        state: usize,
        name: String,
    },
    NoValue {
        state: usize,
        name: String,
    },
    BadValue {
        state: usize,
        name: String,
        value: String,
    },
    /// A state is not what it must be: the first, or after the one before it. `None` if a constraint says so.
    WrongState {
        state: usize,
        variable: Option<String>,
    },
    Impossible(RunError),
    /// Something is wrong with a branch that shows a formula.
    Branch {
        formula: String,
        error: Box<RunFileError>,
    },
    NoSuchState {
        index: usize,
        states: usize,
    },
}

impl std::fmt::Display for RunFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunFileError::File(error) => error.fmt(f),
            RunFileError::BadCycle { start, states } => {
                write!(f, "the cycle starts at state index {start}, but there are only {states} states")
            }
            RunFileError::CycleDoesNotClose => {
                f.write_str("this is no run of the model: the last state does not lead back to where the cycle starts")
            }
            RunFileError::NoSuchVariable { state, name } => {
                write!(f, "state {state}: the model has no variable `{name}` here; is this a run of another model?")
            }
            RunFileError::NoValue { state, name } => write!(f, "state {state}: `{name}` has no value"),
            RunFileError::BadValue { state, name, value } => {
                write!(f, "state {state}: `{name}` cannot have the value `{value}`; is this a run of another model?")
            }
            RunFileError::WrongState { state, variable } => {
                write!(f, "state {state}: this is no run of the model: ")?;
                match (state, variable) {
                    (1, Some(name)) => write!(f, "`{name}` cannot have this value at first"),
                    (1, None) => f.write_str("the constraints forbid such a first state"),
                    (_, Some(name)) => write!(f, "`{name}` cannot have this value after the state before"),
                    (_, None) => f.write_str("the constraints forbid the step from the state before"),
                }
            }
            RunFileError::Impossible(error) => write!(f, "this is no run of the model: {error}"),
            RunFileError::Branch { formula, error } => write!(f, "the branch that shows {formula}: {error}"),
            RunFileError::NoSuchState { index, states } => {
                write!(f, "it starts at state index {index}, but there are only {states} states")
            }
        }
    }
}

impl std::error::Error for RunFileError {}

/// A run, and what it is said to break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun {
    pub property: Option<String>,
    pub run: Run,
    pub branches: Vec<StoredBranch>,
}

/// A run that starts in a state of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBranch {
    /// The index of that state.
    pub state: usize,
    pub formula: String,
    pub run: Run,
    pub branches: Vec<StoredBranch>,
}

/// Reads the file of a run, and takes the run on the circuit.
pub fn read(circuit: &Circuit, json: &str) -> Result<StoredRun, RunFileError> {
    let file: StoredFile = of_schema(json, RUN_SCHEMA).map_err(RunFileError::File)?;
    let (run, branches) = file.run.taken(circuit, None)?;
    Ok(StoredRun { property: file.property, run, branches })
}

/// Says which state is wrong, and which variable in it.
fn impossible(circuit: &Circuit, run: &Run, error: RunError) -> RunFileError {
    let (before, place) = match error {
        RunError::NotInitial => (None, 0),
        RunError::NoStep(from) if from + 1 == run.states.len() => return RunFileError::CycleDoesNotClose,
        RunError::NoStep(from) => (Some(from), from + 1),
        other => return RunFileError::Impossible(other),
    };
    let variable = wrong_variable(circuit, before.map(|before| &run.states[before]), &run.states[place]);
    RunFileError::WrongState { state: place + 1, variable: variable.map(|variable| variable.name.clone()) }
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

#[derive(Deserialize)]
struct StoredFile {
    property: Option<String>,
    run: Stored,
}

#[derive(Deserialize)]
struct Stored {
    states: Vec<StoredState>,
    cycle_start: Option<usize>,
    #[serde(default)]
    branches: Vec<Branch>,
}

#[derive(Deserialize)]
struct Branch {
    state: usize,
    formula: String,
    run: Stored,
}

impl Stored {
    /// Takes the run on the circuit, from a state of another one or from the beginning, and all that branches off from it.
    fn taken(&self, circuit: &Circuit, start: Option<&Valuation>) -> Result<(Run, Vec<StoredBranch>), RunFileError> {
        let Stored { states, cycle_start, branches } = self;
        if let Some(start) = cycle_start.filter(|start| *start >= states.len()) {
            return Err(RunFileError::BadCycle { start, states: states.len() });
        }
        let last = if cycle_start.is_none() { states.len() } else { 0 };
        let valuations: Result<Vec<Valuation>, RunFileError> =
            (1..).zip(states).map(|(number, state)| state.resolve(circuit, number, number == last)).collect();
        let mut run = Run { states: valuations?, cycle_start: *cycle_start };
        complete(circuit, &mut run.states, start);
        let mut simulator = Simulator::new(circuit);
        let confirmed = match start {
            None => run.confirm(&mut simulator, Reached::Anything),
            Some(start) => run.confirm_from(&mut simulator, start, Reached::Anything),
        };
        confirmed.map_err(|error| impossible(circuit, &run, error))?;
        let branches: Result<Vec<StoredBranch>, RunFileError> =
            branches.iter().map(|branch| branch.taken(circuit, &run)).collect();
        Ok((run, branches?))
    }
}

impl Branch {
    fn taken(&self, circuit: &Circuit, parent: &Run) -> Result<StoredBranch, RunFileError> {
        let Branch { state, formula, run } = self;
        let nowhere = RunFileError::NoSuchState { index: *state, states: parent.states.len() };
        let taken = match parent.states.get(*state) {
            None => Err(nowhere),
            Some(start) => run.taken(circuit, Some(start)),
        };
        let wrong = |error| RunFileError::Branch { formula: formula.clone(), error: Box::new(error) };
        let (run, branches) = taken.map_err(wrong)?;
        Ok(StoredBranch { state: *state, formula: formula.clone(), run, branches })
    }
}

/// Gives values to hidden variables, of which files know nothing: those that follow. Where there are none, the run is none
/// either, as will be found out.
fn complete(circuit: &Circuit, states: &mut [Valuation], start: Option<&Valuation>) {
    let is_known: Vec<bool> = circuit.variables.iter().map(|variable| !variable.hidden).collect();
    if is_known.iter().all(|known| *known) || states.is_empty() {
        return;
    }
    let mut completion = Completion::new(circuit, &is_known);
    match start {
        None => {
            if let Ok(Some(initial)) = completion.initial(&states[0]) {
                states[0] = initial;
            }
        }
        Some(start) => {
            let hidden = (0..is_known.len()).filter(|index| !is_known[*index]);
            hidden.for_each(|index| states[0][index] = start[index]);
        }
    }
    for place in 1..states.len() {
        let state = states[place - 1].clone();
        if let Ok(Some(step)) = completion.step(&state, &state, &states[place]) {
            states[place] = step.to;
        }
    }
}

#[derive(Deserialize)]
struct StoredState {
    values: BTreeMap<String, StoredValue>,
    #[serde(default)]
    inputs: BTreeMap<String, StoredValue>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Number(i64),
    Word(String),
}

impl StoredValue {
    fn text(&self) -> String {
        match self {
            StoredValue::Number(number) => number.to_string(),
            StoredValue::Word(word) => word.clone(),
        }
    }
}

impl StoredState {
    /// The values of all variables. Where a run ends, there need not be inputs.
    fn resolve(&self, circuit: &Circuit, state: usize, ends: bool) -> Result<Valuation, RunFileError> {
        for (values, of_inputs) in [(&self.values, false), (&self.inputs, true)] {
            let variables = circuit.variables.iter().filter(|variable| is_input(variable) == of_inputs);
            let known: BTreeSet<&str> = variables.map(|variable| variable.name.as_str()).collect();
            if let Some(name) = values.keys().find(|name| !known.contains(name.as_str())) {
                return Err(RunFileError::NoSuchVariable { state, name: name.clone() });
            }
        }
        circuit.variables.iter().map(|variable| self.value(variable, state, ends)).collect()
    }

    fn value(&self, variable: &Variable, state: usize, ends: bool) -> Result<i64, RunFileError> {
        let name = || variable.name.clone();
        let values = if is_input(variable) { &self.inputs } else { &self.values };
        let Some(value) = values.get(&variable.name) else {
            let rests = variable.hidden || ends && is_input(variable);
            return if rests {
                Ok(variable.domain.value(0))
            } else {
                Err(RunFileError::NoValue { state, name: name() })
            };
        };
        let value = value.text();
        variable.domain.value_of(&value).ok_or_else(|| RunFileError::BadValue { state, name: name(), value })
    }
}

fn is_input(variable: &Variable) -> bool {
    variable.kind == VariableKind::Input
}
