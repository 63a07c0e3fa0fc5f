//! `reductio check`: from arguments to a job, and from its outcome to a report, files and an exit code.

use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use reductio::{
    Answer, Budget, Choice, Detail, Evidence, Job, NotPrepared, Outcome, Planned, Questions, Settings, Verdict, Why,
};
use reductio_model::Property;
use reductio_model::circuit::Circuit;
use reductio_reduce::refusal::{Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{CycleSearch, StoreChoice};
use reductio_report::text::{self, About};
use reductio_report::{Amount, CheckReport, Hints, Presentation, VerdictName};

use crate::arguments::{CheckArguments, Format, Language, Reorder};
use crate::failure::Failure;
use crate::interrupt;
use crate::load::{language, read, source};
use crate::machine::{default_memory_limit, resident_memory};
use crate::output;
use crate::progress::ProgressLine;
use crate::replay::is_spin_trail;
use crate::write_trace::{Answered, write_first, write_witnesses};

pub fn run(arguments: &CheckArguments, started: Instant) -> Result<ExitCode, Failure> {
    refuse_amount(arguments)?;
    let line = Arc::new(ProgressLine::new(arguments.quiet));
    let budget = budget(arguments, started, &line)?;
    let language = language(&arguments.model)?;
    refuse_trail(arguments, language)?;
    let job = job(arguments, language)?;
    for path in [&arguments.trace, &arguments.save_states].into_iter().flatten() {
        output::expect_writable(path)?;
    }
    let failure = |error| Failure::check(&arguments.model.model, arguments.load_states.as_deref(), error);
    let mut witnesses = None;
    let outcome = match job.prepare(&budget) {
        Ok(prepared) => {
            output::complain_of(prepared.diagnostics());
            if let (Language::Aiger, Planned::Circuit { circuit, .. }) = (language, prepared.planned()) {
                witnesses = Some(circuit.clone());
            }
            prepared.check(&budget).map_err(failure)?
        }
        Err(NotPrepared::Limit(outcome)) => {
            output::complain_of(&outcome.diagnostics);
            *outcome
        }
        Err(NotPrepared::Error(error)) => return Err(failure(error)),
    };
    line.clear();
    tell(arguments, language, outcome, witnesses.as_ref()).map(ExitCode::from)
}

fn budget(arguments: &CheckArguments, started: Instant, line: &Arc<ProgressLine>) -> Result<Budget, Failure> {
    let line = Arc::clone(line);
    Ok(Budget {
        memory: arguments.memory.or_else(|| default_memory_limit(arguments.store)),
        time: arguments.time.map(|time| (time, started)),
        cancel: Some(interrupt::on_ctrl_c()?),
        resident: Some(resident_memory),
        progress: Some(Arc::new(move |progress| line.show(progress))),
        ..Budget::UNLIMITED
    })
}

fn job(arguments: &CheckArguments, language: Language) -> Result<Job, Failure> {
    let CheckArguments { invariants, ltl, ctl, properties, .. } = arguments;
    Ok(Job {
        source: source(&arguments.model, language),
        questions: Questions { invariants: invariants.clone(), ltl: ltl.clone(), ctl: ctl.clone() },
        choice: Choice { names: properties.clone(), without_deadlock: arguments.no_deadlock },
        settings: Settings {
            engine: arguments.engine,
            reductions: arguments.reduce.clone(),
            fairness: arguments.fairness,
            search: arguments.search,
            store: arguments.store,
            cycles: if arguments.hunt { CycleSearch::Hunt } else { arguments.cycles },
            threads: arguments.threads,
            max_violations: NonZeroU32::new(arguments.max_violations),
            first_only: arguments.first,
            vacuity: arguments.vacuity,
            relation: arguments.relation,
            direction: arguments.direction,
            order: arguments.order,
            fixed_order: arguments.reorder.map(|reorder| reorder == Reorder::Off),
            keep_states: arguments.save_states.is_some(),
            states: arguments.load_states.as_deref().map(states_in).transpose()?,
            detail: match arguments.format {
                Format::Text => Detail::ForPeople,
                Format::Json => Detail::Complete,
            },
            first_in_full: arguments.trace.is_some(),
        },
    })
}

/// How much of the report is shown, and the options that show more.
fn shown(arguments: &CheckArguments) -> Presentation {
    let amount = match (arguments.quiet, arguments.verbose) {
        (true, _) => Amount::Quiet,
        (_, true) => Amount::Verbose,
        _ => Amount::Normal,
    };
    let hints = Hints {
        lists: "--verbose shows all of them",
        steps: "--trace FILE writes them all",
        states: "--format json has them all",
        vacuity: "--vacuity full has no time limit of its own",
    };
    Presentation { amount, hints }
}

/// JSON has everything, whatever people are shown.
fn refuse_amount(arguments: &CheckArguments) -> Result<(), Failure> {
    let options = [(arguments.quiet, "--quiet"), (arguments.verbose, "--verbose")];
    match options.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) if arguments.format != Format::Text => Err(Failure::OnlyForText { option }),
        _ => Ok(()),
    }
}

