//! Runs that show why a formula holds in a state: witnesses, and so counterexamples to its negation.
//!
//! Paper:    [clarke-et-al95].
//! Deviates: a fair cycle is looked for in a component without a way out, which is found first: no attempt fails.
//!
//! A formula in negation normal form is followed along its `E` operators. Where it goes on with an `A`, or where two
//! formulas speak of runs, one run cannot show all: what is owed is a matter of branches ([`crate::tree`]).

use reductio_logic::ctl::{Formula, Path, Quantifier};

use crate::bdd::{Bdd, Computed};
use crate::ctl::Checker;
use crate::fair_ctl::can_reach;
use crate::structure::Structure;

/// One run.
pub struct Grown<State> {
    pub states: Vec<State>,
    /// Where the cycle begins that the last state leads back to, if the run is one that goes on forever.
    pub cycle_start: Option<usize>,
    /// The states from here on show nothing but that the run can go on fairly.
    pub fair_from: Option<usize>,
    /// Formulas that hold in some of its states, given by place, which the run may not show.
    pub owed: Vec<(usize, Formula)>,
}

/// A run as it grows.
struct Growing<'c, 's, S: Structure> {
    checker: &'c Checker<'s, S>,
    states: Vec<S::State>,
    owed: Vec<(usize, Formula)>,
}

