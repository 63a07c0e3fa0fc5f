//! Processes with sets of states as BDDs: properties of states, and CTL.

use std::time::Instant;

use reductio_explicit::{Coverage, PropertyVerdict, Reduction, SearchResult};
use reductio_logic::ctl::Formula;
use reductio_model::{Budget, Interpreter, Property, Statistics, Trace, Verdict, Why, Witness};
use reductio_reduce::model_to_model::{LiftedRun, lift_run};
use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{EngineChoice, Plan};
use reductio_symbolic::interleaved;

use super::{Engine, Finding, Summary, Tell, UnconfirmedEvidence};
use crate::Unconfirmed;
use crate::certify::ctl::Places;
use crate::job::CheckError;

pub struct Symbolic<'p> {
    interpreter: &'p Interpreter<'p>,
    plan: Plan,
}

impl<'p> Symbolic<'p> {
    /// For all that the plan is for.
    pub fn new(interpreter: &'p Interpreter<'p>, plan: &Plan) -> Symbolic<'p> {
        Symbolic { interpreter, plan: plan.clone() }
    }

    /// For the CTL formulas among it, which allow fewer reductions than the rest.
    pub fn for_ctl(interpreter: &'p Interpreter<'p>, plan: &Plan) -> Symbolic<'p> {
        Symbolic { interpreter, plan: plan.for_ctl() }
    }

    /// The answers about `model`, which is the model as it was read or was made of it.
    fn answer_about(
        &self,
        model: &Interpreter<'_>,
        reduction: Option<&Reduction<'_>>,
        properties: &[Property],
        budget: &Budget,
        tell: Tell<'_>,
    ) -> Result<Summary, CheckError> {
        let started = Instant::now();
        let engine = interleaved::Engine::new(model, budget).map_err(|stop| stop.0);
        let mut limit = engine.as_ref().map_or_else(|limit| Some(*limit), interleaved::Engine::limit);
        let mut of_states = Vec::new();
        for &property in properties {
            let is_violated = |entry: &PropertyVerdict| matches!(entry.verdict, Verdict::Violated(_));
            let verdict = match (&engine, property) {
                _ if self.plan.is_first_only() && of_states.iter().any(is_violated) => {
                    limit = limit.or(Some(Why::FirstFound));
                    Verdict::Inconclusive(Why::FirstFound)
                }
                (Err(limit), _) => Verdict::Inconclusive(*limit),
                (Ok(engine), Property::Deadlock) => engine.deadlock(),
                (Ok(engine), Property::Assertions) => engine.assertions(),
                (Ok(engine), Property::Invariant(invariant)) => {
                    engine.invariant(model.model().invariant(invariant).atom)
                }
                (Ok(engine), Property::Ctl(id)) => engine.ctl(&self.interpreter.model().ctl_formula(id).formula),
                (Ok(_), Property::Claim(_)) => unreachable!("it was not asked for infinite runs"),
            };
            if let Verdict::Inconclusive(Why::Interrupted) = verdict {
                limit = Some(Why::Interrupted);
            }
            of_states.push(PropertyVerdict::new(property, verdict));
        }
        let mut coverage = Coverage::default();
        let mut statistics = Statistics::default();
        if let Ok(engine) = &engine {
            statistics = engine.statistics();
            coverage.mark(&engine.executed().iter().copied().collect::<Vec<_>>());
        }
        statistics.seconds = started.elapsed().as_secs_f64();
        let (of_formulas, verdicts): (Vec<_>, Vec<_>) =
            of_states.into_iter().partition(|found| matches!(found.property, Property::Ctl(_)));
        // Whatever was asked of them, all states were reached.
        let (violations, complete) = (Vec::new(), limit.is_none_or(|limit| limit == Why::FirstFound));
        let mut result = SearchResult { verdicts, violations, statistics, coverage, complete, limit, plain: false };
        if let Some(reduction) = reduction {
            // Runs to states have no cycles.
            result = reduction.lift(result).0;
        }
        for found in result.verdicts {
            let claimed = |witness| UnconfirmedEvidence::Processes { witness, implied: Vec::new() };
            tell(Finding::new(found.property, found.verdict.map(claimed)))?;
        }
        let mut too_long = Vec::new();
        for found in of_formulas {
            let verdict = match found.verdict {
                Verdict::Violated(witness) => match self.lifted(model, found.property, &witness)? {
                    Some(claimed) => Verdict::Violated(claimed),
                    None => {
                        too_long.push(found.property);
                        continue;
                    }
                },
                Verdict::Holds => Verdict::Holds,
                Verdict::Inconclusive(why) => Verdict::Inconclusive(why),
            };
            tell(Finding::new(found.property, verdict))?;
        }
        // A counterexample that is too long on the model as it was read is looked for again, there.
        if !too_long.is_empty() {
            let again = self.answer_about(self.interpreter, None, &too_long, budget, tell)?;
            limit = limit.or(again.limit);
        }
        let coverage = Some(result.coverage);
        Ok(Summary { statistics, coverage, complete, limit, ..Summary::default() })
    }

    /// A run for a CTL formula, as one of the model as it was read, if it is not too long there. What it leaves open stays open in the
    /// same places.
    fn lifted(
        &self,
        model: &Interpreter<'_>,
        property: Property,
        found: &Witness,
    ) -> Result<Option<UnconfirmedEvidence>, Unconfirmed> {
        let name = property.name(self.interpreter.model());
        let our_bug = |error| Unconfirmed { property: name.clone(), story: format!("it does not replay: {error}") };
        let Some(LiftedRun { trace, parts_of }) = lift_run(self.interpreter, model, &found.run) else {
            return Ok(None);
        };
        let after = Places::of(self.interpreter, &trace).map_err(our_bug)?;
        let before = Places::of(model, &found.run).map_err(our_bug)?;
        let (left, implied) = carried_over(found, &trace, &parts_of, &before, &after);
        Ok(Some(UnconfirmedEvidence::Processes { witness: Witness { left, ..Witness::of(trace) }, implied }))
    }
}

