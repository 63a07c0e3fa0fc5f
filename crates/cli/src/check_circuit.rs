//! `reductio check` on circuits: load, choose an engine, ask, confirm, report.

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use reductio::Unconfirmed;
use reductio::certify_circuit::{certify, certify_claim, certify_ctl};
use reductio::circuit_trees;
use reductio_frontends::smv::LoadOptions;
use reductio_model::circuit::{Circuit, ExprId, Reached, Run, Simulator};
use reductio_model::{CtlFormula, Property, Verdict, Why};
use reductio_reduce::cone_of_influence::{Cone, Lifted, cones};
use reductio_reduce::{CycleSearch, EngineChoice, Fairness, ReduceChoice, SearchOrder, StoreChoice};
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::{
    CheckReport, PlanEntry, RefusedEntry, ResultEntry, RunEntry, StatisticsEntry, UncheckedEntry, VerdictName,
    circuit as report,
};
use reductio_symbolic::{Direction, Options, RelationChoice, broken_obligations};

use crate::arguments::{CheckArguments, Format, Language, Vacuity};
use crate::check::{exit_number, locked};
use crate::circuit_engines::{Engine, Explicit, Setup, Symbolic};
use crate::failure::Failure;
use crate::load::{language, load_circuit, read};
use crate::obligations::complain_of;
use crate::output;
use crate::replay::is_spin_trail;
use crate::select::{select, unchecked};
use crate::unread::read_in_time;
use crate::watchdog::{Deadline, Work, watched};
use crate::write_run::{Answered, write_first, write_witnesses};

/// What is said of a run of a part of the circuit.
const ONLY_A_PART: &str = "variables that are not shown do not matter to it";

pub fn run(arguments: &CheckArguments, deadline: &Deadline) -> Result<ExitCode, Failure> {
    refuse_what_makes_no_sense(arguments)?;
    for path in [&arguments.trace, &arguments.save_states].into_iter().flatten() {
        output::expect_writable(path)?;
    }
    let options = LoadOptions {
        invariants: arguments.invariants.clone(),
        ctl: arguments.ctl.clone(),
        ltl: arguments.ltl.clone(),
    };
    let read = || load_circuit(&arguments.model, &options);
    let circuit = read_in_time(arguments, deadline, read)?;
    let selection = select(&circuit, arguments)?;
    let setup = Setup { deadline, arguments, states: arguments.load_states.as_deref().map(states_in).transpose()? };
    let engine = match arguments.engine {
        EngineChoice::Auto | EngineChoice::Symbolic => symbolic_name(setup.options()),
        EngineChoice::Explicit => "explicit",
    };
    let questions = &selection.properties[..];
    let is_aiger = language(&arguments.model)? == Language::Aiger;
    let reporting = Reporting { circuit: &circuit, is_aiger, engine, setup: &setup };
    let answered: Mutex<Vec<(usize, Checked)>> = Mutex::default();
    let limits_exceeded = || deadline.overstepped(Work::Attentive).is_some();
    let give_up = || {
        let limit = deadline.overstepped(Work::Attentive).unwrap_or(Why::Interrupted);
        let known = std::mem::take(&mut *locked(&answered));
        let outcome = Outcome::with_the_rest_unanswered(&circuit, questions, known, limit);
        let code = reporting.tell(outcome, unchecked(&circuit, &selection)).unwrap_or_else(|failure| failure.tell());
        std::process::exit(code.into())
    };
    let checked = watched(Work::Attentive, limits_exceeded, || check(&circuit, questions, &setup, &answered), give_up);
    let outcome = checked.map_err(Failure::CannotStartThread)??;
    reporting.tell(outcome, unchecked(&circuit, &selection)).map(ExitCode::from)
}

/// What is known of the check of a circuit besides the answers.
struct Reporting<'a> {
    circuit: &'a Circuit,
    is_aiger: bool,
    engine: &'static str,
    setup: &'a Setup<'a>,
}

