//! On-the-fly search for a reachable component whose edges bear every mark that is required.
//!
//! Paper:    [couvreur99]: Tarjan's algorithm with a stack of roots, each with the marks of its component as far as it is
//!           known. As soon as a component bears every mark, there is a cycle that does.
//! Deviates: a state is on the stack of components that are not complete yet if that stack holds it at the place
//!           that is its number: states of complete components need not be visited again to be marked as such.
//!
//! Acceptance sets and fairness need no copies of the state space here: they are marks.

use reductio_model::{Claim, Interpreter, Limit};
use reductio_reduce::{Fairness, Property};

use super::endless_atomic::EndlessAtomics;
use super::lasso::{self, Goal, Lasso};
use super::marks::Marks;
use super::product::{Expansion, Move, Product};
use super::strong_fairness::{FairPart, fair_part};
use crate::findings::{EverythingFound, Finding};
use crate::packed::key::Key;
use crate::run::{End, KeysTooLong, Pause, Progress, Run, Trouble, explore_with_growing_keys};
use crate::search::{Explored, Statistics};
use crate::store::numbered::Numbered;
use crate::store::{Memory, OutOfMemory};

/// Looks for a run that breaks the claim.
pub(crate) fn check(
    interpreter: &Interpreter<'_>,
    claim: &Claim,
    property: Property,
    mut run: Run<'_, Lasso>,
) -> Result<Explored<Lasso>, KeysTooLong> {
    let ended = explore_growing(interpreter, claim, property, &mut run);
    run.finish(ended, |lasso| lasso)
}

fn explore_growing(
    interpreter: &Interpreter<'_>,
    claim: &Claim,
    property: Property,
    run: &mut Run<'_, Lasso>,
) -> Result<(), End> {
    explore_with_growing_keys!(Search::<1>::new(interpreter, claim, property, run)?, run, [2, 4, 8, 16, 64])
}

/// The search with keys of `W` words.
struct Search<'m, const W: usize> {
    property: Property,
    product: Product<'m, W>,
    /// Where each state was put in `live`.
    numbers: Numbered<W>,
    /// The states of components that are not complete yet, in the order in which they were entered.
    live: Vec<Key<W>>,
    roots: Vec<Root>,
    stack: Vec<Frame>,
    /// The moves still to be made, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Move<W>>,
    /// The state of the innermost frame, if it was not expanded yet.
    entered: Option<Key<W>>,
    endless_atomics: EndlessAtomics<W>,
    moves: Vec<Move<W>>,
    /// The components of the key need longer keys.
    outgrown: bool,
}

/// The first state of a component, as far as it is known.
struct Root {
    /// Its place in `live`.
    number: u32,
    /// Of the edges in the component.
    marks: Marks,
    /// Of the edge that leads to it from the component before.
    entry: Marks,
}

/// One activation record of the recursion.
struct Frame {
    /// The place of its state in `live`.
    number: u32,
    /// Its moves are those of `pending` from here on.
    first_pending: usize,
    /// The event by which it was entered.
    event: u32,
}

impl<'m, const W: usize> Search<'m, W> {
    fn new(
        interpreter: &'m Interpreter<'m>,
        claim: &Claim,
        property: Property,
        run: &mut Run<'_, Lasso>,
    ) -> Result<Self, End> {
        run.clock.look(Statistics::default)?;
        let mut product = Product::new(interpreter, claim, run.plan.fairness() != Fairness::None);
        let outgrown = product.space.pack(W).is_none();
        Ok(Search {
            property,
            product,
            numbers: Numbered::new(&run.memory)?,
            live: Vec::new(),
            roots: Vec::new(),
            stack: Vec::new(),
            pending: Vec::new(),
            entered: None,
            endless_atomics: EndlessAtomics::new(false, &run.memory)?,
            moves: Vec::new(),
            outgrown,
        })
    }

