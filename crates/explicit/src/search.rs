//! A search of all reachable states for violations of safety properties, all of them in one run.

use std::sync::atomic::AtomicBool;

use reductio_model::{Limit, TransitionSystem, Verdict, Violation};
use reductio_reduce::{Plan, Property, SearchOrder};

use crate::coverage::Coverage;
use crate::explorer::{Explorer, Finding, Stop};
use crate::store::ExactStore;
use crate::trace::trace_to;
use crate::{breadth_first, depth_first};

/// How the outside world follows a search and ends it.
pub struct Control<'a> {
    /// Set it, and the search ends soon.
    pub cancel: &'a AtomicBool,
    /// Called several times a second.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states seen, without those in the middle of an `atomic`.
    pub states: u64,
    pub transitions: u64,
    /// The number of steps of the longest path that the search followed.
    pub depth: u64,
    pub seconds: f64,
    /// What the search stored, at its largest.
    pub memory_bytes: u64,
}

/// What is known of one property. A property with several violations has as many entries.
#[derive(Clone, Debug)]
pub struct PropertyVerdict {
    pub property: Property,
    pub verdict: Verdict,
}

#[derive(Clone, Debug)]
pub struct SearchResult {
    /// In the order of the plan's properties.
    pub verdicts: Vec<PropertyVerdict>,
    pub statistics: Statistics,
    pub coverage: Coverage,
    /// Were all reachable states seen?
    pub complete: bool,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
}

/// Explores the system as the plan says.
pub fn search<'a>(system: &'a dyn TransitionSystem, plan: &'a Plan, control: Control<'a>) -> SearchResult {
    let mut explorer = match Explorer::new(system, plan, control) {
        Ok(explorer) => explorer,
        Err(limit) => return nothing_seen(plan, limit),
    };
    let ended = match plan.search() {
        SearchOrder::DepthFirst => depth_first::explore(&mut explorer),
        SearchOrder::BreadthFirst => breadth_first::explore(&mut explorer),
    };
    let limit = match ended {
        Ok(()) | Err(Stop::EverythingFound) => None,
        Err(Stop::Limit(limit)) => Some(limit),
    };
    let statistics = explorer.statistics();
    let Explorer { store, findings, coverage, .. } = explorer;
    SearchResult {
        verdicts: verdicts(system, plan, &store, &findings, limit),
        statistics,
        coverage,
        complete: ended.is_ok(),
        limit,
    }
}

fn verdicts(
    system: &dyn TransitionSystem,
    plan: &Plan,
    store: &ExactStore,
    findings: &[Finding],
    limit: Option<Limit>,
) -> Vec<PropertyVerdict> {
    let mut verdicts = Vec::new();
    for &property in plan.properties() {
        let before = verdicts.len();
        for finding in findings.iter().filter(|finding| finding.property == property) {
            let mut trace = trace_to(system, store, finding.state);
            trace.stem.extend(finding.fault.as_ref().map(|(step, _)| *step));
            let violation = Violation { trace, fault: finding.fault.as_ref().map(|(_, fault)| fault.clone()) };
            verdicts.push(PropertyVerdict { property, verdict: Verdict::Violated(violation) });
        }
        if verdicts.len() == before {
            // A search that ends for want of anything left to find has found something for every property, so a
            // property without findings was looked for in all states unless a limit was met.
            let verdict = limit.map_or(Verdict::Holds, Verdict::Inconclusive);
            verdicts.push(PropertyVerdict { property, verdict });
        }
    }
    verdicts
}

fn nothing_seen(plan: &Plan, limit: Limit) -> SearchResult {
    let inconclusive = |&property: &Property| PropertyVerdict { property, verdict: Verdict::Inconclusive(limit) };
    SearchResult {
        verdicts: plan.properties().iter().map(inconclusive).collect(),
        statistics: Statistics::default(),
        coverage: Coverage::default(),
        complete: false,
        limit: Some(limit),
    }
}
