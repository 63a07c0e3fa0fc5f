//! What the reductions make of a model, for people: where processes still stop, what they do between, and what was gained.

use std::collections::HashSet;

use reductio_model::print::expression;
use reductio_model::{ActionId, ActionKind, EdgeId, Expr, LocationId, Model, Op, Place, Proctype, ProctypeId, Scope};

use super::Reduced;
use super::elementary::{Meaning, paths_from};
use super::process_variables::target;

/// One process type.
pub struct Outline {
    pub proctype: ProctypeId,
    /// How many places there are where a process can be, before and after.
    pub places: (usize, usize),
    /// Where a process still stops, in order.
    pub stops: Vec<(LocationId, Vec<Leg>)>,
}

/// Something that can be done in one step.
pub struct Leg {
    /// What is done, by the numbers of the actions in the reduced model. Empty if it is too much to be listed.
    pub actions: Vec<ActionId>,
    /// `None` where the process ends.
    pub end: Option<LocationId>,
    /// Where several statements were merged: what they mean together, if that can be said.
    pub meaning: Option<Meaning>,
    /// The names of the variables that are reset, because they are dead.
    pub resets: Vec<String>,
}

/// What becomes of a model.
pub fn outline(original: &Model, reduced: &Reduced) -> Vec<Outline> {
    let types = (0..).map(ProctypeId).zip(&original.proctypes);
    let of_type = |(id, before): (ProctypeId, &Proctype)| {
        let outlining = Outlining {
            model: original,
            before,
            after: reduced.model.proctype(id),
            actions: &reduced.origins.actions[id.index()],
        };
        let stops = outlining.stops();
        Outline { proctype: id, places: (places(before).len(), stops.len()), stops }
    };
    types.map(of_type).collect()
}

/// Where a process can be, in the order of the text.
fn places(proctype: &Proctype) -> Vec<LocationId> {
    let mut seen = HashSet::from([proctype.entry]);
    let mut pending = vec![proctype.entry];
    while let Some(location) = pending.pop() {
        let targets = proctype.location(location).edges.iter().filter_map(|&edge| target(proctype, edge));
        pending.extend(targets.filter(|target| seen.insert(*target)));
    }
    let mut places: Vec<LocationId> = seen.into_iter().filter(|id| !proctype.location(*id).interior).collect();
    places.sort_by_key(|&id| (proctype.location(id).position, id));
    places
}

struct Outlining<'m> {
    model: &'m Model,
    before: &'m Proctype,
    after: &'m Proctype,
    /// By action of the reduced model: that of the unreduced one.
    actions: &'m [ActionId],
}

impl Outlining<'_> {
    fn stops(&self) -> Vec<(LocationId, Vec<Leg>)> {
        let legs = |location: LocationId| {
            self.after.location(location).edges.iter().flat_map(|&edge| self.legs(edge)).collect()
        };
        places(self.after).into_iter().map(|location| (location, legs(location))).collect()
    }

    fn legs(&self, edge: EdgeId) -> Vec<Leg> {
        let action = self.after.edge(edge).action;
        let was_one = matches!(self.before.action_of(edge).kind, ActionKind::Step { .. });
        match self.after.action(action).kind {
            ActionKind::DStep { entry } if was_one => match paths_from(self.after, entry) {
                Some(paths) => paths
                    .into_iter()
                    .filter(|path| path.meaning.as_ref().is_none_or(|meaning| meaning.condition != Expr::Const(0)))
                    .map(|path| {
                        let actions = path.edges.iter().map(|&edge| self.after.edge(edge).action).collect();
                        self.leg(actions, Some(path.end), path.meaning)
                    })
                    .collect(),
                None => vec![self.leg(Vec::new(), Some(self.after.edge(edge).to), None)],
            },
            ActionKind::End => vec![self.leg(vec![action], None, None)],
            ActionKind::Step { .. } | ActionKind::DStep { .. } => {
                vec![self.leg(vec![action], Some(self.after.edge(edge).to), None)]
            }
        }
    }

    fn leg(&self, actions: Vec<ActionId>, end: Option<LocationId>, meaning: Option<Meaning>) -> Leg {
        let mut resets: Vec<String> = Vec::new();
        for reset in actions.iter().flat_map(|&action| self.resets(action)) {
            if !resets.contains(&reset) {
                resets.push(reset);
            }
        }
        Leg { actions, end, meaning, resets }
    }

    /// What an action does more than it did.
    fn resets(&self, action: ActionId) -> Vec<String> {
        let before = &self.before.action(self.actions[action.index()]).kind;
        let (ActionKind::Step { effect: before, .. }, ActionKind::Step { effect: after, .. }) =
            (before, &self.after.action(action).kind)
        else {
            return Vec::new();
        };
        let name = |place: &Place| match place.scope {
            Scope::Local => self.after.locals[place.base as usize].name.clone(),
            Scope::Global => self.model.globals[place.base as usize].name.clone(),
        };
        let written = after[before.len()..].iter().map(|op| match op {
            Op::Assign(place, Expr::Conditional(parts)) => {
                Some(format!("{} if {}", name(place), expression(self.model, self.after, &parts[0])))
            }
            Op::Assign(place, _) => Some(name(place)),
            _ => None,
        });
        written.flatten().collect()
    }
}
