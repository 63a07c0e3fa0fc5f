//! The report for people: the verdicts first, then how a property fails, then what else is worth knowing.

use crate::explanation::ExplanationEntry;
use crate::presentation::{Amount, Hints, Presentation, with_hint};
use crate::result::{
    CheckReport, FurtherEntry, PlanEntry, RemarkKind, ResultEntry, StatisticsEntry, Technique, UncheckedEntry,
    UnreachedEntry, VacuityEntry, VerdictName,
};
use crate::trace::TraceEntry;
use crate::trace_text::{branches, length, lines};

/// Unreached statements shown per process type.
const UNREACHED_SHOWN: usize = 10;

/// So many reasons for what was not done are shown.
const REASONS_SHOWN: usize = 8;
pub(crate) const LINE_WIDTH: usize = 110;
/// Longer names and statements are shortened: a formula can be longer than any line.
const WIDEST_NAME: usize = 90;

/// What a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Processes,
    Circuit,
}

impl About {
    /// Where all of a run is that is shown without its middle.
    fn elsewhere(self, hints: &Hints) -> &'static str {
        match self {
            About::Processes => hints.steps,
            About::Circuit => hints.states,
        }
    }
}

/// The report.
pub fn check_report(report: &CheckReport, about: About, shown: &Presentation) -> String {
    let mut out = String::new();
    verdicts(&mut out, report);
    if shown.amount == Amount::Quiet {
        return out;
    }
    for result in &report.results {
        if let Some(trace) = &result.trace {
            out.push('\n');
            counterexample(&mut out, result, trace, about.elsewhere(&shown.hints), shown);
        }
    }
    out.push('\n');
    match about {
        About::Processes => statistics(&mut out, &report.statistics),
        About::Circuit => statistics_of_circuit(&mut out, &report.statistics),
    }
    if shown.amount == Amount::Verbose {
        more_statistics(&mut out, &report.statistics);
    }
    vacuity(&mut out, report.vacuity.as_ref(), shown);
    ledger(&mut out, &report.plan, shown);
    unchecked(&mut out, &report.unchecked);
    match about {
        About::Processes => unreached_statements(&mut out, report, shown),
        About::Circuit => {}
    }
    out
}

fn verdicts(out: &mut String, report: &CheckReport) {
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
pub(crate) fn shortened(name: &str) -> String {
    if name.chars().count() <= WIDEST_NAME {
        return name.to_owned();
    }
    let beginning: String = name.chars().take(WIDEST_NAME - 3).collect();
    format!("{beginning}...")
}

fn counterexample(out: &mut String, result: &ResultEntry, trace: &TraceEntry, elsewhere: &str, shown: &Presentation) {
    let with_branches = match trace.branch_count() {
        0 => String::new(),
        1 => ", 1 branch".to_owned(),
        count => format!(", {count} branches"),
    };
    let longer = if result.may_be_longer { " (there may be a shorter one)" } else { "" };
    let (name, length) = (shortened(&result.property), length(trace));
    out.push_str(&format!("Counterexample to {name}, {length}{with_branches}{longer}:\n"));
    let explanation = result.explanation.as_ref();
    out.push_str(&explanation.map_or(String::new(), ExplanationEntry::start));
    let after_step = |step: usize| explanation.map_or(String::new(), |explanation| explanation.after_step(step));
    out.push_str(&lines(trace, None, elsewhere, after_step));
    if let Some(reason) = &result.reason {
        out.push_str(&format!("      => {reason}\n"));
    }
    let has_cycle = trace.cycle_start.is_some();
    out.push_str(&explanation.map_or(String::new(), |explanation| explanation.why(has_cycle, shown)));
    branches(out, trace, None, elsewhere);
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

/// Of a circuit neither steps nor what a store holds are told.
fn statistics_of_circuit(out: &mut String, statistics: &StatisticsEntry) {
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

/// What few people want to know of a search.
fn more_statistics(out: &mut String, statistics: &StatisticsEntry) {
    let StatisticsEntry { threads, store, relation_nodes, peak_nodes, probed_states, .. } = statistics;
    let relation = relation_nodes.map(|nodes| format!(" Nodes of the transition relation: {nodes:.0} on average."));
    let peak = peak_nodes.map(|nodes| format!(" Nodes in use: {nodes} at most."));
    let nodes = relation.into_iter().chain(peak).collect::<String>();
    let probed =
        probed_states.map_or(String::new(), |states| format!(" States seen by depth-first probes besides: {states}."));
    out.push_str(&format!("Threads: {threads}. Store: {store}.{nodes}{probed}\n"));
}

fn vacuity(out: &mut String, vacuity: Option<&VacuityEntry>, shown: &Presentation) {
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

fn ledger(out: &mut String, plan: &PlanEntry, shown: &Presentation) {
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
fn unchecked(out: &mut String, unchecked: &[UncheckedEntry]) {
    for unchecked in unchecked.iter().filter(|entry| entry.by_choice) {
        out.push_str(&format!("Not checked: {}{}: {}\n", unchecked.property, place(unchecked), unchecked.because));
    }
}

fn place(unchecked: &UncheckedEntry) -> String {
    unchecked.at.as_ref().map_or(String::new(), |at| format!(" ({at})"))
}

fn unreached_statements(out: &mut String, report: &CheckReport, shown: &Presentation) {
    if report.unreached_complete {
        unreached(out, &report.unreached, shown);
    } else if report.complete {
        out.push_str("Unreached statements are not listed: the answers did not need a search of all states.\n");
    } else {
        out.push_str("Unreached statements are listed only after a complete search.\n");
    }
}

fn unreached(out: &mut String, unreached: &[UnreachedEntry], shown: &Presentation) {
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

    #[test]
    fn statements_longer_than_a_line_are_shortened() {
        let entry = UnreachedEntry {
            proctype: "P".to_owned(),
            at: "m.pml:1".to_owned(),
            statement: vec!["1"; 1000].join(" + "),
        };
        let mut text = String::new();
        unreached(&mut text, &[entry], &Presentation::default());
        assert!(text.ends_with("...\n") && text.lines().all(|line| line.len() < 120), "{text}");
    }

    #[test]
    fn names_of_any_length_fit() {
        for length in [WIDEST_NAME, WIDEST_NAME + 1, 400, 70_000] {
            let name = "x".repeat(length);
            assert!(shortened(&name).chars().count() <= WIDEST_NAME);
            assert_eq!(shortened(&name) == name, length == WIDEST_NAME);
        }
    }

    #[test]
    fn sizes_have_a_unit_that_fits() {
        assert_eq!(memory_size(0), "0.0 MiB");
        assert_eq!(memory_size(3 << 19), "1.5 MiB");
        assert_eq!(memory_size(20 << 30), "20.0 GiB");
    }
}
