//! Breadth-first search, level by level, by one thread or several: states nearer to the start come first, so the
//! counterexamples are as short as can be.
//!
//! The states of a level lie in blocks; every thread takes a block, expands its states and collects what is new for
//! the next level. A search that finds what it looks for still finishes its level. So verdicts and counts do not
//! depend on the number of threads, nor does the state in which a property fails: it is the least of its level.
//!
//! The one random access to memory per successor is the look-up in the store. Successors therefore wait while their
//! places in the store are fetched, and are looked up together.
//!
//! This file keeps the levels; what a thread does is in [`worker`](crate::worker). When the store is full, or a field
//! too narrow, all threads come to a halt between two states, the obstacle is removed, and they go on where they were.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use reductio_model::{Door, Property, Statistics};
use reductio_reduce::StoreChoice;

use crate::packed::key::Key;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Space;
use crate::path_log::{Path, PathLog, Position};
use crate::probe::{Around, Probes};
use crate::proviso::Suspects;
use crate::run::{End, KeysTooLong, Progress, Run, Stop, explore_with_growing_keys};
use crate::search::Explored;
use crate::store::{Memory, OutOfMemory, Store};
use crate::worker::{Block, Candidate, Halt, LevelResult, Shared, Where, Worker};

/// As far as the run's budget goes.
pub(crate) fn explore_some(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    run: Run<'_, Place>,
) -> Result<Explored<Path>, KeysTooLong> {
    explore_with(system, order, run, None)
}

/// The same with probes in between. What they find is theirs, and counts when it is asked whether anything is left to look for.
pub(crate) fn explore_with(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    mut run: Run<'_, Place>,
    probes: Option<&mut Probes>,
) -> Result<Explored<Path>, KeysTooLong> {
    let mut log = PathLog::default();
    let ended = explore_growing(system, order, &mut run, &mut log, probes);
    run.finish(ended, |places| {
        let positions: Vec<Position> = places.iter().map(|(position, _)| *position).collect();
        let mut paths = log.paths_to(&positions);
        paths.iter_mut().zip(places).for_each(|(path, (_, event))| path.extend(event));
        paths
    })
}

/// A state, or an event there.
pub(crate) type Place = (Position, Option<u32>);

fn explore_growing(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    run: &mut Run<'_, Place>,
    log: &mut PathLog,
    probes: Option<&mut Probes>,
) -> Result<(), End> {
    explore_with_growing_keys!(Search::<1>::new(system, order, run, log, probes)?, run, [2, 3, 4, 6, 8, 16, 32, 64])
}

/// The search with keys of `W` words.
struct Search<'m, 'l, const W: usize> {
    log: &'l mut PathLog,
    order: Option<&'m PartialOrder<'m>>,
    probes: Option<&'l mut Probes>,
    space: Space<'m>,
    store: Store<W>,
    /// How many keys the store holds; none before the search has begun.
    stored: usize,
    /// What is left of the level, except for what the workers have taken.
    level: Vec<Block<W>>,
    workers: Vec<Worker<'m, W>>,
    /// The components need longer keys.
    outgrown: bool,
}

impl<'m, 'l, const W: usize> Search<'m, 'l, W> {
    fn new(
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        run: &mut Run<'_, Place>,
        log: &'l mut PathLog,
        probes: Option<&'l mut Probes>,
    ) -> Result<Self, End> {
        run.clock.look(&run.memory, Statistics::default)?;
        let mut space = Space::new(system, &system.initial_state(), run.plan.store() != StoreChoice::Exact);
        let outgrown = space.pack(W).is_none();
        Ok(Search {
            log,
            order,
            probes,
            space,
            store: Store::new(run.plan.store(), &run.memory)?,
            stored: 0,
            level: Vec::new(),
            workers: (0..run.plan.threads())
                .map(|_| Worker::new(system, order, run.plan.threads() > 1).exchanging(run.plan.symmetry()))
                .collect(),
            outgrown,
        })
    }

