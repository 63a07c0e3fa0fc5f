//! Path reduction: invisible local steps of a process that involve no choice are merged into the step before.
//!
//! Paper:     [yorav00] section 3.3.1, definitions 3.9 and 3.10: *breaking points* are the locations where a process stops,
//!            an *elementary path* leads from one to the next.
//! Preserves: CTL*-X over the atoms, deadlocks, assertions and other faults. Not the number of steps, and not which process
//!            can move when, so no fairness.
//! Needs:     to know what belongs to a process alone ([`ProcessVariables`]), and what cannot go wrong ([`cannot_fail`]).
//! Deviates:  a path is executed as a `d_step`, not as one assignment by substitution, so that paths share their ends and
//!            every statement stays itself for coverage and blame. The statement with which a path begins can be anything but
//!            the sending half of a rendezvous: also a receive, a choice, or a visible step.
//!            A statement that may go wrong is not merged: the run would end before what comes first was seen.
//!            With priorities, a path begins only with what lets nobody of a higher priority move ([`Turn`]): then the process can go on
//!            at once. While it is on its way others may keep it from moving, but not from where it will be when they have done.

use std::collections::HashSet;

use reductio_model::{
    Action, ActionId, ActionKind, Binary, ChannelTypeId, Communication, Edge, EdgeId, Expr, Guard, Initial, Location,
    LocationId, Model, Op, Place, Position, Proctype, ProctypeId, Scope, Unary,
};

use super::Origins;
use super::process_variables::{ProcessVariables, Reads};
use super::safe_expressions::{cannot_fail, exclude_each_other, one_must_hold, stays_in_range};
use super::walk::{each_part, each_part_of_model};
use crate::facts::priorities::{self, Turn};

/// Why no paths of a model can be merged, and the place that is to blame.
pub fn obstacle(model: &Model) -> Option<(String, Option<Position>)> {
    if let Some((because, at)) = obstacle_by_priorities(model) {
        return Some((because.to_owned(), Some(at)));
    }
    if model.features.last {
        return Some(("the model reads `_last`".to_owned(), None));
    }
    let mut asked = None;
    each_part_of_model(model, &mut |part| {
        asked = asked.or(match part {
            Expr::Enabled(_) => Some("enabled()"),
            Expr::PcValue(_) => Some("pc_value()"),
            _ => None,
        });
    });
    for atom in &model.atoms {
        each_part(&atom.expr, &mut |part| {
            asked = asked.or(matches!(part, Expr::Timeout).then_some("timeout"));
        });
    }
    if let Some(asked) = asked {
        return Some((format!("`{asked}` can observe the steps inside a path"), None));
    }
    let at = model.proctypes.iter().find_map(|proctype| looks_for_a_receiver(model, proctype))?;
    Some(("what happens here depends on whether a rendezvous receiver is ready".to_owned(), Some(at)))
}

/// Where it matters to others, by their priorities, whether a process has come to the end of its path. (Otherwise it does not: nobody of a lower
/// priority moves before it is there, and those of a higher one do not need it.)
fn obstacle_by_priorities(model: &Model) -> Option<(&'static str, Position)> {
    if !priorities::matter(model) {
        return None;
    }
    let rendezvous = priorities::rendezvous(model);
    let rendezvous =
        rendezvous.map(|at| ("with priorities, who is ready for a rendezvous may keep others from receiving", at));
    let in_atomic = priorities::set_in_atomic(model);
    rendezvous.or(in_atomic.map(|at| ("whoever is given a higher priority here may interrupt an `atomic`", at)))
}

