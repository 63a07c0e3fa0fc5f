//! From a key to the keys of its successors: remembered where possible, asked for through the door otherwise.

use std::sync::Arc;

#[cfg(debug_assertions)]
use reductio_model::Interpreter;
use reductio_model::component::{exclusive, process_count};
use reductio_model::{AtomId, Door, InvariantId, Part, Possible, State, Step, Tried};
use reductio_reduce::facts::ProcessState;
use reductio_reduce::facts::symmetry::FoundSymmetry;
use reductio_reduce::on_the_fly::Processes;
use reductio_reduce::on_the_fly::symmetry::Permutation;

use super::canonical_states::CanonicalStates;
use super::key::Key;
use super::layout::{COUNTS, ComponentId, Layout, RIGHTS};
use super::loader::Loader;
pub(crate) use super::memo::Next;
use super::memo::{Context, Delta, FaultyStep, Memo, Mode, Note, REVIEW};
use super::selector::{PartialOrder, Selector, Situation};
use super::space::{Obstacle, Space, read};
use crate::atomic_sequences::RUNS_ON;
use crate::coverage::Coverage;
use crate::store::Memory;

/// What one thread needs to expand states.
pub(crate) struct Expander<'m, const W: usize> {
    system: &'m dyn Door,
    loader: Loader<'m>,
    loaded: Option<Key<W>>,
    /// Does it run on through an `atomic`?
    runs_on: bool,
    memo: Memo<W>,
    pub coverage: Coverage,
    /// What the memo had taken of the memory when it was last reviewed.
    memo_bytes: usize,
    /// How much it has learnt from others since the memo was reviewed.
    learnt: usize,
    /// By number of the rights' value: who alone may move.
    rights: Vec<Option<u8>>,
    /// By number of the counts' value: how many processes there are.
    process_counts: Vec<u8>,
    /// Chooses among the processes, if not all steps are to be taken.
    selector: Option<Selector<'m>>,
    /// Replaces what is reached by what stands for it, if processes can be exchanged.
    representatives: Option<CanonicalStates<W>>,
    /// How the states that were reached last became their representatives, if that is to be noted.
    exchanges: Option<Vec<Option<Permutation>>>,
    scratch: Scratch<W>,
}

/// Buffers that are reused from state to state.
struct Scratch<const W: usize> {
    possible: Possible,
    changed: Vec<ComponentId>,
    value: Vec<u8>,
    deltas: Vec<Delta<W>>,
}

/// A memo of so many bytes does not stay in the processor's caches.
const LARGE_MEMO: usize = 1 << 19;
/// The memo may take this part of the memory that is free, and is emptied when it would take more.
const SHARE_OF_MEMO: u64 = 4;

impl<'m, const W: usize> Expander<'m, W> {
    /// One that takes every step by itself, also in the middle of an `atomic`.
    pub fn stepwise(system: &'m dyn Door) -> Expander<'m, W> {
        Expander { runs_on: false, ..Expander::new(system, false) }
    }

    /// `tells` says that there are other expanders that are to be [told](Expander::learn) what is worked out.
    pub fn new(system: &'m dyn Door, tells: bool) -> Expander<'m, W> {
        Expander {
            system,
            loader: Loader::new(system.model()),
            loaded: None,
            runs_on: true,
            memo: Memo::new(tells),
            coverage: Coverage::default(),
            memo_bytes: 0,
            learnt: 0,
            rights: Vec::new(),
            process_counts: Vec::new(),
            selector: None,
            representatives: None,
            exchanges: None,
            scratch: Scratch {
                possible: Possible::default(),
                changed: Vec::new(),
                value: Vec::new(),
                deltas: Vec::new(),
            },
        }
    }

    /// The same, which tells [which processes](Expander::chosen) are enough, if there is a partial order.
    pub fn choosing(self, order: Option<&'m PartialOrder<'m>>) -> Expander<'m, W> {
        Expander { selector: order.map(Selector::new), ..self }
    }

    /// The same, which replaces the states that it reaches by their representatives, if processes can be exchanged.
    pub fn exchanging(self, found: Option<&Arc<FoundSymmetry>>) -> Expander<'m, W> {
        Expander { representatives: found.map(|found| CanonicalStates::new(found.clone())), ..self }
    }