/// SPIN has no circuits.
fn refuse_trail(arguments: &CheckArguments, language: Language) -> Result<(), Failure> {
    let is_trail = arguments.trace.as_deref().is_some_and(is_spin_trail);
    if is_trail && language == Language::Smv {
        let refusal = Unavailable::new(Setting::SpinTrail, Conflict::For(Topic::Circuits), &[]);
        return Err(Failure::check(&arguments.model.model, None, refusal.into()));
    }
    Ok(())
}

fn states_in(path: &Path) -> Result<String, Failure> {
    let bytes = read(path).map_err(|error| Failure::CannotRead { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Prints the report and writes the files. Whatever becomes of the files, the exit code is that of the verdicts.
fn tell(
    arguments: &CheckArguments,
    language: Language,
    mut outcome: Outcome,
    witnesses: Option<&Circuit>,
) -> Result<u8, Failure> {
    let is_interrupted = outcome.is_interrupted();
    let states = outcome.states.take();
    let evidence: Vec<Option<Evidence>> = outcome.answers.iter_mut().map(taken_evidence).collect();
    let mut report = outcome.report(&|answer, why| advice(answer, why, arguments, language));
    name_options(arguments, &mut report);
    let shown = match arguments.format {
        Format::Json => report.to_json(),
        Format::Text if language.is_of_circuits() => text::check_report(&report, About::Circuit, &shown(arguments)),
        Format::Text => text::check_report(&report, About::Processes, &shown(arguments)),
    };
    output::print(&shown)?;
    let traced = arguments.trace.as_deref().map_or(Ok(()), |path| {
        let answers = report.results.iter().zip(&evidence);
        let answers: Vec<_> =
            answers.map(|(result, evidence)| Answered { result, evidence: evidence.as_ref() }).collect();
        match witnesses {
            Some(circuit) => write_witnesses(path, &answers, circuit),
            None => write_first(path, &report.model, &answers),
        }
    });
    let saved = arguments.save_states.as_deref().map_or(Ok(()), |path| save_states(path, states));
    for failure in [traced, saved].into_iter().filter_map(Result::err) {
        failure.tell();
    }
    Ok(exit_number(arguments, &report, is_interrupted))
}

/// The run that a counterexample is, which no report holds.
fn taken_evidence(answer: &mut Answer) -> Option<Evidence> {
    match &mut answer.verdict {
        Verdict::Violated(counterexample) => counterexample.evidence.take(),
        _ => None,
    }
}

/// What was left out because of an option is told with its name.
fn name_options(arguments: &CheckArguments, report: &mut CheckReport) {
    let is_deadlock = |name: &str| arguments.no_deadlock && name == "deadlock";
    for entry in report.unchecked.iter_mut().filter(|entry| is_deadlock(&entry.property)) {
        entry.because = "--no-deadlock".to_owned();
    }
}

/// What may help where there is no verdict.
fn advice(answer: &Answer, why: Why, arguments: &CheckArguments, language: Language) -> Option<String> {
    let is_of_infinite_runs = answer.property.is_some_and(Property::is_of_infinite_runs);
    let advice = match (why, arguments.store) {
        (Why::TooLarge, _) => "use --engine symbolic",
        (Why::Memory { .. }, _) if language.is_of_circuits() || answer.property.is_none() => return None,
        // There is only the exact store for infinite runs.
        (Why::Memory { .. }, _) if is_of_infinite_runs => "allow more with --memory",
        (Why::Memory { .. }, StoreChoice::Exact) => {
            "allow more with --memory, or hunt for violations in less with --store compact or bitstate"
        }
        (Why::Memory { .. }, StoreChoice::Compact) => {
            "allow more with --memory, or hunt for violations in less with --store bitstate"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn save_states(path: &Path, states: Option<String>) -> Result<(), Failure> {
    let Some(text) = states else {
        output::complain(&format!("{} was not written: not all states are known", path.display()));
        return Ok(());
    };
    std::fs::write(path, text).map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })
}

fn exit_number(arguments: &CheckArguments, report: &CheckReport, is_interrupted: bool) -> u8 {
    let is_overlooked = !arguments.allow_unchecked && report.overlooked().next().is_some();
    if is_interrupted {
        130
    } else if report.count(VerdictName::Violated) > 0 {
        1
    } else if report.count(VerdictName::Inconclusive) > 0 || is_overlooked {
        3
    } else {
        0
    }
}
