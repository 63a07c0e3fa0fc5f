//! The violations that a search has found, and which it still looks for.

use std::collections::HashSet;
use std::mem::Discriminant;

use reductio_model::{ActionId, Fault, FaultKind, ProctypeId};
use reductio_reduce::{Plan, Property};

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

pub(crate) struct Findings<'p, P> {
    plan: &'p Plan,
    found: Vec<Finding<P>>,
    faults: HashSet<FaultKey>,
}

/// Every property has as many violations as were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EverythingFound;

impl<'p, P> Findings<'p, P> {
    pub fn new(plan: &'p Plan) -> Self {
        Findings { plan, found: Vec::new(), faults: HashSet::new() }
    }

    /// Is the property to be checked, and are further violations of it of interest?
    pub fn wants(&self, property: Property) -> bool {
        let found = || self.found.iter().filter(|finding| finding.property == property).count();
        let below_limit = |limit: std::num::NonZeroU32| found() < limit.get() as usize;
        self.plan.properties().contains(&property) && self.plan.max_violations().is_none_or(below_limit)
    }

    /// Is a violation by this fault of interest?
    pub fn wants_fault(&self, fault: &Fault) -> bool {
        !self.faults.contains(&fault_key(fault)) && self.wants(Property::Assertions)
    }

    /// Adds a violation if it is of interest.
    pub fn record(&mut self, finding: Finding<P>) -> Result<(), EverythingFound> {
        let wanted = match &finding.fault {
            Some(fault) => self.wants_fault(fault),
            None => self.wants(finding.property),
        };
        if !wanted {
            return Ok(());
        }
        if let Some(fault) = &finding.fault {
            self.faults.insert(fault_key(fault));
        }
        self.found.push(finding);
        if self.plan.properties().iter().any(|&property| self.wants(property)) { Ok(()) } else { Err(EverythingFound) }
    }

    pub fn into_found(self) -> Vec<Finding<P>> {
        self.found
    }
}

pub(crate) fn fault_key(fault: &Fault) -> FaultKey {
    (std::mem::discriminant(&fault.kind), fault.proctype, fault.action)
}
