//! A run that breaks a claim, as the claim reads it: state by state, but for those in the middle of an `atomic`.

use reductio_logic::Prop;
use reductio_logic::evaluate::{Shape, Values};
use reductio_logic::ltl::{Formula, Formulas};
use reductio_model::{AtomId, Claim, Interpreter, Replayed, State};

pub struct Reading<'r> {
    interpreter: &'r Interpreter<'r>,
    /// The states that are read.
    states: Vec<&'r State>,
    /// How many steps there are before each.
    steps: Vec<usize>,
    run_length: usize,
    pub ending: Ending,
}

/// How a run goes on after its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At this position again, `at_once` if its last step leads there and not into the middle of an `atomic`.
    Cycle { back: usize, at_once: bool },
    /// It stays there for ever.
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
        let reading = Reading { interpreter, states, steps, run_length, ending: Ending::Stays };
        let holds = |atom: AtomId, position: usize| reading.holds(atom, position);
        let ending = if has_cycle {
            let back = back.filter(|&back| violations.accepts(letters, back, holds))?;
            Ending::Cycle { back, at_once: reading.steps[back] == stem }
        } else if let Some(state) = violations.decided_in(letters, holds) {
            Ending::Decided { state }
        } else {
            let stays = interpreter.steps(all[stem]).is_empty() && !claim.is_of_infinite_runs_only();
            let last = letters.checked_sub(1).filter(|_| stays)?;
            violations.accepts(letters, last, holds).then_some(Ending::Stays)?
        };
        Some(Reading { ending, ..reading })
    }

    /// Does an atom hold at a position? One that cannot be evaluated does not.
    pub fn holds(&self, atom: AtomId, position: usize) -> bool {
        let expr = &self.interpreter.model().atoms[atom.index()].expr;
        self.interpreter.evaluate_global(expr, self.states[position]).is_ok_and(|value| value != 0)
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

    /// The values of a formula whose proposition `i` is atom `i`, if the run has this shape.
    pub fn values(&self, formulas: &Formulas, formula: Formula, shape: Shape) -> Values {
        Values::new(formulas, formula, shape, |prop: Prop, position| self.holds(AtomId(prop.0), position))
    }

    /// Is the formula itself false of the run? What was found by way of an automaton is so confirmed without one.
    ///
    /// Where only the beginning of a run is known and a formula's parts, each by itself, do not yet have a value, one of
    /// the ways to go on is looked at: the last state for ever.
    pub fn refutes(&self, formulas: &Formulas, formula: Formula) -> bool {
        let shape = self.shape();
        let value = self.values(formulas, formula, shape).at(formula, 0);
        let stays = Shape { back: shape.back.or(Some(shape.count - 1)), ..shape };
        value.or_else(|| self.values(formulas, formula, stays).at(formula, 0)) == Some(false)
    }
}

impl Ending {
    /// What goes wrong there.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Cycle { .. } => "the steps of the cycle repeat for ever",
            Ending::Stays => "the run ends in its last state",
            Ending::Decided { .. } => "broken in the last state, however the run goes on",
        }
    }
}
