//! Runs that show why a formula holds in a state: witnesses, and so counterexamples to its negation.
//!
//! Paper:    [clarke-et-al95].
//! Deviates: a fair cycle is looked for in a component without a way out, which is found first: no attempt fails.
//!
//! A formula in negation normal form is followed along its `E` operators. Where it goes on with an `A`, or where both of
//! two formulas speak of runs, one run cannot show all: what is left is told beside the run.

use reductio_logic::ctl::{Formula, Path, Quantifier};

use crate::bdd::{Bdd, Computed};
use crate::ctl::Checker;
use crate::fair_ctl::can_reach;
use crate::structure::Structure;

/// A run, and formulas that hold in some of its states, given by place, which the run itself does not show.
pub struct Witness<State> {
    pub states: Vec<State>,
    /// Where the cycle begins that the last state leads back to, if the run is one that goes on for ever.
    pub cycle_start: Option<usize>,
    pub left: Vec<(usize, Formula)>,
}

/// A run as it grows.
struct Growing<'c, 's, S: Structure> {
    checker: &'c Checker<'s, S>,
    states: Vec<S::State>,
}

impl<S: Structure> Checker<'_, S> {
    /// A run from a state in which the formula, in negation normal form, holds.
    pub fn witness(&self, formula: &Formula, from: S::State) -> Computed<Witness<S::State>> {
        let mut path = Growing { checker: self, states: vec![from] };
        let mut left = Vec::new();
        let cycle_start = path.show(formula, &mut left)?;
        Ok(Witness { states: path.states, cycle_start, left })
    }

    /// A fair run from a state of the set of those that have one and stay in `within`.
    pub fn fair_run(&self, within: &Bdd, from: S::State) -> Computed<Witness<S::State>> {
        let mut path = Growing { checker: self, states: vec![from] };
        let cycle_start = path.cycle(within)?;
        Ok(Witness { states: path.states, cycle_start, left: Vec::new() })
    }
}

/// The shortest run to a set that has been reached, through the rings of the search.
pub fn run_to<S: Structure>(space: &S, rings: &[Bdd], target: &Bdd) -> Computed<Option<Vec<S::State>>> {
    let manager = space.manager();
    for (depth, ring) in rings.iter().enumerate() {
        let Some(last) = space.pick(&manager.and(ring, target)?) else { continue };
        // Backwards, ring by ring; then forwards, to know the inputs.
        let mut states = vec![last];
        for ring in rings[..depth].iter().rev() {
            let next = space.point(&states[states.len() - 1])?;
            let before = manager.and(ring, &space.pred(&next)?)?;
            states.push(space.pick(&before).expect("every state of a ring has a predecessor in the ring before"));
        }
        states.reverse();
        for place in 0..depth {
            let next = space.point(&states[place + 1])?;
            let step = space.step(&states[place], &next, &manager.truth(true))?;
            states[place] = step.expect("it was chosen among the predecessors").0;
        }
        return Ok(Some(states));
    }
    Ok(None)
}

/// The shortest run to a set, if it can be reached, by going back from it. No run leaves `within`.
pub fn run_back_to<S: Structure>(space: &S, within: &Bdd, target: &Bdd) -> Computed<Option<Vec<S::State>>> {
    let manager = space.manager();
    let mut rings = vec![target.clone()];
    let mut reached = target.clone();
    let state = loop {
        let last = &rings[rings.len() - 1];
        if let Some(state) = space.pick(&manager.and(last, space.initial())?) {
            break state;
        }
        let new = manager.minus(&manager.and(within, &space.pred(last)?)?, &reached)?;
        if new.is_false() {
            return Ok(None);
        }
        reached = manager.or(&reached, &new)?;
        rings.push(new);
    };
    let mut states = vec![state];
    for ring in rings.iter().rev().skip(1) {
        let step = space.step(&states[states.len() - 1], ring, &manager.truth(true))?;
        let (from, to) = step.expect("every state of a ring has a step to the one before");
        *states.last_mut().expect("a run has states") = from;
        states.push(to);
    }
    Ok(Some(states))
}

impl<S: Structure> Growing<'_, '_, S> {
    fn last(&self) -> &S::State {
        &self.states[self.states.len() - 1]
    }

    /// Extends the run so that it shows the formula, which holds in its last state. Answers where the cycle begins, if
    /// the run has become one.
    fn show(&mut self, formula: &Formula, left: &mut Vec<(usize, Formula)>) -> Computed<Option<usize>> {
        let checker = self.checker;
        match formula {
            Formula::Truth(_) | Formula::Atom(_) | Formula::Not(_) => Ok(None),
            Formula::Or(one, other) => {
                let first = checker.states_with(one)?;
                let chosen = if self.is_in(&first)? { one } else { other };
                self.show(chosen, left)
            }
            Formula::And(one, other) => {
                // One run shows one of them, an existential one if there is one.
                let (one, other) = if is_shown(one) { (one, other) } else { (other, one) };
                if !other.is_of_now() {
                    left.push((self.states.len() - 1, (**other).clone()));
                }
                self.show(one, left)
            }
            Formula::Runs(Quantifier::All, _) => {
                left.push((self.states.len() - 1, formula.clone()));
                Ok(None)
            }
            Formula::Runs(Quantifier::Some, path) => self.show_path(path, left),
        }
    }

