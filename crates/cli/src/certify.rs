//! No counterexample is shown before the interpreter has confirmed it: the run is replayed on the model as it was
//! read, and must end in what it is said to end in.

use reductio_model::{AtomId, Claim, Fault, Interpreter, Model, Replayed, State, Step, Violation, replay};
use reductio_reduce::{Fairness, Property};

use crate::failure::Failure;

/// A counterexample that was confirmed.
pub struct Certified {
    pub replayed: Replayed,
    /// What goes wrong at its end.
    pub reason: String,
}

pub fn certify(
    interpreter: &Interpreter<'_>,
    property: Property,
    fairness: Fairness,
    violation: &Violation,
) -> Result<Certified, Failure> {
    let model = interpreter.model();
    let our_bug = |story: String| Failure::OurBug { property: property.name(model), story };
    let replayed =
        replay(interpreter, &violation.trace).map_err(|error| our_bug(format!("it does not replay: {error}")))?;
    let last_fault = replayed.outcomes.last().and_then(|(_, outcome)| outcome.fault.as_ref());
    let last_state = replayed.before(replayed.outcomes.len());
    let reason = match (property, last_state) {
        (Property::Assertions, _) => confirm_fault(model, last_fault, violation.fault.as_ref()),
        (Property::Deadlock, Some(state)) => confirm_deadlock(interpreter, state),
        (Property::Invariant(atom), Some(state)) => {
            let value = interpreter.evaluate_global(&model.atoms[atom.index()].expr, state);
            match value {
                Ok(0) => Some("false in the last state".to_owned()),
                Ok(_) => None,
                Err(fault) => Some(format!("cannot be evaluated in the last state: {fault}")),
            }
        }
        (Property::Claim(claim), Some(_)) => {
            let stem = violation.trace.stem.len();
            confirm_claim(interpreter, model.claim(claim), &replayed, stem)
                .filter(|_| is_fair(interpreter, fairness, &replayed, stem))
        }
        (_, None) => None,
    };
    let reason = reason.ok_or_else(|| our_bug("at the end of its replay nothing is wrong".to_owned()))?;
    Ok(Certified { replayed, reason })
}

fn confirm_fault(model: &Model, replayed: Option<&Fault>, claimed: Option<&Fault>) -> Option<String> {
    let fault = replayed.filter(|fault| Some(*fault) == claimed)?;
    let action = model.proctype(fault.proctype).action(fault.action);
    Some(format!("{}: {} ({})", fault.kind, action.text, model.place_name(action.position)))
}

fn confirm_deadlock(interpreter: &Interpreter<'_>, state: &State) -> Option<String> {
    let deadlocked = interpreter.steps(state).is_empty() && !interpreter.is_valid_end_state(state);
    deadlocked.then(|| describe_deadlock(interpreter.model(), state))
}

/// Does the automaton accept the run? In states in the middle of an `atomic` it does not move.
fn confirm_claim(interpreter: &Interpreter<'_>, claim: &Claim, replayed: &Replayed, stem: usize) -> Option<String> {
    let model = interpreter.model();
    let violations = &claim.violations;
    let ends = stem == replayed.outcomes.len();
    // The last state of a cycle is its first.
    let count = if ends { stem + 1 } else { replayed.outcomes.len() };
    let states: Option<Vec<&State>> = (0..count).map(|index| replayed.before(index)).collect();
    let states = states?;
    let is_read = |state: &&&State| state.exclusive.is_none();
    let letters: Vec<&State> = states.iter().filter(is_read).copied().collect();
    let holds = |atom: AtomId, position: usize| {
        let value = interpreter.evaluate_global(&model.atoms[atom.index()].expr, letters[position]);
        value.is_ok_and(|value| value != 0)
    };
    if !ends {
        let back = states[..stem].iter().filter(is_read).count();
        let accepted = back < letters.len() && violations.accepts(letters.len(), back, holds);
        return accepted.then(|| "the steps of the cycle repeat for ever".to_owned());
    }
    if violations.has_decided(letters.len(), holds) {
        return Some("broken in the last state, however the run goes on".to_owned());
    }
    let last = *states.last()?;
    let stays = interpreter.steps(last).is_empty() && !claim.is_of_infinite_runs_only();
    let accepted = stays && violations.accepts(letters.len(), letters.len() - 1, holds);
    accepted.then(|| "the run ends in its last state".to_owned())
}

/// Is the cycle fair? A run that ends is: nobody can move.
fn is_fair(interpreter: &Interpreter<'_>, fairness: Fairness, replayed: &Replayed, stem: usize) -> bool {
    let states: Vec<&State> = (stem..replayed.outcomes.len()).filter_map(|index| replayed.before(index)).collect();
    let processes = states.iter().map(|state| state.processes.len()).max().unwrap_or(0);
    (0..processes).all(|pid| {
        let is_mover = |step: &Step| step.process as usize == pid;
        let moves = replayed.outcomes[stem..].iter().any(|(step, _)| is_mover(step));
        let cannot = |state: &&State| !interpreter.steps(state).iter().any(is_mover);
        // In the middle of an `atomic` the others are only kept from moving.
        let rests = |state: &&State| state.exclusive.is_none() && cannot(state);
        match fairness {
            Fairness::None => true,
            Fairness::Weak => moves || states.iter().any(rests),
            Fairness::Strong => moves || states.iter().all(cannot),
        }
    })
}

/// Where the processes wait that should not have to.
pub fn describe_deadlock(model: &Model, state: &State) -> String {
    const SHOWN: usize = 4;
    let mut waiting = Vec::new();
    for (pid, process) in state.processes.iter().enumerate() {
        let proctype = model.proctype(process.proctype);
        let location = proctype.location(process.location);
        if !location.end {
            waiting.push(format!("{}[{pid}] at {}", proctype.name, model.place_name(location.position)));
        }
    }
    let more = waiting.len().saturating_sub(SHOWN);
    waiting.truncate(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("invalid end state, waiting for ever: {}{more}", waiting.join(", "))
}
