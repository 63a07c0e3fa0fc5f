//! What breadth-first and depth-first search have in common: an account of what was seen, and why it ended.

use std::time::Instant;

use reductio_model::{Budget, Fault, Property, Statistics, Why};
use reductio_reduce::Plan;

use crate::clock::Clock;
use crate::coverage::Coverage;
use crate::findings::{Finding, Findings};
use crate::packed::space::Obstacle;
use crate::path_log::Path;
use crate::proviso::Ignored;
use crate::search::Explored;
use crate::store::{Memory, OutOfMemory};

/// A search under way, as far as it does not depend on how long the keys are. Where a violation is, each search says
/// in its own way.
pub(crate) struct Run<'a, P> {
    pub plan: &'a Plan,
    pub clock: Clock<'a>,
    pub memory: Memory,
    pub findings: Findings<'a, P>,
    pub totals: Totals,
    pub depth: u64,
    pub coverage: Coverage,
    pub confusion: Option<f64>,
    /// With so many states it is enough.
    pub enough: u64,
    /// If nothing is gained by leaving out steps, it stops trying.
    pub gives_up: bool,
    /// What is to be done lest steps be put off forever.
    pub ignored: Ignored,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    pub states: u64,
    pub transitions: u64,
    /// States in which some step was left out.
    pub reduced: u64,
}

impl Totals {
    pub fn add(&mut self, other: Totals) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.reduced += other.reduced;
    }
}

impl<'a, P> Run<'a, P> {
    pub fn new(plan: &'a Plan, budget: &'a Budget) -> Self {
        Run::since(Instant::now(), plan, budget)
    }

    /// A part of a check that was started some time ago.
    pub fn since(started: Instant, plan: &'a Plan, budget: &'a Budget) -> Self {
        Run {
            plan,
            memory: Memory::measured(budget.memory, budget.resident),
            clock: Clock::start(started, budget),
            findings: Findings::new(plan),
            totals: Totals::default(),
            depth: 0,
            coverage: Coverage::default(),
            confusion: None,
            enough: u64::MAX,
            gives_up: true,
            ignored: Ignored::default(),
        }
    }

    /// Has no step been left out for so long that it is not worth asking?
    pub fn gains_nothing(&self) -> bool {
        self.gives_up && self.totals.reduced == 0 && self.totals.states > 1 << 14
    }

    /// To be called for every state: looks at the clock now and then.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Why> {
        let Run { clock, memory, totals, depth, .. } = self;
        if totals.states > self.enough {
            return Err(Why::EnoughSeen);
        }
        clock.tick(memory, || statistics(*totals, *depth, memory))
    }

    /// The limit that was met. Without one of the user's, it was the machine that had no more to give than what is in use.
    pub fn out_of_memory(&self) -> Why {
        Why::Memory { bytes: self.clock.budget.memory.unwrap_or(self.memory.peak()) }
    }

    /// The end of a search with packed keys, of whose violations the function tells how they are reached.
    pub fn finish<Q>(
        self,
        ended: Result<(), End>,
        places: impl FnOnce(Vec<P>) -> Vec<Q>,
    ) -> Result<Explored<Q>, KeysTooLong> {
        match ended {
            Ok(()) => Ok(self.finish_with(None, places)),
            Err(End::Stop(stop)) => Ok(self.finish_with(Some(stop), places)),
            Err(End::KeysTooLong) => Err(KeysTooLong),
        }
    }

    pub fn finish_with<Q>(self, stop: Option<Stop>, places: impl FnOnce(Vec<P>) -> Vec<Q>) -> Explored<Q> {
        let limit = match stop {
            None | Some(Stop::EverythingFound) => None,
            Some(Stop::FirstFound) => Some(Why::FirstFound),
            // Whatever was not found is still to be looked for.
            Some(Stop::EnoughSeen) => Some(Why::EnoughSeen),
            Some(Stop::Limit(limit)) => Some(limit),
            Some(Stop::OutOfMemory) => Some(self.out_of_memory()),
        };
        // Whatever the limit, the search is over; it is only to be known what it took.
        let _ = self.memory.measure();
        let statistics = statistics(self.totals, self.depth, &self.memory);
        let (found, violations) = self.findings.into_found();
        let mut others = Vec::with_capacity(found.len());
        let mut found_at = Vec::with_capacity(found.len());
        for Finding { property, place, fault } in found {
            others.push((property, fault));
            found_at.push(place);
        }
        let placed = |((property, fault), place)| Finding { property, place, fault };
        Explored {
            statistics: Statistics { seconds: self.clock.seconds(), confusion: self.confusion, ..statistics },
            findings: others.into_iter().zip(places(found_at)).map(placed).collect(),
            violations,
            coverage: self.coverage,
            complete: stop.is_none(),
            shortest: Vec::new(),
            by_probes: Vec::new(),
            reduced: self.totals.reduced > 0,
            ignored: self.ignored,
            limit,
        }
    }
}

