//! Traces in files, schema `reductio.trace/1`: written by a check, read back by a replay.
//!
//! A file is input like any other: it may be damaged, or belong to another model. Each step of a process names the process and the
//! statement beside the number of the edge, and variables of circuits are known by their names, so that a trace of another model
//! is told apart. Every step is taken on the model before anybody sees it.

mod circuits;
mod processes;

use std::collections::BTreeMap;

use reductio_model::Walk;
use serde::{Deserialize, Serialize};

use crate::describe::Described;
use crate::trace::{BranchEntry, TraceEntry};

pub const TRACE_SCHEMA: &str = "reductio.trace/1";

/// A trace file, to be written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceFile<'a> {
    #[cfg_attr(test, schemars(extend("const" = TRACE_SCHEMA)))]
    pub schema: &'static str,
    pub model: &'a str,
    pub property: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = crate::schema::KINDS.map(reductio_model::PropertyKind::name))))]
    pub kind: &'a str,
    pub reason: Option<&'a str>,
    pub trace: &'a TraceEntry,
}

impl TraceFile<'_> {
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("keys are strings and numbers are finite");
        json.push('\n');
        json
    }
}

/// Why a trace file cannot be replayed. Steps and states count from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceFileError {
    NotJson {
        message: String,
    },
    WrongSchema {
        found: String,
        expected: &'static str,
    },
    BadCycle {
        start: usize,
        steps: usize,
    },
    /// A step of a circuit where the model has processes, or the other way round.
    OtherKind,
    NoSuchProcess {
        step: usize,
        pid: u8,
    },
    OtherProcess {
        step: usize,
        pid: u8,
        expected: String,
        found: String,
    },
    NoSuchEdge {
        step: usize,
        process: String,
        edge: u32,
    },
    OtherStatement {
        step: usize,
        process: String,
        expected: String,
        found: String,
    },
    Impossible {
        step: usize,
        process: String,
        statement: String,
    },
    AfterTheEnd {
        step: usize,
    },
    /// A circuit can start in more than one state.
    NoFirstState,
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
    CycleDoesNotClose,
    /// A branch does not start in the state in which it is said to.
    StartsElsewhere,
    /// A branch starts further on than its run goes.
    StartsNowhere {
        after_step: usize,
        steps: usize,
    },
    /// Something is wrong with a branch that shows a formula.
    Branch {
        formula: String,
        error: Box<TraceFileError>,
    },
}

const ANOTHER_MODEL: &str = "is this a trace of another model?";

impl std::fmt::Display for TraceFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TraceFileError::NotJson { message } => write!(f, "not a trace file: {message}"),
            TraceFileError::WrongSchema { found, expected } => {
                write!(f, "not a trace file: its schema is `{found}`, expected `{expected}`")
            }
            TraceFileError::BadCycle { start, steps } => {
                write!(f, "the cycle starts at step index {start}, but there are only {steps} steps")
            }
            TraceFileError::OtherKind => {
                write!(f, "a trace of processes is none of a circuit, nor the other way round; {ANOTHER_MODEL}")
            }
            TraceFileError::NoSuchProcess { step, pid } => {
                write!(f, "step {step}: there is no process {pid} at this point; {ANOTHER_MODEL}")
            }
            TraceFileError::OtherProcess { step, pid, expected, found } => {
                write!(f, "step {step}: process {pid} is a `{found}`, the trace has a `{expected}`; {ANOTHER_MODEL}")
            }
            TraceFileError::NoSuchEdge { step, process, edge } => {
                write!(f, "step {step}: `{process}` has no edge {edge}; {ANOTHER_MODEL}")
            }
            TraceFileError::OtherStatement { step, process, expected, found } => write!(
                f,
                "step {step}: the statement of `{process}` is `{found}`, the trace has `{expected}`; {ANOTHER_MODEL}"
            ),
            TraceFileError::Impossible { step, process, statement } => {
                write!(f, "step {step}: `{process}` cannot execute `{statement}` here")
            }
            TraceFileError::AfterTheEnd { step } => write!(f, "step {step}: the run ended in the step before"),
            TraceFileError::NoFirstState => {
                write!(f, "the trace does not say in which state it starts; {ANOTHER_MODEL}")
            }
            TraceFileError::NoSuchVariable { state, name } => {
                write!(f, "state {state}: the model has no variable `{name}` here; is this a run of another model?")
            }
            TraceFileError::NoValue { state, name } => write!(f, "state {state}: `{name}` has no value"),
            TraceFileError::BadValue { state, name, value } => {
                write!(f, "state {state}: `{name}` cannot have the value `{value}`; is this a run of another model?")
            }
            TraceFileError::WrongState { state, variable } => {
                write!(f, "state {state}: this is no run of the model: ")?;
                match (state, variable) {
                    (1, Some(name)) => write!(f, "`{name}` cannot have this value at first"),
                    (1, None) => f.write_str("the constraints forbid such a first state"),
                    (_, Some(name)) => write!(f, "`{name}` cannot have this value after the state before"),
                    (_, None) => f.write_str("the constraints forbid the step from the state before"),
                }
            }
            TraceFileError::CycleDoesNotClose => f.write_str("the cycle does not lead back to where it starts"),
            TraceFileError::StartsElsewhere => {
                f.write_str("this is no run of the model: it does not start in the state that it branches off from")
            }
            TraceFileError::StartsNowhere { after_step, steps } => {
                write!(f, "it starts after step {after_step}, but there are only {steps} steps")
            }
            TraceFileError::Branch { formula, error } => write!(f, "the branch that shows {formula}: {error}"),
        }
    }
}

