//! Formulas of computation tree logic on the states of a small model, one by one.
//!
//! Paper: [clarke-emerson-sistla86]: labelling. A run that ends stays in its last state for ever.
//!
//! Beside [`crate::circuit::ctl`], which labels the states of circuits with fairness, this is the simplest way to do it, and what
//! reductions of models are compared with.

use reductio_logic::ctl::{Formula, Path, Quantifier};
use reductio_model::{AtomId, Interpreter, TransitionSystem};

use crate::graph::{TooManyStates, state_graph};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    TooManyStates(TooManyStates),
    /// There is no next state, or no value: a formula would say something of nothing.
    StepGoesWrong,
    /// What happens in an `atomic` is not seen, and may go on for ever.
    Atomic,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::TooManyStates(TooManyStates { limit }) => write!(f, "there are more than {limit} states"),
            NoAnswer::StepGoesWrong => f.write_str("a step goes wrong, or a condition has no value"),
            NoAnswer::Atomic => f.write_str("there is an atomic"),
        }
    }
}

/// Does a formula hold in the initial state? Its propositions are the atoms of the same number.
pub fn holds(interpreter: &Interpreter<'_>, formula: &Formula, limit: usize) -> Result<bool, NoAnswer> {
    Ok(Labelling::of(interpreter, limit)?.label(formula)?[0])
}

/// All states, the first one the initial one.
struct Labelling<'m> {
    interpreter: &'m Interpreter<'m>,
    states: Vec<Vec<u8>>,
    forwards: Vec<Vec<usize>>,
    backwards: Vec<Vec<usize>>,
}

impl<'m> Labelling<'m> {
    fn of(interpreter: &'m Interpreter<'m>, limit: usize) -> Result<Labelling<'m>, NoAnswer> {
        let graph = state_graph(interpreter, limit).map_err(NoAnswer::TooManyStates)?;
        let mut forwards = vec![Vec::new(); graph.states.len()];
        for edge in &graph.edges {
            forwards[edge.from].push(edge.to.ok_or(NoAnswer::StepGoesWrong)?);
        }
        if graph.states.iter().any(|state| interpreter.decode(state).exclusive.is_some()) {
            return Err(NoAnswer::Atomic);
        }
        let mut backwards = vec![Vec::new(); graph.states.len()];
        for (state, successors) in forwards.iter_mut().enumerate() {
            if successors.is_empty() {
                successors.push(state);
            }
            successors.iter().for_each(|&next| backwards[next].push(state));
        }
        Ok(Labelling { interpreter, states: graph.states, forwards, backwards })
    }

    /// Where a formula holds.
    fn label(&self, formula: &Formula) -> Result<Vec<bool>, NoAnswer> {
        let each = |left: Vec<bool>, right: Vec<bool>, operation: fn(bool, bool) -> bool| {
            left.into_iter().zip(right).map(|(left, right)| operation(left, right)).collect()
        };
        Ok(match formula {
            Formula::Truth(value) => vec![*value; self.states.len()],
            Formula::Atom(prop) => {
                let holds = |state: &Vec<u8>| self.interpreter.holds(AtomId(prop.0), state);
                self.states.iter().map(holds).collect::<Result<_, _>>().map_err(|_| NoAnswer::StepGoesWrong)?
            }
            Formula::Not(inner) => negated(self.label(inner)?),
            Formula::And(left, right) => each(self.label(left)?, self.label(right)?, |left, right| left && right),
            Formula::Or(left, right) => each(self.label(left)?, self.label(right)?, |left, right| left || right),
            Formula::Runs(Quantifier::Some, path) => self.some_run(path)?,
            Formula::Runs(Quantifier::All, path) => negated(self.some_run(&path.opposite())?),
        })
    }

    fn some_run(&self, path: &Path) -> Result<Vec<bool>, NoAnswer> {
        let everywhere = || vec![true; self.states.len()];
        Ok(match path {
            Path::Next(f) => {
                let f = self.label(f)?;
                self.forwards.iter().map(|successors| successors.iter().any(|&next| f[next])).collect()
            }
            Path::Eventually(f) => self.until(&everywhere(), self.label(f)?),
            Path::Until(f, g) => self.until(&self.label(f)?, self.label(g)?),
            Path::Always(f) => self.always(self.label(f)?),
            Path::Release(f, g) => {
                let (f, g) = (self.label(f)?, self.label(g)?);
                let both = f.iter().zip(&g).map(|(f, g)| *f && *g).collect();
                let released = self.until(&g, both);
                released.into_iter().zip(self.always(g)).map(|(released, always)| released || always).collect()
            }
        })
    }

    /// From where the target is reached through `within`.
    fn until(&self, within: &[bool], target: Vec<bool>) -> Vec<bool> {
        let mut reached = target;
        let mut pending: Vec<usize> = (0..reached.len()).filter(|&state| reached[state]).collect();
        while let Some(state) = pending.pop() {
            for &before in &self.backwards[state] {
                if within[before] && !std::mem::replace(&mut reached[before], true) {
                    pending.push(before);
                }
            }
        }
        reached
    }

    /// From where one can stay in `within` for ever: whatever has no successor left is dropped.
    fn always(&self, within: Vec<bool>) -> Vec<bool> {
        let mut stays = within;
        let inside = |stays: &[bool], state: usize| self.forwards[state].iter().filter(|&&next| stays[next]).count();
        let mut left: Vec<usize> = (0..stays.len()).map(|state| inside(&stays, state)).collect();
        let mut pending: Vec<usize> = (0..stays.len()).filter(|&state| stays[state] && left[state] == 0).collect();
        while let Some(state) = pending.pop() {
            stays[state] = false;
            for &before in &self.backwards[state] {
                left[before] -= 1;
                if stays[before] && left[before] == 0 {
                    pending.push(before);
                }
            }
        }
        stays
    }
}

fn negated(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|value| !value).collect()
}
