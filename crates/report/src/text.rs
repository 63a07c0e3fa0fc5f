//! The report for people: the verdicts first, then how a property fails, then what else is worth knowing.

use reductio_model::Model;

use crate::explanation::ExplanationEntry;
use crate::result::{
    CheckReport, FurtherEntry, PlanEntry, RemarkKind, ResultEntry, StatisticsEntry, Technique, UncheckedEntry,
    UnreachedEntry, VacuityEntry, VerdictName,
};
use crate::shown::{Amount, Shown, with_hint};
use crate::trace::{LeftOut, StepEntry, TraceEntry, WrappedEntry};
use crate::value::Change;

/// Unreached statements shown per process type.
const UNREACHED_SHOWN: usize = 10;

/// So many reasons for what was not done are shown.
const REASONS_SHOWN: usize = 8;
const LINE_WIDTH: usize = 110;
const WIDEST_STATEMENT: usize = 36;
/// Longer names and statements are shortened: a formula can be longer than any line.
const WIDEST_NAME: usize = 90;
/// Columns of a trace are no wider, whatever the names are.
const WIDEST_COLUMN: usize = 80;

/// The report.
pub fn check_report(report: &CheckReport, shown: &Shown) -> String {
    let mut out = String::new();
    verdicts(&mut out, report);
    if shown.amount == Amount::Quiet {
        return out;
    }
    for result in &report.results {
        if let Some(trace) = &result.trace {
            out.push('\n');
            counterexample(&mut out, result, trace, shown);
        }
    }
    out.push('\n');
    statistics(&mut out, &report.statistics);
    if shown.amount == Amount::Verbose {
        more_statistics(&mut out, &report.statistics);
    }
    vacuity(&mut out, report.vacuity.as_ref(), shown);
    ledger(&mut out, &report.plan, shown);
    unchecked(&mut out, &report.unchecked);
    if report.unreached_complete {
        unreached(&mut out, &report.unreached, shown);
    } else if report.complete {
        out.push_str("Unreached statements are not listed: the answers did not need a search of all states.\n");
    } else {
        out.push_str("Unreached statements are listed only after a complete search.\n");
    }
    out
}

pub(crate) fn verdicts(out: &mut String, report: &CheckReport) {
    let results = report.results.iter().map(|result| &result.property);
    let names = results.chain(report.overlooked().map(|unchecked| &unchecked.property));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).min(WIDEST_NAME);
    for (index, result) in report.results.iter().enumerate() {
        let verdict = match result.verdict {
            VerdictName::Holds => "holds",
            VerdictName::Violated => "VIOLATED",
            VerdictName::Inconclusive => "inconclusive",
        };
        let reason = result.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        let seen = match result.product_states {
            None => String::new(),
            Some(1) => " (1 product state)".to_owned(),
            Some(states) => format!(" ({states} product states)"),
        };
        out.push_str(&format!("{:width$}  {verdict}{seen}{reason}\n", shortened(&result.property)));
        for remark in &result.remarks {
            let word = if remark.kind == RemarkKind::Stronger { "note:" } else { "but" };
            out.push_str(&format!("{:width$}  {word} {}\n", "", remark.text));
        }
        let is_last = report.results.get(index + 1).is_none_or(|next| next.property != result.property);
        for FurtherEntry { property, violations } in
            report.further.iter().filter(|more| is_last && more.property == result.property)
        {
            let word = if *violations == 1 { "violation" } else { "violations" };
            let name = shortened(property);
            out.push_str(&format!("{name:width$}  VIOLATED: {violations} more {word}, not shown\n"));
        }
    }
    for unchecked in report.overlooked() {
        let name = shortened(&unchecked.property);
        out.push_str(&format!("{name:width$}  NOT CHECKED: {}{}\n", unchecked.because, place(unchecked)));
    }
}

/// A name that fits its column. Where it does not, its beginning.
fn shortened(name: &str) -> String {
    if name.chars().count() <= WIDEST_NAME {
        return name.to_owned();
    }
    let beginning: String = name.chars().take(WIDEST_NAME - 3).collect();
    format!("{beginning}...")
}

fn counterexample(out: &mut String, result: &ResultEntry, trace: &TraceEntry, shown: &Shown) {
    let count = trace.length();
    let steps = if count == 1 { "step" } else { "steps" };
    out.push_str(&format!("Counterexample to {}, {count} {steps}:\n", shortened(&result.property)));
    let explanation = result.explanation.as_ref();
    out.push_str(&explanation.map_or(String::new(), ExplanationEntry::start));
    let after_step = |step: usize| explanation.map_or(String::new(), |explanation| explanation.after_step(step));
    out.push_str(&annotated_trace(trace, shown.hints.steps, after_step));
    if let Some(reason) = &result.reason {
        out.push_str(&format!("      => {reason}\n"));
    }
    let has_cycle = trace.cycle_start.is_some();
    out.push_str(&explanation.map_or(String::new(), |explanation| explanation.why(has_cycle, shown)));
}

