//! Runs of circuits, and the report on a circuit for people.

use reductio_model::circuit::{Circuit, Run, Valuation, VariableKind};
use serde::Serialize;

use crate::result::{CheckReport, ResultEntry, StatisticsEntry};
use crate::shown::{Amount, Shown, with_hint};
use crate::text::{ledger, memory_size, more_statistics, unchecked, verdicts};
use crate::trace::as_map;
use crate::value::{Change, Value};

/// A longer run is shown without its middle.
const LONGEST_FULL_RUN: usize = 200;
const FIRST_SHOWN: usize = 60;
const LAST_SHOWN: usize = 100;
/// So many states of a branch are shown that only show that it can go on fairly.
const MOST_FAIR_SHOWN: usize = 4;

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunEntry {
    pub states: Vec<StateEntry>,
    /// The index of the first state of the part that repeats forever; `None` for a finite run.
    pub cycle_start: Option<usize>,
    /// What is true of the run and not shown by it.
    pub unshown: Vec<String>,
    /// The index of the first state of the part that shows only that the run can go on fairly.
    pub fair_from: Option<usize>,
    /// Runs that start in states of this one.
    pub branches: Vec<BranchEntry>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BranchEntry {
    /// The index of the state in which it branches off.
    pub state: usize,
    /// What it shows there.
    pub formula: String,
    pub run: RunEntry,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateEntry {
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, schemars(with = "crate::schema::Values"))]
    pub values: Vec<Change>,
    /// What leads to the next state.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, schemars(with = "crate::schema::Values"))]
    pub inputs: Vec<Change>,
}

impl StateEntry {
    pub fn new(circuit: &Circuit, state: &Valuation) -> StateEntry {
        StateEntry { values: values(circuit, state, false), inputs: values(circuit, state, true) }
    }
}

impl RunEntry {
    pub fn new(circuit: &Circuit, run: &Run, unshown: Vec<String>) -> RunEntry {
        let goes_on = |place: usize| place + 1 < run.states.len() || run.cycle_start.is_some();
        let states = run.states.iter().enumerate().map(|(place, state)| StateEntry {
            values: values(circuit, state, false),
            inputs: if goes_on(place) { values(circuit, state, true) } else { Vec::new() },
        });
        let states = states.collect();
        RunEntry { states, cycle_start: run.cycle_start, unshown, fair_from: None, branches: Vec::new() }
    }
}

fn values(circuit: &Circuit, state: &Valuation, inputs: bool) -> Vec<Change> {
    let variables = circuit.variables.iter().zip(state);
    let shown = variables.filter(|(variable, _)| !variable.hidden && (variable.kind == VariableKind::Input) == inputs);
    let value = |value: String| value.parse().map_or(Value::Word(value), Value::Number);
    shown
        .map(|(variable, number)| Change { name: variable.name.clone(), value: value(variable.domain.text(*number)) })
        .collect()
}

/// The report.
pub fn check_report(report: &CheckReport, shown: &Shown) -> String {
    let mut out = String::new();
    verdicts(&mut out, report);
    if shown.amount == Amount::Quiet {
        return out;
    }
    for result in &report.results {
        if let Some(run) = &result.run {
            out.push('\n');
            counterexample(&mut out, result, run, shown.hints.states);
        }
    }
    out.push('\n');
    statistics(&mut out, &report.statistics);
    if shown.amount == Amount::Verbose {
        more_statistics(&mut out, &report.statistics);
    }
    ledger(&mut out, &report.plan, shown);
    unchecked(&mut out, &report.unchecked);
    out
}

fn counterexample(out: &mut String, result: &ResultEntry, run: &RunEntry, elsewhere: &str) {
    let with_branches = match branch_count(run) {
        0 => String::new(),
        1 => ", 1 branch".to_owned(),
        count => format!(", {count} branches"),
    };
    out.push_str(&format!("Counterexample to {}, {}{with_branches}:\n", result.property, state_count(run)));
    states(out, run, None, elsewhere);
    if let Some(reason) = &result.reason {
        out.push_str(&format!("      => {reason}\n"));
    }
    branches(out, run, None, elsewhere);
}

fn branch_count(run: &RunEntry) -> usize {
    run.branches.iter().map(|branch| 1 + branch_count(&branch.run)).sum()
}

