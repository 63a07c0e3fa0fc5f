//! Memoised steps: what a process can do in its frame depends only on the components that the interpreter looked at
//! when it worked that out once. The next time these components have the same values, the answer is looked up.
//!
//! The answer is a list of differences between keys, so a successor costs one look-up and one addition.
//!
//! Which components matter is not derived from the program but observed (see
//! [`Door`](reductio_model::door)): a component that was not touched cannot have mattered.
//! For every frame of a process the memo keeps one mask, of all components that were ever touched in that frame.
//! An entry that was made under a smaller mask stays valid under a larger one: if it is found, then the components it
//! depends on have the values it was made for.

use reductio_model::hash::{FIRST, fold};
use reductio_model::{Fault, LocationId};

use super::key::{Field, Key};
use super::selector::Situation;
use crate::store::prefetch::prefetch;

/// In which situation a process is asked what it can do. Together with the pid it tells who alone may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Anybody may move.
    Free,
    /// Only this process may.
    Exclusive,
    /// Anybody may, but nobody can unless `timeout` holds.
    Timeout,
}

const MODES: usize = 3;

/// Something that can happen next: a state that is reached, or a step that goes wrong, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next<const W: usize> {
    pub key: Key<W>,
    pub note: Note,
    /// The process that moves, or the first one that does where several steps are one event.
    pub pid: u8,
}

/// A change of the key, and what the search must know about the step beyond that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delta<const W: usize> {
    pub difference: Key<W>,
    pub note: Note,
}

/// Most steps are plain: they lead to a state where anybody may move, and nothing goes wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note(u32);

impl Note {
    pub const PLAIN: Note = Note(0);
    /// One process alone may move in the state it leads to.
    pub const UNSTABLE: Note = Note(1);
    const FIRST_FAULT: u32 = 2;

    /// Plain if both are.
    #[inline(always)]
    pub fn or(self, other: Note) -> Note {
        Note(self.0 | other.0)
    }

    #[inline(always)]
    pub fn is_fault(self) -> bool {
        self.0 >= Note::FIRST_FAULT
    }
}

/// A step in which something goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaultyStep {
    pub fault: Fault,
    /// It does not end in the middle of an `atomic`.
    pub stable: bool,
    /// It reaches no state that is to be stored: it ends the run, or is in the middle of an `atomic` that is run through.
    pub leads_nowhere: bool,
}

/// A range of the memo's deltas, or why there is none. A plain number is quicker to look at than a choice of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    start: u32,
    count: u32,
}

impl Steps {
    const UNKNOWN: Steps = Steps { start: 0, count: u32::MAX };
    /// Hardly ever the same again: not worth remembering.
    const DIRECT: Steps = Steps { start: 1, count: u32::MAX };

    #[inline(always)]
    pub fn are_known(self) -> bool {
        self.count != u32::MAX
    }

    /// They are not known, and there is no point in remembering them.
    pub fn are_hopeless(self) -> bool {
        self == Steps::DIRECT
    }
}

/// What the memo knows about a process in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group<const W: usize> {
    /// The components that the steps depend on. Zero: on nothing but the frame, or nothing is known yet.
    mask: Key<W>,
    /// What they are where the mask is zero.
    steps: Steps,
}

impl<const W: usize> Group<W> {
    const UNKNOWN: Group<W> = Group { mask: Key::ZERO, steps: Steps::UNKNOWN };
}

pub(crate) struct Memo<const W: usize> {
    /// By mode and pid.
    actors: [Vec<Actor<W>>; MODES],
    deltas: Vec<Delta<W>>,
    /// Some of the lists of deltas, by their hash.
    lists: Vec<Steps>,
    faults: Vec<FaultyStep>,
    expansions: u32,
    /// What was worked out since the other threads were told, if there are any.
    news: Option<Vec<News<W>>>,
}

/// Something that was remembered.
#[derive(Clone, Copy)]
struct News<const W: usize> {
    context: Context<W>,
    steps: Steps,
}

struct Actor<const W: usize> {
    /// By the number of the frame.
    groups: Vec<Group<W>>,
    table: Table<W>,
    /// By location.
    sites: Vec<Site>,
}

/// How well the memo does at one location.
#[derive(Clone, Copy, Default)]
struct Site {
    misses: u32,
    bad_reviews: u8,
    /// The steps of an `atomic` are remembered one by one: each depends on less than all of them together.
    stepwise: bool,
    /// Nothing is remembered.
    direct: bool,
}

