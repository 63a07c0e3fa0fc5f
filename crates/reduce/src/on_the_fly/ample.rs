//! Ample and stubborn sets: the processes whose steps are enough in a state.
//!
//! Paper:    [clarke-grumberg-peled], section 10.3, and [peled93], section 4.2: an ample set. [valmari89]: a stubborn set, closed under what matters to
//!           its members.
//! Deviates: the set is one of processes: all that one of them can do belongs to it. So the closure of a single process
//!           is the ample set of [clarke-grumberg-peled], section 10.5.2, whenever it is that process alone.
//!
//! The conditions of [clarke-grumberg-peled]:
//!
//! * C0: a set without a step that is possible is not chosen ([`Candidate::can_move`]);
//! * C1: what is not independent of the set, or could make possible what is not in it, does not happen before it
//!   ([`closure`]);
//! * C2: where the property asks for it, the steps of the set are invisible ([`Candidate::is_free_of`]);
//! * C3, the cycle proviso: that no step is deferred forever is the search's business: it knows the graph. It can ask for
//!   another set than one that closes a cycle, as the algorithm of [peled93] does, or for one without those who go on forever.

/// Processes by pid: those from 64 on are never in a set that is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processes(u64);

impl Processes {
    pub const MOST: usize = 64;
    pub const NONE: Processes = Processes(0);
    pub const ALL: Processes = Processes(u64::MAX);

    pub fn insert(&mut self, pid: usize) {
        self.0 |= 1 << pid;
    }

    /// Whoever is not known by number belongs to all.
    #[inline(always)]
    pub fn contains(self, pid: u8) -> bool {
        self == Processes::ALL || (usize::from(pid) < Processes::MOST && self.0 >> pid & 1 == 1)
    }

    pub fn union(self, other: Processes) -> Processes {
        Processes(self.0 | other.0)
    }

    pub fn meets(self, other: Processes) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_within(self, other: Processes) -> bool {
        self.0 & !other.0 == 0
    }

    pub fn common(self, other: Processes) -> Processes {
        Processes(self.0 & other.0)
    }

    pub fn without(self, other: Processes) -> Processes {
        Processes(self.0 & !other.0)
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn is_empty(self) -> bool {
        self == Processes::NONE
    }

    pub(super) fn pop_last(&mut self) -> Option<usize> {
        let last = self.0.checked_ilog2()? as usize;
        self.0 &= !(1 << last);
        Some(last)
    }

    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            next
        })
    }
}

/// Who may be in a set that is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice {
    /// Those who can move.
    pub movers: Processes,
    /// Their steps may not be chosen without all others.
    pub barred: Processes,
    /// Their steps are chosen only if there is no set without them: they would go on forever, and nobody else would.
    pub last: Processes,
}

/// The smallest set of processes whose steps are enough, if it leaves some step out. `matters` tells of a process which
/// others matter to what it can do next.
pub fn choose(choice: Choice, mut matters: impl FnMut(usize) -> Processes) -> Option<Processes> {
    let Choice { movers, barred, last } = choice;
    let mut asked = Processes::NONE;
    let mut answers = [Processes::NONE; Processes::MOST];
    let mut matters = |pid: usize| {
        if !asked.contains(pid as u8) {
            asked.insert(pid);
            answers[pid] = matters(pid);
        }
        answers[pid]
    };
    let without_the_last = match last.meets(movers) {
        true => smallest(movers, barred.union(last), &mut matters),
        false => None,
    };
    without_the_last.or_else(|| smallest(movers, barred, &mut matters))
}

/// The smallest closed set in which none of those moves who are barred.
fn smallest(movers: Processes, barred: Processes, matters: &mut impl FnMut(usize) -> Processes) -> Option<Processes> {
    let mut best: Option<Candidate> = None;
    // The youngest come first: they tend to be at the receiving end, and what is on its way is finished before more is
    // begun.
    let mut rest = movers.without(barred);
    while let Some(pid) = rest.pop_last() {
        let limit = best.map_or(movers.len(), |best| best.movers.len());
        let Some(candidate) = closure(pid, movers, limit, matters) else { continue };
        if candidate.can_move() && candidate.is_free_of(barred) {
            best = Some(candidate);
            if candidate.movers.len() == 1 {
                break;
            }
        }
    }
    best.map(|best| best.processes)
}

