//! Circuits, with sets of states as BDDs or state by state: the same questions for either.

use std::sync::Arc;

use reductio_explicit::circuit::Engine as ExplicitEngine;
use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Circuit, Obligation, Run, Simulator, with_automaton};
use reductio_model::{AtomId, Automaton, Budget, Property, Statistics, Verdict, Why, Witness};
use reductio_reduce::EngineChoice;
use reductio_reduce::circuit_plan::{CircuitPart, CircuitPlan};
use reductio_reduce::cone_of_influence::Cone;
use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_symbolic::bdd::NoDiagram;
use reductio_symbolic::{Engine as SymbolicEngine, NoStates, Options, broken_obligations};

use super::{Engine, Finding, Summary, Tell, UnconfirmedEvidence};
use crate::job::CheckError;

/// A circuit as a plan has it checked: in parts, each by an engine of its own.
pub struct CircuitEngine<'p> {
    pub circuit: &'p Circuit,
    pub plan: &'p CircuitPlan,
    /// The reachable states, as an earlier check told them.
    pub states: Option<&'p str>,
    /// Are the reachable states to be told?
    pub keeps_states: bool,
}

impl CircuitEngine<'_> {
    /// The obligations that the circuit does not meet, each with values for which it does not.
    pub fn broken_obligations(&self, budget: &Budget) -> Result<Vec<(&Obligation, String)>, Why> {
        match self.plan.is_explicit() {
            true => Simulator::new(self.circuit).broken_obligations().map_err(|_| Why::TooLarge),
            false => broken_obligations(self.circuit, budget).map_err(|stop| stop.0),
        }
    }

    fn engine<'a>(&'a self, part: &'a CircuitPart, budget: &'a Budget) -> Result<Box<dyn PartEngine + 'a>, NoStates> {
        let circuit = &part.cone.circuit;
        Ok(match self.plan.is_explicit() {
            true => Box::new(Explicit { budget, engine: ExplicitEngine::new(circuit, budget) }),
            false => Box::new(Symbolic::new(circuit, budget, Options::of(self.plan), self.states)?),
        })
    }
}

impl Engine for CircuitEngine<'_> {
    fn name(&self) -> &'static str {
        self.plan.engine_name()
    }

    fn can(&self, property: Property) -> Result<(), Unavailable> {
        match property {
            // No step of a circuit goes wrong.
            Property::Assertions => {
                let engine = Setting::Engine(EngineChoice::Auto);
                Err(Unavailable::new(engine, Conflict::For(Topic::Circuits), &[Alternative::OtherProperties]))
            }
            Property::Deadlock | Property::Invariant(_) | Property::Claim(_) | Property::Ctl(_) => Ok(()),
        }
    }

    fn answer(&self, properties: &[Property], budget: &Budget, tell: Tell<'_>) -> Result<Summary, CheckError> {
        let mut summary = Summary::default();
        let mut largest = 0;
        for part in self.plan.parts() {
            let mut engine = self.engine(part, budget).map_err(CheckError::States)?;
            if !engine.has_initial_state() {
                return Err(CheckError::NoInitialState);
            }
            for &property in part.properties.iter().filter(|property| properties.contains(property)) {
                let verdict = ask(engine.as_mut(), self.circuit, &part.cone, property);
                if let Verdict::Inconclusive(why) = &verdict {
                    summary.limit = summary.limit.or(Some(*why));
                }
                let shows_why = engine.shows_why();
                let claimed = |witness| UnconfirmedEvidence::Circuit { witness, shows_why, part: part.cone.clone() };
                tell(Finding::new(property, verdict.map(claimed)))?;
            }
            if self.keeps_states {
                summary.states = engine.states_as_text();
            }
            // What is told is that of the largest part.
            let size = part.cone.kept.iter().filter(|kept| **kept).count();
            if size >= largest {
                let memory = summary.statistics.memory_bytes;
                summary.statistics = engine.statistics();
                summary.statistics.memory_bytes = memory.max(summary.statistics.memory_bytes);
                largest = size;
            }
        }
        summary.complete = summary.limit.is_none();
        Ok(summary)
    }
}

fn ask(engine: &mut dyn PartEngine, circuit: &Circuit, cone: &Arc<Cone>, property: Property) -> Verdict<Witness<Run>> {
    match property {
        Property::Deadlock => engine.deadlock().map(Witness::of),
        Property::Invariant(id) => engine.invariant(circuit.invariant(id).atom).map(Witness::of),
        Property::Ctl(id) => engine.ctl(&circuit.ctl_formula(id).formula),
        Property::Claim(id) => {
            let claim = circuit.claim(id);
            let found = engine.ltl(&cone.circuit, &claim.violations, claim.of_infinite_runs_only);
            // Only the circuit's own variables are left.
            found.map(|mut run| {
                run.states.iter_mut().for_each(|state| state.truncate(circuit.variables.len()));
                Witness::of(run)
            })
        }
        Property::Assertions => unreachable!("no step of a circuit goes wrong"),
    }
}

