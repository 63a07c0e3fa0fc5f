//! The states that can be reached, and the steps between them, learnt through the [door](Door) while they are reached.
//!
//! Paper:    [blom-van-de-pol08]: the relation is learnt on the fly, for as much of the state as a step depends on.
//! Deviates: what a step depends on is not declared but observed, state by state. So an answer is good for all states
//!           that have the same values in the components that were looked at for it, and these may be others for other values.
//!
//! What is asked is what a process can do in a state, with and without `timeout`. Two things are left to us:
//!
//! * A process moves only where no other holds the right to. Steps change that right, so they look at it.
//! * With `timeout` processes move only where none can without. That depends on all of them, and is told by what is
//!   known of each.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use reductio_model::{ActionId, Budget, Door, Possible, ProctypeId, State, Tried, Workspace};

use super::components::{Added, ComponentId, Components, Row};
use super::facts::{Facts, Footprint, Steps};
use crate::bdd::{Bdd, Computed, Manager, Stop};

/// With so many nodes a better order is looked for. Bits come as values do, so the first order is hardly ever a good one.
const REORDERING: usize = 15_000;

/// Everything that is known.
pub struct Learning<'a> {
    system: &'a dyn Door,
    pub components: Components<'a>,
    /// The states that have been reached.
    pub reached: Bdd,
    /// Those of them that nobody has looked at yet.
    new: Bdd,
    /// Those for which it is not known what the process that is being asked about can do.
    unknown: Bdd,
    /// By process, for which states it is known what it can do without `timeout`, and with it.
    known: BTreeMap<(u8, bool), Facts>,
    /// What is known without `timeout`, and with it.
    pub moves: [Moves; 2],
    /// The actions that were executed.
    pub executed: HashSet<(ProctypeId, ActionId)>,
    /// How often everything new was looked at.
    pub rounds: u64,
    /// How often something was asked.
    pub questions: u64,
}

/// What is known of the moves of processes.
#[derive(Default)]
pub struct Moves {
    pub steps: Steps,
    /// Where some process can move.
    pub possible: Facts,
    /// Where something goes wrong in a step.
    pub faulty: Facts,
    /// Where a step has no next state.
    pub ending: Facts,
}

/// What a step does to a state.
struct Learnt {
    /// `None`: there is no next state.
    changes: Option<Vec<(ComponentId, u32)>>,
    is_faulty: bool,
}

