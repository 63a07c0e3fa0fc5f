//! Emptiness check by strongly connected components, on the fly: is there a reachable component whose edges have every mark that
//! is required?
//!
//! Paper:    [couvreur99]: Tarjan's algorithm with a stack of roots, each with the marks of its component as far as it is
//!           known. As soon as a component bears every mark, there is a cycle that does.
//! Deviates: a state is on the stack of components that are not complete yet if that stack holds it at the place
//!           that is its number: states of complete components need not be visited again to be marked as such.
//!
//! Acceptance sets and fairness need no copies of the state space here: they are marks.

use reductio_model::{Claim, Door, Property};
use reductio_reduce::Fairness;
use reductio_reduce::on_the_fly::Processes;

use super::lasso::{Goal, Lasso};
use super::marks::Marks;
use super::maximal_traces::maximal_component;
use super::operation_justice::just_component;
use super::permutation_classes::{Classes, Exchange, PermutationClasses};
use super::product::Move;
use super::strong_fairness::fair_part;
use super::symmetric_fairness::fair_run;
use super::walk::{Turn, Walk};
use crate::packed::key::Key;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Obstacle;
use crate::run::{End, KeysTooLong, Pause, Progress, Run, Trouble, explore_with_growing_keys, repack_all};
use crate::search::Explored;
use crate::store::{Memory, OutOfMemory};

/// Looks for a run that breaks the claim.
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

/// The search with keys of `W` words.
struct Search<'m, const W: usize> {
    /// A state is seen with its place in `live`.
    walk: Walk<'m, W>,
    /// The states of components that are not complete yet, in the order in which they were entered.
    live: Vec<Key<W>>,
    roots: Vec<Root>,
    /// Of the processes in the states of `live`, where it matters who becomes whom.
    classes: Classes,
    stack: Vec<Frame>,
    /// The moves still to be made, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Move<W>>,
    /// The state of the innermost frame, if it was not expanded yet.
    entered: Option<Key<W>>,
}