impl Reporting<'_> {
    /// Prints the report, keeps runs in files, and answers the exit code.
    fn tell(&self, outcome: Outcome, unchecked: Vec<UncheckedEntry>) -> Result<u8, Failure> {
        let arguments = self.setup.arguments;
        let Outcome { results, mut statistics, applied, states } = outcome;
        statistics.seconds = self.setup.deadline.started.elapsed().as_secs_f64();
        let limit = results.iter().filter_map(|checked| checked.limit).find(|why| *why == Why::Interrupted);
        let (entries, runs): (Vec<ResultEntry>, Vec<Option<Run>>) =
            results.into_iter().map(|checked| (checked.entry, checked.run)).unzip();
        let is_inconclusive = entries.iter().any(|entry| entry.verdict == VerdictName::Inconclusive);
        let report = CheckReport {
            schema: RESULT_SCHEMA,
            model: self.circuit.name.clone(),
            results: entries,
            further: Vec::new(),
            statistics,
            plan: PlanEntry {
                engine: self.engine,
                fairness: "none",
                cycles: None,
                applied,
                details: Vec::new(),
                refused: refused(self.setup),
            },
            unchecked,
            unreached: Vec::new(),
            complete: !is_inconclusive,
            unreached_complete: false,
            vacuity: None,
        };
        output::print(&match arguments.format {
            Format::Text => report::check_report(&report),
            Format::Json => report.to_json(),
        })?;
        // Whatever becomes of the files, the verdicts have been told, and the exit code is theirs.
        let answers: Vec<Answered<'_>> =
            report.results.iter().zip(&runs).map(|(result, run)| Answered { result, whole: run.as_ref() }).collect();
        let traced = match &arguments.trace {
            Some(path) if self.is_aiger => write_witnesses(path, &answers, self.circuit),
            Some(path) => write_first(path, &self.circuit.name, &answers),
            None => Ok(()),
        };
        let saved = arguments.save_states.as_deref().map_or(Ok(()), |path| save_states(path, states));
        for failure in [traced, saved].into_iter().filter_map(Result::err) {
            failure.tell();
        }
        Ok(exit_number(arguments, &report, limit))
    }
}

fn refused(setup: &Setup<'_>) -> Vec<RefusedEntry> {
    let is_refused = setup.keeps_states() && setup.arguments.reduce != ReduceChoice::None;
    let because = "files hold the states of the whole model".to_owned();
    is_refused.then_some(RefusedEntry { reduction: "cone", because, at: None }).into_iter().collect()
}

fn symbolic_name(options: Options) -> &'static str {
    match (options.relation, options.direction) {
        (RelationChoice::Auto, Direction::Forward) => "symbolic",
        (RelationChoice::Auto, Direction::Backward) => "symbolic, backward",
        (RelationChoice::Dynamic, Direction::Forward) => "symbolic, dynamic relation",
        (RelationChoice::Dynamic, Direction::Backward) => "symbolic, backward, dynamic relation",
        (RelationChoice::Static, Direction::Forward) => "symbolic, static relation",
        (RelationChoice::Static, Direction::Backward) => "symbolic, backward, static relation",
    }
}

fn refuse_what_makes_no_sense(arguments: &CheckArguments) -> Result<(), Failure> {
    let is_aiger = language(&arguments.model)? == Language::Aiger;
    let asked = [(&arguments.invariants, "--invariant"), (&arguments.ctl, "--ctl"), (&arguments.ltl, "--ltl")];
    if let Some((_, option)) = asked.into_iter().find(|(texts, _)| is_aiger && !texts.is_empty()) {
        return Err(Failure::NotForAiger { option });
    }
    let is_backward = arguments.direction == Some(Direction::Backward);
    let is_explicit = arguments.engine == EngineChoice::Explicit;
    let given = [
        (!arguments.model.defines.is_empty(), "-D"),
        (matches!(arguments.reduce, ReduceChoice::List(_)), "--reduce with a list"),
        (arguments.fairness != Fairness::None, "--fairness"),
        (arguments.search != SearchOrder::BreadthFirst, "--search dfs"),
        (arguments.cycles != CycleSearch::Components, "--cycles"),
        (arguments.hunt, "--hunt"),
        (arguments.vacuity == Vacuity::Full, "--vacuity full"),
        (arguments.store != StoreChoice::Exact, "--store"),
        (arguments.threads != 1, "--threads"),
        (arguments.trace.as_deref().is_some_and(is_spin_trail) && !is_aiger, "--trace with a trail"),
        (arguments.max_violations != 1, "--max-violations"),
        (is_explicit && arguments.relation.is_some(), "--relation with --engine explicit"),
        (is_explicit && arguments.direction.is_some(), "--direction with --engine explicit"),
        (is_explicit && arguments.order.is_some(), "--order with --engine explicit"),
        (is_explicit && arguments.reorder.is_some(), "--reorder with --engine explicit"),
        (is_explicit && arguments.save_states.is_some(), "--save-states with --engine explicit"),
        (is_explicit && arguments.load_states.is_some(), "--load-states with --engine explicit"),
        (is_backward && arguments.save_states.is_some(), "--save-states with --direction backward"),
        (is_backward && arguments.load_states.is_some(), "--load-states with --direction backward"),
    ];
    match given.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(Failure::NotForCircuits { option }),
        None => Ok(()),
    }
}