impl std::error::Error for TraceFileError {}

/// A trace that was read and can be taken, and what it is said to break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTrace<S, T: Clone + 'static> {
    pub property: Option<String>,
    pub run: StoredRun<S, T>,
}

/// A run with those that branch off from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun<S, T: Clone + 'static> {
    pub walk: Walk<'static, S, T>,
    pub branches: Vec<StoredBranch<S, T>>,
}

/// A run that starts in a state of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBranch<S, T: Clone + 'static> {
    /// So many steps before it.
    pub after_step: usize,
    pub formula: String,
    pub run: StoredRun<S, T>,
}

impl<S: Clone, T: Clone + 'static> StoredRun<S, T> {
    /// The run with all its branches, described.
    pub fn entry<Y: Described<State = S, Step = T>>(&self, system: &mut Y) -> TraceEntry {
        let branches = self.branches.iter().map(|StoredBranch { after_step, formula, run }| BranchEntry {
            after_step: *after_step,
            formula: formula.clone(),
            trace: run.entry(system),
        });
        let branches = branches.collect();
        TraceEntry { branches, ..TraceEntry::of(system, &self.walk) }
    }
}

/// A system whose steps can be found again by what files hold of them.
pub trait Recorded: Described {
    /// The state in which a run starts: `parent` if it branches off from that.
    fn recorded_start(
        &mut self,
        values: Option<&StoredValues>,
        parent: Option<&Self::State>,
    ) -> Result<Self::State, TraceFileError>;

    /// The step with this index in a run, by what is stored of it. A step that closes a cycle leads to a known state.
    fn recorded_step(
        &mut self,
        before: &Self::State,
        step: &StoredStep,
        index: usize,
        back_to: Option<&Self::State>,
    ) -> Result<Self::Step, TraceFileError>;

    /// Why a state is not initial.
    fn why_not_initial(&self, state: &Self::State) -> TraceFileError;

    /// Why a step cannot be taken.
    fn why_impossible(&self, before: &Self::State, step: &Self::Step, index: usize) -> TraceFileError;
}

