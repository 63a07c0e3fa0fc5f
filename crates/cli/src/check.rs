//! `reductio check`: load, plan, search, confirm, suspect, report.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use reductio::certify::certify;
use reductio::check_symbolic;
use reductio::selection::Selection;
use reductio::vacuity::Suspicion;
use reductio_explicit::ctl::Trees;
use reductio_explicit::{PropertyVerdict, SearchResult, search};
use reductio_model::{Budget, CtlFormula, CtlId, Interpreter, Model, Property, PropertyKind, Statistics, Verdict, Why};
use reductio_reduce::{CycleSearch, EngineChoice, Plan, PlanRequest, StoreChoice, plan};
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::trace_file::TRACE_SCHEMA;
use reductio_report::{
    CheckReport, DetailEntry, PlanEntry, RefusedEntry, ResultEntry, StatisticsEntry, TraceFile, UncheckedEntry,
    UnreachedEntry, VerdictName, spin_trail, text,
};

use crate::arguments::{CheckArguments, Format, Language, Vacuity};
use crate::check_circuit;
use crate::failure::Failure;
use crate::idle::refuse_idle_options;
use crate::interrupt;
use crate::load::{Questions, language, load_and_ask};
use crate::machine::default_memory_limit;
use crate::output;
use crate::progress::ProgressLine;
use crate::replay::is_spin_trail;
use crate::select::{select, unchecked};
use crate::showing::Showing;
use crate::unread::{read_in_time, unread};
use crate::watchdog::{Deadline, Work, watched};

pub fn run(arguments: &CheckArguments, started: Instant) -> Result<ExitCode, Failure> {
    let memory = arguments.memory.or_else(|| default_memory_limit(StoreChoice::Exact));
    let deadline = Deadline { started, time: arguments.time, cancel: interrupt::on_ctrl_c()?, memory };
    match language(&arguments.model)? {
        Language::Smv | Language::Aiger => return check_circuit::run(arguments, &deadline),
        Language::Promela | Language::While => {}
    }
    refuse_what_is_not_built(arguments)?;
    arguments.trace.as_deref().map_or(Ok(()), output::expect_writable)?;
    let questions = Questions {
        invariants: &arguments.invariants,
        ltl: &arguments.ltl,
        ctl: &arguments.ctl,
        keep_trees: arguments.engine == EngineChoice::Symbolic,
    };
    let model = read_in_time(arguments, &deadline, || load_and_ask(&arguments.model, &questions))?;
    let selection = select(&model, arguments)?;
    refuse_idle_options(arguments, &selection.properties)?;
    let check = Check { arguments, deadline: &deadline, model: &model, selection: &selection, known: Mutex::default() };
    // A plan, with the reductions it takes, cannot be interrupted; a search can.
    let plan = check.in_time(Work::Blind, || check.plan())?;
    let (mut report, limit) = check.in_time(Work::Attentive, || check.run(&plan))?;
    tell(arguments, &mut report, limit).map(ExitCode::from)
}

/// A model, and what is to be found out about it until when.
struct Check<'a> {
    arguments: &'a CheckArguments,
    deadline: &'a Deadline,
    model: &'a Model,
    selection: &'a Selection,
    /// What is known already, while the rest is being found out.
    known: Mutex<Option<CheckReport>>,
}