/// A result.
struct Checked {
    entry: ResultEntry,
    /// What kept it from being one.
    limit: Option<Why>,
    /// The run that the violation is.
    run: Option<Run>,
}

/// All results, in the order of the questions.
struct Outcome {
    results: Vec<Checked>,
    /// Of the largest part of the circuit that was looked at.
    statistics: StatisticsEntry,
    applied: Vec<&'static str>,
    /// The states that can be reached, if they are to be kept and are known.
    states: Option<String>,
}

impl Outcome {
    /// The answers that are known, by the numbers of the questions, and why there are no others.
    fn with_the_rest_unanswered(
        circuit: &Circuit,
        questions: &[Property],
        known: Vec<(usize, Checked)>,
        why: Why,
    ) -> Outcome {
        let mut known: HashMap<usize, Checked> = known.into_iter().collect();
        let unanswered = |property| entry(circuit, property, Verdict::Inconclusive(why), "", Vec::new());
        let results = questions
            .iter()
            .enumerate()
            .map(|(number, property)| known.remove(&number).unwrap_or_else(|| unanswered(*property)));
        let statistics = StatisticsEntry { threads: 1, ..Default::default() };
        Outcome { results: results.collect(), statistics, applied: Vec::new(), states: None }
    }
}

/// The conditions that a property is about.
fn conditions(circuit: &Circuit, property: Property) -> Vec<ExprId> {
    let condition = |atom: usize| circuit.atoms[atom].expr;
    match property {
        Property::Deadlock | Property::Assertions => Vec::new(),
        Property::Invariant(id) => vec![condition(circuit.invariant(id).atom.index())],
        Property::Ctl(id) => {
            circuit.ctl_formula(id).formula.atoms().into_iter().map(|prop| condition(prop.0 as usize)).collect()
        }
        Property::Claim(id) => {
            circuit.claim(id).violations.atoms().into_iter().map(|atom| condition(atom.index())).collect()
        }
    }
}

/// Asks all questions. Each answer is in `answered` as soon as it is known.
fn check(
    circuit: &Circuit,
    questions: &[Property],
    setup: &Setup<'_>,
    answered: &Mutex<Vec<(usize, Checked)>>,
) -> Result<Outcome, Failure> {
    if let Some(why) = refuse_nonsense(circuit, setup)? {
        return Ok(Outcome::with_the_rest_unanswered(circuit, questions, Vec::new(), why));
    }
    let groups = match setup.arguments.reduce {
        _ if questions.is_empty() => vec![(Cone::whole(circuit), Vec::new())],
        _ if setup.keeps_states() => vec![(Cone::whole(circuit), (0..questions.len()).collect())],
        ReduceChoice::None => vec![(Cone::whole(circuit), (0..questions.len()).collect())],
        _ => {
            let conditions: Vec<_> = questions.iter().map(|property| conditions(circuit, *property)).collect();
            cones(circuit, &conditions)
        }
    };
    let applied = if groups.iter().all(|(cone, _)| cone.is_whole()) { Vec::new() } else { vec!["cone"] };
    let mut statistics = StatisticsEntry::default();
    let mut largest = 0;
    let mut states = None;
    for (cone, numbers) in &groups {
        let mut engine: Box<dyn Engine> = match setup.arguments.engine {
            EngineChoice::Explicit => Box::new(Explicit::new(&cone.circuit, setup)),
            _ => Box::new(Symbolic::new(&cone.circuit, setup).map_err(|problem| Failure::States {
                path: setup.arguments.load_states.clone().unwrap_or_default(),
                problem,
            })?),
        };
        if !engine.has_initial_state() {
            return Err(Failure::NoInitialState);
        }
        let mut checker = Checker { circuit, cone, engine: engine.as_mut() };
        for number in numbers {
            let answer = checker.ask(questions[*number])?;
            locked(answered).push((*number, answer));
        }
        if setup.arguments.save_states.is_some() {
            states = engine.states_as_text();
        }
        let size = cone.kept.iter().filter(|kept| **kept).count();
        if size >= largest {
            let memory = statistics.memory_bytes;
            statistics = engine.statistics();
            statistics.memory_bytes = memory.max(statistics.memory_bytes);
            largest = size;
        }
    }
    let mut results = std::mem::take(&mut *locked(answered));
    results.sort_by_key(|(number, _)| *number);
    Ok(Outcome { results: results.into_iter().map(|(_, checked)| checked).collect(), statistics, applied, states })
}