/// Formulas that hold at places of a run.
type AtPlaces = Vec<(usize, Formula)>;

/// What a run leaves open, for the places of the same run of another model: first what holds in places that are the same, then what
/// holds in the middle of a merged path, where everything is as in the place before or in the one after it.
fn carried_over(
    found: &Witness,
    trace: &Trace,
    parts_of: &[usize],
    before: &Places,
    after: &Places,
) -> (AtPlaces, AtPlaces) {
    let stem = found.run.stem.len();
    let around = stem + found.run.cycle.len();
    // The place at which the reduced run is after so many steps. A cycle may have been gone through more than once until what is
    // dead repeats, too.
    let place_after = |steps: usize| {
        let steps = if steps >= around && around > stem { stem + (steps - stem) % (around - stem) } else { steps };
        before.after_steps(steps)
    };
    let (mut left, mut implied) = (Vec::new(), Vec::new());
    for place in 0..after.len() {
        let steps = after.steps_before(place);
        let begun = steps.checked_sub(1).map(|last| parts_of[last]);
        let is_on_path = begun.is_some() && begun == parts_of.get(steps).copied();
        let begun = begun.map_or(0, |part| part + 1);
        let like = [Some(begun), begun.checked_sub(1).filter(|_| is_on_path)];
        let like: Vec<usize> = like.into_iter().flatten().filter_map(place_after).collect();
        // A run that has ended stays where it is.
        let is_last = trace.cycle.is_empty() && place + 1 == after.len();
        let is_like = |at: usize| like.contains(&at) || (is_last && at >= before.len());
        let same = found.left.iter().filter(|(at, _)| is_like(*at)).map(|(_, formula)| (place, formula.clone()));
        if is_on_path { implied.extend(same) } else { left.extend(same) }
    }
    (left, implied)
}

impl Engine for Symbolic<'_> {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn can(&self, property: Property) -> Result<(), Unavailable> {
        if property.is_of_infinite_runs() {
            let explicit = Alternative::Setting(Setting::Engine(EngineChoice::Explicit));
            let symbolic = Setting::Engine(EngineChoice::Symbolic);
            let instead = [explicit, Alternative::OtherProperties];
            return Err(Unavailable::new(symbolic, Conflict::For(Topic::InfiniteRuns), &instead));
        }
        Ok(())
    }

    fn answer(&self, properties: &[Property], budget: &Budget, tell: Tell<'_>) -> Result<Summary, CheckError> {
        match Reduction::of(self.interpreter, &self.plan) {
            None => self.answer_about(self.interpreter, None, properties, budget, tell),
            Some(reduction) => {
                let smaller = Interpreter::new(&reduction.reduced.model);
                self.answer_about(&smaller, Some(&reduction), properties, budget, tell)
            }
        }
    }
}
