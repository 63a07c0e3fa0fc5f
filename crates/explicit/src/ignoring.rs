//! Is a step put off for ever? A look at the graph that a search with partial orders left behind.
//!
//! Paper:    [valmari89], [clarke-grumberg-peled] section 10.3, condition C3, [peled93] Theorem 4.6: for properties of states and steps it is enough
//!           that a step which is left out is taken somewhere ahead.
//! Deviates: what is ahead of every state in the end is a component without exits. There, a process that can move and
//!           is never chosen can move in every state, for those that are chosen are independent of it. So it is enough to
//!           take all steps in one of its states.
//!
//! Which steps are left out depends on the state alone, so the graph need not be kept: it is walked again, by Tarjan's
//! algorithm.

use reductio_model::{Interpreter, Limit};
use reductio_reduce::on_the_fly::Processes;

use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Space;
use crate::run::{End, Pause, Progress, Run, Stop, Trouble, explore_with_growing_keys};
use crate::store::Memory;
use crate::store::numbered::Numbered;

/// States in which all steps are to be taken, as the interpreter writes them: one of every component where some process
/// is ignored.
pub(crate) fn find(
    interpreter: &Interpreter<'_>,
    order: &PartialOrder<'_>,
    mut run: Run<'_, ()>,
) -> Result<Vec<Vec<u8>>, Limit> {
    let mut found = Vec::new();
    match walk(interpreter, order, &mut run, &mut found) {
        Ok(()) | Err(End::Stop(Stop::EverythingFound | Stop::EnoughSeen)) => Ok(found),
        Err(End::Stop(Stop::Limit(limit))) => Err(limit),
        Err(End::Stop(Stop::OutOfMemory)) => Err(run.out_of_memory()),
        Err(End::KeysTooLong) => Err(Limit::StatesTooLong),
    }
}

fn walk(
    interpreter: &Interpreter<'_>,
    order: &PartialOrder<'_>,
    run: &mut Run<'_, ()>,
    found: &mut Vec<Vec<u8>>,
) -> Result<(), End> {
    explore_with_growing_keys!(Walk::<1>::new(interpreter, order, run, found)?, run, [2, 4, 8, 16, 64])
}

/// The walk with keys of `W` words.
struct Walk<'m, 'f, const W: usize> {
    found: &'f mut Vec<Vec<u8>>,
    space: Space<'m>,
    expander: Expander<'m, W>,
    /// Where each state was put in `live`.
    numbers: Numbered<W>,
    /// The states of components that are not complete yet, in the order in which they were entered.
    live: Vec<Key<W>>,
    roots: Vec<Root>,
    stack: Vec<Frame>,
    /// The states still to be visited, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Key<W>>,
    /// The state of the innermost frame, if it was not expanded yet.
    entered: Option<Key<W>>,
    successors: Vec<Next<W>>,
    outgrown: bool,
}

/// The first state of a component, as far as it is known.
struct Root {
    /// Its place in `live`.
    number: u32,
    /// Who can move in the component, and who does.
    movers: Processes,
    chosen: Processes,
    /// Some step leads out of the component.
    has_exits: bool,
}

struct Frame {
    number: u32,
    /// Its successors are those of `pending` from here on.
    first_pending: usize,
}

impl<'m, 'f, const W: usize> Walk<'m, 'f, W> {
    fn new(
        interpreter: &'m Interpreter<'m>,
        order: &'m PartialOrder<'m>,
        run: &mut Run<'_, ()>,
        found: &'f mut Vec<Vec<u8>>,
    ) -> Result<Self, End> {
        let mut space = Space::new(interpreter, &interpreter.initial_state(), false);
        let outgrown = space.pack(W).is_none();
        Ok(Walk {
            found,
            space,
            expander: Expander::new(interpreter, false).choosing(Some(order)).exchanging(run.plan.symmetry()),
            numbers: Numbered::new(&run.memory)?,
            live: Vec::new(),
            roots: Vec::new(),
            stack: Vec::new(),
            pending: Vec::new(),
            entered: None,
            successors: Vec::new(),
            outgrown,
        })
    }

