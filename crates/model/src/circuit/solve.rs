//! All values of some variables that satisfy some conditions, by trying: variable by variable, each condition as soon
//! as all that it looks at is known. Variables that are assigned to are tried with the assigned values only.

use std::collections::BTreeSet;

use super::{Choice, Circuit, Evaluator, ExprId, VariableId};
use crate::steppable::TooLarge;

/// A variable now (`false`) or in the next state (`true`).
pub type Slot = (VariableId, bool);

/// The values of all variables, now and in the next state.
pub type Moments = [Vec<i64>; 2];

/// An expression, or the same expression of the next state.
#[derive(Clone, Copy)]
pub struct At {
    pub expr: ExprId,
    pub next: bool,
}

/// What a slot is assigned.
pub struct Given<'a> {
    pub slot: Slot,
    pub choice: &'a Choice,
    /// Are the expressions of the choice about the next state?
    pub next: bool,
    pub constraint: At,
}

pub struct Problem<'a> {
    circuit: &'a Circuit,
    /// Conditions on what is known from the start.
    first: Vec<At>,
    steps: Vec<Step<'a>>,
}

struct Step<'a> {
    slot: Slot,
    given: Option<(&'a Choice, bool)>,
    /// The conditions that can be evaluated as soon as this slot has a value.
    checks: Vec<At>,
}

