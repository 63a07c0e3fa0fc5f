//! `reductio check`: load, plan, search, confirm, suspect, report.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use reductio_explicit::ctl::{NoAnswer, Trees};
use reductio_explicit::{Control, PropertyVerdict, SearchResult, search};
use reductio_frontends::origin::Origin;
use reductio_frontends::specification::{Asked, Specification};
use reductio_model::{AtomId, ClaimId, Interpreter, Limit, Model, PropertyKind, Verdict};
use reductio_reduce::{
    CycleSearch, EngineChoice, Limits, Plan, PlanRequest, Property, StoreChoice, Trees as AskedOfTrees, plan,
};
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::trace_file::TRACE_SCHEMA;
use reductio_report::{
    CheckReport, DetailEntry, PlanEntry, RefusedEntry, ResultEntry, StatisticsEntry, TraceEntry, TraceFile,
    UncheckedEntry, UnreachedEntry, VerdictName, spin_trail, text,
};

use crate::arguments::{CheckArguments, Format, Language, Vacuity};
use crate::certify::certify;
use crate::check_circuit;
use crate::check_symbolic;
use crate::failure::Failure;
use crate::interrupt;
use crate::load::{AskedModel, Questions, language, load_and_ask};
use crate::machine::{default_memory_limit, resident_memory};
use crate::output;
use crate::progress::ProgressLine;
use crate::replay::is_spin_trail;
use crate::vacuity::Suspicion;

pub fn run(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    match language(&arguments.model)? {
        Language::Smv | Language::Aiger => return check_circuit::run(arguments),
        Language::Promela | Language::While => {}
    }
    refuse_what_is_not_built(arguments)?;
    let started = Instant::now();
    let questions = Questions {
        invariants: &arguments.invariants,
        ltl: &arguments.ltl,
        ctl: &arguments.ctl,
        keep_trees: arguments.engine == EngineChoice::Symbolic,
    };
    let AskedModel { model, origins, trees } = load_and_ask(&arguments.model, &questions)?;
    let selection = Selection::new(&model, &trees, arguments)?;
    let request = plan_request(arguments, &selection);
    let plan = plan(&model, request.clone()).map_err(Failure::Plan)?;
    let interpreter = Interpreter::new(&model);
    let interrupted = interrupt::on_ctrl_c()?;
    let memory = plan.limits().memory.unwrap_or(check_circuit::DEFAULT_MEMORY);
    let time = plan.limits().time.map(|time| (time, started));
    let limits = reductio_symbolic::Limits { memory, time, cancel: Some(&interrupted) };
    let mut line = ProgressLine::new();
    if plan.is_symbolic() {
        let found = check_symbolic::check(&interpreter, &plan, &selection.trees, limits)?;
        let mut report = report(&interpreter, &origins, &plan, &found.result, selection.unchecked.clone())?;
        report.statistics = found.statistics;
        report.results.extend(found.trees);
        return show(arguments, &report, found.result.limit);
    }
    let control = Control {
        cancel: &interrupted,
        progress: &mut |statistics| line.show(statistics),
        resident: Some(resident_memory),
    };
    let result = search(&interpreter, &plan, control);
    let mut limit = result.limit;
    let mut report = report(&interpreter, &origins, &plan, &result, selection.unchecked.clone())?;
    if arguments.vacuity != Vacuity::Off {
        let checked = Duration::from_secs_f64(result.statistics.seconds);
        let thorough = arguments.vacuity == Vacuity::Full;
        let control = Control {
            cancel: &interrupted,
            progress: &mut |statistics| line.show(statistics),
            resident: Some(resident_memory),
        };
        let suspicion = Suspicion::new(&model, request, thorough, checked, control);
        remark(&mut report, &result, &origins, suspicion);
    }
    if !selection.trees.is_empty() && arguments.engine == EngineChoice::Explicit {
        let trees = Trees::of(&interpreter, MOST_LABELLED);
        report.results.extend(selection.trees.iter().map(|tree| computation_tree(&trees, tree)));
    } else if !selection.trees.is_empty() {
        let found = check_symbolic::check(&interpreter, &plan.for_trees(), &selection.trees, limits)?;
        report.results.extend(found.trees);
        report.plan.engine = "explicit, and symbolic for computation trees";
        limit = limit.or(found.result.limit);
    }
    line.clear();
    show(arguments, &report, limit)
}