impl Check<'_> {
    /// What work comes to. If it takes too long, a report tells what is known, and the program ends.
    fn in_time<T: Send>(&self, kind: Work, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
        let give_up = || {
            let limit = self.deadline.overstepped(kind).unwrap_or(Why::Interrupted);
            let mut report = self.report_so_far(limit);
            let code = tell(self.arguments, &mut report, Some(limit)).unwrap_or_else(|failure| failure.tell());
            std::process::exit(code.into())
        };
        let done = watched(kind, || self.deadline.overstepped(kind).is_some(), work, give_up);
        done.map_err(Failure::CannotStartThread)?
    }

    fn request(&self) -> PlanRequest {
        plan_request(self.arguments, self.selection)
    }

    fn plan(&self) -> Result<Plan, Failure> {
        plan(self.model, self.request()).map_err(Failure::Plan)
    }

    /// Searches, suspects and looks at computation trees. Answers the limit that was met, too.
    fn run(&self, plan: &Plan) -> Result<(CheckReport, Option<Why>), Failure> {
        let Check { arguments, deadline, model, selection, .. } = self;
        let interpreter = Interpreter::new(model);
        let line = ProgressLine::new();
        let show = |statistics: &Statistics| line.show(statistics);
        let memory = arguments.memory.or_else(|| default_memory_limit(arguments.store));
        let budget = Budget { memory, progress: Some(&show), ..deadline.budget() };
        if plan.is_symbolic() {
            let found = check_symbolic::check(&interpreter, plan, budget)?;
            let showing = Showing::new(arguments, budget);
            let mut report = report(&interpreter, plan, &found.result, unchecked(*model, selection), showing)?;
            report.statistics = StatisticsEntry { seconds: self.seconds(), ..found.statistics };
            report.results.extend(found.trees);
            return Ok((report, found.result.limit));
        }
        let result = search(&interpreter, plan, budget);
        let mut limit = result.limit;
        let showing = Showing::new(arguments, budget);
        let mut report = report(&interpreter, plan, &result, unchecked(*model, selection), showing)?;
        report.statistics.seconds = self.seconds();
        *locked(&self.known) = Some(report.clone());
        if arguments.vacuity != Vacuity::Off {
            let checked = deadline.started.elapsed();
            let thorough = arguments.vacuity == Vacuity::Full;
            let suspicion = Suspicion::new(model, self.request(), thorough, checked, budget);
            remark(&mut report, &result, suspicion);
        }
        let formulas = formulas(selection);
        if !formulas.is_empty() && arguments.engine == EngineChoice::Explicit {
            let trees = Trees::within(&interpreter, MOST_LABELLED, budget);
            report.results.extend(formulas.iter().map(|id| computation_tree(&trees, model.ctl_formula(*id))));
            limit = limit.or(deadline.overstepped(Work::Attentive));
        } else if !formulas.is_empty() {
            let found = check_symbolic::check(&interpreter, &plan.for_ctl(), budget)?;
            report.results.extend(found.trees);
            report.plan.engine = "explicit, and symbolic for computation trees";
            limit = limit.or(found.result.limit);
        }
        line.clear();
        let elsewhere = report.vacuity.map_or(0.0, |vacuity| vacuity.seconds);
        report.statistics.seconds = (self.seconds() - elsewhere).max(report.statistics.seconds);
        Ok((report, limit))
    }

    /// Since the program was started.
    fn seconds(&self) -> f64 {
        self.deadline.started.elapsed().as_secs_f64()
    }

    /// The report if nothing more can be found out.
    fn report_so_far(&self, limit: Why) -> CheckReport {
        let model = self.model;
        let inconclusive = |property: &Property| {
            ResultEntry::inconclusive(property.name(model), property.kind(model).name(), limit.to_string())
        };
        let properties = self.selection.properties.iter();
        let known = locked(&self.known).take();
        let mut report = match known {
            Some(mut report) => {
                let formulas = properties.filter(|property| matches!(property, Property::Ctl(_)));
                report.results.extend(formulas.map(inconclusive));
                report
            }
            None => CheckReport {
                results: properties.map(inconclusive).collect(),
                unchecked: unchecked(model, self.selection),
                ..unread(self.arguments, "")
            },
        };
        report.statistics.seconds = self.seconds();
        report
    }
}

/// A thread that panics while it holds what is known says so itself.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the report and writes the trace. Whatever becomes of the file, the exit code is that of the verdicts.
pub fn tell(arguments: &CheckArguments, report: &mut CheckReport, limit: Option<Why>) -> Result<u8, Failure> {
    report.complete = report.count(VerdictName::Inconclusive) == 0;
    let shown = match arguments.format {
        Format::Text => text::check_report(report),
        Format::Json => report.to_json(),
    };
    output::print(&shown)?;
    if let Err(failure) = write_trace(arguments, report) {
        failure.tell();
    }
    Ok(exit_number(arguments, report, limit))
}

fn refuse_what_is_not_built(arguments: &CheckArguments) -> Result<(), Failure> {
    let symbolic = [
        (arguments.relation.is_some(), "--relation"),
        (arguments.direction.is_some(), "--direction"),
        (arguments.order.is_some(), "--order"),
        (arguments.reorder.is_some(), "--reorder"),
        (arguments.save_states.is_some(), "--save-states"),
        (arguments.load_states.is_some(), "--load-states"),
    ];
    if let Some((_, option)) = symbolic.into_iter().find(|(is_given, _)| *is_given) {
        return Err(Failure::OnlyForCircuits { option });
    }
    Ok(())
}

