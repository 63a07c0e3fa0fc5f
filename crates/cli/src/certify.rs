//! No counterexample is shown before the interpreter has confirmed it: the run is replayed on the model as it was
//! read, and must end in what it is said to end in.

use reductio_model::{Fault, Interpreter, Model, Replayed, State, Violation, replay};
use reductio_reduce::Property;

use crate::failure::Failure;

/// A counterexample that was confirmed.
pub struct Certified {
    pub replayed: Replayed,
    /// What goes wrong at its end.
    pub reason: String,
}

pub fn certify(interpreter: &Interpreter<'_>, property: Property, violation: &Violation) -> Result<Certified, Failure> {
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