impl<'a> Learning<'a> {
    pub fn new(system: &'a dyn Door, budget: &'a Budget) -> Computed<Learning<'a>> {
        let mut manager = Manager::new(0, budget);
        manager.reorder_when_large(&[], REORDERING);
        let initial = system.initial_state();
        let components = Components::new(system.model(), &initial, manager);
        let reached = components.point(&components.row(&initial))?;
        Ok(Learning {
            system,
            new: reached.clone(),
            unknown: components.manager.truth(false),
            reached,
            components,
            known: BTreeMap::new(),
            moves: Default::default(),
            executed: HashSet::new(),
            rounds: 0,
            questions: 0,
        })
    }

    /// Reaches everything.
    pub fn reach(&mut self) -> Computed<()> {
        while !self.new.is_false() {
            self.rounds += 1;
            let blocked = self.learn()?;
            let manager = &self.components.manager;
            let (mut reached, mut found) = (self.reached.clone(), manager.truth(false));
            let starts = [std::mem::replace(&mut self.new, manager.truth(false)), blocked];
            for (timeout, mut from) in [false, true].into_iter().zip(starts) {
                let steps = &mut self.moves[usize::from(timeout)].steps;
                steps.prepare(&self.components)?;
                steps.each_image(manager, from.clone(), |image| {
                    let new = manager.minus(&image, &reached)?;
                    if new.is_false() {
                        return Ok(None);
                    }
                    reached = manager.or(&reached, &new)?;
                    found = manager.or(&found, &new)?;
                    // What was found goes on with the parts that follow, but whether it needs a `timeout` is not known yet.
                    from = manager.or(&from, &new)?;
                    Ok((!timeout).then(|| from.clone()))
                })?;
            }
            (self.reached, self.new) = (reached, found);
        }
        Ok(())
    }

    /// Learns all that processes can do in the states that are new. Answers those in which they can do nothing without
    /// `timeout`.
    fn learn(&mut self) -> Computed<Bdd> {
        for pid in 0..self.components.most_processes() {
            self.unknown = self.new.clone();
            self.learn_of(pid, false)?;
        }
        let blocked = self.blocked(&self.new)?;
        if !blocked.is_false() {
            for pid in 0..self.components.most_processes() {
                // Bits may have been added since.
                self.unknown = self.blocked(&self.new)?;
                self.learn_of(pid, true)?;
            }
        }
        self.blocked(&self.new)
    }

    /// Those of the states in which anybody may move and nobody can without `timeout`.
    pub fn blocked(&self, states: &Bdd) -> Computed<Bdd> {
        let manager = &self.components.manager;
        let free = manager.and(states, &self.components.free()?)?;
        manager.minus(&free, &self.moves[0].possible.all(manager)?)
    }

    fn learn_of(&mut self, pid: u8, timeout: bool) -> Computed<()> {
        let manager = &self.components.manager;
        let known = self.known.entry((pid, timeout)).or_default().all(manager)?;
        let movers = manager.and(&self.unknown, &self.components.may_move(pid)?)?;
        self.unknown = manager.minus(&movers, &known)?;
        while let Some(row) = self.components.pick(&self.unknown) {
            let like_it = self.ask(pid, timeout, row)?;
            self.unknown = self.components.manager.minus(&self.unknown, &like_it)?;
        }
        Ok(())
    }

    /// Learns what a process can do in a state. Answers the states in which it can do the same.
    fn ask(&mut self, pid: u8, timeout: bool, mut row: Row) -> Computed<Bdd> {
        self.questions += 1;
        let mut workspace = Workspace::new(self.components.state(&row));
        workspace.observe(true);
        let mut learnt = Vec::new();
        self.system.ask(&mut workspace, pid, timeout, &mut Possible::default(), |tried| {
            if let Some(limit) = tried.fault.as_ref().and_then(|fault| fault.kind.limit()) {
                return Err(Stop(limit));
            }
            self.executed.extend(tried.executed);
            learnt.push(Learnt { changes: self.changes(&tried, &row)?, is_faulty: tried.fault.is_some() });
            Ok(())
        })?;
        let touched: BTreeSet<ComponentId> =
            workspace.touched().iter().map(|part| self.components.of_part(*part)).collect();
        let reads: Footprint = touched.into_iter().collect();
        self.components.complete(&mut row);
        let states = self.components.same(&row, &reads)?;
        let manager = &self.components.manager;
        self.known.entry((pid, timeout)).or_default().add(&reads, &states, manager)?;
        let moves = &mut self.moves[usize::from(timeout)];
        if !learnt.is_empty() {
            moves.possible.add(&reads, &states, manager)?;
        }
        for Learnt { changes, is_faulty } in learnt {
            if is_faulty {
                moves.faulty.add(&reads, &states, manager)?;
            }
            match changes {
                None => moves.ending.add(&reads, &states, manager)?,
                Some(changes) => {
                    let next = self.components.next(&changes)?;
                    let writes = changes.into_iter().map(|(id, _)| id).collect();
                    moves.steps.add(&reads, &states, &writes, &next, manager)?;
                }
            }
        }
        Ok(states)
    }

    /// The components that have another number after a step than in the row, if it leads to a state.
    fn changes(&mut self, tried: &Tried<'_>, row: &Row) -> Computed<Option<Vec<(ComponentId, u32)>>> {
        let Some(state) = tried.state() else { return Ok(None) };
        let written: BTreeSet<ComponentId> = tried.written().map(|part| self.components.of_part(part)).collect();
        let mut changes = Vec::new();
        for id in written {
            let (number, added) = self.components.number(id, state)?;
            if let Some(added) = added {
                self.widen(added)?;
            }
            if number != self.components.number_in(row, id) {
                changes.push((id, number));
            }
        }
        Ok(Some(changes))
    }

    /// Whatever has been said of a component so far has a zero in its new bit.
    fn widen(&mut self, added: Added) -> Computed<()> {
        let manager = &self.components.manager;
        let bit = manager.bit(added.now)?;
        for states in [&mut self.reached, &mut self.new, &mut self.unknown] {
            *states = manager.minus(states, &bit)?;
        }
        for facts in self.known.values_mut() {
            facts.widen(added, manager)?;
        }
        for Moves { steps, possible, faulty, ending } in &mut self.moves {
            steps.widen(added, manager)?;
            for facts in [possible, faulty, ending] {
                facts.widen(added, manager)?;
            }
        }
        Ok(())
    }

    /// The state of a row.
    pub fn state(&self, row: &Row) -> State {
        self.components.state(row)
    }
}
