//! A run as a user wants to read it: where it starts, what each step does, and only what changes. Runs of processes and of
//! circuits are told alike, and so are the runs that branch off from them.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::value::Change;

#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceEntry {
    /// Of a circuit: what the variables hold in the first state. A model of processes says so itself.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_optional_map")]
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Values>"))]
    pub initial: Option<Vec<Change>>,
    pub steps: Vec<StepEntry>,
    /// The index of the first step of the part that repeats forever; `None` for a finite run.
    pub cycle_start: Option<usize>,
    /// Steps in the middle that were not kept, and still count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What is true of the run and not shown by it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unshown: Vec<String>,
    /// After so many steps, the rest shows only that the run can go on fairly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair_from: Option<usize>,
    /// Runs that start in states of this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchEntry>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BranchEntry {
    /// It starts in the state after so many steps.
    pub after_step: usize,
    /// What it shows there.
    pub formula: String,
    pub trace: TraceEntry,
}

/// After so many steps, so many are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOut {
    pub after: usize,
    pub steps: usize,
}

/// A run up to this length is shown in full, a longer one without its middle.
const LONGEST_SHOWN_IN_FULL: usize = 200;
pub(crate) const FIRST_SHOWN: usize = 60;
pub(crate) const LAST_SHOWN: usize = 100;

impl LeftOut {
    /// What people are not shown of so many steps, or so many states.
    pub fn of_long(count: usize) -> Option<LeftOut> {
        let steps = (count > LONGEST_SHOWN_IN_FULL).then(|| count - FIRST_SHOWN - LAST_SHOWN)?;
        Some(LeftOut { after: FIRST_SHOWN, steps })
    }

    /// Is the step with this number, from zero, left out?
    pub fn contains(self, index: usize) -> bool {
        (self.after..self.after + self.steps).contains(&index)
    }
}

/// What happens from one state to the next.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[expect(
    clippy::large_enum_variant,
    reason = "the steps of a run are all of one kind, and those of processes are many"
)]
pub enum StepEntry {
    /// A process takes a step, or two of them meet.
    Process(ProcessStep),
    /// All variables of a circuit change at once.
    Circuit(CircuitStep),
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProcessStep {
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

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CircuitStep {
    /// What leads to the next state.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, schemars(with = "crate::schema::Values"))]
    pub inputs: Vec<Change>,
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, schemars(with = "crate::schema::Values"))]
    pub changes: Vec<Change>,
}

/// The object is written in the order of the changes.
fn as_map<S: Serializer>(changes: &[Change], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(changes.len()))?;
    for change in changes {
        map.serialize_entry(&change.name, &change.value)?;
    }
    map.end()
}

fn as_optional_map<S: Serializer>(changes: &Option<Vec<Change>>, serializer: S) -> Result<S::Ok, S::Error> {
    match changes {
        Some(changes) => as_map(changes, serializer),
        None => serializer.serialize_none(),
    }
}

impl TraceEntry {
    /// About how much memory it takes.
    pub fn bytes(&self) -> u64 {
        let start = self.initial.as_deref().map_or(0, bytes_of);
        let branches = self.branches.iter().map(|branch| branch.trace.bytes());
        start + self.steps.iter().map(StepEntry::bytes).sum::<u64>() + branches.sum::<u64>()
    }

    /// How many steps the run has. A cycle's last step leads back to its first state.
    pub fn length(&self) -> usize {
        self.steps.len() + self.left_out.map_or(0, |left_out| left_out.steps)
    }

    /// How many states the run has.
    pub fn state_count(&self) -> usize {
        self.length() + usize::from(self.cycle_start.is_none())
    }

    /// How many runs branch off from it, and from those.
    pub fn branch_count(&self) -> usize {
        self.branches.iter().map(|branch| 1 + branch.trace.branch_count()).sum()
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

/// What a piece of text takes besides its letters.
const PIECE: usize = 32;

fn bytes_of(changes: &[Change]) -> u64 {
    changes.iter().map(|change| (size_of::<Change>() + change.name.len() + 2 * PIECE) as u64).sum()
}

impl StepEntry {
    /// What the step changes, with the new values.
    pub fn changes(&self) -> &[Change] {
        match self {
            StepEntry::Process(step) => &step.changes,
            StepEntry::Circuit(step) => &step.changes,
        }
    }

    /// What it takes from outside, if there is an outside.
    pub fn inputs(&self) -> &[Change] {
        match self {
            StepEntry::Process(_) => &[],
            StepEntry::Circuit(step) => &step.inputs,
        }
    }

    /// The step, if it is one of a process.
    pub fn of_process(&self) -> Option<&ProcessStep> {
        match self {
            StepEntry::Process(step) => Some(step),
            StepEntry::Circuit(_) => None,
        }
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let texts = self.of_process().map_or(0, ProcessStep::bytes_of_texts);
        size_of::<StepEntry>() as u64 + texts + bytes_of(self.inputs()) + bytes_of(self.changes())
    }
}

impl ProcessStep {
    fn bytes_of_texts(&self) -> u64 {
        let mover = [&self.process, &self.at, &self.statement].map(|text| text.len() + PIECE);
        let partner = self.partner.as_ref().map_or(0, |partner| partner.statement.len() + 4 * PIECE);
        let rest = [&self.output, &self.fault].map(|text| text.as_ref().map_or(0, |text| text.len() + PIECE));
        (partner + mover.iter().sum::<usize>() + rest.iter().sum::<usize>()) as u64
    }
}
