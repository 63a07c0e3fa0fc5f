//! Symbolic CTL: formulas as sets of states, by fixpoints on BDDs.
//!
//! Paper:    [burch-et-al92]; only fair runs count, as in [clarke-grumberg-peled] ch. 4.
//! Deviates: only reachable states are looked at: a formula's set is the set of reachable states that satisfy it.

use std::cell::RefCell;

use reductio_logic::ctl::{Formula, Path, Quantifier};

use crate::bdd::{Bdd, Computed};
use crate::fair_ctl::{Fairness, can_reach};
use crate::structure::Structure;

pub struct Checker<'s, S> {
    pub space: &'s S,
    pub fairness: Fairness,
    /// The states that matter.
    pub reached: Bdd,
    /// Those from which there is a fair run.
    pub fair: Bdd,
    /// All that lie on fair cycles among them.
    pub feasible: Bdd,
    /// The sets of formulas about runs. A witness asks for the same ones repeatedly.
    known: RefCell<Vec<(Formula, Bdd)>>,
}

impl<'s, S: Structure> Checker<'s, S> {
    /// `reached` are the reachable states. Only runs that go on forever count.
    pub fn new(space: &'s S, reached: Bdd) -> Computed<Checker<'s, S>> {
        let fairness = space.fairness()?;
        let feasible = fairness.feasible(space, &reached)?;
        let fair = can_reach(space, &reached, &feasible)?;
        Ok(Checker { space, fairness, reached, fair, feasible, known: RefCell::default() })
    }

    /// The reachable states in which a formula holds.
    pub fn states_with(&self, formula: &Formula) -> Computed<Bdd> {
        let manager = self.space.manager();
        match formula {
            Formula::Truth(true) => Ok(self.reached.clone()),
            Formula::Truth(false) => Ok(manager.truth(false)),
            Formula::Atom(prop) => manager.and(&self.space.atom(*prop)?, &self.reached),
            Formula::Not(inner) => self.without(&self.states_with(inner)?),
            Formula::And(left, right) => manager.and(&self.states_with(left)?, &self.states_with(right)?),
            Formula::Or(left, right) => manager.or(&self.states_with(left)?, &self.states_with(right)?),
            Formula::Runs(quantifier, path) => {
                if let Some((_, set)) = self.known.borrow().iter().find(|(known, _)| known == formula) {
                    return Ok(set.clone());
                }
                let set = match quantifier {
                    Quantifier::Some => self.some_run(path)?,
                    // Every run is as told if none is otherwise.
                    Quantifier::All => self.without(&self.states_with(&formula.normal_form(true))?)?,
                };
                self.known.borrow_mut().push((formula.clone(), set.clone()));
                Ok(set)
            }
        }
    }

    fn without(&self, set: &Bdd) -> Computed<Bdd> {
        self.space.manager().minus(&self.reached, set)
    }

    fn some_run(&self, path: &Path) -> Computed<Bdd> {
        match path {
            Path::Next(f) => self.ex(&self.states_with(f)?),
            Path::Eventually(f) => self.eu(&self.reached, &self.states_with(f)?),
            Path::Always(f) => self.eg(&self.states_with(f)?),
            Path::Until(f, g) => self.eu(&self.states_with(f)?, &self.states_with(g)?),
            Path::Release(f, g) => {
                // Either g forever, or up to a state with both.
                let (f, g) = (self.states_with(f)?, self.states_with(g)?);
                let both = self.space.manager().and(&f, &g)?;
                self.space.manager().or(&self.eg(&g)?, &self.eu(&g, &both)?)
            }
        }
    }

    pub fn ex(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = self.space.manager();
        manager.and(&self.space.pred(&manager.and(set, &self.fair)?)?, &self.reached)
    }

    fn eu(&self, left: &Bdd, right: &Bdd) -> Computed<Bdd> {
        let target = self.space.manager().and(right, &self.fair)?;
        can_reach(self.space, left, &target)
    }

    fn eg(&self, set: &Bdd) -> Computed<Bdd> {
        self.fairness.always(self.space, set)
    }
}
