//! A run that breaks a claim, as the claim reads it: state by state, but for those in the middle of an `atomic`.

use std::collections::HashMap;

use reductio_logic::Prop;
use reductio_logic::evaluate::{Shape, Values};
use reductio_logic::ltl::{Formula, Formulas};
use reductio_model::{AtomId, Claim, Interpreter, Origin, Replayed, State};

/// A run of which only the beginning is known is followed so far.
const LONGEST_CONTINUATION: usize = 100_000;

pub struct Reading<'r> {
    interpreter: &'r Interpreter<'r>,
    /// The states that are read.
    states: Vec<&'r State>,
    /// How many steps there are before each.
    steps: Vec<usize>,
    run_length: usize,
    /// Its last state, read or not.
    last: &'r State,
    pub ending: Ending,
}

/// How a run goes on after its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At this position again, `at_once` if its last step leads there and not into the middle of an `atomic`.
    Cycle { back: usize, at_once: bool },
    /// It stays there forever.
    Stays,
    /// However it likes: in the automaton's state so-and-so everything is accepted.
    Decided { state: u32 },
}

impl<'r> Reading<'r> {
    /// Reads a run with the claim's automaton. `None` if that does not accept it. The cycle begins after `stem` steps.
    pub fn new(
        interpreter: &'r Interpreter<'r>,
        claim: &Claim,
        replayed: &'r Replayed,
        stem: usize,
    ) -> Option<Reading<'r>> {
        let violations = &claim.violations;
        let has_cycle = stem < replayed.outcomes.len();
        // The last state of a cycle is its first.
        let count = if has_cycle { replayed.outcomes.len() } else { stem + 1 };
        let all: Option<Vec<&State>> = (0..count).map(|index| replayed.before(index)).collect();
        let all = all?;
        let steps: Vec<usize> = (0..count).filter(|&index| all[index].exclusive.is_none()).collect();
        let states = steps.iter().map(|&index| all[index]).collect();
        let back = steps.iter().position(|&index| index >= stem);
        let letters = steps.len();
        let run_length = replayed.outcomes.len();
        let reading = Reading { interpreter, states, steps, run_length, last: all[count - 1], ending: Ending::Stays };
        let holds = |atom: AtomId, position: usize| reading.holds(atom, position);
        let ending = if has_cycle {
            let back = back.filter(|&back| violations.accepts(letters, back, holds))?;
            Ending::Cycle { back, at_once: reading.steps[back] == stem }
        } else if let Some(state) = violations.decided_in(letters, holds) {
            Ending::Decided { state }
        } else {
            let stays = interpreter.steps(all[stem]).is_empty() && !claim.of_infinite_runs_only;
            let last = letters.checked_sub(1).filter(|_| stays)?;
            violations.accepts(letters, last, holds).then_some(Ending::Stays)?
        };
        Some(Reading { ending, ..reading })
    }

    /// Does an atom hold at a position?
    pub fn holds(&self, atom: AtomId, position: usize) -> bool {
        holds(self.interpreter, atom, self.states[position])
    }

    pub fn state(&self, position: usize) -> &'r State {
        self.states[position]
    }

    /// How many steps there are before a position.
    pub fn steps_before(&self, position: usize) -> usize {
        self.steps[position]
    }

    /// The number of steps of the run, its cycle taken once.
    pub fn run_length(&self) -> usize {
        self.run_length
    }

    pub fn shape(&self) -> Shape {
        let count = self.states.len();
        let back = match self.ending {
            Ending::Cycle { back, .. } => Some(back),
            Ending::Stays => Some(count - 1),
            Ending::Decided { .. } => None,
        };
        Shape { count, back }
    }

    /// The values of a formula whose proposition `i` is atom `i`.
    pub fn values(&self, formulas: &Formulas, formula: Formula) -> Values {
        Values::new(formulas, formula, self.shape(), |prop: Prop, position| self.holds(AtomId(prop.0), position))
    }

    /// Is the formula itself false of the run? What was found by way of an automaton is so confirmed without one.
    ///
    /// Where only the beginning of a run is known, this mostly shows that the formula is false, however the run goes on. Where it
    /// does not, as for `[] p && <> !p`, one of the ways in which the run can go on is looked at.
    pub fn refutes(&self, formulas: &Formulas, formula: Formula) -> bool {
        let value = self.values(formulas, formula).at(formula, 0);
        let value = value.or_else(|| {
            let (states, shape) = self.continued()?;
            let holds = |prop: Prop, position: usize| holds(self.interpreter, AtomId(prop.0), &states[position]);
            Values::new(formulas, formula, shape, holds).at(formula, 0)
        });
        // There may be no such way that is short enough, or that does not end in an error.
        value != Some(true)
    }

    /// The states that are read if the run goes on from its last state always by the first step that is possible.
    fn continued(&self) -> Option<(Vec<State>, Shape)> {
        let mut read: Vec<State> = self.states.iter().map(|state| (*state).clone()).collect();
        let mut current = self.last.clone();
        // How many states were read before each state that was met.
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        for _ in 0..LONGEST_CONTINUATION {
            let steps = self.interpreter.steps(&current);
            if steps.is_empty() {
                let shape = Shape { count: read.len(), back: Some(read.len().checked_sub(1)?) };
                return Some((read, shape));
            }
            current = steps.iter().find_map(|&step| self.interpreter.execute(&current, step).state)?;
            let mut bytes = Vec::new();
            self.interpreter.encode(&current, &mut bytes);
            if let Some(back) = known.insert(bytes, read.len()) {
                let shape = Shape { count: read.len(), back: Some(back) };
                return (back < read.len()).then_some((read, shape));
            }
            if current.exclusive.is_none() {
                read.push(current.clone());
            }
        }
        None
    }
}

/// Does an atom hold in a state? One that cannot be evaluated does not.
pub fn holds(interpreter: &Interpreter<'_>, atom: AtomId, state: &State) -> bool {
    let expr = &interpreter.model().atoms[atom.index()].expr;
    interpreter.evaluate_global(expr, state).is_ok_and(|value| value != 0)
}

impl Ending {
    /// What goes wrong there.
    pub fn reason(self, origin: &Origin) -> &'static str {
        match (self, origin) {
            (Ending::Cycle { .. }, _) => "the steps of the cycle repeat forever",
            (Ending::Stays, Origin::Formula { .. }) => "the run stops here, and the formula is still not satisfied",
            (Ending::Stays, Origin::Never { .. }) => "the run stops here, and the never claim accepts it",
            (Ending::Stays, Origin::Labels) => "the run stops here",
            (Ending::Decided { .. }, _) => "violated already by this finite prefix",
        }
    }
}
