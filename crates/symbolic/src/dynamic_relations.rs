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

use reductio_model::circuit::VariableId;

use crate::bdd::{Bdd, Bit, Computed};
use crate::relation::{InUse, Relation, RelationChoice};

/// Images and pre-images, with all parts of the relation or with those that matter.
pub struct Images<'a> {
    pub relation: Relation<'a>,
    choice: RelationChoice,
    /// The states that the parts not in use allow, from anywhere.
    elsewhere: RefCell<HashMap<InUse, Bdd>>,
    /// By variable, the part that defines it.
    definitions: HashMap<VariableId, usize>,
    /// By bit, the parts that look at it.
    users: HashMap<Bit, Vec<usize>>,
}

impl<'a> Images<'a> {
    pub fn new(relation: Relation<'a>, choice: RelationChoice) -> Images<'a> {
        let defined = relation.parts.iter().enumerate().filter_map(|(part, it)| it.defines.map(|id| (id, part)));
        let definitions = defined.collect();
        let mut users: HashMap<Bit, Vec<usize>> = HashMap::new();
        for (part, it) in relation.parts.iter().enumerate() {
            it.support.iter().for_each(|bit| users.entry(*bit).or_default().push(part));
        }
        Images { relation, choice, elsewhere: RefCell::default(), definitions, users }
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

    /// The parts that `Pred_D` uses: those of the variables that the set depends on, and of what they look at.
    fn pred_d(&self, set: &Bdd, condition: &Bdd) -> InUse {
        let mut in_use = self.constraints();
        self.need(self.relation.next_bits(set.support()).chain(condition.support()), &mut in_use);
        for part in self.relation.parts.iter().filter(|part| part.defines.is_none()) {
            self.need(part.support.iter().copied(), &mut in_use);
        }
        in_use
    }

    /// The parts that define nothing.
    fn constraints(&self) -> InUse {
        self.relation.parts.iter().map(|part| part.defines.is_none()).collect()
    }

    /// Adds the parts that define what these bits belong to, and so on.
    fn need(&self, bits: impl Iterator<Item = Bit>, in_use: &mut InUse) {
        let mut pending: Vec<Bit> = bits.collect();
        while let Some(bit) = pending.pop() {
            let Some(definition) = self.relation.owners.get(&bit).and_then(|id| self.definitions.get(id)) else {
                continue;
            };
            if !std::mem::replace(&mut in_use[*definition], true) {
                pending.extend(&self.relation.parts[*definition].support);
            }
        }
    }

    /// `relevant(A)`: the parts that look at something that the set depends on.
    pub fn relevant(&self, set: &Bdd) -> InUse {
        let mut in_use = vec![false; self.relation.parts.len()];
        for part in set.support().iter().filter_map(|bit| self.users.get(bit)).flatten() {
            in_use[*part] = true;
        }
        in_use
    }

    /// `Succ_D` with the relevant parts: at least all successors, maybe more.
    pub fn succ_relevant(&self, set: &Bdd) -> Computed<Bdd> {
        self.relation.image(set, &self.relevant(set))
    }

    /// `exact(A)`: the relevant parts, and all that have bits in common with them, and so on.
    pub fn exact(&self, set: &Bdd) -> InUse {
        let mut in_use = vec![false; self.relation.parts.len()];
        let mut touched: HashSet<Bit> = set.support().into_iter().collect();
        let mut pending: Vec<Bit> = touched.iter().copied().collect();
        while let Some(bit) = pending.pop() {
            for part in self.users.get(&bit).into_iter().flatten() {
                if !std::mem::replace(&mut in_use[*part], true) {
                    let support = self.relation.parts[*part].support.iter().copied();
                    pending.extend(support.filter(|bit| touched.insert(*bit)));
                }
            }
        }
        in_use
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
