//! The one way from a plan to an outcome: ask the engines, confirm what they say, explain it, suspect what holds.

use std::collections::HashSet;
use std::time::Instant;

use reductio_model::circuit::{Circuit, Obligation};
use reductio_model::{Budget, Interpreter, Model, Phase, Property, Statistics, Subject, Verdict, Why};
use reductio_reduce::{Ledger, Plan, Reduction, Refusal, StoreChoice};
use reductio_report::{DetailEntry, PlanEntry, RefusedEntry, StatisticsEntry, Technique, UnreachedEntry};
use reductio_symbolic::broken_obligations;

use crate::Unconfirmed;
use crate::certify::{Original, certify};
use crate::description::Description;
use crate::engines::circuit::CircuitEngine;
use crate::engines::{self, Engine, Finding, Summary};
use crate::job::CheckError;
use crate::outcome::{Answer, Outcome};
use crate::prepared::{Known, Planned, Prepared};
use crate::settings::{Settings, Vacuity};
use crate::vacuity::Suspicion;

/// What can be reported before anything is known.
pub fn nothing_known(prepared: &Prepared) -> Outcome {
    let subject = prepared.subject();
    let (name, plan) = match prepared.planned() {
        Planned::Processes { model, plan } => (&model.name, plan_of_processes(model, plan)),
        Planned::Circuit { circuit, plan } => {
            let (fairness, cycles) = ("none", None);
            (&circuit.name, plan_entry(circuit, plan.engine_name(), fairness, cycles, plan.ledger()))
        }
    };
    Outcome {
        plan,
        unchecked: prepared.selection().unchecked(subject),
        diagnostics: prepared.diagnostics().to_owned(),
        ..Outcome::nothing(name, prepared.settings())
    }
}

/// Answers all that is asked. What is known is in `known` as soon as it is.
pub fn check(prepared: &Prepared, budget: &Budget, known: &Known) -> Result<(), CheckError> {
    match prepared.planned() {
        Planned::Processes { model, plan } => {
            Processes { model, plan, settings: prepared.settings(), budget, started: Instant::now(), known }
                .check(prepared.properties())
        }
        Planned::Circuit { circuit, plan } => {
            let settings = prepared.settings();
            let engine =
                CircuitEngine { circuit, plan, states: settings.states.as_deref(), keeps_states: settings.keep_states };
            check_circuit(circuit, &engine, prepared.properties(), settings, budget, known)
        }
    }
}

/// Models of processes.
struct Processes<'p> {
    model: &'p Model,
    plan: &'p Plan,
    settings: &'p Settings,
    budget: &'p Budget,
    started: Instant,
    known: &'p Known,
}

