//! Depth-first search with [sleep sets](reductio_reduce::on_the_fly::Node): every state is reached, but not by every transition.
//!
//! Paper:    [peled93], Figure 1. What is counted is the graph that is left: the nodes that are fixed, and the edges that
//!           are created.

use std::time::Instant;

use reductio_model::{Budget, Door, Property, Statistics, Why};
use reductio_reduce::Plan;
use reductio_reduce::on_the_fly::{Node, Processes};

use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::memo::Note;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Space;
use crate::path_log::Path;
use crate::run::{End, KeysTooLong, Pause, Progress, Run, Trouble, explore_with_growing_keys, repack_all};
use crate::search::Explored;
use crate::store::Memory;
use crate::store::numbered::Numbered;

pub(crate) fn explore<'a>(
    system: &dyn Door,
    order: &PartialOrder<'_>,
    plan: &'a Plan,
    started: Instant,
    budget: &'a Budget,
) -> Result<Explored<Path>, KeysTooLong> {
    let mut run = Run::since(started, plan, budget);
    let ended = explore_growing(system, order, &mut run);
    run.finish(ended, |paths| paths)
}

fn explore_growing(system: &dyn Door, order: &PartialOrder<'_>, run: &mut Run<'_, Path>) -> Result<(), End> {
    explore_with_growing_keys!(Search::<1>::new(system, order, run)?, run, [2, 4, 8, 16, 64])
}

/// The search with keys of `W` words.
struct Search<'m, const W: usize> {
    space: Space<'m>,
    expander: Expander<'m, W>,
    /// Where each state is in `nodes`.
    numbers: Numbered<W>,
    nodes: Vec<Node>,
    /// Whether the state counts: none does in the middle of an `atomic`.
    stable: Vec<bool>,
    stack: Vec<Frame<W>>,
    /// The successors still to be visited, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Pending<W>>,
    /// The innermost frame was just entered.
    entered: bool,
    successors: Vec<Next<W>>,
    /// The components need longer keys.
    outgrown: bool,
}

/// One activation record of `expand_node`.
#[derive(Clone, Copy)]
struct Frame<const W: usize> {
    key: Key<W>,
    number: u32,
    /// Which event of the frame below led to it.
    child: u32,
    /// Whose steps are being taken.
    pid: usize,
    /// Its edges are new.
    is_new: bool,
    /// Who may sleep after them.
    sleep: Processes,
    /// Its successors are those of `pending` from here on.
    first_pending: usize,
}

#[derive(Clone, Copy)]
struct Pending<const W: usize> {
    key: Key<W>,
    child: u32,
    stable: bool,
}

impl<'m, const W: usize> Search<'m, W> {
    fn new(system: &'m dyn Door, order: &'m PartialOrder<'m>, run: &mut Run<'_, Path>) -> Result<Self, End> {
        run.clock.look(&run.memory, Statistics::default)?;
        let mut space = Space::new(system, &system.initial_state(), false);
        let outgrown = space.pack(W).is_none();
        Ok(Search {
            space,
            expander: Expander::new(system, false).choosing(Some(order)),
            numbers: Numbered::new(&run.memory)?,
            nodes: Vec::new(),
            stable: Vec::new(),
            stack: Vec::new(),
            pending: Vec::new(),
            entered: false,
            successors: Vec::new(),
            outgrown,
        })
    }

    /// Goes on until every state was seen, or the keys are too short.
    fn explore(mut self, run: &mut Run<'_, Path>) -> Result<Progress<Self>, End> {
        while !self.outgrown {
            let paused = self.explore_states(run);
            run.coverage.join(&self.expander.coverage);
            match paused? {
                Pause::NoMoreStates => {
                    let fixed = self.nodes.iter().zip(&self.stable).filter(|(node, stable)| node.fixed && **stable);
                    run.totals.states = fixed.count() as u64;
                    return Ok(Progress::Done);
                }
                Pause::NewLayout if self.space.fits(W, self.numbers.len()) => self = self.repack::<W>(&run.memory)?,
                Pause::NewLayout => self.outgrown = true,
            }
        }
        Ok(Progress::Outgrown(self))
    }

    fn explore_states(&mut self, run: &mut Run<'_, Path>) -> Result<Pause, End> {
        if self.nodes.is_empty() {
            let key = self.space.first_key(&self.space.system.initial_state(), &run.memory)?;
            self.visit(run, Pending { key, child: 0, stable: true }, Processes::NONE)?;
        }
        while let Some(&frame) = self.stack.last() {
            if !self.entered
                && self.pending.len() > frame.first_pending
                && let Some(next) = self.pending.pop()
            {
                let (number, is_entered) = self.visit(run, next, frame.sleep)?;
                if !is_entered {
                    self.follow(run, &frame, number);
                }
                continue;
            }
            match self.take_steps(run, &frame) {
                Ok(true) => {}
                Ok(false) => self.leave(run, &frame),
                Err(Trouble::Obstacle(obstacle)) => {
                    self.space.prepare_for(obstacle)?;
                    return Ok(Pause::NewLayout);
                }
                Err(Trouble::End(end)) => return Err(end),
            }
        }
        Ok(Pause::NoMoreStates)
    }

