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
use std::collections::{BTreeSet, HashMap};

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
}

impl<'a> Images<'a> {
    pub fn new(relation: Relation<'a>, choice: RelationChoice) -> Images<'a> {
        let defined = relation.parts.iter().enumerate().filter_map(|(part, it)| it.defines.map(|id| (id, part)));
        let definitions = defined.collect();
        Images { relation, choice, elsewhere: RefCell::default(), definitions }
    }

    /// The states that can step to some of these.
    pub fn pred(&self, set: &Bdd) -> Computed<Bdd> {
        self.pred_with(set, &self.relation.encoding.manager.truth(true))
    }

    /// The states that can step to some of these with inputs of which a condition on both holds.
    pub fn pred_with(&self, set: &Bdd, condition: &Bdd) -> Computed<Bdd> {
        let in_use = match self.choice {
            RelationChoice::Static => self.relation.all_parts(),
            RelationChoice::Dynamic => self.pred_d(set, condition)?,
        };
        self.relation.preimage(set, condition, &in_use)
    }

    /// The states that some of these can step to.
    pub fn succ(&self, set: &Bdd) -> Computed<Bdd> {
        match self.choice {
            RelationChoice::Static => self.relation.image(set, &self.relation.all_parts()),
            RelationChoice::Dynamic => self.succ_exact(set),
        }
    }

    /// The parts that `Pred_D` uses: those of the variables that the set depends on, and of what they look at.
    fn pred_d(&self, set: &Bdd, condition: &Bdd) -> Computed<InUse> {
        let next = self.relation.next_of(set)?;
        let mut support = next.support();
        support.extend(condition.support());
        let mut in_use = self.constraints();
        self.need(&support, &mut in_use);
        for part in 0..in_use.len() {
            if self.relation.parts[part].defines.is_none() {
                self.need(&self.relation.parts[part].support, &mut in_use);
            }
        }
        Ok(in_use)
    }

    /// The parts that define nothing.
    fn constraints(&self) -> InUse {
        self.relation.parts.iter().map(|part| part.defines.is_none()).collect()
    }

    /// Adds the parts that define what these bits belong to, and so on.
    fn need(&self, support: &BTreeSet<Bit>, in_use: &mut InUse) {
        let mut pending: Vec<Bit> = support.iter().copied().collect();
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
        let support = set.support();
        self.relation.parts.iter().map(|part| !part.support.is_disjoint(&support)).collect()
    }

    /// `Succ_D` with the relevant parts: at least all successors, maybe more.
    pub fn succ_relevant(&self, set: &Bdd) -> Computed<Bdd> {
        self.relation.image(set, &self.relevant(set))
    }

    /// `exact(A)`: the relevant parts, and all that have bits in common with them, and so on.
    pub fn exact(&self, set: &Bdd) -> InUse {
        let mut in_use = self.relevant(set);
        let parts = &self.relation.parts;
        let mut touched: BTreeSet<Bit> = set.support();
        loop {
            let joins = |part: usize| !in_use[part] && !parts[part].support.is_disjoint(&touched);
            let added: Vec<usize> = (0..parts.len()).filter(|part| in_use[*part] || joins(*part)).collect();
            let before = touched.len();
            for part in added {
                in_use[part] = true;
                touched.extend(&parts[part].support);
            }
            if touched.len() == before {
                return in_use;
            }
        }
    }

    /// The successors, from the exact parts and from what the others allow anyway.
    pub fn succ_exact(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = &self.relation.encoding.manager;
        if set.is_false() {
            return Ok(manager.truth(false));
        }
        let in_use = self.exact(set);
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