impl Processes<'_> {
    fn check(&self, properties: &[Property]) -> Result<(), CheckError> {
        let interpreter = Interpreter::new(self.model);
        let engines = engines::of_processes(&interpreter, self.plan);
        for (place, (engine, properties)) in engines::assigned(&engines, properties)?.into_iter().enumerate() {
            let summary = self.ask(engine, &properties)?;
            // What is told of states and statements is what the first engine has seen.
            if place == 0 {
                self.add(&summary);
            } else if engine.name() != self.known.now().plan.engine {
                self.known.now().plan.engine = "explicit, and symbolic for CTL";
            }
            let mut known = self.known.now();
            known.limit = known.limit.or(summary.limit);
            let is_over = self.settings.first_only && known.is_violated();
            if is_over {
                known.limit = known.limit.or(Some(Why::FirstFound));
            }
            drop(known);
            // Who wants the first violation does not want to wait for anything after it.
            if is_over {
                break;
            }
            self.suspect(&properties);
        }
        Ok(())
    }

    /// Has an engine answer, and confirms what it says.
    fn ask(&self, engine: &dyn Engine, properties: &[Property]) -> Result<Summary, CheckError> {
        let mut description = Description::new(self.settings, self.budget);
        let original = Original::Processes(self.model, self.plan.fairness());
        let mut tell = |finding: Finding| {
            let _confirming = self.budget.during(Phase::Confirming);
            if description.goes_on(&finding) {
                let answer = confirmed(original, finding, &mut description)?;
                self.known.now().answers.push(answer);
            }
            Ok(())
        };
        let summary = engine.answer(properties, &self.budget.during(Phase::Searching), &mut tell)?;
        self.known.now().further.extend(description.not_shown(self.model, &summary.violations));
        Ok(summary)
    }

    /// What an engine has seen.
    fn add(&self, summary: &Summary) {
        let (model, mut known) = (self.model, self.known.now());
        let store = if summary.plain { StoreChoice::Exact } else { self.plan.store() };
        known.statistics = statistics_entry(&summary.statistics, store.name());
        known.statistics.threads = if summary.plain { 1 } else { self.plan.threads() };
        if summary.plain {
            // States that are too long to be packed are searched plainly, and the user should know.
            known.plan.engine = "explicit, with states too long to be packed";
        }
        known.unreached_complete = summary.complete;
        let unreached = summary.coverage.iter().flat_map(|coverage| coverage.unreached(model));
        known.unreached = unreached
            .map(|(proctype, action)| {
                let proctype = model.proctype(proctype);
                let action = proctype.action(action);
                UnreachedEntry {
                    at: model.place_name(action.position),
                    proctype: proctype.name.clone(),
                    statement: action.text.clone(),
                }
            })
            .collect();
    }

    /// Adds what there is to suspect of the claims that hold.
    fn suspect(&self, properties: &[Property]) {
        let holds = |answer: &Answer| matches!(answer.verdict, Verdict::Holds);
        let claims: Vec<_> = {
            let known = self.known.now();
            let holding = known.answers.iter().filter(|answer| holds(answer)).filter_map(|answer| answer.property);
            holding
                .filter_map(|property| if let Property::Claim(id) = property { Some((property, id)) } else { None })
                .collect()
        };
        let claims = claims.into_iter().filter(|(property, _)| properties.contains(property));
        let claims: Vec<_> = claims.collect();
        if claims.is_empty() || self.settings.vacuity == Vacuity::Off {
            return;
        }
        let is_thorough = self.settings.vacuity == Vacuity::Full;
        let request = self.settings.plan_request(self.plan.properties());
        let budget = self.budget.during(Phase::CheckingVacuity);
        let mut suspicion = Suspicion::new(self.model, request, is_thorough, self.started.elapsed(), &budget);
        for (property, claim) in claims {
            let remarks = suspicion.remarks(claim);
            let mut known = self.known.now();
            let answer = known.answers.iter_mut().find(|answer| answer.property == Some(property));
            answer.expect("it holds").remarks = remarks;
            known.vacuity = Some(suspicion.effort());
        }
    }
}

/// What an engine says, once it is confirmed.
fn confirmed(
    original: Original<'_>,
    finding: Finding,
    description: &mut Description<'_>,
) -> Result<Answer, Unconfirmed> {
    let Finding { property, verdict, product, may_be_longer } = finding;
    let verdict = match verdict {
        Verdict::Holds => Verdict::Holds,
        Verdict::Inconclusive(why) => Verdict::Inconclusive(why),
        Verdict::Violated(claimed) => {
            Verdict::Violated(description.of(original, certify(original, property, claimed)?))
        }
    };
    let product_states = product.map(|statistics| statistics.states);
    Ok(Answer { product_states, may_be_longer, ..Answer::new(property, original.subject(), verdict) })
}

