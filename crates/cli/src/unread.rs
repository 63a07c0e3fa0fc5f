//! What is reported of a model that takes too long to be read: every property that is known from the command line is
//! inconclusive.

use reductio_model::{PropertyKind, Why};
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::{CheckReport, PlanEntry, ResultEntry, StatisticsEntry};

use crate::arguments::CheckArguments;
use crate::check::tell;
use crate::failure::Failure;
use crate::watchdog::{Deadline, Work, watched};

/// Reads a model. If that takes too long, a report says so, and the program ends.
pub fn read_in_time<T: Send>(
    arguments: &CheckArguments,
    deadline: &Deadline,
    read: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let give_up = || {
        let limit = deadline.overstepped(Work::Blind).unwrap_or(Why::Interrupted);
        let mut report = unread(arguments, &format!("{limit}, while the model was read"));
        report.statistics.seconds = deadline.started.elapsed().as_secs_f64();
        let code = tell(arguments, &mut report, Some(limit)).unwrap_or_else(|failure| failure.tell());
        std::process::exit(code.into())
    };
    watched(Work::Blind, || deadline.overstepped(Work::Blind).is_some(), read, give_up)
        .map_err(Failure::CannotStartThread)?
}

/// The report if nothing but the command line is known.
pub fn unread(arguments: &CheckArguments, reason: &str) -> CheckReport {
    let unanswered = |(name, kind): (String, &'static str)| ResultEntry::inconclusive(name, kind, reason.to_owned());
    CheckReport {
        schema: RESULT_SCHEMA,
        model: arguments.model.model.display().to_string(),
        results: properties(arguments).into_iter().map(unanswered).collect(),
        statistics: StatisticsEntry { threads: arguments.threads, ..StatisticsEntry::default() },
        plan: PlanEntry {
            engine: "none",
            fairness: arguments.fairness.name(),
            cycles: None,
            applied: Vec::new(),
            details: Vec::new(),
            refused: Vec::new(),
        },
        further: Vec::new(),
        unchecked: Vec::new(),
        unreached: Vec::new(),
        complete: false,
        unreached_complete: false,
        vacuity: None,
    }
}

/// What the command line asks for. What the model asks for besides is not known.
fn properties(arguments: &CheckArguments) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    if !arguments.no_deadlock {
        all.push(("deadlock".to_owned(), PropertyKind::Deadlock.name()));
    }
    all.push(("assertion".to_owned(), PropertyKind::Assertion.name()));
    let asked = [
        (&arguments.invariants, PropertyKind::Invariant),
        (&arguments.ltl, PropertyKind::Ltl),
        (&arguments.ctl, PropertyKind::Ctl),
    ];
    for (texts, kind) in asked {
        all.extend(texts.iter().map(|text| (text.clone(), kind.name())));
    }
    if arguments.properties.is_empty() {
        return all;
    }
    let chosen = arguments.properties.iter();
    chosen
        .map(|name| all.iter().find(|(known, _)| known == name).cloned().unwrap_or_else(|| (name.clone(), "unknown")))
        .collect()
}