/// What can be asked about a part of a circuit, however it is answered.
trait PartEngine {
    fn has_initial_state(&self) -> bool;
    fn deadlock(&mut self) -> Verdict<Run>;
    fn invariant(&mut self, atom: AtomId) -> Verdict<Run>;
    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Run>>;
    /// Runs that an automaton accepts, with the automaton's variables behind those of the circuit.
    /// Where runs must not end, none does, or there is no answer.
    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run>;
    /// Do the runs of its answers about CTL formulas show why? Otherwise they are states in which a formula is false.
    fn shows_why(&self) -> bool;
    /// The states that can be reached, for a file, if all are known.
    fn states_as_text(&self) -> Option<String>;
    fn statistics(&self) -> Statistics;
}

struct Symbolic<'a> {
    budget: &'a Budget,
    options: Options,
    engine: Result<SymbolicEngine<'a>, Why>,
}

impl<'a> Symbolic<'a> {
    fn new(
        circuit: &'a Circuit,
        budget: &'a Budget,
        options: Options,
        states: Option<&str>,
    ) -> Result<Symbolic<'a>, NoStates> {
        let engine = match states {
            None => SymbolicEngine::new(circuit, budget, options).map_err(|stop| stop.0),
            Some(text) => match SymbolicEngine::with_states(circuit, budget, options, text) {
                Err(NoStates::NoDiagram(NoDiagram::Stopped(stop))) => Err(stop.0),
                known => Ok(known?),
            },
        };
        Ok(Symbolic { budget, options, engine })
    }

    fn ask<W>(&self, question: impl FnOnce(&SymbolicEngine<'a>) -> Verdict<W>) -> Verdict<W> {
        self.engine.as_ref().map_or_else(|limit| Verdict::Inconclusive(*limit), question)
    }
}

impl PartEngine for Symbolic<'_> {
    fn has_initial_state(&self) -> bool {
        self.engine.as_ref().map_or(true, SymbolicEngine::has_initial_state)
    }

    fn deadlock(&mut self) -> Verdict<Run> {
        self.ask(SymbolicEngine::deadlock)
    }

    fn invariant(&mut self, atom: AtomId) -> Verdict<Run> {
        self.ask(|engine| engine.invariant(atom))
    }

    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Run>> {
        self.ask(|engine| engine.ctl(formula))
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run> {
        self.ask(|engine| {
            if let (false, Some(why)) = (may_end, engine.obstacle()) {
                return Verdict::Inconclusive(why);
            }
            let product = with_automaton(circuit, violations);
            match SymbolicEngine::new(&product, self.budget, self.options) {
                Ok(engine) => engine.no_fair_run(),
                Err(stop) => Verdict::Inconclusive(stop.0),
            }
        })
    }

    fn shows_why(&self) -> bool {
        true
    }

    fn states_as_text(&self) -> Option<String> {
        self.engine.as_ref().ok().and_then(SymbolicEngine::states_as_text)
    }

    fn statistics(&self) -> Statistics {
        self.engine.as_ref().map_or_else(|_| Statistics::default(), SymbolicEngine::statistics)
    }
}

struct Explicit<'a> {
    budget: &'a Budget,
    engine: ExplicitEngine<'a>,
}

impl PartEngine for Explicit<'_> {
    fn has_initial_state(&self) -> bool {
        self.engine.has_initial_state()
    }

    fn deadlock(&mut self) -> Verdict<Run> {
        self.engine.deadlock()
    }

    fn invariant(&mut self, atom: AtomId) -> Verdict<Run> {
        self.engine.invariant(atom)
    }

    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Run>> {
        self.engine.ctl(formula).map(Witness::of)
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run> {
        match self.engine.obstacle() {
            Some(why) if !may_end => Verdict::Inconclusive(why),
            _ => ExplicitEngine::new(&with_automaton(circuit, violations), self.budget).no_fair_run(),
        }
    }

    fn shows_why(&self) -> bool {
        false
    }

    fn states_as_text(&self) -> Option<String> {
        None
    }

    fn statistics(&self) -> Statistics {
        let graph = self.engine.graph();
        Statistics {
            states: self.engine.state_count(),
            transitions: graph.edges.iter().map(|edges| edges.len() as u64).sum(),
            depth: graph.depth,
            ..Statistics::default()
        }
    }
}
