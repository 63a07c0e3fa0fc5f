//! What one thread of a breadth-first search does: takes blocks of states, expands them, and keeps what is new.

use std::cmp::Ordering as Order;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use reductio_model::{Door, Fault, Property, Statistics, Why};
use reductio_reduce::Plan;
use reductio_reduce::facts::symmetry::FoundSymmetry;
use reductio_reduce::on_the_fly::Processes;

use crate::breadth_first::Place;
use crate::clock::Clock;
use crate::coverage::Coverage;
use crate::findings::{Findings, MOST_KEPT, fault_key};
use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::memo::Note;
use crate::packed::selector::PartialOrder;
use crate::packed::space::{Obstacle, Space};
use crate::path_log::Segment;
use crate::proviso::{self, Suspects};
use crate::run::{End, Run, Totals};
use crate::store::{Inserted, Memory, OutOfMemory, Store};

/// What the threads share while they work on a level.
pub(crate) struct Shared<'a, 'm, const W: usize> {
    pub space: &'a Space<'m>,
    pub store: &'a Store<W>,
    /// So many more keys may be stored.
    pub room: AtomicUsize,
    pub memory: &'a Memory,
    pub plan: &'a Plan,
    /// Those of the levels before.
    pub findings: &'a Findings<'a, Place>,
    pub blocks: &'a [Mutex<Option<Block<W>>>],
    pub next_block: AtomicUsize,
    /// Some thread met an obstacle: all come to a halt.
    pub halt: AtomicBool,
    pub in_parallel: bool,
    /// There is something to check in every state.
    pub has_invariants: bool,
    pub depth: u64,
    /// States so far, more or less, for those who watch.
    pub states: AtomicU64,
}

/// Why a worker stopped before the level was done.
#[derive(Debug)]
pub(crate) enum Halt {
    Obstacle(Obstacle),
    StoreFull,
    OutOfMemory,
    Limit(Why),
    /// Another worker met an obstacle.
    AskedTo,
}

impl From<OutOfMemory> for Halt {
    fn from(_: OutOfMemory) -> Halt {
        Halt::OutOfMemory
    }
}

/// States of one level that lie together, and which of them have been expanded.
pub(crate) struct Block<const W: usize> {
    keys: Vec<Key<W>>,
    /// The number of the first one in its level.
    pub first: u64,
    expanded: usize,
}

const KEYS_IN_BLOCK: usize = 1 << 10;

impl<const W: usize> Block<W> {
    pub fn new(memory: &Memory) -> Result<Block<W>, OutOfMemory> {
        Ok(Block { keys: memory.vector(KEYS_IN_BLOCK)?, first: 0, expanded: 0 })
    }

    pub fn of_one(key: Key<W>, memory: &Memory) -> Result<Block<W>, OutOfMemory> {
        let mut block = Block::new(memory)?;
        block.keys.push(key);
        Ok(block)
    }

    pub fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    pub fn repack<const V: usize>(
        self,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V>,
    ) -> Result<Block<V>, OutOfMemory> {
        let mut keys = memory.vector(KEYS_IN_BLOCK)?;
        keys.extend(self.keys.iter().map(repack));
        memory.release(KEYS_IN_BLOCK * size_of::<Key<W>>());
        Ok(Block { keys, first: self.first, expanded: self.expanded })
    }
}

/// A successor whose place in the store is being fetched.
struct Waiting<const W: usize> {
    key: Key<W>,
    hash: u64,
    parent: u64,
    child: u32,
    stable: bool,
}

/// A state in which steps were left out.
#[derive(Clone, Copy)]
struct Reduced<const W: usize> {
    key: Key<W>,
    number: u64,
    /// Some successor was new.
    led_on: bool,
}

/// So many states are remembered as met recently: as many as stay in a cache of the processor.
const RECENT: usize = 1 << 13;
/// What is remembered about a state is fetched while so many others are expanded.
const AHEAD: usize = 2;
/// So many successors wait before the first of them is looked up.
const BATCH: usize = 48;
/// Room in the store is taken in portions, so that threads seldom meet over it.
const PORTION_OF_ROOM: usize = 1 << 10;

