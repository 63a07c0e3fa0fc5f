//! What every search does with a state, whatever the order in which it visits them.

use std::collections::HashSet;
use std::mem::Discriminant;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reductio_model::{ActionId, Fault, FaultKind, Limit, ProctypeId, Step, Successors, TransitionSystem};
use reductio_reduce::{Plan, Property};

use crate::coverage::Coverage;
use crate::search::{Control, Statistics};
use crate::store::{ExactStore, Insertion, Memory, OutOfMemory, StateId};

/// A search under way. The orders of search decide which state to [`expand`](Explorer::expand) next.
pub(crate) struct Explorer<'a> {
    system: &'a dyn TransitionSystem,
    plan: &'a Plan,
    control: Control<'a>,
    pub store: ExactStore,
    pub memory: Memory,
    successors: Successors,
    pub findings: Vec<Finding>,
    faults_found: HashSet<FaultKey>,
    pub coverage: Coverage,
    states: u64,
    transitions: u64,
    pub depth: u64,
    clock: Clock,
}

/// A violation: a state that can be reached and breaks the property, or from which the step with the fault does.
pub(crate) struct Finding {
    pub property: Property,
    pub state: StateId,
    pub fault: Option<(Step, Fault)>,
}

/// Faults of one kind in one statement are one finding, whatever the index that was out of range.
type FaultKey = (Discriminant<FaultKind>, ProctypeId, ActionId);

/// Why a search ends before every state was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Every property has as many violations as were asked for.
    EverythingFound,
    Limit(Limit),
}

struct Clock {
    started: Instant,
    reported: Instant,
    /// Looking at the clock costs as much as a small state, so it is done only now and then.
    ticks_to_look: u32,
}

const TICKS_BETWEEN_LOOKS: u32 = 256;
const TIME_BETWEEN_REPORTS: Duration = Duration::from_millis(200);

impl<'a> Explorer<'a> {
    pub fn new(system: &'a dyn TransitionSystem, plan: &'a Plan, control: Control<'a>) -> Result<Self, Limit> {
        let mut memory = Memory::new(plan.limits().memory);
        let store = ExactStore::new(&mut memory).map_err(|OutOfMemory| memory_limit(plan, &memory))?;
        let now = Instant::now();
        Ok(Explorer {
            system,
            plan,
            control,
            store,
            memory,
            successors: Successors::default(),
            findings: Vec::new(),
            faults_found: HashSet::new(),
            coverage: Coverage::default(),
            states: 0,
            transitions: 0,
            depth: 0,
            clock: Clock { started: now, reported: now, ticks_to_look: TICKS_BETWEEN_LOOKS },
        })
    }

    /// Stores the initial state and checks it.
    pub fn start(&mut self) -> Result<StateId, Stop> {
        self.look_at_the_world()?;
        let initial = self.system.initial();
        let insertion = self.store.insert(&initial, None, &mut self.memory);
        let id = insertion.map_err(|OutOfMemory| self.out_of_memory())?.id();
        self.states += 1;
        self.check_invariants(id)?;
        Ok(id)
    }

    /// Takes every step that is possible in a state, checks and stores what it leads to, and calls `visit` with each.
    pub fn expand(
        &mut self,
        id: StateId,
        mut visit: impl FnMut(StateId, &mut Memory) -> Result<(), OutOfMemory>,
    ) -> Result<(), Stop> {
        self.tick()?;
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
        visit: &mut impl FnMut(StateId, &mut Memory) -> Result<(), OutOfMemory>,
    ) -> Result<(), Stop> {
        if successors.is_empty() && !self.system.is_valid_end(self.store.state(id)) {
            self.record(Property::Deadlock, id, None)?;
        }
        for (index, (successor, state)) in successors.iter().enumerate() {
            self.transitions += 1;
            self.coverage.mark(successors.executed(index));
            if let Some(fault) = &successor.fault {
                self.record_fault(id, successor.step, fault)?;
            }
            let Some(state) = state else { continue };
            let insertion = self.store.insert(state, Some(id), &mut self.memory);
            let insertion = insertion.map_err(|OutOfMemory| self.out_of_memory())?;
            if let Insertion::New(new) = insertion
                && successor.stable
            {
                self.states += 1;
                self.check_invariants(new)?;
            }
            visit(insertion.id(), &mut self.memory).map_err(|OutOfMemory| self.out_of_memory())?;
        }
        Ok(())
    }

    fn check_invariants(&mut self, id: StateId) -> Result<(), Stop> {
        let plan = self.plan;
        for &property in plan.properties() {
            let Property::Invariant(atom) = property else { continue };
            // An invariant that cannot be evaluated does not hold.
            if self.system.holds(atom, self.store.state(id)) != Ok(true) {
                self.record(property, id, None)?;
            }
        }
        Ok(())
    }

    fn record_fault(&mut self, id: StateId, step: Step, fault: &Fault) -> Result<(), Stop> {
        let key = (std::mem::discriminant(&fault.kind), fault.proctype, fault.action);
        if self.faults_found.contains(&key) || !self.wanted(Property::Assertions) {
            return Ok(());
        }
        self.faults_found.insert(key);
        self.record(Property::Assertions, id, Some((step, fault.clone())))
    }

    fn record(&mut self, property: Property, state: StateId, fault: Option<(Step, Fault)>) -> Result<(), Stop> {
        if !self.wanted(property) {
            return Ok(());
        }
        self.findings.push(Finding { property, state, fault });
        let plan = self.plan;
        if plan.properties().iter().any(|&property| self.wanted(property)) {
            return Ok(());
        }
        Err(Stop::EverythingFound)
    }

    /// Is the property to be checked, and are further violations of it of interest?
    fn wanted(&self, property: Property) -> bool {
        let found = || self.findings.iter().filter(|finding| finding.property == property).count();
        let below_limit = |limit: std::num::NonZeroU32| found() < limit.get() as usize;
        self.plan.properties().contains(&property) && self.plan.max_violations().is_none_or(below_limit)
    }

    pub fn out_of_memory(&self) -> Stop {
        Stop::Limit(memory_limit(self.plan, &self.memory))
    }

    fn tick(&mut self) -> Result<(), Stop> {
        self.clock.ticks_to_look -= 1;
        if self.clock.ticks_to_look > 0 {
            return Ok(());
        }
        self.clock.ticks_to_look = TICKS_BETWEEN_LOOKS;
        self.look_at_the_world()
    }

    fn look_at_the_world(&mut self) -> Result<(), Stop> {
        if self.control.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Limit(Limit::Interrupted));
        }
        let now = Instant::now();
        if let Some(limit) = self.plan.limits().time
            && now - self.clock.started >= limit
        {
            return Err(Stop::Limit(Limit::Time { limit }));
        }
        if now - self.clock.reported >= TIME_BETWEEN_REPORTS {
            self.clock.reported = now;
            let statistics = self.statistics();
            (self.control.progress)(&statistics);
        }
        Ok(())
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states,
            transitions: self.transitions,
            depth: self.depth,
            seconds: self.clock.started.elapsed().as_secs_f64(),
            memory_bytes: self.memory.peak(),
        }
    }
}

/// Without a limit of the user's, it was the machine that had no more to give than what is in use.
fn memory_limit(plan: &Plan, memory: &Memory) -> Limit {
    Limit::Memory { bytes: plan.limits().memory.unwrap_or(memory.peak()) }
}
