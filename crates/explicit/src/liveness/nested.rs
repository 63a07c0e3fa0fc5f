//! Nested depth-first search for a cycle with an accepting step.
//!
//! Paper:    [courcoubetis-et-al92]; that the second search may stop on the path of the first is from
//!           [holzmann-peled-yannakakis96], four colours and detection by the first search from [schwoon-esparza05].
//!           With symmetry and weak fairness: [bosnacki03], Figure 4.
//! Deviates: steps are accepting, not states. Acceptance sets and processes each have a [copy](super::choueka) of the
//!           state space.
//!
//! ```text
//! dfs_blue(s): s becomes cyan
//!              for all steps s -> t:  if t is white: dfs_blue(t)
//!                                     if the step is accepting: if t is cyan: report a cycle
//!                                                               if t is blue: dfs_red(t)
//!              s becomes blue
//! dfs_red(s):  s becomes red
//!              for all steps s -> t:  if t is cyan: report a cycle
//!                                     if t is blue: dfs_red(t)
//! ```
//!
//! Why it is right: the cyan states are those on the path to the state where the first search is, so that what is reported
//! is a cycle, and the accepting step is on it. The second search starts from blue states, and has left behind it
//! nothing but red ones if it reports nothing; what follows a blue state is blue, red or cyan, so what follows a red
//! state is red and stays so. Hence a red state leads to no cyan one, ever. Now let an accepting step s -> t be on a cycle. When
//! the first search has come back from t, or finds it known, s is cyan, so t is not red, and the second search finds the
//! way from t to s, or another cyan state on it: no red state is on that way.
//!
//! With symmetry reduction (a *hunt*), the search goes from state to state of the model, and has seen a state if it has seen another one of its
//! orbit, in the same copy. On the path from a cyan state to one that a permutation makes of it every condition was met, by the processes themselves; with
//! what the permutation makes of that path, and so on, it is a cycle. But what follows a state in a copy is not what follows its image
//! there, for the processes that are waited for have other names: so cycles may be overlooked ([bosnacki03], Theorem 2).

use std::collections::HashSet;

use reductio_model::{Claim, Door, Property};
use reductio_reduce::{CycleSearch, Fairness};

use super::choueka::{Copies, CopyId};
use super::lasso::{Goal, Lasso};
use super::marks::Marks;
use super::product::Move;
use super::walk::{Turn, Walk};
use crate::packed::canonical_states::CanonicalStates;
use crate::packed::key::Key;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Obstacle;
use crate::run::{End, KeysTooLong, Pause, Progress, Run, Trouble, explore_with_growing_keys, repack_all};
use crate::search::Explored;
use crate::store::{Memory, OutOfMemory};

/// Looks for a run that breaks the claim. Fairness is none or weak.
pub(crate) fn check(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    claim: &Claim,
    property: Property,
    mut run: Run<'_, Lasso>,
) -> Result<Explored<Lasso>, KeysTooLong> {
    let ended = explore_growing(system, order, claim, property, &mut run);
    run.finish(ended, |lassos| lassos)
}

fn explore_growing(
    system: &dyn Door,
    order: Option<&PartialOrder<'_>>,
    claim: &Claim,
    property: Property,
    run: &mut Run<'_, Lasso>,
) -> Result<(), End> {
    explore_with_growing_keys!(Search::<1>::new(system, order, claim, property, run)?, run, [2, 4, 8, 16, 64])
}

/// Both searches with keys of `W` words.
struct Search<'m, const W: usize> {
    /// A state is seen with its colours, two bits for each copy, and which of them have all [moves](Colour::full).
    walk: Walk<'m, W>,
    copies: Copies,
    /// In a hunt: states are known by these.
    representatives: Option<CanonicalStates<W>>,
    /// Where the first search is.
    blue: Path<W>,
    /// Where the second search is.
    red: Path<W>,
    /// The innermost state of the first search was not expanded yet.
    entered: bool,
}

/// A state in one of the copies.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place<const W: usize> {
    key: Key<W>,
    copy: CopyId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Not seen yet.
    White,
    /// On the path of the first search.
    Cyan,
    /// Left by the first search.
    Blue,
    /// Seen by the second search.
    Red,
}