pub(crate) struct Worker<'m, const W: usize> {
    expander: Expander<'m, W>,
    /// What it is working on.
    block: Option<Block<W>>,
    /// The states expanded last in which steps were left out.
    reduced: Vec<Reduced<W>>,
    /// Those of them from which no new state was found.
    suspects: Suspects<W>,
    waiting: Vec<Waiting<W>>,
    /// Some of the states that were met last, by hash. They wait or are stored already.
    recent: Vec<Key<W>>,
    successors: Vec<Next<W>>,
    /// So many more keys it may store.
    room: usize,
    stored: usize,
    result: LevelResult<W>,
    /// A block to be used again.
    spare: Option<Block<W>>,
    totals: Totals,
}

/// What became of a worker's share of a level.
pub(crate) struct LevelResult<const W: usize> {
    /// The states of the next level, and how each was reached.
    pub blocks: Vec<Block<W>>,
    pub segment: Segment,
    pub found: Vec<Candidate>,
    /// Violations that were found, too, and are only counted.
    pub dropped: Vec<(Property, u64)>,
}

impl<const W: usize> Default for LevelResult<W> {
    fn default() -> Self {
        LevelResult { blocks: Vec::new(), segment: Segment::default(), found: Vec::new(), dropped: Vec::new() }
    }
}

/// A violation, if no lesser one is found in the same level.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub property: Property,
    pub place: Where,
    pub fault: Option<Fault>,
    /// The state, as the interpreter writes it.
    state: Vec<u8>,
}

/// A state of the level that is being expanded, by its number, or an event there, or a new state of the next level, by
/// its number among those that this worker found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Here(u64),
    Event(u64, u32),
    Next(u64),
}

impl Candidate {
    /// An order that does not depend on which thread found what first.
    pub fn compare(&self, other: &Candidate) -> Order {
        let event = |candidate: &Candidate| match candidate.place {
            Where::Event(_, number) => Some(number),
            Where::Here(_) | Where::Next(_) => None,
        };
        (&self.state, event(self)).cmp(&(&other.state, event(other)))
    }
}

impl<'m, const W: usize> Worker<'m, W> {
    /// `has_colleagues` says that there are others who are to be [told](Worker::learn) what it works out.
    pub fn new(system: &'m dyn Door, order: Option<&'m PartialOrder<'m>>, has_colleagues: bool) -> Worker<'m, W> {
        Worker {
            expander: Expander::new(system, has_colleagues).choosing(order),
            block: None,
            reduced: Vec::new(),
            suspects: Suspects::default(),
            waiting: Vec::with_capacity(2 * BATCH),
            recent: vec![Key::ZERO; RECENT],
            successors: Vec::new(),
            room: 0,
            stored: 0,
            result: LevelResult::default(),
            spare: None,
            totals: Totals::default(),
        }
    }

    /// The same, which goes on from representatives, if processes can be exchanged.
    pub fn exchanging(self, found: Option<&Arc<FoundSymmetry>>) -> Worker<'m, W> {
        Worker { expander: self.expander.exchanging(found), ..self }
    }

    pub fn take_suspects(&mut self) -> Suspects<W> {
        std::mem::take(&mut self.suspects)
    }

    /// Looks whether steps are put off forever ahead of the suspects, when all states have been seen.
    pub fn look_for_ignored<P>(
        &mut self,
        space: &Space<'m>,
        suspects: Suspects<W>,
        run: &mut Run<'_, P>,
    ) -> Result<(), End> {
        proviso::find(space, &mut self.expander, suspects, run)
    }

    /// From now on, all steps are taken.
    pub fn stop_choosing(&mut self) {
        self.expander.stop_choosing();
    }

    /// Has it begun a block that it did not finish?
    pub fn is_busy(&self) -> bool {
        self.block.is_some() || !self.waiting.is_empty()
    }

    pub fn take_level(&mut self) -> LevelResult<W> {
        std::mem::take(&mut self.result)
    }

