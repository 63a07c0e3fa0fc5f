//! Dynamic transition relations: for each image or pre-image, only the parts of the relation that matter for the set.
//!
//! Paper:    [yorav00] sections 4.3 and 4.5: `Pred_D`, `relevant(A)`, `exact(A)`.
//! Needs:    parts that define a variable are total: whatever everything else is, the variable has a value.
//! Deviates: circuits of the paper are made of next-state functions of the current state. Here a part may look at the next
//!           values of other variables, so what it looks at is needed, too; and constraints that define nothing (`TRANS`,
//!           `INVAR`) are always needed, because leaving one out could add steps. Where the paper's `exact(A)` leaves the other
//!           variables free in the next state, we add what the other parts say of them, which does not depend on A and is
//!           computed once: then the image is exact.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use reductio_reduce::circuit_plan::RelationChoice;

use crate::bdd::{Bdd, Bit, Computed};
use crate::relation::{InUse, Part, Relation};

/// Images and pre-images, with all parts of the relation or with those that matter.
pub struct Images<'a> {
    pub relation: Relation<'a>,
    choice: RelationChoice,
    /// The states that the parts not in use allow, from anywhere.
    elsewhere: RefCell<HashMap<InUse, Bdd>>,
    /// By part, those that define what it looks at in the next state and of the inputs.
    needs: Vec<Vec<usize>>,
    /// By bit, a number that bits have in common if a part looks at both, and so on.
    components: Vec<usize>,
}

impl<'a> Images<'a> {
    pub fn new(relation: Relation<'a>, choice: RelationChoice) -> Images<'a> {
        let needs = relation.parts.iter().map(|part| {
            let mut needs: Vec<usize> = part.support.iter().filter_map(|bit| relation.definition(*bit)).collect();
            needs.sort_unstable();
            needs.dedup();
            needs
        });
        let needs = needs.collect();
        let components = components(&relation);
        Images { relation, choice, elsewhere: RefCell::default(), needs, components }
    }

    /// The states that can step to some of these.
    pub fn pred(&self, set: &Bdd) -> Computed<Bdd> {
        self.pred_with(set, &self.relation.encoding.manager.truth(true))
    }

    /// The states that can step to some of these with inputs of which a condition on both holds.
    pub fn pred_with(&self, set: &Bdd, condition: &Bdd) -> Computed<Bdd> {
        let in_use = match self.choice {
            RelationChoice::Static => self.relation.all_parts(),
            RelationChoice::Dynamic => self.pred_d(set, condition),
            RelationChoice::Auto => self.rounded(self.pred_d(set, condition)),
        };
        self.relation.preimage(set, condition, &in_use)
    }

    /// The states that some of these can step to.
    pub fn succ(&self, set: &Bdd) -> Computed<Bdd> {
        match self.choice {
            RelationChoice::Static => self.relation.image(set, &self.relation.all_parts()),
            RelationChoice::Dynamic => self.succ_exact(set, self.exact(set)),
            RelationChoice::Auto => self.succ_exact(set, self.rounded(self.exact(set))),
        }
    }

    /// All parts if not many are missing: then the relation is one that has been planned already.
    fn rounded(&self, in_use: InUse) -> InUse {
        let used = in_use.iter().filter(|used| **used).count();
        if used * 4 > in_use.len() * 3 { self.relation.all_parts() } else { in_use }
    }

    /// The parts that `Pred_D` uses: those of the variables that the set depends on, and of what they look at; and all that
    /// define nothing.
    fn pred_d(&self, set: &Bdd, condition: &Bdd) -> InUse {
        let parts = &self.relation.parts;
        let mut pending: Vec<usize> = (0..parts.len()).filter(|part| parts[*part].defines.is_none()).collect();
        let bits = self.relation.next_bits(set.support()).chain(condition.support());
        pending.extend(bits.filter_map(|bit| self.relation.definition(bit)));
        let mut in_use = vec![false; parts.len()];
        while let Some(part) = pending.pop() {
            if !std::mem::replace(&mut in_use[part], true) {
                pending.extend(&self.needs[part]);
            }
        }
        in_use
    }

    /// `relevant(A)`: the parts that look at something that the set depends on.
    pub fn relevant(&self, set: &Bdd) -> InUse {
        let support = set.support();
        let looks_at_it = |part: &Part| part.support.iter().any(|bit| support.contains(bit));
        self.relation.parts.iter().map(looks_at_it).collect()
    }

    /// `Succ_D` with the relevant parts: at least all successors, maybe more.
    pub fn succ_relevant(&self, set: &Bdd) -> Computed<Bdd> {
        self.relation.image(set, &self.relevant(set))
    }

    /// `exact(A)`: the relevant parts, and all that have bits in common with them, and so on. Parts that look at nothing
    /// are among them.
    pub fn exact(&self, set: &Bdd) -> InUse {
        let component = |bit: &Bit| self.components[bit.index()];
        let touched: HashSet<usize> = set.support().iter().map(component).collect();
        let is_touched = |part: &Part| part.support.first().is_none_or(|bit| touched.contains(&component(bit)));
        self.relation.parts.iter().map(is_touched).collect()
    }

    /// The successors, from the exact parts and from what the others allow anyway.
    fn succ_exact(&self, set: &Bdd, in_use: InUse) -> Computed<Bdd> {
        let manager = &self.relation.encoding.manager;
        if set.is_false() {
            return Ok(manager.truth(false));
        }
        let here = self.relation.image(set, &in_use)?;
        if in_use.iter().all(|used| *used) {
            return Ok(here);
        }
        let known = self.elsewhere.borrow().get(&in_use).cloned();
        let elsewhere = match known {
            Some(known) => known,
            None => {
                let others: InUse = in_use.iter().map(|used| !used).collect();
                let image = self.relation.image(&manager.truth(true), &others)?;
                self.elsewhere.borrow_mut().insert(in_use, image.clone());
                image
            }
        };
        manager.and(&here, &elsewhere)
    }
}

/// By bit, the smallest bit of its component. Each points to a smaller one or to itself, until all are known.
fn components(relation: &Relation<'_>) -> Vec<usize> {
    let mut smaller: Vec<usize> = (0..relation.encoding.manager.bit_count() as usize).collect();
    fn smallest(smaller: &mut [usize], mut bit: usize) -> usize {
        while smaller[bit] != bit {
            smaller[bit] = smaller[smaller[bit]];
            bit = smaller[bit];
        }
        bit
    }
    for pair in relation.parts.iter().flat_map(|part| part.support.windows(2)) {
        let (one, other) = (smallest(&mut smaller, pair[0].index()), smallest(&mut smaller, pair[1].index()));
        smaller[one.max(other)] = one.min(other);
    }
    (0..smaller.len()).map(|bit| smallest(&mut smaller, bit)).collect()
}
