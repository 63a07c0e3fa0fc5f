//! The way back: a run of a reduced model is made a run of the unreduced one.
//!
//! Both are followed side by side. Where a process has done several things at once in the reduced model, it does them one by
//! one in the other, until it is at the same place. Variables that are dead in the one keep their old values in the other, so
//! that a cycle may have to be gone through once more before it closes. Who stays at the end in the one leaves as soon as possible in
//! the other.

use std::collections::HashMap;

use reductio_model::{ActionKind, AtomId, Claim, Fault, Interpreter, Property, State, Step, Trace, Witness, Workspace};

/// A cycle closes when what is dead in it has been written once; what was sliced may go through all its values first.
const MOST_ROUNDS: usize = 1000;

/// A run of which only the beginning is known is followed so far until it repeats itself.
const LONGEST_CONTINUATION: usize = 100_000;

/// The same violation on the unreduced model. `None` if its cycle takes too many rounds there: what was sliced may go on changing for
/// a long time.
pub fn lift(
    original: &Interpreter<'_>,
    reduced: &Interpreter<'_>,
    property: Property,
    violation: &Witness,
) -> Option<Witness> {
    let until = match property {
        Property::Invariant(invariant) => Until::Broken(original.model().invariant(invariant).atom),
        Property::Assertions => Until::Fault { after: violation.run.stem.len().saturating_sub(1) },
        Property::Deadlock | Property::Claim(_) | Property::Ctl(_) => Until::End,
    };
    let mut lifted = Lifting::new(original, reduced, until);
    lifted.let_leave(0);
    for (index, &step) in violation.run.stem.iter().enumerate() {
        lifted.follow(index, step);
    }
    let fault = violation.fault.as_ref().and(lifted.fault.clone());
    let trace = match property {
        Property::Claim(_) if !violation.run.cycle.is_empty() => lifted.close(&violation.run.cycle)?.0,
        Property::Claim(claim) => lifted.decide(original.model().claim(claim)),
        Property::Deadlock | Property::Assertions | Property::Invariant(_) | Property::Ctl(_) => {
            Trace { stem: lifted.steps, cycle: Vec::new() }
        }
    };
    Some(Witness::of(trace).ending_in(fault))
}

/// A run of the unreduced model.
pub struct LiftedRun {
    pub trace: Trace,
    /// For each of its steps, which step of the reduced run it is part of, counted through the stem and as many rounds of the cycle as
    /// it takes.
    pub parts_of: Vec<usize>,
}

/// The same run of the unreduced model, whatever it is to show. `None` as in [`lift`].
pub fn lift_run(original: &Interpreter<'_>, reduced: &Interpreter<'_>, run: &Trace) -> Option<LiftedRun> {
    let mut lifted = Lifting::new(original, reduced, Until::End);
    run.stem.iter().for_each(|&step| lifted.follow(0, step));
    if run.cycle.is_empty() {
        return Some(LiftedRun { trace: Trace { stem: lifted.steps, cycle: Vec::new() }, parts_of: lifted.parts_of });
    }
    let (trace, parts_of) = lifted.close(&run.cycle)?;
    Some(LiftedRun { trace, parts_of })
}

/// Where a run ends: a merged path may go on after what it is to show.
#[derive(Clone, Copy)]
enum Until {
    End,
    /// At the first fault in this step of the reduced run.
    Fault {
        after: usize,
    },
    /// Where the atom does not hold.
    Broken(AtomId),
}

struct Lifting<'a> {
    original: &'a Interpreter<'a>,
    reduced: &'a Interpreter<'a>,
    /// The states of both. `None` when the run has ended.
    here: Option<State>,
    there: Option<State>,
    steps: Vec<Step>,
    /// Which step of the reduced run each of them is part of, and how many steps of that have been followed.
    parts_of: Vec<usize>,
    followed: usize,
    /// What went wrong in the last step.
    fault: Option<Fault>,
    until: Until,
}

