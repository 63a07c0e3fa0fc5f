//! Models of processes with the symbolic engine: the properties that it serves, and formulas of computation trees.

use std::time::Instant;

use reductio_explicit::{Coverage, PropertyVerdict, Reduction, SearchResult};
use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Showing};
use reductio_model::{
    AtomId, Budget, CtlFormula, Interpreter, Property, PropertyKind, Replayed, State, Statistics, Trace, Verdict, Why,
    Workspace, replay,
};
use reductio_reduce::Plan;
use reductio_reduce::model_to_model::{LiftedRun, lift_run};
use reductio_report::{ExplanationEntry, ResultEntry, StatisticsEntry, TraceEntry, VerdictName};
use reductio_symbolic::interleaved::{Engine, Shown};

use crate::Unconfirmed;

/// What the engine found.
pub struct Found {
    /// In the words of the explicit engine.
    pub result: SearchResult,
    pub statistics: StatisticsEntry,
    pub trees: Vec<ResultEntry>,
}

/// Checks the properties of the plan, and formulas of computation trees, on a model that was made smaller before where the plan
/// says so.
pub fn check(interpreter: &Interpreter<'_>, plan: &Plan, budget: Budget<'_>) -> Result<Found, Unconfirmed> {
    match Reduction::of(interpreter, plan) {
        None => check_as_is(interpreter, interpreter, plan, budget),
        Some(reduction) => {
            let smaller = Interpreter::new(&reduction.reduced.model);
            let found = check_as_is(interpreter, &smaller, plan, budget)?;
            Ok(Found { result: reduction.lift(found.result), ..found })
        }
    }
}

/// The answers of the engine about `model`, which is `original` or was made of it. Only runs for formulas are those of the
/// original.
fn check_as_is(
    original: &Interpreter<'_>,
    model: &Interpreter<'_>,
    plan: &Plan,
    budget: Budget<'_>,
) -> Result<Found, Unconfirmed> {
    let started = Instant::now();
    let engine = Engine::new(model, budget).map_err(|stop| stop.0);
    let verdict = |property: Property| match (&engine, property) {
        (Err(limit), _) => Verdict::Inconclusive(*limit),
        (Ok(engine), Property::Deadlock) => engine.deadlock(),
        (Ok(engine), Property::Assertions) => engine.assertions(),
        (Ok(engine), Property::Invariant(invariant)) => engine.invariant(model.model().invariant(invariant).atom),
        (Ok(_), Property::Claim(_) | Property::Ctl(_)) => unreachable!("it is no property of states"),
    };
    let verdicts: Vec<PropertyVerdict> = plan
        .properties()
        .iter()
        .filter(|property| property.is_of_states())
        .map(|&property| PropertyVerdict { property, verdict: verdict(property), statistics: None })
        .collect();
    let mut limit = engine.as_ref().map_or_else(|limit| Some(*limit), Engine::limit);
    let mut entries = Vec::new();
    for property in plan.properties() {
        let Property::Ctl(id) = property else { continue };
        let CtlFormula { name, formula, .. } = original.model().ctl_formula(*id);
        let answer = match &engine {
            Ok(engine) => engine.ctl(formula),
            Err(limit) => Verdict::Inconclusive(*limit),
        };
        if let Verdict::Inconclusive(Why::Interrupted) = answer {
            limit = Some(Why::Interrupted);
        }
        entries.push(tree_entry(original, model, name, formula, answer)?);
    }
    let mut statistics = StatisticsEntry { threads: 1, store: "bdd", ..Default::default() };
    let mut coverage = Coverage::default();
    if let Ok(engine) = &engine {
        let numbers = engine.statistics();
        // Conversion from floating point takes the largest number for what is larger.
        (statistics.states, statistics.depth) = (numbers.states as u64, numbers.rounds);
        (statistics.memory_bytes, statistics.peak_nodes) = (numbers.memory, Some(numbers.nodes));
        statistics.relation_nodes = Some(numbers.relation as f64);
        coverage.mark(&engine.executed().iter().copied().collect::<Vec<_>>());
    }
    statistics.seconds = started.elapsed().as_secs_f64();
    let result = SearchResult {
        verdicts,
        violations: Vec::new(),
        statistics: Statistics { seconds: statistics.seconds, states: statistics.states, ..Default::default() },
        coverage,
        complete: limit.is_none(),
        limit,
        plain: false,
    };
    Ok(Found { result, statistics, trees: entries })
}

fn tree_entry(
    original: &Interpreter<'_>,
    model: &Interpreter<'_>,
    name: &str,
    formula: &Formula,
    answer: Verdict<Shown>,
) -> Result<ResultEntry, Unconfirmed> {
    let mut entry = ResultEntry::new(name.to_owned(), PropertyKind::Ctl.name());
    match answer {
        Verdict::Holds => {}
        Verdict::Inconclusive(why) => {
            entry.verdict = VerdictName::Inconclusive;
            entry.reason = Some(why.to_string());
        }
        Verdict::Violated(shown) => {
            let run = Run::new(original, model, name, shown)?;
            run.certify(original, name, &formula.normal_form(true))?;
            entry.verdict = VerdictName::Violated;
            let notes = run.notes(original);
            if run.trace.stem.is_empty() && run.trace.cycle.is_empty() && !run.left.is_empty() {
                entry.reason = Some("false in the initial state, which no single run shows".to_owned());
            } else {
                entry.reason = Some("false in the initial state, as a run shows".to_owned());
                entry.trace = Some(run.shown);
                entry.explanation = notes.map(|note| ExplanationEntry {
                    atoms: Vec::new(),
                    reasons: Vec::new(),
                    visits: Vec::new(),
                    again_after: None,
                    note: Some(note),
                });
            }
        }
    }
    Ok(entry)
}