    fn show_path(&mut self, path: &Path, left: &mut Vec<(usize, Formula)>) -> Computed<Option<usize>> {
        let checker = self.checker;
        let manager = checker.space.manager();
        let goal = |formula: &Formula| manager.and(&checker.states_with(formula)?, &checker.fair);
        match path {
            Path::Next(f) => {
                self.step_to(&goal(f)?, &manager.truth(true))?;
                self.show(f, left)
            }
            Path::Eventually(f) => {
                self.walk(&checker.reached, &goal(f)?)?;
                self.show(f, left)
            }
            Path::Until(f, g) => {
                let start = self.states.len() - 1;
                self.walk(&checker.states_with(f)?, &goal(g)?)?;
                self.leave(f, start..self.states.len() - 1, left);
                self.show(g, left)
            }
            Path::Always(f) => {
                let start = self.states.len() - 1;
                let cycle = self.cycle(&checker.states_with(f)?)?;
                self.leave(f, start..self.states.len(), left);
                Ok(cycle)
            }
            Path::Release(f, g) => {
                let always = Path::Always(g.clone());
                if self.is_in(&checker.states_with(&Formula::some(always.clone()))?)? {
                    return self.show_path(&always, left);
                }
                self.show_path(&Path::Until(g.clone(), f.clone().and(g.clone())), left)
            }
        }
    }

    /// What holds on the way is not shown further.
    fn leave(&self, formula: &Formula, places: std::ops::Range<usize>, left: &mut Vec<(usize, Formula)>) {
        if !formula.is_of_now() {
            left.extend(places.map(|place| (place, formula.clone())));
        }
    }

    fn is_in(&self, set: &Bdd) -> Computed<bool> {
        let space = self.checker.space;
        let state = space.point(self.last())?;
        Ok(!space.manager().and(&state, set)?.is_false())
    }

    /// One step into a set, with inputs of which a condition holds. There is one.
    fn step_to(&mut self, set: &Bdd, condition: &Bdd) -> Computed<()> {
        let step = self.checker.space.step(self.last(), set, condition)?;
        let (from, to) = step.expect("the state was chosen because it has such a step");
        *self.states.last_mut().expect("a run has states") = from;
        self.states.push(to);
        Ok(())
    }

    /// The shortest way through `within` to the target, which can be reached so.
    fn walk(&mut self, within: &Bdd, target: &Bdd) -> Computed<()> {
        let (space, manager) = (self.checker.space, self.checker.space.manager());
        let mut rings = vec![target.clone()];
        let mut reached = target.clone();
        while !self.is_in(&reached)? {
            let before = manager.and(within, &space.pred(&rings[rings.len() - 1])?)?;
            let new = manager.minus(&before, &reached)?;
            assert!(!new.is_false(), "the target can be reached");
            reached = manager.or(&reached, &new)?;
            rings.push(new);
        }
        rings.pop();
        for ring in rings.iter().rev() {
            self.step_to(ring, &manager.truth(true))?;
        }
        Ok(())
    }

    /// A fair cycle that stays in `within`, and a way to it.
    fn cycle(&mut self, within: &Bdd) -> Computed<Option<usize>> {
        let (checker, space, manager) = (self.checker, self.checker.space, self.checker.space.manager());
        let fairness = &checker.fairness;
        let feasible = fairness.feasible(space, within)?;
        self.walk(within, &feasible)?;
        let component = self.component_without_way_out(&feasible)?;
        self.walk(&feasible, &component)?;
        let start = self.states.len() - 1;
        let first = space.point(self.last())?;
        for condition in &fairness.justice {
            let meets = |state: &Bdd| -> Computed<Bdd> { manager.and(state, &space.pred_with(&component, condition)?) };
            self.walk(&component, &meets(&component)?)?;
            self.step_to(&component, condition)?;
        }
        for (often, then) in &fairness.compassion {
            if !manager.and(&component, often)?.is_false() {
                self.walk(&component, &manager.and(&component, then)?)?;
            }
        }
        // Back to the first state, by one step at least.
        let before = manager.and(&component, &space.pred(&first)?)?;
        self.walk(&component, &before)?;
        self.step_to(&first, &manager.truth(true))?;
        self.states.pop();
        Ok(Some(start))
    }

    /// A strongly connected component of a set that no step leaves but out of the set; it can be reached from the last state.
    fn component_without_way_out(&self, within: &Bdd) -> Computed<Bdd> {
        let (space, manager) = (self.checker.space, self.checker.space.manager());
        let mut state = space.point(self.last())?;
        loop {
            let ahead = reachable(space, within, &state)?;
            let behind = manager.and(&ahead, &can_reach(space, &ahead, &state)?)?;
            let beyond = manager.minus(&ahead, &behind)?;
            match space.pick(&beyond) {
                None => return Ok(behind),
                Some(further) => state = space.point(&further)?,
            }
        }
    }
}

fn reachable(space: &impl Structure, within: &Bdd, from: &Bdd) -> Computed<Bdd> {
    let manager = space.manager();
    let mut reached = from.clone();
    let mut new = from.clone();
    while !new.is_false() {
        new = manager.minus(&manager.and(within, &space.succ(&new)?)?, &reached)?;
        reached = manager.or(&reached, &new)?;
    }
    Ok(reached)
}

/// Can one run show it?
fn is_shown(formula: &Formula) -> bool {
    match formula {
        Formula::Runs(quantifier, _) => *quantifier == Quantifier::Some,
        Formula::Or(one, other) => is_shown(one) || is_shown(other),
        Formula::And(one, other) => is_shown(one) || is_shown(other),
        _ => false,
    }
}
