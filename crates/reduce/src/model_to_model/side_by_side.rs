//! The definition of what the reductions preserve, checked: a model and what was made of it, followed side by side through all
//! pairs of states.
//!
//! Paper:    [yorav00] sections 3.3.1 and 3.3.2: full and reduced structure are equivalent up to stuttering for paths, bisimilar for
//!           dead variables.
//! Relation: a state of the model and one of the reduced model belong together if each process of the second is where that of
//!           the first will be when it has come to the end of its path. With dead variables alone there are no paths,
//!           and this is a bisimulation.

use std::collections::HashSet;

use reductio_model::{AtomId, FaultKind, Interpreter, Model, State, Step, Workspace};

/// No path has so many steps.
const LONGEST_WAY: usize = 100_000;

/// How many states were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub full: usize,
    pub reduced: usize,
}

/// Follows both models through all pairs of states. `Ok(None)` if there are more than so many pairs; an error says what is
/// not as it should be.
pub fn side_by_side(model: &Model, reduced: &Model, limit: usize) -> Result<Option<Sizes>, String> {
    let (original, reduced) = (Interpreter::new(model), Interpreter::new(reduced));
    let bytes = |interpreter: &Interpreter<'_>, state: &State| {
        let mut bytes = Vec::new();
        interpreter.encode(state, &mut bytes);
        bytes
    };
    let mut seen = HashSet::new();
    let (mut full, mut small) = (HashSet::new(), HashSet::new());
    let mut pending = vec![(original.initial_state(), reduced.initial_state())];
    while let Some((here, there)) = pending.pop() {
        let key = (bytes(&original, &here), bytes(&reduced, &there));
        if !seen.insert(key.clone()) {
            continue;
        }
        if seen.len() > limit {
            return Ok(None);
        }
        full.insert(key.0);
        small.insert(key.1);
        let pair = Pair { original: &original, reduced: &reduced, here, there };
        pending.extend(pair.check()?);
    }
    Ok(Some(Sizes { full: full.len(), reduced: small.len() }))
}

/// A state of a model beside one of what was made of it, the same but for dead variables and for processes that have not yet
/// come to the end of a path.
struct Pair<'m> {
    original: &'m Interpreter<'m>,
    reduced: &'m Interpreter<'m>,
    here: State,
    there: State,
}

impl Pair<'_> {
    /// The definition of a stuttering bisimulation, for this pair. Answers the pairs that follow.
    fn check(&self) -> Result<Vec<(State, State)>, String> {
        let can_be_seen = self.here.exclusive.is_none() && self.there.exclusive.is_none();
        if can_be_seen && atoms(self.original, &self.here) != atoms(self.reduced, &self.there) {
            return Err("a property sees a difference".to_owned());
        }
        let (arrived, _) = self.arrived()?;
        let (steps, left) = (self.original.steps(&arrived), self.reduced.steps(&self.there));
        if steps != left {
            return Err(format!("possible are {left:?} instead of {steps:?}"));
        }
        // With priorities, some may still be on the way where others can move.
        let have_all_come = !self.original.model().features.priorities || steps.is_empty();
        if have_all_come && self.original.is_valid_end_state(&arrived) != self.reduced.is_valid_end_state(&self.there) {
            return Err("a run may end in one of them".to_owned());
        }
        let on_the_way = self.on_the_way(&self.here);
        let mut next = Vec::new();
        for step in self.original.steps(&self.here) {
            if on_the_way.contains(&step.process) {
                let outcome = self.original.execute(&self.here, step);
                next.extend(outcome.state.map(|here| (here, self.there.clone())));
                continue;
            }
            if !left.contains(&step) {
                return Err(format!("{step:?} is lost"));
            }
            next.extend(self.both(step)?);
        }
        Ok(next)
    }

    /// The processes that are on the way.
    fn on_the_way(&self, here: &State) -> Vec<u8> {
        let location = |state: &State, pid: usize| state.processes.get(pid).map(|process| process.location);
        let is_behind = |&pid: &usize| location(here, pid) != location(&self.there, pid);
        (0..here.processes.len()).filter(is_behind).map(|pid| pid as u8).collect()
    }

    /// Everybody who is on the way arrives, but for those who may not move because another process is in the middle of an `atomic`, or has a
    /// higher priority and can move. Also answers what goes wrong until then.
    fn arrived(&self) -> Result<(State, Vec<FaultKind>), String> {
        let (mut here, mut faults) = (self.here.clone(), Vec::new());
        for _ in 0..LONGEST_WAY {
            let mut on_the_way = self.on_the_way(&here);
            on_the_way.retain(|pid| here.exclusive.is_none_or(|holder| holder == *pid));
            let all = self.original.steps(&here);
            let has_priorities = self.original.model().features.priorities;
            on_the_way.retain(|pid| !has_priorities || all.is_empty() || all.iter().any(|step| step.process == *pid));
            let Some(&pid) = on_the_way.first() else { return Ok((here, faults)) };
            let steps: Vec<Step> = all.into_iter().filter(|step| step.process == pid).collect();
            let [step] = steps[..] else { return Err(format!("process {pid} on its way can do {steps:?}")) };
            let outcome = self.original.execute(&here, step);
            faults.extend(outcome.fault.map(|fault| fault.kind));
            here = outcome.state.ok_or_else(|| format!("{step:?}, on the way, goes wrong"))?;
        }
        Err("somebody does not arrive".to_owned())
    }

    /// The same step in both.
    fn both(&self, step: Step) -> Result<Option<(State, State)>, String> {
        let outcome = self.original.execute(&self.here, step);
        let reduced = self.reduced.execute(&self.there, step);
        if outcome.state.is_some() != reduced.state.is_some() {
            return Err(format!("after {step:?} there is a state in one of them only"));
        }
        let next = outcome.state.zip(reduced.state);
        let mut faults = Vec::from_iter(outcome.fault.map(|fault| fault.kind));
        if let Some((here, there)) = &next {
            let after = Pair { here: here.clone(), there: there.clone(), ..*self };
            faults.extend(after.arrived()?.1);
        }
        // Of those who were on the way already, it was told before.
        let told = reduced.fault.map(|fault| fault.kind);
        let is_told = told.as_ref().map_or(faults.is_empty(), |kind| faults.contains(kind));
        if !is_told && self.on_the_way(&self.here).is_empty() {
            return Err(format!("{step:?} goes wrong with {told:?} instead of {faults:?}"));
        }
        Ok(next)
    }
}

fn atoms(interpreter: &Interpreter<'_>, state: &State) -> Vec<Result<bool, FaultKind>> {
    let workspace = Workspace::new(state.clone());
    let count = interpreter.model().atoms.len() as u32;
    (0..count).map(|atom| interpreter.atom_holds(&workspace, AtomId(atom))).collect()
}
