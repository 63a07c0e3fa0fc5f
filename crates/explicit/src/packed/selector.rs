//! Ample and stubborn sets in a state: what the facts say about single processes, put together quickly.
//!
//! What matters to a process is worked out where its steps are, and remembered with them as a number; so is what it may
//! still do, by its frame. Whether the one meets the other is worked out once for each pair of numbers.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard};

use reductio_model::{Step, Workspace};
use reductio_reduce::facts::{Accesses, Dependencies, Facts, ProcessState};
use reductio_reduce::on_the_fly::{Choice, Processes, Ranks, choose};

/// What the threads of a search know about partial orders.
pub(crate) struct PartialOrder<'m> {
    facts: Facts<'m>,
    /// No step of a set that is chosen may affect the property: what counts are runs that go on forever, and nobody
    /// can tell whether those outside the set leave it a turn.
    pub unseen_only: bool,
    /// In these states, as the interpreter writes them, every step is taken.
    pub exempt: HashSet<Vec<u8>>,
    /// Their steps are chosen only if there is no set without them.
    pub last: Processes,
    /// It matters which processes depend on each other now.
    sleeps: bool,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    concerns: Numbers<Dependencies>,
    futures: Numbers<Accesses>,
}

/// Things by number. Zero is not given to anything.
struct Numbers<T> {
    things: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { things: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn number(&mut self, thing: T) -> u32 {
        if let Some(&known) = self.numbers.get(&thing) {
            return known;
        }
        self.things.push(thing.clone());
        self.numbers.insert(thing, self.things.len() as u32);
        self.things.len() as u32
    }

    fn get(&self, number: u32) -> Option<&T> {
        self.things.get((number as usize).checked_sub(1)?)
    }
}

/// What matters to a process, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Situation(pub u32);

/// A process in a situation.
type Actor = (usize, Situation);

impl Situation {
    /// Anything may matter.
    pub const UNKNOWN: Situation = Situation(0);
}

impl<'m> PartialOrder<'m> {
    pub fn new(facts: Facts<'m>, unseen_only: bool) -> PartialOrder<'m> {
        PartialOrder {
            facts,
            unseen_only,
            exempt: HashSet::new(),
            last: Processes::NONE,
            sleeps: false,
            known: Mutex::default(),
        }
    }

    /// One that is asked only who depends on whom.
    pub fn for_sleep_sets(facts: Facts<'m>) -> PartialOrder<'m> {
        PartialOrder { sleeps: true, ..PartialOrder::new(facts.with_numbers(), false) }
    }

    #[cfg(debug_assertions)]
    pub fn facts(&self) -> &Facts<'m> {
        &self.facts
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What matters to a process that can take these steps, of which some go on at once. Notes in the workspace what
    /// that depends on.
    pub fn situation(&self, here: ProcessState<'_>, steps: &[Step], goes_on: &dyn Fn(usize) -> bool) -> Situation {
        let concerns = match self.sleeps {
            true => self.facts.concerns_and_own(here, steps),
            false => self.facts.concerns(here, steps, goes_on),
        };
        Situation(self.known().concerns.number(concerns))
    }

    /// Do two processes in these situations conflict?
    fn conflict(&self, [(pid, one), (other, another)]: [Actor; 2]) -> bool {
        let known = self.known();
        let (Some(one), Some(another)) = (known.concerns.get(one.0), known.concerns.get(another.0)) else {
            return true;
        };
        let asks_for =
            |concerns: &Dependencies, pid: usize| concerns.process.is_some_and(|asked| usize::from(asked) == pid);
        one.conflict_with(another) || asks_for(one, other) || asks_for(another, pid)
    }

    /// What matters where all of these do.
    pub fn joined(&self, situations: &[Situation]) -> Situation {
        let mut known = self.known();
        let mut joined = Dependencies::default();
        for situation in situations {
            match known.concerns.get(situation.0) {
                Some(concerns) => joined.join(concerns),
                None => return Situation::UNKNOWN,
            }
        }
        Situation(known.concerns.number(joined))
    }
}

/// What one thread needs to choose.
pub(crate) struct Selector<'m> {
    pub order: &'m PartialOrder<'m>,
    /// By pid and number of the frame: what the process may still do, by number; zero where it is not known yet.
    futures: Vec<Vec<u32>>,
    /// The same for the priority of the process, where processes have different ones.
    priorities: Vec<Vec<u8>>,
    /// By situation: what is known of it.
    rows: Vec<Row>,
    /// Of the processes, in the state at hand.
    pub situations: Vec<Situation>,
    here: Vec<u32>,
    priorities_here: Vec<u8>,
    conflicts: HashMap<[Actor; 2], bool>,
}

#[derive(Clone, Default)]
struct Row {
    /// Some step that is possible affects the property.
    visible: bool,
    process: Option<u8>,
    /// If anybody matters, all do.
    vanishes: bool,
    /// By number of a future: does it matter?
    met: Vec<Option<bool>>,
    known: bool,
}

impl<'m> Selector<'m> {
    pub fn new(order: &'m PartialOrder<'m>) -> Selector<'m> {
        Selector {
            order,
            futures: Vec::new(),
            priorities: Vec::new(),
            rows: Vec::new(),
            situations: Vec::new(),
            here: Vec::new(),
            priorities_here: Vec::new(),
            conflicts: HashMap::new(),
        }
    }

    /// The future of a process in a frame, by number, if it is known.
    fn future(&self, pid: usize, frame: u32) -> Option<u32> {
        self.futures.get(pid)?.get(frame as usize).copied().filter(|&number| number != 0)
    }

