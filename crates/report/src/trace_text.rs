//! Runs as text: the steps of processes in columns, the states of circuits by what changes, and the runs that branch off.

use reductio_model::Model;

use crate::presentation::with_hint;
use crate::text::{LINE_WIDTH, shortened};
use crate::trace::{BranchEntry, CircuitStep, LeftOut, ProcessStep, StepEntry, TraceEntry, WrappedEntry};
use crate::value::Change;

const WIDEST_STATEMENT: usize = 36;
/// Columns of a trace are no wider, whatever the names are.
const WIDEST_COLUMN: usize = 80;
/// So many states of a branch are shown that only show that it can go on fairly.
const MOST_FAIR_SHOWN: usize = 4;

/// A run by itself, and what branches off from it. Where something is left out, `elsewhere` says where it is.
pub fn trace(trace: &TraceEntry, elsewhere: &str) -> String {
    let mut out = lines(trace, None, elsewhere, |_| String::new());
    branches(&mut out, trace, None, elsewhere);
    out
}

/// How long a run is: processes take steps, circuits go through states.
pub(crate) fn length(trace: &TraceEntry) -> String {
    let (count, what) = match trace.initial {
        None => (trace.length(), "step"),
        Some(_) => (trace.state_count(), "state"),
    };
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A run by itself. A branch starts in a state of the run that it belongs to, which has a number there; `after_step` tells the
/// lines that follow a step of processes.
pub(crate) fn lines(
    trace: &TraceEntry,
    start: Option<usize>,
    elsewhere: &str,
    after_step: impl Fn(usize) -> String,
) -> String {
    let mut out = match &trace.initial {
        None => steps(trace, elsewhere, after_step),
        Some(initial) => states(trace, initial, start, elsewhere),
    };
    for unshown in &trace.unshown {
        out.push_str(&format!("      {unshown}\n"));
    }
    out
}

/// The branches of a run, each followed by its own.
pub(crate) fn branches(out: &mut String, trace: &TraceEntry, parent: Option<&str>, elsewhere: &str) {
    let (prefix, whose) = match parent {
        None => (String::new(), String::new()),
        Some(parent) => (format!("{parent}."), format!(" of branch {parent}")),
    };
    for (index, BranchEntry { after_step, formula, trace }) in trace.branches.iter().enumerate() {
        let name = format!("{prefix}{}", index + 1);
        let place = match trace.initial {
            None => format!("after step {after_step}"),
            Some(_) => format!("from state {}", after_step + 1),
        };
        out.push_str(&format!("   Branch {name} {place}{whose}, {}, shows {formula}:\n", length(trace)));
        out.push_str(&lines(trace, Some(after_step + 1), elsewhere, |_| String::new()));
        branches(out, trace, Some(&name), elsewhere);
    }
}

/// The steps of processes, one a line where they fit.
fn steps(trace: &TraceEntry, elsewhere: &str, after_step: impl Fn(usize) -> String) -> String {
    let layout = Layout::of(&trace.steps);
    let left_out = trace.left_out.or(LeftOut::of_long(trace.length()));
    let mut left_out_is_told = left_out.is_none();
    let mut cycle_is_told = trace.cycle_start.is_none();
    let mut out = String::new();
    for (index, entry) in trace.numbered() {
        if let Some(LeftOut { steps, .. }) = left_out.filter(|left_out| !left_out_is_told && index >= left_out.after) {
            left_out_is_told = true;
            out.push_str(&format!("      {}\n", with_hint(format!("... {steps} steps left out"), elsewhere)));
        }
        if !cycle_is_told && trace.cycle_start.is_some_and(|start| index >= start) {
            cycle_is_told = true;
            out.push_str("      from here on, forever:\n");
        }
        if !left_out.is_some_and(|left_out| left_out.contains(index)) {
            out.push_str(&layout.step(index + 1, entry));
            out.push_str(&after_step(index + 1));
        }
    }
    if let Some(first) = trace.cycle_start {
        out.push_str(&format!("      the cycle repeats from step {}\n", first + 1));
    }
    out
}

/// The states of a circuit: the first one in full, the others by what changes, each with the inputs that lead to the next.
fn states(trace: &TraceEntry, initial: &[Change], start: Option<usize>, elsewhere: &str) -> String {
    let count = trace.state_count();
    // Of a branch, what only shows that it can go on fairly is no news.
    let fair_from = start.and(trace.fair_from).filter(|from| count > from + MOST_FAIR_SHOWN);
    let left_out = match (fair_from, LeftOut::of_long(count)) {
        (Some(from), _) => from..count,
        (None, Some(LeftOut { after, steps })) => after..after + steps,
        (None, None) => count..count,
    };
    let mut out = String::new();
    for place in 0..count {
        if trace.fair_from == Some(place) {
            out.push_str("      the rest shows only that the run can go on fairly:\n");
        }
        if trace.cycle_start == Some(place) && fair_from.is_none_or(|from| place < from) {
            out.push_str("      from here on, forever:\n");
        }
        if place == left_out.start {
            let told = format!("... {} states left out", left_out.len());
            out.push_str(&format!("      {}\n", with_hint(told, elsewhere)));
        }
        if left_out.contains(&place) {
            continue;
        }
        let shown = match (start, place.checked_sub(1)) {
            (Some(number), None) => format!("as state {number}"),
            (None, None) => changes(initial),
            (_, Some(before)) => changes(trace.steps[before].changes()),
        };
        out.push_str(&state_line(place + 1, &shown));
        out.push_str(&trace.steps.get(place).map_or(String::new(), |step| inputs_line(step.inputs())));
    }
    out
}

fn state_line(number: usize, shown: &str) -> String {
    format!("{number:>4}  {shown}\n")
}

/// What tells a state from the one before it.
fn changes(changes: &[Change]) -> String {
    if changes.is_empty() { "(nothing changes)".to_owned() } else { listed(changes) }
}

fn listed(changes: &[Change]) -> String {
    changes.iter().map(Change::to_string).collect::<Vec<_>>().join(", ")
}

/// The inputs that lead to the next state, if there are any.
fn inputs_line(inputs: &[Change]) -> String {
    if inputs.is_empty() { String::new() } else { format!("      with {}\n", listed(inputs)) }
}

/// The widths of the columns of a trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    process: usize,
    at: usize,
    statement: usize,
}