/// A place where something else happens if nobody completes a rendezvous: an `else` or an escape beside a send, or one in an
/// `atomic`.
fn looks_for_a_receiver(model: &Model, proctype: &Proctype) -> Option<Position> {
    let continues_atomic: HashSet<LocationId> =
        proctype.edges.iter().filter(|edge| edge.atomic).map(|edge| edge.to).collect();
    let locations = (0..).map(LocationId).zip(&proctype.locations);
    let mut outside = locations.filter(|(_, location)| !location.interior);
    outside.find_map(|(id, location)| {
        let is_other = |&edge: &EdgeId| {
            let kind = &proctype.action_of(edge).kind;
            proctype.edge(edge).escape > 0 || matches!(kind, ActionKind::Step { guard: Guard::Else, .. })
        };
        if !continues_atomic.contains(&id) && !location.edges.iter().any(is_other) {
            return None;
        }
        let mut actions = location.edges.iter().map(|&edge| proctype.action_of(edge));
        actions.find(|action| may_begin_rendezvous(model, &action.kind)).map(|action| action.position)
    })
}

fn may_begin_rendezvous(model: &Model, kind: &ActionKind) -> bool {
    let is_rendezvous = |ty: ChannelTypeId| model.channel_type(ty).capacity == 0;
    match kind {
        ActionKind::Step { communication: Some(Communication::Send { channel, .. }), .. } => {
            match constant_channel(model, channel) {
                Some(ty) => is_rendezvous(ty),
                None => model.channel_types.iter().any(|ty| ty.capacity == 0),
            }
        }
        ActionKind::Step { .. } | ActionKind::DStep { .. } | ActionKind::End => false,
    }
}

/// The type of a channel that is always the same: that of a global variable that nobody writes.
fn constant_channel(model: &Model, channel: &Expr) -> Option<ChannelTypeId> {
    let Expr::Read(place) = channel else { return None };
    let is_plain = place.scope == Scope::Global && place.indices.is_empty();
    let Initial::Channel(ty) = model.globals.get(place.base as usize).filter(|_| is_plain)?.initial else {
        return None;
    };
    let writes = |written: &Place| {
        let mut slots = HashSet::new();
        crate::facts::each_slot(written, &|_| None, &mut |slot| {
            slots.insert(slot);
        });
        written.scope == Scope::Global && slots.contains(&(place.base as usize))
    };
    let mut actions = model.proctypes.iter().flat_map(|proctype| &proctype.actions);
    let is_written = actions.any(|action| crate::facts::written_places(action).into_iter().any(writes));
    (!is_written).then_some(ty)
}

/// Merges paths. Answers how many locations are passed through.
pub fn merge_paths(model: &mut Model, origins: &mut Origins) -> usize {
    let owns = ProcessVariables::of_all(model);
    let mut passed = 0;
    for (index, own) in owns.iter().enumerate() {
        let id = ProctypeId(index as u32);
        let flow = Flow::new(model, own, id);
        let through = flow.passed();
        let begins = flow.begins(&through);
        if !begins.is_empty() {
            passed += through.len();
            let (proctype, actions) = (&mut model.proctypes[index], &mut origins.actions[index]);
            Merging::new(proctype, actions, &through).merge(begins);
        }
    }
    passed
}

/// The control flow of one process type, and what is known of it.
pub(super) struct Flow<'m> {
    pub model: &'m Model,
    pub own: &'m ProcessVariables,
    pub id: ProctypeId,
    pub proctype: &'m Proctype,
    turn: Turn<'m>,
}