/// Reads a trace file and takes every step of it on the model.
pub fn read<S: Recorded>(system: &mut S, json: &str) -> Result<StoredTrace<S::State, S::Step>, TraceFileError> {
    let not_json = |error: serde_json::Error| TraceFileError::NotJson { message: error.to_string() };
    // The schema comes first: what is wrong with the rest of some other file is of no interest.
    let SchemaOnly { schema } = serde_json::from_str(json).map_err(not_json)?;
    if schema != TRACE_SCHEMA {
        return Err(TraceFileError::WrongSchema { found: schema, expected: TRACE_SCHEMA });
    }
    let StoredFile { property, trace } = serde_json::from_str(json).map_err(not_json)?;
    let run = trace.taken(system, None)?;
    Ok(StoredTrace { property, run })
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

#[derive(Deserialize)]
struct StoredFile {
    property: Option<String>,
    trace: Stored,
}

#[derive(Deserialize)]
struct Stored {
    initial: Option<StoredValues>,
    steps: Vec<StoredStep>,
    cycle_start: Option<usize>,
    #[serde(default)]
    branches: Vec<Branch>,
}

#[derive(Deserialize)]
struct Branch {
    after_step: usize,
    formula: String,
    trace: Stored,
}

/// Variables of a circuit by name.
pub type StoredValues = BTreeMap<String, StoredValue>;

#[derive(Deserialize)]
#[serde(untagged)]
pub enum StoredValue {
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

/// What a file holds of a step, as far as that matters to a replay.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum StoredStep {
    Process {
        #[serde(flatten)]
        mover: StoredMover,
        partner: Option<StoredMover>,
    },
    Circuit {
        inputs: StoredValues,
        changes: StoredValues,
    },
}

#[derive(Deserialize)]
pub struct StoredMover {
    process: String,
    pid: u8,
    statement: String,
    edge: u32,
}

impl Stored {
    /// Takes the run on the system, from a state of another one or from the beginning, and all that branches off from it.
    fn taken<S: Recorded>(
        &self,
        system: &mut S,
        parent: Option<&S::State>,
    ) -> Result<StoredRun<S::State, S::Step>, TraceFileError> {
        let Stored { initial, steps, cycle_start, branches } = self;
        if let Some(start) = cycle_start.filter(|start| *start >= steps.len()) {
            return Err(TraceFileError::BadCycle { start, steps: steps.len() });
        }
        let start = system.recorded_start(initial.as_ref(), parent)?;
        match parent {
            None if !system.is_initial_state(&start) => return Err(system.why_not_initial(&start)),
            Some(parent) if *parent != start => return Err(TraceFileError::StartsElsewhere),
            _ => {}
        }
        let mut path = Path { current: Some(start.clone()), back_to: None, branching: BTreeMap::new() };
        let mut stem = Vec::with_capacity(steps.len());
        path.note(branches, 0);
        for (index, stored) in steps.iter().enumerate() {
            stem.push(path.go_on(self, system, stored, index)?);
            path.note(branches, index + 1);
        }
        if path.back_to.is_some() && path.back_to != path.current {
            return Err(TraceFileError::CycleDoesNotClose);
        }
        let branches = branches.iter().map(|branch| branch.taken(system, &path.branching, steps.len()));
        let branches = branches.collect::<Result<Vec<_>, TraceFileError>>()?;
        let cycle = stem.split_off(cycle_start.unwrap_or(stem.len()));
        Ok(StoredRun { walk: Walk { start, stem: stem.into(), cycle: cycle.into() }, branches })
    }
}

/// How far a run has been taken.
struct Path<S> {
    /// `None` after a fault.
    current: Option<S>,
    /// The state in which the cycle starts, once it has.
    back_to: Option<S>,
    /// The states in which others branch off, by the number of steps before them.
    branching: BTreeMap<usize, S>,
}

impl<S: Clone> Path<S> {
    fn note(&mut self, branches: &[Branch], after_step: usize) {
        if let Some(state) = &self.current
            && branches.iter().any(|branch| branch.after_step == after_step)
        {
            self.branching.insert(after_step, state.clone());
        }
    }

    /// Takes one more step.
    fn go_on<Y: Recorded<State = S>>(
        &mut self,
        run: &Stored,
        system: &mut Y,
        stored: &StoredStep,
        index: usize,
    ) -> Result<Y::Step, TraceFileError> {
        let before = self.current.take().ok_or(TraceFileError::AfterTheEnd { step: index + 1 })?;
        if run.cycle_start == Some(index) {
            self.back_to = Some(before.clone());
        }
        let closes = index + 1 == run.steps.len();
        let step = system.recorded_step(&before, stored, index, self.back_to.as_ref().filter(|_| closes))?;
        if !system.is_possible(&before, &step) {
            return Err(system.why_impossible(&before, &step, index));
        }
        self.current = system.take(&before, &step).state;
        Ok(step)
    }
}

impl Branch {
    fn taken<S: Recorded>(
        &self,
        system: &mut S,
        branching: &BTreeMap<usize, S::State>,
        steps: usize,
    ) -> Result<StoredBranch<S::State, S::Step>, TraceFileError> {
        let Branch { after_step, formula, trace } = self;
        let taken = match branching.get(after_step) {
            None => Err(TraceFileError::StartsNowhere { after_step: *after_step, steps }),
            Some(state) => trace.taken(system, Some(state)),
        };
        let wrong = |error| TraceFileError::Branch { formula: formula.clone(), error: Box::new(error) };
        Ok(StoredBranch { after_step: *after_step, formula: formula.clone(), run: taken.map_err(wrong)? })
    }
}