impl Layout {
    /// Wide enough for all of these.
    pub fn of<'a>(steps: impl IntoIterator<Item = &'a StepEntry>) -> Layout {
        let mut layout = Layout::default();
        for step in steps.into_iter().filter_map(StepEntry::of_process) {
            layout.process = layout.process.max(mover(&step.process, step.pid).chars().count());
            layout.at = layout.at.max(step.at.chars().count());
            layout.statement = layout.statement.max(step.statement.chars().count()).min(WIDEST_STATEMENT);
            if let Some(partner) = &step.partner {
                layout.process = layout.process.max(mover(&partner.process, partner.pid).chars().count());
                layout.at = layout.at.max(partner.at.chars().count());
            }
        }
        layout.within_bounds()
    }

    /// Wide enough for every step of a model, for steps that are shown as they happen.
    pub fn for_model(model: &Model) -> Layout {
        let mut layout = Layout::default();
        for proctype in &model.proctypes {
            // Room for pids of two digits.
            layout.process = layout.process.max(proctype.name.chars().count() + 4);
            for action in &proctype.actions {
                layout.at = layout.at.max(model.place_name(action.position).chars().count());
                layout.statement = layout.statement.max(action.text.chars().count()).min(WIDEST_STATEMENT);
            }
        }
        layout.within_bounds()
    }

    fn within_bounds(self) -> Layout {
        Layout { process: self.process.min(WIDEST_COLUMN), at: self.at.min(WIDEST_COLUMN), ..self }
    }

    /// A state in full, with its number in a run or in a list.
    pub fn state(&self, number: usize, contents: &[Change]) -> String {
        state_line(number, &changes(contents))
    }

    /// One step, with its number, as one or more lines. Step `n` of a circuit leads to state `n + 1`.
    pub fn step(&self, number: usize, step: &StepEntry) -> String {
        match step {
            StepEntry::Process(step) => self.process_step(number, step),
            StepEntry::Circuit(CircuitStep { inputs, changes: changed }) => {
                inputs_line(inputs) + &state_line(number + 1, &changes(changed))
            }
        }
    }

    /// A step that can be chosen, by its number.
    pub fn choice(&self, number: usize, step: &StepEntry) -> String {
        match step {
            StepEntry::Process(step) => self.process_step(number, step),
            StepEntry::Circuit(CircuitStep { inputs, changes: changed }) if inputs.is_empty() => {
                state_line(number, &changes(changed))
            }
            StepEntry::Circuit(CircuitStep { inputs, changes: changed }) => {
                state_line(number, &format!("with {}: {}", listed(inputs), changes(changed)))
            }
        }
    }

    fn process_step(&self, number: usize, step: &ProcessStep) -> String {
        let changes = listed(&step.changes);
        let head = self.columns(&format!("{number:>4}"), &mover(&step.process, step.pid), &step.at);
        let mut line = format!("{head}  {:width$}", shortened(&step.statement), width = self.statement);
        let separate = line.chars().count() + 2 + changes.chars().count() > LINE_WIDTH;
        if !changes.is_empty() && step.partner.is_none() && !separate {
            line.push_str(&format!("  {changes}"));
        }
        let mut out = format!("{}\n", line.trim_end());
        if let Some(partner) = &step.partner {
            let head = self.columns("with", &mover(&partner.process, partner.pid), &partner.at);
            let mut line = format!("{head}  {:width$}", shortened(&partner.statement), width = self.statement);
            if !changes.is_empty() && !separate {
                line.push_str(&format!("  {changes}"));
            }
            out.push_str(&format!("{}\n", line.trim_end()));
        }
        if !changes.is_empty() && separate {
            out.push_str(&format!("          {changes}\n"));
        }
        for WrappedEntry { variable, value, stored } in &step.wrapped {
            out.push_str(&format!("      {variable} wraps around: {value} is stored as {stored}\n"));
        }
        if let Some(printed) = &step.output {
            for line in printed.lines() {
                out.push_str(&format!("      prints: {line}\n"));
            }
        }
        out
    }

    fn columns(&self, number: &str, process: &str, at: &str) -> String {
        format!("{number}  {process:process_width$}  {at:at_width$}", process_width = self.process, at_width = self.at)
    }
}