fn states_in(path: &Path) -> Result<String, Failure> {
    let bytes = read(path).map_err(|error| Failure::CannotRead { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn save_states(path: &Path, states: Option<String>) -> Result<(), Failure> {
    let Some(text) = states else {
        output::complain(&format!("{} was not written: not all states are known", path.display()));
        return Ok(());
    };
    std::fs::write(path, text).map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })
}

/// Ends everything if the model makes no sense. Answers why that is not clear, if so.
fn refuse_nonsense(circuit: &Circuit, setup: &Setup<'_>) -> Result<Option<Why>, Failure> {
    let broken = match setup.arguments.engine {
        EngineChoice::Explicit => Simulator::new(circuit).broken_obligations().map_err(|_| Why::TooLarge),
        _ => broken_obligations(circuit, setup.budget()).map_err(|stop| stop.0),
    };
    let broken = match broken {
        Err(why) => return Ok(Some(why)),
        Ok(broken) if broken.is_empty() => return Ok(None),
        Ok(broken) => broken,
    };
    Err(complain_of(circuit, broken))
}

/// Asks an engine for a part of the circuit, and lifts its runs to the whole.
struct Checker<'c> {
    circuit: &'c Circuit,
    cone: &'c Cone,
    engine: &'c mut dyn Engine,
}

