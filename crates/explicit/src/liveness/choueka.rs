//! Copies of the state space, so that one acceptance condition stands for many: Choueka's flag.
//!
//! In each copy a run waits for one condition: in the first ones for the acceptance sets of the automaton, and with
//! weak fairness in the others for a process each, that it moves or cannot. A step that meets the condition leads on to
//! the next copy, and on through all copies whose conditions it meets as well. A step that meets the last one leads
//! back to the first copy, and is accepting: a run that takes such steps infinitely often meets every condition infinitely
//! often, and only such a run does.
//!
//! Processes come and go. One that does not exist cannot move, so that its copy is passed as that of one that waits is,
//! and copies beyond the last process are never stayed in for long. No states are made for copies: a state keeps two
//! bits for each of them.
//!
//! Paper:    [bosnacki03] section 3.1, after [choueka74].
//! Deviates: steps are accepting, not states, so there is no step that only changes copies. Where the paper passes on
//!           to one further copy, a step here passes on as far as it can, so fewer copies are stayed in.

use super::marks::Marks;

/// What to wait for, copy by copy.
pub(crate) struct Copies {
    conditions: Vec<Marks>,
}

/// One of the copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CopyId(pub u8);

impl CopyId {
    pub const FIRST: CopyId = CopyId(0);
}

impl Copies {
    /// Two bits for each fit into a word.
    pub const MOST: usize = 32;

    /// For what an automaton must meet, and with weak fairness so many processes.
    pub fn new(accepting: Marks, processes: u32) -> Copies {
        let of_processes = (0..processes as u8).map(Marks::of_process);
        Copies { conditions: accepting.conditions().chain(of_processes).collect() }
    }

    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Where a step leads that bears these marks, and whether it is accepting.
    pub fn pass(&self, from: CopyId, marks: Marks) -> (CopyId, bool) {
        let waits = |condition: &Marks| !marks.includes(*condition);
        let from = usize::from(from.0);
        match self.conditions[from..].iter().position(waits) {
            Some(passed) => (CopyId((from + passed) as u8), false),
            None => (CopyId::FIRST, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two acceptance sets, then processes.
    fn copies() -> Copies {
        Copies::new(Marks::of_edge(0b11), 30)
    }

    fn marks(sets: u32, processes: &[u8]) -> Marks {
        processes.iter().fold(Marks::of_edge(sets), |marks, &pid| marks.union(Marks::of_process(pid)))
    }

    #[test]
    fn a_step_passes_as_many_copies_as_it_can_in_order() {
        let copies = copies();
        let pass = |from, sets, processes: &[u8]| copies.pass(CopyId(from), marks(sets, processes));
        assert_eq!(pass(0, 0b00, &[0, 1]), (CopyId(0), false));
        assert_eq!(pass(0, 0b10, &[0, 1]), (CopyId(0), false), "the second set is waited for after the first");
        assert_eq!(pass(0, 0b01, &[0, 1]), (CopyId(1), false));
        assert_eq!(pass(0, 0b11, &[1]), (CopyId(2), false));
        assert_eq!(pass(0, 0b11, &[0, 2]), (CopyId(3), false));
        assert_eq!(pass(3, 0b00, &[0, 1, 2]), (CopyId(5), false));
    }

    #[test]
    fn only_the_last_condition_accepts() {
        let copies = copies();
        let everybody = Marks::of_all_processes();
        assert_eq!(copies.pass(CopyId(7), everybody), (CopyId::FIRST, true));
        assert_eq!(copies.pass(CopyId(0), everybody.union(Marks::of_edge(0b11))), (CopyId::FIRST, true));
        assert_eq!(copies.pass(CopyId(1), everybody.union(Marks::of_edge(0b01))), (CopyId(1), false));
        let last = everybody.without(Marks::of_process(29));
        assert_eq!(copies.pass(CopyId(2), last), (CopyId(31), false), "there are 32 copies");
    }

    #[test]
    fn without_acceptance_sets_it_is_waited_for_that_the_automaton_moves() {
        let copies = Copies::new(Marks::of_edge(0), 0);
        assert_eq!(copies.pass(CopyId::FIRST, Marks::of_edge(0)), (CopyId::FIRST, true));
        assert_eq!(copies.pass(CopyId::FIRST, Marks::NONE), (CopyId::FIRST, false));
        assert_eq!([0, u32::MAX].map(|sets| Copies::new(Marks::of_edge(sets), 0).len()), [1, Copies::MOST]);
    }
}