/// The states of a run that are seen, with the number of steps before them.
fn seen(replayed: &Replayed) -> Vec<(usize, State)> {
    let states = (0..=replayed.outcomes.len()).filter_map(|step| Some((step, replayed.before(step)?.clone())));
    states.filter(|(_, state)| state.exclusive.is_none()).collect()
}

/// A run of the model as it was read.
struct Run {
    trace: Trace,
    shown: TraceEntry,
    /// The states that are seen, with the number of steps before them.
    places: Vec<(usize, State)>,
    /// The place that follows the last one, if the run goes on for ever or has ended.
    cycle_start: Option<usize>,
    /// What holds in some of them and is not shown.
    left: Vec<(usize, Formula)>,
    /// The same for places in the middle of a merged path, which are like the one before or the one after it.
    left_on_paths: Vec<(usize, Formula)>,
}

impl Run {
    fn new(
        original: &Interpreter<'_>,
        model: &Interpreter<'_>,
        property: &str,
        shown: Shown,
    ) -> Result<Run, Unconfirmed> {
        let our_bug =
            |error| Unconfirmed { property: property.to_owned(), story: format!("it does not replay: {error}") };
        let LiftedRun { trace, parts_of } = lift_run(original, model, &shown.trace);
        let replayed = replay(original, &trace).map_err(our_bug)?;
        let mut places = seen(&replayed);
        let cycle_start = if trace.cycle.is_empty() {
            let last = places.last().filter(|(_, state)| original.steps(state).is_empty());
            last.map(|_| places.len() - 1)
        } else {
            // The last state is the first one of the cycle again.
            places.pop();
            places.iter().position(|(step, _)| *step == trace.stem.len())
        };
        let before = seen(&replay(model, &shown.trace).map_err(our_bug)?);
        let stem = shown.trace.stem.len();
        let around = stem + shown.trace.cycle.len();
        // The place at which the reduced run is after so many steps. A cycle may have been gone through more than once until what is
        // dead repeats, too.
        let place_after = |steps: usize| {
            let steps = if steps >= around && around > stem { stem + (steps - stem) % (around - stem) } else { steps };
            before.iter().position(|(step, _)| *step == steps)
        };
        let (mut left, mut left_on_paths) = (Vec::new(), Vec::new());
        for (place, (step, _)) in places.iter().enumerate() {
            let begun = step.checked_sub(1).map(|last| parts_of[last]);
            let is_on_path = begun.is_some() && begun == parts_of.get(*step).copied();
            let begun = begun.map_or(0, |part| part + 1);
            let like = [Some(begun), begun.checked_sub(1).filter(|_| is_on_path)];
            let like: Vec<usize> = like.into_iter().flatten().filter_map(place_after).collect();
            // A run that has ended stays where it is.
            let is_last = trace.cycle.is_empty() && place + 1 == places.len();
            let is_like = |at: usize| like.contains(&at) || (is_last && at >= before.len());
            let same = shown.left.iter().filter(|(at, _)| is_like(*at)).map(|(_, formula)| (place, formula.clone()));
            if is_on_path { left_on_paths.extend(same) } else { left.extend(same) }
        }
        let entry = TraceEntry::new(original.model(), &replayed, trace.stem.len());
        Ok(Run { trace, shown: entry, places, cycle_start, left, left_on_paths })
    }

    /// Looks whether the run shows a formula in negation normal form, but for what is left.
    fn certify(&self, interpreter: &Interpreter<'_>, property: &str, formula: &Formula) -> Result<(), Unconfirmed> {
        let mut holds = |prop: Prop, place: usize| {
            let workspace = Workspace::new(self.places[place].1.clone());
            interpreter.atom_holds(&workspace, AtomId(prop.0)) == Ok(true)
        };
        let left = [&self.left[..], &self.left_on_paths].concat();
        let (places, cycle_start) = (self.places.len(), self.cycle_start);
        if (Showing { places, cycle_start, given: &left, holds: &mut holds }).shows(formula, 0) {
            return Ok(());
        }
        Err(Unconfirmed { property: property.to_owned(), story: "its run does not show it".to_owned() })
    }

    /// What else is true of the run.
    fn notes(&self, interpreter: &Interpreter<'_>) -> Option<String> {
        let atom = |prop: Prop| interpreter.model().atoms[prop.0 as usize].text.clone();
        let mut formulas: Vec<(&Formula, Vec<String>)> = Vec::new();
        for (place, formula) in &self.left {
            let step = self.places[*place].0.to_string();
            match formulas.iter_mut().find(|(known, _)| *known == formula) {
                Some((_, steps)) => steps.push(step),
                None => formulas.push((formula, vec![step])),
            }
        }
        let text = |(formula, steps): &(&Formula, Vec<String>)| {
            let word = if steps.len() == 1 { "step" } else { "steps" };
            format!("after {word} {}, {} holds, which this run does not show", steps.join(", "), formula.text(&atom))
        };
        let texts: Vec<String> = formulas.iter().map(text).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}
