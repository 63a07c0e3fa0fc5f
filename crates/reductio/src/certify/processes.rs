//! Runs of processes are replayed on the model as it was read, and must end in what they are said to end in.

use reductio_explicit::plain::is_fair;
use reductio_logic::ctl::Formula;
use reductio_model::{
    ClaimId, CtlFormula, Fault, Impossible, Interpreter, Origin, Property, Replayed, State, Trace, Witness, replay,
};
use reductio_reduce::Fairness;
use reductio_report::{Described, ExplanationEntry};

use crate::Unconfirmed;
use crate::certify::ctl::certify_ctl;
use crate::certify::{Certified, ConfirmedRun};
use crate::explain::explanation;
use crate::reading::Reading;

/// A run that shows that a CTL formula is false, as far as one run can.
pub fn certify_formula(
    interpreter: &Interpreter<'_>,
    asked: &CtlFormula,
    witness: Witness,
    implied: &[(usize, Formula)],
) -> Result<Certified, Unconfirmed> {
    let note = certify_ctl(interpreter, asked, &witness, implied)?;
    let Trace { stem, cycle } = &witness.run;
    if stem.is_empty() && cycle.is_empty() && !witness.left.is_empty() {
        return Ok(Certified::new("false in the initial state; no single run shows why", ConfirmedRun::Nothing));
    }
    let explanation = note.map(|note| ExplanationEntry {
        atoms: Vec::new(),
        reasons: Vec::new(),
        visits: Vec::new(),
        again_after: None,
        note: Some(note),
    });
    let certified = Certified::new("false in the initial state", ConfirmedRun::Processes(witness));
    Ok(Certified { explanation, ..certified })
}

/// A run that shows anything else.
pub fn certify(
    interpreter: &Interpreter<'_>,
    property: Property,
    fairness: Fairness,
    witness: Witness,
) -> Result<Certified, Unconfirmed> {
    let model = interpreter.model();
    let our_bug = |story: String| Unconfirmed { property: property.name(model), story };
    let does_not_replay = |story: String| our_bug(format!("it does not replay: {story}"));
    let mut explanation = None;
    let reason = match property {
        Property::Assertions => {
            let (_, fault) = last(interpreter, &witness.run).map_err(does_not_replay)?;
            let fault = fault.filter(|fault| Some(fault) == witness.fault.as_ref());
            fault.map(|fault| interpreter.fault(&fault))
        }
        Property::Deadlock => {
            let (state, _) = last(interpreter, &witness.run).map_err(does_not_replay)?;
            state.and_then(|state| confirm_deadlock(interpreter, &state))
        }
        Property::Invariant(invariant) => {
            let (state, _) = last(interpreter, &witness.run).map_err(does_not_replay)?;
            let value = state.map(|state| interpreter.evaluate_global(model.invariant_condition(invariant), &state));
            match value {
                Some(Ok(0)) => Some(format!("false {}", moment(&witness.run))),
                Some(Ok(_)) | None => None,
                Some(Err(fault)) => Some(format!("cannot be evaluated {}: {fault}", moment(&witness.run))),
            }
        }
        Property::Claim(claim) => {
            let replayed = replay(interpreter, &witness.run).map_err(|error| does_not_replay(error.to_string()))?;
            let stem = witness.run.stem.len();
            let is_fair = is_fair(interpreter, fairness, &witness.run);
            let confirmed = confirm_claim(interpreter, claim, &replayed, stem).filter(|_| is_fair);
            confirmed.map(|(reason, why)| {
                explanation = Some(why);
                reason
            })
        }
        Property::Ctl(_) => unreachable!("formulas are confirmed by what their runs leave open, too"),
    };
    let reason = reason.ok_or_else(|| our_bug("at the end of its replay nothing is wrong".to_owned()))?;
    Ok(Certified { reason, explanation, shown: ConfirmedRun::Processes(witness) })
}

/// Where a run ends that is shown step by step.
fn moment(run: &Trace) -> String {
    match run.stem.len() {
        0 => "in the initial state".to_owned(),
        steps => format!("after step {steps}"),
    }
}

/// The state in which a run ends, if it does not end in a fault, and what goes wrong in its last step. The states on the way are
/// not kept: there may be millions.
fn last(interpreter: &Interpreter<'_>, trace: &Trace) -> Result<(Option<State>, Option<Fault>), String> {
    let (walk, mut system) = (trace.walk(interpreter), *interpreter);
    let mut taking = walk.taken(&mut system);
    let mut fault = None;
    for taken in taking.by_ref() {
        let taken = taken.map_err(|Impossible { index }| format!("step {} cannot be taken", index + 1))?;
        fault = taken.outcome.fault;
    }
    Ok((taking.state().cloned(), fault))
}

fn confirm_deadlock(interpreter: &Interpreter<'_>, state: &State) -> Option<String> {
    let deadlocked = interpreter.steps(state).is_empty() && !interpreter.is_valid_end_state(state);
    deadlocked.then(|| { *interpreter }.ending(state))
}

/// Is the run accepted by the claim's automaton, and if the claim was a formula, is that false?
fn confirm_claim(
    interpreter: &Interpreter<'_>,
    claim: ClaimId,
    replayed: &Replayed,
    stem: usize,
) -> Option<(String, ExplanationEntry)> {
    let model = interpreter.model();
    let claim = model.claim(claim);
    let reading = Reading::new(interpreter, claim, replayed, stem)?;
    let is_broken = match &claim.origin {
        Origin::Formula { formulas, formula } => reading.refutes(formulas, *formula),
        Origin::Never { .. } | Origin::Labels => true,
    };
    is_broken.then(|| (reading.ending.reason(&claim.origin).to_owned(), explanation(model, claim, &reading)))
}

#[cfg(test)]
mod tests {
    use reductio_explicit::search;
    use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
    use reductio_model::{Budget, Verdict};
    use reductio_reduce::{PlanRequest, plan};

    use super::*;

    /// Checks a formula by the automaton of another one, as if the translation were wrong. Answers whether the run that is found
    /// is confirmed; `None` if none is.
    fn confirmed(formula: &str, translated_as: &str) -> Option<bool> {
        let text = b"bit p; active proctype A() { p = 1; do :: p = 0; p = 1 od }";
        let options = LoadOptions { ltl: vec![formula.to_owned(), translated_as.to_owned()], ..LoadOptions::default() };
        let loaded = load("m.pml", text, &options, &NoIncludes);
        let mut model = loaded.model.expect("it is a model");
        model.claims[0].violations = model.claims[1].violations.clone();
        let property = Property::Claim(ClaimId(0));
        let plan = plan(&model, PlanRequest::new(vec![property])).expect("there is such a plan");
        let interpreter = Interpreter::new(&model);
        let result = search(&interpreter, &plan, &Budget::UNLIMITED);
        match &result.verdicts[0].verdict {
            Verdict::Violated(violation) => {
                let certified = certify(&interpreter, property, Fairness::None, violation.clone());
                Some(certified.is_ok())
            }
            _ => None,
        }
    }

    #[test]
    fn a_formula_that_was_mistranslated_is_not_violated() {
        // A run that is found by the wrong one has a cycle, is a beginning, or is a beginning that shows nothing by itself.
        for formula in ["[] <> p", "[] (p -> <> !p)", "p || X p", "<> p"] {
            for wrong in ["<> [] p", "[] !p", "[] p && <> !p"] {
                assert_eq!(confirmed(wrong, wrong), Some(true), "{wrong}");
                assert_eq!(confirmed(formula, wrong), Some(false), "{formula} as {wrong}");
            }
        }
    }
}
