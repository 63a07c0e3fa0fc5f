//! Traces in files, schema `reductio.trace/1`: written by a check, read back by a replay.
//!
//! A file is input like any other: it may be damaged, or belong to another model. Each step names its process and its
//! statement beside the number of the edge, so that a trace of another model is told apart.

use reductio_model::{EdgeId, Interpreter, Model, State, Step, Trace};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::trace::TraceEntry;

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

/// Why a trace file cannot be replayed. Steps count from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceFileError {
    NotJson { message: String },
    WrongSchema { found: String, expected: &'static str },
    BadCycle { start: usize, steps: usize },
    NoSuchProcess { step: usize, pid: u8 },
    OtherProcess { step: usize, pid: u8, expected: String, found: String },
    NoSuchEdge { step: usize, process: String, edge: u32 },
    OtherStatement { step: usize, process: String, expected: String, found: String },
    Impossible { step: usize, process: String, statement: String },
    AfterTheEnd { step: usize },
    CycleDoesNotClose,
}

impl std::fmt::Display for TraceFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TraceFileError::NotJson { message } => write!(f, "not a trace file: {message}"),
            TraceFileError::WrongSchema { found, expected } => {
                write!(f, "not a trace file of such a model: its schema is `{found}`, expected `{expected}`")
            }
            TraceFileError::BadCycle { start, steps } => {
                write!(f, "the cycle starts at step index {start}, but there are only {steps} steps")
            }
            TraceFileError::NoSuchProcess { step, pid } => {
                write!(f, "step {step}: there is no process {pid} at this point; is this a trace of another model?")
            }
            TraceFileError::OtherProcess { step, pid, expected, found } => write!(
                f,
                "step {step}: process {pid} is a `{found}`, the trace has a `{expected}`; is this a trace of another model?"
            ),
            TraceFileError::NoSuchEdge { step, process, edge } => {
                write!(f, "step {step}: `{process}` has no edge {edge}; is this a trace of another model?")
            }
            TraceFileError::OtherStatement { step, process, expected, found } => write!(
                f,
                "step {step}: the statement of `{process}` is `{found}`, the trace has `{expected}`; is this a trace of another model?"
            ),
            TraceFileError::Impossible { step, process, statement } => {
                write!(f, "step {step}: `{process}` cannot execute `{statement}` here")
            }
            TraceFileError::AfterTheEnd { step } => write!(f, "step {step}: the run ended in the step before"),
            TraceFileError::CycleDoesNotClose => f.write_str("the cycle does not lead back to where it starts"),
        }
    }
}

impl std::error::Error for TraceFileError {}

/// Reads a trace file and checks every step of it against the model.
pub fn read(interpreter: &Interpreter<'_>, json: &str) -> Result<Trace, TraceFileError> {
    let file = parse(json)?;
    let mut state = Some(interpreter.initial_state());
    let mut cycle_entry = None;
    let mut steps = Vec::new();
    for (index, stored) in file.steps.iter().enumerate() {
        let number = index + 1;
        let before = state.ok_or(TraceFileError::AfterTheEnd { step: number })?;
        if file.cycle_start == Some(index) {
            cycle_entry = Some(before.clone());
        }
        let step = stored.resolve(interpreter.model(), &before, number)?;
        if !interpreter.steps(&before).contains(&step) {
            return Err(TraceFileError::Impossible {
                step: number,
                process: stored.mover.process.clone(),
                statement: stored.mover.statement.clone(),
            });
        }
        state = interpreter.execute(&before, step).state;
        steps.push(step);
    }
    if cycle_entry.is_some() && cycle_entry != state {
        return Err(TraceFileError::CycleDoesNotClose);
    }
    let cycle = steps.split_off(file.cycle_start.unwrap_or(steps.len()));
    Ok(Trace { stem: steps, cycle })
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

#[derive(Deserialize)]
struct StoredFile {
    trace: StoredTrace,
}

#[derive(Deserialize)]
struct StoredTrace {
    steps: Vec<StoredStep>,
    cycle_start: Option<usize>,
}

#[derive(Deserialize)]
struct StoredStep {
    #[serde(flatten)]
    mover: StoredMover,
    partner: Option<StoredMover>,
}

#[derive(Deserialize)]
struct StoredMover {
    process: String,
    pid: u8,
    statement: String,
    edge: u32,
}

/// Reads a file of this schema. The schema comes first: what is wrong with the rest of some other file is of no interest.
pub(crate) fn of_schema<T: DeserializeOwned>(json: &str, expected: &'static str) -> Result<T, TraceFileError> {
    let not_json = |error: serde_json::Error| TraceFileError::NotJson { message: error.to_string() };
    let SchemaOnly { schema } = serde_json::from_str(json).map_err(not_json)?;
    if schema != expected {
        return Err(TraceFileError::WrongSchema { found: schema, expected });
    }
    serde_json::from_str(json).map_err(not_json)
}

fn parse(json: &str) -> Result<StoredTrace, TraceFileError> {
    let StoredFile { trace } = of_schema(json, TRACE_SCHEMA)?;
    match trace.cycle_start {
        Some(start) if start >= trace.steps.len() => Err(TraceFileError::BadCycle { start, steps: trace.steps.len() }),
        _ => Ok(trace),
    }
}

impl StoredStep {
    fn resolve(&self, model: &Model, state: &State, number: usize) -> Result<Step, TraceFileError> {
        let edge = self.mover.resolve(model, state, number)?;
        let partner = match &self.partner {
            None => None,
            Some(partner) => Some((partner.pid, partner.resolve(model, state, number)?)),
        };
        Ok(Step { process: self.mover.pid, edge, partner })
    }
}

impl StoredMover {
    fn resolve(&self, model: &Model, state: &State, step: usize) -> Result<EdgeId, TraceFileError> {
        let pid = self.pid;
        let process = state.processes.get(pid as usize);
        let process = process.ok_or(TraceFileError::NoSuchProcess { step, pid })?;
        let proctype = model.proctype(process.proctype);
        if proctype.name != self.process {
            return Err(TraceFileError::OtherProcess {
                step,
                pid,
                expected: self.process.clone(),
                found: proctype.name.clone(),
            });
        }
        if self.edge as usize >= proctype.edges.len() {
            return Err(TraceFileError::NoSuchEdge { step, process: self.process.clone(), edge: self.edge });
        }
        let edge = EdgeId(self.edge);
        let statement = &proctype.action_of(edge).text;
        if *statement != self.statement {
            return Err(TraceFileError::OtherStatement {
                step,
                process: self.process.clone(),
                expected: self.statement.clone(),
                found: statement.clone(),
            });
        }
        Ok(edge)
    }
}
