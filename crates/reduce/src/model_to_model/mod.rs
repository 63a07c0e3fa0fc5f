//! Path reduction and dead variables: reductions that make a smaller model before the search, and the way back for runs.

mod asked_atoms;
mod dead_variables;
pub mod elementary;
mod lift;
pub mod outline;
mod partially_dead;
mod path_reduction;
mod process_variables;
pub(crate) mod safe_expressions;
mod side_by_side;
mod slicing;
pub(crate) mod terminated_processes;
pub(crate) mod walk;
pub(crate) mod whole_loops;

use reductio_model::{ActionId, Model, Position, Proctype, Property, verify};

use crate::plan::{Ctl, EngineChoice, Fairness, PlanRequest, Reduction};

pub(crate) use asked_atoms::forget_what_is_not_asked;
pub use dead_variables::dead_conditions;
pub use lift::{LiftedRun, lift, lift_run};
pub use path_reduction::obstacle as path_obstacle;
pub use side_by_side::{Sizes, side_by_side};

/// A smaller model that does the same, as far as it was asked for.
#[derive(Debug)]
pub struct Reduced {
    pub model: Model,
    pub origins: Origins,
    pub gain: Gain,
}

/// What was done where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Writes that nothing depends on, and that were left out.
    pub sliced: usize,
    /// Resets of dead variables that were added.
    pub resets: usize,
    /// Locations that are passed through without stopping.
    pub passed: usize,
    /// Ends of processes that are not left any more.
    pub kept: usize,
    /// Loops that have become steps.
    pub whole_loops: usize,
}

/// Where the parts of a reduced model come from. Its edges are those of the unreduced one, by the same numbers; what comes
/// after them is inside merged paths.
#[derive(Debug)]
pub struct Origins {
    /// By type and action: the action of the unreduced model.
    pub actions: Vec<Vec<ActionId>>,
}

impl Origins {
    fn of(model: &Model) -> Origins {
        let own = |proctype: &Proctype| (0..proctype.actions.len() as u32).map(ActionId).collect();
        Origins { actions: model.proctypes.iter().map(own).collect() }
    }
}

/// Which of the reductions to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelReductions {
    pub slicing: bool,
    pub dead_variables: bool,
    pub path_reduction: bool,
    /// Who has come to the [end](terminated_processes) stays there: a part of symmetry.
    pub nobody_leaves: bool,
    /// Loops that count are [steps](whole_loops): a part of symmetry, too.
    pub whole_loops: bool,
}

impl ModelReductions {
    pub fn includes(self, reduction: Reduction) -> bool {
        match reduction {
            Reduction::Slicing => self.slicing,
            Reduction::DeadVariables => self.dead_variables,
            Reduction::PathReduction => self.path_reduction,
            Reduction::PartialOrder | Reduction::SleepSets | Reduction::Symmetry | Reduction::ConeOfInfluence => false,
        }
    }
}

/// Why one of these reductions may not be used for what is asked, and the place in the model that is to blame.
pub(crate) fn obstacle(
    model: &Model,
    request: &PlanRequest,
    reduction: Reduction,
) -> Option<(String, Option<Position>)> {
    if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        return Some(("several violations are asked for".to_owned(), None));
    }
    if request.fairness == Fairness::Maximal && request.properties.iter().any(|asked| asked.is_of_infinite_runs()) {
        return Some((
            "fairness asks which statements depend on each other in the model as it is written".to_owned(),
            None,
        ));
    }
    if matches!(reduction, Reduction::DeadVariables | Reduction::Slicing) {
        return None;
    }
    obstacle_to_fewer_steps(model, request)
}

/// Why it may matter how many steps there are, and where.
pub(crate) fn obstacle_to_fewer_steps(model: &Model, request: &PlanRequest) -> Option<(String, Option<Position>)> {
    if Ctl::of(model, &request.properties) == Ctl::WithNext && request.engine == EngineChoice::Symbolic {
        return Some(("a CTL formula has `AX` or `EX`".to_owned(), None));
    }
    let claims = request.properties.iter().filter_map(|property| match property {
        Property::Claim(claim) => model.claims.get(claim.index()),
        _ => None,
    });
    for claim in claims {
        if request.fairness != Fairness::None {
            return Some(("fairness depends on which processes can move inside a path".to_owned(), None));
        }
        if !claim.stutters {
            return Some((format!("`{}` is not known to be stutter-invariant", claim.name), None));
        }
    }
    path_reduction::obstacle(model)
}

/// Reduces a model. All its atoms are visible. Whether what is asked of it allows that is for the planner to say.
pub fn reduce(model: &Model, wanted: ModelReductions) -> Reduced {
    let mut origins = Origins::of(model);
    let mut model = model.clone();
    let mut gain = Gain::default();
    if wanted.nobody_leaves {
        gain.kept = terminated_processes::keep_all(&mut model);
    }
    if wanted.whole_loops {
        gain.whole_loops = whole_loops::make_steps(&mut model, &mut origins);
    }
    if wanted.slicing {
        gain.sliced = slicing::slice(&mut model);
    }
    if wanted.dead_variables {
        gain.resets = dead_variables::reset_dead_variables(&mut model, &mut origins);
    }
    if wanted.path_reduction {
        gain.passed = path_reduction::merge_paths(&mut model, &mut origins);
    }
    debug_assert_eq!(verify(&model), Ok(()), "a reduction keeps the rules of models");
    Reduced { model, origins, gain }
}
