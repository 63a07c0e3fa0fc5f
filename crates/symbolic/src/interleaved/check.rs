//! The entry: a model in, answers out.

use std::collections::HashSet;

use reductio_logic::ctl::Formula;
use reductio_model::{ActionId, AtomId, Budget, Fault, Interpreter, ProctypeId, Trace, Verdict, Violation, Why};

use super::learning::Learning;
use super::space::Space;
use crate::bdd::{Computed, Stop};
use crate::ctl::Checker;
use crate::structure::Structure;
use crate::tree::{Most, Witness};

/// A model with its reachable states.
pub struct Engine<'a> {
    interpreter: &'a Interpreter<'a>,
    explored: Result<Space<'a>, (Learning<'a>, Stop)>,
}

/// A run that shows that a formula is false, as far as one run can.
#[derive(Clone, Debug)]
pub struct Shown {
    pub trace: Trace,
    /// What holds in some of its states and is not shown by the run. They are given by place, counting only states that are
    /// seen; a run that has ended stays in its last one.
    pub left: Vec<(usize, Formula)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Without those in the middle of an `atomic`. Infinite if there are too many to tell.
    pub states: f64,
    /// How often everything new was looked at until there was nothing new.
    pub rounds: u64,
    /// How often the interpreter was asked what a process can do.
    pub questions: u64,
    pub memory: u64,
    /// The most nodes of the diagrams that were in use at once, as far as that was counted.
    pub nodes: u64,
    /// How many nodes the relation has.
    pub relation: u64,
}

impl<'a> Engine<'a> {
    /// Reaches all states, or as many as the limits allow.
    pub fn new(interpreter: &'a Interpreter<'a>, budget: Budget<'a>) -> Computed<Engine<'a>> {
        let mut learning = Learning::new(interpreter, budget)?;
        let explored = match learning.reach() {
            Ok(()) => Ok(Space::new(interpreter, learning)?),
            Err(stop) => Err((learning, stop)),
        };
        Ok(Engine { interpreter, explored })
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
        let relation = learning.moves.iter().map(|moves| moves.steps.size(manager) as u64).sum();
        let (rounds, questions, nodes) = (learning.rounds, learning.questions, manager.most_nodes());
        Statistics { states, rounds, questions, memory: manager.memory_of(nodes), nodes: nodes as u64, relation }
    }

    /// Does no run end where a process should have gone on?
    pub fn deadlock(&self) -> Verdict {
        self.never(|space| {
            let valid = space.where_it_is(&space.resting, |workspace| self.interpreter.is_valid_end_of(workspace))?;
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
            Ok(found.map(|(stem, _)| Violation { trace: Trace { stem, cycle: Vec::new() }, fault: None }))
        })
    }

    fn verdict(&self, find: impl FnOnce(&Space<'a>) -> Computed<Option<Violation>>) -> Verdict {
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
            let outcomes = self.interpreter.steps(&state).into_iter().map(|step| {
                let fault: Option<Fault> = self.interpreter.execute(&state, step).fault;
                (step, fault)
            });
            let wrong = outcomes.into_iter().find(|(_, fault)| fault.is_some());
            let (step, fault) = wrong.expect("the interpreter makes the mistakes that were learnt from it");
            stem.push(step);
            Ok(Some(Violation { trace: Trace { stem, cycle: Vec::new() }, fault }))
        })
    }

    /// Does a formula hold in the initial state? Its propositions are the atoms of the same number.
    pub fn ctl(&self, formula: &Formula) -> Verdict<Shown> {
        let space = match &self.explored {
            Ok(space) => space,
            Err((_, Stop(limit))) => return Verdict::Inconclusive(*limit),
        };
        self.check(space, formula).unwrap_or_else(|Stop(limit)| Verdict::Inconclusive(limit))
    }

    fn check(&self, space: &Space<'a>, formula: &Formula) -> Computed<Verdict<Shown>> {
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
        let Witness { states, cycle_start, left, .. } = shown;
        Ok(Verdict::Violated(Shown { trace: space.trace(&states, cycle_start), left }))
    }
}