fn mover(process: &str, pid: u8) -> String {
    format!("{process}[{pid}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::PartnerEntry;
    use crate::value::Value;

    #[test]
    fn statements_longer_than_a_line_are_shortened() {
        let sum = vec!["1"; 1000].join(" + ");
        let text = text_of(vec![step(&sum, Vec::new())], None);
        assert!(text.lines().all(|line| line.len() < 120), "{text}");
    }

    fn step(statement: &str, changes: Vec<Change>) -> ProcessStep {
        ProcessStep {
            process: "P".to_owned(),
            pid: 0,
            at: "m.pml:1".to_owned(),
            statement: statement.to_owned(),
            changes,
            edge: 0,
            number: 0,
            partner: None,
            output: None,
            wrapped: Vec::new(),
            fault: None,
        }
    }

    fn text_of(steps: Vec<ProcessStep>, cycle_start: Option<usize>) -> String {
        let steps = steps.into_iter().map(StepEntry::Process).collect();
        trace(&TraceEntry { steps, cycle_start, ..TraceEntry::default() }, "it is elsewhere")
    }

    fn change(name: &str, value: i64) -> Change {
        Change { name: name.to_owned(), value: Value::Number(value) }
    }

    #[test]
    fn a_long_trace_is_shown_without_its_middle() {
        for (count, shown) in [(200, 200), (201, 161), (100_000, 161)] {
            let steps = (0..count).map(|_| step("skip", Vec::new())).collect();
            let text = text_of(steps, None);
            assert_eq!(text.lines().count(), shown);
            assert_eq!(text.contains("left out; it is elsewhere"), count > 200);
            assert!(text.contains(&format!("{count:>4}  P[0]")), "the last step is always shown");
        }
    }

    #[test]
    fn changes_that_do_not_fit_have_a_line_of_their_own() {
        let long: Vec<Change> = (0..20).map(|index| change(&format!("array[{index}]"), 0)).collect();
        let layout = Layout::of(&[StepEntry::Process(step("skip", Vec::new()))]);
        let text_of = |changes: Vec<Change>| layout.step(1, &StepEntry::Process(step("skip", changes)));
        assert_eq!(text_of(vec![change("x", 1)]), "   1  P[0]  m.pml:1  skip  x = 1\n");
        let text = text_of(long);
        assert_eq!(text.lines().count(), 2);
        assert!(text.starts_with("   1  P[0]  m.pml:1  skip\n          array[0] = 0, array[1] = 0"));
    }

    #[test]
    fn a_rendezvous_shows_both_sides_and_a_cycle_its_start() {
        let mut meeting = step("c!1", vec![change("Q[1]:x", 1)]);
        meeting.partner = Some(PartnerEntry {
            process: "Q".to_owned(),
            pid: 1,
            at: "m.pml:9".to_owned(),
            statement: "c?x".to_owned(),
            edge: 0,
            number: 0,
        });
        meeting.output = Some("one\ntwo\n".to_owned());
        let text = text_of(vec![step("skip", Vec::new()), meeting], Some(1));
        let expected = "   1  P[0]  m.pml:1  skip
      from here on, forever:
   2  P[0]  m.pml:1  c!1
with  Q[1]  m.pml:9  c?x   Q[1]:x = 1
      prints: one
      prints: two
      the cycle repeats from step 2
";
        assert_eq!(text, expected);
    }

    #[test]
    fn columns_are_no_wider_than_a_line_whatever_the_names_are() {
        for length in [WIDEST_COLUMN, 400, 70_000] {
            let mut long = step("skip", Vec::new());
            (long.process, long.at) = ("x".repeat(length), "x".repeat(length));
            let text = text_of(vec![long, step("skip", Vec::new())], None);
            assert_eq!(text.lines().count(), 2);
            assert!(text.lines().all(|line| line.len() < 2 * length + 40), "{text}");
        }
    }

    /// A circuit that counts, with an input that lets it.
    fn counting(count: i64, cycle_start: Option<usize>) -> TraceEntry {
        let go = || vec![Change { name: "go".to_owned(), value: Value::Word("TRUE".to_owned()) }];
        let step = |n: i64| StepEntry::Circuit(CircuitStep { inputs: go(), changes: vec![change("n", n)] });
        let steps = (1..=count).map(step).collect();
        TraceEntry { initial: Some(vec![change("n", 0)]), steps, cycle_start, ..TraceEntry::default() }
    }

    #[test]
    fn a_circuit_goes_from_state_to_state() {
        let text = trace(&counting(1, None), "");
        assert_eq!(text, "   1  n = 0\n      with go = TRUE\n   2  n = 1\n");
        // The last step leads back, to a state that was shown.
        let text = trace(&counting(2, Some(1)), "");
        let expected =
            "   1  n = 0\n      with go = TRUE\n      from here on, forever:\n   2  n = 1\n      with go = TRUE\n";
        assert_eq!(text, expected);
        let text = trace(&counting(400, None), "it is elsewhere");
        assert!(text.contains("      ... 241 states left out; it is elsewhere\n 302  n = 301\n"), "{text}");
    }

    #[test]
    fn branches_are_told_by_the_place_where_they_start() {
        let branch = |after_step: usize, formula: &str, trace: TraceEntry| BranchEntry {
            after_step,
            formula: formula.to_owned(),
            trace,
        };
        let mut inner = counting(1, None);
        inner.branches.push(branch(1, "EX q", counting(0, None)));
        let mut outer = counting(0, None);
        outer.branches.push(branch(0, "EF p", inner));
        let expected = "   1  n = 0
   Branch 1 from state 1, 2 states, shows EF p:
   1  as state 1
      with go = TRUE
   2  n = 1
   Branch 1.1 from state 2 of branch 1, 1 state, shows EX q:
   1  as state 2
";
        assert_eq!(trace(&outer, ""), expected);
        let steps = vec![StepEntry::Process(step("skip", Vec::new()))];
        let of_processes = TraceEntry { steps, ..TraceEntry::default() };
        let mut outer = of_processes.clone();
        outer.branches.push(branch(1, "EX p", of_processes));
        let expected = "   1  P[0]  m.pml:1  skip
   Branch 1 after step 1, 1 step, shows EX p:
   1  P[0]  m.pml:1  skip
";
        assert_eq!(trace(&outer, ""), expected);
    }
}
