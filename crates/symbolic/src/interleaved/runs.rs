//! From sets of states to runs of the model, step by step. The interpreter takes each step, so what comes out is a run.

use std::collections::HashMap;

use reductio_model::{Interpreter, State, Step, Trace};

use super::components::Row;
use super::space::Space;
use crate::bdd::{Bdd, Computed};
use crate::structure::Structure;

impl Space<'_> {
    /// A shortest run to a set of reachable states, and its last state. `None` if the set is empty.
    pub fn run_to(&self, target: &Bdd) -> Computed<Option<(Vec<Step>, State)>> {
        let manager = self.manager();
        if target.is_false() {
            return Ok(None);
        }
        let mut rings = vec![target.clone()];
        let mut known = target.clone();
        while manager.and(&known, self.initial())?.is_false() {
            let new = manager.minus(&self.before(&rings[rings.len() - 1])?, &known)?;
            assert!(!new.is_false(), "what was reached can be reached");
            known = manager.or(&known, &new)?;
            rings.push(new);
        }
        rings.pop();
        let interpreter = self.interpreter();
        let mut state = interpreter.initial_state();
        let mut steps = Vec::new();
        for ring in rings.iter().rev() {
            let mut found = None;
            for step in interpreter.steps(&state) {
                let Some(next) = interpreter.execute(&state, step).state else { continue };
                let point = self.learning.components.point(&self.learning.components.row(&next))?;
                if !manager.and(&point, ring)?.is_false() {
                    found = Some((step, next));
                    break;
                }
            }
            let (step, next) = found.expect("the interpreter takes the steps that were learnt from it");
            steps.push(step);
            state = next;
        }
        Ok(Some((steps, state)))
    }

    /// The run through these states, which are seen. Where it ends for good, it has no cycle.
    pub fn trace(&self, rows: &[Row], cycle_start: Option<usize>) -> Trace {
        let states: Vec<State> = rows.iter().map(|row| self.learning.state(row)).collect();
        let interpreter = self.interpreter();
        let mut trace = Trace::default();
        for (place, pair) in states.windows(2).enumerate() {
            let part = if cycle_start.is_some_and(|start| place >= start) { &mut trace.cycle } else { &mut trace.stem };
            part.extend(steps_between(&interpreter, &pair[0], &pair[1]));
        }
        if let (Some(start), Some(last)) = (cycle_start, states.last()) {
            trace.cycle.extend(steps_between(&interpreter, last, &states[start]));
        }
        trace
    }
}

/// The fewest steps from a state to one that is seen next, through the middle of an `atomic`. There are none if the run has
/// ended and stays.
fn steps_between(interpreter: &Interpreter<'_>, from: &State, to: &State) -> Vec<Step> {
    if from == to && interpreter.steps(from).is_empty() {
        return Vec::new();
    }
    // How each state was reached.
    let mut reached: HashMap<State, (Option<State>, Step)> = HashMap::new();
    let mut pending = vec![from.clone()];
    while !pending.is_empty() {
        let mut onward = Vec::new();
        for state in pending {
            let before = state.exclusive.is_some().then(|| state.clone());
            for step in interpreter.steps(&state) {
                let Some(next) = interpreter.execute(&state, step).state else { continue };
                if next == *to {
                    return backwards(&reached, before, step);
                }
                if next.exclusive.is_some() && !reached.contains_key(&next) {
                    reached.insert(next.clone(), (before.clone(), step));
                    onward.push(next);
                }
            }
        }
        pending = onward;
    }
    unreachable!("the second state was found among the successors of the first")
}

fn backwards(reached: &HashMap<State, (Option<State>, Step)>, from: Option<State>, last: Step) -> Vec<Step> {
    let mut steps = vec![last];
    let mut at = from;
    while let Some((before, step)) = at.as_ref().and_then(|state| reached.get(state)) {
        steps.push(*step);
        at = before.clone();
    }
    steps.reverse();
    steps
}