fn show(arguments: &CheckArguments, report: &CheckReport, limit: Option<Limit>) -> Result<ExitCode, Failure> {
    let shown = match arguments.format {
        Format::Text => text::check_report(report),
        Format::Json => report.to_json(),
    };
    output::print(&shown)?;
    write_trace(arguments, report)?;
    Ok(exit_code(report, limit))
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

/// What is checked, and what is not.
struct Selection<'a> {
    properties: Vec<Property>,
    /// Formulas of computation trees, which are no business of the planner.
    trees: Vec<&'a Specification>,
    unchecked: Vec<UncheckedEntry>,
}

impl<'a> Selection<'a> {
    fn new(model: &Model, trees: &'a [Specification], arguments: &CheckArguments) -> Result<Selection<'a>, Failure> {
        let wanted = &arguments.properties;
        let mut all = vec![Property::Deadlock, Property::Assertions];
        // Each `--invariant` became an atom, in order.
        all.extend((0..arguments.invariants.len() as u32).map(|index| Property::Invariant(AtomId(index))));
        all.extend((0..model.claims.len() as u32).map(|index| Property::Claim(ClaimId(index))));
        for name in wanted {
            known_and_checkable(model, &all, trees, name)?;
        }
        if arguments.no_deadlock && wanted.iter().any(|name| name == "deadlock") {
            return Err(Failure::DeadlockBothWays);
        }
        let is_wanted = |tree: &&Specification| wanted.is_empty() || wanted.contains(&tree.name);
        let (chosen, others): (Vec<_>, Vec<_>) = trees.iter().partition(is_wanted);
        let mut selection = Selection { properties: Vec::new(), trees: chosen, unchecked: Vec::new() };
        for property in all {
            let name = property.name(model);
            // A formula of computation trees says something only where no step goes wrong.
            let is_needed = property == Property::Assertions && !selection.trees.is_empty();
            let because = if arguments.no_deadlock && property == Property::Deadlock {
                "--no-deadlock"
            } else if !wanted.is_empty() && !wanted.contains(&name) && !is_needed {
                "not among the properties asked for"
            } else {
                selection.properties.push(property);
                continue;
            };
            selection.unchecked.push(UncheckedEntry { property: name, because: because.to_owned(), at: None });
        }
        selection.unchecked.extend(others.iter().map(|tree| UncheckedEntry {
            property: tree.name.clone(),
            because: "not among the properties asked for".to_owned(),
            at: tree.position.map(|position| model.place_name(position)),
        }));
        selection.unchecked.extend(model.unchecked.iter().map(|unchecked| UncheckedEntry {
            property: unchecked.name.clone(),
            because: unchecked.why.clone(),
            at: Some(model.place_name(unchecked.position)),
        }));
        Ok(selection)
    }
}

impl Selection<'_> {
    fn asked_of_trees(&self) -> AskedOfTrees {
        let has_next = |tree: &&Specification| matches!(&tree.what, Asked::Ctl(formula) if formula.has_next());
        match &self.trees[..] {
            [] => AskedOfTrees::None,
            trees if trees.iter().any(has_next) => AskedOfTrees::WithNext,
            _ => AskedOfTrees::WithoutNext,
        }
    }
}

fn known_and_checkable(model: &Model, all: &[Property], trees: &[Specification], name: &str) -> Result<(), Failure> {
    let mut checkable: Vec<String> = all.iter().map(|property| property.name(model)).collect();
    checkable.extend(trees.iter().map(|tree| tree.name.clone()));
    if checkable.iter().any(|known| known == name) {
        return Ok(());
    }
    match model.unchecked.iter().find(|unchecked| unchecked.name == name) {
        Some(unchecked) => Err(Failure::PropertyNotAvailable { name: name.to_owned(), why: unchecked.why.clone() }),
        None => Err(Failure::UnknownProperty { name: name.to_owned(), known: checkable }),
    }
}

fn plan_request(arguments: &CheckArguments, selection: &Selection<'_>) -> PlanRequest {
    PlanRequest {
        engine: arguments.engine,
        reductions: arguments.reduce.clone(),
        search: arguments.search,
        store: arguments.store,
        fairness: arguments.fairness,
        cycles: if arguments.hunt { CycleSearch::Hunt } else { arguments.cycles },
        threads: arguments.threads,
        properties: selection.properties.clone(),
        trees: selection.asked_of_trees(),
        max_violations: NonZeroU32::new(arguments.max_violations),
        limits: Limits {
            memory: arguments.memory.or_else(|| default_memory_limit(arguments.store)),
            time: arguments.time,
        },
    }
}

