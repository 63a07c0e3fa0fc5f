//! What a process may still do: everything that can be reached from where it is, in its own program and in those of the
//! processes that it creates.

use std::collections::VecDeque;

use reductio_model::{ActionKind, LocationId, Op};

use super::access::Accesses;
use super::set::Set;
use super::steps::{Facts, Instance, Reader};

/// Of so many processes that are yet to be created it is told which channels they know.
const MOST_KNOWN: usize = 64;

impl Facts<'_> {
    /// What a process at this location may still do.
    pub(crate) fn future(&self, instance: &Instance, location: LocationId) -> Accesses {
        let mut accesses = Accesses::default();
        let mut created = Vec::new();
        self.add_future(instance, location, &mut accesses, &mut created);
        let mut next = 0;
        while let Some(instance) = created.get(next).cloned() {
            let entry = self.model.proctype(instance.proctype).entry;
            self.add_future(&instance, entry, &mut accesses, &mut created);
            next += 1;
        }
        accesses
    }

    /// The edges that a process at this location may still take itself, by where they begin, and what they do.
    pub(super) fn reachable_edges(&self, instance: &Instance, location: LocationId) -> Vec<(LocationId, Accesses)> {
        let proctype = self.model.proctype(instance.proctype);
        let mut seen = Set::default();
        let mut pending = vec![location];
        let mut edges = Vec::new();
        while let Some(location) = pending.pop() {
            if seen.contains(location.index()) {
                continue;
            }
            seen.insert(location.index());
            for &id in &proctype.location(location).edges {
                let edge = proctype.edge(id);
                let mut reader = Reader::new(self, instance, None);
                reader.edge(edge, self.is_cautious(instance.proctype, location));
                edges.push((location, reader.accesses));
                pending.push(edge.to);
                if let ActionKind::DStep { entry } = proctype.action(edge.action).kind {
                    pending.push(entry);
                }
            }
        }
        edges
    }

    /// Adds what a process may do itself, and which processes it may create.
    fn add_future(
        &self,
        instance: &Instance,
        location: LocationId,
        accesses: &mut Accesses,
        created: &mut Vec<Instance>,
    ) {
        let proctype = self.model.proctype(instance.proctype);
        let mut seen = Set::default();
        let mut pending = VecDeque::from([location]);
        while let Some(location) = pending.pop_front() {
            if seen.contains(location.index()) {
                continue;
            }
            seen.insert(location.index());
            for &id in &proctype.location(location).edges {
                let edge = proctype.edge(id);
                let mut reader = Reader::new(self, instance, None);
                reader.edge(edge, self.is_cautious(instance.proctype, location));
                accesses.join(&reader.accesses);
                match &proctype.action(edge.action).kind {
                    ActionKind::Step { effect, .. } => {
                        for op in effect {
                            if let Op::Run { proctype, arguments, .. } = op {
                                let instance = match created.len() < MOST_KNOWN {
                                    true => self.created_instance(instance, *proctype, arguments),
                                    false => self.any_instance(*proctype),
                                };
                                if !created.contains(&instance) {
                                    created.push(instance);
                                }
                            }
                        }
                    }
                    // What is inside follows.
                    ActionKind::DStep { entry } => pending.push_back(*entry),
                    ActionKind::End => {}
                }
                pending.push_back(edge.to);
            }
        }
    }
}
