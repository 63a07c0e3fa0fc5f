//! Sleep sets: when they may be used, and whether that pays.

use std::num::NonZeroU32;

use reductio_model::Model;

use crate::plan::{PlanRequest, ReduceChoice, Reduction, SearchOrder, StoreChoice};
use crate::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};

/// What of a request sleep sets cannot be used with.
pub(crate) fn refuse_conflicts(request: &PlanRequest) -> Result<(), Unavailable> {
    let list = match &request.reductions {
        ReduceChoice::List(list) => &list[..],
        ReduceChoice::Auto | ReduceChoice::None => &[],
    };
    let has_claims = request.properties.iter().any(|property| property.is_of_infinite_runs());
    let with = Conflict::With;
    let instead = Alternative::Setting;
    // With another reduction they are not known to keep all states that matter, and they do not keep every infinite run.
    let conflicts = [
        (list.contains(&Reduction::PartialOrder), with(Setting::Reduction(Reduction::PartialOrder)), None),
        (list.contains(&Reduction::Symmetry), with(Setting::Reduction(Reduction::Symmetry)), None),
        (
            request.search != SearchOrder::DepthFirst,
            with(Setting::Search(request.search)),
            Some(instead(Setting::Search(SearchOrder::DepthFirst))),
        ),
        (
            request.store != StoreChoice::Exact,
            with(Setting::Store(request.store)),
            Some(instead(Setting::Store(StoreChoice::Exact))),
        ),
        (has_claims, Conflict::For(Topic::InfiniteRuns), Some(Alternative::OtherProperties)),
        (request.max_violations != Some(NonZeroU32::MIN), with(Setting::MaxViolations), None),
    ];
    match conflicts.into_iter().find(|(is_there, ..)| *is_there) {
        None => Ok(()),
        Some((_, conflict, instead)) => {
            let setting = Setting::Reduction(Reduction::SleepSets);
            Err(Unavailable::new(setting, conflict, instead.as_slice()))
        }
    }
}

/// Why they are not used, if they are not, for what has no [conflicts](refuse_conflicts).
pub(crate) fn obstacle(model: &Model, is_asked_for: bool) -> Option<String> {
    let because = if !is_asked_for {
        "they save transitions, not states"
    } else if model.features.priorities {
        "the model uses process priorities"
    } else if model.features.last {
        "the model reads `_last`"
    } else if let Some(monitor) = model.monitors.first() {
        return Some(format!("the {} assertion observes the messages of all processes", monitor.name));
    } else {
        return None;
    };
    Some(because.to_owned())
}
