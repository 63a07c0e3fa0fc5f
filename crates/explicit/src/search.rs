//! A search of all reachable states for violations of safety properties, all of them in one run.

use std::sync::atomic::AtomicBool;

use reductio_model::{Interpreter, Limit, Trace, TransitionSystem, Verdict, Violation};
use reductio_reduce::{Plan, Property, SearchOrder, StoreChoice};

use crate::coverage::Coverage;
use crate::findings::Finding;
use crate::path_log::Path;
use crate::run::KeysTooLong;
use crate::runs_on::event;
use crate::{breadth_first, depth_first, plain};

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
    /// How likely a new state was taken for a known one, in the end, where the store can do that.
    pub confusion: Option<f64>,
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
    /// The [plain engine](plain) did it, with one thread and an exact store whatever the plan says.
    pub plain: bool,
}

/// Explores all that the model can do, as the plan says.
pub fn search(interpreter: &Interpreter<'_>, plan: &Plan, control: Control<'_>) -> SearchResult {
    let Control { cancel, progress } = control;
    let explore = match plan.search() {
        SearchOrder::DepthFirst => depth_first::explore,
        SearchOrder::BreadthFirst => breadth_first::explore,
    };
    match explore(interpreter, plan, Control { cancel, progress: &mut *progress }) {
        Ok(explored) => explored.into_result(interpreter, plan),
        // Thousands of processes and channels: states this long are rare, and the plain engine takes any.
        Err(KeysTooLong) => plain::search(interpreter, plan, Control { cancel, progress }),
    }
}

/// What a search has seen, before its findings are made into counterexamples.
pub(crate) struct Explored<P> {
    pub findings: Vec<Finding<P>>,
    pub statistics: Statistics,
    pub coverage: Coverage,
    /// Were all reachable states seen, as far as the store can tell?
    pub complete: bool,
    pub limit: Option<Limit>,
}

impl Explored<Path> {
    fn into_result(self, interpreter: &Interpreter<'_>, plan: &Plan) -> SearchResult {
        let Explored { findings, statistics, coverage, complete, limit } = self;
        let limit = match plan.store() {
            StoreChoice::Exact => limit,
            StoreChoice::Compact | StoreChoice::Bitstate if complete => Some(Limit::LossyStore),
            StoreChoice::Compact | StoreChoice::Bitstate => limit,
        };
        let violation = |finding: &Finding<Path>| Violation {
            trace: follow(interpreter, &finding.place),
            fault: finding.fault.clone(),
        };
        SearchResult {
            verdicts: verdicts(plan, &findings, limit, violation),
            statistics,
            coverage,
            complete: complete && limit.is_none(),
            limit,
            plain: false,
        }
    }
}

/// The run in which these events happen, one after the other.
fn follow(interpreter: &Interpreter<'_>, path: &Path) -> Trace {
    let mut state = Some(interpreter.initial());
    let mut stem = Vec::with_capacity(path.len());
    for &number in path {
        let here = state.expect("no path leads through a fault that ends the run");
        let (steps, next) = event(interpreter, &here, number);
        stem.extend(steps);
        state = next;
    }
    Trace { stem, cycle: Vec::new() }
}

/// One verdict for every property, or as many as it has violations.
pub(crate) fn verdicts<P>(
    plan: &Plan,
    findings: &[Finding<P>],
    limit: Option<Limit>,
    violation: impl Fn(&Finding<P>) -> Violation,
) -> Vec<PropertyVerdict> {
    let mut verdicts = Vec::new();
    for &property in plan.properties() {
        let before = verdicts.len();
        for finding in findings.iter().filter(|finding| finding.property == property) {
            verdicts.push(PropertyVerdict { property, verdict: Verdict::Violated(violation(finding)) });
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