    fn explore(mut self, run: &mut Run<'_, ()>) -> Result<Progress<Self>, End> {
        while !self.outgrown {
            match self.explore_states(run)? {
                Pause::NoMoreStates => return Ok(Progress::Done),
                Pause::NewLayout if self.space.fits(W, self.numbers.len()) => self = self.repack::<W>(&run.memory)?,
                Pause::NewLayout => self.outgrown = true,
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn explore_states(&mut self, run: &mut Run<'_, ()>) -> Result<Pause, End> {
        if self.numbers.len() == 0 {
            let key = self.space.first_key(&self.space.interpreter.initial_state(), &run.memory)?;
            self.visit(run, key)?;
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
            if self.pending.len() > frame.first_pending {
                if let Some(next) = self.pending.pop() {
                    self.visit(run, next)?;
                }
                continue;
            }
            if self.roots.last().is_some_and(|root| root.number == frame.number) {
                self.complete();
            }
            self.stack.pop();
        }
    }

    /// Enters a state that is new, or closes a cycle, or leaves the component.
    fn visit(&mut self, run: &mut Run<'_, ()>, key: Key<W>) -> Result<(), End> {
        let number = self.live.len() as u32;
        match self.numbers.get_or_insert(&key, u64::from(number), &run.memory)? {
            Some(known) if self.live.get(known as usize) == Some(&key) => self.close(known as u32),
            Some(_) => self.roots.iter_mut().next_back().into_iter().for_each(|root| root.has_exits = true),
            None => {
                run.memory.push(&mut self.live, key)?;
                let root = Root { number, movers: Processes::NONE, chosen: Processes::NONE, has_exits: false };
                run.memory.push(&mut self.roots, root)?;
                run.memory.push(&mut self.stack, Frame { number, first_pending: self.pending.len() })?;
                self.entered = Some(key);
            }
        }
        Ok(())
    }

    /// A step leads back to a state that is alive: all components from there on are one.
    fn close(&mut self, number: u32) {
        while let Some(root) = self.roots.pop_if(|root| root.number > number) {
            if let Some(before) = self.roots.last_mut() {
                before.movers = before.movers.union(root.movers);
                before.chosen = before.chosen.union(root.chosen);
                before.has_exits |= root.has_exits;
            }
        }
    }

    /// The innermost component is complete.
    fn complete(&mut self) {
        let Some(root) = self.roots.pop() else { return };
        if !root.has_exits && !root.movers.is_within(root.chosen) {
            let mut bytes = Vec::new();
            let state = self.expander.state(&self.space, &self.live[root.number as usize]);
            self.space.interpreter.encode(state, &mut bytes);
            self.found.push(bytes);
        }
        self.live.truncate(root.number as usize);
        if let Some(before) = self.roots.last_mut() {
            before.has_exits = true;
        }
    }

    fn expand(&mut self, run: &mut Run<'_, ()>, key: &Key<W>) -> Result<(), Trouble> {
        run.tick().map_err(|limit| Trouble::End(limit.into()))?;
        let mut successors = std::mem::take(&mut self.successors);
        let expanded = self.expander.expand(&self.space, key, &run.memory, &mut successors);
        let followed = match expanded {
            Ok(()) => self.follow(run, key, &successors).map_err(Trouble::End),
            Err(obstacle) => Err(Trouble::Obstacle(obstacle)),
        };
        self.successors = successors;
        followed
    }

    fn follow(&mut self, run: &mut Run<'_, ()>, key: &Key<W>, successors: &[Next<W>]) -> Result<(), End> {
        let chosen = self.expander.chosen(&self.space, key, successors);
        for next in successors {
            let leads_somewhere = !next.note.is_fault() || !self.expander.fault(next.note).leads_nowhere;
            if chosen.contains(next.pid) && leads_somewhere {
                run.memory.push(&mut self.pending, next.key)?;
            }
        }
        // The root of the component that the state is in, as far as it is known: the state itself.
        if let Some(root) = self.roots.last_mut()
            && chosen != Processes::ALL
        {
            successors.iter().for_each(|next| root.movers.insert(usize::from(next.pid)));
        }
        if let Some(root) = self.roots.last_mut() {
            root.chosen = root.chosen.union(chosen);
        }
        Ok(())
    }

    /// The same walk with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(mut self, memory: &Memory) -> Result<Walk<'m, 'f, V>, End> {
        let packed = self.space.pack(V);
        let outgrown = packed.is_none();
        let repacking = packed.unwrap_or_else(|| self.space.same_fields());
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        let again = |keys: Vec<Key<W>>| -> Result<Vec<Key<V>>, End> {
            let mut packed = memory.vector(keys.capacity())?;
            packed.extend(keys.iter().map(repack));
            memory.release(keys.capacity() * size_of::<Key<W>>());
            Ok(packed)
        };
        Ok(Walk {
            found: self.found,
            numbers: self.numbers.repack(memory, repack)?,
            expander: self.expander.repack(memory),
            live: again(self.live)?,
            pending: again(self.pending)?,
            roots: self.roots,
            stack: self.stack,
            entered: self.entered.as_ref().map(repack),
            successors: Vec::new(),
            space: self.space,
            outgrown,
        })
    }
}
