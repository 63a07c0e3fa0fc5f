//! Sleep sets: when they may be used, and whether that pays.

use std::num::NonZeroU32;

use reductio_model::Model;

use crate::facts::symmetry::Obstacle;
use crate::facts::{priorities, watched_messages};
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
pub(crate) fn obstacle(model: &Model, is_asked_for: bool) -> Option<Obstacle> {
    let nowhere = |because: &str| Some(Obstacle { because: because.to_owned(), at: None });
    if !is_asked_for {
        nowhere("they save transitions, not states")
    } else if priorities::matter(model) {
        nowhere("after a step, a process of higher priority may go before those that are asleep")
    } else if model.features.last {
        nowhere("the model reads `_last`")
    } else {
        watched_messages::changing_channel(model)
    }
}
