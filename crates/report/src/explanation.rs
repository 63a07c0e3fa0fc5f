//! Why a run breaks a property of infinite runs: how the atoms of a formula change, what decides the formula, where an
//! automaton or a process is infinitely often.
//!
//! Moments are told by the number of steps before them: 0 is the start of the run.

use serde::Serialize;

use crate::presentation::Presentation;

/// Lines of reasons in a report for people.
const REASONS_SHOWN: usize = 16;
/// A longer formula is cut.
const LONGEST_FORMULA: usize = 70;
const LINE_WIDTH: usize = 110;

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplanationEntry {
    /// For a formula: its atoms.
    pub atoms: Vec<AtomEntry>,
    /// For a formula: why it is false. Empty if nothing in the run alone shows it.
    pub reasons: Vec<ReasonEntry>,
    /// For a never claim or acceptance labels: where it or the processes are infinitely often, or in the end.
    pub visits: Vec<VisitEntry>,
    /// Where the run is in its cycle: from so many steps on. `None` if it is not known how it goes on.
    pub again_after: Option<usize>,
    /// What there is to say besides.
    pub note: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AtomEntry {
    pub atom: String,
    pub initially: bool,
    pub changes: Vec<AtomChange>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AtomChange {
    pub after_step: usize,
    pub value: bool,
}

/// A part of the formula has a value, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReasonEntry {
    pub formula: String,
    pub value: bool,
    /// From this moment.
    pub after_step: usize,
    /// Up to this one; the same one if it is one moment, `None` if it is so forever.
    pub up_to_step: Option<usize>,
    pub because: Vec<ReasonEntry>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VisitEntry {
    /// The claim, or a process.
    pub who: String,
    /// A label, with its line.
    pub place: String,
    pub after_step: usize,
}

impl ExplanationEntry {
    /// How the atoms are at the start: a line, or nothing if there are none.
    pub fn start(&self) -> String {
        let all: Vec<String> = self.atoms.iter().map(|entry| format!("{} {}", entry.atom, entry.initially)).collect();
        if all.is_empty() { String::new() } else { fitted("at the start: ", &all) }
    }

    /// The atoms that a step changes: a line, or nothing.
    pub fn after_step(&self, step: usize) -> String {
        let mut changed = Vec::new();
        for entry in &self.atoms {
            let here = entry.changes.iter().filter(|change| change.after_step == step);
            changed.extend(here.map(|change| format!("{} becomes {}", entry.atom, change.value)));
        }
        if changed.is_empty() { String::new() } else { fitted("", &changed) }
    }

    /// Why, in lines, of a run that has a cycle or stays in its last state.
    pub fn why(&self, has_cycle: bool, shown: &Presentation) -> String {
        let again = |step: usize| match self.again_after {
            Some(first) if first <= step && has_cycle => ", infinitely often",
            Some(first) if first <= step => " and from then on",
            _ => "",
        };
        let mut lines = Vec::new();
        for reason in &self.reasons {
            add_reason(reason, 0, &again, &mut lines);
        }
        for visit in &self.visits {
            let again = again(visit.after_step);
            lines.push(format!("{} is at {} {}{again}", visit.who, visit.place, moment(visit.after_step)));
        }
        lines.extend(self.note.clone());
        let most = shown.most(REASONS_SHOWN);
        if lines.len() > most {
            let more = lines.len() - most;
            lines.truncate(most);
            lines.push(shown.more(more));
        }
        lines.iter().map(|line| format!("      {line}\n")).collect()
    }
}

fn add_reason(reason: &ReasonEntry, depth: usize, again: &impl Fn(usize) -> &'static str, lines: &mut Vec<String>) {
    let ReasonEntry { formula, value, after_step, up_to_step, because } = reason;
    let when = match *up_to_step {
        Some(last) if last == *after_step => format!("{}{}", moment(*after_step), again(*after_step)),
        Some(last) if last < *after_step => format!("{} up to step {last} of the next round", moment(*after_step)),
        Some(last) if *after_step == 0 => format!("up to step {last}"),
        Some(last) => format!("after steps {after_step} to {last}"),
        None if *after_step == 0 => "all the time".to_owned(),
        None => format!("{} and from then on", moment(*after_step)),
    };
    let colon = if because.is_empty() { "" } else { ":" };
    let indent = "  ".repeat(depth);
    lines.push(format!("{indent}{} is {value} {when}{colon}", cut(formula)));
    for reason in because {
        add_reason(reason, depth + 1, again, lines);
    }
}

fn moment(step: usize) -> String {
    if step == 0 { "at the start".to_owned() } else { format!("after step {step}") }
}

fn cut(formula: &str) -> String {
    if formula.chars().count() <= LONGEST_FORMULA {
        return formula.to_owned();
    }
    formula.chars().take(LONGEST_FORMULA).chain("...".chars()).collect()
}

/// As many of these as fit on a line, and how many more there are.
fn fitted(before: &str, parts: &[String]) -> String {
    let mut line = format!("      {before}");
    for (index, part) in parts.iter().enumerate() {
        let part = cut(part);
        if index > 0 && line.chars().count() + part.chars().count() > LINE_WIDTH {
            line.push_str(&format!(", and {} more", parts.len() - index));
            break;
        }
        line.push_str(if index > 0 { ", " } else { "" });
        line.push_str(&part);
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(formula: &str, after_step: usize, up_to_step: Option<usize>) -> ReasonEntry {
        ReasonEntry { formula: formula.to_owned(), value: false, after_step, up_to_step, because: Vec::new() }
    }

    fn explanation(reasons: Vec<ReasonEntry>) -> ExplanationEntry {
        let changes = vec![AtomChange { after_step: 2, value: true }];
        let atoms = vec![AtomEntry { atom: "p".to_owned(), initially: false, changes }];
        ExplanationEntry { atoms, reasons, visits: Vec::new(), again_after: Some(4), note: None }
    }

    #[test]
    fn moments_are_told_by_steps() {
        let mut whole = reason("p U q", 0, Some(0));
        whole.because = vec![
            reason("q", 0, None),
            reason("q", 3, None),
            reason("p", 2, Some(5)),
            reason("p", 5, Some(4)),
            reason("p", 0, Some(3)),
            reason("p", 4, Some(4)),
        ];
        let expected = "      p U q is false at the start:
        q is false all the time
        q is false after step 3 and from then on
        p is false after steps 2 to 5
        p is false after step 5 up to step 4 of the next round
        p is false up to step 3
        p is false after step 4, infinitely often
";
        let explanation = explanation(vec![whole]);
        assert_eq!(explanation.why(true, &Presentation::default()), expected);
        assert!(
            explanation.why(false, &Presentation::default()).ends_with("p is false after step 4 and from then on\n")
        );
        assert_eq!(explanation.start(), "      at the start: p false\n");
        assert_eq!(explanation.after_step(2), "      p becomes true\n");
        assert_eq!(explanation.after_step(1), "");
    }

    #[test]
    fn what_is_long_is_cut() {
        let many = explanation(vec![reason("p", 1, None); 40]).why(true, &Presentation::default());
        assert_eq!(many.lines().count(), REASONS_SHOWN + 1);
        assert!(many.ends_with("and 24 more\n"));
        let long: Vec<String> = (0..50).map(|index| format!("array[{index}] true")).collect();
        let line = fitted("at the start: ", &long);
        assert!(line.chars().count() < LINE_WIDTH + 20 && line.ends_with(" more\n"), "{line}");
        assert_eq!(cut(&"é".repeat(100)).chars().count(), LONGEST_FORMULA + 3);
    }
}
