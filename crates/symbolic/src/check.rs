//! The entry: a circuit in, answers out.

use std::cell::OnceCell;

use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Circuit, Run};
use reductio_model::{AtomId, Budget, Diagrams, Statistics, Verdict, Why, Witness};

use reductio_reduce::circuit_plan::Direction;

use crate::bdd::{Bdd, Computed, NoDiagram, Stop};
use crate::ctl::Checker;
use crate::fair_ctl::can_reach;
use crate::space::{NoStates, Options, Reached, Space};
use crate::structure::Structure;
use crate::tree::Most;
use crate::witness::{run_back_to, run_to};

/// A circuit with its reachable states.
pub struct Engine<'a> {
    space: Space<'a>,
    reached: Reached,
    /// Are there reachable states without a successor?
    dead_ends: OnceCell<Bdd>,
}

impl<'a> Engine<'a> {
    /// Computes the reachable states, or as many as the limits allow.
    pub fn new(circuit: &'a Circuit, budget: &'a Budget, options: Options) -> Computed<Engine<'a>> {
        let space = Space::new(circuit, budget, options)?;
        let reached = space.reach();
        Ok(Engine { space, reached, dead_ends: OnceCell::new() })
    }

    /// Takes the states that can be reached from a text, as [`Engine::states_as_text`] writes it.
    pub fn with_states(
        circuit: &'a Circuit,
        budget: &'a Budget,
        options: Options,
        text: &str,
    ) -> Result<Engine<'a>, NoStates> {
        let space =
            Space::new(circuit, budget, options).map_err(|stop| NoStates::NoDiagram(NoDiagram::Stopped(stop)))?;
        let reached = space.reached_from_text(text)?;
        Ok(Engine { space, reached, dead_ends: OnceCell::new() })
    }

    /// The states that can be reached, for a file; `None` if not all are known.
    pub fn states_as_text(&self) -> Option<String> {
        let is_known = self.reached.stopped.is_none() && self.space.direction() == Direction::Forward;
        is_known.then(|| self.space.to_text(&self.reached.all))
    }

    pub fn space(&self) -> &Space<'a> {
        &self.space
    }

    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    pub fn has_initial_state(&self) -> bool {
        !self.space.initial().is_false()
    }

    pub fn statistics(&self) -> Statistics {
        let manager = self.space.manager();
        let nodes = manager.most_nodes();
        let is_counted = self.space.direction() == Direction::Forward;
        let relation = self.space.images().relation.average_size();
        Statistics {
            // Conversion from floating point takes the largest number for what is larger.
            states: if is_counted { self.space.count(&self.reached.all) as u64 } else { 0 },
            depth: self.reached.rings.len() as u64 - 1,
            memory_bytes: manager.memory_of(nodes),
            diagrams: Some(Diagrams { relation, nodes: nodes as u64 }),
            ..Statistics::default()
        }
    }

    /// Does every reachable state have a successor?
    pub fn deadlock(&self) -> Verdict<Run> {
        answer(self.dead_ends().and_then(|dead_ends| self.never(&dead_ends)))
    }

    fn dead_ends(&self) -> Computed<Bdd> {
        if let Some(known) = self.dead_ends.get() {
            return Ok(known.clone());
        }
        // Successors of reachable states are reachable, but where the search had to stop they may be missing.
        let manager = self.space.manager();
        let going_on = self.space.pred(&manager.truth(true))?;
        let mut dead_ends = manager.minus(&manager.and(&self.reached.all, self.space.states())?, &going_on)?;
        if !self.reached.is_exact && !self.can_be_reached(&dead_ends)? {
            dead_ends = manager.truth(false);
        }
        Ok(self.dead_ends.get_or_init(|| dead_ends).clone())
    }

    /// Does an atom hold in every reachable state?
    pub fn invariant(&self, atom: AtomId) -> Verdict<Run> {
        let broken = || {
            let condition = self.space.encoding().condition(self.space.circuit().atoms[atom.index()].expr)?;
            self.space.manager().minus(&self.reached.all, &condition)
        };
        answer(broken().and_then(|broken| self.never(&broken)))
    }

    fn can_be_reached(&self, set: &Bdd) -> Computed<bool> {
        let from = can_reach(&self.space, &self.reached.all, set)?;
        Ok(!self.space.manager().and(&from, self.space.initial())?.is_false())
    }

    /// No state of a set is reachable, or there is a run to one.
    fn never(&self, bad: &Bdd) -> Computed<Verdict<Run>> {
        if !self.reached.is_exact {
            let states = run_back_to(&self.space, &self.reached.all, bad)?;
            return Ok(states.map_or(Verdict::Holds, |states| Verdict::Violated(Run { states, cycle_start: None })));
        }
        match (run_to(&self.space, &self.reached.rings, bad)?, self.reached.stopped) {
            (Some(states), _) => Ok(Verdict::Violated(Run { states, cycle_start: None })),
            (None, Some(Stop(limit))) => Ok(Verdict::Inconclusive(limit)),
            (None, None) => Ok(Verdict::Holds),
        }
    }

    /// Does a formula hold in every initial state from which there is a fair run?
    pub fn ctl(&self, formula: &Formula) -> Verdict<Witness<Run>> {
        let checked = self.prepared().and_then(|prepared| {
            let checker = match prepared {
                Ok(checker) => checker,
                Err(why) => return Ok(Verdict::Inconclusive(why)),
            };
            let manager = self.space.manager();
            let from = manager.and(self.space.initial(), &checker.fair)?;
            let bad = manager.minus(&from, &checker.states_with(formula)?)?;
            let Some(state) = self.space.pick(&bad) else { return Ok(Verdict::Holds) };
            Ok(Verdict::Violated(checker.witness(&formula.normal_form(true), state, Most::ON_A_SCREEN)?))
        });
        checked.unwrap_or_else(|Stop(limit)| Verdict::Inconclusive(limit))
    }

    /// A checker, unless what it would say makes no sense.
    fn prepared(&self) -> Computed<Result<Checker<'_, Space<'a>>, Why>> {
        if let Some(Stop(limit)) = self.reached.stopped {
            return Ok(Err(limit));
        }
        if !self.dead_ends()?.is_false() {
            return Ok(Err(Why::RunsThatEnd));
        }
        let checker = Checker::new(&self.space, self.reached.all.clone())?;
        let from = self.space.manager().and(self.space.initial(), &checker.fair)?;
        Ok(if from.is_false() { Err(Why::NoFairRun) } else { Ok(checker) })
    }

    /// Whether answers about runs that go on forever make sense, and if not, why.
    pub fn obstacle(&self) -> Option<Why> {
        match self.prepared() {
            Ok(prepared) => prepared.err(),
            Err(Stop(limit)) => Some(limit),
        }
    }

    /// Is there no fair run? If there is, it violates that.
    pub fn no_fair_run(&self) -> Verdict<Run> {
        let checked = || {
            if let Some(Stop(limit)) = self.reached.stopped {
                return Ok(Verdict::Inconclusive(limit));
            }
            let checker = Checker::new(&self.space, self.reached.all.clone())?;
            let from = self.space.manager().and(self.space.initial(), &checker.fair)?;
            let Some(state) = self.space.pick(&from) else { return Ok(Verdict::Holds) };
            let (states, cycle_start) = checker.fair_run(state)?;
            Ok(Verdict::Violated(Run { states, cycle_start: Some(cycle_start) }))
        };
        answer(checked())
    }
}

fn answer(computed: Computed<Verdict<Run>>) -> Verdict<Run> {
    computed.unwrap_or_else(|Stop(limit)| Verdict::Inconclusive(limit))
}
