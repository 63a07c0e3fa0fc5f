//! Depth-first probes beside a breadth-first search: violations that lie deep, and that a search in depth soon comes by.
//!
//! Paper:    [holzmann-joshi-groce11] (swarm verification): searches in depth that differ in the order of their steps, each with little to
//!           spend, look at parts of a state space that one search does not reach in time.
//! Preserves: nothing. A probe finds violations, which are replayed like any other, and proves nothing: whatever it has seen, what it
//!           has not found is still to be looked for. So it needs no proviso.
//! Deviates: here they are not many beside each other but take turns with a breadth-first search, whose answers stay what they are: the
//!           proofs, and the shortest counterexamples as far as it comes.
//!
//! When the breadth-first search has finished a level and has seen 2^14 states, and again whenever it has seen four times as many as
//! the time before, there are three probes. Each may see a sixteenth of the number that was due. So probes never see more than a quarter
//! of what the breadth-first search has seen, and a small model never sees a probe. All of this depends on numbers of states at the end
//! of levels, so that the same command gives the same answers, with any number of threads.

use reductio_model::{Budget, Door, Property, Why};
use reductio_reduce::Plan;

use crate::depth_first::{self, Turn, Way};
use crate::findings::Finding;
use crate::packed::selector::PartialOrder;
use crate::path_log::Path;
use crate::run::{KeysTooLong, Run};
use crate::search::Explored;
use crate::store::Memory;

/// With so many states the first probes are due.
const FIRST_DUE: u64 = 1 << 14;
/// Then, whenever there are so many times as many.
const GROWTH: u64 = 4;
/// Each probe may see this part of the states that were due.
const PART_OF_DUE: u64 = 16;
/// A probe that is kept from going deep goes so many times as deep as the breadth-first search.
const TIMES_AS_DEEP: usize = 4;
/// So many times it is tried to find a shorter run.
const ATTEMPTS: u32 = 12;

/// The probes of one search, and what they have found.
#[derive(Default)]
pub(crate) struct Probes {
    /// How often they were due.
    rounds: u32,
    /// How many states they have seen.
    pub states: u64,
    /// One violation of each property that they found violated.
    pub found: Vec<Finding<Path>>,
}

/// What probes are given by the search that they belong to.
pub(crate) struct Around<'r> {
    pub system: &'r dyn Door,
    pub order: Option<&'r PartialOrder<'r>>,
    pub plan: &'r Plan,
    pub budget: &'r Budget,
    pub memory: &'r Memory,
    /// How deep the search has come.
    pub depth: usize,
}

impl Probes {
    /// With how many states the next probes are due.
    fn due(&self) -> u64 {
        FIRST_DUE.saturating_mul(GROWTH.saturating_pow(self.rounds))
    }

    pub fn are_due(&self, states: u64) -> bool {
        states >= self.due()
    }

    pub fn have_found(&self, property: Property) -> bool {
        self.found.iter().any(|finding| finding.property == property)
    }

    /// Hunts for violations of those properties that are `open`. Only what ends the whole search is an error: that a probe has no
    /// memory left is none.
    pub fn hunt(&mut self, around: &Around<'_>, open: impl Fn(Property) -> bool) -> Result<(), Why> {
        let states = self.due() / PART_OF_DUE;
        let seed = u64::from(self.rounds) + 1;
        self.rounds += 1;
        let ways = [
            // The order of SPIN.
            Way::probe(Turn::LastProcess, usize::MAX),
            Way::probe(Turn::FirstProcess, usize::MAX),
            Way::probe(Turn::Shuffled(seed), around.depth.saturating_mul(TIMES_AS_DEEP)),
        ];
        for way in ways {
            let plan = around.plan.for_a_probe(|property| open(property) && !self.have_found(property));
            let is_over = plan.is_first_only() && !self.found.is_empty();
            if plan.properties().is_empty() || is_over {
                break;
            }
            let explored = probe(around, &plan, way, states);
            self.states += explored.as_ref().map_or(0, |explored| explored.statistics.states);
            self.found.extend(explored.into_iter().flat_map(|explored| explored.findings));
            around.budget.go_on()?;
        }
        Ok(())
    }
}

/// One search in depth that sees so many states at most. `None` if it could not begin.
fn probe(around: &Around<'_>, plan: &Plan, way: Way, states: u64) -> Option<Explored<Path>> {
    // Who watches wants to know how the search gets on that this one belongs to.
    let budget = Budget { progress: None, ..around.budget.clone() };
    let memory = around.memory.share();
    let run = Run { enough: states, memory, ..Run::new(plan, &budget) };
    let explored = depth_first::explore_in(around.system, around.order, way, run);
    match explored {
        Ok(explored) => {
            around.memory.has_been(explored.statistics.memory_bytes);
            Some(explored)
        }
        Err(KeysTooLong) => None,
    }
}

/// A shorter run to a violation of the same property, if probes that may not go as deep find one. They see so many states at most,
/// together.
pub(crate) fn shorter(around: &Around<'_>, finding: Finding<Path>, states: u64) -> Finding<Path> {
    let plan = around.plan.for_a_probe(|property| property == finding.property);
    let mut best = finding;
    // Runs of this length were not found.
    let mut too_short = 0;
    let mut left = states;
    for attempt in 0..ATTEMPTS {
        let depth = too_short + (best.place.len().saturating_sub(too_short)) / 2;
        if depth <= too_short || depth >= best.place.len() || left == 0 || around.budget.go_on().is_err() {
            break;
        }
        let turns = [Turn::LastProcess, Turn::FirstProcess, Turn::Shuffled(u64::from(attempt) + 1)];
        let mut found = None;
        for turn in turns {
            let each = (states / u64::from(ATTEMPTS) / 3).clamp(1, left.max(1));
            let Some(explored) = probe(around, &plan, Way::probe(turn, depth), each) else { continue };
            left = left.saturating_sub(explored.statistics.states);
            found = explored.findings.into_iter().next();
            if found.is_some() || left == 0 {
                break;
            }
        }
        match found.filter(|found| found.place.len() < best.place.len()) {
            Some(shorter) => best = shorter,
            None => too_short = depth,
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_never_see_more_than_a_quarter() {
        let mut probes = Probes::default();
        let mut seen = 0;
        assert!(!probes.are_due(FIRST_DUE - 1));
        for _ in 0..16 {
            let due = probes.due();
            assert!(probes.are_due(due) && !probes.are_due(due - 1));
            seen += 3 * (due / PART_OF_DUE);
            assert!(4 * seen <= due, "{seen} of {due}");
            probes.rounds += 1;
        }
    }

    #[test]
    fn the_number_of_states_that_is_due_does_not_wrap_around() {
        let probes = Probes { rounds: u32::MAX, ..Probes::default() };
        assert_eq!(probes.due(), u64::MAX);
    }
}
