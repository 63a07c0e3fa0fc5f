//! `reductio check` on circuits: load, choose an engine, ask, confirm, report.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use reductio_explicit::circuit::{Control, Engine as ExplicitEngine};
use reductio_frontends::smv::LoadOptions;
use reductio_frontends::specification::{Asked, Specification};
use reductio_logic::Prop;
use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Answer, Circuit, Obligation, Reached, Run, Why, with_automaton};
use reductio_model::{AtomId, Automaton, Limit, PropertyKind};
use reductio_reduce::{CycleSearch, EngineChoice, Fairness, ReduceChoice, SearchOrder, StoreChoice};
use reductio_report::aiger_witness::witness;
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::{
    CheckReport, PlanEntry, ResultEntry, RunEntry, StatisticsEntry, UncheckedEntry, VerdictName, circuit as report,
};
use reductio_symbolic::{CtlAnswer, Direction, Engine as SymbolicEngine, Limits, Options, RelationChoice};

use crate::arguments::{CheckArguments, Format, Language, Vacuity};
use crate::certify_circuit::{certify, certify_ctl};
use crate::check::exit_code;
use crate::failure::Failure;
use crate::load::{LoadedCircuit, language, load_circuit};
use crate::machine::default_memory_limit;
use crate::{interrupt, output};

/// Where the machine does not tell how much memory is free.
const DEFAULT_MEMORY: u64 = 1 << 30;

pub fn run(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    refuse_what_makes_no_sense(arguments)?;
    let options = LoadOptions {
        invariants: arguments.invariants.clone(),
        ctl: arguments.ctl.clone(),
        ltl: arguments.ltl.clone(),
    };
    let LoadedCircuit { circuit, specifications, aiger_inputs } = load_circuit(&arguments.model, &options)?;
    let selection = Selection::new(arguments, &specifications, aiger_inputs.is_none())?;
    let interrupted = interrupt::on_ctrl_c()?;
    let start = Instant::now();
    let setup = Setup {
        memory: arguments.memory.or_else(|| default_memory_limit(StoreChoice::Exact)).unwrap_or(DEFAULT_MEMORY),
        cancel: &interrupted,
        start,
        arguments,
    };
    let (results, mut statistics, engine) = match arguments.engine {
        EngineChoice::Auto | EngineChoice::Symbolic => {
            let (results, statistics) = check(&circuit, &selection, &mut Symbolic::new(&circuit, &setup))?;
            (results, statistics, symbolic_name(setup.options()))
        }
        EngineChoice::Explicit => {
            let mut engine = Explicit { setup: &setup, engine: ExplicitEngine::new(&circuit, setup.control()) };
            let (results, statistics) = check(&circuit, &selection, &mut engine)?;
            (results, statistics, "explicit")
        }
        EngineChoice::Modular => return Err(Failure::NotForCircuits { option: "--engine modular" }),
        EngineChoice::Posets => return Err(Failure::NotForCircuits { option: "--engine posets" }),
    };
    statistics.seconds = start.elapsed().as_secs_f64();
    let limit = results.iter().find_map(|checked| checked.limit);
    if let (Some(path), Some(inputs)) = (&arguments.trace, aiger_inputs) {
        write_witnesses(path, &results, &specifications, inputs)?;
    }
    let report = CheckReport {
        schema: RESULT_SCHEMA,
        model: circuit.name.clone(),
        results: results.into_iter().map(|checked| checked.entry).collect(),
        statistics,
        plan: PlanEntry {
            engine,
            fairness: "none",
            cycles: None,
            applied: Vec::new(),
            details: Vec::new(),
            refused: Vec::new(),
        },
        unchecked: selection.unchecked,
        unreached: Vec::new(),
        complete: limit.is_none(),
        vacuity: None,
    };
    output::print(&match arguments.format {
        Format::Text => report::check_report(&report),
        Format::Json => report.to_json(),
    })?;
    Ok(exit_code(&report, limit))
}

