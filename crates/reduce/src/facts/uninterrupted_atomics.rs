//! Where an `atomic` cannot be interrupted, because it has asked first: `atomic { nfull(q) -> q!x }`.
//!
//! From the question to the answer nobody else moves, so that what was true still is: there is a message, or room for one.
//! It does not matter to others then that the process could have been made to wait.

use reductio_model::{
    ActionKind, Binary, ChannelQuery, Communication, Edge, Expr, Guard, LocationId, Model, Pattern, Place, Proctype,
    ValueType,
};

use super::set::Set;
use super::steps::written_places;

/// What a process knows of channels, whatever the others did before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Knowledge<'m> {
    with_message: Vec<&'m Expr>,
    with_room: Vec<&'m Expr>,
}

/// The locations with one edge, a communication, where the process never waits.
pub(super) fn locations(model: &Model, proctype: &Proctype) -> Set {
    let mut assured = Set::default();
    let has_rendezvous = model.channel_types.iter().any(|ty| ty.capacity == 0);
    if proctype.provided.is_some() || has_rendezvous {
        return assured;
    }
    let known = knowledge(proctype);
    for (index, location) in proctype.locations.iter().enumerate() {
        if let [edge] = location.edges[..]
            && known[index].as_ref().is_some_and(|known| known.assures(proctype, proctype.edge(edge)))
        {
            assured.insert(index);
        }
    }
    assured
}

/// By location: what is known whenever the process comes there, or nothing where it never does.
fn knowledge(proctype: &Proctype) -> Vec<Option<Knowledge<'_>>> {
    let mut known: Vec<Option<Knowledge<'_>>> = vec![None; proctype.locations.len()];
    known[proctype.entry.index()] = Some(Knowledge::default());
    loop {
        let mut changed = false;
        for edge in &proctype.edges {
            let Some(before) = &known[edge.from.index()] else { continue };
            let after = before.after(proctype, edge);
            let there = &mut known[edge.to.index()];
            let met = match &*there {
                Some(there) => there.both(&after),
                None => after,
            };
            changed |= there.as_ref() != Some(&met);
            *there = Some(met);
        }
        if !changed {
            return known;
        }
    }
}

impl<'m> Knowledge<'m> {
    fn both(&self, other: &Self) -> Self {
        let both =
            |one: &[&'m Expr], other: &[&'m Expr]| one.iter().copied().filter(|expr| other.contains(expr)).collect();
        Knowledge {
            with_message: both(&self.with_message, &other.with_message),
            with_room: both(&self.with_room, &other.with_room),
        }
    }

    /// What is known after an edge, given what is when the process comes to where it begins.
    fn after(&self, proctype: &'m Proctype, edge: &'m Edge) -> Self {
        let ActionKind::Step { guard, communication, .. } = &proctype.action(edge.action).kind else {
            return Knowledge::default();
        };
        if !edge.atomic {
            return Knowledge::default();
        }
        let mut known = if self.goes_on(proctype, edge.from) { self.clone() } else { Knowledge::default() };
        if let Guard::When(condition) = guard {
            known.learn(condition);
        }
        match communication {
            // It may be any channel.
            Some(Communication::Send { .. }) => known.with_room.clear(),
            Some(Communication::Receive { .. }) => known.with_message.clear(),
            None => {}
        }
        let written = written_places(proctype.action(edge.action));
        if written.iter().any(|place| place.ty == ValueType::Chan) { Knowledge::default() } else { known }
    }

    fn learn(&mut self, condition: &'m Expr) {
        match condition {
            Expr::Binary(Binary::And, left, right) => {
                self.learn(left);
                self.learn(right);
            }
            Expr::Query(ChannelQuery::NotEmpty, channel) if is_fixed(channel) => self.with_message.push(channel),
            Expr::Query(ChannelQuery::NotFull, channel) if is_fixed(channel) => self.with_room.push(channel),
            _ => {}
        }
    }

    /// Does the process never wait at this location?
    fn goes_on(&self, proctype: &Proctype, location: LocationId) -> bool {
        let mut edges = proctype.location(location).edges.iter().map(|&edge| proctype.edge(edge));
        let can_escape = edges.clone().any(|edge| edge.escape > 0);
        !can_escape && edges.any(|edge| self.assures(proctype, edge) || is_always_possible(proctype, edge))
    }

    /// Is it known that the edge's communication can take place?
    fn assures(&self, proctype: &Proctype, edge: &Edge) -> bool {
        let ActionKind::Step { guard: Guard::When(Expr::TRUE), communication: Some(communication), .. } =
            &proctype.action(edge.action).kind
        else {
            return false;
        };
        match communication {
            Communication::Send { channel, .. } => self.with_room.contains(&channel),
            Communication::Receive { channel, patterns, .. } => {
                let takes_all = patterns.iter().all(|pattern| !matches!(pattern, Pattern::Match(_)));
                takes_all && self.with_message.contains(&channel)
            }
        }
    }
}

fn is_always_possible(proctype: &Proctype, edge: &Edge) -> bool {
    matches!(
        proctype.action(edge.action).kind,
        ActionKind::Step { guard: Guard::When(Expr::TRUE), communication: None, .. }
    )
}

/// Does the expression mean the same channel as long as no variable for channels is written?
fn is_fixed(channel: &Expr) -> bool {
    let is_const = |place: &Place| place.indices.iter().all(|index| matches!(index.value, Expr::Const(_)));
    matches!(channel, Expr::Read(place) if place.ty == ValueType::Chan && is_const(place))
}