/// Among so many faults it is looked whether one is known.
const RECENT_FAULTS: usize = 64;
/// So many lists of deltas can be found again, as a power of two.
const LISTS_BITS: u32 = 12;
/// So often is it reviewed where remembering does not pay.
pub(super) const REVIEW: u32 = 1 << 14;
/// A location that is worked out anew in one of so many expansions is a bad one.
const BAD: u32 = 2;
/// A location that is bad so many times in a row is not worth remembering. At first everything is new, and to
/// give up too early costs far more than to give up late.
const HOPELESS: u8 = 8;

impl<const W: usize> Memo<W> {
    /// `tells` says that there are other memos that are to be [told](Memo::learn) what is new.
    pub fn new(tells: bool) -> Memo<W> {
        Memo {
            actors: Default::default(),
            deltas: Vec::new(),
            lists: Vec::new(),
            faults: Vec::new(),
            expansions: 0,
            news: tells.then(Vec::new),
        }
    }

    #[inline(always)]
    pub fn find(&self, pid: u8, mode: Mode, frame: u32, key: &Key<W>) -> Steps {
        let Some(actor) = self.actors[mode as usize].get(pid as usize) else { return Steps::UNKNOWN };
        let Some(group) = actor.groups.get(frame as usize) else { return Steps::UNKNOWN };
        if group.mask == Key::ZERO { group.steps } else { actor.table.find(&key.masked(&group.mask)) }
    }

    /// What processes from `first` on can do next goes to `out`, up to the first one about which that is not known: its
    /// pid is the answer. The note is plain if all those of the steps are.
    #[inline(always)]
    pub fn append(
        &self,
        mode: Mode,
        first: usize,
        frames: &[Field],
        key: &Key<W>,
        out: &mut Vec<Next<W>>,
        mut situations: Option<&mut Vec<Situation>>,
    ) -> (usize, Note) {
        let mut notes = Note::PLAIN;
        let mut pid = first;
        for (actor, &frame) in self.actors[mode as usize].iter().zip(frames).skip(first) {
            let Some(group) = actor.groups.get(key.get(frame) as usize) else { break };
            let steps = if group.mask == Key::ZERO { group.steps } else { actor.table.find(&key.masked(&group.mask)) };
            if !steps.are_known() {
                break;
            }
            for delta in self.deltas(steps) {
                notes = notes.or(delta.note);
                out.push(Next { key: key.plus(&delta.difference), note: delta.note, pid: pid as u8 });
            }
            if let Some(situations) = &mut situations {
                situations.push(self.situation(steps));
            }
            pid += 1;
        }
        (pid, notes)
    }

    /// Has what [`Memo::find`] will look at fetched.
    #[inline(always)]
    pub fn prefetch(&self, pid: u8, mode: Mode, frame: u32, key: &Key<W>) {
        if let Some(actor) = self.actors[mode as usize].get(pid as usize)
            && let Some(group) = actor.groups.get(frame as usize)
        {
            actor.table.prefetch(&key.masked(&group.mask));
        }
    }

    #[inline(always)]
    pub fn deltas(&self, steps: Steps) -> &[Delta<W>] {
        &self.deltas[steps.start as usize..][..steps.count as usize]
    }

    /// What matters to a process that can take these steps.
    #[inline(always)]
    pub fn situation(&self, steps: Steps) -> Situation {
        Situation(self.deltas[steps.start as usize - 1].note.0)
    }

    pub fn fault(&self, note: Note) -> &FaultyStep {
        &self.faults[(note.0 - Note::FIRST_FAULT) as usize]
    }

    /// The note of a step in which something goes wrong.
    pub fn note_fault(&mut self, fault: FaultyStep) -> Note {
        // A state that is worked out directly repeatedly makes the same mistake each time.
        let first = self.faults.len().saturating_sub(RECENT_FAULTS);
        let known = (first..self.faults.len()).find(|&index| self.faults[index] == fault);
        let index = known.unwrap_or_else(|| {
            self.faults.push(fault);
            self.faults.len() - 1
        });
        Note(index as u32 + Note::FIRST_FAULT)
    }

    /// Remembers what a process in this frame does wherever the components under `mask` are as in `key`.
    /// `alone` says that there are none but the frame.
    pub fn insert(&mut self, context: Context<W>, deltas: &[Delta<W>], situation: Situation) {
        let steps = self.keep(deltas, situation);
        self.actor(context.pid, context.mode).site(context.location).misses += 1;
        self.put(&context, steps);
        if let Some(news) = &mut self.news {
            news.push(News { context, steps });
        }
    }