impl Colour {
    const BITS: u32 = 2;
    const ALL: [Colour; 4] = [Colour::White, Colour::Cyan, Colour::Blue, Colour::Red];

    /// There is one more bit for each of so many copies.
    const MOST_COPIES_WITH_CHOICES: usize = 21;

    /// The bit that tells that no move was left out there, though some could wait.
    fn full(copy: CopyId) -> u64 {
        1 << (u64::BITS - 1 - u32::from(copy.0))
    }

    fn of(colours: u64, copy: CopyId) -> Colour {
        Colour::ALL[(colours >> (Colour::BITS * u32::from(copy.0)) & 3) as usize]
    }

    /// Is it on the path of the first search, in whichever copy?
    fn is_cyan_somewhere(colours: u64) -> bool {
        (0..Colour::MOST_COPIES_WITH_CHOICES as u8).any(|copy| Colour::of(colours, CopyId(copy)) == Colour::Cyan)
    }

    /// The colours of a state, of which that of one copy is this one.
    fn painted(self, colours: u64, copy: CopyId) -> u64 {
        let shift = Colour::BITS * u32::from(copy.0);
        colours & !(3 << shift) | (self as u64) << shift
    }
}

/// A stack of activation records of the recursion.
struct Path<const W: usize> {
    frames: Vec<Frame<W>>,
    /// The moves still to be made, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Move<W>>,
}

/// One activation record.
#[derive(Clone, Copy)]
struct Frame<const W: usize> {
    place: Place<W>,
    /// Its moves are those of `pending` from here on.
    first_pending: usize,
    /// The event by which it was entered.
    event: u32,
    /// Was the step by which it was entered accepting?
    accepting: bool,
}

impl<const W: usize> Path<W> {
    fn new() -> Self {
        Path { frames: Vec::new(), pending: Vec::new() }
    }

    fn enter(&mut self, place: Place<W>, event: u32, accepting: bool, memory: &Memory) -> Result<(), OutOfMemory> {
        memory.push(&mut self.frames, Frame { place, first_pending: self.pending.len(), event, accepting })
    }

    /// Adds the moves of the innermost state. The last one comes first: it is one of the process that was started last.
    fn add(&mut self, moves: &[Move<W>], memory: &Memory) -> Result<(), OutOfMemory> {
        moves.iter().try_for_each(|next| memory.push(&mut self.pending, *next))
    }

    /// The next move of the innermost state, and the copy in which it starts.
    fn next(&mut self) -> Option<(CopyId, Move<W>)> {
        let frame = self.frames.last()?;
        let is_left = self.pending.len() > frame.first_pending;
        self.pending.pop_if(|_| is_left).map(|next| (frame.place.copy, next))
    }

    fn repack<const V: usize>(self, memory: &Memory, repack: impl Fn(&Key<W>) -> Key<V>) -> Result<Path<V>, End> {
        let frame = |frame: &Frame<W>| {
            let Frame { place: Place { key, copy }, first_pending, event, accepting } = *frame;
            Frame { place: Place { key: repack(&key), copy }, first_pending, event, accepting }
        };
        Ok(Path {
            frames: repack_all(self.frames, memory, frame)?,
            pending: repack_all(self.pending, memory, |next| next.repack(&repack))?,
        })
    }
}

impl<'m, const W: usize> Search<'m, W> {
    fn new(
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        claim: &Claim,
        property: Property,
        run: &mut Run<'_, Lasso>,
    ) -> Result<Self, End> {
        let accepting = Marks::of_edge(claim.violations.all_marks());
        let sets = Copies::new(accepting, 0).len();
        let order = order.filter(|_| sets <= Colour::MOST_COPIES_WITH_CHOICES);
        let most = if order.is_some() { Colour::MOST_COPIES_WITH_CHOICES } else { Copies::MOST };
        let most_processes = (most - sets) as u32;
        let is_fair = run.plan.fairness() == Fairness::Weak;
        let copies = Copies::new(accepting, if is_fair { most_processes } else { 0 });
        Ok(Search {
            walk: Walk::new(system, order, claim, property, most_processes, run)?,
            copies,
            representatives: match run.plan.cycle_search() {
                CycleSearch::Hunt => run.plan.symmetry().cloned().map(CanonicalStates::new),
                CycleSearch::Components | CycleSearch::Nested => None,
            },
            blue: Path::new(),
            red: Path::new(),
            entered: false,
        })
    }