impl Run<'_, Path> {
    /// Records a violation in the state at the end of a path of this length, or in an event from there.
    pub fn record(
        &mut self,
        property: Property,
        event: Option<(u32, Fault)>,
        length: usize,
        path: impl FnOnce() -> Path,
    ) -> Result<(), Stop> {
        let (number, fault) = event.unzip();
        self.findings.record(property, fault, &self.memory, (length + 1) * size_of::<u32>(), || {
            let mut place = path();
            place.extend(number);
            place
        })
    }
}

fn statistics(totals: Totals, depth: u64, memory: &Memory) -> Statistics {
    Statistics {
        states: totals.states,
        transitions: totals.transitions,
        depth,
        memory_bytes: memory.peak(),
        ..Statistics::default()
    }
}

/// Why a search ends before every state was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Every property has as many violations as were asked for.
    EverythingFound,
    /// One property has a violation, and that was to be the end.
    FirstFound,
    /// As many states were seen as it was worth.
    EnoughSeen,
    OutOfMemory,
    Limit(Why),
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::OutOfMemory
    }
}

impl From<Why> for Stop {
    fn from(limit: Why) -> Stop {
        Stop::Limit(limit)
    }
}

/// Why the search with packed keys ends.
pub(crate) enum End {
    Stop(Stop),
    KeysTooLong,
}

impl<T: Into<Stop>> From<T> for End {
    fn from(stop: T) -> End {
        End::Stop(stop.into())
    }
}

/// The components of a state need more words than the longest keys have.
pub(crate) struct KeysTooLong;

/// Why a depth-first search does not go on with this layout.
pub(crate) enum Pause {
    NoMoreStates,
    NewLayout,
}

/// Why it could not expand a state.
pub(crate) enum Trouble {
    Obstacle(Obstacle),
    End(End),
}

impl From<End> for Trouble {
    fn from(end: End) -> Trouble {
        Trouble::End(end)
    }
}

impl From<OutOfMemory> for Trouble {
    fn from(full: OutOfMemory) -> Trouble {
        Trouble::End(full.into())
    }
}

/// How far a search came with keys of one length.
pub(crate) enum Progress<S> {
    Done,
    /// It is to go on with longer keys.
    Outgrown(S),
}

/// The same items for other keys, in memory of the same account.
pub(crate) fn repack_all<S, T>(
    items: Vec<S>,
    memory: &Memory,
    repack: impl Fn(&S) -> T,
) -> Result<Vec<T>, OutOfMemory> {
    let mut packed = memory.vector(items.capacity())?;
    packed.extend(items.iter().map(repack));
    memory.release(items.capacity() * size_of::<S>());
    Ok(packed)
}

/// Keys have as many words as the components need. When they need more, the search goes on with longer keys.
macro_rules! explore_with_growing_keys {
    ($start:expr, $run:expr, [$($words:literal),+]) => {{
        let search = $start;
        $(let search = match search.explore($run)? {
            Progress::Done => return Ok(()),
            Progress::Outgrown(search) => search.repack::<$words>(&$run.memory)?,
        };)+
        match search.explore($run)? {
            Progress::Done => Ok(()),
            Progress::Outgrown(_) => Err(End::KeysTooLong),
        }
    }};
}
pub(crate) use explore_with_growing_keys;