impl<'a> Problem<'a> {
    /// Plans in which order to try the unknown slots; all others that the conditions look at are known.
    pub fn new(circuit: &'a Circuit, unknown: &[Slot], mut conditions: Vec<At>, given: Vec<Given<'a>>) -> Problem<'a> {
        let mut left: BTreeSet<Slot> = unknown.iter().copied().collect();
        // What is known already may be assigned to all the same, as what is frozen is.
        let on_known = given.iter().filter(|given| !left.contains(&given.slot));
        conditions.extend(on_known.map(|given| given.constraint));
        let mut problem = Problem { circuit, first: Vec::new(), steps: Vec::new() };
        problem.first = problem.ready(&left, &mut conditions);
        while let Some(&some) = left.iter().next() {
            let is_ready = |given: &&Given<'a>| {
                let mut parts = Vec::new();
                given.choice.expressions(&mut parts);
                let known = |part: &ExprId| problem.is_known(At { expr: *part, next: given.next }, &left);
                left.contains(&given.slot) && parts.iter().all(known)
            };
            let is_given = |slot: &Slot| given.iter().any(|given| given.slot == *slot);
            let (slot, choice) = match given.iter().find(is_ready) {
                Some(given) => (given.slot, Some((given.choice, given.next))),
                // In a circle of assignments, one is tried and checked as any condition.
                None => (left.iter().copied().find(|slot| !is_given(slot)).unwrap_or(some), None),
            };
            left.remove(&slot);
            // Of several assignments to one slot, and of one that was not used, the conditions remain.
            let mut used = false;
            for given in given.iter().filter(|given| given.slot == slot) {
                let is_used = choice.is_some_and(|(choice, _)| std::ptr::eq(choice, given.choice)) && !used;
                used |= is_used;
                if !is_used {
                    conditions.push(given.constraint);
                }
            }
            let checks = problem.ready(&left, &mut conditions);
            problem.steps.push(Step { slot, given: choice, checks });
        }
        problem
    }

    /// Takes out the conditions that look at nothing unknown.
    fn ready(&self, left: &BTreeSet<Slot>, conditions: &mut Vec<At>) -> Vec<At> {
        let (ready, waiting) = conditions.iter().partition(|at| self.is_known(**at, left));
        *conditions = waiting;
        ready
    }

    fn is_known(&self, at: At, left: &BTreeSet<Slot>) -> bool {
        let support = self.circuit.support(at.expr);
        !support.into_iter().any(|(variable, next)| left.contains(&(variable, next || at.next)))
    }

    /// Calls `found` with every solution that agrees with what is known in `moments`.
    pub fn solve(
        &self,
        evaluator: &mut Evaluator<'_>,
        moments: &mut Moments,
        budget: &mut u64,
        found: &mut dyn FnMut(&Moments),
    ) -> Result<(), TooLarge> {
        let is_enough = &mut |moments: &Moments| {
            found(moments);
            false
        };
        self.search(&mut Trial { evaluator, moments, budget, begin: &mut |_| 0, is_enough })?;
        Ok(())
    }

    /// Completes `moments` to the first solution, if there is one.
    pub fn solve_once(
        &self,
        evaluator: &mut Evaluator<'_>,
        moments: &mut Moments,
        budget: &mut u64,
    ) -> Result<bool, TooLarge> {
        self.search(&mut Trial { evaluator, moments, budget, begin: &mut |_| 0, is_enough: &mut |_| true })
    }

    /// Shows solutions until one is enough, and answers whether one was.
    pub fn search(&self, trial: &mut Trial<'_, '_>) -> Result<bool, TooLarge> {
        let possible = self.first.iter().all(|at| evaluate(trial.evaluator, *at, trial.moments) != 0);
        Ok(possible && self.go_on(0, trial)?)
    }

    fn go_on(&self, depth: usize, trial: &mut Trial<'_, '_>) -> Result<bool, TooLarge> {
        let Some(step) = self.steps.get(depth) else { return Ok((trial.is_enough)(trial.moments)) };
        let (variable, next) = step.slot;
        let domain = &self.circuit.variable(variable).domain;
        let mut given = Vec::new();
        if let Some((choice, about_next)) = step.given {
            values(choice, about_next, trial, &mut given)?;
            given.sort_unstable();
            given.dedup();
            given.retain(|value| domain.contains(*value));
        }
        let count = if step.given.is_some() { given.len() as u64 } else { domain.size() };
        let first = if count > 1 { (trial.begin)(count) } else { 0 };
        debug_assert!(first == 0 || first < count, "the value to begin with is one of the values");
        for place in (first..count).chain(0..first) {
            *trial.budget = trial.budget.checked_sub(1).ok_or(TooLarge)?;
            let value = given.get(place as usize).copied().unwrap_or_else(|| domain.value(place));
            trial.moments[usize::from(next)][variable.index()] = value;
            if step.checks.iter().all(|at| evaluate(trial.evaluator, *at, trial.moments) != 0)
                && self.go_on(depth + 1, trial)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A search for solutions under way.
pub struct Trial<'t, 'c> {
    pub evaluator: &'t mut Evaluator<'c>,
    pub moments: &'t mut Moments,
    /// How many more values are tried.
    pub budget: &'t mut u64,
    /// Which of so many values of a variable is tried first; the others follow in turn.
    pub begin: &'t mut dyn FnMut(u64) -> u64,
    pub is_enough: &'t mut dyn FnMut(&Moments) -> bool,
}

/// The value of an expression at a moment.
pub fn evaluate(evaluator: &mut Evaluator<'_>, at: At, moments: &Moments) -> i64 {
    evaluator.forget();
    evaluator.value(at.expr, &|variable, next| moments[usize::from(next || at.next)][variable.index()])
}

fn values(choice: &Choice, next: bool, trial: &mut Trial<'_, '_>, out: &mut Vec<i64>) -> Result<(), TooLarge> {
    match choice {
        Choice::Value(expr) => out.push(evaluate(trial.evaluator, At { expr: *expr, next }, trial.moments)),
        Choice::Range(low, high) => {
            *trial.budget = trial.budget.checked_sub((high - low).max(0) as u64).ok_or(TooLarge)?;
            out.extend(*low..=*high);
        }
        Choice::Any(choices) => {
            for choice in choices {
                values(choice, next, trial, out)?;
            }
        }
        Choice::If(condition, then, otherwise) => {
            let holds = evaluate(trial.evaluator, At { expr: *condition, next }, trial.moments) != 0;
            values(if holds { then } else { otherwise }, next, trial, out)?;
        }
    }
    Ok(())
}