/// A closed set of processes.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    processes: Processes,
    movers: Processes,
}

impl Candidate {
    /// C0.
    fn can_move(&self) -> bool {
        !self.movers.is_empty()
    }

    /// C2, and C3 where the search knows who closes a cycle.
    fn is_free_of(&self, barred: Processes) -> bool {
        !self.movers.meets(barred)
    }
}

/// C1: all that matters to the process, to those that matter to it, and so on; if fewer than `limit` of them can move.
fn closure(
    pid: usize,
    movers: Processes,
    limit: u32,
    matters: &mut impl FnMut(usize) -> Processes,
) -> Option<Candidate> {
    let mut processes = Processes::NONE;
    let mut pending = Processes::NONE;
    pending.insert(pid);
    while let Some(next) = pending.iter().next() {
        processes.insert(next);
        let movers = processes.common(movers);
        if movers.len() >= limit {
            return None;
        }
        pending = pending.union(matters(next)).without(processes);
    }
    Some(Candidate { processes, movers: processes.common(movers) })
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
    fn the_smallest_closed_set_is_chosen() {
        let matters = [set(&[1]), set(&[0]), set(&[3, 4]), set(&[2]), set(&[])];
        let all = set(&[0, 1, 2, 3, 4]);
        let chosen = |movers, barred| choose(Choice { movers, barred, last: Processes::NONE }, |pid| matters[pid]);
        assert_eq!(chosen(all, Processes::NONE), Some(set(&[4])));
        assert_eq!(chosen(all, set(&[4])), Some(set(&[0, 1])));
        assert_eq!(chosen(set(&[0, 1]), Processes::NONE), None, "nothing is left out");
        assert_eq!(chosen(set(&[0, 1, 2, 3]), Processes::NONE), Some(set(&[2, 3, 4])), "the youngest first");
        assert_eq!(chosen(set(&[0, 2]), set(&[0, 1])), Some(set(&[2, 3, 4])), "who cannot move is not seen");
        let without = |last| choose(Choice { movers: all, last, ..Choice::default() }, |pid| matters[pid]);
        assert_eq!(without(set(&[4])), Some(set(&[0, 1])), "larger, but without the last");
        assert_eq!(without(set(&[1, 4])), Some(set(&[4])), "all others have one of the last");
    }

    /// Against all closed sets, on all ways in which four processes can matter to each other.
    #[test]
    fn no_closed_set_is_smaller() {
        const N: usize = 4;
        for relation in 0..1u64 << (N * (N - 1)) {
            let matters = |pid: usize| {
                let others = (0..N).filter(|&other| other != pid);
                let bits = relation >> (pid * (N - 1));
                Processes(others.zip(0..).map(|(other, bit)| (bits >> bit & 1) << other).sum())
            };
            let is_closed = |set: Processes| set.iter().all(|pid| matters(pid).is_within(set));
            for (movers, seen) in [(0b1111, 0), (0b0111, 0b0001), (0b1111, 0b1010), (0b0110, 0b0100)] {
                let (movers, seen) = (Processes(movers), Processes(seen));
                let moving = |set: Processes| set.common(movers);
                let sets = (1..1 << N).map(Processes);
                let fit = sets.filter(|&set| {
                    is_closed(set) && !moving(set).is_empty() && !moving(set).meets(seen) && moving(set) != movers
                });
                let least = fit.map(|set| moving(set).len()).min();
                let chosen = choose(Choice { movers, barred: seen, last: Processes::NONE }, matters);
                assert!(chosen.is_none_or(is_closed), "{relation:b}");
                assert_eq!(chosen.map(|set| moving(set).len()), least, "{relation:b} {movers:?} {seen:?}");
            }
        }
    }
}
