//! A run of processes that is to show that a CTL formula is false is replayed on the model as it was read, and must show it, but for
//! what it says that it leaves open.

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Showing};
use reductio_model::{AtomId, CtlFormula, Interpreter, ReplayError, State, Trace, Witness, Workspace, replay};

use crate::Unconfirmed;

/// The states of a run that are seen: not those in the middle of an `atomic`.
pub struct Places {
    /// With the number of steps before each of them.
    states: Vec<(usize, State)>,
    /// The place that follows the last one, if the run goes on forever or has ended.
    cycle_start: Option<usize>,
}

impl Places {
    /// The places of a run, which must be one of the model.
    pub fn of(interpreter: &Interpreter<'_>, trace: &Trace) -> Result<Places, ReplayError> {
        let replayed = replay(interpreter, trace)?;
        let states = (0..=replayed.outcomes.len()).filter_map(|step| Some((step, replayed.before(step)?.clone())));
        let mut states: Vec<_> = states.filter(|(_, state)| state.exclusive.is_none()).collect();
        let cycle_start = if trace.cycle.is_empty() {
            let last = states.last().filter(|(_, state)| interpreter.steps(state).is_empty());
            last.map(|_| states.len() - 1)
        } else {
            // The last state is the first one of the cycle again.
            states.pop();
            states.iter().position(|(step, _)| *step == trace.stem.len())
        };
        Ok(Places { states, cycle_start })
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn steps_before(&self, place: usize) -> usize {
        self.states[place].0
    }

    /// The place at which the run is after so many steps, if it is seen then.
    pub fn after_steps(&self, steps: usize) -> Option<usize> {
        self.states.iter().position(|(step, _)| *step == steps)
    }
}

/// Replays a run, and looks whether it shows that a formula is false. Answers what it leaves open, in a sentence, if it does.
pub fn certify_ctl(
    interpreter: &Interpreter<'_>,
    asked: &CtlFormula,
    witness: &Witness,
    implied: &[(usize, Formula)],
) -> Result<Option<String>, Unconfirmed> {
    let our_bug = |story: String| Unconfirmed { property: asked.name.clone(), story };
    let places =
        Places::of(interpreter, &witness.run).map_err(|error| our_bug(format!("it does not replay: {error}")))?;
    let mut holds = |prop: Prop, place: usize| {
        let workspace = Workspace::new(places.states[place].1.clone());
        interpreter.atom_holds(&workspace, AtomId(prop.0)) == Ok(true)
    };
    let given = [&witness.left[..], implied].concat();
    let mut showing =
        Showing { places: places.len(), cycle_start: places.cycle_start, given: &given, holds: &mut holds };
    if !showing.shows(&asked.formula.normal_form(true), 0) {
        return Err(our_bug("its run does not show it".to_owned()));
    }
    Ok(left_open(interpreter, witness, &places))
}

/// What is true of a run and not shown by it.
fn left_open(interpreter: &Interpreter<'_>, witness: &Witness, places: &Places) -> Option<String> {
    let atom = |prop: Prop| interpreter.model().atoms[prop.0 as usize].text.clone();
    let mut formulas: Vec<(&Formula, Vec<String>)> = Vec::new();
    for (place, formula) in &witness.left {
        let step = places.steps_before(*place).to_string();
        match formulas.iter_mut().find(|(known, _)| *known == formula) {
            Some((_, steps)) => steps.push(step),
            None => formulas.push((formula, vec![step])),
        }
    }
    let text = |(formula, steps): &(&Formula, Vec<String>)| {
        let word = if steps.len() == 1 { "step" } else { "steps" };
        format!("after {word} {}, {} holds, which this run does not show", steps.join(", "), formula.text(&atom))
    };
    let texts: Vec<String> = formulas.iter().map(text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}
