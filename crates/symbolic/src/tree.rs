//! Tree-like counterexamples: runs that show why a CTL formula holds in a state: what one run cannot show, others show that branch off from it.
//!
//! Paper:    [clarke-et-al02]: counterexamples to formulas about some runs are trees, put together of finite runs and lassos.
//! Deviates: what a run shows by itself, or by coming to a place in which another branches off, has no branch of its own
//!           ([`Showing`]). What is about all runs is left open and told, and so is what would not fit a screen.
//!
//! Two formulas that hold in one state are shown by two runs from it. A formula that holds in many states of a run is looked
//! for from the last state to the first: a branch off late in the run often does for all states before.

use std::collections::HashMap;

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Quantifier, Showing};
use reductio_model::circuit::Run;
use reductio_model::{Branch, Witness};

use crate::bdd::Computed;
use crate::ctl::Checker;
use crate::structure::Structure;
use crate::witness::Grown;

/// So many branches of one run show the same formula.
const MOST_ALIKE: usize = 4;

/// How large a tree may become, besides the run that it grows from and what only shows that runs can go on fairly.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    branches: usize,
    /// A branch is begun if there is one left.
    states: usize,
}

impl Most {
    pub const ONE_RUN: Most = Most { branches: 0, states: 0 };
    pub const ON_A_SCREEN: Most = Most { branches: 12, states: 60 };

    fn is_reached(self) -> bool {
        self.branches == 0 || self.states == 0
    }

    fn take(&mut self, states: usize) {
        self.branches = self.branches.saturating_sub(1);
        self.states = self.states.saturating_sub(states);
    }
}

impl<S: Structure> Checker<'_, S> {
    /// Runs from a state in which the formula, in negation normal form, holds and from which there is a fair run.
    pub fn witness(&self, formula: &Formula, from: S::State, mut most: Most) -> Computed<Witness<Run<S::State>>> {
        Ok(self.with_branches(self.grow(formula, from)?, &mut most))
    }

    /// What is wrong is known by now: if a limit is reached, there are fewer branches.
    fn with_branches(&self, run: Grown<S::State>, most: &mut Most) -> Witness<Run<S::State>> {
        let settled = self.settle(&run);
        let Settled { by_branches, mut left } =
            settled.unwrap_or_else(|_| Settled { by_branches: Vec::new(), left: run.owed.clone() });
        // All branches of this run come before those that branch off from them.
        let mut begun = Vec::new();
        for (place, formula) in by_branches {
            let wanted = (!most.is_reached()).then(|| self.grow(&formula, run.states[place].clone()));
            match wanted {
                Some(Ok(branch)) => {
                    most.take(branch.fair_from.unwrap_or(branch.states.len()));
                    begun.push((place, formula, branch));
                }
                Some(Err(_)) | None => left.push((place, formula)),
            }
        }
        let mut branches = Vec::new();
        for (place, formula, branch) in begun {
            branches.push(Branch { place, formula, witness: self.with_branches(branch, most) });
        }
        left.sort_by_key(|(place, _)| *place);
        let Grown { states, cycle_start, fair_from, .. } = run;
        Witness { run: Run { states, cycle_start }, fault: None, fair_from, branches, left }
    }

    fn settle(&self, run: &Grown<S::State>) -> Computed<Settled> {
        let mut debts = Debts { checker: self, run, atoms: HashMap::new(), settled: Vec::new(), by_branch: Vec::new() };
        let mut owed: Vec<&(usize, Formula)> = run.owed.iter().collect();
        owed.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        for (place, formula) in owed {
            debts.settle(*place, formula)?;
        }
        let (mut by_branches, mut left) = (Vec::new(), Vec::new());
        for (settled, by_branch) in debts.settled.into_iter().zip(debts.by_branch) {
            if by_branch { by_branches.push(settled) } else { left.push(settled) }
        }
        by_branches.sort_by_key(|(place, _)| *place);
        Ok(Settled { by_branches, left })
    }
}

/// Formulas in places: those that branches will show, and those that are left open.
struct Settled {
    by_branches: Vec<(usize, Formula)>,
    left: Vec<(usize, Formula)>,
}

/// What a run owes, as it is settled.
struct Debts<'c, 's, S: Structure> {
    checker: &'c Checker<'s, S>,
    run: &'c Grown<S::State>,
    /// For each atom that was asked for, in which places it holds.
    atoms: HashMap<Prop, Vec<bool>>,
    /// What is taken for granted in some places, because a branch will show it or because it is left open.
    settled: Vec<(usize, Formula)>,
    /// For each of these, whether a branch will.
    by_branch: Vec<bool>,
}

impl<S: Structure> Debts<'_, '_, S> {
    fn settle(&mut self, place: usize, formula: &Formula) -> Computed<()> {
        if self.is_shown(place, formula)? {
            return Ok(());
        }
        match formula {
            Formula::And(one, other) => {
                self.settle(place, one)?;
                self.settle(place, other)
            }
            Formula::Or(one, other) => {
                let chosen = self.checker.disjunct(one, other, &self.run.states[place])?;
                self.settle(place, chosen)
            }
            _ => {
                let settled = self.settled.iter().zip(&self.by_branch);
                let alike = settled.filter(|((_, known), by_branch)| **by_branch && known == formula).count();
                let is_shown_by_runs = matches!(formula, Formula::Runs(Quantifier::Some, _));
                self.by_branch.push(is_shown_by_runs && alike < MOST_ALIKE);
                self.settled.push((place, formula.clone()));
                Ok(())
            }
        }
    }

    /// Does the run show it with what is settled already?
    fn is_shown(&mut self, place: usize, formula: &Formula) -> Computed<bool> {
        if let Formula::Runs(Quantifier::All, _) = formula {
            return Ok(self.settled.iter().any(|(at, known)| *at == place && known == formula));
        }
        for prop in formula.atoms() {
            if !self.atoms.contains_key(&prop) {
                let set = self.checker.states_with(&Formula::Atom(prop))?;
                let places = self.run.states.iter().map(|state| self.checker.is_in(state, &set));
                self.atoms.insert(prop, places.collect::<Computed<_>>()?);
            }
        }
        let atoms = &self.atoms;
        let mut holds = |prop: Prop, place: usize| atoms[&prop][place];
        let (places, cycle_start, given) = (self.run.states.len(), self.run.cycle_start, &self.settled[..]);
        Ok(Showing { places, cycle_start, given, holds: &mut holds }.shows(formula, place))
    }
}
