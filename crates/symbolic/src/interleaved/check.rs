//! The entry: a model in, answers out.

use std::collections::HashSet;

use reductio_logic::ctl::Formula;
use reductio_model::{
    ActionId, AtomId, Budget, Diagrams, Door, Fault, ProctypeId, Statistics, Trace, Verdict, Why, Witness,
};

use super::learning::Learning;
use super::space::Space;
use crate::bdd::{Computed, Stop};
use crate::ctl::Checker;
use crate::structure::Structure;
use crate::tree::Most;

/// A model with its reachable states.
pub struct Engine<'a> {
    system: &'a dyn Door,
    explored: Result<Space<'a>, (Learning<'a>, Stop)>,
}

impl<'a> Engine<'a> {
    /// Reaches all states, or as many as the limits allow.
    pub fn new(system: &'a dyn Door, budget: &'a Budget) -> Computed<Engine<'a>> {
        let mut learning = Learning::new(system, budget)?;
        let explored = match learning.reach() {
            Ok(()) => Ok(Space::new(system, learning)?),
            Err(stop) => Err((learning, stop)),
        };
        Ok(Engine { system, explored })
    }

    fn learning(&self) -> &Learning<'a> {
        match &self.explored {
            Ok(space) => &space.learning,
            Err((learning, _)) => learning,
        }
    }

    /// Why not everything was reached, if so.
    pub fn limit(&self) -> Option<Why> {
        self.explored.as_ref().err().map(|(_, Stop(limit))| *limit)
    }

    /// The actions that are executed in some run.
    pub fn executed(&self) -> &HashSet<(ProctypeId, ActionId)> {
        &self.learning().executed
    }

    pub fn statistics(&self) -> Statistics {
        let learning = self.learning();
        let manager = &learning.components.manager;
        let states = learning.components.free().and_then(|free| manager.and(&free, &learning.reached));
        let states = states.map_or(0.0, |states| manager.count(&states, learning.components.bit_count()));
        let relation = learning.moves.iter().map(|moves| moves.steps.size(manager)).sum::<usize>() as f64;
        let nodes = manager.most_nodes();
        Statistics {
            // Conversion from floating point takes the largest number for what is larger.
            states: states as u64,
            depth: learning.rounds,
            memory_bytes: manager.memory_of(nodes),
            diagrams: Some(Diagrams { relation, nodes: nodes as u64 }),
            ..Statistics::default()
        }
    }

    /// Does no run end where a process should have gone on?
    pub fn deadlock(&self) -> Verdict {
        self.never(|space| {
            let valid = space.where_it_is(&space.resting, |workspace| self.system.may_end(workspace))?;
            space.manager().minus(&space.resting, &valid)
        })
    }

    /// Does an atom hold in every state that is seen?
    pub fn invariant(&self, atom: AtomId) -> Verdict {
        self.never(|space| space.manager().minus(&space.seen, &space.evaluate(atom)?.holds))
    }

    fn never(&self, bad: impl FnOnce(&Space<'a>) -> Computed<crate::bdd::Bdd>) -> Verdict {
        self.verdict(|space| {
            let found = space.run_to(&bad(space)?)?;
            Ok(found.map(|(stem, _)| Witness::of(Trace { stem, cycle: Vec::new() })))
        })
    }

    fn verdict(&self, find: impl FnOnce(&Space<'a>) -> Computed<Option<Witness>>) -> Verdict {
        let found = match &self.explored {
            Ok(space) => find(space),
            Err((_, stop)) => Err(*stop),
        };
        match found {
            Ok(None) => Verdict::Holds,
            Ok(Some(violation)) => Verdict::Violated(violation),
            Err(Stop(limit)) => Verdict::Inconclusive(limit),
        }
    }

    /// Does no step go wrong?
    pub fn assertions(&self) -> Verdict {
        self.verdict(|space| {
            let (faulty, _) = space.wrong()?;
            let Some((mut stem, state)) = space.run_to(&faulty)? else { return Ok(None) };
            let interpreter = space.interpreter();
            let outcomes = interpreter.steps(&state).into_iter().map(|step| {
                let fault: Option<Fault> = interpreter.execute(&state, step).fault;
                (step, fault)
            });
            let wrong = outcomes.into_iter().find(|(_, fault)| fault.is_some());
            let (step, fault) = wrong.expect("the interpreter makes the mistakes that were learnt from it");
            stem.push(step);
            Ok(Some(Witness::of(Trace { stem, cycle: Vec::new() }).ending_in(fault)))
        })
    }

    /// Does a formula hold in the initial state? Its propositions are the atoms of the same number. What the run leaves open is
    /// given by place, counting only states that are seen; a run that has ended stays in its last one.
    pub fn ctl(&self, formula: &Formula) -> Verdict<Witness> {
        let space = match &self.explored {
            Ok(space) => space,
            Err((_, Stop(limit))) => return Verdict::Inconclusive(*limit),
        };
        self.check(space, formula).unwrap_or_else(|Stop(limit)| Verdict::Inconclusive(limit))
    }

    fn check(&self, space: &Space<'a>, formula: &Formula) -> Computed<Verdict<Witness>> {
        let manager = space.manager();
        if !space.wrong()?.1.is_false() {
            return Ok(Verdict::Inconclusive(Why::StepGoesWrong));
        }
        for prop in formula.atoms() {
            if !space.evaluate(AtomId(prop.0))?.fails.is_false() {
                return Ok(Verdict::Inconclusive(Why::StepGoesWrong));
            }
        }
        if space.has_endless_atomic()? {
            return Ok(Verdict::Inconclusive(Why::EndlessAtomic));
        }
        let checker = Checker::new(space, space.seen.clone())?;
        let bad = manager.minus(space.initial(), &checker.states_with(formula)?)?;
        let Some(initial) = space.pick(&bad) else { return Ok(Verdict::Holds) };
        let shown = checker.witness(&formula.normal_form(true), initial, Most::ONE_RUN)?;
        let run = space.trace(&shown.run.states, shown.run.cycle_start);
        Ok(Verdict::Violated(Witness { left: shown.left, ..Witness::of(run) }))
    }
}
