//! Terminated processes are kept in the state: a part of symmetry reduction.
//!
//! Processes terminate in reverse order of creation, so processes that terminate are not interchangeable: it matters which of them is older. But
//! if no process and no property can observe whether a process has terminated, it may as well stay at its end forever. Its last step is
//! invisible; runs differ in such steps only, and become runs of the model if processes terminate as soon as they can.

use reductio_model::{ActionKind, Expr, Guard, Initial, Model, Property};

use super::walk::each_part_of_model;
use crate::facts::priorities;
use crate::facts::symmetry::creates_all_at_once;
use crate::plan::{Fairness, PlanRequest};

/// Why it may matter that a process has left.
pub fn obstacle(model: &Model, request: &PlanRequest) -> Option<&'static str> {
    for property in &request.properties {
        let Property::Claim(claim) = property else { continue };
        if !matches!(request.fairness, Fairness::None | Fairness::Weak) {
            return Some("fairness may depend on which processes have terminated");
        }
        if model.claims.get(claim.index()).is_none_or(|claim| !claim.stutters) {
            return Some("a claim is not known to be stutter-invariant");
        }
    }
    if priorities::matter(model) || model.features.last {
        return Some("priorities and `_last` may depend on which processes have terminated");
    }
    let mut locals = model.proctypes.iter().flat_map(|proctype| &proctype.locals);
    if locals.any(|slot| matches!(slot.initial, Initial::Channel(_))) {
        return Some("channels disappear with their processes");
    }
    let mut is_asked = false;
    each_part_of_model(model, &mut |part| {
        is_asked |= matches!(part, Expr::ProcessCount | Expr::Timeout | Expr::At { .. } | Expr::Remote { .. })
            || matches!(part, Expr::Enabled(_) | Expr::PcValue(_) | Expr::PriorityOf(_));
    });
    if is_asked {
        return Some("the model may ask which processes have terminated");
    }
    (!creates_all_at_once(model)).then_some("processes may be created when others have terminated")
}

/// Nobody leaves any more. Answers how many could.
pub fn keep_all(model: &mut Model) -> usize {
    let mut kept = 0;
    for action in model.proctypes.iter_mut().flat_map(|proctype| &mut proctype.actions) {
        if action.kind == ActionKind::End {
            let guard = Guard::When(Expr::Const(0));
            action.kind = ActionKind::Step { guard, communication: None, effect: Vec::new() };
            kept += 1;
        }
    }
    kept
}
