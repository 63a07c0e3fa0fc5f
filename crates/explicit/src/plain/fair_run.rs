//! Whether a run that repeats a cycle is fair, by the definitions: who can move in the states of the cycle, and who does on it.
//!
//! Searches ask it of runs that were found without looking at fairness, and so does the certifier of all that are to be fair.

use std::collections::HashSet;
use std::hash::Hash;

use reductio_model::{Interpreter, Operation, Replayed, State, Step, Trace, replay};
use reductio_reduce::Fairness;
use reductio_reduce::facts::{KnownOperation, StaticDependence};

/// Is the run fair? One that ends is: nobody can move.
pub fn is_fair(interpreter: &Interpreter<'_>, fairness: Fairness, run: &Trace) -> bool {
    let Ok(replayed) = replay(interpreter, run) else { return false };
    let stem = run.stem.len();
    let processes = || Cycle::new(interpreter, &replayed, stem, |step, _| step.process, |pid| *pid);
    let operations = || Cycle::new(interpreter, &replayed, stem, Operation::of, Operation::process);
    match fairness {
        Fairness::None => true,
        Fairness::Weak => processes().is_weakly_fair(),
        Fairness::Strong => processes().is_strongly_fair(),
        Fairness::OperationJustice => operations().is_weakly_fair(),
        Fairness::Maximal => {
            let dependence = StaticDependence::new(interpreter.model());
            let agent = |step, state: &State| dependence.operation(step, state);
            Cycle::new(interpreter, &replayed, stem, agent, |known| known.operation().process()).is_maximal()
        }
        Fairness::OperationFairness => operations().is_strongly_fair(),
    }
}

/// Who can move and who does on a cycle: processes or operations.
struct Cycle<'a, A> {
    /// The states, and who can move in each.
    states: Vec<(&'a State, HashSet<A>)>,
    moving: HashSet<A>,
    process_of: fn(&A) -> u8,
}

impl<'a, A: Eq + Hash> Cycle<'a, A> {
    fn new(
        interpreter: &Interpreter<'_>,
        replayed: &'a Replayed,
        stem: usize,
        agent: impl Fn(Step, &State) -> A,
        process_of: fn(&A) -> u8,
    ) -> Cycle<'a, A> {
        let mut cycle = Cycle { states: Vec::new(), moving: HashSet::new(), process_of };
        for (index, (step, _)) in replayed.outcomes.iter().enumerate().skip(stem) {
            if let Some(state) = replayed.before(index) {
                let able = interpreter.steps(state).into_iter().map(|step| agent(step, state)).collect();
                cycle.states.push((state, able));
                cycle.moving.insert(agent(*step, state));
            }
        }
        cycle
    }

    /// Does everybody move, or rest somewhere?
    fn is_weakly_fair(&self) -> bool {
        self.able().all(|agent| self.moving.contains(agent) || self.rests(agent))
    }

    /// In the middle of an `atomic` the others do not rest: they are only kept from moving.
    fn rests(&self, agent: &A) -> bool {
        let is_kept = |state: &State| state.exclusive.is_some_and(|pid| pid != (self.process_of)(agent));
        self.states.iter().any(|(state, able)| !able.contains(agent) && !is_kept(state))
    }

    /// Does everybody move who can anywhere?
    fn is_strongly_fair(&self) -> bool {
        self.able().all(|agent| self.moving.contains(agent))
    }

    fn able(&self) -> impl Iterator<Item = &A> {
        self.states.iter().flat_map(|(_, able)| able)
    }
}

impl Cycle<'_, KnownOperation> {
    /// Is of all operations one that depends on them executed, or do they rest somewhere?
    fn is_maximal(&self) -> bool {
        let is_served = |waiting: &KnownOperation| self.moving.iter().any(|executed| executed.depends_on(waiting));
        self.able().all(|waiting| is_served(waiting) || self.rests(waiting))
    }
}