/// The first state of a component, as far as it is known.
struct Root {
    /// Its place in `live`.
    number: u32,
    /// That of the state before it.
    before: u32,
    /// Of the edges in the component.
    marks: Marks,
    /// Of the edge that leads to it from the component before.
    entry: Marks,
    exchange: Exchange,
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
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        claim: &Claim,
        property: Property,
        run: &mut Run<'_, Lasso>,
    ) -> Result<Self, End> {
        Ok(Search {
            walk: Walk::new(system, order, claim, property, Marks::MOST_PROCESSES, run)?,
            live: Vec::new(),
            roots: Vec::new(),
            classes: Classes::default(),
            stack: Vec::new(),
            pending: Vec::new(),
            entered: None,
        })
    }

    /// Goes on until every state was seen, a run was found, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Lasso>) -> Result<Progress<Self>, End> {
        while !self.walk.outgrown {
            let paused = self.explore_states(run);
            match self.walk.turn(run, paused)? {
                Turn::Done => return Ok(Progress::Done),
                Turn::Repack => self = self.repack::<W>(&run.memory)?,
                Turn::Outgrown => {}
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn explore_states(&mut self, run: &mut Run<'_, Lasso>) -> Result<Pause, End> {
        if self.walk.seen.len() == 0 {
            let key = self.walk.product.initial(&run.memory)?;
            self.visit(run, Move::to_initial(key))?;
        }
        loop {
            if let Some(key) = self.entered {
                match self.expand(run, &key) {
                    Ok(()) => self.entered = None,
                    Err(Trouble::Obstacle(obstacle)) => {
                        self.walk.product.space.prepare_for(obstacle)?;
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
        match self.walk.seen.get_or_insert(&next.key, u64::from(number), &run.memory)? {
            Some(known) if self.live.get(known as usize) == Some(&next.key) => self.close(run, known as u32, &next),
            // Its component is complete: no cycle leads through it and back.
            Some(_) => Ok(()),
            None => {
                run.memory.push(&mut self.live, next.key)?;
                let (before, exchange) = (self.innermost(), next.exchange);
                let root = Root { number, before, marks: Marks::NONE, entry: next.marks, exchange };
                run.memory.push(&mut self.roots, root)?;
                self.classes.enter(self.exchanged(), &run.memory)?;
                let frame = Frame { number, first_pending: self.pending.len(), event: next.event };
                run.memory.push(&mut self.stack, frame)?;
                run.depth = run.depth.max(self.stack.len() as u64 - 1);
                run.totals.states += u64::from(self.walk.product.is_read(&next.key));
                self.entered = Some(next.key);
                Ok(())
            }
        }
    }

    /// Forgets the innermost component, which has no cycle that was looked for so far.
    fn complete(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let Some(root) = self.roots.last() else { return Ok(()) };
        if !marks_tell(run.plan.fairness()) && root.marks.includes(self.walk.product.required()) {
            self.look_for_fairness(run)?;
        }
        if let Some(root) = self.roots.pop() {
            self.live.truncate(root.number as usize);
            self.classes.truncate(root.number as usize, self.exchanged());
        }
        Ok(())
    }

    /// An edge leads back to a state on the stack: all components from there on are one.
    fn close(&mut self, run: &mut Run<'_, Lasso>, number: u32, last: &Move<W>) -> Result<(), End> {
        self.join(self.innermost(), number, last.marks, last.exchange);
        let mut marks = last.marks;
        while let Some(root) = self.roots.last_mut() {
            root.marks = root.marks.union(marks);
            if root.number <= number {
                break;
            }
            let &mut Root { number, before, entry, exchange, .. } = root;
            marks = root.marks.union(entry);
            self.roots.pop();
            self.join(before, number, entry, exchange);
        }
        match self.roots.last() {
            Some(&Root { number, marks, .. })
                if marks_tell(run.plan.fairness())
                    && marks.includes(self.walk.product.required())
                    && self.classes.are_served(number, self.exchanged()) =>
            {
                self.found_component(run)
            }
            _ => Ok(()),
        }
    }

    /// An edge is one inside a component.
    fn join(&mut self, from: u32, to: u32, marks: Marks, exchange: Exchange) {
        if let Some(exchanges) = self.walk.product.exchanges() {
            self.classes.join(exchanges, from, to, marks, exchange);
        }
    }

    /// So many processes are exchanged, where it matters who becomes whom.
    fn exchanged(&self) -> usize {
        self.walk.product.exchanges().map_or(0, PermutationClasses::processes)
    }

    /// The place of the innermost frame's state.
    fn innermost(&self) -> u32 {
        self.stack.last().map_or(0, |frame| frame.number)
    }

    /// Where some moves are enough, the others are left out: unless one of those leads back to the path to here, so that the
    /// others could be put off forever. Then other moves may be enough that do not.
    ///
    /// Paper:    [clarke-grumberg-peled], section 10.5.2, condition C3'; [peled93], section 4.2, for another choice.
    fn leave_out_what_can_wait(&mut self, run: &mut Run<'_, Lasso>, key: &Key<W>) -> Result<(), Obstacle> {
        let Walk { product, moves, seen, .. } = &mut self.walk;
        let (live, stack) = (&self.live, &self.stack);
        let is_on_path = |number: u64| stack.binary_search_by_key(&number, |frame| u64::from(frame.number)).is_ok();
        let mut can_wait = moves.iter().any(|next| next.can_wait);
        let mut barred = Processes::NONE;
        while can_wait {
            let leads_back = |key: &Key<W>| {
                seen.get(key).is_some_and(|place| live.get(place as usize) == Some(key) && is_on_path(place))
            };
            let lead_back = product.who_leads_to(moves, &run.memory, leads_back)?;
            if lead_back.is_empty() {
                moves.retain(|next| !next.can_wait);
                run.totals.reduced += 1;
                break;
            }
            barred = barred.union(lead_back);
            can_wait = product.choose_without(barred, key, moves);
        }
        Ok(())
    }

    /// Pushes the moves of the state that was just entered.
    fn expand(&mut self, run: &mut Run<'_, Lasso>, key: &Key<W>) -> Result<(), Trouble> {
        if run.gains_nothing() {
            self.walk.product.expander.stop_choosing();
        }
        if self.walk.expand(run, key)? {
            let path = self.stack.iter().skip(1).map(|frame| frame.event).collect();
            return self.walk.found_decision(run, path).map_err(Trouble::End);
        }
        self.leave_out_what_can_wait(run, key).map_err(Trouble::Obstacle)?;
        run.totals.transitions += self.walk.moves.len() as u64;
        // The last move comes first. It is one of the process that was started last, where SPIN begins, too: what SPIN
        // finds soon is found soon here.
        for next in &self.walk.moves {
            run.memory.push(&mut self.pending, *next).map_err(|full| Trouble::End(full.into()))?;
        }
        Ok(())
    }

    /// From here on, `live` has the states of the innermost component.
    fn first_of_component(&self) -> usize {
        self.roots.last().map_or(0, |root| root.number) as usize
    }

    /// The innermost component has a cycle that is accepted.
    fn found_component(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        if self.walk.product.exchanges().is_some() {
            let component = &self.live[self.first_of_component()..];
            let lasso = fair_run(&mut self.walk.product, &mut self.walk.seen, component, run)?;
            return self.walk.record(run, lasso);
        }
        let component = self.live[self.first_of_component()..].iter().copied().collect();
        self.walk.found(run, Goal::new(component, self.walk.product.required()))
    }

    /// The innermost component is complete and bears all marks. Is there a fair cycle in it?
    fn look_for_fairness(&mut self, run: &mut Run<'_, Lasso>) -> Result<(), End> {
        let look = match run.plan.fairness() {
            Fairness::Maximal => maximal_component,
            Fairness::OperationJustice => just_component,
            Fairness::None | Fairness::Weak | Fairness::Strong | Fairness::OperationFairness => fair_part,
        };
        let component = &self.live[self.first_of_component()..];
        // Its states were expanded before, so that nothing but a lack of memory can be in the way.
        let found = look(&mut self.walk.product, component, &run.memory).map_err(|_| OutOfMemory)?;
        found.map_or(Ok(()), |goal| self.walk.found(run, goal))
    }

    /// The same search with keys of another length, or of the same with other fields.
    fn repack<const V: usize>(self, memory: &Memory) -> Result<Search<'m, V>, End> {
        let (walk, repacking) = self.walk.repack::<V>(memory)?;
        let repack = |key: &Key<W>| -> Key<V> { repacking.key(key) };
        Ok(Search {
            walk,
            live: repack_all(self.live, memory, repack)?,
            roots: self.roots,
            classes: self.classes,
            stack: self.stack,
            pending: repack_all(self.pending, memory, |next| next.repack(repack))?,
            entered: self.entered.as_ref().map(repack),
        })
    }
}

/// Is a run fair if it bears all marks? Otherwise that is known only when a component is complete.
fn marks_tell(fairness: Fairness) -> bool {
    matches!(fairness, Fairness::None | Fairness::Weak)
}