/// The steps of a run, one a line where they fit. Where steps are left out, `elsewhere` says where they are.
pub fn trace(trace: &TraceEntry, elsewhere: &str) -> String {
    annotated_trace(trace, elsewhere, |_| String::new())
}

/// The same with lines of which `after_step` tells those that follow a step.
fn annotated_trace(trace: &TraceEntry, elsewhere: &str, after_step: impl Fn(usize) -> String) -> String {
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
        for step in steps {
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

    /// One step, with its number, as one or more lines.
    pub fn step(&self, number: usize, step: &StepEntry) -> String {
        let changes: Vec<String> = step.changes.iter().map(Change::to_string).collect();
        let changes = changes.join(", ");
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

fn statistics(out: &mut String, statistics: &StatisticsEntry) {
    let StatisticsEntry { states, transitions, depth, seconds, memory_bytes, .. } = statistics;
    let memory = memory_size(*memory_bytes);
    let states = if *states == 1 { "1 state".to_owned() } else { format!("{states} states") };
    let transitions = if *transitions == 1 { "1 transition".to_owned() } else { format!("{transitions} transitions") };
    match statistics.peak_nodes {
        // Sets of states are not searched, so there are no transitions to count, and no depth.
        Some(nodes) => {
            let states = if statistics.states == u64::MAX { "more than 2^64 states".to_owned() } else { states };
            out.push_str(&format!("{states}, {depth} rounds, {nodes} nodes; {seconds:.2} s, {memory}\n"));
        }
        None => out.push_str(&format!("{states}, {transitions}, depth {depth}; {seconds:.2} s, {memory}\n")),
    }
    if let Some(estimate) = statistics.coverage_estimate {
        // Enough digits to see that it is not all.
        let missed = 100.0 * (1.0 - estimate);
        out.push_str(&format!("Store: {}; chance to omit a state: {missed:.1e} %.\n", statistics.store));
    }
}

/// What few people want to know of a search.
pub(crate) fn more_statistics(out: &mut String, statistics: &StatisticsEntry) {
    let StatisticsEntry { threads, store, relation_nodes, peak_nodes, .. } = statistics;
    let relation = relation_nodes.map(|nodes| format!(" Nodes of the transition relation: {nodes:.0} on average."));
    let peak = peak_nodes.map(|nodes| format!(" Nodes in use: {nodes} at most."));
    let nodes = relation.into_iter().chain(peak).collect::<String>();
    out.push_str(&format!("Threads: {threads}. Store: {store}.{nodes}\n"));
}

fn vacuity(out: &mut String, vacuity: Option<&VacuityEntry>, shown: &Shown) {
    let Some(VacuityEntry { searches, seconds, complete }) = vacuity else { return };
    let searches = if *searches == 1 { "1 more search".to_owned() } else { format!("{searches} more searches") };
    let text = format!("Vacuity checks: {seconds:.2} s, {searches}");
    let text = if *complete { text } else { with_hint(format!("{text}, not complete"), shown.hints.vacuity) };
    out.push_str(&format!("{text}\n"));
}

/// A number of bytes with a unit that fits.
pub fn memory_size(bytes: u64) -> String {
    let mebibytes = bytes as f64 / (1 << 20) as f64;
    if mebibytes >= 10_000.0 { format!("{:.1} GiB", mebibytes / 1024.0) } else { format!("{mebibytes:.1} MiB") }
}

pub(crate) fn ledger(out: &mut String, plan: &PlanEntry, shown: &Shown) {
    let applied = if plan.applied.is_empty() { "none".to_owned() } else { full_names(&plan.applied) };
    let fairness = if plan.fairness == "none" { String::new() } else { format!(" Fairness: {}.", plan.fairness) };
    let cycles = match plan.cycles {
        None | Some("components") => String::new(),
        Some(search) => format!(" Cycles: {search}."),
    };
    out.push_str(&format!("Engine: {}.{fairness}{cycles} Reductions applied: {applied}.\n", plan.engine));
    for detail in &plan.details {
        out.push_str(&format!("  {}: {}\n", detail.reduction.full_name, detail.text));
    }
    // Reductions refused for one and the same reason share a line.
    let mut reasons: Vec<(&str, String, Vec<Technique>)> = Vec::new();
    let is_shown = |is_routine: bool| !is_routine || shown.amount == Amount::Verbose;
    for refused in plan.refused.iter().filter(|refused| is_shown(refused.is_routine)) {
        // One that is applied was refused in part.
        let how = if plan.applied.contains(&refused.reduction) { "limited" } else { "off" };
        let at = refused.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        let reason = format!("{}{at}", refused.because);
        match reasons.iter_mut().find(|(known_how, known, _)| *known_how == how && *known == reason) {
            Some((_, _, reductions)) => reductions.push(refused.reduction),
            None => reasons.push((how, reason, vec![refused.reduction])),
        }
    }
    let most = shown.most(REASONS_SHOWN);
    for (how, reason, reductions) in reasons.iter().take(most) {
        out.push_str(&format!("  {}: {how}; {reason}\n", full_names(reductions)));
    }
    if reasons.len() > most {
        out.push_str(&format!("  {}\n", shown.more(reasons.len() - most)));
    }
}

fn full_names(techniques: &[Technique]) -> String {
    techniques.iter().map(|technique| technique.full_name).collect::<Vec<_>>().join(", ")
}

/// What the user chose not to check. What else was not checked is among the verdicts.
pub(crate) fn unchecked(out: &mut String, unchecked: &[UncheckedEntry]) {
    for unchecked in unchecked.iter().filter(|entry| entry.by_choice) {
        out.push_str(&format!("Not checked: {}{}: {}\n", unchecked.property, place(unchecked), unchecked.because));
    }
}

fn place(unchecked: &UncheckedEntry) -> String {
    unchecked.at.as_ref().map_or(String::new(), |at| format!(" ({at})"))
}

fn unreached(out: &mut String, unreached: &[UnreachedEntry], shown: &Shown) {
    if unreached.is_empty() {
        out.push_str("Every statement was reached.\n");
        return;
    }
    out.push_str("Never reached:\n");
    for group in unreached.chunk_by(|one, next| one.proctype == next.proctype) {
        out.push_str(&format!("  {}: {} of its statements\n", group[0].proctype, group.len()));
        let most = shown.most(UNREACHED_SHOWN);
        for entry in group.iter().take(most) {
            out.push_str(&format!("    {}  {}\n", entry.at, shortened(&entry.statement)));
        }
        if group.len() > most {
            out.push_str(&format!("    {}\n", shown.more(group.len() - most)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::PartnerEntry;
    use crate::value::Value;

    #[test]
    fn statements_longer_than_a_line_are_shortened() {
        let sum = vec!["1"; 1000].join(" + ");
        let text = trace(&TraceEntry { steps: vec![step(&sum, Vec::new())], cycle_start: None, left_out: None }, "");
        assert!(text.lines().all(|line| line.len() < 120), "{text}");
        let entry = UnreachedEntry { proctype: "P".to_owned(), at: "m.pml:1".to_owned(), statement: sum };
        let mut text = String::new();
        unreached(&mut text, &[entry], &Shown::default());
        assert!(text.ends_with("...\n") && text.lines().all(|line| line.len() < 120), "{text}");
    }

    fn step(statement: &str, changes: Vec<Change>) -> StepEntry {
        StepEntry {
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

    fn change(name: &str, value: i64) -> Change {
        Change { name: name.to_owned(), value: Value::Number(value) }
    }

    #[test]
    fn a_long_trace_is_shown_without_its_middle() {
        for (count, shown) in [(200, 200), (201, 161), (100_000, 161)] {
            let steps = (0..count).map(|_| step("skip", Vec::new())).collect();
            let text = trace(&TraceEntry { steps, cycle_start: None, left_out: None }, "");
            assert_eq!(text.lines().count(), shown);
            assert_eq!(text.contains("left out"), count > 200);
            assert!(text.contains(&format!("{count:>4}  P[0]")), "the last step is always shown");
        }
    }

    #[test]
    fn changes_that_do_not_fit_have_a_line_of_their_own() {
        let long: Vec<Change> = (0..20).map(|index| change(&format!("array[{index}]"), 0)).collect();
        let layout = Layout::of(&[step("skip", Vec::new())]);
        assert_eq!(layout.step(1, &step("skip", vec![change("x", 1)])), "   1  P[0]  m.pml:1  skip  x = 1\n");
        let text = layout.step(1, &step("skip", long));
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
        let text = trace(
            &TraceEntry { steps: vec![step("skip", Vec::new()), meeting], cycle_start: Some(1), left_out: None },
            "",
        );
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
    fn names_of_any_length_fit() {
        for length in [WIDEST_NAME, WIDEST_NAME + 1, 400, 70_000] {
            let name = "x".repeat(length);
            assert!(shortened(&name).chars().count() <= WIDEST_NAME);
            assert_eq!(shortened(&name) == name, length == WIDEST_NAME);
            let mut long = step("skip", Vec::new());
            (long.process, long.at) = (name.clone(), name);
            let text = trace(
                &TraceEntry { steps: vec![long, step("skip", Vec::new())], cycle_start: None, left_out: None },
                "",
            );
            assert_eq!(text.lines().count(), 2);
        }
    }

    #[test]
    fn sizes_have_a_unit_that_fits() {
        assert_eq!(memory_size(0), "0.0 MiB");
        assert_eq!(memory_size(3 << 19), "1.5 MiB");
        assert_eq!(memory_size(20 << 30), "20.0 GiB");
    }
}
