//! Which operations depend on each other whatever the state: what the fairness assumption (*) speaks of.
//!
//! (*) says of a run: if an operation can be executed in one of its states, then an operation that depends on it, such as itself, is executed
//! later. A run on which that is not so leaves out something that would have made no difference to anything on it.
//!
//! Paper:    [peled93], Definition 2.1 and section 3.2: any reflexive and symmetric relation will do that has all pairs of operations that are not
//!           independent. (*) is equivalence robust for each.
//! Deviates: this relation is told by what the operations' texts name, for users must be able to see it: operations of one process, those of which one may
//!           write a variable that the other reads or writes, those on the same channel, and with all others those that start
//!           processes, end them where that can be told, ask for other processes, or for `timeout`.

use reductio_model::{EdgeId, Model, Operation, State, Step};

use super::access::{Accesses, Use};
use super::steps::{Facts, Instance, Reader};

/// What there is to know to tell.
pub struct StaticDependence<'m> {
    facts: Facts<'m>,
}

/// An operation, and what it may look at and change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KnownOperation {
    operation: Operation,
    accesses: Accesses,
}

impl<'m> StaticDependence<'m> {
    pub fn new(model: &'m Model) -> StaticDependence<'m> {
        StaticDependence { facts: Facts::new(model) }
    }

    /// The operation that is executed by a step that is possible in a state.
    pub fn operation(&self, step: Step, state: &State) -> KnownOperation {
        let mut accesses = Accesses::default();
        let sides = [Some((step.process, step.edge)), step.partner];
        for (pid, edge) in sides.into_iter().flatten() {
            let process = &state.processes[usize::from(pid)];
            let instance = self.facts.instance(process.proctype, pid, &process.locals);
            accesses.join(&self.facts.static_accesses(&instance, edge));
        }
        KnownOperation { operation: Operation::of(step, state), accesses }
    }
}

impl Facts<'_> {
    /// All that an edge may look at and change, whatever the state.
    pub(super) fn static_accesses(&self, instance: &Instance, edge: EdgeId) -> Accesses {
        let edge = self.model.proctype(instance.proctype).edge(edge);
        let mut reader = Reader::new(self, instance, None);
        reader.edge(edge, self.is_cautious(instance.proctype, edge.from));
        reader.accesses
    }
}

impl KnownOperation {
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Does one of the two depend on the other?
    pub fn depends_on(&self, other: &KnownOperation) -> bool {
        let mut own = self.operation.processes();
        own.any(|pid| other.operation.processes().any(|other| other == pid))
            || self.accesses.may_conflict(&other.accesses)
    }
}

impl Accesses {
    /// Is it possible that the order of such steps matters?
    pub(super) fn may_conflict(&self, other: &Accesses) -> bool {
        let writes =
            |one: &Accesses, other: &Accesses| one.writes.meets(&other.reads) || one.writes.meets(&other.writes);
        let meet = |kind: Use| Use::ALL.iter().any(|&used| self.channels(kind).meets(other.channels(used)));
        self.concerns_all()
            || other.concerns_all()
            || writes(self, other)
            || writes(other, self)
            || Use::ALL.into_iter().any(meet)
    }

    fn concerns_all(&self) -> bool {
        self.creates || self.dies || self.counts || self.looks_around || self.on_timeout
    }
}