fn check_circuit(
    circuit: &Circuit,
    engine: &CircuitEngine<'_>,
    properties: &[Property],
    settings: &Settings,
    budget: &Budget,
    known: &Known,
) -> Result<(), CheckError> {
    let store = if engine.plan.is_explicit() { StoreChoice::Exact.name() } else { "bdd" };
    known.now().statistics = statistics_entry(&Statistics::default(), store);
    let unanswered = |why: Why| {
        let answers = properties.iter().map(|property| Answer::new(*property, circuit, Verdict::Inconclusive(why)));
        let mut known = known.now();
        known.answers = answers.collect();
        known.limit = Some(why);
        Ok(())
    };
    match engine.broken_obligations(&budget.during(Phase::CheckingValues)) {
        Err(why) => return unanswered(why),
        Ok(broken) if !broken.is_empty() => return Err(CheckError::NoValues { diagnostics: texts(circuit, broken) }),
        Ok(_) => {}
    }
    if let Some(refusal) = properties.iter().find_map(|property| engine.can(*property).err()) {
        return Err(refusal.into());
    }
    let mut description = Description::new(settings, budget);
    let mut tell = |finding: Finding| {
        let _confirming = budget.during(Phase::Confirming);
        if description.goes_on(&finding) {
            let answer = confirmed(Original::Circuit(circuit), finding, &mut description)?;
            known.now().answers.push(answer);
        }
        Ok(())
    };
    let summary = engine.answer(properties, &budget.during(Phase::Searching), &mut tell)?;
    let mut known = known.now();
    known.statistics = statistics_entry(&summary.statistics, store);
    known.states = summary.states;
    known.limit = known.limit.or(summary.limit);
    Ok(())
}

/// Makes sure that every expression of a circuit always has a value, for whoever takes its steps one by one.
pub fn expect_values(circuit: &Circuit, budget: &Budget) -> Result<(), CheckError> {
    let broken = broken_obligations(circuit, budget).map_err(|stop| CheckError::UnknownValues(stop.0))?;
    match broken.is_empty() {
        true => Ok(()),
        false => Err(CheckError::NoValues { diagnostics: texts(circuit, broken) }),
    }
}

/// Obligations that are not met, with values for which they are not.
fn texts(circuit: &Circuit, broken: Vec<(&Obligation, String)>) -> Vec<String> {
    let mut told = HashSet::new();
    // A definition asks for the same wherever it is used.
    let is_new = |(obligation, _): &(&Obligation, String)| {
        told.insert((obligation.position.line, obligation.position.column, obligation.message.clone()))
    };
    let text = |(Obligation { message, position, .. }, values): (&Obligation, String)| {
        let place = format!("{}:{}", circuit.place_name(*position), position.column);
        let example = if values.is_empty() { String::new() } else { format!(": for {values}") };
        format!("{place}: error: {message}{example}")
    };
    broken.into_iter().filter(is_new).map(text).collect()
}

fn statistics_entry(statistics: &Statistics, store: &'static str) -> StatisticsEntry {
    let Statistics { states, transitions, depth, seconds, memory_bytes, confusion, probed, diagrams } = *statistics;
    StatisticsEntry {
        states,
        transitions,
        depth,
        seconds,
        memory_bytes,
        threads: 1,
        store: if diagrams.is_some() { "bdd" } else { store },
        coverage_estimate: confusion.map(|confusion| 1.0 - confusion),
        probed_states: (probed > 0).then_some(probed),
        relation_nodes: diagrams.map(|diagrams| diagrams.relation),
        peak_nodes: diagrams.map(|diagrams| diagrams.nodes),
    }
}

fn plan_of_processes(model: &Model, plan: &Plan) -> PlanEntry {
    let looks_for_cycles = plan.properties().iter().any(|property| property.is_of_infinite_runs());
    let cycles = looks_for_cycles.then_some(plan.cycle_search().name());
    plan_entry(model, plan.engine_name(), plan.fairness().name(), cycles, plan.ledger())
}

fn plan_entry(
    of: &impl Subject,
    engine: &'static str,
    fairness: &'static str,
    cycles: Option<&'static str>,
    ledger: &Ledger,
) -> PlanEntry {
    let technique = |reduction: Reduction| Technique { name: reduction.name(), full_name: reduction.full_name() };
    let refused = |Refusal { reduction, because, at, is_routine }: &Refusal| RefusedEntry {
        reduction: technique(*reduction),
        because: because.clone(),
        at: at.map(|position| of.place_name(position)),
        is_routine: *is_routine,
    };
    PlanEntry {
        engine,
        fairness,
        cycles,
        applied: ledger.applied.iter().copied().map(technique).collect(),
        details: ledger
            .details
            .iter()
            .map(|(reduction, text)| DetailEntry { reduction: technique(*reduction), text: text.clone() })
            .collect(),
        refused: ledger.refused.iter().map(refused).collect(),
    }
}
