//! Fair runs: the states from which some run meets all fairness constraints, staying in a set.
//!
//! Paper:    [emerson-lei86] for justice, [kesten-pnueli-raviv98] for compassion.
//! Deviates: a justice constraint may speak of the inputs of a step, so what is met infinitely often is a step.
//!
//! Whatever cannot go on, cannot come to a step of each justice constraint, or is in the first set of a compassion
//! constraint and cannot come to the second, is dropped until nothing changes. From what is left there is a way to a
//! component without a way out, and in that component all constraints are met.

use crate::bdd::{Bdd, Computed};
use crate::structure::Structure;

#[derive(Default)]
pub struct Fairness {
    pub justice: Vec<Bdd>,
    pub compassion: Vec<(Bdd, Bdd)>,
}

impl Fairness {
    /// Does every run count that goes on forever?
    pub fn is_empty(&self) -> bool {
        self.justice.is_empty() && self.compassion.is_empty()
    }

    /// States of `within`, all that lie on fair cycles in it among them, from each of which a fair run stays in the result.
    pub fn feasible(&self, space: &impl Structure, within: &Bdd) -> Computed<Bdd> {
        let manager = space.manager();
        let mut left = within.clone();
        loop {
            let before = left.clone();
            for condition in &self.justice {
                let steps = manager.and(&left, &space.pred_with(&left, condition)?)?;
                left = can_reach(space, &left, &steps)?;
            }
            for (often, then) in &self.compassion {
                let meets = can_reach(space, &left, &manager.and(&left, then)?)?;
                left = manager.or(&manager.minus(&left, often)?, &meets)?;
            }
            left = can_go_on(space, &left)?;
            if left == before {
                return Ok(left);
            }
        }
    }

    /// The states from which a fair run stays in `within`: fair `EG`.
    pub fn always(&self, space: &impl Structure, within: &Bdd) -> Computed<Bdd> {
        can_reach(space, within, &self.feasible(space, within)?)
    }
}

/// The states from which a run stays in a set forever: the greatest set whose states have successors in it.
fn can_go_on(space: &impl Structure, within: &Bdd) -> Computed<Bdd> {
    let manager = space.manager();
    let mut left = within.clone();
    loop {
        let smaller = manager.and(&left, &space.pred(&left)?)?;
        if smaller == left {
            return Ok(left);
        }
        left = smaller;
    }
}

/// The states from which a run through `within` comes to the target: `E [within U target]`.
pub fn can_reach(space: &impl Structure, within: &Bdd, target: &Bdd) -> Computed<Bdd> {
    let manager = space.manager();
    let mut reached = target.clone();
    let mut new = target.clone();
    while !new.is_false() {
        // What leads to old states is known, so it does no harm to ask for it again; often all states are the simpler set.
        let front = if manager.node_count(&reached) < manager.node_count(&new) { &reached } else { &new };
        let before = manager.and(within, &space.pred(front)?)?;
        new = manager.minus(&before, &reached)?;
        reached = manager.or(&reached, &new)?;
    }
    Ok(reached)
}
