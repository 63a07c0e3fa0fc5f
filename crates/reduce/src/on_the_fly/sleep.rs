//! Sleep sets: which steps need not be taken after others, because they were taken before them.
//!
//! Paper:    [peled93], section 3.2 and Figure 1, after [godefroid90]. What the figure keeps of a node is kept in a
//!           [`Node`]; the search is the depth-first one of its `expand_node`.
//! Deviates: an operation is all that a process can do next, so that sets of operations are sets of processes. The
//!           figure asks whether the old sleep set includes the new one where the text says, and where it must be, that
//!           the old one has operations that the new one has not.

use super::Processes;

/// What is known of a state that the search has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// `en(s)`: who can move.
    pub movers: Processes,
    /// Their steps need not be taken.
    sleep: Processes,
    /// Their steps were taken.
    explored: Processes,
    /// Some step of theirs closes a cycle.
    unreliable: Processes,
    /// Their steps are still to be taken.
    working: Processes,
    /// Some edge of theirs was created.
    pub edges: Processes,
    /// The search has not left it yet.
    open: bool,
    /// It stays in the graph.
    pub fixed: bool,
}

impl Node {
    pub fn new(sleep: Processes) -> Node {
        Node { sleep, open: true, ..Node::default() }
    }

    /// Begins to expand the node, for the first time or again.
    pub fn expand(&mut self, movers: Processes) {
        self.movers = movers;
        self.fixed |= movers.is_empty();
        self.working = movers.without(self.sleep);
    }

    /// Whose steps to take next: the youngest come first.
    pub fn take_next(&mut self) -> Option<usize> {
        let next = self.working.pop_last()?;
        self.explored.insert(next);
        Some(next)
    }

    /// Who may sleep after a step of a process, given who depends on what it does: `new_sleep`.
    pub fn sleep_after(&self, dependent: Processes) -> Processes {
        self.sleep.union(self.explored).without(dependent.union(self.unreliable))
    }

    /// It is reached again, and these may sleep. Is it to be expanded again by the caller?
    pub fn reach(&mut self, sleep: Processes) -> bool {
        if self.sleep.is_within(sleep) {
            return false;
        }
        self.sleep = self.sleep.without(self.sleep.without(sleep));
        self.explored = Processes::NONE;
        self.unreliable = Processes::NONE;
        // If it is still open, what is left to do there changes under the eyes of whoever is at it.
        self.working = self.movers.without(self.sleep);
        !std::mem::replace(&mut self.open, true)
    }

    /// A step of a process to another node was taken, or back from there. Is the edge created?
    pub fn follow(&mut self, pid: usize, to: Node) -> bool {
        let stays = to.fixed || to.open;
        if stays {
            self.fixed = true;
            self.edges.insert(pid);
        }
        if to.open {
            self.unreliable.insert(pid);
        }
        stays
    }

    pub fn leave(&mut self) {
        self.open = false;
    }
}
