//! Priorities beside ample and stubborn sets: whose steps matter where only those of the highest priority may move.
//!
//! Paper:    [clarke-grumberg-peled], section 10.3, and [valmari89]: the conditions on a set are those of [`choose`](super::choose). That
//!           only some of those who can move may is our own addition.
//!
//! In a state where processes of priority π may move, let T be a set with one of them, closed under what matters to its members.
//!
//! * As long as no process of T has moved, its members of priority π can go on, so no process of a *lower* priority moves: what such
//!   processes would do does not matter.
//! * No process of a *higher* priority can move now. If all of them are in T, so is everybody who could let one of them move, and none
//!   of them can until a process of T has moved. Whoever may create a process of a higher priority is in T for the same reason.
//! * A step of T must not let a process of a higher priority move either, nor create one: that one would go before all that is deferred.
//!   Such a step is not chosen without all others.
//! * Whoever may set priorities matters to everybody, since such a step looks around.
//!
//! So steps that are deferred have priority π, before the step of T that is chosen and after it, and both orders are possible: with the
//! independence that [`choose`](super::choose) asks for, C1.

use super::Processes;

/// Who counts in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// Of those who may move.
    pub priority: u8,
    /// Their priority is lower: they do not move before the others.
    pub below: Processes,
    /// Their priority is higher, and they cannot move.
    pub above: Processes,
}

impl Ranks {
    /// By the priorities of all processes and by who can move. `None` if those who can move have several priorities: then it is not
    /// known what keeps the others from moving.
    pub fn of(priorities: &[u8], movers: Processes) -> Option<Ranks> {
        let mut of_movers = movers.iter().map(|pid| priorities.get(pid).copied());
        let priority = of_movers.next()??;
        if of_movers.any(|other| other != Some(priority)) {
            return None;
        }
        let mut ranks = Ranks { priority, below: Processes::NONE, above: Processes::NONE };
        for (pid, &other) in priorities.iter().enumerate() {
            match other.cmp(&priority) {
                std::cmp::Ordering::Less => ranks.below.insert(pid),
                std::cmp::Ordering::Greater => ranks.above.insert(pid),
                std::cmp::Ordering::Equal => {}
            }
        }
        Some(ranks)
    }

    /// Of those who matter to a process, and those who must be in every set, the ones that count.
    pub fn counting(&self, matter: Processes, creators: Processes) -> Processes {
        matter.union(self.above).union(creators).without(self.below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pids: &[usize]) -> Processes {
        let mut set = Processes::NONE;
        pids.iter().for_each(|&pid| set.insert(pid));
        set
    }

    #[test]
    fn the_highest_of_those_who_can_move_tell_who_counts() {
        let ranks = Ranks::of(&[5, 9, 5, 1], set(&[0, 2])).expect("both have the same priority");
        assert_eq!(ranks, Ranks { priority: 5, below: set(&[3]), above: set(&[1]) });
        assert_eq!(ranks.counting(set(&[2, 3]), Processes::NONE), set(&[1, 2]));
        assert_eq!(Ranks::of(&[5, 9], set(&[0, 1])), None, "one of them may not move");
        assert_eq!(Ranks::of(&[5, 9], Processes::NONE), None);
    }
}