impl<'m> Flow<'m> {
    pub fn new(model: &'m Model, own: &'m ProcessVariables, id: ProctypeId) -> Flow<'m> {
        Flow { model, own, id, proctype: model.proctype(id), turn: Turn::of(model, id) }
    }

    /// The locations that are no breaking points, in order. No cycle leads through them alone.
    fn passed(&self) -> Vec<LocationId> {
        if self.proctype.provided.is_some() {
            return Vec::new();
        }
        let seen = self.seen_locations();
        let all = (0..self.proctype.locations.len() as u32).map(LocationId);
        // To come to where a process is seen is seen, too.
        let leads_to_seen = |id: &LocationId| {
            let mut edges = self.proctype.location(*id).edges.iter();
            edges.any(|&edge| seen.contains(&self.proctype.edge(edge).to))
        };
        let is_unseen = |id: &LocationId| !seen.contains(id) && !leads_to_seen(id);
        let quiet: HashSet<LocationId> = all.filter(|id| is_unseen(id) && self.is_quiet(*id)).collect();
        let heads = self.loop_heads(&quiet);
        let mut passed: Vec<LocationId> = quiet.difference(&heads).copied().collect();
        passed.sort_unstable();
        passed
    }

    /// Where somebody sees that a process is there.
    pub fn seen_locations(&self) -> HashSet<LocationId> {
        let mut seen = HashSet::new();
        let locations = || (0..).map(LocationId).zip(&self.proctype.locations);
        each_part_of_model(self.model, &mut |part| match part {
            Expr::At { proctype, label, .. } if *proctype == self.id => {
                let named = self.proctype.labels.iter().filter(|known| known.name == *label);
                seen.extend(named.map(|label| label.location));
            }
            Expr::NonProgress => seen.extend(locations().filter(|(_, location)| location.progress).map(|(id, _)| id)),
            Expr::Accepting => seen.extend(locations().filter(|(_, location)| location.accept).map(|(id, _)| id)),
            _ => {}
        });
        seen
    }

    /// Is there always exactly one thing to do here, which nobody sees, does not depend on others and cannot go wrong?
    fn is_quiet(&self, id: LocationId) -> bool {
        let location = self.proctype.location(id);
        let is_quiet = |&edge: &EdgeId| self.is_quiet_edge(edge);
        !location.interior && location.edges.iter().all(is_quiet) && self.has_one_way(location)
    }

    fn is_quiet_edge(&self, id: EdgeId) -> bool {
        let edge = self.proctype.edge(id);
        !edge.atomic && edge.escape == 0 && self.depends_on_own_alone(&self.proctype.action_of(id).kind)
    }

    /// It does not communicate, looks at nothing and changes nothing but what is the process's own, and cannot go wrong.
    pub fn depends_on_own_alone(&self, kind: &ActionKind) -> bool {
        let ActionKind::Step { guard, communication: None, effect } = kind else { return false };
        let is_quiet = |op: &Op| match op {
            Op::Assign(place, expr) => {
                let is_own = self.is_own(place);
                let depends_on_own = place.indices.iter().all(|index| self.depends_on_own(&index.value));
                is_own && depends_on_own && stays_in_range(place) && self.depends_on_own(expr)
            }
            Op::Evaluate(expr) | Op::Assert(expr) => self.depends_on_own(expr),
            Op::Print { arguments, .. } => arguments.iter().all(|(_, argument)| cannot_fail(argument)),
            Op::Run { .. } | Op::SetPriority { .. } => false,
        };
        let guard_is_quiet = match guard {
            Guard::When(condition) => self.depends_on_own(condition),
            Guard::Else => true,
        };
        guard_is_quiet && effect.iter().all(is_quiet)
    }

    /// Does a place mean nothing but variables of the process's own?
    pub fn is_own(&self, place: &Place) -> bool {
        self.own.variables(place).0.iter().all(|variable| self.own.private.contains(variable))
    }

    /// Only on what is the process's own or never changes, and it always has a value.
    fn depends_on_own(&self, expr: &Expr) -> bool {
        let Reads { variables, more } = self.own.reads(expr);
        let is_known = |variable: usize| self.own.private.contains(variable) || self.own.constant.contains(variable);
        !more && cannot_fail(expr) && variables.iter().all(is_known)
    }

    /// Is exactly one of the edges possible, whatever the values?
    fn has_one_way(&self, location: &Location) -> bool {
        self.goes_one_way(location.edges.iter().map(|&edge| &self.proctype.action_of(edge).kind))
    }

    /// The same for what can be done at a location.
    pub fn goes_one_way<'k>(&self, kinds: impl Iterator<Item = &'k ActionKind>) -> bool {
        let guards = kinds.map(|kind| match kind {
            ActionKind::Step { guard, .. } => Some(guard),
            ActionKind::DStep { .. } | ActionKind::End => None,
        });
        let Some(guards) = guards.collect::<Option<Vec<&Guard>>>() else { return false };
        let (conditions, has_else) = match guards.split_last() {
            Some((Guard::Else, others)) => (others, true),
            Some(_) => (&guards[..], false),
            None => return false,
        };
        let conditions = conditions.iter().map(|guard| match guard {
            Guard::When(condition) => Some(condition),
            Guard::Else => None,
        });
        let Some(conditions) = conditions.collect::<Option<Vec<&Expr>>>() else { return false };
        let mut pairs = conditions.iter().enumerate().flat_map(|(index, one)| {
            let others = conditions[index + 1..].iter();
            others.map(move |other| (*one, *other))
        });
        let some_holds = match conditions[..] {
            _ if has_else => true,
            [Expr::Const(value)] => *value != 0,
            [one, other] => one_must_hold(one, other),
            _ => false,
        };
        some_holds && pairs.all(|(one, other)| exclude_each_other(one, other))
    }

    /// A location on every cycle that leads through these alone: those to which a depth-first search comes back.
    fn loop_heads(&self, among: &HashSet<LocationId>) -> HashSet<LocationId> {
        let mut heads = HashSet::new();
        let (mut open, mut done) = (HashSet::new(), HashSet::new());
        let mut starts: Vec<LocationId> = among.iter().copied().collect();
        starts.sort_unstable();
        for start in starts {
            let mut stack = vec![(start, 0)];
            if !done.contains(&start) {
                open.insert(start);
            }
            while let Some((location, next)) = stack.last_mut() {
                if done.contains(location) {
                    stack.pop();
                    continue;
                }
                let Some(&edge) = self.proctype.location(*location).edges.get(*next) else {
                    open.remove(location);
                    done.insert(*location);
                    stack.pop();
                    continue;
                };
                *next += 1;
                let target = self.proctype.edge(edge).to;
                if open.contains(&target) {
                    heads.insert(target);
                } else if among.contains(&target) && !done.contains(&target) {
                    open.insert(target);
                    stack.push((target, 0));
                }
            }
        }
        heads
    }

    /// The edges with which a merged path begins, and their guards if they have to be written in another way.
    fn begins(&self, passed: &[LocationId]) -> Vec<(EdgeId, Option<Guard>)> {
        let edges = (0..).map(EdgeId).zip(&self.proctype.edges);
        let into = edges.filter(|(_, edge)| passed.binary_search(&edge.to).is_ok() && !edge.atomic);
        // Otherwise the process may have to wait before it can go on.
        let into = into.filter(|(_, edge)| self.turn.is_kept_by(self.id, self.proctype, edge));
        into.filter_map(|(id, edge)| {
            let kind = &self.proctype.action_of(id).kind;
            let is_inside = self.proctype.location(edge.from).interior;
            match kind {
                _ if is_inside || may_begin_rendezvous(self.model, kind) => None,
                ActionKind::Step { guard: Guard::Else, .. } => Some((id, Some(self.without_else(id)?))),
                ActionKind::Step { .. } => Some((id, None)),
                ActionKind::DStep { .. } | ActionKind::End => None,
            }
        })
        .collect()
    }

    /// An `else` as a condition: none of the others holds. Inside a `d_step` it would not see them.
    fn without_else(&self, id: EdgeId) -> Option<Guard> {
        let location = self.proctype.location(self.proctype.edge(id).from);
        let before = location.edges.iter().take_while(|&&edge| edge != id);
        let conditions = before.map(|&edge| match &self.proctype.action_of(edge).kind {
            ActionKind::Step { guard: Guard::When(condition), communication: None, .. } => {
                Some(condition).filter(|condition| cannot_fail(condition))
            }
            _ => None,
        });
        let conditions: Vec<&Expr> = conditions.collect::<Option<_>>()?;
        let not = |condition: &Expr| Expr::Unary(Unary::Not, Box::new(condition.clone()));
        let all =
            conditions.into_iter().map(not).reduce(|all, one| Expr::Binary(Binary::And, Box::new(all), Box::new(one)));
        Some(Guard::When(all.unwrap_or(Expr::TRUE)))
    }
}

