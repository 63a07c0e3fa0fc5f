//! Depth-first search, with a stack of its own: a run of a million steps must not overflow the machine's.
//!
//! The stack holds keys. The successors of a state are pushed when it is entered, and stored only when their turn
//! comes: the order is that of the textbook's recursion. Their places in the store are fetched in the meantime.

use reductio_model::{Door, Property, Statistics};
use reductio_reduce::StoreChoice;
use reductio_reduce::on_the_fly::Processes;

use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::memo::Note;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Space;
use crate::path_log::Path;
use crate::proviso::{self, Suspects};
use crate::run::{End, KeysTooLong, Pause, Progress, Run, Stop, Trouble, explore_with_growing_keys, repack_all};
use crate::search::Explored;
use crate::store::{Inserted, Memory, Store};

/// As far as the run's budget goes.
pub(crate) fn explore_in(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    way: Way,
    mut run: Run<'_, Path>,
) -> Result<Explored<Path>, KeysTooLong> {
    let ended = explore_growing(system, order, way, &mut run);
    run.finish(ended, |paths| paths)
}

fn explore_growing(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    way: Way,
    run: &mut Run<'_, Path>,
) -> Result<(), End> {
    explore_with_growing_keys!(Search::<1>::new(system, order, way, run)?, run, [2, 3, 4, 6, 8, 16, 32, 64])
}

/// How it goes about the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    turn: Turn,
    /// States at the end of runs of so many events are not left.
    most_events: usize,
    /// It only hunts for violations, and proves nothing.
    is_probe: bool,
}

/// In which order the steps of a state are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// Those of the first process come first.
    FirstProcess,
    /// Those of the process that was created last.
    LastProcess,
    /// As dice say that are thrown with this seed.
    Shuffled(u64),
}

impl Way {
    /// All that can be reached.
    pub const WHOLE: Way = Way { turn: Turn::FirstProcess, most_events: usize::MAX, is_probe: false };

    /// A hunt for violations at the end of runs of so many events at most.
    pub fn probe(turn: Turn, most_events: usize) -> Way {
        Way { turn, most_events, is_probe: true }
    }
}

/// The search with keys of `W` words.
struct Search<'m, const W: usize> {
    space: Space<'m>,
    store: Store<W>,
    /// How many keys the store holds; none before the search has begun.
    stored: usize,
    expander: Expander<'m, W>,
    stack: Vec<Frame>,
    /// The successors still to be visited, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Pending<W>>,
    /// The state of the innermost frame, if it was not expanded yet.
    entered: Option<Key<W>>,
    successors: Vec<Next<W>>,
    /// The states of the stack in which steps were left out.
    reduced: Vec<Reduced<W>>,
    /// Those from which no new state was found.
    suspects: Suspects<W>,
    way: Way,
    /// What the dice say next.
    dice: u64,
    /// The components need longer keys.
    outgrown: bool,
}

/// One activation record of the recursion.
struct Frame {
    /// Its successors are those of `pending` from here on.
    first_pending: usize,
    /// Which event of the frame below it is.
    child: u32,
}

/// A state in which steps were left out.
struct Reduced<const W: usize> {
    key: Key<W>,
    /// How many frames there are up to its own.
    depth: usize,
    /// Some successor was new.
    led_on: bool,
}

#[derive(Clone, Copy)]
struct Pending<const W: usize> {
    key: Key<W>,
    child: u32,
    /// Whose step leads there.
    pid: u8,
    stable: bool,
}

impl<'m, const W: usize> Search<'m, W> {
    fn new(
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        way: Way,
        run: &mut Run<'_, Path>,
    ) -> Result<Self, End> {
        run.clock.look(&run.memory, Statistics::default)?;
        let mut space = Space::new(system, &system.initial_state(), run.plan.store() != StoreChoice::Exact);
        let outgrown = space.pack(W).is_none();
        Ok(Search {
            space,
            store: Store::new(run.plan.store(), &run.memory)?,
            stored: 0,
            expander: Expander::new(system, false).choosing(order).exchanging(run.plan.symmetry()),
            stack: Vec::new(),
            pending: Vec::new(),
            entered: None,
            successors: Vec::new(),
            reduced: Vec::new(),
            suspects: Suspects::default(),
            way,
            dice: if let Turn::Shuffled(seed) = way.turn { seed.max(1) } else { 1 },
            outgrown,
        })
    }