fn state_count(run: &RunEntry) -> String {
    let count = run.states.len();
    format!("{count} {}", if count == 1 { "state" } else { "states" })
}

/// The states of a run, and what is not shown of it. A branch starts in a state of the run that it belongs to, which has a
/// number there. Where states are left out, `elsewhere` says where they are.
fn states(out: &mut String, run: &RunEntry, start: Option<usize>, elsewhere: &str) {
    let count = run.states.len();
    // Of a branch, what only shows that it can go on fairly is no news.
    let fair_from = start.and(run.fair_from).filter(|from| count > from + MOST_FAIR_SHOWN);
    let left_out = match fair_from {
        Some(from) => from..count,
        None if count > LONGEST_FULL_RUN => FIRST_SHOWN..count - LAST_SHOWN,
        None => count..count,
    };
    for (place, state) in run.states.iter().enumerate() {
        if run.fair_from == Some(place) {
            out.push_str("      the rest shows only that the run can go on fairly:\n");
        }
        if run.cycle_start == Some(place) && fair_from.is_none_or(|from| place < from) {
            out.push_str("      from here on, forever:\n");
        }
        if place == left_out.start {
            out.push_str(&format!(
                "      {}\n",
                with_hint(format!("... {} states left out", left_out.len()), elsewhere)
            ));
        }
        if left_out.contains(&place) {
            continue;
        }
        let before = place.checked_sub(1).map(|before| run.states[before].values.as_slice());
        let shown = match start {
            Some(number) if place == 0 => format!("as state {number}"),
            _ => difference(before, &state.values),
        };
        out.push_str(&format!("{:>4}  {shown}\n", place + 1));
        out.push_str(&inputs_line(&state.inputs));
    }
    for unshown in &run.unshown {
        out.push_str(&format!("      {unshown}\n"));
    }
}

/// The branches of a run, each followed by its own.
fn branches(out: &mut String, run: &RunEntry, parent: Option<&str>, elsewhere: &str) {
    let (prefix, whose) = match parent {
        None => (String::new(), String::new()),
        Some(parent) => (format!("{parent}."), format!(" of branch {parent}")),
    };
    for (index, BranchEntry { state, formula, run }) in run.branches.iter().enumerate() {
        let (name, state) = (format!("{prefix}{}", index + 1), state + 1);
        let count = state_count(run);
        out.push_str(&format!("   Branch {name} from state {state}{whose}, {count}, shows {formula}:\n"));
        states(out, run, Some(state), elsewhere);
        branches(out, run, Some(&name), elsewhere);
    }
}

/// A run by itself, and what branches off from it. Where states are left out, `elsewhere` says where they are.
pub fn run_text(run: &RunEntry, elsewhere: &str) -> String {
    let mut out = String::new();
    states(&mut out, run, None, elsewhere);
    branches(&mut out, run, None, elsewhere);
    out
}

/// What tells a state from the one before it: the first state in full, then what changes.
pub fn difference(before: Option<&[Change]>, values: &[Change]) -> String {
    let is_new = |change: &&Change| before.is_none_or(|before| !before.contains(change));
    let shown: Vec<String> = values.iter().filter(is_new).map(Change::to_string).collect();
    if shown.is_empty() { "(nothing changes)".to_owned() } else { shown.join(", ") }
}

/// The inputs that lead to the next state, if there are any.
pub fn inputs_line(inputs: &[Change]) -> String {
    let inputs: Vec<String> = inputs.iter().map(Change::to_string).collect();
    if inputs.is_empty() { String::new() } else { format!("      with {}\n", inputs.join(", ")) }
}

fn statistics(out: &mut String, statistics: &StatisticsEntry) {
    let StatisticsEntry { states, depth, seconds, memory_bytes, .. } = statistics;
    let states = match *states {
        // There is at least one, so they were not counted.
        0 => "states not counted".to_owned(),
        1 => "1 state".to_owned(),
        u64::MAX => "more than 2^64 states".to_owned(),
        states => format!("{states} states"),
    };
    out.push_str(&format!("{states}, depth {depth}; {seconds:.2} s, {}\n", memory_size(*memory_bytes)));
}