    fn put(&mut self, context: &Context<W>, steps: Steps) {
        let Context { pid, mode, frame, key, mask, alone, .. } = *context;
        let actor = self.actor(pid, mode);
        let group = actor.group(frame);
        if alone && group.mask == Key::ZERO {
            group.steps = steps;
        } else {
            // An `atomic` may be remembered as one step in some contexts and, where it goes wrong, not in others.
            group.mask = group.mask.union(&mask);
            let masked = key.masked(&group.mask);
            actor.table.insert(masked, steps);
        }
    }

    /// Remembers what another thread worked out since it last forgot its news. Answers how much that was.
    pub fn learn(&mut self, other: &Memo<W>) -> usize {
        let mut learnt = 0;
        let mut deltas = Vec::new();
        for News { context, steps } in other.news.iter().flatten() {
            if self.find(context.pid, context.mode, context.frame, &context.key) != Steps::UNKNOWN {
                continue;
            }
            deltas.clear();
            deltas.extend_from_slice(other.deltas(*steps));
            for delta in deltas.iter_mut().filter(|delta| delta.note.is_fault()) {
                delta.note = self.note_fault(other.fault(delta.note).clone());
            }
            let steps = self.keep(&deltas, other.situation(*steps));
            self.put(context, steps);
            learnt += 1;
        }
        learnt
    }

    /// The others know.
    pub fn forget_news(&mut self) {
        self.news.iter_mut().for_each(Vec::clear);
    }

    /// Puts a list of deltas where the last one like it was put: many contexts have the same steps, and what is short
    /// stays at hand. The situation comes before it.
    fn keep(&mut self, deltas: &[Delta<W>], situation: Situation) -> Steps {
        let seed = deltas.len() as u64 ^ u64::from(situation.0) << 32;
        let hash = deltas.iter().fold(fold(seed, FIRST), |hash, delta| {
            fold(hash ^ delta.difference.hash() ^ u64::from(delta.note.0), FIRST)
        });
        let slot = (hash >> (u64::BITS - LISTS_BITS)) as usize;
        let header = |situation: Situation| Delta { difference: Key::ZERO, note: Note(situation.0) };
        if self.lists.is_empty() {
            self.deltas.push(header(Situation::UNKNOWN));
            self.lists.resize(1 << LISTS_BITS, Steps { start: 1, count: 0 });
        }
        let known = self.lists[slot];
        if self.deltas(known) == deltas && self.situation(known) == situation {
            return known;
        }
        self.deltas.push(header(situation));
        let steps = Steps { start: self.deltas.len() as u32, count: deltas.len() as u32 };
        self.deltas.extend_from_slice(deltas);
        self.lists[slot] = steps;
        steps
    }

    /// Is it known that remembering does not pay for a process at this location? Then its frame is marked so.
    pub fn is_hopeless(&mut self, pid: u8, mode: Mode, frame: u32, location: LocationId) -> bool {
        let actor = self.actor(pid, mode);
        let direct = actor.site(location).direct;
        if direct {
            *actor.group(frame) = Group { mask: Key::ZERO, steps: Steps::DIRECT };
        }
        direct
    }

    /// The components that matter to a process in a frame, if there are others than the frame.
    pub fn mask(&self, pid: u8, mode: Mode, frame: u32) -> Key<W> {
        let actor = self.actors[mode as usize].get(pid as usize);
        actor.and_then(|actor| actor.groups.get(frame as usize)).map_or(Key::ZERO, |group| group.mask)
    }

    /// Are an `atomic`'s steps from this location to be remembered as one?
    pub fn composes(&mut self, pid: u8, mode: Mode, location: LocationId) -> bool {
        !self.actor(pid, mode).site(location).stepwise
    }

    /// Counts an expanded state; `true` when it is time for a [review](Memo::give_up_what_does_not_pay).
    #[inline(always)]
    pub fn tick(&mut self) -> bool {
        self.expansions += 1;
        self.expansions.is_multiple_of(REVIEW)
    }

    /// Now and then what is remembered is compared with the interpreter.
    #[cfg(debug_assertions)]
    pub fn is_time_to_check(&self) -> bool {
        self.expansions.is_multiple_of(16)
    }

    /// Gives up remembering where it does not pay.
    pub fn give_up_what_does_not_pay(&mut self) {
        let mut gave_up = false;
        for site in self.actors.iter_mut().flatten().flat_map(|actor| &mut actor.sites) {
            site.bad_reviews = if site.misses > REVIEW / BAD { site.bad_reviews.saturating_add(1) } else { 0 };
            if site.bad_reviews >= HOPELESS {
                site.bad_reviews = 0;
                site.direct = site.stepwise;
                site.stepwise = true;
                gave_up = true;
            }
            site.misses = 0;
        }
        if gave_up {
            // What was remembered there is of no use; the rest is soon worked out again.
            self.forget();
        }
    }

