//! The violations that a search has found, and which it still looks for.

use std::collections::HashSet;
use std::mem::Discriminant;

use reductio_model::{ActionId, Fault, FaultKind, ProctypeId};
use reductio_reduce::{Plan, Property};

use crate::run::Stop;

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

    /// Is a violation by this fault, or one of this property without a fault, of interest?
    pub fn wants_finding(&self, property: Property, fault: Option<&Fault>) -> bool {
        match fault {
            Some(fault) if fault.kind.limit().is_some() => true,
            Some(fault) => !self.faults.contains(&fault_key(fault)) && self.wants(Property::Assertions),
            None => self.wants(property),
        }
    }

    /// Adds a violation if it is of interest.
    pub fn record(&mut self, finding: Finding<P>) -> Result<(), Stop> {
        if !self.wants_finding(finding.property, finding.fault.as_ref()) {
            return Ok(());
        }
        if let Some(fault) = &finding.fault {
            if let Some(limit) = fault.kind.limit() {
                return Err(limit.into());
            }
            self.faults.insert(fault_key(fault));
        }
        self.found.push(finding);
        if self.plan.properties().iter().any(|&property| self.wants(property)) {
            Ok(())
        } else {
            Err(Stop::EverythingFound)
        }
    }

    pub fn into_found(self) -> Vec<Finding<P>> {
        self.found
    }
}

pub(crate) fn fault_key(fault: &Fault) -> FaultKey {
    (std::mem::discriminant(&fault.kind), fault.proctype, fault.action)
}
