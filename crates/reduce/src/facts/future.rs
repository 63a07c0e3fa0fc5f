//! What a process may still do: everything that can be reached from where it is, in its own program and in those of the
//! processes that it creates.

use std::collections::VecDeque;

use reductio_model::{ActionKind, LocationId, Op, ProctypeId};

use super::access::Accesses;
use super::set::Set;
use super::steps::{Facts, Instance, Reader};

impl Facts<'_> {
    /// What a process at this location may still do.
    pub(crate) fn future(&self, instance: &Instance, location: LocationId) -> Accesses {
        let mut accesses = Accesses::default();
        let mut created = Vec::new();
        self.add_future(instance, location, &mut accesses, &mut created);
        let mut next = 0;
        while let Some(&proctype) = created.get(next) {
            let entry = self.model.proctype(proctype).entry;
            self.add_future(&self.any_instance(proctype), entry, &mut accesses, &mut created);
            next += 1;
        }
        accesses
    }

    /// Adds what a process may do itself, and which types of processes it may create.
    fn add_future(
        &self,
        instance: &Instance,
        location: LocationId,
        accesses: &mut Accesses,
        created: &mut Vec<ProctypeId>,
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
                            if let Op::Run { proctype, .. } = op
                                && !created.contains(proctype)
                            {
                                created.push(*proctype);
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
