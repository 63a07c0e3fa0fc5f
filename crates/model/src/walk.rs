//! A run of any system: where it starts, and its steps one by one. What engines hand back, a [`Trace`] of processes or a
//! [`Run`] of a circuit, is read as such a walk wherever it is taken or described.

use std::borrow::Cow;
use std::iter::Chain;
use std::slice::Iter;

use crate::circuit::{Run, Simulator, Transition, Valuation};
use crate::interpreter::{Interpreter, Outcome};
use crate::state::State;
use crate::steppable::Steppable;
use crate::system::Step;
use crate::witness::Trace;

/// Steps from a state on: through `stem`, then `cycle` forever. A walk that ends has an empty cycle. There may be millions of
/// steps, which need not be the walk's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk<'r, S, T: Clone> {
    pub start: S,
    pub stem: Cow<'r, [T]>,
    pub cycle: Cow<'r, [T]>,
}

/// A walk through a system.
pub type WalkOf<'r, S> = Walk<'r, <S as Steppable>::State, <S as Steppable>::Step>;

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Taken<S = State, T = Step> {
    pub before: S,
    pub step: T,
    pub outcome: Outcome<S>,
}

/// The step with this index, from zero, cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible {
    pub index: usize,
}

impl<S: Clone, T: Clone> Walk<'_, S, T> {
    /// The index of the first step of the part that repeats forever; `None` for a walk that ends.
    pub fn cycle_start(&self) -> Option<usize> {
        (!self.cycle.is_empty()).then_some(self.stem.len())
    }

    /// How many steps there are.
    pub fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Takes the steps one by one, each only if it is possible, and keeps none of them. Whether the walk starts in an initial
    /// state, and whether its cycle closes, is not looked at.
    pub fn taken<'a, Y: Steppable<State = S, Step = T>>(&'a self, system: &'a mut Y) -> Taking<'a, Y> {
        let steps = self.stem.iter().chain(self.cycle.iter());
        Taking { system, steps, index: 0, current: Some(self.start.clone()) }
    }
}

/// A walk that is being taken.
pub struct Taking<'a, Y: Steppable> {
    system: &'a mut Y,
    /// Those that are left.
    steps: Chain<Iter<'a, Y::Step>, Iter<'a, Y::Step>>,
    /// The number of the next one, from zero.
    index: usize,
    current: Option<Y::State>,
}

impl<Y: Steppable> Taking<'_, Y> {
    pub fn system(&self) -> &Y {
        self.system
    }

    /// The state before the next step, if the walk has not ended in a fault.
    pub fn state(&self) -> Option<&Y::State> {
        self.current.as_ref()
    }
}

impl<Y: Steppable> Iterator for Taking<'_, Y> {
    type Item = Result<Taken<Y::State, Y::Step>, Impossible>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.index;
        let step = self.steps.next()?;
        self.index += 1;
        let Some(before) = self.current.take().filter(|state| self.system.is_possible(state, step)) else {
            return Some(Err(Impossible { index }));
        };
        let taken = self.system.follow(before, step.clone());
        self.current.clone_from(&taken.outcome.state);
        Some(Ok(taken))
    }
}

impl Trace {
    pub fn walk(&self, interpreter: &Interpreter<'_>) -> Walk<'_, State, Step> {
        let (stem, cycle) = (Cow::Borrowed(&self.stem[..]), Cow::Borrowed(&self.cycle[..]));
        Walk { start: interpreter.initial_state(), stem, cycle }
    }

    /// The same, with the steps of its own.
    pub fn into_walk(self, interpreter: &Interpreter<'_>) -> Walk<'static, State, Step> {
        Walk { start: interpreter.initial_state(), stem: self.stem.into(), cycle: self.cycle.into() }
    }
}

impl Run {
    /// `None` for a run without states, or one that goes on nowhere.
    pub fn walk(&self, simulator: &Simulator<'_>) -> Option<Walk<'static, Valuation, Transition>> {
        let step = |from: &Valuation, to: &Valuation| Transition { from: from.clone(), to: to.clone() };
        let start = simulator.without_inputs(self.states.first()?);
        let mut stem: Vec<Transition> = self.states.windows(2).map(|pair| step(&pair[0], &pair[1])).collect();
        let mut cycle = Vec::new();
        if let Some(back) = self.cycle_start {
            stem.push(step(self.states.last()?, self.states.get(back)?));
            cycle = stem.split_off(back);
        }
        Some(Walk { start, stem: stem.into(), cycle: cycle.into() })
    }
}

impl From<Walk<'_, Valuation, Transition>> for Run {
    fn from(walk: Walk<'_, Valuation, Transition>) -> Run {
        let cycle_start = walk.cycle_start();
        let steps = || walk.stem.iter().chain(walk.cycle.iter());
        let mut states: Vec<Valuation> = steps().map(|step| step.from.clone()).collect();
        if cycle_start.is_none() {
            states.push(steps().last().map_or_else(|| walk.start.clone(), |step| step.to.clone()));
        }
        Run { states, cycle_start }
    }
}