impl<'a> Lifting<'a> {
    fn new(original: &'a Interpreter<'a>, reduced: &'a Interpreter<'a>, until: Until) -> Lifting<'a> {
        let (here, there) = (Some(original.initial_state()), Some(reduced.initial_state()));
        let (steps, parts_of) = (Vec::new(), Vec::new());
        Lifting { original, reduced, here, there, steps, parts_of, followed: 0, fault: None, until }
    }

    /// Takes one step of the reduced model, and as many as it is made of in the other.
    fn follow(&mut self, index: usize, step: Step) {
        let Some(there) = self.there.take() else { return };
        self.there = self.reduced.execute(&there, step).state;
        self.take(index, step);
        for pid in [Some(step.process), step.partner.map(|(pid, _)| pid)].into_iter().flatten() {
            while let Some(next) = self.next_of(pid) {
                self.take(index, next);
            }
        }
        self.let_leave(index);
        self.followed += 1;
    }

    /// Processes leave that would stay in the reduced model, if it is to be seen that nothing else happens.
    fn let_leave(&mut self, index: usize) {
        while let (Some(here), Until::End) = (&self.here, self.until) {
            let leaves = |step: &&Step| {
                let proctype = here.processes[usize::from(step.process)].proctype;
                let ends = |interpreter: &Interpreter<'_>| {
                    interpreter.model().proctype(proctype).action_of(step.edge).kind == ActionKind::End
                };
                ends(self.original) && !ends(self.reduced)
            };
            let Some(step) = self.original.steps(here).iter().find(leaves).copied() else { return };
            self.take(index, step);
        }
    }

    /// The step that a process takes next if it has not yet come to where it is in the reduced model.
    fn next_of(&self, pid: u8) -> Option<Step> {
        let here = self.here.as_ref()?;
        let location = |state: &State| state.processes.get(pid as usize).map(|process| process.location);
        // Where the run ends in what goes wrong within a step, it is followed to there.
        if self.there.as_ref().is_some_and(|there| location(here) == location(there)) {
            return None;
        }
        let mut steps = self.original.steps(here);
        steps.retain(|step| step.process == pid);
        assert_eq!(steps.len(), 1, "on a merged path there is one thing to do");
        steps.pop()
    }

    fn take(&mut self, index: usize, step: Step) {
        let Some(here) = self.here.take() else { return };
        let outcome = self.original.execute(&here, step);
        self.steps.push(step);
        self.parts_of.push(self.followed);
        self.here = outcome.state;
        let is_over = match (self.until, &self.here) {
            (Until::Fault { after }, _) => index >= after && outcome.fault.is_some(),
            (Until::Broken(atom), Some(state)) => {
                let is_stable = state.exclusive.is_none();
                is_stable && self.original.atom_holds(&Workspace::new(state.clone()), atom) != Ok(true)
            }
            (Until::Broken(_), None) | (Until::End, _) => false,
        };
        self.fault = outcome.fault;
        if is_over {
            self.here = None;
            self.there = None;
        }
    }

    /// Goes around until a state comes again, if one does.
    fn close(mut self, cycle: &[Step]) -> Option<(Trace, Vec<usize>)> {
        let mut turns: Vec<(Option<State>, usize)> = Vec::new();
        while turns.len() < MOST_ROUNDS {
            if let Some((_, start)) = turns.iter().find(|(state, _)| *state == self.here) {
                let cycle = self.steps.split_off(*start);
                return Some((Trace { stem: self.steps, cycle }, self.parts_of));
            }
            turns.push((self.here.clone(), self.steps.len()));
            cycle.iter().for_each(|&step| self.follow(0, step));
        }
        None
    }

    /// Every run that begins like this breaks the claim. If the claim's automaton cannot tell, it is shown one of them.
    fn decide(mut self, claim: &Claim) -> Trace {
        let letters: Vec<State> = self.stable_states();
        let holds = |atom: AtomId, position: usize| {
            self.original.atom_holds(&Workspace::new(letters[position].clone()), atom) == Ok(true)
        };
        if claim.violations.has_decided(letters.len(), holds) {
            return Trace { stem: self.steps, cycle: Vec::new() };
        }
        let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
        while let Some(here) = self.here.clone().filter(|_| seen.len() < LONGEST_CONTINUATION) {
            let mut bytes = Vec::new();
            self.original.encode(&here, &mut bytes);
            if let Some(&start) = seen.get(&bytes) {
                let cycle = self.steps.split_off(start);
                return Trace { stem: self.steps, cycle };
            }
            let Some(&step) = self.original.steps(&here).first() else { break };
            seen.insert(bytes, self.steps.len());
            self.take(0, step);
        }
        Trace { stem: self.steps, cycle: Vec::new() }
    }

    /// The states of the run, without those in the middle of an `atomic`.
    fn stable_states(&self) -> Vec<State> {
        let mut states = vec![self.original.initial_state()];
        for &step in &self.steps {
            let last = &states[states.len() - 1];
            states.extend(self.original.execute(last, step).state);
        }
        states.retain(|state| state.exclusive.is_none());
        states
    }
}