    /// The room it takes.
    pub fn bytes(&self) -> usize {
        let actor = |actor: &Actor<W>| {
            actor.groups.capacity() * size_of::<Group<W>>() + actor.table.entries.capacity() * size_of::<Entry<W>>()
        };
        self.actors.iter().flatten().map(actor).sum::<usize>()
            + self.deltas.capacity() * size_of::<Delta<W>>()
            + self.news.as_ref().map_or(0, |news| news.capacity() * size_of::<News<W>>())
    }

    /// Forgets everything but where remembering does not pay.
    pub fn forget(&mut self) {
        self.deltas = Vec::new();
        self.lists = Vec::new();
        self.faults = Vec::new();
        self.forget_news();
        for actor in self.actors.iter_mut().flatten() {
            actor.groups = Vec::new();
            actor.table = Table::new();
        }
    }

    /// A memo for keys of another layout, which knows nothing but where remembering does not pay.
    pub fn repack<const V: usize>(self) -> Memo<V> {
        let forget = |actor: Actor<W>| Actor { sites: actor.sites, ..Actor::new() };
        let actors = self.actors.map(|actors| actors.into_iter().map(forget).collect());
        Memo { actors, expansions: self.expansions, ..Memo::new(self.news.is_some()) }
    }

    fn actor(&mut self, pid: u8, mode: Mode) -> &mut Actor<W> {
        let actors = &mut self.actors[mode as usize];
        if actors.len() <= pid as usize {
            actors.resize_with(pid as usize + 1, Actor::new);
        }
        &mut actors[pid as usize]
    }
}

/// For what a list of steps is remembered.
#[derive(Clone, Copy)]
pub(crate) struct Context<const W: usize> {
    pub pid: u8,
    pub mode: Mode,
    pub frame: u32,
    pub location: LocationId,
    pub key: Key<W>,
    /// The components that the interpreter touched, the frame among them.
    pub mask: Key<W>,
    /// It touched nothing but the frame.
    pub alone: bool,
}

impl<const W: usize> Actor<W> {
    fn new() -> Actor<W> {
        Actor { groups: Vec::new(), table: Table::new(), sites: Vec::new() }
    }

    fn group(&mut self, frame: u32) -> &mut Group<W> {
        if self.groups.len() <= frame as usize {
            self.groups.resize(frame as usize + 1, Group::UNKNOWN);
        }
        &mut self.groups[frame as usize]
    }

    fn site(&mut self, location: LocationId) -> &mut Site {
        if self.sites.len() <= location.index() {
            self.sites.resize(location.index() + 1, Site::default());
        }
        &mut self.sites[location.index()]
    }
}

/// From masked keys to steps, by open addressing.
struct Table<const W: usize> {
    entries: Vec<Entry<W>>,
    len: usize,
}

#[derive(Clone, Copy)]
struct Entry<const W: usize> {
    key: Key<W>,
    steps: Steps,
}

impl<const W: usize> Table<W> {
    fn new() -> Table<W> {
        Table { entries: Vec::new(), len: 0 }
    }

    #[inline(always)]
    fn find(&self, key: &Key<W>) -> Steps {
        if self.entries.is_empty() { Steps::UNKNOWN } else { self.entries[self.slot(key)].steps }
    }

    fn prefetch(&self, key: &Key<W>) {
        if !self.entries.is_empty() {
            prefetch(&self.entries[key.hash() as usize & (self.entries.len() - 1)]);
        }
    }

    /// The slot where the key is, or else belongs.
    #[inline(always)]
    fn slot(&self, key: &Key<W>) -> usize {
        let mask = self.entries.len() - 1;
        let mut slot = key.hash() as usize & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.key == *key || !entry.steps.are_known() {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn insert(&mut self, key: Key<W>, steps: Steps) {
        if self.len + 1 > self.entries.len() / 4 * 3 {
            let empty = Entry { key: Key::ZERO, steps: Steps::UNKNOWN };
            let larger = vec![empty; (self.entries.len() * 2).max(16)];
            for entry in std::mem::replace(&mut self.entries, larger) {
                if entry.steps != Steps::UNKNOWN {
                    let slot = self.slot(&entry.key);
                    self.entries[slot] = entry;
                }
            }
        }
        let slot = self.slot(&key);
        if self.entries[slot].steps == Steps::UNKNOWN {
            self.len += 1;
        }
        self.entries[slot] = Entry { key, steps };
    }
}
