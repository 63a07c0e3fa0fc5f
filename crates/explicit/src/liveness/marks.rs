//! What an infinite run must meet infinitely often, as a set of bits: the acceptance sets of the automaton, that it moves
//! at all, and with fairness, of every process, that it moves or cannot.

/// A set of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks(u128);

const SETS: u32 = 32;
/// The automaton reads a state. It does not in the middle of an `atomic`, and reading nothing forever is no run of it.
const READS: u128 = 1 << SETS;
const FIRST_PROCESS: u32 = SETS + 1;

impl Marks {
    pub const NONE: Marks = Marks(0);
    /// With fairness there can be so many processes.
    pub const MOST_PROCESSES: u32 = u128::BITS - FIRST_PROCESS;

    /// Those of an edge of the automaton.
    pub fn of_edge(sets: u32) -> Marks {
        Marks(u128::from(sets) | READS)
    }

    /// Those that a run must meet that an automaton accepts, each by itself. That it moves follows from the others, if
    /// there are others.
    pub fn conditions(self) -> impl Iterator<Item = Marks> {
        let needed = if self.0 == READS { READS } else { self.0 & !READS };
        (0..u128::BITS).map(move |bit| Marks(needed & 1 << bit)).filter(|mark| !mark.is_empty())
    }

    pub fn of_process(pid: u8) -> Marks {
        Marks(1 << (FIRST_PROCESS + u32::from(pid)))
    }

    /// Those of all processes from this pid on.
    pub fn of_processes_from(pid: usize) -> Marks {
        Marks(u128::MAX.checked_shl(FIRST_PROCESS + pid as u32).unwrap_or(0))
    }

    pub fn of_all_processes() -> Marks {
        Marks(u128::MAX << FIRST_PROCESS)
    }

    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    pub fn includes(self, other: Marks) -> bool {
        other.0 & !self.0 == 0
    }

    /// Have they a mark in common?
    pub fn meets(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}