    /// Goes on until every state was seen, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Path>) -> Result<Progress<Self>, End> {
        while !self.outgrown {
            let paused = self.explore_states(run);
            run.coverage.join(&self.expander.coverage);
            run.confusion = self.store.confusion(self.stored);
            match paused? {
                Pause::NoMoreStates if self.way.is_probe => return Ok(Progress::Done),
                Pause::NoMoreStates => {
                    proviso::find(&self.space, &mut self.expander, self.suspects, run)?;
                    return Ok(Progress::Done);
                }
                Pause::NewLayout if self.space.fits(W, self.stored) => self = self.repack::<W>(&run.memory)?,
                Pause::NewLayout => self.outgrown = true,
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn explore_states(&mut self, run: &mut Run<'_, Path>) -> Result<Pause, End> {
        if self.stored == 0 {
            let state = self.space.system.initial_state();
            let key = self.space.first_key(&state, &run.memory)?;
            self.visit(run, Pending { key, child: 0, pid: 0, stable: true })?;
        }
        loop {
            if let Some(key) = self.entered {
                match self.expand(run, &key) {
                    Ok(()) => self.entered = None,
                    Err(Trouble::Obstacle(obstacle)) => {
                        self.space.prepare_for(obstacle)?;
                        return Ok(Pause::NewLayout);
                    }
                    Err(Trouble::End(end)) => return Err(end),
                }
            }
            let Some(frame) = self.stack.last() else { return Ok(Pause::NoMoreStates) };
            if self.pending.len() == frame.first_pending {
                self.leave(run)?;
            } else if let Some(next) = self.pending.pop() {
                self.visit(run, next)?;
            }
        }
    }

    /// The innermost frame is done.
    fn leave(&mut self, run: &mut Run<'_, Path>) -> Result<(), End> {
        let depth = self.stack.len();
        if let Some(state) = self.reduced.pop_if(|state| state.depth == depth)
            && !state.led_on
        {
            self.suspects.push(state.key, &run.memory)?;
        }
        self.stack.pop();
        Ok(())
    }

    /// Enters a state unless it was seen before.
    fn visit(&mut self, run: &mut Run<'_, Path>, next: Pending<W>) -> Result<(), End> {
        if self.stored as u64 >= run.enough {
            return Err(Stop::EnoughSeen.into());
        }
        let hash = self.store.hash(&self.space.layout, &next.key);
        if self.stored >= self.store.capacity() {
            self.store.grow(1, &run.memory)?;
        }
        let mut inserted = self.store.insert(hash, &next.key, false);
        while inserted == Inserted::Full {
            self.store.grow(1, &run.memory)?;
            inserted = self.store.insert(hash, &next.key, false);
        }
        if inserted == Inserted::Known {
            return Ok(());
        }
        self.stored += 1;
        let depth = self.stack.len();
        if let Some(state) = self.reduced.last_mut().filter(|state| state.depth == depth) {
            state.led_on = true;
        }
        let frame = Frame { first_pending: self.pending.len(), child: next.child };
        run.memory.push(&mut self.stack, frame)?;
        run.depth = run.depth.max(self.stack.len() as u64 - 1);
        self.entered = Some(next.key);
        if next.stable {
            run.totals.states += 1;
            for &property in run.plan.properties() {
                if let Property::Invariant(invariant) = property
                    && !self.expander.meets(&self.space, &next.key, invariant)
                {
                    run.record(property, None, self.stack.len(), || self.path())?;
                }
            }
        }
        Ok(())
    }

    /// Checks the state that was just entered, and pushes its successors.
    fn expand(&mut self, run: &mut Run<'_, Path>, key: &Key<W>) -> Result<(), Trouble> {
        run.tick().map_err(|limit| Trouble::End(limit.into()))?;
        // The buffer moves out for the time being, so that the rest of the search can be changed while it is read.
        let mut successors = std::mem::take(&mut self.successors);
        let expanded = self.expander.expand(&self.space, key, &run.memory, &mut successors);
        let followed = match expanded {
            Ok(()) => self.follow(run, key, &successors).map_err(Trouble::End),
            Err(obstacle) => Err(Trouble::Obstacle(obstacle)),
        };
        self.successors = successors;
        followed
    }

    fn follow(&mut self, run: &mut Run<'_, Path>, key: &Key<W>, successors: &[Next<W>]) -> Result<(), End> {
        if successors.is_empty() && !self.expander.may_end(&self.space, key) {
            run.record(Property::Deadlock, None, self.stack.len(), || self.path())?;
        }
        // The first frame is that of the initial state.
        if self.stack.len() > self.way.most_events {
            return Ok(());
        }
        let first = self.pending.len();
        if run.gains_nothing() {
            self.expander.stop_choosing();
        }
        let chosen = self.expander.chosen(&self.space, key, successors);
        if chosen != Processes::ALL {
            run.totals.reduced += 1;
            let depth = self.stack.len();
            run.memory.push(&mut self.reduced, Reduced { key: *key, depth, led_on: false })?;
        }
        for (child, next) in (0..).zip(successors).filter(|(_, next)| chosen.contains(next.pid)) {
            run.totals.transitions += 1;
            if next.note.is_fault() {
                let faulty = self.expander.fault(next.note).clone();
                run.record(Property::Assertions, Some((child, faulty.fault)), self.stack.len(), || self.path())?;
                if faulty.leads_nowhere {
                    continue;
                }
            }
            let stable = next.note != Note::UNSTABLE;
            self.store.prefetch(self.store.hash(&self.space.layout, &next.key));
            run.memory.push(&mut self.pending, Pending { key: next.key, child, pid: next.pid, stable })?;
        }
        self.line_up(first);
        Ok(())
    }

    /// Brings the successors from this place on into the order in which they are to be visited, the last one first.
    fn line_up(&mut self, first: usize) {
        let successors = &mut self.pending[first..];
        match self.way.turn {
            Turn::FirstProcess => successors.reverse(),
            // What one process can do comes in the order of the text.
            Turn::LastProcess => successors.chunk_by_mut(|one, next| one.pid == next.pid).for_each(<[_]>::reverse),
            Turn::Shuffled(_) => {
                for last in (1..successors.len()).rev() {
                    self.dice = thrown(self.dice);
                    successors.swap(last, (self.dice % (last as u64 + 1)) as usize);
                }
            }
        }
    }

    /// The events that lead to the innermost frame. The first is that of the initial state.
    fn path(&self) -> Path {
        self.stack[1..].iter().map(|frame| frame.child).collect()
    }

    /// The same search with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(mut self, memory: &Memory) -> Result<Search<'m, V>, End> {
        let packed = self.space.pack(V);
        let outgrown = packed.is_none();
        // If even these keys are too short, the fields stay as they are until the keys are long enough.
        let repacking = packed.unwrap_or_else(|| self.space.same_fields());
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        let reduced = |&Reduced { key, depth, led_on }: &Reduced<W>| Reduced { key: repack(&key), depth, led_on };
        let again =
            |&Pending { key, child, pid, stable }: &Pending<W>| Pending { key: repack(&key), child, pid, stable };
        Ok(Search {
            store: self.store.repack(self.stored, 1, memory, repack)?,
            stored: self.stored,
            expander: self.expander.repack(memory),
            stack: self.stack,
            pending: repack_all(self.pending, memory, again)?,
            entered: self.entered.as_ref().map(repack),
            successors: Vec::new(),
            reduced: repack_all(self.reduced, memory, reduced)?,
            suspects: self.suspects.repack(memory, repack)?,
            space: self.space,
            way: self.way,
            dice: self.dice,
            outgrown,
        })
    }
}

/// The next throw of the dice after this one: a xorshift generator, which is the same on every machine.
fn thrown(mut dice: u64) -> u64 {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    dice
}