/// The formulas of computation tree logic among the properties.
fn formulas(selection: &Selection) -> Vec<CtlId> {
    let formula = |property: &Property| if let Property::Ctl(id) = property { Some(*id) } else { None };
    selection.properties.iter().filter_map(formula).collect()
}

fn plan_request(arguments: &CheckArguments, selection: &Selection) -> PlanRequest {
    PlanRequest {
        engine: arguments.engine,
        reductions: arguments.reduce.clone(),
        search: arguments.search,
        store: arguments.store,
        fairness: arguments.fairness,
        cycles: if arguments.hunt { CycleSearch::Hunt } else { arguments.cycles },
        threads: arguments.threads,
        properties: selection.properties.clone(),
        max_violations: NonZeroU32::new(arguments.max_violations),
    }
}

/// So many states are labelled one by one.
const MOST_LABELLED: usize = 1 << 20;

/// What is known of a formula of computation trees. There is no run that would show what is wrong.
fn computation_tree(trees: &Result<Trees<'_>, Why>, asked: &CtlFormula) -> ResultEntry {
    let answer = trees.as_ref().map_err(|none| *none).and_then(|trees| trees.satisfy(&asked.formula));
    let (verdict, reason) = match answer {
        Ok(true) => (VerdictName::Holds, None),
        Ok(false) => (VerdictName::Violated, Some("false in the initial state".to_owned())),
        Err(none) => (VerdictName::Inconclusive, Some(none.to_string())),
    };
    ResultEntry { verdict, reason, ..ResultEntry::new(asked.name.clone(), PropertyKind::Ctl.name()) }
}

/// Adds what there is to suspect of the claims that hold.
fn remark(report: &mut CheckReport, result: &SearchResult, mut suspicion: Suspicion<'_>) {
    let mut asked = false;
    for (entry, verdict) in report.results.iter_mut().zip(&result.verdicts) {
        if let (Property::Claim(claim), Verdict::Holds) = (verdict.property, &verdict.verdict) {
            entry.remarks = suspicion.remarks(claim);
            asked = true;
        }
    }
    report.vacuity = asked.then(|| suspicion.effort());
}

fn report(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    result: &SearchResult,
    unchecked: Vec<UncheckedEntry>,
    mut showing: Showing<'_>,
) -> Result<CheckReport, Failure> {
    let model = interpreter.model();
    let mut results = Vec::new();
    for entry in &result.verdicts {
        if showing.goes_on(entry) {
            results.push(result_entry(interpreter, entry, plan, &mut showing)?);
        }
    }
    let unreached = result.coverage.unreached(model).into_iter().map(|(proctype, action)| {
        let proctype = model.proctype(proctype);
        let action = proctype.action(action);
        UnreachedEntry {
            at: model.place_name(action.position),
            proctype: proctype.name.clone(),
            statement: action.text.clone(),
        }
    });
    Ok(CheckReport {
        schema: RESULT_SCHEMA,
        model: model.name.clone(),
        results,
        further: showing.not_shown(model, &result.violations),
        statistics: StatisticsEntry {
            states: result.statistics.states,
            transitions: result.statistics.transitions,
            depth: result.statistics.depth,
            seconds: result.statistics.seconds,
            memory_bytes: result.statistics.memory_bytes,
            threads: if result.plain { 1 } else { plan.threads() },
            store: if result.plain { StoreChoice::Exact.name() } else { plan.store().name() },
            coverage_estimate: result.statistics.confusion.map(|confusion| 1.0 - confusion),
            relation_nodes: None,
            peak_nodes: None,
        },
        plan: plan_entry(model, plan, result.plain),
        unchecked,
        unreached: unreached.collect(),
        complete: result.limit.is_none(),
        unreached_complete: result.complete,
        vacuity: None,
    })
}