    /// Comes to a state after which these may sleep: its number, and whether it is entered.
    fn visit(&mut self, run: &mut Run<'_, Path>, next: Pending<W>, sleep: Processes) -> Result<(u32, bool), End> {
        let new = self.nodes.len() as u32;
        let known = self.numbers.get_or_insert(&next.key, u64::from(new), &run.memory)?;
        let number = known.map_or(new, |known| known as u32);
        let is_entered = match known {
            Some(_) => self.nodes[number as usize].reach(sleep),
            None => {
                run.memory.push(&mut self.nodes, Node::new(sleep))?;
                run.memory.push(&mut self.stable, next.stable)?;
                run.totals.states += u64::from(next.stable);
                true
            }
        };
        if is_entered {
            let Pending { key, child, .. } = next;
            let first_pending = self.pending.len();
            let frame = Frame { key, number, child, pid: 0, is_new: false, sleep: Processes::NONE, first_pending };
            run.memory.push(&mut self.stack, frame)?;
            run.depth = run.depth.max(self.stack.len() as u64 - 1);
            self.entered = true;
        }
        if known.is_none() && next.stable {
            for &property in run.plan.properties() {
                if let Property::Invariant(invariant) = property
                    && !self.expander.meets(&self.space, &next.key, invariant)
                {
                    run.record(property, None, self.stack.len(), || self.path())?;
                }
            }
        }
        Ok((number, is_entered))
    }

    /// Pushes the successors by the steps of the process whose turn it is in the innermost frame, if there is one.
    fn take_steps(&mut self, run: &mut Run<'_, Path>, frame: &Frame<W>) -> Result<bool, Trouble> {
        run.tick().map_err(|limit| Trouble::End(limit.into()))?;
        // The buffer moves out for the time being, so that the rest of the search can be changed while it is read.
        let mut successors = std::mem::take(&mut self.successors);
        let expanded = self.expander.expand(&self.space, &frame.key, &run.memory, &mut successors);
        let taken = match expanded {
            Ok(()) => self.take_next(run, frame, &successors).map_err(Trouble::End),
            Err(obstacle) => Err(Trouble::Obstacle(obstacle)),
        };
        self.successors = successors;
        taken
    }

    fn take_next(&mut self, run: &mut Run<'_, Path>, frame: &Frame<W>, successors: &[Next<W>]) -> Result<bool, End> {
        if successors.iter().any(|next| usize::from(next.pid) >= Processes::MOST) {
            return Err(Why::TooManyProcesses { most: Processes::MOST as u32 }.into());
        }
        let mut movers = Processes::NONE;
        successors.iter().for_each(|next| movers.insert(usize::from(next.pid)));
        if std::mem::take(&mut self.entered) {
            self.nodes[frame.number as usize].expand(movers);
            if successors.is_empty() && !self.expander.may_end(&self.space, &frame.key) {
                run.record(Property::Deadlock, None, self.stack.len(), || self.path())?;
            }
        }
        let node = &mut self.nodes[frame.number as usize];
        let Some(pid) = node.take_next() else { return Ok(false) };
        let is_new = !node.edges.contains(pid as u8);
        let sleep = node.sleep_after(self.expander.dependent(pid, movers));
        if let Some(frame) = self.stack.last_mut() {
            *frame = Frame { pid, is_new, sleep, ..*frame };
        }
        let steps = (0..).zip(successors).filter(|(_, next)| usize::from(next.pid) == pid);
        for (child, next) in steps {
            if next.note.is_fault() {
                let faulty = self.expander.fault(next.note).clone();
                run.record(Property::Assertions, Some((child, faulty.fault)), self.stack.len(), || self.path())?;
                if faulty.leads_nowhere {
                    self.nodes[frame.number as usize].fixed = true;
                    continue;
                }
            }
            let stable = next.note != Note::UNSTABLE;
            run.memory.push(&mut self.pending, Pending { key: next.key, child, stable })?;
        }
        Ok(true)
    }

    /// The innermost frame is done.
    fn leave(&mut self, run: &mut Run<'_, Path>, frame: &Frame<W>) {
        self.nodes[frame.number as usize].leave();
        self.stack.pop();
        if let Some(&below) = self.stack.last() {
            self.follow(run, &below, frame.number);
        }
    }

    /// The step from a frame to a node has been taken.
    fn follow(&mut self, run: &mut Run<'_, Path>, frame: &Frame<W>, to: u32) {
        let to = self.nodes[to as usize];
        let is_created = self.nodes[frame.number as usize].follow(frame.pid, to);
        run.totals.transitions += u64::from(is_created && frame.is_new);
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
        let pending = |&Pending { key, child, stable }: &Pending<W>| Pending { key: repack(&key), child, stable };
        let frame = |&Frame { key, number, child, pid, is_new, sleep, first_pending }: &Frame<W>| Frame {
            key: repack(&key),
            number,
            child,
            pid,
            is_new,
            sleep,
            first_pending,
        };
        Ok(Search {
            expander: self.expander.repack(memory),
            numbers: self.numbers.repack(memory, repack)?,
            nodes: self.nodes,
            stable: self.stable,
            stack: repack_all(self.stack, memory, frame)?,
            pending: repack_all(self.pending, memory, pending)?,
            entered: self.entered,
            successors: Vec::new(),
            space: self.space,
            outgrown,
        })
    }
}
