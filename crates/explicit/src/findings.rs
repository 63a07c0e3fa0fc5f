//! The violations that a search has found, and which it still looks for.

use std::collections::HashSet;
use std::mem::Discriminant;

use reductio_model::{ActionId, Fault, FaultKind, ProctypeId, Property};
use reductio_reduce::Plan;

use crate::run::Stop;
use crate::store::Memory;

/// A violation: a state that can be reached and breaks the property, or a step with a fault. Which, and how it is
/// reached, each search says in its own way.
#[derive(Clone, Debug)]
pub(crate) struct Finding<P> {
    pub property: Property,
    pub place: P,
    pub fault: Option<Fault>,
}

/// Faults of one kind in one statement are one finding, whatever the index that was out of range.
type FaultKey = (Discriminant<FaultKind>, ProctypeId, ActionId);

/// So many violations of a property are kept, to be shown with the runs that lead there. More are only counted.
pub(crate) const MOST_KEPT: usize = 1000;

/// The ways to violations take so much at most, and this part of the memory that is allowed, except for the first one of each
/// property. Each event on the way is four bytes, and has to be followed to make a run of it.
const MOST_BYTES: u64 = 4 << 20;
const PART_OF_MEMORY: u64 = 16;

pub(crate) struct Findings<'p, P> {
    plan: &'p Plan,
    found: Vec<Finding<P>>,
    faults: HashSet<FaultKey>,
    counts: Vec<Count>,
    /// What the places of those that are kept take.
    bytes: u64,
}

/// How many violations of a property there are.
#[derive(Clone, Copy, Debug)]
struct Count {
    property: Property,
    all: u64,
    kept: usize,
}

impl<'p, P> Findings<'p, P> {
    pub fn new(plan: &'p Plan) -> Self {
        let count = |&property: &Property| Count { property, all: 0, kept: 0 };
        let counts = plan.properties().iter().map(count).collect();
        Findings { plan, found: Vec::new(), faults: HashSet::new(), counts, bytes: 0 }
    }

    /// Is the property to be checked, and are further violations of it of interest?
    pub fn wants(&self, property: Property) -> bool {
        self.counts.iter().any(|count| count.property == property && self.room_in(count) > 0)
    }

    /// How many more violations are of interest.
    fn room_in(&self, count: &Count) -> u64 {
        self.plan.max_violations().map_or(u64::MAX, |limit| u64::from(limit.get())).saturating_sub(count.all)
    }

    /// Is a violation by this fault, or one of this property without a fault, of interest?
    pub fn wants_finding(&self, property: Property, fault: Option<&Fault>) -> bool {
        match fault {
            Some(fault) if fault.kind.limit().is_some() => true,
            Some(fault) => !self.faults.contains(&fault_key(fault)) && self.wants(Property::Assertions),
            None => self.wants(property),
        }
    }

    /// Counts a violation if it is of interest, and keeps it if it may be shown and there is room: its place takes so many
    /// bytes.
    pub fn record(
        &mut self,
        property: Property,
        fault: Option<Fault>,
        memory: &Memory,
        bytes: usize,
        place: impl FnOnce() -> P,
    ) -> Result<(), Stop> {
        if !self.wants_finding(property, fault.as_ref()) {
            return Ok(());
        }
        if let Some(fault) = &fault {
            if let Some(limit) = fault.kind.limit() {
                return Err(limit.into());
            }
            self.faults.insert(fault_key(fault));
        }
        if self.is_kept(property, memory, bytes) {
            self.found.push(Finding { property, place: place(), fault });
        }
        self.count(property, 1)
    }

    /// Counts violations of which nothing else is known.
    pub fn count(&mut self, property: Property, more: u64) -> Result<(), Stop> {
        if let Some(index) = self.counts.iter().position(|count| count.property == property) {
            self.counts[index].all += more.min(self.room_in(&self.counts[index]));
        }
        match self.counts.iter().any(|count| self.room_in(count) > 0) {
            false => Err(Stop::EverythingFound),
            true if self.plan.is_first_only() && self.counts.iter().any(|count| count.all > 0) => Err(Stop::FirstFound),
            true => Ok(()),
        }
    }

    /// Have as many violations of the property been found as were asked for?
    pub fn is_settled(&self, property: Property) -> bool {
        !self.wants(property)
    }

    /// Has any violation of the property been found?
    pub fn has_found(&self, property: Property) -> bool {
        self.counts.iter().any(|count| count.property == property && count.all > 0)
    }

    /// The first violation of a property is kept in any case.
    fn is_kept(&mut self, property: Property, memory: &Memory, bytes: usize) -> bool {
        let after = self.bytes.saturating_add(bytes as u64);
        let Some(count) = self.counts.iter_mut().find(|count| count.property == property) else { return false };
        let most = MOST_BYTES.min(memory.limit() / PART_OF_MEMORY);
        let has_room = || after <= most && memory.reserve(bytes).is_ok();
        let is_kept = count.kept == 0 || count.kept < MOST_KEPT && has_room();
        if is_kept {
            count.kept += 1;
            self.bytes = after;
        }
        is_kept
    }

    /// The violations that were kept, and how many there are of each property that is violated.
    pub fn into_found(self) -> (Vec<Finding<P>>, Vec<(Property, u64)>) {
        let counts = self.counts.into_iter().filter(|count| count.all > 0);
        (self.found, counts.map(|count| (count.property, count.all)).collect())
    }
}

pub(crate) fn fault_key(fault: &Fault) -> FaultKey {
    (std::mem::discriminant(&fault.kind), fault.proctype, fault.action)
}
