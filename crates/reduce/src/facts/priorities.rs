//! Priorities: only those of the highest priority that can move may move, so what a step lets others do may keep a third from moving.
//!
//! Where all processes have the same priority forever, priorities change nothing. Otherwise a step *keeps the turn* if no
//! process of a higher priority can move after it that could not before: then whoever took it can go on at once. See [`Turn`].

use reductio_model::{Action, ActionKind, Edge, Model, Op, Position, Proctype, ProctypeId};

use super::access::{Accesses, Use};
use super::steps::{Facts, Reader};

/// Does it make a difference that processes have priorities?
pub(crate) fn matter(model: &Model) -> bool {
    if !model.features.priorities {
        return false;
    }
    let mut given = all_given(model).map(|(_, priority)| priority);
    let first = given.next();
    set_by(model).is_some() || given.any(|priority| Some(priority) != first)
}

/// A rendezvous channel: a message goes to those of the highest priority that would take it, so who is ready keeps others from
/// receiving, although they can.
pub(crate) fn rendezvous(model: &Model) -> Option<Position> {
    model.channel_types.iter().find(|ty| ty.capacity == 0).map(|ty| ty.position)
}

/// Where a priority is set in the middle of an `atomic`: whoever gets a higher one may interrupt it.
pub(crate) fn set_in_atomic(model: &Model) -> Option<Position> {
    model.proctypes.iter().find_map(|proctype| {
        let any = || proctype.actions.iter().find(|action| sets_priority(action));
        proctype.edges.iter().filter(|edge| edge.atomic).find_map(|edge| {
            let action = proctype.action(edge.action);
            let sets = match action.kind {
                ActionKind::DStep { .. } => any(),
                ActionKind::Step { .. } | ActionKind::End => Some(action).filter(|action| sets_priority(action)),
            };
            sets.map(|action| action.position)
        })
    })
}

/// The first action that changes a priority.
fn set_by(model: &Model) -> Option<&Action> {
    model.proctypes.iter().flat_map(|proctype| &proctype.actions).find(|action| sets_priority(action))
}

fn sets_priority(action: &Action) -> bool {
    effect_of(action).iter().any(|op| matches!(op, Op::SetPriority { .. }))
}

fn effect_of(action: &Action) -> &[Op] {
    match &action.kind {
        ActionKind::Step { effect, .. } => effect,
        ActionKind::DStep { .. } | ActionKind::End => &[],
    }
}

/// The priorities with which processes begin, by type.
fn all_given(model: &Model) -> impl Iterator<Item = (ProctypeId, u8)> + '_ {
    let at_the_start = model.initial.iter().map(|start| (start.proctype, start.priority));
    let actions = model.proctypes.iter().flat_map(|proctype| &proctype.actions);
    let by_run = actions.flat_map(effect_of).filter_map(|op| match op {
        Op::Run { proctype, priority, .. } => Some((*proctype, *priority)),
        _ => None,
    });
    at_the_start.chain(by_run)
}

/// What changes what is in a channel.
const CHANGES: [Use; 5] = [Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive, Use::Destroy];

/// What could let a process move that has a higher priority than those of one type.
pub(crate) struct Turn<'m> {
    above: Option<Above<'m>>,
}

/// The processes that may have a higher priority.
struct Above<'m> {
    facts: Facts<'m>,
    /// What it depends on whether they can move.
    asked: Accesses,
}

impl<'m> Turn<'m> {
    pub(crate) fn of(model: &'m Model, id: ProctypeId) -> Turn<'m> {
        if !matter(model) {
            return Turn { above: None };
        }
        let lowest = all_given(model).filter(|(other, _)| *other == id).map(|(_, priority)| priority).min();
        let is_set = set_by(model).is_some();
        let is_higher = |priority: u8| lowest.is_none_or(|lowest| priority > lowest);
        let is_above =
            |id: &ProctypeId| is_set || all_given(model).any(|(other, priority)| other == *id && is_higher(priority));
        let above: Vec<ProctypeId> = (0..model.proctypes.len() as u32).map(ProctypeId).filter(is_above).collect();
        if above.is_empty() {
            return Turn { above: None };
        }
        let facts = Facts::new(model);
        let mut asked = Accesses::default();
        above.into_iter().for_each(|id| asked.join(&conditions(&facts, id)));
        Turn { above: Some(Above { facts, asked }) }
    }

    /// Is it known that the process can go on after this edge before anybody does who could not move before?
    pub(crate) fn is_kept_by(&self, id: ProctypeId, proctype: &Proctype, edge: &Edge) -> bool {
        let Some(Above { facts, asked }) = &self.above else { return true };
        let instance = facts.any_instance(id);
        let mut reader = Reader::new(facts, &instance, None);
        reader.edge(edge, false);
        let done = reader.accesses;
        // Conditions that look around may depend on where the process is.
        let is_silent =
            !asked.looks_around && !done.creates && !done.dies && !sets_priority(proctype.action(edge.action));
        let meets = |change: Use| Use::ALL.iter().any(|&kind| done.channels(change).meets(asked.channels(kind)));
        is_silent && !done.writes.meets(&asked.reads) && !CHANGES.into_iter().any(meets)
    }
}

/// All on which it depends whether processes of a type can move.
fn conditions(facts: &Facts<'_>, id: ProctypeId) -> Accesses {
    let instance = facts.any_instance(id);
    let mut reader = Reader::new(facts, &instance, None);
    facts.model.proctype(id).actions.iter().for_each(|action| reader.condition(action));
    reader.accesses
}
