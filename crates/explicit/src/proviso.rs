//! The proviso of partial order reduction for safety (the *ignoring problem*): no step is deferred forever. It is checked on the reduced
//! graph, when the search has left it behind.
//!
//! Paper:    [valmari89], [clarke-grumberg-peled] section 10.3, condition C3, [peled93] Theorem 4.6: for properties of states and steps it is enough
//!           that a deferred step is taken somewhere ahead.
//! Deviates: ahead of every state there is a terminal strongly connected component. In it, a process that can move and
//!           is in no ample set can move in every state, since the ample sets are independent of it. So it is enough to
//!           expand one state of the component fully.
//!
//! Which steps are deferred depends on the state alone, so the graph need not be kept: parts of it are walked again. A
//! component without exits has a state that was found last, from which the search found no new state: a walk from each
//! of these [suspects](Suspects) is enough. It ends where all steps are taken, or where a walk has been before.

use reductio_model::{Property, Why};
use reductio_reduce::StoreChoice;
use reductio_reduce::on_the_fly::Processes;

use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::selector::PartialOrder;
use crate::packed::space::Space;
use crate::run::{End, Run, repack_all};
use crate::store::numbered::Numbered;
use crate::store::{Memory, OutOfMemory};

/// States in which steps were left out, and from which the search found no new state.
pub(crate) struct Suspects<const W: usize>(Vec<Key<W>>);

impl<const W: usize> Default for Suspects<W> {
    fn default() -> Self {
        Suspects(Vec::new())
    }
}

impl<const W: usize> Suspects<W> {
    pub fn push(&mut self, key: Key<W>, memory: &Memory) -> Result<(), OutOfMemory> {
        memory.push(&mut self.0, key)
    }

    pub fn append(&mut self, others: Suspects<W>, memory: &Memory) -> Result<(), OutOfMemory> {
        others.0.into_iter().try_for_each(|key| self.push(key, memory))
    }

    pub fn repack<const V: usize>(
        self,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V>,
    ) -> Result<Suspects<V>, OutOfMemory> {
        Ok(Suspects(repack_all(self.0, memory, repack)?))
    }
}

/// After a search that saw all states: notes in the run one state of every component where some process is ignored, if
/// that matters. In these states all steps are to be taken.
pub(crate) fn find<'m, P, const W: usize>(
    space: &Space<'m>,
    expander: &mut Expander<'m, W>,
    suspects: Suspects<W>,
    run: &mut Run<'_, P>,
) -> Result<(), End> {
    // A lossy store proves nothing anyway, and to find every deadlock, steps may be put off forever.
    let matters = run.plan.store() == StoreChoice::Exact && run.plan.properties() != [Property::Deadlock];
    if !matters || suspects.0.is_empty() {
        return Ok(());
    }
    let mut walk = Walk {
        space,
        expander,
        numbers: Numbered::new(&run.memory)?,
        live: Vec::new(),
        roots: Vec::new(),
        stack: Vec::new(),
        pending: Vec::new(),
        successors: Vec::new(),
        exchanges: run.plan.symmetry().is_some(),
        ignored: Ignored::default(),
    };
    for suspect in suspects.0 {
        walk.from(suspect, run)?;
    }
    run.ignored = walk.ignored;
    Ok(())
}

/// What was found out about steps that are put off forever.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored {
    /// States where all steps must be taken, as the interpreter writes them.
    pub states: Vec<Vec<u8>>,
    /// Those who go on forever while others are put off.
    pub by: Processes,
}

impl Ignored {
    /// Nothing is put off forever.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Sees to it that less is put off when the search is repeated: those who go on forever come last, as in the paper, where
    /// another set is tried if one closes a cycle. Where that does not help, all steps are taken.
    pub fn make_up(self, order: &mut PartialOrder<'_>) {
        match self.by.is_within(order.last) {
            true => order.exempt.extend(self.states),
            false => order.last = order.last.union(self.by),
        }
    }
}

/// Tarjan's algorithm, up to the first component that is complete.
struct Walk<'w, 'm, const W: usize> {
    space: &'w Space<'m>,
    expander: &'w mut Expander<'m, W>,
    /// Where each state was put in `live`.
    numbers: Numbered<W>,
    /// The states of components that are not complete yet, in the order in which they were entered.
    live: Vec<Key<W>>,
    roots: Vec<Root>,
    stack: Vec<Frame>,
    /// The states still to be visited, those of the innermost frame last, and the next one at the very end.
    pending: Vec<Key<W>>,
    successors: Vec<Next<W>>,
    /// States are representatives of others.
    exchanges: bool,
    ignored: Ignored,
}