    /// Replaces `out` by what can happen next in a state: its [events](crate::atomic_sequences). When there is an obstacle,
    /// nothing is lost: the state can be expanded again once it is out of the way.
    pub fn expand(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        memory: &Memory,
        out: &mut Vec<Next<W>>,
    ) -> Result<(), Obstacle> {
        out.clear();
        if self.memo.tick() {
            self.review(memory);
        }
        let notes = self.step(space, key, memory, out)?;
        if notes != Note::PLAIN {
            if self.runs_on && out.iter().any(|next| !self.is_stable(next.note)) {
                self.run_on(space, memory, out)?;
            }
            // A step that goes wrong, or of which only the beginning is known, is not to hide others. Step by step, what
            // matters to a process is what matters to all of its `atomic`, or not known.
            if self.runs_on || out.iter().any(|next| next.note.is_fault()) {
                self.forget_situations();
            }
        }
        #[cfg(debug_assertions)]
        if self.runs_on && self.memo.is_time_to_check() {
            self.check(space, key, out);
        }
        self.replace(space, memory, out)
    }

    /// The same, which notes how states become their representatives.
    pub fn noting_exchanges(self) -> Expander<'m, W> {
        Expander { exchanges: Some(Vec::new()), ..self }
    }

    /// How the states that were reached last became their representatives, if it is noted; `None` is one that is its own.
    pub fn exchanges(&self) -> Option<&[Option<Permutation>]> {
        self.exchanges.as_deref()
    }

    /// Replaces states by their representatives.
    #[inline(always)]
    fn replace(&mut self, space: &Space<'m>, memory: &Memory, out: &mut [Next<W>]) -> Result<(), Obstacle> {
        let Some(mut representatives) = self.representatives.take() else { return Ok(()) };
        let mut replaced = Ok(());
        self.exchanges.iter_mut().for_each(Vec::clear);
        for next in out {
            let processes = self.process_count(space, &next.key);
            let found = match &mut self.exchanges {
                None => representatives.get(space, &next.key, processes, memory),
                Some(exchanges) => {
                    let found = representatives.get_exchanged(space, &next.key, processes, memory);
                    found.map(|(representative, exchange)| {
                        exchanges.push(exchange);
                        representative
                    })
                }
            };
            match found {
                Ok(representative) => {
                    #[cfg(debug_assertions)]
                    if representative != next.key && representatives.is_time_to_check() {
                        let [state, reached] = [next.key, representative].map(|key| self.state(space, &key).clone());
                        let symmetry = &representatives.found().symmetry;
                        super::canonical_states::check(
                            &Interpreter::new(space.system.model()),
                            symmetry,
                            &state,
                            &reached,
                        );
                    }
                    next.key = representative;
                }
                Err(obstacle) => {
                    replaced = Err(obstacle);
                    break;
                }
            }
        }
        self.representatives = Some(representatives);
        replaced
    }

    /// The processes whose steps are enough in the state that was expanded last, to these successors.
    #[inline(always)]
    pub fn chosen(&mut self, space: &Space<'m>, key: &Key<W>, successors: &[Next<W>]) -> Processes {
        self.chosen_without(Processes::NONE, space, key, successors)
    }

    /// The same, where none of these may be among those who move.
    #[inline(always)]
    pub fn chosen_without(
        &mut self,
        barred: Processes,
        space: &Space<'m>,
        key: &Key<W>,
        successors: &[Next<W>],
    ) -> Processes {
        match &self.selector {
            Some(selector) if selector.situations.len() > 1 => self.choose(barred, space, key, successors),
            _ => Processes::ALL,
        }
    }

    /// Those of the processes that depend on what a process can do in the state that was expanded last.
    pub fn dependent(&mut self, pid: usize, movers: Processes) -> Processes {
        self.selector.as_mut().map_or(Processes::ALL, |selector| selector.dependent(pid, movers))
    }

    fn choose(&mut self, barred: Processes, space: &Space<'m>, key: &Key<W>, successors: &[Next<W>]) -> Processes {
        let Some(mut selector) = self.selector.take() else { return Processes::ALL };
        let count = selector.situations.len();
        let mut movers = Processes::NONE;
        let mut chosen = Processes::ALL;
        if count <= Processes::MOST {
            successors.iter().for_each(|next| movers.insert(next.pid as usize));
        }
        if movers.len() > 1 {
            let frames = || space.layout.process_fields()[..count].iter().map(|&field| key.get(field));
            while let Some((pid, frame)) = selector.look_up_futures(frames()) {
                self.load(space, key);
                selector.learn_future(&self.loader.workspace, pid, frame);
            }
            chosen = selector.choose(movers, barred);
        }
        let exempt = &selector.order.exempt;
        if chosen != Processes::ALL && !exempt.is_empty() && exempt.contains(&self.bytes(space, key)) {
            chosen = Processes::ALL;
        }
        self.selector = Some(selector);
        #[cfg(debug_assertions)]
        if chosen != Processes::ALL && self.memo.is_time_to_check() {
            let bytes = self.bytes(space, key);
            if let Some(selector) = &self.selector {
                let interpreter = Interpreter::new(space.system.model());
                crate::independence::check(&interpreter, &bytes, selector.order.facts(), chosen, key.hash());
            }
        }
        chosen
    }

    /// From now on, all steps are taken: nothing was gained by choosing.
    pub fn stop_choosing(&mut self) {
        self.selector = None;
    }

    /// What matters in the state that was expanded last, to be [restored](Expander::restore_situations) when others have been expanded.
    pub fn keep_situations(&mut self) -> Vec<Situation> {
        self.selector.as_mut().map_or_else(Vec::new, |selector| std::mem::take(&mut selector.situations))
    }

    pub fn restore_situations(&mut self, situations: Vec<Situation>) {
        if let Some(selector) = &mut self.selector {
            selector.situations = situations;
        }
    }

    fn forget_situations(&mut self) {
        if let Some(selector) = &mut self.selector {
            selector.situations.clear();
        }
    }

    /// Does the interpreter see the same events? What is remembered must be what it would answer now.
    #[cfg(debug_assertions)]
    fn check(&mut self, space: &Space<'m>, key: &Key<W>, out: &[Next<W>]) {
        let state = self.bytes(space, key);
        let mut remembered = out.iter();
        crate::atomic_sequences::each_event(&Interpreter::new(space.system.model()), &state, |event| {
            let next = remembered.next().expect("the interpreter sees an event that is not remembered");
            assert_eq!(next.note.is_fault(), event.faulty, "what is remembered goes wrong where it should not, or not");
            let leads_somewhere = !event.faulty || !self.memo.fault(next.note).leads_nowhere;
            if leads_somewhere {
                let reached = self.bytes(space, &next.key);
                assert_eq!(event.state, Some(&reached[..]), "what is remembered leads elsewhere");
            }
            true
        });
        assert!(remembered.next().is_none(), "the interpreter does not see an event that is remembered");
    }

    /// Has what will be remembered about a state fetched, if that pays: as long as the memo is small, it is at hand.
    #[inline(always)]
    pub fn prefetch(&self, space: &Space<'m>, key: &Key<W>) {
        if self.memo_bytes < LARGE_MEMO {
            return;
        }
        let counts = space.layout.component(COUNTS).number(key) as usize;
        for pid in 0..self.process_counts.get(counts).copied().unwrap_or(0) {
            let frame = key.get(space.layout.process_field(pid));
            self.memo.prefetch(pid, Mode::Free, frame, key);
        }
    }

    /// Replaces steps after which one process alone may move by what it does then.
    fn run_on(&mut self, space: &Space<'m>, memory: &Memory, out: &mut Vec<Next<W>>) -> Result<(), Obstacle> {
        let steps = std::mem::take(out);
        let mut onward = Vec::new();
        for step in steps {
            let mut budget = RUNS_ON;
            // The next one is at the end.
            let mut pending = vec![step];
            while let Some(next) = pending.pop() {
                if self.is_stable(next.note) {
                    out.push(next);
                    continue;
                }
                if next.note.is_fault() {
                    out.push(next);
                }
                if budget == 0 {
                    out.push(Next { note: Note::UNSTABLE, ..next });
                    continue;
                }
                budget -= 1;
                onward.clear();
                self.step(space, &next.key, memory, &mut onward)?;
                pending.extend(onward.iter().rev().map(|onward| Next { pid: step.pid, ..*onward }));
            }
        }
        Ok(())
    }

    /// Does the step lead to a state in which anybody may move, or to none?
    fn is_stable(&self, note: Note) -> bool {
        note == Note::PLAIN || (note.is_fault() && self.memo.fault(note).stable)
    }

    /// Appends the states that are one step away, in the interpreter's order. The answer is plain if all their notes
    /// are.
    fn step(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        memory: &Memory,
        out: &mut Vec<Next<W>>,
    ) -> Result<Note, Obstacle> {
        self.forget_situations();
        if let Some(pid) = self.exclusive(space, key) {
            return self.steps_of(space, key, pid, Mode::Exclusive, memory, out).map(|(notes, _)| notes);
        }
        let before = out.len();
        let count = self.process_count(space, key) as usize;
        let frames = &space.layout.process_fields()[..count];
        let mut notes = Note::PLAIN;
        for mode in [Mode::Free, Mode::Timeout] {
            let mut pid = 0;
            while pid < count {
                let situations = self.selector.as_mut().map(|selector| &mut selector.situations);
                let (unknown, known) = self.memo.append(mode, pid, frames, key, out, situations);
                notes = notes.or(known);
                if unknown < count {
                    let (note, situation) = self.steps_of(space, key, unknown as u8, mode, memory, out)?;
                    notes = notes.or(note);
                    if let Some(selector) = &mut self.selector {
                        selector.situations.push(situation);
                    }
                }
                pid = unknown + 1;
            }
            // What becomes possible when nothing else is depends on everything.
            if mode == Mode::Timeout || out.len() == before {
                self.forget_situations();
            }
            if out.len() > before {
                break;
            }
        }
        Ok(notes)
    }

    pub fn fault(&self, note: Note) -> &FaultyStep {
        self.memo.fault(note)
    }

    /// The state of a key.
    pub fn state(&mut self, space: &Space<'m>, key: &Key<W>) -> &State {
        self.load(space, key);
        self.loader.workspace.state()
    }

    /// The state of a key, as bytes that do not depend on how this search has numbered values.
    pub fn bytes(&mut self, space: &Space<'m>, key: &Key<W>) -> Vec<u8> {
        space.system.bytes_of(self.state(space, key))
    }

    /// Replaces `out` by all steps that are possible in the state of a key.
    pub fn possible_steps(&mut self, space: &Space<'m>, key: &Key<W>, out: &mut Vec<Step>) {
        self.load_unobserved(space, key);
        space.system.possible_steps(&self.loader.workspace, out);
    }

    /// May a run that cannot go on rest in the state of a key?
    pub fn may_end(&mut self, space: &Space<'m>, key: &Key<W>) -> bool {
        self.load_unobserved(space, key);
        space.system.may_end(&self.loader.workspace)
    }

    /// Does the invariant hold? One that cannot be evaluated does not.
    pub fn meets(&mut self, space: &Space<'m>, key: &Key<W>, invariant: InvariantId) -> bool {
        self.load_unobserved(space, key);
        let atom = space.system.model().invariant(invariant).atom;
        space.system.atom_holds(&self.loader.workspace, atom) == Ok(true)
    }

    /// Which of the atoms hold, as bits in their order, and the components on which that depends. One that cannot be
    /// evaluated does not hold.
    pub fn valuation(&mut self, space: &Space<'m>, key: &Key<W>, atoms: &[AtomId]) -> Result<(u64, Key<W>), Obstacle> {
        self.load(space, key);
        self.loader.workspace.observe(true);
        let holds = |atom: &AtomId| space.system.atom_holds(&self.loader.workspace, *atom) == Ok(true);
        let bits = atoms.iter().enumerate().fold(0, |bits, (place, atom)| bits | u64::from(holds(atom)) << place);
        let mut mask = Key::ZERO;
        for &part in self.loader.workspace.touched().iter() {
            mask.cover(space.layout.field(space.layout.of_part(part).map_err(Obstacle::Missing)?));
        }
        Ok((bits, mask))
    }

    /// May anybody move, and not only one process in the middle of an `atomic`?
    pub fn is_free(&mut self, space: &Space<'m>, key: &Key<W>) -> bool {
        self.exclusive(space, key).is_none()
    }

    #[inline(always)]
    fn steps_of(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        pid: u8,
        mode: Mode,
        memory: &Memory,
        out: &mut Vec<Next<W>>,
    ) -> Result<(Note, Situation), Obstacle> {
        let frame = key.get(space.layout.process_field(pid));
        let steps = self.memo.find(pid, mode, frame, key);
        if !steps.are_known() {
            let remember = !steps.are_hopeless();
            return self.work_out(space, key, pid, mode, frame, remember, memory, out);
        }
        Ok((append(key, pid, self.memo.deltas(steps), out), self.memo.situation(steps)))
    }

    fn load(&mut self, space: &Space<'m>, key: &Key<W>) {
        // One process after the other is asked in the same state.
        if self.loaded != Some(*key) {
            self.loader.load(&space.layout, &space.values, key);
            self.loaded = Some(*key);
        }
    }

    /// Loads a state that is asked about without remembering the answer. What nobody wants to know is not noted: nobody would
    /// ever forget it.
    fn load_unobserved(&mut self, space: &Space<'m>, key: &Key<W>) {
        self.load(space, key);
        self.loader.workspace.observe(false);
    }

    /// Asks through the door, and remembers the answer if that may pay.
    #[cold]
    #[expect(clippy::too_many_arguments, reason = "one call, from the function above")]
    fn work_out(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        pid: u8,
        mode: Mode,
        frame: u32,
        remember: bool,
        memory: &Memory,
        out: &mut Vec<Next<W>>,
    ) -> Result<(Note, Situation), Obstacle> {
        self.load(space, key);
        let location = self.loader.workspace.state().processes[pid as usize].location;
        let remember = remember && !self.memo.is_hopeless(pid, mode, frame, location);
        self.loader.workspace.observe(remember);
        self.ask(space, key, pid, mode == Mode::Timeout, memory)?;
        let mut deltas = std::mem::take(&mut self.scratch.deltas);
        let mut situation = if remember { self.situation(space, pid, &deltas) } else { Situation::UNKNOWN };
        if remember {
            let mut mask = mask(&space.layout, &self.loader.workspace.touched(), pid)?;
            let enters_atomic = mode != Mode::Exclusive && deltas.iter().any(|delta| delta.note == Note::UNSTABLE);
            if enters_atomic && (self.runs_on || self.selector.is_some()) {
                let composed = match self.memo.composes(pid, mode, location) {
                    true => self.compose(space, key, &deltas, &mut mask, &mut situation, memory)?,
                    false => None,
                };
                match composed {
                    Some(composed) if self.runs_on => deltas = composed,
                    Some(_) => {}
                    None => situation = Situation::UNKNOWN,
                }
            }
            let alone = mask == space.layout.process_mask(pid);
            self.memo.insert(Context { pid, mode, frame, location, key: *key, mask, alone }, &deltas, situation);
        }
        let notes = append(key, pid, &deltas, out);
        self.scratch.deltas = deltas;
        Ok((notes, situation))
    }

    /// What matters to a process whose steps were just worked out.
    fn situation(&mut self, space: &Space<'m>, pid: u8, deltas: &[Delta<W>]) -> Situation {
        let Some(selector) = &self.selector else { return Situation::UNKNOWN };
        let goes_on = |index: usize| deltas[index].note == Note::UNSTABLE;
        let here = ProcessState { system: space.system, workspace: &self.loader.workspace, pid };
        selector.order.situation(here, self.scratch.possible.steps(), &goes_on)
    }

    /// Runs on from steps after which one process alone may move, until anybody may, and adds to the mask what
    /// that depends on: then the whole `atomic` can be remembered as one step. `None` where something goes wrong on the
    /// way, or it is too long.
    fn compose(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        steps: &[Delta<W>],
        mask: &mut Key<W>,
        situation: &mut Situation,
        memory: &Memory,
    ) -> Result<Option<Vec<Delta<W>>>, Obstacle> {
        let mut composed = Vec::new();
        let mut union = *mask;
        let mut situations = vec![*situation];
        for &step in steps {
            let mut budget = RUNS_ON;
            let mut pending = vec![step];
            while let Some(Delta { difference, note }) = pending.pop() {
                if note == Note::PLAIN {
                    composed.push(Delta { difference, note });
                    continue;
                }
                if note.is_fault() || budget == 0 {
                    return Ok(None);
                }
                budget -= 1;
                let here = key.plus(&difference);
                let Some(pid) = self.exclusive(space, &here) else {
                    unreachable!("one process alone may move in an unstable state")
                };
                let frame = here.get(space.layout.process_field(pid));
                let mut steps = self.memo.find(pid, Mode::Exclusive, frame, &here);
                if !steps.are_known() && !steps.are_hopeless() {
                    self.work_out(space, &here, pid, Mode::Exclusive, frame, true, memory, &mut Vec::new())?;
                    steps = self.memo.find(pid, Mode::Exclusive, frame, &here);
                }
                if !steps.are_known() {
                    return Ok(None);
                }
                situations.push(self.memo.situation(steps));
                let others = self.memo.mask(pid, Mode::Exclusive, frame);
                union = union.union(&space.layout.process_mask(pid)).union(&others);
                let onward = self.memo.deltas(steps).iter().rev();
                pending.extend(
                    onward.map(|delta| Delta { difference: difference.plus(&delta.difference), note: delta.note }),
                );
            }
        }
        *mask = union;
        if let Some(selector) = &self.selector {
            *situation = selector.order.joined(&situations);
        }
        Ok(Some(composed))
    }

    /// The steps of a process as differences of keys, in `scratch.deltas`.
    fn ask(
        &mut self,
        space: &Space<'m>,
        key: &Key<W>,
        pid: u8,
        timeout: bool,
        memory: &Memory,
    ) -> Result<(), Obstacle> {
        let Scratch { possible, changed, value, deltas } = &mut self.scratch;
        deltas.clear();
        space.system.ask(&mut self.loader.workspace, pid, timeout, possible, |tried| {
            self.coverage.mark(tried.executed);
            let ends = tried.state().is_none();
            let stable = tried.stable;
            let leads_nowhere = ends || (self.runs_on && !stable);
            let difference = difference(space, key, &tried, changed, value, memory)?;
            let note = match tried.fault {
                Some(fault) => self.memo.note_fault(FaultyStep { fault, stable, leads_nowhere }),
                None if stable => Note::PLAIN,
                None => Note::UNSTABLE,
            };
            deltas.push(Delta { difference, note });
            Ok(())
        })
    }

    /// Remembers what another one worked out since it last forgot its news. Whoever has little work of its own keeps within bounds, too.
    pub fn learn(&mut self, other: &Self, memory: &Memory) {
        self.learnt += self.memo.learn(&other.memo);
        if self.learnt >= REVIEW as usize {
            self.learnt = 0;
            self.review(memory);
        }
    }

    pub fn forget_news(&mut self) {
        self.memo.forget_news();
    }

    /// Keeps the memo within bounds, and tells the memory what it takes.
    fn review(&mut self, memory: &Memory) {
        // What is left out must depend on the state alone, and not on what happened to be remembered.
        if self.selector.is_none() {
            self.memo.give_up_what_does_not_pay();
        }
        let bytes = self.memo.bytes();
        let more = bytes.saturating_sub(self.memo_bytes);
        let too_much = bytes as u64 > memory.available() / SHARE_OF_MEMO || memory.reserve(more).is_err();
        if too_much {
            self.memo.forget();
            memory.release(self.memo_bytes);
            self.memo_bytes = 0;
        } else {
            memory.release(self.memo_bytes.saturating_sub(bytes));
            self.memo_bytes = bytes;
        }
    }

    /// The same expander for another layout.
    pub fn repack<const V: usize>(mut self, memory: &Memory) -> Expander<'m, V> {
        memory.release(self.memo_bytes);
        self.loader.forget();
        let found = self.representatives.take().map(|representatives| representatives.forget(memory));
        let (loader, runs_on, memo, coverage) = (self.loader, self.runs_on, self.memo.repack(), self.coverage);
        let (selector, exchanges) = (self.selector, self.exchanges);
        Expander { loader, runs_on, memo, coverage, selector, exchanges, ..Expander::new(self.system, false) }
            .exchanging(found.as_ref())
    }

    /// Who alone may move, in the middle of an `atomic`.
    #[inline(always)]
    pub fn exclusive(&mut self, space: &Space<'m>, key: &Key<W>) -> Option<u8> {
        let number = space.layout.component(RIGHTS).number(key) as usize;
        match self.rights.get(number) {
            Some(known) => *known,
            None => self.look_up_rights(space).0[number],
        }
    }

    #[inline(always)]
    pub fn process_count(&mut self, space: &Space<'m>, key: &Key<W>) -> u8 {
        let number = space.layout.component(COUNTS).number(key) as usize;
        match self.process_counts.get(number) {
            Some(known) => *known,
            None => self.look_up_rights(space).1[number],
        }
    }

    /// Looks up all values of rights and counts.
    #[cold]
    fn look_up_rights(&mut self, space: &Space<'m>) -> (&[Option<u8>], &[u8]) {
        let rights = read(&space.values[RIGHTS.index()]);
        let counts = read(&space.values[COUNTS.index()]);
        // Number zero is never used: both are always there.
        self.rights = vec![None];
        self.rights.extend((1..=rights.count()).map(|number| exclusive(rights.get(number))));
        self.process_counts = vec![0];
        self.process_counts.extend((1..=counts.count()).map(|number| process_count(counts.get(number))));
        (&self.rights, &self.process_counts)
    }
}

