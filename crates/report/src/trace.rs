//! A run, step by step, as a user wants to read it: who, where, what, and only what changed.

use std::collections::VecDeque;

use reductio_model::{EdgeId, Interpreter, Model, Outcome, Replay, Replayed, State, Step, Taken, Trace, Wrapped};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::value::{Change, changes};

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceEntry {
    pub steps: Vec<StepEntry>,
    /// The index of the first step of the part that repeats forever; `None` for a finite run.
    pub cycle_start: Option<usize>,
    /// Steps in the middle that were not kept, and still count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
}

/// After so many steps, so many are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOut {
    pub after: usize,
    pub steps: usize,
}

/// A trace up to this length is shown in full, a longer one without its middle.
const LONGEST_FULL_TRACE: usize = 200;
const FIRST_STEPS: usize = 60;
const LAST_STEPS: usize = 100;

impl LeftOut {
    /// What people are not shown of so many steps.
    pub fn of_long(steps: usize) -> Option<LeftOut> {
        let steps = (steps > LONGEST_FULL_TRACE).then(|| steps - FIRST_STEPS - LAST_STEPS)?;
        Some(LeftOut { after: FIRST_STEPS, steps })
    }

    /// Is the step with this number, from zero, left out?
    pub fn contains(self, index: usize) -> bool {
        (self.after..self.after + self.steps).contains(&index)
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepEntry {
    pub process: String,
    pub pid: u8,
    pub at: String,
    pub statement: String,
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, schemars(with = "crate::schema::Values"))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WrappedEntry {
    pub variable: String,
    pub value: i32,
    pub stored: i32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
            steps.push(StepEntry::with_outcome(model, before, *step, outcome));
            before = outcome.state.as_ref().unwrap_or(before);
        }
        let cycle_start = (stem_length < steps.len()).then_some(stem_length);
        TraceEntry { steps, cycle_start, left_out: None }
    }

    /// Describes a run that is known to replay, as far as people are shown it.
    pub fn for_people(interpreter: &Interpreter<'_>, trace: &Trace) -> TraceEntry {
        let left_out = LeftOut::of_long(trace.stem.len() + trace.cycle.len());
        let is_left_out = |index: usize| left_out.is_some_and(|left_out| left_out.contains(index));
        let model = interpreter.model();
        let steps = Replay::new(interpreter, trace).map_while(Result::ok).enumerate();
        let kept = steps.filter(|(index, _)| !is_left_out(*index));
        TraceEntry {
            steps: kept.map(|(_, taken)| entry(model, &taken)).collect(),
            left_out,
            ..TraceEntry::empty(trace)
        }
    }

    /// Describes a run that is known to replay, without its middle if the whole takes more than so many bytes.
    pub fn within(interpreter: &Interpreter<'_>, trace: &Trace, most_bytes: u64) -> TraceEntry {
        let mut bytes = 0;
        let mut first = Vec::new();
        // Once there is too much, only so many of the last steps are kept.
        let mut last: VecDeque<StepEntry> = VecDeque::new();
        let mut dropped = 0;
        for taken in Replay::new(interpreter, trace).map_while(Result::ok) {
            let step = entry(interpreter.model(), &taken);
            bytes += step.bytes();
            if first.len() < FIRST_STEPS {
                first.push(step);
                continue;
            }
            last.push_back(step);
            while bytes > most_bytes && last.len() > LAST_STEPS {
                bytes -= last.pop_front().map_or(0, |step| step.bytes());
                dropped += 1;
            }
        }
        let left_out = (dropped > 0).then_some(LeftOut { after: first.len(), steps: dropped });
        first.extend(last);
        TraceEntry { steps: first, left_out, ..TraceEntry::empty(trace) }
    }

    fn empty(trace: &Trace) -> TraceEntry {
        let cycle_start = (!trace.cycle.is_empty()).then_some(trace.stem.len());
        TraceEntry { steps: Vec::new(), cycle_start, left_out: None }
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(StepEntry::bytes).sum()
    }

    /// How many steps the run has.
    pub fn length(&self) -> usize {
        self.steps.len() + self.left_out.map_or(0, |left_out| left_out.steps)
    }

    /// The steps that are there, with their numbers from zero.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &StepEntry)> {
        let number = |index: usize| match self.left_out {
            Some(LeftOut { after, steps }) if index >= after => index + steps,
            _ => index,
        };
        self.steps.iter().enumerate().map(move |(index, step)| (number(index), step))
    }
}

fn entry(model: &Model, taken: &Taken) -> StepEntry {
    StepEntry::with_outcome(model, &taken.before, taken.step, &taken.outcome)
}

impl StepEntry {
    /// Describes a step and what it does.
    fn with_outcome(model: &Model, before: &State, step: Step, outcome: &Outcome) -> StepEntry {
        let mut entry = StepEntry::new(model, before, step);
        entry.tell(outcome);
        entry.fault = outcome.fault.as_ref().map(|fault| fault.kind.to_string());
        entry.changes = outcome.state.as_ref().map_or(Vec::new(), |after| changes(model, before, after));
        entry
    }

    /// About how much memory it takes.
    fn bytes(&self) -> u64 {
        /// What a piece of text takes besides its letters.
        const PIECE: usize = 32;
        let mover = [&self.process, &self.at, &self.statement].map(|text| text.len() + PIECE);
        let partner = self.partner.as_ref().map_or(0, |partner| partner.statement.len() + 4 * PIECE);
        let changes = self.changes.iter().map(|change| size_of::<Change>() + change.name.len() + 2 * PIECE);
        let rest = [&self.output, &self.fault].map(|text| text.as_ref().map_or(0, |text| text.len() + PIECE));
        let all = size_of::<StepEntry>() + partner + changes.sum::<usize>();
        (all + mover.iter().sum::<usize>() + rest.iter().sum::<usize>()) as u64
    }

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
