//! Runs of a circuit: what a counterexample is, and how it is confirmed.

use super::{Simulator, Valuation};
use crate::claim::Automaton;

/// States from an initial one on, each with the inputs that lead to the next. The inputs of the last state of a run
/// that ends mean nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<S = Valuation> {
    pub states: Vec<S>,
    /// Where the run goes on after its last state, if it does: it repeats itself from there forever.
    pub cycle_start: Option<usize>,
}

/// What a run is said to lead to.
#[derive(Clone, Copy, Debug)]
pub enum Reached<'a> {
    /// A last state in which a condition does not hold.
    Without(super::ExprId),
    /// A last state that has no successor.
    DeadEnd,
    /// A cycle that satisfies all fairness constraints, on a run that an automaton accepts, if there is one.
    FairCycle(Option<&'a Automaton>),
    /// Nothing in particular.
    Anything,
}

/// Why a run is none of the circuit's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    Empty,
    NotInitial,
    /// It does not start in the state in which it is said to.
    StartsElsewhere,
    /// The step from the state at this place is impossible.
    NoStep(usize),
    /// The run is one of the circuit's, but does not lead where it should.
    LeadsNowhere,
    /// It leads where it should, but the formula that it is to break is not false of it.
    FormulaHolds,
    TooLarge,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Empty => f.write_str("it has no states"),
            RunError::NotInitial => f.write_str("its first state is not initial"),
            RunError::StartsElsewhere => f.write_str("it does not start in the state that it branches off from"),
            RunError::NoStep(place) => write!(f, "there is no step from state {} to the next", place + 1),
            RunError::LeadsNowhere => f.write_str("at its end nothing is wrong"),
            RunError::FormulaHolds => f.write_str("the formula is not false of it"),
            RunError::TooLarge => f.write_str("there is too much to try to confirm it"),
        }
    }
}

impl Run {
    /// Takes the run step by step on the circuit, and looks whether it leads where it should.
    pub fn confirm(&self, simulator: &mut Simulator<'_>, reached: Reached<'_>) -> Result<(), RunError> {
        if !simulator.is_initial(self.states.first().ok_or(RunError::Empty)?) {
            return Err(RunError::NotInitial);
        }
        self.confirm_steps(simulator, reached)
    }

    /// The same for a run that branches off from another one in some state. That may be left with other inputs.
    pub fn confirm_from(
        &self,
        simulator: &mut Simulator<'_>,
        start: &Valuation,
        reached: Reached<'_>,
    ) -> Result<(), RunError> {
        let first = self.states.first().ok_or(RunError::Empty)?;
        if simulator.without_inputs(first) != simulator.without_inputs(start) {
            return Err(RunError::StartsElsewhere);
        }
        self.confirm_steps(simulator, reached)
    }

    fn confirm_steps(&self, simulator: &mut Simulator<'_>, reached: Reached<'_>) -> Result<(), RunError> {
        let last = self.states.last().ok_or(RunError::Empty)?;
        for (place, pair) in self.states.windows(2).enumerate() {
            if !simulator.is_step(&pair[0], &pair[1]) {
                return Err(RunError::NoStep(place));
            }
        }
        if let Some(start) = self.cycle_start {
            let back = self.states.get(start).ok_or(RunError::LeadsNowhere)?;
            if !simulator.is_step(last, back) {
                return Err(RunError::NoStep(self.states.len() - 1));
            }
        }
        let leads_there = match reached {
            Reached::Anything => true,
            Reached::Without(condition) => !simulator.holds(condition, last),
            Reached::DeadEnd => {
                let state = simulator.without_inputs(last);
                simulator.steps(&state).map_err(|_| RunError::TooLarge)?.is_empty()
            }
            Reached::FairCycle(violations) => {
                self.is_fair(simulator) && violations.is_none_or(|violations| self.is_accepted(simulator, violations))
            }
        };
        if leads_there { Ok(()) } else { Err(RunError::LeadsNowhere) }
    }

    /// Does it go on forever, and does its cycle meet the fairness constraints?
    pub fn is_fair(&self, simulator: &mut Simulator<'_>) -> bool {
        let Some(cycle) = self.cycle_start.and_then(|start| self.states.get(start..)) else { return false };
        let circuit = simulator.circuit();
        let mut meets = |condition| cycle.iter().any(|state| simulator.holds(condition, state));
        circuit.justice.iter().all(|condition| meets(*condition))
            && circuit.compassion.iter().all(|(often, then)| !meets(*often) || meets(*then))
    }

    fn is_accepted(&self, simulator: &mut Simulator<'_>, violations: &Automaton) -> bool {
        let Some(back) = self.cycle_start else { return false };
        let atoms = violations.atoms();
        let circuit = simulator.circuit();
        let mut letters: Vec<Vec<bool>> = Vec::new();
        for state in &self.states {
            let holds = |atom: &crate::AtomId| simulator.holds(circuit.atoms[atom.index()].expr, state);
            letters.push(atoms.iter().map(holds).collect());
        }
        violations.accepts(self.states.len(), back, |atom, position| {
            atoms.binary_search(&atom).is_ok_and(|place| letters[position][place])
        })
    }
}
