//! The plain engine: the interpreter's states, byte by byte, in one table. It is the oracle for the fast one, and it
//! runs on every [`TransitionSystem`], whatever its states are made of.

mod breadth_first;
mod depth_first;
mod explorer;
mod fair_run;
mod infinite_runs;
mod store;
mod trace;

pub use fair_run::is_fair;
pub use infinite_runs::has_accepted_run;
use reductio_model::{Budget, TransitionSystem, Verdict, Witness};
use reductio_reduce::{Plan, SearchOrder};

use self::explorer::{Explorer, Place};
use self::trace::trace_to;
use crate::findings::Finding;
use crate::patience::Patience;
use crate::search::{SearchResult, verdicts};

/// Explores the system in the order of the plan, with one thread and an exact store.
pub fn search(system: &dyn TransitionSystem, plan: &Plan, budget: &Budget) -> SearchResult {
    let mut explorer = Explorer::new(system, plan, budget);
    let ended = match plan.search() {
        SearchOrder::DepthFirst => depth_first::explore(&mut explorer),
        SearchOrder::Auto | SearchOrder::BreadthFirst => breadth_first::explore(&mut explorer),
    };
    let Explorer { store, run, .. } = explorer;
    let explored = run.finish_with(ended.err(), |places| places);
    let patience = Patience::new(budget);
    let violation = |finding: &Finding<Place>| {
        let (state, step) = finding.place;
        let mut trace = trace_to(system, &store, state);
        trace.stem.extend(step);
        Witness::of(trace).ending_in(finding.fault.clone())
    };
    let mut verdicts = verdicts(plan, &explored.findings, explored.limit, &patience, violation);
    for entry in verdicts.iter_mut().filter(|entry| matches!(entry.verdict, Verdict::Violated(_))) {
        entry.may_be_longer = !plan.is_breadth_first();
    }
    SearchResult {
        verdicts,
        violations: explored.violations,
        statistics: explored.statistics,
        coverage: explored.coverage,
        complete: explored.complete,
        limit: explored.limit,
        plain: true,
    }
}