    /// Goes on until every state was seen, a run was found, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Lasso>) -> Result<Progress<Self>, End> {
        while !self.walk.outgrown {
            let paused = self.go_on(run);
            match self.walk.turn(run, paused)? {
                Turn::Done => return Ok(Progress::Done),
                Turn::Repack => self = self.repack::<W>(&run.memory)?,
                Turn::Outgrown => {}
            }
        }
        Ok(Progress::Outgrown(self))
    }

    /// Both searches, until nothing is left or keys must change.
    fn go_on(&mut self, run: &mut Run<'_, Lasso>) -> Result<Pause, End> {
        match self.go_on_red(run).and_then(|()| self.dfs_blue(run)) {
            Ok(()) => Ok(Pause::NoMoreStates),
            Err(Trouble::Obstacle(obstacle)) => {
                self.walk.product.space.prepare_for(obstacle)?;
                Ok(Pause::NewLayout)
            }
            Err(Trouble::End(end)) => Err(end),
        }
    }

    /// The first search. If keys must change, it is as it was before what it could not do.
    fn dfs_blue(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), Trouble> {
        if self.walk.seen.len() == 0 {
            let key = self.walk.product.initial(&run.memory)?;
            self.look_at_representative(run, &key)?;
            self.enter(run, Place { key, copy: CopyId::FIRST }, 0, false)?;
        }
        while let Some(&frame) = self.blue.frames.last() {
            let Frame { place, accepting, event, .. } = frame;
            if self.entered {
                self.expand(run, place)?;
                self.entered = false;
            }
            if let Some((copy, next)) = self.blue.next() {
                self.visit(run, copy, next).inspect_err(|_| {
                    if self.red.frames.is_empty() {
                        self.blue.pending.push(next);
                    }
                })?;
                continue;
            }
            self.blue.frames.pop();
            self.paint(run, place, Colour::Blue)?;
            if accepting {
                self.dfs_red(run, place, event).inspect_err(|_| {
                    if self.red.frames.is_empty() {
                        self.blue.frames.push(frame);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Follows a step of the first search.
    fn visit(&mut self, run: &mut Run<'_, Lasso>, from: CopyId, next: Move<W>) -> Result<(), Trouble> {
        let (copy, accepting) = self.copies.pass(from, next.marks);
        let place = Place { key: next.key, copy };
        match self.colour(run, place)? {
            Colour::White => Ok(self.enter(run, place, next.event, accepting)?),
            Colour::Cyan if accepting => Ok(self.found(run, place, next.event)?),
            Colour::Blue if accepting => self.dfs_red(run, place, next.event),
            Colour::Cyan | Colour::Blue | Colour::Red => Ok(()),
        }
    }

    /// The second search, from a state that the first one has left, to which this event led.
    fn dfs_red(&mut self, run: &mut Run<'_, Lasso>, from: Place<W>, event: u32) -> Result<(), Trouble> {
        self.enter_red(run, from, event)?;
        self.go_on_red(run)
    }

    fn go_on_red(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), Trouble> {
        while !self.red.frames.is_empty() {
            let Some((copy, next)) = self.red.next() else {
                self.red.frames.pop();
                continue;
            };
            let place = Place { key: next.key, copy: self.copies.pass(copy, next.marks).0 };
            match self.colour(run, place)? {
                Colour::White if self.representatives.is_none() => {
                    unreachable!("the first search has left a state without looking at what follows it")
                }
                Colour::Cyan => return Ok(self.found(run, place, next.event)?),
                Colour::White | Colour::Blue => {
                    self.enter_red(run, place, next.event).inspect_err(|_| self.red.pending.push(next))?;
                }
                Colour::Red => {}
            }
        }
        Ok(())
    }

    fn enter(&mut self, run: &mut Run<'_, Lasso>, place: Place<W>, event: u32, accepting: bool) -> Result<(), End> {
        self.paint(run, place, Colour::Cyan)?;
        self.blue.enter(place, event, accepting, &run.memory)?;
        run.depth = run.depth.max(self.blue.frames.len() as u64 - 1);
        self.entered = true;
        Ok(())
    }

    /// Adds the moves of the state that the first search has just entered.
    fn expand(&mut self, run: &mut Run<'_, Lasso>, place: Place<W>) -> Result<(), Trouble> {
        if run.gains_nothing() {
            self.walk.product.expander.stop_choosing();
        }
        if self.walk.expand(run, &place.key)? {
            let path = self.blue.frames.iter().skip(1).map(|frame| frame.event).collect();
            return self.found_decision(run, path).map_err(Trouble::End);
        }
        self.look_at_representatives(run)?;
        self.leave_out_what_can_wait(run, place).map_err(Trouble::Obstacle)?;
        run.totals.transitions += self.walk.moves.len() as u64;
        self.blue.add(&self.walk.moves, &run.memory).map_err(|full| Trouble::End(full.into()))
    }

    /// Where some moves are enough, the others are left out: unless one of those leads back to the path of the first search,
    /// so that the others could be put off forever. The second search must choose the same.
    ///
    /// Paper:    [clarke-grumberg-peled], section 10.5.2, condition C3'; [holzmann-peled-yannakakis96].
    fn leave_out_what_can_wait(&mut self, run: &mut Run<'_, Lasso>, place: Place<W>) -> Result<(), Obstacle> {
        if !self.walk.moves.iter().any(|next| next.can_wait) {
            return Ok(());
        }
        let is_stepwise = run.plan.fairness() != Fairness::None;
        let Walk { product, moves, seen, .. } = &mut self.walk;
        let closes_cycle = match is_stepwise {
            // A move may lead into an `atomic`, and on to any copy.
            true => {
                let is_cyan = |key: &Key<W>| seen.get(key).is_some_and(Colour::is_cyan_somewhere);
                !product.who_leads_to(moves, &run.memory, is_cyan)?.is_empty()
            }
            false => moves.iter().filter(|next| !next.can_wait).any(|next| {
                let copy = self.copies.pass(place.copy, next.marks).0;
                seen.get(&next.key).is_some_and(|colours| Colour::of(colours, copy) == Colour::Cyan)
            }),
        };
        if closes_cycle {
            let colours = seen.get(&place.key).unwrap_or(0);
            seen.set(&place.key, colours | Colour::full(place.copy));
        } else {
            moves.retain(|next| !next.can_wait);
            run.totals.reduced += 1;
        }
        Ok(())
    }

    /// Only in a hunt can the keys be in the way: otherwise the state was expanded before.
    fn enter_red(&mut self, run: &mut Run<'_, Lasso>, place: Place<W>, event: u32) -> Result<(), Trouble> {
        let decided = self.walk.expand(run, &place.key)?;
        debug_assert!(!decided || self.representatives.is_some(), "the first search would have ended here");
        self.look_at_representatives(run)?;
        self.paint(run, place, Colour::Red)?;
        if self.walk.seen.get(&place.key).is_none_or(|colours| colours & Colour::full(place.copy) == 0) {
            self.walk.moves.retain(|next| !next.can_wait);
        }
        run.totals.transitions += self.walk.moves.len() as u64;
        self.red.enter(place, event, false, &run.memory)?;
        Ok(self.red.add(&self.walk.moves, &run.memory)?)
    }

    /// Sees to it that the representatives of the moves can be told.
    fn look_at_representatives(&mut self, run: &Run<'_, Lasso>) -> Result<(), Trouble> {
        if self.representatives.is_some() {
            for place in 0..self.walk.moves.len() {
                let key = self.walk.moves[place].key;
                self.look_at_representative(run, &key)?;
            }
        }
        Ok(())
    }

    fn look_at_representative(&mut self, run: &Run<'_, Lasso>, key: &Key<W>) -> Result<Key<W>, Trouble> {
        let Some(representatives) = &mut self.representatives else { return Ok(*key) };
        let product = &mut self.walk.product;
        let processes = product.process_count(key);
        representatives.get(&product.space, key, processes, &run.memory).map_err(Trouble::Obstacle)
    }

    /// The key by which a state is known.
    fn known_as(&mut self, run: &Run<'_, Lasso>, key: &Key<W>) -> Result<Key<W>, OutOfMemory> {
        // It was looked at before, so that nothing but a lack of memory can be in the way.
        self.look_at_representative(run, key).map_err(|_| OutOfMemory)
    }

    fn colour(&mut self, run: &Run<'_, Lasso>, place: Place<W>) -> Result<Colour, OutOfMemory> {
        let key = self.known_as(run, &place.key)?;
        Ok(self.walk.seen.get(&key).map_or(Colour::White, |colours| Colour::of(colours, place.copy)))
    }

    fn paint(&mut self, run: &mut Run<'_, Lasso>, place: Place<W>, colour: Colour) -> Result<(), OutOfMemory> {
        let key = self.known_as(run, &place.key)?;
        match self.walk.seen.get_or_insert(&key, colour.painted(0, place.copy), &run.memory)? {
            Some(colours) => self.walk.seen.set(&key, colour.painted(colours, place.copy)),
            // The same state in another copy is no other state.
            None => run.totals.states += u64::from(self.walk.product.is_read(&place.key)),
        }
        Ok(())
    }

    /// A step leads back to a place on the path of the first search: on by that path, and if there is a second search
    /// by its path. All states on the way are on one cycle, which bears all marks.
    fn found(&mut self, run: &mut Run<'_, Lasso>, back: Place<W>, event: u32) -> Result<(), End> {
        if self.representatives.is_some() {
            return self.found_fragment(run, back, event);
        }
        let from = self.blue.frames.iter().position(|frame| frame.place == back).unwrap_or(0);
        let frames = self.blue.frames[from..].iter().chain(&self.red.frames);
        let states: HashSet<Key<W>> = frames.map(|frame| frame.place.key).collect();
        self.walk.found(run, Goal::new(states, self.walk.product.required()))
    }

    /// What a hunt finds: a path from a state to one that a permutation makes of it.
    fn found_fragment(&mut self, run: &mut Run<'_, Lasso>, back: Place<W>, event: u32) -> Result<(), End> {
        let goal = self.known_as(run, &back.key)?;
        let mut from = 0;
        for (index, Frame { place, .. }) in self.blue.frames.clone().into_iter().enumerate() {
            if place.copy == back.copy && self.known_as(run, &place.key)? == goal {
                from = index;
            }
        }
        let events = |frames: &[Frame<W>]| frames.iter().map(|frame| frame.event).collect::<Vec<u32>>();
        let stem = events(self.blue.frames.get(1..=from).unwrap_or_default());
        let mut cycle = events(&self.blue.frames[from + 1..]);
        cycle.extend(events(&self.red.frames));
        cycle.push(event);
        self.walk.record(run, Lasso { stem, cycle })
    }

    /// Every run that begins with these events is accepted.
    fn found_decision(&mut self, run: &mut Run<'_, Lasso>, path: Vec<u32>) -> Result<(), End> {
        match self.representatives {
            // The shortest way may lead over states that were seen only as images.
            Some(_) => self.walk.record(run, Lasso { stem: path, cycle: Vec::new() }),
            None => self.walk.found_decision(run, path),
        }
    }

    /// The same search with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(self, memory: &Memory) -> Result<Search<'m, V>, End> {
        let (walk, repacking) = self.walk.repack::<V>(memory)?;
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        Ok(Search {
            walk,
            copies: self.copies,
            representatives: self.representatives.map(|known| CanonicalStates::new(known.forget(memory))),
            blue: self.blue.repack(memory, repack)?,
            red: self.red.repack(memory, repack)?,
            entered: self.entered,
        })
    }
}