    /// Looks up what the processes may still do, given their frames. The answer is one of which it is not known.
    pub fn look_up_futures(&mut self, frames: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
        self.here.clear();
        self.priorities_here.clear();
        for (pid, frame) in frames.enumerate() {
            match self.future(pid, frame) {
                Some(future) => self.here.push(future),
                None => return Some((pid, frame)),
            }
            if let Some(known) = self.priorities.get(pid) {
                self.priorities_here.push(known[frame as usize]);
            }
        }
        None
    }

    /// Works out what a process may still do in its frame.
    #[cold]
    pub fn learn_future(&mut self, workspace: &Workspace, pid: usize, frame: u32) {
        let future = self.order.facts.future_of(workspace, pid as u8);
        let number = self.order.known().futures.number(future);
        if self.futures.len() <= pid {
            self.futures.resize(pid + 1, Vec::new());
        }
        let frames = &mut self.futures[pid];
        if frames.len() <= frame as usize {
            frames.resize(frame as usize + 1, 0);
        }
        frames[frame as usize] = number;
        if self.order.facts.has_ranks() {
            self.priorities.resize(self.futures.len(), Vec::new());
            let known = &mut self.priorities[pid];
            known.resize(self.futures[pid].len(), 0);
            known[frame as usize] = workspace.state().processes[pid].priority;
        }
    }

    /// Those of the processes with which a process conflicts, or all where that is not known.
    pub fn dependent(&mut self, pid: usize, movers: Processes) -> Processes {
        let Some(&own) = self.situations.get(pid) else { return Processes::ALL };
        let mut dependent = Processes::NONE;
        dependent.insert(pid);
        for other in movers.iter().filter(|&other| other != pid) {
            let both = [(pid, own), (other, self.situations[other])];
            let order = self.order;
            if *self.conflicts.entry(both).or_insert_with(|| order.conflict(both)) {
                dependent.insert(other);
            }
        }
        dependent
    }

    /// The processes whose steps are enough, where these can move and those that are barred do not: the situations and
    /// futures are those of the state.
    pub fn choose(&mut self, movers: Processes, mut barred: Processes) -> Processes {
        let mut ranks = None;
        let mut creators = Processes::NONE;
        if self.order.facts.has_ranks() {
            let Some(known) = Ranks::of(&self.priorities_here, movers) else { return Processes::ALL };
            creators = self.may_create_above(known.priority);
            barred = barred.union(self.let_others_go_first(known, movers));
            ranks = Some(known);
        }
        let Selector { order, rows, situations, here, .. } = self;
        for pid in movers.iter() {
            let situation = situations[pid];
            if order.unseen_only && row(order, rows, situation).visible {
                barred.insert(pid);
            }
        }
        let chosen = choose(Choice { movers, barred, last: order.last }, |pid| {
            let situation = situations[pid];
            if situation == Situation::UNKNOWN {
                return Processes::ALL;
            }
            let matter = matters(order, row(order, rows, situation), situation, pid, here);
            ranks.map_or(matter, |ranks| ranks.counting(matter, creators))
        });
        chosen.unwrap_or(Processes::ALL)
    }

    /// Those who may still create a process of a higher priority than this.
    fn may_create_above(&self, priority: u8) -> Processes {
        let known = self.order.known();
        let mut creators = Processes::NONE;
        for (pid, &future) in self.here.iter().enumerate() {
            if known.futures.get(future).is_none_or(|future| future.highest_created > priority) {
                creators.insert(pid);
            }
        }
        creators
    }

    /// Those who can move and may let a process of a higher priority go before all others.
    fn let_others_go_first(&self, ranks: Ranks, movers: Processes) -> Processes {
        let known = self.order.known();
        let concerns = |pid: usize| known.concerns.get(self.situations[pid].0);
        let mut barred = Processes::NONE;
        for pid in movers.iter() {
            let keeps_the_turn = concerns(pid).is_some_and(|own| {
                let wakes = |above: usize| concerns(above).is_none_or(|other| other.may_be_woken_by(pid as u8, own));
                !own.may_create_above(ranks.priority) && !ranks.above.iter().any(wakes)
            });
            if !keeps_the_turn {
                barred.insert(pid);
            }
        }
        barred
    }
}

fn row<'r>(order: &PartialOrder<'_>, rows: &'r mut Vec<Row>, situation: Situation) -> &'r mut Row {
    let index = situation.0 as usize;
    if rows.len() <= index {
        rows.resize(index + 1, Row::default());
    }
    let row = &mut rows[index];
    if !row.known {
        *row = match order.known().concerns.get(situation.0) {
            Some(concerns) => {
                let Dependencies { visible, process, vanishes, .. } = *concerns;
                Row { visible, process, vanishes, met: Vec::new(), known: true }
            }
            // Of an unknown situation anything may be true.
            None => Row { visible: true, process: None, vanishes: false, met: Vec::new(), known: true },
        };
    }
    row
}

/// The others that matter to a process in this situation, given what each process may still do.
fn matters(order: &PartialOrder<'_>, row: &mut Row, situation: Situation, pid: usize, here: &[u32]) -> Processes {
    let mut others = Processes::NONE;
    for (other, &future) in here.iter().enumerate().filter(|&(other, _)| other != pid) {
        if row.met.len() <= future as usize {
            row.met.resize(future as usize + 1, None);
        }
        let is_met = *row.met[future as usize].get_or_insert_with(|| {
            let known = order.known();
            match (known.concerns.get(situation.0), known.futures.get(future)) {
                (Some(concerns), Some(accesses)) => concerns.are_met_by(accesses),
                _ => true,
            }
        });
        if is_met {
            others.insert(other);
        }
    }
    if let Some(other) = row.process.filter(|&other| usize::from(other) != pid) {
        others.insert(usize::from(other));
    }
    if row.vanishes && !others.is_empty() { Processes::ALL } else { others }
}