impl<S: Structure> Checker<'_, S> {
    /// A run from a state in which the formula, in negation normal form, holds and from which there is a fair run. If not
    /// all runs are fair, it is a fair one.
    pub fn grow(&self, formula: &Formula, from: S::State) -> Computed<Grown<S::State>> {
        let mut run = Growing { checker: self, states: vec![from], owed: Vec::new() };
        let mut cycle_start = run.show(formula)?;
        let mut fair_from = None;
        if cycle_start.is_none() && !self.fairness.is_empty() {
            let shown = run.states.len();
            cycle_start = Some(run.cycle(&self.reached, &self.feasible)?);
            fair_from = (run.states.len() > shown).then_some(shown);
        }
        Ok(Grown { states: run.states, cycle_start, fair_from, owed: run.owed })
    }

    /// A fair run, and where its cycle begins, from a state that has one.
    pub fn fair_run(&self, from: S::State) -> Computed<(Vec<S::State>, usize)> {
        let mut run = Growing { checker: self, states: vec![from], owed: Vec::new() };
        let cycle_start = run.cycle(&self.reached, &self.feasible)?;
        Ok((run.states, cycle_start))
    }

    /// Which of two formulas is to be shown in a state in which one of them holds: rather one that runs can show.
    pub fn disjunct<'f>(&self, one: &'f Formula, other: &'f Formula, state: &S::State) -> Computed<&'f Formula> {
        let one_holds = self.holds(one, state)?;
        if one_holds && one.is_existential() {
            return Ok(one);
        }
        let is_better = !one_holds || (other.is_existential() && self.holds(other, state)?);
        Ok(if is_better { other } else { one })
    }

    /// Does a formula hold in a state?
    pub fn holds(&self, formula: &Formula, state: &S::State) -> Computed<bool> {
        self.is_in(state, &self.states_with(formula)?)
    }

    pub fn is_in(&self, state: &S::State, set: &Bdd) -> Computed<bool> {
        Ok(!self.space.manager().and(&self.space.point(state)?, set)?.is_false())
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

    fn place(&self) -> usize {
        self.states.len() - 1
    }

    /// Extends the run so that it shows the formula, which holds in its last state. Answers where the cycle begins, if
    /// the run has become one.
    fn show(&mut self, formula: &Formula) -> Computed<Option<usize>> {
        match formula {
            Formula::Truth(_) | Formula::Atom(_) | Formula::Not(_) => Ok(None),
            Formula::Or(one, other) => {
                let chosen = self.checker.disjunct(one, other, self.last())?;
                self.show(chosen)
            }
            Formula::And(one, other) => {
                // The run goes on to show one of them, one about some run if there is one.
                let (one, other) = if goes_on(one) { (one, other) } else { (other, one) };
                self.owe(other, self.place()..self.states.len());
                self.show(one)
            }
            Formula::Runs(Quantifier::All, _) => {
                self.owe(formula, self.place()..self.states.len());
                Ok(None)
            }
            Formula::Runs(Quantifier::Some, path) => self.show_path(path),
        }
    }

    fn show_path(&mut self, path: &Path) -> Computed<Option<usize>> {
        let checker = self.checker;
        let manager = checker.space.manager();
        let goal = |formula: &Formula| manager.and(&checker.states_with(formula)?, &checker.fair);
        let start = self.place();
        match path {
            Path::Next(f) => {
                self.step_to(&goal(f)?, &manager.truth(true))?;
                self.show(f)
            }
            Path::Eventually(f) => {
                self.walk(&checker.reached, &goal(f)?)?;
                self.show(f)
            }
            Path::Until(f, g) => {
                self.walk(&checker.states_with(f)?, &goal(g)?)?;
                self.owe(f, start..self.place());
                self.show(g)
            }
            Path::Always(f) => {
                let within = checker.states_with(f)?;
                let cycle_start = self.cycle(&within, &checker.fairness.feasible(checker.space, &within)?)?;
                self.owe(f, start..self.states.len());
                Ok(Some(cycle_start))
            }
            Path::Release(f, g) => {
                let always = Path::Always(g.clone());
                if checker.holds(&Formula::some(always.clone()), self.last())? {
                    return self.show_path(&always);
                }
                self.show_path(&Path::Until(g.clone(), f.clone().and(g.clone())))
            }
        }
    }

    fn owe(&mut self, formula: &Formula, places: std::ops::Range<usize>) {
        if !formula.is_of_now() {
            self.owed.extend(places.map(|place| (place, formula.clone())));
        }
    }

    fn is_in(&self, set: &Bdd) -> Computed<bool> {
        self.checker.is_in(self.last(), set)
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

    /// A fair cycle that stays in `within`, and a way to it. `feasible` are the states of it that lie on such cycles, and
    /// perhaps others. Answers where the cycle begins.
    fn cycle(&mut self, within: &Bdd, feasible: &Bdd) -> Computed<usize> {
        let (checker, space, manager) = (self.checker, self.checker.space, self.checker.space.manager());
        let fairness = &checker.fairness;
        self.walk(within, feasible)?;
        let component = self.component_without_way_out(feasible)?;
        self.walk(feasible, &component)?;
        let start = self.states.len() - 1;
        let first = space.point(self.last())?;
        let mut unmet = fairness.justice.clone();
        while !unmet.is_empty() {
            let condition = self.met_together(&component, &mut unmet)?;
            self.walk(&component, &manager.and(&component, &space.pred_with(&component, &condition)?)?)?;
            self.step_to(&component, &condition)?;
        }
        for (often, then) in &fairness.compassion {
            if !manager.and(&component, often)?.is_false() {
                self.walk(&component, &manager.and(&component, then)?)?;
            }
        }
        // Back to the first state, by one step at least.
        if self.place() == start || !self.is_in(&first)? {
            let before = manager.and(&component, &space.pred(&first)?)?;
            self.walk(&component, &before)?;
            self.step_to(&first, &manager.truth(true))?;
        }
        self.states.pop();
        Ok(start)
    }

    /// Takes some conditions out that a step within a component can meet all at once.
    fn met_together(&self, component: &Bdd, unmet: &mut Vec<Bdd>) -> Computed<Bdd> {
        let (space, manager) = (self.checker.space, self.checker.space.manager());
        let mut together = manager.truth(true);
        let mut others = Vec::new();
        let count = unmet.len();
        for condition in unmet.drain(..) {
            let both = manager.and(&together, &condition)?;
            if manager.and(component, &space.pred_with(component, &both)?)?.is_false() {
                others.push(condition);
            } else {
                together = both;
            }
        }
        assert!(others.len() < count, "a component without a way out meets every condition");
        *unmet = others;
        Ok(together)
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

/// Does a run that shows it go anywhere?
fn goes_on(formula: &Formula) -> bool {
    match formula {
        Formula::Runs(quantifier, _) => *quantifier == Quantifier::Some,
        Formula::Or(one, other) | Formula::And(one, other) => goes_on(one) || goes_on(other),
        _ => false,
    }
}