    /// Goes on until every state was seen, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Place>) -> Result<Progress<Self>, End> {
        while !self.outgrown {
            if self.stored == 0 {
                self.begin(run)?;
            }
            let ended = self.explore_levels(run);
            for worker in &mut self.workers {
                run.totals.add(worker.take_totals());
                run.coverage.join(worker.coverage());
            }
            run.confusion = self.store.confusion(self.stored);
            match ended? {
                LevelEnd::NoMoreStates => {
                    self.look_for_ignored(run)?;
                    return Ok(Progress::Done);
                }
                LevelEnd::NewLayout if self.space.fits(W, self.stored) => self = self.repack::<W>(&run.memory)?,
                LevelEnd::NewLayout => self.outgrown = true,
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn look_for_ignored(&mut self, run: &mut Run<'_, Place>) -> Result<(), End> {
        let mut suspects = Suspects::default();
        for worker in &mut self.workers {
            suspects.append(worker.take_suspects(), &run.memory)?;
        }
        self.workers[0].look_for_ignored(&self.space, suspects, run)
    }

    /// Stores the initial state and checks it.
    fn begin(&mut self, run: &mut Run<'_, Place>) -> Result<(), End> {
        let state = self.space.system.initial_state();
        let key = self.space.first_key(&state, &run.memory)?;
        self.store.insert(self.store.hash(&self.space.layout, &key), &key, false);
        self.stored = 1;
        run.totals.states = 1;
        self.level.push(Block::of_one(key, &run.memory)?);
        let start = (Position { level: 0, number: 0 }, None);
        for property in self.workers[0].violated_invariants(&self.space, &key, run.plan) {
            run.findings.record(property, None, &run.memory, 0, || start)?;
        }
        Ok(())
    }

    fn explore_levels(&mut self, run: &mut Run<'_, Place>) -> Result<LevelEnd, End> {
        loop {
            let halts = self.work(run);
            if !halts.is_empty() {
                match self.clear_the_way(halts, run) {
                    Ok(Way::Clear) => continue,
                    Ok(Way::NeedsNewLayout) => return Ok(LevelEnd::NewLayout),
                    Err(end) => {
                        // The level will not be finished, but what was found in it counts.
                        self.end_level(run)?;
                        return Err(end);
                    }
                }
            }
            self.end_level(run)?;
            if self.level.is_empty() {
                return Ok(LevelEnd::NoMoreStates);
            }
            if run.totals.states > run.enough {
                return Err(Stop::EnoughSeen.into());
            }
            run.depth += 1;
            self.probe(run)?;
        }
    }

    /// Hunts for violations in depth if that is due, and ends the search if nothing is left to look for. What was found so is not
    /// wanted any less: the search may still come by a shorter run.
    fn probe(&mut self, run: &Run<'_, Place>) -> Result<(), End> {
        let Some(probes) = &mut self.probes else { return Ok(()) };
        if probes.are_due(run.totals.states) {
            let Run { plan, memory, depth, findings, .. } = run;
            let (system, budget) = (self.space.system, run.clock.budget);
            let around = Around { system, order: self.order, plan, budget, memory, depth: *depth as usize };
            probes.hunt(&around, |property| !findings.has_found(property))?;
        }
        let is_done = |&property: &Property| {
            // Where many violations are asked for, one does not do.
            let is_enough = run.plan.max_violations() == Some(NonZeroU32::MIN);
            run.findings.is_settled(property) || is_enough && probes.have_found(property)
        };
        match run.plan.properties().iter().all(is_done) {
            true => Err(Stop::EverythingFound.into()),
            false if run.plan.is_first_only() && !probes.found.is_empty() => Err(Stop::FirstFound.into()),
            false => Ok(()),
        }
    }

    /// Lets the workers go on with the level. They end with it, or come to a halt.
    fn work(&mut self, run: &mut Run<'_, Place>) -> Vec<Halt> {
        let blocks: Vec<_> = self.level.drain(..).map(|block| Mutex::new(Some(block))).collect();
        let (first, others) = self.workers.split_first_mut().expect("a plan has at least one thread");
        let in_parallel = !others.is_empty() && (blocks.len() > 1 || others.iter().any(Worker::is_busy));
        let shared = Shared {
            space: &self.space,
            store: &self.store,
            room: AtomicUsize::new(self.store.capacity().saturating_sub(self.stored)),
            memory: &run.memory,
            plan: run.plan,
            findings: &run.findings,
            blocks: &blocks,
            next_block: AtomicUsize::new(0),
            halt: AtomicBool::new(false),
            in_parallel,
            has_invariants: run.plan.properties().iter().any(|property| matches!(property, Property::Invariant(_))),
            states: AtomicU64::new(run.totals.states),
            depth: run.depth,
        };
        let mut halts = Vec::new();
        if in_parallel {
            std::thread::scope(|scope| {
                let threads: Vec<_> =
                    others.iter_mut().map(|worker| scope.spawn(|| worker.run(&shared, None))).collect();
                halts.extend(first.run(&shared, Some(&mut run.clock)).err());
                for thread in threads {
                    match thread.join() {
                        Ok(ended) => halts.extend(ended.err()),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            });
        } else {
            halts.extend(first.run(&shared, Some(&mut run.clock)).err());
        }
        let untaken = shared.next_block.into_inner().min(blocks.len());
        let rest = blocks.into_iter().skip(untaken);
        self.level.extend(rest.filter_map(|block| block.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())));
        self.stored += self.workers.iter_mut().map(Worker::take_stored).sum::<usize>();
        halts
    }

    /// Removes what brought the workers to a halt, or ends the search.
    fn clear_the_way(&mut self, halts: Vec<Halt>, run: &mut Run<'_, Place>) -> Result<Way, End> {
        let mut way = Way::Clear;
        let mut full = false;
        for halt in halts {
            match halt {
                Halt::Limit(limit) => return Err(limit.into()),
                Halt::OutOfMemory => return Err(OutOfMemory.into()),
                Halt::StoreFull => full = true,
                Halt::Obstacle(obstacle) => {
                    self.space.prepare_for(obstacle)?;
                    way = Way::NeedsNewLayout;
                }
                Halt::AskedTo => {}
            }
        }
        if full {
            self.store.grow(self.workers.len(), &run.memory)?;
        }
        Ok(way)
    }

    /// The same search with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(mut self, memory: &Memory) -> Result<Search<'m, 'l, V>, End> {
        let packed = self.space.pack(V);
        let outgrown = packed.is_none();
        // If even these keys are too short, the fields stay as they are until the keys are long enough.
        let repacking = packed.unwrap_or_else(|| self.space.same_fields());
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        let store = self.store.repack(self.stored, self.workers.len(), memory, repack)?;
        let hash = |key: &Key<V>| store.hash(&self.space.layout, key);
        Ok(Search {
            log: self.log,
            order: self.order,
            probes: self.probes,
            stored: self.stored,
            level: self.level.into_iter().map(|block| block.repack(memory, repack)).collect::<Result<_, _>>()?,
            workers: self
                .workers
                .into_iter()
                .map(|worker| worker.repack(memory, repack, hash))
                .collect::<Result<_, _>>()?,
            store,
            space: self.space,
            outgrown,
        })
    }

    /// Lets every worker know what the others have worked out.
    fn exchange_news(&mut self, memory: &Memory) {
        for index in 0..self.workers.len() {
            let (before, rest) = self.workers.split_at_mut(index);
            let Some((one, after)) = rest.split_first_mut() else { break };
            before.iter().chain(&*after).for_each(|other| one.learn(other, memory));
        }
        self.workers.iter_mut().for_each(Worker::forget_news);
    }

    /// Records what the workers found, and makes what they found new the next level.
    fn end_level(&mut self, run: &mut Run<'_, Place>) -> Result<(), End> {
        self.exchange_news(&run.memory);
        let level = run.depth as usize;
        let mut segments = Vec::new();
        let mut candidates = Vec::new();
        let mut dropped = Vec::new();
        let mut number = 0;
        for worker in &mut self.workers {
            run.totals.add(worker.take_totals());
            let LevelResult { blocks, segment, found, dropped: more } = worker.take_level();
            dropped.extend(more);
            for candidate in found {
                let place = match candidate.place {
                    Where::Here(number) => (Position { level, number }, None),
                    Where::Event(number, event) => (Position { level, number }, Some(event)),
                    Where::Next(index) => (Position { level: level + 1, number: number + index }, None),
                };
                candidates.push((place, candidate));
            }
            let mut first = number;
            for mut block in blocks {
                block.first = first;
                first += block.len();
                self.level.push(block);
            }
            number += segment.len();
            segments.push(segment);
        }
        let logged = self.log.push(segments, &run.memory);
        if run.gains_nothing() {
            self.workers.iter_mut().for_each(Worker::stop_choosing);
        }
        candidates.sort_by(|(_, one), (_, other)| one.compare(other));
        for (place, Candidate { property, fault, .. }) in candidates {
            run.findings.record(property, fault, &run.memory, (level + 2) * size_of::<u32>(), || place)?;
        }
        for (property, count) in dropped {
            run.findings.count(property, count)?;
        }
        // What was found in the level counts, even if there is no memory for another one.
        Ok(logged?)
    }
}

/// Why the workers stopped at the end of a level, or in the middle of one.
enum LevelEnd {
    NoMoreStates,
    NewLayout,
}

enum Way {
    Clear,
    NeedsNewLayout,
}
