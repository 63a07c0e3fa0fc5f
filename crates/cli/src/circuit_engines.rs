//! The engines for circuits, and what can be asked of either.

use reductio_explicit::circuit::Engine as ExplicitEngine;
use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Circuit, Run, Valuation, with_automaton};
use reductio_model::{AtomId, Automaton, Budget, Verdict, Why};
use reductio_reduce::StoreChoice;
use reductio_report::StatisticsEntry;
use reductio_symbolic::bdd::NoDiagram;
use reductio_symbolic::{Engine as SymbolicEngine, NoStates, Options, Witness};

use crate::arguments::{CheckArguments, Reorder};
use crate::watchdog::Deadline;

/// What the engines may take.
pub struct Setup<'a> {
    pub deadline: &'a Deadline,
    pub arguments: &'a CheckArguments,
    /// The states that can be reached, as a text from a file.
    pub states: Option<String>,
}

impl<'a> Setup<'a> {
    /// Are there files for the states of the circuit, which must be the whole one then?
    pub fn keeps_states(&self) -> bool {
        self.arguments.save_states.is_some() || self.arguments.load_states.is_some()
    }

    pub fn options(&self) -> Options {
        let CheckArguments { relation, direction, order, reorder, .. } = self.arguments;
        Options {
            relation: relation.unwrap_or_default(),
            direction: direction.unwrap_or_default(),
            order: order.unwrap_or_default(),
            fixed_order: *reorder == Some(Reorder::Off),
            ..Options::default()
        }
    }

    pub fn budget(&self) -> Budget<'a> {
        self.deadline.budget()
    }
}

/// What can be asked of either engine.
pub trait Engine {
    fn has_initial_state(&self) -> bool;
    fn deadlock(&mut self) -> Verdict<Run>;
    fn invariant(&mut self, atom: AtomId) -> Verdict<Run>;
    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Valuation>>;
    /// Runs that an automaton accepts, with the automaton's variables behind those of the circuit.
    /// Where runs must not end, none does, or there is no answer.
    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run>;
    /// The states that can be reached, for a file, if all are known.
    fn states_as_text(&self) -> Option<String>;
    /// Do the runs of its answers about formulas of computation tree logic show why?
    fn shows_why(&self) -> bool;
    fn statistics(&self) -> StatisticsEntry;
}

pub struct Symbolic<'a> {
    setup: &'a Setup<'a>,
    engine: Result<SymbolicEngine<'a>, Why>,
}

impl<'a> Symbolic<'a> {
    pub fn new(circuit: &'a Circuit, setup: &'a Setup<'a>) -> Result<Symbolic<'a>, NoStates> {
        let (budget, options) = (setup.budget(), setup.options());
        let engine = match &setup.states {
            None => SymbolicEngine::new(circuit, budget, options).map_err(|stop| stop.0),
            Some(text) => match SymbolicEngine::with_states(circuit, budget, options, text) {
                Err(NoStates::NoDiagram(NoDiagram::Stopped(stop))) => Err(stop.0),
                known => Ok(known?),
            },
        };
        Ok(Symbolic { setup, engine })
    }

    fn ask(&self, question: impl FnOnce(&SymbolicEngine<'a>) -> Verdict<Run>) -> Verdict<Run> {
        self.engine.as_ref().map_or_else(|limit| Verdict::Inconclusive(*limit), question)
    }
}

impl Engine for Symbolic<'_> {
    fn has_initial_state(&self) -> bool {
        self.engine.as_ref().map_or(true, SymbolicEngine::has_initial_state)
    }

    fn deadlock(&mut self) -> Verdict<Run> {
        self.ask(SymbolicEngine::deadlock)
    }

    fn invariant(&mut self, atom: AtomId) -> Verdict<Run> {
        self.ask(|engine| engine.invariant(atom))
    }

    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Valuation>> {
        match &self.engine {
            Ok(engine) => engine.ctl(formula),
            Err(limit) => Verdict::Inconclusive(*limit),
        }
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run> {
        self.ask(|engine| {
            if let (false, Some(why)) = (may_end, engine.obstacle()) {
                return Verdict::Inconclusive(why);
            }
            let product = with_automaton(circuit, violations);
            match SymbolicEngine::new(&product, self.setup.budget(), self.setup.options()) {
                Ok(engine) => engine.no_fair_run(),
                Err(stop) => Verdict::Inconclusive(stop.0),
            }
        })
    }

    fn states_as_text(&self) -> Option<String> {
        self.engine.as_ref().ok().and_then(SymbolicEngine::states_as_text)
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
            peak_nodes: Some(statistics.nodes),
            ..Default::default()
        }
    }
}

pub struct Explicit<'a> {
    setup: &'a Setup<'a>,
    engine: ExplicitEngine<'a>,
}

impl<'a> Explicit<'a> {
    pub fn new(circuit: &'a Circuit, setup: &'a Setup<'a>) -> Explicit<'a> {
        Explicit { setup, engine: ExplicitEngine::new(circuit, setup.budget()) }
    }
}

impl Engine for Explicit<'_> {
    fn has_initial_state(&self) -> bool {
        self.engine.has_initial_state()
    }

    fn deadlock(&mut self) -> Verdict<Run> {
        self.engine.deadlock()
    }

    fn invariant(&mut self, atom: AtomId) -> Verdict<Run> {
        self.engine.invariant(atom)
    }

    fn ctl(&mut self, formula: &Formula) -> Verdict<Witness<Valuation>> {
        self.engine.ctl(formula).map(Witness::of)
    }

    fn ltl(&mut self, circuit: &Circuit, violations: &Automaton, may_end: bool) -> Verdict<Run> {
        match self.engine.obstacle() {
            Some(why) if !may_end => Verdict::Inconclusive(why),
            _ => ExplicitEngine::new(&with_automaton(circuit, violations), self.setup.budget()).no_fair_run(),
        }
    }

    fn states_as_text(&self) -> Option<String> {
        None
    }

    fn shows_why(&self) -> bool {
        false
    }

    fn statistics(&self) -> StatisticsEntry {
        let graph = self.engine.graph();
        StatisticsEntry {
            states: self.engine.state_count(),
            transitions: graph.edges.iter().map(|edges| edges.len() as u64).sum(),
            depth: graph.depth,
            threads: 1,
            store: StoreChoice::Exact.name(),
            ..Default::default()
        }
    }
}
