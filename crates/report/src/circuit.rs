//! Runs of circuits, and the report on a circuit for people.

use reductio_model::circuit::{Circuit, Run, Valuation, VariableKind};
use serde::Serialize;

use crate::result::{CheckReport, ResultEntry, StatisticsEntry};
use crate::text::{ledger, memory_size, unchecked, verdicts};
use crate::trace::as_map;
use crate::value::{Change, Value};

/// A longer run is shown without its middle.
const LONGEST_FULL_RUN: usize = 200;
const FIRST_SHOWN: usize = 60;
const LAST_SHOWN: usize = 100;

#[derive(Clone, Debug, Serialize)]
pub struct RunEntry {
    pub states: Vec<StateEntry>,
    /// The index of the first state of the part that repeats for ever; `None` for a finite run.
    pub cycle_start: Option<usize>,
    /// What is true of the run and not shown by it.
    pub unshown: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StateEntry {
    #[serde(serialize_with = "as_map")]
    pub values: Vec<Change>,
    /// What leads to the next state.
    #[serde(serialize_with = "as_map")]
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
        RunEntry { states: states.collect(), cycle_start: run.cycle_start, unshown }
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

/// The whole report.
pub fn check_report(report: &CheckReport) -> String {
    let mut out = String::new();
    verdicts(&mut out, &report.results);
    for result in &report.results {
        if let Some(run) = &result.run {
            out.push('\n');
            counterexample(&mut out, result, run);
        }
    }
    out.push('\n');
    statistics(&mut out, &report.statistics);
    ledger(&mut out, &report.plan);
    unchecked(&mut out, &report.unchecked);
    out
}

fn counterexample(out: &mut String, result: &ResultEntry, run: &RunEntry) {
    let count = run.states.len();
    let states = if count == 1 { "state" } else { "states" };
    out.push_str(&format!("Counterexample to {}, {count} {states}:\n", result.property));
    out.push_str(&run_text(run, "--format json has them all"));
    for unshown in &run.unshown {
        out.push_str(&format!("      {unshown}\n"));
    }
    if let Some(reason) = &result.reason {
        out.push_str(&format!("      => {reason}\n"));
    }
}

/// The states of a run, one after the other. Where some are left out, `elsewhere` says where they are.
pub fn run_text(run: &RunEntry, elsewhere: &str) -> String {
    let mut out = String::new();
    let count = run.states.len();
    let left_out = if count > LONGEST_FULL_RUN { FIRST_SHOWN..count - LAST_SHOWN } else { count..count };
    for (place, state) in run.states.iter().enumerate() {
        if run.cycle_start == Some(place) {
            out.push_str("      from here on, for ever:\n");
        }
        if place == left_out.start {
            out.push_str(&format!("      ... {} states left out; {elsewhere}\n", left_out.len()));
        }
        if left_out.contains(&place) {
            continue;
        }
        let before = place.checked_sub(1).map(|before| run.states[before].values.as_slice());
        out.push_str(&format!("{:>4}  {}\n", place + 1, difference(before, &state.values)));
        out.push_str(&inputs_line(&state.inputs));
    }
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