/// The first state of a component, as far as it is known.
struct Root {
    /// Its place in `live`.
    number: u32,
    /// Who can move in the component, and who does.
    movers: Processes,
    chosen: Processes,
}

struct Frame {
    number: u32,
    /// Its successors are those of `pending` from here on.
    first_pending: usize,
}

/// What lies ahead of every state of the walk.
#[derive(PartialEq, Eq)]
enum Ahead {
    NotKnown,
    /// Somewhere ahead of it, every step is taken that is possible here, or will be when the search is repeated.
    AllSteps,
}

impl<const W: usize> Walk<'_, '_, W> {
    fn from<P>(&mut self, suspect: Key<W>, run: &mut Run<'_, P>) -> Result<(), End> {
        let mut ahead = self.visit(suspect, run)?;
        while ahead == Ahead::NotKnown
            && let Some(frame) = self.stack.last()
        {
            if self.pending.len() > frame.first_pending
                && let Some(next) = self.pending.pop()
            {
                ahead = self.visit(next, run)?;
            } else if self.roots.last().is_some_and(|root| root.number == frame.number) {
                self.complete();
                ahead = Ahead::AllSteps;
            } else {
                self.stack.pop();
            }
        }
        // Ahead of all states that are alive is what is ahead of the last.
        self.live.clear();
        self.roots.clear();
        self.stack.clear();
        self.pending.clear();
        Ok(())
    }

    /// Enters a state that is new, or closes a cycle.
    fn visit<P>(&mut self, key: Key<W>, run: &mut Run<'_, P>) -> Result<Ahead, End> {
        let number = self.live.len() as u32;
        match self.numbers.get_or_insert(&key, u64::from(number), &run.memory)? {
            Some(known) if self.live.get(known as usize) == Some(&key) => {
                self.close(known as u32);
                Ok(Ahead::NotKnown)
            }
            Some(_) => Ok(Ahead::AllSteps),
            None => {
                run.memory.push(&mut self.live, key)?;
                run.memory.push(&mut self.stack, Frame { number, first_pending: self.pending.len() })?;
                self.expand(&key, number, run)
            }
        }
    }

    /// A step leads back to a state that is alive: all components from there on are one.
    fn close(&mut self, number: u32) {
        while let Some(root) = self.roots.pop_if(|root| root.number > number) {
            if let Some(before) = self.roots.last_mut() {
                before.movers = before.movers.union(root.movers);
                before.chosen = before.chosen.union(root.chosen);
            }
        }
    }

    /// The innermost component is complete, and nothing leads out of it.
    fn complete(&mut self) {
        let Some(root) = self.roots.last() else { return };
        // Where processes are exchanged, one and the same of them may have many names, and the one that is chosen be another.
        if !self.exchanges && root.movers.is_within(root.chosen) {
            return;
        }
        if !root.movers.is_within(root.chosen) {
            self.ignored.by = self.ignored.by.union(root.movers.common(root.chosen));
        }
        // Which of its states is entered first depends on the search, the least does not.
        let Walk { space, expander, live, ignored, .. } = self;
        ignored.states.extend(live[root.number as usize..].iter().map(|key| expander.bytes(space, key)).min());
    }

    fn expand<P>(&mut self, key: &Key<W>, number: u32, run: &mut Run<'_, P>) -> Result<Ahead, End> {
        run.tick().map_err(|limit: Why| End::from(limit))?;
        // It was expanded before, so that nothing but a lack of memory can be in the way.
        self.expander.expand(self.space, key, &run.memory, &mut self.successors).map_err(|_| OutOfMemory)?;
        let chosen = self.expander.chosen(self.space, key, &self.successors);
        if chosen == Processes::ALL {
            return Ok(Ahead::AllSteps);
        }
        let mut movers = Processes::NONE;
        for next in &self.successors {
            movers.insert(usize::from(next.pid));
            let leads_somewhere = !next.note.is_fault() || !self.expander.fault(next.note).leads_nowhere;
            if chosen.contains(next.pid) && leads_somewhere {
                run.memory.push(&mut self.pending, next.key)?;
            }
        }
        run.memory.push(&mut self.roots, Root { number, movers, chosen })?;
        Ok(Ahead::NotKnown)
    }
}
