//! What has been learnt, each for the states in which some components have given values.
//!
//! Facts that look at the same components are kept in one diagram. So when a component has more values than its bits can tell
//! apart, and gets another bit, it is known which of the diagrams speak of it: there the bit is zero, and the others say
//! nothing about it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::components::{Added, ComponentId, Components};
use crate::bdd::{Bdd, Computed, Manager, Renaming};

/// Components, in their order.
pub type Footprint = Vec<ComponentId>;

/// States of which something is known.
#[derive(Default)]
pub struct Facts {
    of: BTreeMap<Footprint, Bdd>,
    /// All together, unless a bit was added since.
    all: RefCell<Option<Bdd>>,
}

impl Facts {
    /// It is true of these states, which have given values in the components of the footprint.
    pub fn add(&mut self, footprint: &Footprint, states: &Bdd, manager: &Manager<'_>) -> Computed<()> {
        join(&mut self.of, footprint, states, manager)?;
        if let Some(all) = self.all.get_mut() {
            *all = manager.or(all, states)?;
        }
        Ok(())
    }

    /// The states of which it is true.
    pub fn all(&self, manager: &Manager<'_>) -> Computed<Bdd> {
        if let Some(all) = &*self.all.borrow() {
            return Ok(all.clone());
        }
        let all = manager.any(self.of.values())?;
        Ok(self.all.borrow_mut().insert(all).clone())
    }

    pub fn widen(&mut self, added: Added, manager: &Manager<'_>) -> Computed<()> {
        let bit = manager.bit(added.now)?;
        for (_, states) in self.of.iter_mut().filter(|(footprint, _)| footprint.contains(&added.component)) {
            *states = manager.minus(states, &bit)?;
            *self.all.get_mut() = None;
        }
        Ok(())
    }
}

fn join<K: Clone + Ord>(map: &mut BTreeMap<K, Bdd>, key: &K, more: &Bdd, manager: &Manager<'_>) -> Computed<()> {
    let joined = match map.get(key) {
        Some(known) => manager.or(known, more)?,
        None => more.clone(),
    };
    map.insert(key.clone(), joined);
    Ok(())
}

/// Steps: a disjunctively partitioned relation. What a step does not change stays as it is, and no diagram says so.
///
/// Paper: [burch-clarke-long91] section 4, for processes that take turns; [meijer-et-al14]: each part has
///        the components that it reads and those that it writes.
#[derive(Default)]
pub struct Steps {
    /// By what is looked at, and by what is changed.
    of: BTreeMap<(Footprint, Footprint), Bdd>,
    /// By what is changed, unless a bit was added or a step since.
    parts: BTreeMap<Footprint, Part>,
}

struct Part {
    steps: Bdd,
    /// The bits of what is changed.
    now: Bdd,
    next: Bdd,
    to_next: Renaming,
    to_now: Renaming,
}

impl Steps {
    /// In these states, which have given values in the components of `reads`, there is a step after which those of
    /// `writes` have values given by `next`.
    pub fn add(
        &mut self,
        reads: &Footprint,
        states: &Bdd,
        writes: &Footprint,
        next: &Bdd,
        manager: &Manager<'_>,
    ) -> Computed<()> {
        let steps = manager.and(states, next)?;
        join(&mut self.of, &(reads.clone(), writes.clone()), &steps, manager)?;
        if let Some(part) = self.parts.get_mut(writes) {
            part.steps = manager.or(&part.steps, &steps)?;
        }
        Ok(())
    }

    pub fn widen(&mut self, added: Added, manager: &Manager<'_>) -> Computed<()> {
        let (now, next) = (manager.bit(added.now)?, manager.bit(added.next)?);
        for ((reads, writes), steps) in &mut self.of {
            if reads.contains(&added.component) {
                *steps = manager.minus(steps, &now)?;
                self.parts.remove(writes);
            }
            if writes.contains(&added.component) {
                *steps = manager.minus(steps, &next)?;
                self.parts.remove(writes);
            }
        }
        Ok(())
    }

    /// To be called before images are computed: puts together what changes the same components.
    pub fn prepare(&mut self, components: &Components<'_>) -> Computed<()> {
        let manager = &components.manager;
        let missing = |((_, writes), _): &(&(Footprint, Footprint), &Bdd)| !self.parts.contains_key(writes);
        let mut joined: BTreeMap<Footprint, Bdd> = BTreeMap::new();
        for ((_, writes), steps) in self.of.iter().filter(missing) {
            join(&mut joined, writes, steps, manager)?;
        }
        for (writes, steps) in joined {
            let pairs: Vec<_> = writes.iter().flat_map(|id| components.bits(*id)).copied().collect();
            let back: Vec<_> = pairs.iter().map(|(now, next)| (*next, *now)).collect();
            let part = Part {
                steps,
                now: manager.cube(pairs.iter().map(|(now, _)| *now))?,
                next: manager.cube(pairs.iter().map(|(_, next)| *next))?,
                to_next: manager.renaming(&pairs)?,
                to_now: manager.renaming(&back)?,
            };
            self.parts.insert(writes, part);
        }
        Ok(())
    }

    /// Calls `visit` with what is one step of each part away from the set that it answers.
    pub fn each_image(
        &self,
        manager: &Manager<'_>,
        mut set: Bdd,
        mut visit: impl FnMut(Bdd) -> Computed<Option<Bdd>>,
    ) -> Computed<()> {
        for part in self.parts.values() {
            let image = manager.and_exists(&set, &part.steps, &part.now)?;
            if let Some(more) = visit(manager.rename(&image, &part.to_now)?)? {
                set = more;
            }
        }
        Ok(())
    }

    pub fn image(&self, manager: &Manager<'_>, set: &Bdd) -> Computed<Bdd> {
        let mut all = manager.truth(false);
        self.each_image(manager, set.clone(), |image| {
            all = manager.or(&all, &image)?;
            Ok(None)
        })?;
        Ok(all)
    }

    /// What has a step into a set, among states of which steps are known.
    pub fn preimage(&self, manager: &Manager<'_>, set: &Bdd) -> Computed<Bdd> {
        let mut all = manager.truth(false);
        for part in self.parts.values() {
            let target = manager.rename(set, &part.to_next)?;
            all = manager.or(&all, &manager.and_exists(&target, &part.steps, &part.next)?)?;
        }
        Ok(all)
    }

    /// How many nodes all parts have.
    pub fn size(&self, manager: &Manager<'_>) -> usize {
        self.parts.values().map(|part| manager.node_count(&part.steps)).sum()
    }
}
