//! A run, step by step, as a user wants to read it: who, where, what, and only what changed.

use reductio_model::{EdgeId, Model, Outcome, Replayed, State, Step, Wrapped};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::value::{Change, changes};

#[derive(Clone, Debug, Serialize)]
pub struct TraceEntry {
    pub steps: Vec<StepEntry>,
    /// The index of the first step of the part that repeats for ever; `None` for a finite run.
    pub cycle_start: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StepEntry {
    pub process: String,
    pub pid: u8,
    pub at: String,
    pub statement: String,
    #[serde(serialize_with = "as_map")]
    pub changes: Vec<Change>,
    pub edge: u32,
    /// What the language's reference tool calls the statement.
    #[serde(skip)]
    pub number: u32,
    /// Who received, where the step is a rendezvous.
    pub partner: Option<PartnerEntry>,
    /// What the step printed.
    pub output: Option<String>,
    /// The values that did not fit into their variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrapped: Vec<WrappedEntry>,
    /// What went wrong in the step.
    pub fault: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct WrappedEntry {
    pub variable: String,
    pub value: i32,
    pub stored: i32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartnerEntry {
    pub process: String,
    pub pid: u8,
    pub at: String,
    pub statement: String,
    pub edge: u32,
    #[serde(skip)]
    pub number: u32,
}

/// The object is written in the order of the changes.
pub(crate) fn as_map<S: Serializer>(changes: &[Change], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(changes.len()))?;
    for change in changes {
        map.serialize_entry(&change.name, &change.value)?;
    }
    map.end()
}

impl TraceEntry {
    /// Describes a run that was replayed. The cycle begins after `stem_length` steps, if there is one.
    pub fn new(model: &Model, replayed: &Replayed, stem_length: usize) -> TraceEntry {
        let mut before = &replayed.initial;
        let mut steps = Vec::with_capacity(replayed.outcomes.len());
        for (step, outcome) in &replayed.outcomes {
            let mut entry = StepEntry::new(model, before, *step);
            entry.tell(outcome);
            entry.fault = outcome.fault.as_ref().map(|fault| fault.kind.to_string());
            if let Some(after) = &outcome.state {
                entry.changes = changes(model, before, after);
                before = after;
            }
            steps.push(entry);
        }
        let cycle_start = (stem_length < steps.len()).then_some(stem_length);
        TraceEntry { steps, cycle_start }
    }
}

impl StepEntry {
    /// Describes a step that is possible in `state`, without what it does.
    pub fn new(model: &Model, state: &State, step: Step) -> StepEntry {
        let mover = PartnerEntry::new(model, state, step.process, step.edge);
        StepEntry {
            process: mover.process,
            pid: mover.pid,
            at: mover.at,
            statement: mover.statement,
            changes: Vec::new(),
            edge: mover.edge,
            number: mover.number,
            partner: step.partner.map(|(pid, edge)| PartnerEntry::new(model, state, pid, edge)),
            output: None,
            wrapped: Vec::new(),
            fault: None,
        }
    }

    /// Adds what the step told when it was taken.
    pub fn tell(&mut self, outcome: &Outcome) {
        self.output = (!outcome.output.is_empty()).then(|| outcome.output.clone());
        let entry = |Wrapped { variable, value, stored }: &Wrapped| WrappedEntry {
            variable: variable.clone(),
            value: *value,
            stored: *stored,
        };
        self.wrapped = outcome.wrapped.iter().map(entry).collect();
    }
}

impl PartnerEntry {
    fn new(model: &Model, state: &State, pid: u8, edge: EdgeId) -> PartnerEntry {
        let proctype = model.proctype(state.processes[pid as usize].proctype);
        let action = proctype.action_of(edge);
        PartnerEntry {
            process: proctype.name.clone(),
            pid,
            at: model.place_name(action.position),
            statement: action.text.clone(),
            edge: edge.0,
            number: action.number,
        }
    }
}