/// So many states are labelled one by one.
const MOST_LABELLED: usize = 1 << 20;

/// What is known of a formula of computation trees. There is no run that would show what is wrong.
fn computation_tree(trees: &Result<Trees<'_>, NoAnswer>, tree: &Specification) -> ResultEntry {
    let (verdict, reason) = match &tree.what {
        Asked::Ctl(formula) => match trees.as_ref().map_err(|none| *none).and_then(|trees| trees.satisfy(formula)) {
            Ok(true) => (VerdictName::Holds, None),
            Ok(false) => (VerdictName::Violated, Some("false in the initial state".to_owned())),
            Err(none) => (VerdictName::Inconclusive, Some(none.to_string())),
        },
        Asked::Invariant(_) | Asked::Ltl(_) | Asked::Justice(_) => unreachable!("these are asked of circuits"),
    };
    ResultEntry {
        property: tree.name.clone(),
        kind: PropertyKind::Ctl.name(),
        verdict,
        reason,
        trace: None,
        product_states: None,
        explanation: None,
        remarks: Vec::new(),
        run: None,
    }
}

/// Adds what there is to suspect of the claims that hold.
fn remark(report: &mut CheckReport, result: &SearchResult, origins: &[Origin], mut suspicion: Suspicion<'_>) {
    let mut asked = false;
    for (entry, verdict) in report.results.iter_mut().zip(&result.verdicts) {
        if let (Property::Claim(claim), Verdict::Holds) = (verdict.property, &verdict.verdict) {
            entry.remarks = suspicion.remarks(claim, &origins[claim.index()]);
            asked = true;
        }
    }
    report.vacuity = asked.then(|| suspicion.effort());
}

fn report(
    interpreter: &Interpreter<'_>,
    origins: &[Origin],
    plan: &Plan,
    result: &SearchResult,
    unchecked: Vec<UncheckedEntry>,
) -> Result<CheckReport, Failure> {
    let model = interpreter.model();
    let results: Result<Vec<_>, _> =
        result.verdicts.iter().map(|entry| result_entry(interpreter, origins, entry, plan)).collect();
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
        results: results?,
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
        complete: result.complete,
        vacuity: None,
    })
}

fn result_entry(
    interpreter: &Interpreter<'_>,
    origins: &[Origin],
    entry: &PropertyVerdict,
    plan: &Plan,
) -> Result<ResultEntry, Failure> {
    let model = interpreter.model();
    let mut explanation = None;
    let (verdict, reason, trace) = match &entry.verdict {
        Verdict::Holds => (VerdictName::Holds, None, None),
        Verdict::Inconclusive(limit) => {
            (VerdictName::Inconclusive, Some(inconclusive(*limit, entry.property, plan.store())), None)
        }
        Verdict::Violated(violation) => {
            let certified = certify(interpreter, origins, entry.property, plan.fairness(), violation)?;
            let trace = TraceEntry::new(model, &certified.replayed, violation.trace.stem.len());
            explanation = certified.explanation;
            (VerdictName::Violated, Some(certified.reason), Some(trace))
        }
    };
    Ok(ResultEntry {
        property: entry.property.name(model),
        kind: entry.property.kind(model).name(),
        verdict,
        reason,
        trace,
        product_states: entry.statistics.map(|statistics| statistics.states),
        explanation,
        remarks: Vec::new(),
        run: None,
    })
}

/// Why there is no verdict, and what may help.
fn inconclusive(limit: Limit, property: Property, store: StoreChoice) -> String {
    match (limit, store) {
        // There is only the exact store for infinite runs.
        (Limit::Memory { .. }, _) if property.is_of_infinite_runs() => {
            format!("{limit}; allow more with --memory")
        }
        (Limit::Memory { .. }, StoreChoice::Exact) => {
            format!(
                "{limit}; allow more with --memory, or hunt for violations in less with --store compact or bitstate"
            )
        }
        (Limit::Memory { .. }, StoreChoice::Compact) => {
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
        output::complain(&format!("{} was not written: there is no counterexample", path.display()));
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

fn exit_code(report: &CheckReport, limit: Option<Limit>) -> ExitCode {
    ExitCode::from(exit_number(report, limit))
}

pub fn exit_number(report: &CheckReport, limit: Option<Limit>) -> u8 {
    if limit == Some(Limit::Interrupted) {
        130
    } else if report.count(VerdictName::Violated) > 0 {
        1
    } else if report.count(VerdictName::Inconclusive) > 0 {
        3
    } else {
        0
    }
}