    /// Goes on until every state was seen, a run was found, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Lasso>) -> Result<Progress<Self>, End> {
        while !self.outgrown {
            let paused = self.explore_states(run);
            run.coverage.join(&self.product.expander.coverage);
            match paused? {
                Pause::NoMoreStates if self.endless_atomics.found => return Err(Limit::EndlessAtomic.into()),
                Pause::NoMoreStates => return Ok(Progress::Done),
                Pause::NewLayout if self.product.space.fits(W, self.numbers.len()) => {
                    self = self.repack::<W>(&run.memory)?;
                }
                Pause::NewLayout => self.outgrown = true,
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn explore_states(&mut self, run: &mut Run<'_, Lasso>) -> Result<Pause, End> {
        if self.numbers.len() == 0 {
            let key = self.product.initial(&run.memory)?;
            self.visit(run, Move::to_initial(key))?;
        }
        loop {
            if let Some(key) = self.entered {
                match self.expand(run, &key) {
                    Ok(()) => self.entered = None,
                    Err(Trouble::Obstacle(obstacle)) => {
                        self.product.space.prepare_for(obstacle)?;
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
            // The component whose first state is left is complete.
            if self.roots.last().is_some_and(|root| root.number == frame.number) {
                self.complete(run)?;
            }
            self.stack.pop();
        }
    }

    /// Enters a state that is new, or closes a cycle.
    fn visit(&mut self, run: &mut Run<'_, Lasso>, next: Move<W>) -> Result<(), End> {
        let number = self.live.len() as u32;
        match self.numbers.get_or_insert(&next.key, number, &run.memory)? {
            Some(known) if self.live.get(known as usize) == Some(&next.key) => self.close(run, known, next.marks),
            // Its component is complete: no cycle leads through it and back.
            Some(_) => Ok(()),
            None => {
                run.memory.push(&mut self.live, next.key)?;
                run.memory.push(&mut self.roots, Root { number, marks: Marks::NONE, entry: next.marks })?;
                let frame = Frame { number, first_pending: self.pending.len(), event: next.event };
                run.memory.push(&mut self.stack, frame)?;
                run.depth = run.depth.max(self.stack.len() as u64 - 1);
                run.totals.states += u64::from(self.product.is_read(&next.key));
                self.entered = Some(next.key);
                Ok(())
            }
        }
    }

    /// Forgets the innermost component, which has no cycle that was looked for so far.
    fn complete(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let Some(root) = self.roots.last() else { return Ok(()) };
        if run.plan.fairness() == Fairness::Strong && root.marks.includes(self.product.required()) {
            self.look_for_strong_fairness(run)?;
        }
        if let Some(root) = self.roots.pop() {
            self.live.truncate(root.number as usize);
        }
        Ok(())
    }

    /// An edge leads back to a state on the stack: all components from there on are one.
    fn close(&mut self, run: &mut Run<'_, Lasso>, number: u32, marks: Marks) -> Result<(), End> {
        let mut marks = marks;
        while let Some(root) = self.roots.last_mut() {
            root.marks = root.marks.union(marks);
            if root.number <= number {
                break;
            }
            marks = root.marks.union(root.entry);
            self.roots.pop();
        }
        // Whether strong fairness can be met is known only when the component is complete.
        let is_enough = run.plan.fairness() != Fairness::Strong;
        match self.roots.last() {
            Some(root) if is_enough && root.marks.includes(self.product.required()) => self.found_component(run),
            _ => Ok(()),
        }
    }

    /// Pushes the moves of the state that was just entered.
    fn expand(&mut self, run: &mut Run<'_, Lasso>, key: &Key<W>) -> Result<(), Trouble> {
        run.tick().map_err(|limit| Trouble::End(limit.into()))?;
        if !self.product.is_read(key) {
            self.endless_atomics.look(&mut self.product, key, &run.memory).map_err(Trouble::Obstacle)?;
        }
        let mut moves = std::mem::take(&mut self.moves);
        let expanded = self.product.expand(key, &run.memory, &mut moves).map_err(Trouble::Obstacle);
        let followed = expanded.and_then(|expansion| self.follow(run, expansion, &moves).map_err(Trouble::End));
        self.moves = moves;
        followed
    }

    fn follow(&mut self, run: &mut Run<'_, Lasso>, expansion: Expansion, moves: &[Move<W>]) -> Result<(), End> {
        run.totals.transitions += moves.len() as u64;
        match expansion {
            Expansion::GoesOn => {}
            Expansion::Decided => return self.found_decision(run),
            Expansion::TooManyProcesses => return Err(Limit::TooManyProcesses { most: Marks::MOST_PROCESSES }.into()),
        }
        for next in moves.iter().rev() {
            run.memory.push(&mut self.pending, *next)?;
        }
        Ok(())
    }

    /// The innermost component has a cycle that is accepted.
    fn found_component(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let root = self.roots.last().map_or(0, |root| root.number);
        let component = self.live[root as usize..].iter().copied().collect();
        let goal = Goal { states: component, marks: self.product.required(), movers: Marks::NONE };
        let lasso = lasso::through(&mut self.product, &mut self.numbers, &goal, run)?;
        self.record(run, lasso)
    }

    /// The innermost component is complete and bears all marks. Is there a strongly fair cycle in it?
    fn look_for_strong_fairness(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let root = self.roots.last().map_or(0, |root| root.number);
        let component = &self.live[root as usize..];
        let marks = self.product.accepting();
        // Its states were expanded before, so that nothing but a lack of memory can be in the way.
        let found = fair_part(&mut self.product, component, marks, &run.memory).map_err(|_| OutOfMemory)?;
        let Some(FairPart { states, movers }) = found else { return Ok(()) };
        let lasso = lasso::through(&mut self.product, &mut self.numbers, &Goal { states, marks, movers }, run)?;
        self.record(run, lasso)
    }

    /// Every run that begins with the path to the innermost state is accepted.
    fn found_decision(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let path = self.stack.iter().skip(1).map(|frame| frame.event).collect();
        let stem = lasso::shortest_decision(&mut self.product, &mut self.numbers, path, run)?;
        self.record(run, Lasso { stem, cycle: Vec::new() })
    }

    fn record(&self, run: &mut Run<'_, Lasso>, lasso: Lasso) -> Result<(), End> {
        run.findings.record(Finding { property: self.property, place: lasso, fault: None })?;
        // One run is enough.
        Err(EverythingFound.into())
    }

    /// The same search with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(mut self, memory: &Memory) -> Result<Search<'m, V>, End> {
        let packed = self.product.space.pack(V);
        let outgrown = packed.is_none();
        // If even these keys are too short, the fields stay as they are until the keys are long enough.
        let repacking = packed.unwrap_or_else(|| self.product.space.same_fields());
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        let mut live = memory.vector(self.live.capacity())?;
        live.extend(self.live.iter().map(repack));
        memory.release(self.live.capacity() * size_of::<Key<W>>());
        let mut pending = memory.vector(self.pending.capacity())?;
        pending.extend(self.pending.iter().map(|next| next.repack(repack)));
        memory.release(self.pending.capacity() * size_of::<Move<W>>());
        Ok(Search {
            property: self.property,
            numbers: self.numbers.repack(memory, repack)?,
            endless_atomics: self.endless_atomics.repack(memory)?,
            product: self.product.repack(memory),
            live,
            roots: self.roots,
            stack: self.stack,
            pending,
            entered: self.entered.as_ref().map(repack),
            moves: Vec::new(),
            outgrown,
        })
    }
}
