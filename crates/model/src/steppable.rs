//! What can be followed step by step, whatever it is made of: the processes of a model, whose steps the interpreter lists, or a
//! circuit, whose steps the simulator finds by trying values.
//!
//! Simulations, replays and pictures of states know a system by this alone, and so does any other program that wants to walk
//! through one. Engines do not: what they see is made for speed (see [`Door`](crate::Door)).

use std::fmt::Debug;
use std::hash::Hash;

use crate::interpreter::{Interpreter, Outcome};
use crate::state::State;
use crate::system::Step;
use crate::walk::Taken;

/// There is too much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there are too many values to try one by one")
    }
}

impl std::error::Error for TooLarge {}

/// Some of the things that were looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several<T> {
    pub found: Vec<T>,
    /// There are more, or there may be.
    pub more: bool,
}

impl<T> Several<T> {
    /// The first of all there are, so many at most.
    pub fn first_of(mut all: Vec<T>, most: usize) -> Several<T> {
        let more = all.len() > most;
        all.truncate(most);
        Several { found: all, more }
    }
}

/// Answers which of so many possibilities is tried first, counted from zero: by chance, say.
pub type Choose<'c> = &'c mut dyn FnMut(u64) -> u64;

/// A system whose runs can be followed one step at a time.
///
/// What is possible may be too much to try: a circuit is asked for values that satisfy conditions. Where that is so, the answer
/// is the error [`TooLarge`], or some of what there is, and never a wrong list. Whether one given step is possible can always be
/// said.
pub trait Steppable {
    /// All that decides what can happen next.
    type State: Clone + Debug + Eq + Hash;
    /// One of the things that can happen in a state: a statement of a process, or inputs with the next state.
    type Step: Clone + Debug + Eq + 'static;

    /// The first initial states, so many at most, in an order that depends on the system alone.
    fn initial_states(&mut self, most: usize) -> Result<Several<Self::State>, TooLarge>;

    /// An initial state, if there is one.
    fn some_initial_state(&mut self, choose: Choose<'_>) -> Result<Option<Self::State>, TooLarge>;

    fn is_initial_state(&mut self, state: &Self::State) -> bool;

    /// The first steps that are possible in a state, so many at most, in an order that depends on the state alone.
    fn steps_from(&mut self, state: &Self::State, most: usize) -> Result<Several<Self::Step>, TooLarge>;

    /// A step that is possible in a state, if there is one.
    fn some_step_from(&mut self, state: &Self::State, choose: Choose<'_>) -> Result<Option<Self::Step>, TooLarge>;

    fn is_possible(&mut self, state: &Self::State, step: &Self::Step) -> bool;

    /// What a possible step does: where it leads, or the fault in which the run ends.
    fn take(&mut self, state: &Self::State, step: &Self::Step) -> Outcome<Self::State>;

    /// The same, together with where the step was taken.
    fn follow(&mut self, before: Self::State, step: Self::Step) -> Taken<Self::State, Self::Step> {
        let outcome = self.take(&before, &step);
        Taken { before, step, outcome }
    }

    /// May a run that cannot go on rest in this state?
    fn may_end(&mut self, state: &Self::State) -> bool;
}

impl Steppable for Interpreter<'_> {
    type State = State;
    type Step = Step;

    fn initial_states(&mut self, most: usize) -> Result<Several<State>, TooLarge> {
        Ok(Several::first_of(vec![self.initial_state()], most))
    }

    fn some_initial_state(&mut self, _: Choose<'_>) -> Result<Option<State>, TooLarge> {
        Ok(Some(self.initial_state()))
    }

    fn is_initial_state(&mut self, state: &State) -> bool {
        *state == self.initial_state()
    }

    fn steps_from(&mut self, state: &State, most: usize) -> Result<Several<Step>, TooLarge> {
        Ok(Several::first_of(self.steps(state), most))
    }

    fn some_step_from(&mut self, state: &State, choose: Choose<'_>) -> Result<Option<Step>, TooLarge> {
        let steps = self.steps(state);
        Ok(if steps.is_empty() { None } else { Some(steps[choose(steps.len() as u64) as usize]) })
    }

    fn is_possible(&mut self, state: &State, step: &Step) -> bool {
        self.steps(state).contains(step)
    }

    fn take(&mut self, state: &State, step: &Step) -> Outcome {
        self.execute(state, *step)
    }

    fn may_end(&mut self, state: &State) -> bool {
        self.is_valid_end_state(state)
    }
}
