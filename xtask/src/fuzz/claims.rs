//! All answers to the claim of a program, side by side: which of its infinite runs break it, if all count, and if only those
//! do that are fair, for each kind of fairness.

use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::ClaimId;
use reductio_testing::contenders::{self, CONTENDERS};
use reductio_testing::infinite_runs::{Broken, FAIRNESS, describe, our_answer};
use reductio_testing::promela::program::{Formula, Program};

use super::oracle::{Oracle, SpinRuns};
use super::programs::Comparison;
use crate::Failure;

pub fn compare(program: &Program, oracle: &Oracle<'_>) -> Result<Comparison, Failure> {
    let Some(kind) = program.claim_kind() else { return Ok(Comparison::RejectedByBoth) };
    let text = program.to_string();
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    let Some(model) = loaded.model else {
        let ours = loaded.diagnostics.render(&loaded.sources);
        return Ok(match oracle.runs(&text, kind)? {
            None => Comparison::RejectedByBoth,
            _ if !oracle.asks => Comparison::SpinGaveUp,
            Some(_) => Comparison::Different(format!("SPIN accepts the program, we do not:\n{ours}")),
        });
    };
    if model.claims.len() != 1 {
        let why = model.unchecked.first().map_or("no reason", |unchecked| &unchecked.why);
        // A claim that remembers a whole number of the processes has many states of its own.
        return Ok(match why.starts_with("the claim's automaton has more than") {
            true => Comparison::TooLarge,
            false => Comparison::Different(format!("the claim is not checked: {why}")),
        });
    }
    if contenders::is_too_large(&model) {
        return Ok(Comparison::TooLarge);
    }
    if CONTENDERS[0].answer(&model).runtime_error {
        return Ok(Comparison::RuntimeError);
    }
    let (broken, is_certain) = match our_answer(&model, ClaimId(0)) {
        Ok(answer) => answer,
        Err(what) => return Ok(Comparison::Different(what)),
    };
    if let Some(what) = wrong_negation(program, broken) {
        return Ok(Comparison::Different(what));
    }
    let Some(spin) = oracle.runs(&text, kind)? else {
        return Ok(Comparison::Different("SPIN rejects the program, we do not".to_owned()));
    };
    match beside_spin(broken, is_certain, spin) {
        // The fast compiler is not always right.
        Comparison::Different(_) => match oracle.careful_runs(&text, kind)? {
            Some(spin) => Ok(beside_spin(broken, is_certain, spin)),
            None => Ok(Comparison::Different("SPIN rejects the program, we do not".to_owned())),
        },
        comparison => Ok(comparison),
    }
}

/// There is always a fair run, and it breaks a formula or its negation.
fn wrong_negation(program: &Program, broken: Broken) -> Option<String> {
    let mut negated = program.clone();
    let ltl = negated.ltl.as_mut()?;
    ltl.formula = Formula::Not(Box::new(ltl.formula.clone()));
    let text = negated.to_string();
    let model = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes).model?;
    match our_answer(&model, ClaimId(0)) {
        Err(what) => Some(format!("negated: {what}\n{text}")),
        Ok((negated, _)) => {
            let neither = (0..FAIRNESS.len()).find(|&index| !broken[index] && !negated[index])?;
            let with = FAIRNESS[neither].name();
            Some(format!("neither the formula nor its negation is broken with --fairness {with}"))
        }
    }
}

/// SPIN misses many fair runs: where the whole graph has one, that is not our fault.
fn beside_spin(broken: Broken, is_certain: bool, spin: SpinRuns) -> Comparison {
    let [all, fair, ..] = broken;
    let different = |with: &str, ours: bool| {
        Comparison::Different(format!("{with} fairness the claim {}, SPIN says no", describe(ours)))
    };
    let SpinRuns { all: Some(by_spin), fair: Some(fair_by_spin) } = spin else { return Comparison::SpinGaveUp };
    let is_missed = fair && !fair_by_spin;
    if by_spin != all {
        different("without", all)
    } else if fair_by_spin != fair && !(is_missed && is_certain) {
        different("with weak", fair)
    } else {
        Comparison::SameRuns { broken: all, broken_fairly: fair, is_missed }
    }
}