impl Checker<'_> {
    fn ask(&mut self, property: Property) -> Result<Checked, Failure> {
        match property {
            Property::Deadlock => {
                let answer = self.engine.deadlock();
                // That there is no successor can be seen in the part, without trying values for the rest.
                if let Verdict::Violated(run) = &answer {
                    certify(&self.cone.circuit, &property.name(self.circuit), run, Reached::DeadEnd)?;
                }
                let lifted = self.certified(property, &answer, Reached::Anything)?;
                Ok(self.entry(property, answer, lifted, "the last state has no successor", Vec::new()))
            }
            Property::Assertions => unreachable!("no step of a circuit goes wrong"),
            Property::Invariant(id) => {
                let atom = self.circuit.invariant(id).atom;
                let answer = self.engine.invariant(atom);
                let reached = Reached::Without(self.circuit.atoms[atom.index()].expr);
                let lifted = self.certified(property, &answer, reached)?;
                Ok(self.entry(property, answer, lifted, "false in the last state", Vec::new()))
            }
            Property::Ctl(id) => self.ask_ctl(property, self.circuit.ctl_formula(id)),
            Property::Claim(id) => {
                let claim = self.circuit.claim(id);
                let mut answer = self.engine.ltl(&self.cone.circuit, &claim.violations, claim.of_infinite_runs_only);
                if let Verdict::Violated(run) = &mut answer {
                    forget_automaton(self.circuit, run);
                }
                let lifted = self.certified(property, &answer, Reached::Anything)?;
                let reason = "the states of the cycle repeat for ever";
                Ok(self.entry(property, answer, lifted, reason, Vec::new()))
            }
        }
    }

    fn ask_ctl(&mut self, property: Property, asked: &CtlFormula) -> Result<Checked, Failure> {
        let CtlFormula { name, formula, .. } = asked;
        let answer = self.engine.ctl(formula);
        if !self.engine.shows_why() {
            let answer = answer.map(|tree| tree.run());
            let lifted = self.certified(property, &answer, Reached::Anything)?;
            let reason = "false in this state; --engine symbolic shows why";
            return Ok(self.entry(property, answer, lifted, reason, Vec::new()));
        }
        let tree = match answer {
            Verdict::Violated(tree) => tree,
            answer => return Ok(self.entry(property, answer.map(|tree| tree.run()), None, "", Vec::new())),
        };
        let shown = formula.normal_form(true);
        let lifted = circuit_trees::lift(self.cone, self.circuit, &tree, &shown);
        let lifted = lifted.map_err(|_| too_much_to_lift(name))?;
        let is_part = lifted.is_none();
        let circuit = if is_part { &self.cone.circuit } else { self.circuit };
        let tree = lifted.unwrap_or(tree);
        certify_ctl(circuit, name, &tree, &shown)?;
        let mut told = circuit_trees::entry(circuit, &tree);
        let answer = Verdict::Violated(tree.run());
        let mut checked = entry(circuit, property, answer, "false in the first state", Vec::new());
        if is_part {
            told.unshown.push(ONLY_A_PART.to_owned());
            checked.run = None;
        }
        checked.entry.run = Some(told);
        Ok(checked)
    }

    /// The run on the whole circuit, if that repeats itself as the run does.
    fn lift(&self, property: &str, run: &Run) -> Result<Option<Lifted>, Failure> {
        self.cone.lift(run, self.circuit).map_err(|_| too_much_to_lift(property))
    }

    /// The run of a violation on the whole circuit, confirmed. Where it has none, it is confirmed on the part.
    fn certified(
        &self,
        property: Property,
        answer: &Verdict<Run>,
        reached: Reached<'_>,
    ) -> Result<Option<Lifted>, Failure> {
        let Verdict::Violated(run) = answer else { return Ok(None) };
        let name = &property.name(self.circuit);
        let lifted = self.lift(name, run)?;
        let (circuit, run) = match &lifted {
            Some(lifted) => (self.circuit, &lifted.run),
            None => (&self.cone.circuit, run),
        };
        match property {
            Property::Claim(id) => certify_claim(circuit, self.circuit.claim(id), run)?,
            _ => certify(circuit, name, run, reached)?,
        }
        Ok(lifted)
    }

    fn entry(
        &self,
        property: Property,
        answer: Verdict<Run>,
        lifted: Option<Lifted>,
        reason: &str,
        mut unshown: Vec<String>,
    ) -> Checked {
        match (answer, lifted) {
            (Verdict::Violated(_), Some(lifted)) => {
                entry(self.circuit, property, Verdict::Violated(lifted.run), reason, unshown)
            }
            (answer @ Verdict::Violated(_), None) => {
                unshown.push(ONLY_A_PART.to_owned());
                // It is no run of the whole circuit, and none to be written down as one.
                Checked { run: None, ..entry(&self.cone.circuit, property, answer, reason, unshown) }
            }
            (answer, _) => entry(self.circuit, property, answer, reason, unshown),
        }
    }
}

fn too_much_to_lift(property: &str) -> Failure {
    let story = "there is too much to try to find values for what was left out".to_owned();
    Unconfirmed { property: property.to_owned(), story }.into()
}

/// Only the circuit's own variables are left.
fn forget_automaton(circuit: &Circuit, run: &mut Run) {
    for state in &mut run.states {
        state.truncate(circuit.variables.len());
    }
}

fn entry(circuit: &Circuit, property: Property, answer: Verdict<Run>, reason: &str, unshown: Vec<String>) -> Checked {
    let mut checked = Checked {
        entry: ResultEntry::new(property.name(circuit), property.kind(circuit).name()),
        limit: None,
        run: None,
    };
    match answer {
        Verdict::Holds => {}
        Verdict::Inconclusive(why) => {
            checked.limit = Some(why);
            checked.entry.verdict = VerdictName::Inconclusive;
            checked.entry.reason = Some(why.to_string());
        }
        Verdict::Violated(run) => {
            checked.entry.verdict = VerdictName::Violated;
            checked.entry.reason = Some(reason.to_owned());
            checked.entry.run = Some(RunEntry::new(circuit, &run, unshown));
            checked.run = Some(run);
        }
    }
    checked
}
