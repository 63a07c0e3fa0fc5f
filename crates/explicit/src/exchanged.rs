//! From runs over representatives to runs of the model.
//!
//! Paper: [bosnacki03], Corollary 1: a permutation makes a run of a run.
//!
//! A search that takes representatives for states finds steps between them. What came before the last exchange is what
//! a permutation makes of it: the steps are renamed, and the run goes on.

use reductio_model::{Interpreter, State, Step, Trace};
use reductio_reduce::on_the_fly::symmetry::{Permutation, Symmetry};

use crate::path_log::Path;
use crate::runs_on::event;

/// A representative on the way, and the state of the model that it stands for.
struct Pair {
    representative: State,
    /// Makes the state of the representative.
    permutation: Permutation,
}

/// The run in which these events happen, one after the other, each in the representative of what was reached.
pub(crate) fn follow(interpreter: &Interpreter<'_>, symmetry: &Symmetry, path: &Path) -> Trace {
    let mut here = Some(Pair {
        representative: interpreter.initial_state(),
        permutation: Permutation::identity(symmetry.columns.len()),
    });
    let mut stem = Vec::with_capacity(path.len());
    for &number in path {
        let Pair { representative, permutation } = here.expect("no path leads through a fault that ends the run");
        let mut bytes = Vec::new();
        interpreter.encode(&representative, &mut bytes);
        let (steps, _) = event(interpreter, &bytes, number);
        let mut state = Some(representative);
        for step in steps {
            let before = state.expect("no event goes on after a fault that ends the run");
            let (renamed, after) = renamed_step(interpreter, symmetry, &permutation, &before, step);
            stem.push(renamed);
            state = after;
        }
        here = state.map(|reached| {
            let (representative, exchange) = symmetry.representative(&reached);
            Pair { representative, permutation: permutation.after(&exchange.inverse()) }
        });
    }
    Trace { stem, cycle: Vec::new() }
}

/// What a step becomes where a permutation is applied to the state before it and to the one after it; and the latter, as
/// it was.
fn renamed_step(
    interpreter: &Interpreter<'_>,
    symmetry: &Symmetry,
    permutation: &Permutation,
    before: &State,
    step: Step,
) -> (Step, Option<State>) {
    let outcome = interpreter.execute(before, step);
    let image = symmetry.permuted(permutation, before);
    let expected = outcome.state.as_ref().map(|state| symmetry.permuted(permutation, state));
    let rename = |pid: u8| match symmetry.acts_on(before) {
        true => symmetry.process_image(permutation, pid),
        false => pid,
    };
    let is_same = |candidate: &Step| {
        let same_processes = candidate.process == rename(step.process)
            && candidate.partner.map(|(pid, _)| pid) == step.partner.map(|(pid, _)| rename(pid));
        same_processes && {
            let other = interpreter.execute(&image, *candidate);
            other.state == expected && other.fault.is_some() == outcome.fault.is_some()
        }
    };
    let steps = interpreter.steps(&image);
    // The same statement, if it will do: others may lead to the same state.
    let exact = steps.iter().find(|candidate| candidate.edge == step.edge && is_same(candidate));
    let found = exact.or_else(|| steps.iter().find(|candidate| is_same(candidate)));
    (*found.expect("a symmetry takes steps to steps"), outcome.state)
}
