//! All answers to the claim of a program, side by side: which of its infinite runs break it, if all count, if only the
//! weakly fair ones do, and if only the strongly fair ones do.

use reductio_explicit::plain;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{ClaimId, Interpreter, Model};
use reductio_reduce::Fairness;

use super::contenders::{self, CONTENDERS, RUN_CONTENDERS};
use super::generate::{ClaimKind, Features, Size, generate_with};
use super::oracle::{Oracle, SpinRuns};
use super::program::{Formula, Program};
use super::programs::Comparison;
use crate::Failure;

/// From all runs to few.
const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

/// The whole graph of model and automaton is looked at if it has no more nodes.
const MOST_NODES: usize = 100_000;

/// Whether some run breaks the claim, for each kind of fairness.
type Broken = [bool; 3];

/// The kinds of claims take turns.
pub fn generate(seed: u64, size: Size) -> Program {
    use ClaimKind::{Acceptance, Ltl, Never, Progress};
    let kinds = [Ltl, Never, Ltl, Never, Acceptance, Progress];
    let claim = kinds[(seed % kinds.len() as u64) as usize];
    generate_with(seed, size, Features { claim: Some(claim), risky: false })
}

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

/// What all of ours agree on, and whether the whole graph has confirmed it; or what is wrong.
pub fn our_answer(model: &Model, claim: ClaimId) -> Result<(Broken, bool), String> {
    let interpreter = Interpreter::new(model);
    let mut broken = [false; 3];
    let mut is_certain = true;
    for (fairness, broken) in FAIRNESS.into_iter().zip(&mut broken) {
        let with = format!("with --fairness {}", fairness.name());
        let expected = plain::has_accepted_run(&interpreter, model.claim(claim), fairness, MOST_NODES);
        is_certain &= expected.is_some();
        let mut first = expected;
        for (name, ask) in RUN_CONTENDERS {
            let Some(found) = contenders::broken_claim(model, claim, fairness, *ask) else { continue };
            let found = found.map_err(|limit| format!("{name}, {with}: inconclusive, {limit}"))?;
            if let Some(trace) = &found {
                plain::confirm_run(&interpreter, model.claim(claim), fairness, trace)
                    .map_err(|why| format!("a run of {name}, {with}: {why}"))?;
            }
            *broken = found.is_some();
            if *first.get_or_insert(*broken) != *broken {
                return Err(format!("{name}, {with}: the claim {}; it is not so", describe(*broken)));
            }
        }
    }
    // Fewer runs break less.
    match broken.is_sorted_by(|more, fewer| more >= fewer) {
        true => Ok((broken, is_certain)),
        false => Err(format!("with more fairness more is broken: {broken:?}")),
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
    let [all, fair, _] = broken;
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

fn describe(broken: bool) -> &'static str {
    if broken { "is broken" } else { "holds" }
}