fn symbolic_name(options: Options) -> &'static str {
    match (options.relation, options.direction) {
        (RelationChoice::Dynamic, Direction::Forward) => "symbolic",
        (RelationChoice::Dynamic, Direction::Backward) => "symbolic, backward",
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
    let given = [
        (!arguments.model.defines.is_empty(), "-D"),
        (matches!(arguments.reduce, ReduceChoice::List(_)), "--reduce with a list"),
        (arguments.fairness != Fairness::None, "--fairness"),
        (arguments.search != SearchOrder::BreadthFirst, "--search dfs"),
        (arguments.cycles != CycleSearch::Components, "--cycles"),
        (arguments.vacuity == Vacuity::Full, "--vacuity full"),
        (arguments.store != StoreChoice::Exact, "--store"),
        (arguments.threads != 1, "--threads"),
        (arguments.trace.is_some() && !is_aiger, "--trace"),
        (arguments.html.is_some(), "--html"),
        (arguments.max_violations != 1, "--max-violations"),
        (
            arguments.engine == EngineChoice::Explicit && arguments.relation.is_some(),
            "--relation with --engine explicit",
        ),
        (
            arguments.engine == EngineChoice::Explicit && arguments.direction.is_some(),
            "--direction with --engine explicit",
        ),
    ];
    match given.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(Failure::NotForCircuits { option }),
        None => Ok(()),
    }
}

/// What is checked, and what is not.
struct Selection<'s> {
    deadlock: bool,
    specifications: Vec<&'s Specification>,
    unchecked: Vec<UncheckedEntry>,
}

impl<'s> Selection<'s> {
    /// In AIGER there is no deadlock to look for: where constraints cannot be met, nothing is asked.
    fn new(arguments: &CheckArguments, all: &'s [Specification], can_deadlock: bool) -> Result<Selection<'s>, Failure> {
        let wanted = &arguments.properties;
        let deadlock = can_deadlock.then(|| "deadlock".to_owned());
        let known: Vec<String> = deadlock.into_iter().chain(all.iter().map(|one| one.name.clone())).collect();
        if let Some(name) = wanted.iter().find(|name| !known.contains(name)) {
            return Err(Failure::UnknownProperty { name: name.clone(), known });
        }
        if arguments.no_deadlock && wanted.iter().any(|name| name == "deadlock") {
            return Err(Failure::DeadlockBothWays);
        }
        let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
        let mut selection = Selection {
            deadlock: can_deadlock && is_wanted("deadlock") && !arguments.no_deadlock,
            specifications: all.iter().filter(|one| is_wanted(&one.name)).collect(),
            unchecked: Vec::new(),
        };
        let mut leave_out = |property: &str, because: &str| {
            let (property, because) = (property.to_owned(), because.to_owned());
            selection.unchecked.push(UncheckedEntry { property, because, at: None });
        };
        if arguments.no_deadlock && can_deadlock {
            leave_out("deadlock", "--no-deadlock");
        }
        for name in known.iter().filter(|name| !is_wanted(name)) {
            leave_out(name, "not among the properties asked for");
        }
        Ok(selection)
    }
}

/// What the engines may take.
struct Setup<'a> {
    memory: u64,
    cancel: &'a AtomicBool,
    start: Instant,
    arguments: &'a CheckArguments,
}

impl<'a> Setup<'a> {
    fn time(&self) -> Option<(Duration, Instant)> {
        self.arguments.time.map(|time| (time, self.start))
    }

    fn options(&self) -> Options {
        let CheckArguments { relation, direction, .. } = self.arguments;
        Options { relation: relation.unwrap_or_default(), direction: direction.unwrap_or_default() }
    }

    fn limits(&self) -> Limits<'a> {
        Limits { memory: self.memory, time: self.time(), cancel: Some(self.cancel) }
    }

    fn control(&self) -> Control<'a> {
        Control { memory: self.memory, time: self.time(), cancel: Some(self.cancel) }
    }
}

