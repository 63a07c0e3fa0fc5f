//! When sleep sets may be used, and whether that pays.

use reductio_model::Model;

use crate::plan::{PlanRequest, ReduceChoice, Reduction, SearchOrder};

/// Why they are not used, if they are not.
pub(crate) fn obstacle(model: &Model, request: &PlanRequest, is_asked_for: bool) -> Option<String> {
    let list = match &request.reductions {
        ReduceChoice::List(list) => &list[..],
        ReduceChoice::Auto | ReduceChoice::None => &[],
    };
    let because = if !is_asked_for {
        "it saves steps, not states"
    } else if list.contains(&Reduction::PartialOrder) || list.contains(&Reduction::Symmetry) {
        "together with por or symmetry it is not known to keep all states that matter"
    } else if request.search != SearchOrder::DepthFirst {
        "it needs --search dfs"
    } else if request.store != crate::plan::StoreChoice::Exact {
        "it needs --store exact"
    } else if request.properties.iter().any(|property| property.is_of_infinite_runs()) {
        "not every infinite run is kept; use --property to choose other properties"
    } else if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        "more than one violation is asked for"
    } else if model.features.priorities {
        "who may move depends on the priorities of all"
    } else if model.features.last {
        "the model asks which process moved last"
    } else if !model.monitors.is_empty() {
        "a trace watches the messages of all processes"
    } else {
        return None;
    };
    Some(because.to_owned())
}
