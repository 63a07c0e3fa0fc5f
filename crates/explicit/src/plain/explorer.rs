//! What every search does with a state, whatever the order in which it visits them.

use reductio_model::{Budget, Fault, Property, Statistics, Step, Successors, TransitionSystem};
use reductio_reduce::Plan;

use super::store::{ExactStore, Insertion, StateId};
use crate::run::{Run, Stop};
use crate::store::{Memory, OutOfMemory};

/// A search under way. The orders of search decide which state to [`expand`](Explorer::expand) next.
pub(crate) struct Explorer<'a> {
    system: &'a dyn TransitionSystem,
    pub run: Run<'a, Place>,
    pub store: ExactStore,
    successors: Successors,
}

/// A state, or a step from there.
pub(crate) type Place = (StateId, Option<Step>);

impl<'a> Explorer<'a> {
    pub fn new(system: &'a dyn TransitionSystem, plan: &'a Plan, budget: &'a Budget) -> Self {
        Explorer {
            system,
            run: Run::new(plan, budget),
            store: ExactStore::default(),
            successors: Successors::default(),
        }
    }

    /// Stores the initial state and checks it.
    pub fn start(&mut self) -> Result<StateId, Stop> {
        self.run.clock.look(&self.run.memory, Statistics::default)?;
        let initial = self.system.initial();
        let id = self.store.insert(&initial, None, &self.run.memory)?.id();
        self.run.totals.states += 1;
        self.check_invariants(id)?;
        Ok(id)
    }

    /// Takes every step that is possible in a state, checks and stores what it leads to, and calls `visit` with each.
    pub fn expand(
        &mut self,
        id: StateId,
        mut visit: impl FnMut(StateId, &Memory) -> Result<(), OutOfMemory>,
    ) -> Result<(), Stop> {
        self.run.tick()?;
        // The buffer moves out for the time being, so that the rest of the search can be changed while it is read.
        let mut successors = std::mem::take(&mut self.successors);
        self.system.successors(self.store.state(id), &mut successors);
        let result = self.follow(id, &successors, &mut visit);
        self.successors = successors;
        result
    }

    fn follow(
        &mut self,
        id: StateId,
        successors: &Successors,
        visit: &mut impl FnMut(StateId, &Memory) -> Result<(), OutOfMemory>,
    ) -> Result<(), Stop> {
        if successors.is_empty() && !self.system.is_valid_end(self.store.state(id)) {
            self.record(Property::Deadlock, (id, None), None)?;
        }
        for (index, (successor, state)) in successors.iter().enumerate() {
            self.run.totals.transitions += 1;
            self.run.coverage.mark(successors.executed(index));
            if let Some(fault) = &successor.fault {
                self.record(Property::Assertions, (id, Some(successor.step)), Some(fault.clone()))?;
            }
            let Some(state) = state else { continue };
            let insertion = self.store.insert(state, Some(id), &self.run.memory)?;
            if let Insertion::New(new) = insertion
                && successor.stable
            {
                self.run.totals.states += 1;
                self.check_invariants(new)?;
            }
            visit(insertion.id(), &self.run.memory)?;
        }
        Ok(())
    }

    fn check_invariants(&mut self, id: StateId) -> Result<(), Stop> {
        let plan = self.run.plan;
        for &property in plan.properties() {
            let Property::Invariant(invariant) = property else { continue };
            // An invariant that cannot be evaluated does not hold.
            if self.system.holds(self.system.atom_of(invariant), self.store.state(id)) != Ok(true) {
                self.record(property, (id, None), None)?;
            }
        }
        Ok(())
    }

    fn record(&mut self, property: Property, place: Place, fault: Option<Fault>) -> Result<(), Stop> {
        self.run.findings.record(property, fault, &self.run.memory, size_of::<Place>(), || place)
    }
}