/// What can be asked of either engine.
trait Engine {
    fn broken_obligations(&mut self) -> Result<Vec<(&Obligation, String)>, Why>;
    fn has_initial_state(&self) -> bool;
    fn deadlock(&mut self) -> Answer;
    fn invariant(&mut self, atom: AtomId) -> Answer;
    fn ctl(&mut self, formula: &Formula) -> CtlAnswer;
    /// Runs that an automaton accepts, with the automaton's variables behind those of the circuit.
    /// Where runs must not end, none does, or there is no answer.
    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Answer;
    /// Do the runs of its answers about formulas of computation tree logic show why?
    fn shows_why(&self) -> bool;
    fn statistics(&self) -> StatisticsEntry;
}

struct Symbolic<'a> {
    setup: &'a Setup<'a>,
    engine: Result<SymbolicEngine<'a>, Limit>,
}

impl<'a> Symbolic<'a> {
    fn new(circuit: &'a Circuit, setup: &'a Setup<'a>) -> Symbolic<'a> {
        let engine = SymbolicEngine::new(circuit, setup.limits(), setup.options());
        Symbolic { setup, engine: engine.map_err(|stop| stop.0) }
    }

    fn ask(&self, question: impl FnOnce(&SymbolicEngine<'a>) -> Answer) -> Answer {
        self.engine.as_ref().map_or_else(|limit| Answer::Unanswered(Why::Limit(*limit)), question)
    }
}

impl Engine for Symbolic<'_> {
    fn broken_obligations(&mut self) -> Result<Vec<(&Obligation, String)>, Why> {
        let engine = self.engine.as_ref().map_err(|limit| Why::Limit(*limit))?;
        engine.broken_obligations().map_err(|stop| Why::Limit(stop.0))
    }

    fn has_initial_state(&self) -> bool {
        self.engine.as_ref().map_or(true, SymbolicEngine::has_initial_state)
    }

    fn deadlock(&mut self) -> Answer {
        self.ask(SymbolicEngine::deadlock)
    }

    fn invariant(&mut self, atom: AtomId) -> Answer {
        self.ask(|engine| engine.invariant(atom))
    }

    fn ctl(&mut self, formula: &Formula) -> CtlAnswer {
        match &self.engine {
            Ok(engine) => engine.ctl(formula),
            Err(limit) => CtlAnswer { answer: Answer::Unanswered(Why::Limit(*limit)), left: Vec::new() },
        }
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Answer {
        self.ask(|engine| {
            if let (false, Some(why)) = (may_end, engine.obstacle()) {
                return Answer::Unanswered(why);
            }
            let product = with_automaton(circuit, violations);
            match SymbolicEngine::new(&product, self.setup.limits(), self.setup.options()) {
                Ok(engine) => engine.no_fair_run(),
                Err(stop) => Answer::Unanswered(Why::Limit(stop.0)),
            }
        })
    }

    fn shows_why(&self) -> bool {
        true
    }

    fn statistics(&self) -> StatisticsEntry {
        let Ok(engine) = &self.engine else {
            return StatisticsEntry { threads: 1, store: "bdd", ..Default::default() };
        };
        let statistics = engine.statistics();
        StatisticsEntry {
            // Conversion from floating point takes the largest number for what is larger.
            states: statistics.states.map_or(0, |states| states as u64),
            depth: statistics.depth,
            memory_bytes: statistics.memory,
            threads: 1,
            store: "bdd",
            relation_nodes: Some(statistics.relation),
            ..Default::default()
        }
    }
}

struct Explicit<'a> {
    setup: &'a Setup<'a>,
    engine: ExplicitEngine<'a>,
}

impl Engine for Explicit<'_> {
    fn broken_obligations(&mut self) -> Result<Vec<(&Obligation, String)>, Why> {
        self.engine.broken_obligations().map_err(|_| Why::TooLarge)
    }

    fn has_initial_state(&self) -> bool {
        self.engine.has_initial_state()
    }

    fn deadlock(&mut self) -> Answer {
        self.engine.deadlock()
    }