/// The paths of one process type in the making.
struct Merging<'m> {
    proctype: &'m mut Proctype,
    /// By action of the model: that of the unreduced model.
    actions: &'m mut Vec<ActionId>,
    passed: &'m [LocationId],
    /// The first of the interior locations that stand for those that are passed.
    first: u32,
}

impl<'m> Merging<'m> {
    fn new(proctype: &'m mut Proctype, actions: &'m mut Vec<ActionId>, passed: &'m [LocationId]) -> Merging<'m> {
        let first = proctype.locations.len() as u32;
        Merging { proctype, actions, passed, first }
    }

    fn merge(&mut self, begins: Vec<(EdgeId, Option<Guard>)>) {
        for &id in self.passed {
            self.add_interior(self.proctype.location(id).position);
        }
        for (index, id) in self.passed.iter().enumerate() {
            let from = LocationId(self.first + index as u32);
            for edge in self.proctype.location(*id).edges.clone() {
                let Edge { to, action, .. } = *self.proctype.edge(edge);
                self.add_edge(from, self.inside(to), action);
            }
        }
        let ends = self.ends();
        for (edge, guard) in begins {
            self.begin(edge, guard, &ends);
        }
    }

    /// Where a path goes that comes to this location.
    fn inside(&self, location: LocationId) -> LocationId {
        match self.passed.binary_search(&location) {
            Ok(index) => LocationId(self.first + index as u32),
            Err(_) => location,
        }
    }

    /// The edge becomes a `d_step` of what it does and all that follows.
    fn begin(&mut self, id: EdgeId, guard: Option<Guard>, ends: &[LocationId]) {
        let Edge { from, to, action, .. } = *self.proctype.edge(id);
        let entry = self.add_interior(self.proctype.location(from).position);
        let first = match guard {
            None => action,
            Some(guard) => {
                let mut kind = self.proctype.action(action).kind.clone();
                if let ActionKind::Step { guard: own, .. } = &mut kind {
                    *own = guard;
                }
                self.add_action(action, kind)
            }
        };
        self.add_edge(entry, self.inside(to), first);
        let whole = self.add_action(action, ActionKind::DStep { entry });
        let end = self.passed.binary_search(&to).map_or(to, |index| ends[index]);
        let edge = &mut self.proctype.edges[id.index()];
        edge.action = whole;
        edge.to = end;
    }

    /// For each location that is passed, some location where a path ends that comes to it. Each is followed once: paths
    /// may be as long as the program, and there is one for every place on them.
    fn ends(&self) -> Vec<LocationId> {
        let mut ends: Vec<Option<LocationId>> = vec![None; self.passed.len()];
        for start in 0..self.passed.len() {
            let (mut path, mut at) = (Vec::new(), start);
            let end = loop {
                if let Some(end) = ends[at] {
                    break end;
                }
                path.push(at);
                let edges = &self.proctype.location(LocationId(self.first + at as u32)).edges;
                let next = self.proctype.edge(edges[0]).to;
                match next.0.checked_sub(self.first).map(|index| index as usize) {
                    Some(index) if index < self.passed.len() => at = index,
                    _ => break next,
                }
            };
            path.into_iter().for_each(|place| ends[place] = Some(end));
        }
        ends.into_iter().map(|end| end.expect("every place was followed")).collect()
    }

    fn add_interior(&mut self, position: Position) -> LocationId {
        let (end, accept, progress, module) = (false, false, false, false);
        let (edges, interior) = (Vec::new(), true);
        self.proctype.locations.push(Location { position, edges, end, accept, progress, interior, module });
        LocationId(self.proctype.locations.len() as u32 - 1)
    }

    fn add_edge(&mut self, from: LocationId, to: LocationId, action: ActionId) {
        let id = EdgeId(self.proctype.edges.len() as u32);
        self.proctype.edges.push(Edge { from, to, action, escape: 0, atomic: false });
        self.proctype.locations[from.index()].edges.push(id);
    }

    /// Another action for the same statement.
    fn add_action(&mut self, like: ActionId, kind: ActionKind) -> ActionId {
        let Action { position, text, number, .. } = self.proctype.action(like).clone();
        self.actions.push(self.actions[like.index()]);
        self.proctype.actions.push(Action { position, text, number, kind });
        ActionId(self.proctype.actions.len() as u32 - 1)
    }
}
