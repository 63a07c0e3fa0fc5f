//! All our answers to a claim about a model's infinite runs, side by side: which of them break it, if all count, and if only
//! those do that are fair, for each kind of fairness.

use reductio_explicit::plain;
use reductio_model::{ClaimId, Interpreter, Model, Property};
use reductio_reduce::Fairness;

use crate::certified;
use crate::contenders::{self, RUN_CONTENDERS};

/// From all runs to few, of processes and of operations.
pub const FAIRNESS: [Fairness; 6] = [
    Fairness::None,
    Fairness::Weak,
    Fairness::Strong,
    Fairness::OperationJustice,
    Fairness::OperationFairness,
    Fairness::Maximal,
];

/// The whole graph of model and automaton is looked at if it has no more nodes.
const MOST_NODES: usize = 100_000;

/// Whether some run breaks the claim, for each kind of fairness.
pub type Broken = [bool; FAIRNESS.len()];

/// What all of ours agree on, and whether the whole graph has confirmed it as far as SPIN is asked, too, which knows only weak
/// fairness; or what is wrong.
pub fn our_answer(model: &Model, claim: ClaimId) -> Result<(Broken, bool), String> {
    let interpreter = Interpreter::new(model);
    let mut broken = Broken::default();
    let mut is_certain = true;
    for (fairness, broken) in FAIRNESS.into_iter().zip(&mut broken) {
        let with = format!("with --fairness {}", fairness.name());
        let expected = plain::has_accepted_run(&interpreter, model.claim(claim), fairness, MOST_NODES);
        is_certain &= expected.is_some() || !matches!(fairness, Fairness::None | Fairness::Weak);
        let mut first = expected;
        for (name, ask) in RUN_CONTENDERS {
            let Some(found) = contenders::broken_claim(model, claim, fairness, *ask) else { continue };
            let found = found.map_err(|limit| format!("{name}, {with}: inconclusive, {limit}"))?;
            if let Some(witness) = &found {
                certified::of_processes(model, fairness, Property::Claim(claim), witness)
                    .map_err(|why| format!("a run of {name}, {with}: {why}"))?;
            }
            *broken = found.is_some();
            if *first.get_or_insert(*broken) != *broken {
                return Err(format!("{name}, {with}: the claim {}; it is not so", describe(*broken)));
            }
        }
    }
    // Fewer runs break less.
    let [all, weak, strong, justice, fair, maximal] = broken;
    let is_sorted = [[all, maximal, weak, strong], [all, maximal, justice, fair]]
        .iter()
        .all(|fewer| fewer.is_sorted_by(|a, b| a >= b));
    match is_sorted {
        true => Ok((broken, is_certain)),
        false => Err(format!("with more fairness more is broken: {broken:?}")),
    }
}

/// In a message.
pub fn describe(broken: bool) -> &'static str {
    if broken { "is broken" } else { "holds" }
}
