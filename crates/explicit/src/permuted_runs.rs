//! Symmetry reduction: from runs over canonical states to runs of the model.
//!
//! Paper: [bosnacki03], Corollary 1: a permutation makes a run of a run.
//!
//! A search over canonical states finds steps between them. Where a state was replaced by its canonical state, the permutation is
//! applied to the run so far: the processes of its steps are renamed, and the run goes on.

use reductio_model::{Interpreter, State, Step, Trace, TransitionSystem};
use reductio_reduce::on_the_fly::symmetry::{Permutation, Symmetry};

use crate::atomic_sequences::event;
use crate::liveness::{Lasso, STAYS, step};
use crate::path_log::Path;

/// A representative on the way, and the state of the model that it stands for.
struct Pair {
    representative: State,
    /// Makes the state of the representative.
    permutation: Permutation,
}

/// The run in which these events happen, one after the other, each in the representative of what was reached.
pub(crate) fn follow(interpreter: &Interpreter<'_>, symmetry: &Symmetry, path: &Path) -> Trace {
    let mut here = Some(Pair::initial(interpreter, symmetry));
    let mut stem = Vec::with_capacity(path.len());
    for &number in path {
        let before = here.expect("no path leads through a fault that ends the run");
        here = before.after(interpreter, symmetry, event, number, &mut stem);
    }
    Trace { stem, cycle: Vec::new() }
}

/// The same for a run that goes on forever. When the representatives have come round, the processes may have changed places:
/// the cycle goes round until all are back.
/// `stepwise` says that every step is an event.
pub(crate) fn follow_lasso(interpreter: &Interpreter<'_>, symmetry: &Symmetry, lasso: &Lasso, stepwise: bool) -> Trace {
    let event = if stepwise { step } else { event };
    let mut here = Pair::initial(interpreter, symmetry);
    let mut steps_of = |events: &[u32]| {
        let mut steps = Vec::new();
        for &number in events.iter().filter(|&&number| number != STAYS) {
            let after = here.after(interpreter, symmetry, event, number, &mut steps);
            here = after.expect("no infinite run leads through a fault that ends it");
        }
        (steps, symmetry.put_together(&here.permutation, &here.representative))
    };
    let (stem, first) = steps_of(&lasso.stem);
    let mut cycle = Vec::new();
    loop {
        let (steps, state) = steps_of(&lasso.cycle);
        cycle.extend(steps);
        if state == first {
            return Trace { stem, cycle };
        }
    }
}

/// The run of which this is the stem, and a path to what a permutation makes of the state where it begins; every step is an
/// event. What the permutation makes of that path goes on from there, until all are back.
pub(crate) fn follow_fragment(interpreter: &Interpreter<'_>, symmetry: &Symmetry, lasso: &Lasso) -> Trace {
    let mut state = interpreter.initial();
    let mut steps_of = |events: &[u32]| {
        let mut steps = Vec::new();
        for &number in events.iter().filter(|&&number| number != STAYS) {
            let (more, next) = step(interpreter, &state, number);
            steps.extend(more);
            state = next.expect("no infinite run leads through a fault that ends it");
        }
        (steps, interpreter.decode(&state))
    };
    let (stem, first) = steps_of(&lasso.stem);
    let (fragment, last) = steps_of(&lasso.cycle);
    let (_, here) = symmetry.representative(&first);
    let (_, there) = symmetry.representative(&last);
    let exchange = there.inverse().after(&here);
    let mut cycle = Vec::new();
    let mut permutation = Permutation::identity(symmetry.columns.len());
    loop {
        let mut state = first.clone();
        for &step in &fragment {
            let (renamed, next) = renamed_step(interpreter, symmetry, &permutation, &state, step);
            cycle.push(renamed);
            state = next.expect("no infinite run leads through a fault that ends it");
        }
        permutation = permutation.after(&exchange);
        if symmetry.put_together(&permutation, &first) == first {
            return Trace { stem, cycle };
        }
    }
}

/// Tells the steps of an event, and where they lead.
type Events = fn(&Interpreter<'_>, &[u8], u32) -> (Vec<Step>, Option<Vec<u8>>);

impl Pair {
    fn initial(interpreter: &Interpreter<'_>, symmetry: &Symmetry) -> Pair {
        Pair { representative: interpreter.initial_state(), permutation: Permutation::identity(symmetry.columns.len()) }
    }

    /// After the event with this number, whose steps are added to those of the model's run.
    fn after(
        &self,
        interpreter: &Interpreter<'_>,
        symmetry: &Symmetry,
        event: Events,
        number: u32,
        run: &mut Vec<Step>,
    ) -> Option<Pair> {
        let mut bytes = Vec::new();
        interpreter.encode(&self.representative, &mut bytes);
        let (steps, _) = event(interpreter, &bytes, number);
        let mut state = Some(self.representative.clone());
        for step in steps {
            let before = state.expect("no event goes on after a fault that ends the run");
            let (renamed, after) = renamed_step(interpreter, symmetry, &self.permutation, &before, step);
            run.push(renamed);
            state = after;
        }
        let (representative, exchange) = symmetry.representative(&state?);
        Some(Pair { representative, permutation: self.permutation.after(&exchange.inverse()) })
    }
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
    let image = symmetry.put_together(permutation, before);
    let expected = outcome.state.as_ref().map(|state| symmetry.put_together(permutation, state));
    let rename = |pid: u8| symmetry.process_image(permutation, pid);
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