    fn invariant(&mut self, atom: AtomId) -> Answer {
        self.engine.invariant(atom)
    }

    fn ctl(&mut self, formula: &Formula) -> CtlAnswer {
        CtlAnswer { answer: self.engine.ctl(formula), left: Vec::new() }
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Answer {
        match self.engine.obstacle() {
            Some(why) if !may_end => Answer::Unanswered(why),
            _ => ExplicitEngine::new(&with_automaton(circuit, violations), self.setup.control()).no_fair_run(),
        }
    }

    fn shows_why(&self) -> bool {
        false
    }

    fn statistics(&self) -> StatisticsEntry {
        let graph = self.engine.graph();
        StatisticsEntry {
            states: graph.states.len() as u64,
            transitions: graph.edges.iter().map(|edges| edges.len() as u64).sum(),
            depth: graph.depth,
            threads: 1,
            store: StoreChoice::Exact.name(),
            ..Default::default()
        }
    }
}

/// A result.
struct Checked {
    entry: ResultEntry,
    /// What kept it from being one.
    limit: Option<Limit>,
    /// The run that the violation is.
    run: Option<Run>,
}

fn check(
    circuit: &Circuit,
    selection: &Selection<'_>,
    engine: &mut impl Engine,
) -> Result<(Vec<Checked>, StatisticsEntry), Failure> {
    let unclear = refuse_nonsense(circuit, engine)?;
    let mut results = Vec::new();
    if selection.deadlock {
        let answer = unclear.map_or_else(|| engine.deadlock(), Answer::Unanswered);
        if let Answer::Violated(run) = &answer {
            certify(circuit, "deadlock", run, Reached::DeadEnd)?;
        }
        let reason = "the last state has no successor";
        results.push(entry(circuit, "deadlock", PropertyKind::Deadlock.name(), answer, reason, Vec::new()));
    }
    for specification in &selection.specifications {
        results.push(match unclear {
            Some(why) => {
                let kind = kind(&specification.what);
                entry(circuit, &specification.name, kind, Answer::Unanswered(why), "", Vec::new())
            }
            None => check_one(circuit, specification, engine)?,
        });
    }
    Ok((results, engine.statistics()))
}

/// Ends everything if the model makes no sense. Answers why that is not clear, if so.
fn refuse_nonsense(circuit: &Circuit, engine: &mut impl Engine) -> Result<Option<Why>, Failure> {
    match engine.broken_obligations() {
        Err(why) => return Ok(Some(why)),
        Ok(broken) if broken.is_empty() => {}
        Ok(broken) => {
            for (Obligation { message, position, .. }, values) in broken {
                let place = format!("{}:{}", circuit.place_name(*position), position.column);
                let example = if values.is_empty() { String::new() } else { format!(": for {values}") };
                output::complain(&format!("{place}: error: {message}{example}"));
            }
            return Err(Failure::Model);
        }
    }
    if engine.has_initial_state() { Ok(None) } else { Err(Failure::NoInitialState) }
}

fn kind(asked: &Asked) -> &'static str {
    match asked {
        Asked::Invariant(_) => PropertyKind::Invariant.name(),
        Asked::Ctl(_) => "ctl",
        Asked::Ltl(_) | Asked::Justice(_) => PropertyKind::Ltl.name(),
    }
}