    /// How many keys it stored since it was asked last.
    pub fn take_stored(&mut self) -> usize {
        // Room that was not used goes back, too: whoever asks counts anew.
        self.room = 0;
        std::mem::take(&mut self.stored)
    }

    /// How many states and transitions it has seen since it was asked last.
    pub fn take_totals(&mut self) -> Totals {
        std::mem::take(&mut self.totals)
    }

    /// Remembers what another one worked out since it last forgot its news.
    pub fn learn(&mut self, other: &Self, memory: &Memory) {
        self.expander.learn(&other.expander, memory);
    }

    pub fn forget_news(&mut self) {
        self.expander.forget_news();
    }

    pub fn coverage(&self) -> &Coverage {
        &self.expander.coverage
    }

    /// The same worker for keys of another layout.
    pub fn repack<const V: usize>(
        self,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V> + Copy,
        hash: impl Fn(&Key<V>) -> u64,
    ) -> Result<Worker<'m, V>, OutOfMemory> {
        let blocks = self.result.blocks.into_iter().map(|block| block.repack(memory, repack));
        let reduced = |Reduced { key, number, led_on }: Reduced<W>| Reduced { key: repack(&key), number, led_on };
        let again = |Waiting { key, parent, child, stable, .. }: Waiting<W>| {
            let key = repack(&key);
            Waiting { key, hash: hash(&key), parent, child, stable }
        };
        memory.release(self.spare.map_or(0, |_| KEYS_IN_BLOCK * size_of::<Key<W>>()));
        Ok(Worker {
            expander: self.expander.repack(memory),
            block: self.block.map(|block| block.repack(memory, repack)).transpose()?,
            reduced: self.reduced.into_iter().map(reduced).collect(),
            suspects: self.suspects.repack(memory, repack)?,
            waiting: self.waiting.into_iter().map(again).collect(),
            recent: vec![Key::ZERO; RECENT],
            successors: Vec::new(),
            room: self.room,
            stored: self.stored,
            result: LevelResult {
                blocks: blocks.collect::<Result<_, _>>()?,
                segment: self.result.segment,
                found: self.result.found,
                dropped: self.result.dropped,
            },
            spare: None,
            totals: self.totals,
        })
    }

    /// Works on the level until there is nothing left to take, or something is in the way. The thread that has the
    /// clock looks at it.
    pub fn run(&mut self, shared: &Shared<'_, 'm, W>, mut clock: Option<&mut Clock<'_>>) -> Result<(), Halt> {
        let ended = self.expand_blocks(shared, &mut clock);
        if ended.is_err() {
            shared.halt.store(true, Ordering::Relaxed);
        }
        let settled = self.settle(shared);
        ended.and(settled)
    }

    fn expand_blocks(&mut self, shared: &Shared<'_, 'm, W>, clock: &mut Option<&mut Clock<'_>>) -> Result<(), Halt> {
        loop {
            let Some(mut block) = self.block.take().or_else(|| take_block(shared)) else { return Ok(()) };
            let ended = self.expand_block(shared, &mut block, clock);
            if ended.is_err() {
                self.block = Some(block);
                return ended;
            }
            block.keys.clear();
            block.expanded = 0;
            match self.spare {
                None => self.spare = Some(block),
                Some(_) => shared.memory.release(KEYS_IN_BLOCK * size_of::<Key<W>>()),
            }
        }
    }

    fn expand_block(
        &mut self,
        shared: &Shared<'_, 'm, W>,
        block: &mut Block<W>,
        clock: &mut Option<&mut Clock<'_>>,
    ) -> Result<(), Halt> {
        while let Some(key) = block.keys.get(block.expanded) {
            // Those that wait come first: if there is no room for them, this state is still to be expanded.
            if self.waiting.len() >= BATCH {
                self.settle(shared)?;
            }
            if shared.halt.load(Ordering::Relaxed) {
                return Err(Halt::AskedTo);
            }
            if let Some(clock) = clock {
                clock.tick(shared.memory, || shared.statistics()).map_err(Halt::Limit)?;
            }
            if let Some(later) = block.keys.get(block.expanded + AHEAD) {
                self.expander.prefetch(shared.space, later);
            }
            self.expand(shared, key, block.first + block.expanded as u64)?;
            block.expanded += 1;
        }
        Ok(())
    }

    /// Checks a state, and lets its successors wait for their place in the store.
    fn expand(&mut self, shared: &Shared<'_, 'm, W>, key: &Key<W>, number: u64) -> Result<(), Halt> {
        // The buffer moves out for the time being, so that the rest of the worker can be changed while it is read.
        let mut successors = std::mem::take(&mut self.successors);
        let expanded = self.expander.expand(shared.space, key, shared.memory, &mut successors);
        let followed = match expanded {
            Ok(()) => self.follow(shared, key, number, &successors),
            Err(obstacle) => Err(Halt::Obstacle(obstacle)),
        };
        self.successors = successors;
        followed
    }

    fn follow(
        &mut self,
        shared: &Shared<'_, 'm, W>,
        key: &Key<W>,
        parent: u64,
        successors: &[Next<W>],
    ) -> Result<(), Halt> {
        self.claim_room(shared, successors.len() + self.waiting.len())?;
        if successors.is_empty() {
            self.check_end(shared, key, parent);
        }
        let chosen = self.expander.chosen(shared.space, key, successors);
        if chosen != Processes::ALL {
            self.totals.reduced += 1;
            self.reduced.push(Reduced { key: *key, number: parent, led_on: false });
        }
        for (child, next) in (0..).zip(successors).filter(|(_, next)| chosen.contains(next.pid)) {
            self.totals.transitions += 1;
            if next.note.is_fault() {
                let faulty = self.expander.fault(next.note);
                let (fault, leads_nowhere) = (faulty.fault.clone(), faulty.leads_nowhere);
                self.record(shared, Property::Assertions, Where::Event(parent, child), Some(fault), key);
                if leads_nowhere {
                    continue;
                }
            }
            let stable = next.note != Note::UNSTABLE;
            let hash = shared.store.hash(&shared.space.layout, &next.key);
            // Steps that commute lead to the same state by many ways, most of them shortly after each other.
            let recent = &mut self.recent[hash as usize % RECENT];
            if *recent == next.key {
                continue;
            }
            *recent = next.key;
            shared.store.prefetch(hash);
            self.waiting.push(Waiting { key: next.key, hash, parent, child, stable });
        }
        Ok(())
    }

    /// Takes a portion of the room in the store if what it has is not enough for so many keys.
    fn claim_room(&mut self, shared: &Shared<'_, 'm, W>, keys: usize) -> Result<(), Halt> {
        if self.room >= keys {
            return Ok(());
        }
        let missing = keys - self.room;
        let take = |room: usize| (room >= missing).then(|| room - room.min(missing.max(PORTION_OF_ROOM)));
        match shared.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(before) => {
                self.room += before.min(missing.max(PORTION_OF_ROOM));
                Ok(())
            }
            Err(_) => Err(Halt::StoreFull),
        }
    }

    /// Stores those that wait.
    fn settle(&mut self, shared: &Shared<'_, 'm, W>) -> Result<(), Halt> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut settled = 0;
        let mut ended = Ok(());
        for new in &waiting {
            ended = match shared.store.insert(new.hash, &new.key, shared.in_parallel) {
                // It stays where it is until the store has grown.
                Inserted::Full => Err(Halt::StoreFull),
                Inserted::Known => Ok(()),
                Inserted::New => self.keep(shared, new),
            };
            if ended.is_err() {
                break;
            }
            settled += 1;
        }
        waiting.drain(..settled);
        self.waiting = waiting;
        ended?;
        for state in self.reduced.drain(..).filter(|state| !state.led_on) {
            self.suspects.push(state.key, shared.memory)?;
        }
        Ok(())
    }

    fn keep(&mut self, shared: &Shared<'_, 'm, W>, new: &Waiting<W>) -> Result<(), Halt> {
        self.room = self.room.saturating_sub(1);
        self.stored += 1;
        // They are in the order of their numbers.
        if let Ok(parent) = self.reduced.binary_search_by_key(&new.parent, |state| state.number) {
            self.reduced[parent].led_on = true;
        }
        if new.stable {
            self.totals.states += 1;
            if shared.has_invariants {
                self.check_invariants(shared, &new.key);
            }
        }
        self.result.segment.push(new.parent, new.child, shared.memory)?;
        let is_full = |block: &Block<W>| block.keys.len() == KEYS_IN_BLOCK;
        if self.result.blocks.last().is_none_or(is_full) {
            shared.states.fetch_add(KEYS_IN_BLOCK as u64, Ordering::Relaxed);
            let block = self.spare.take().map_or_else(|| Block::new(shared.memory), Ok)?;
            self.result.blocks.push(block);
        }
        if let Some(block) = self.result.blocks.last_mut() {
            block.keys.push(new.key);
        }
        Ok(())
    }

    /// A state without successors.
    fn check_end(&mut self, shared: &Shared<'_, 'm, W>, key: &Key<W>, number: u64) {
        if !self.expander.may_end(shared.space, key) {
            self.record(shared, Property::Deadlock, Where::Here(number), None, key);
        }
    }

    fn check_invariants(&mut self, shared: &Shared<'_, 'm, W>, key: &Key<W>) {
        for property in self.violated_invariants(shared.space, key, shared.plan) {
            self.record(shared, property, Where::Next(self.result.segment.len()), None, key);
        }
    }

    pub fn violated_invariants(&mut self, space: &Space<'m>, key: &Key<W>, plan: &Plan) -> Vec<Property> {
        let is_violated = |property: &Property| match property {
            Property::Invariant(invariant) => !self.expander.meets(space, key, *invariant),
            _ => false,
        };
        plan.properties().iter().copied().filter(is_violated).collect()
    }

    fn record(
        &mut self,
        shared: &Shared<'_, 'm, W>,
        property: Property,
        place: Where,
        fault: Option<Fault>,
        key: &Key<W>,
    ) {
        if !shared.findings.wants_finding(property, fault.as_ref()) {
            return;
        }
        let state = self.expander.bytes(shared.space, key);
        self.result.found.push(Candidate { property, place, fault, state });
        // Of many, only the least ones matter.
        let limit = shared.plan.max_violations().map_or(MOST_KEPT, |limit| MOST_KEPT.min(limit.get() as usize));
        if self.result.found.len() > 4 * limit + 64 {
            self.prune(limit);
        }
    }

    /// Drops candidates that cannot be among the first so many of their property, and counts them.
    fn prune(&mut self, limit: usize) {
        let LevelResult { found, dropped, .. } = &mut self.result;
        found.sort_by(Candidate::compare);
        let mut faults = HashSet::new();
        let mut kept: Vec<(Property, usize)> = Vec::new();
        found.retain(|candidate| match &candidate.fault {
            // The same fault in another state is no other violation.
            Some(fault) => faults.insert(fault_key(fault)),
            None if *entry(&mut kept, candidate.property) < limit => {
                *entry(&mut kept, candidate.property) += 1;
                true
            }
            None => {
                *entry(dropped, candidate.property) += 1;
                false
            }
        });
    }
}

/// The number that belongs to a property. There are few of them.
fn entry<N: Default>(numbers: &mut Vec<(Property, N)>, property: Property) -> &mut N {
    let known = numbers.iter().position(|(other, _)| *other == property);
    let index = known.unwrap_or_else(|| {
        numbers.push((property, N::default()));
        numbers.len() - 1
    });
    &mut numbers[index].1
}

fn take_block<const W: usize>(shared: &Shared<'_, '_, W>) -> Option<Block<W>> {
    let next = shared.next_block.fetch_add(1, Ordering::Relaxed);
    let block = shared.blocks.get(next)?;
    block.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
}

impl<const W: usize> Shared<'_, '_, W> {
    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states.load(Ordering::Relaxed),
            depth: self.depth,
            memory_bytes: self.memory.peak(),
            ..Statistics::default()
        }
    }
}