/// Appends what the steps lead to. The answer is plain if all their notes are.
#[inline(always)]
fn append<const W: usize>(key: &Key<W>, pid: u8, deltas: &[Delta<W>], out: &mut Vec<Next<W>>) -> Note {
    out.extend(deltas.iter().map(|delta| Next { key: key.plus(&delta.difference), note: delta.note, pid }));
    deltas.iter().fold(Note::PLAIN, |notes, delta| notes.or(delta.note))
}

/// What a step changes in the key: nothing if it leads to no state.
fn difference<const W: usize>(
    space: &Space<'_>,
    key: &Key<W>,
    tried: &Tried<'_>,
    changed: &mut Vec<ComponentId>,
    value: &mut Vec<u8>,
    memory: &Memory,
) -> Result<Key<W>, Obstacle> {
    let Some(state) = tried.state() else { return Ok(Key::ZERO) };
    changed.clear();
    for part in tried.written() {
        let id = space.layout.of_part(part).map_err(Obstacle::Missing)?;
        if !changed.contains(&id) {
            changed.push(id);
        }
    }
    let mut difference = Key::ZERO;
    let mut too_narrow = false;
    for &id in &*changed {
        let component = space.layout.component(id);
        match space.number(id, state, value, memory) {
            Ok(number) => difference.change(component.field, component.number(key), number),
            // The others are numbered all the same, so that keys are packed anew once for all of them.
            Err(Obstacle::TooNarrow) => too_narrow = true,
            Err(obstacle) => return Err(obstacle),
        }
    }
    if too_narrow { Err(Obstacle::TooNarrow) } else { Ok(difference) }
}

/// The fields of the components that were touched. Who alone may move is told by pid and mode, so it need not be
/// looked at again.
fn mask<const W: usize>(layout: &Layout, touched: &[Part], pid: u8) -> Result<Key<W>, Obstacle> {
    let mut mask = layout.process_mask(pid);
    for &part in touched {
        if part != Part::Rights {
            mask.cover(layout.field(layout.of_part(part).map_err(Obstacle::Missing)?));
        }
    }
    Ok(mask)
}