fn check_one(circuit: &Circuit, specification: &Specification, engine: &mut impl Engine) -> Result<Checked, Failure> {
    let Specification { name, what, .. } = specification;
    let (answer, reason, unshown) = match what {
        Asked::Invariant(atom) => {
            let answer = engine.invariant(*atom);
            if let Answer::Violated(run) = &answer {
                certify(circuit, name, run, Reached::Without(circuit.atoms[atom.index()].expr))?;
            }
            (answer, "false in the last state", Vec::new())
        }
        Asked::Ctl(formula) => {
            let CtlAnswer { answer, left } = engine.ctl(formula);
            let mut unshown = Vec::new();
            if let Answer::Violated(run) = &answer
                && engine.shows_why()
            {
                certify_ctl(circuit, name, run, &formula.normal_form(true), &left)?;
                unshown = unshown_texts(circuit, &left);
            } else if let Answer::Violated(run) = &answer {
                certify(circuit, name, run, Reached::Anything)?;
            }
            let reason = if engine.shows_why() {
                "false in the first state"
            } else {
                "false in this state; --engine symbolic shows why"
            };
            (answer, reason, unshown)
        }
        Asked::Ltl(violations) | Asked::Justice(violations) => {
            let mut answer = engine.ltl(circuit, violations, matches!(what, Asked::Justice(_)));
            if let Answer::Violated(run) = &mut answer {
                forget_automaton(circuit, run);
                certify(circuit, name, run, Reached::FairCycle(Some(violations)))?;
            }
            (answer, "the states of the cycle repeat for ever", Vec::new())
        }
    };
    Ok(entry(circuit, name, kind(what), answer, reason, unshown))
}

/// Only the circuit's own variables are left.
fn forget_automaton(circuit: &Circuit, run: &mut Run) {
    for state in &mut run.states {
        state.truncate(circuit.variables.len());
    }
}

/// What else is true of a run, formula by formula.
fn unshown_texts(circuit: &Circuit, left: &[(usize, Formula)]) -> Vec<String> {
    let atom = |prop: Prop| circuit.atoms[prop.0 as usize].text.clone();
    let mut formulas: Vec<(&Formula, Vec<String>)> = Vec::new();
    for (place, formula) in left {
        let number = (place + 1).to_string();
        match formulas.iter_mut().find(|(known, _)| *known == formula) {
            Some((_, places)) => places.push(number),
            None => formulas.push((formula, vec![number])),
        }
    }
    let text = |(formula, places): (&Formula, Vec<String>)| {
        let state = if places.len() == 1 { "state" } else { "states" };
        format!("in {state} {}, {} holds, which this run does not show", places.join(", "), formula.text(&atom))
    };
    formulas.into_iter().map(text).collect()
}

fn entry(
    circuit: &Circuit,
    name: &str,
    kind: &'static str,
    answer: Answer,
    reason: &str,
    unshown: Vec<String>,
) -> Checked {
    let mut checked = Checked {
        entry: ResultEntry {
            property: name.to_owned(),
            kind,
            verdict: VerdictName::Holds,
            reason: None,
            trace: None,
            product_states: None,
            explanation: None,
            remarks: Vec::new(),
            run: None,
        },
        limit: None,
        run: None,
    };
    match answer {
        Answer::Holds => {}
        Answer::Unanswered(why) => {
            checked.limit = if let Why::Limit(limit) = why { Some(limit) } else { None };
            checked.entry.verdict = VerdictName::Inconclusive;
            checked.entry.reason = Some(why.to_string());
        }
        Answer::Violated(run) => {
            checked.entry.verdict = VerdictName::Violated;
            checked.entry.reason = Some(reason.to_owned());
            checked.entry.run = Some(RunEntry::new(circuit, &run, unshown));
            checked.run = Some(run);
        }
    }
    checked
}

/// Writes the runs of all violated properties of a model in AIGER.
fn write_witnesses(path: &Path, results: &[Checked], all: &[Specification], inputs: usize) -> Result<(), Failure> {
    let mut text = String::new();
    for checked in results {
        let Some(run) = &checked.run else { continue };
        // Properties are numbered by kind.
        let same_kind = |one: &&Specification| kind(&one.what) == checked.entry.kind;
        let number = all.iter().filter(same_kind).position(|one| one.name == checked.entry.property).unwrap_or(0);
        let letter = if checked.entry.kind == PropertyKind::Invariant.name() { 'b' } else { 'j' };
        text += &witness(&format!("{letter}{number}"), run, inputs);
    }
    if text.is_empty() {
        output::complain(&format!("{} was not written: there is no counterexample", path.display()));
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })
}