fn result_entry(
    interpreter: &Interpreter<'_>,
    entry: &PropertyVerdict,
    plan: &Plan,
    showing: &mut Showing<'_>,
) -> Result<ResultEntry, Failure> {
    let model = interpreter.model();
    let mut explanation = None;
    let (verdict, reason, trace) = match &entry.verdict {
        Verdict::Holds => (VerdictName::Holds, None, None),
        Verdict::Inconclusive(limit) => {
            (VerdictName::Inconclusive, Some(inconclusive(*limit, entry.property, plan.store())), None)
        }
        Verdict::Violated(violation) => {
            let certified = certify(interpreter, entry.property, plan.fairness(), violation)?;
            let trace = showing.trace(interpreter, &violation.trace);
            explanation = certified.explanation;
            (VerdictName::Violated, Some(certified.reason), Some(trace))
        }
    };
    Ok(ResultEntry {
        verdict,
        reason,
        trace,
        product_states: entry.statistics.map(|statistics| statistics.states),
        explanation,
        ..ResultEntry::new(entry.property.name(model), entry.property.kind(model).name())
    })
}

/// Why there is no verdict, and what may help.
fn inconclusive(limit: Why, property: Property, store: StoreChoice) -> String {
    match (limit, store) {
        // There is only the exact store for infinite runs.
        (Why::Memory { .. }, _) if property.is_of_infinite_runs() => {
            format!("{limit}; allow more with --memory")
        }
        (Why::Memory { .. }, StoreChoice::Exact) => {
            format!(
                "{limit}; allow more with --memory, or hunt for violations in less with --store compact or bitstate"
            )
        }
        (Why::Memory { .. }, StoreChoice::Compact) => {
            format!("{limit}; allow more with --memory, or hunt for violations in less with --store bitstate")
        }
        _ => limit.to_string(),
    }
}

fn plan_entry(model: &Model, plan: &Plan, plain: bool) -> PlanEntry {
    let ledger = plan.ledger();
    let looks_for_cycles = plan.properties().iter().any(|property| property.is_of_infinite_runs());
    PlanEntry {
        // States that are too long to be packed are searched plainly, and the user should know.
        engine: if plain { "explicit, plain: the states are too long to be packed" } else { plan.engine_name() },
        fairness: plan.fairness().name(),
        cycles: looks_for_cycles.then_some(plan.cycle_search().name()),
        applied: ledger.applied.iter().map(|reduction| reduction.name()).collect(),
        details: ledger
            .details
            .iter()
            .map(|(reduction, text)| DetailEntry { reduction: reduction.name(), text: text.clone() })
            .collect(),
        refused: ledger
            .refused
            .iter()
            .map(|refusal| RefusedEntry {
                reduction: refusal.reduction.name(),
                because: refusal.because.clone(),
                at: refusal.at.map(|position| model.place_name(position)),
            })
            .collect(),
    }
}

fn write_trace(arguments: &CheckArguments, report: &CheckReport) -> Result<(), Failure> {
    let Some(path) = &arguments.trace else { return Ok(()) };
    let traced = |result: &&ResultEntry| result.trace.is_some();
    let Some(result) = report.results.iter().find(traced) else {
        let violated = report.results.iter().find(|result| result.verdict == VerdictName::Violated);
        let why = violated.map_or("there is no counterexample".to_owned(), |result| {
            format!("there is no run to show for {}", result.property)
        });
        output::complain(&format!("{} was not written: {why}", path.display()));
        return Ok(());
    };
    let Some(trace) = &result.trace else { return Ok(()) };
    let file = TraceFile {
        schema: TRACE_SCHEMA,
        model: &report.model,
        property: &result.property,
        kind: result.kind,
        reason: result.reason.as_deref(),
        trace,
    };
    let text = if is_spin_trail(path) { spin_trail::write(trace) } else { file.to_json() };
    std::fs::write(path, text).map_err(|error| Failure::CannotWrite { path: path.clone(), error })?;
    let others = report.results.iter().filter(traced).count() - 1;
    if others > 0 {
        output::complain(&format!(
            "{} holds the counterexample to {}; choose another one of the {} with --property",
            path.display(),
            result.property,
            others + 1
        ));
    }
    Ok(())
}

pub fn exit_number(arguments: &CheckArguments, report: &CheckReport, limit: Option<Why>) -> u8 {
    let is_overlooked = !arguments.allow_unchecked && report.overlooked().next().is_some();
    if limit == Some(Why::Interrupted) {
        130
    } else if report.count(VerdictName::Violated) > 0 {
        1
    } else if report.count(VerdictName::Inconclusive) > 0 || is_overlooked {
        3
    } else {
        0
    }
}
