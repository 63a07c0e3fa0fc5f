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
//! of levels, so that the same command gives the same answers, with any number of threads. Where the first violation is the end of the
//! search, probes begin with 2^10 states.

use reductio_model::{Budget, Door, Property, Why};
use reductio_reduce::Plan;

use crate::depth_first::{self, Turn, Way};
use crate::findings::Finding;
use crate::packed::selector::PartialOrder;
use crate::path_log::Path;
use crate::run::{KeysTooLong, Run};
use crate::search::Explored;
use crate::store::Memory;

/// With so many states the first probes are due: in the tests of this crate with so few that small models see them, too.
const FIRST_DUE: u64 = if cfg!(test) { 16 } else { 1 << 14 };
/// For who wants nothing but the first violation, with so many.
const FIRST_DUE_FOR_FIRST: u64 = if cfg!(test) { 16 } else { 1 << 10 };
/// Then, whenever there are so many times as many.
const GROWTH: u64 = 4;
/// Each probe may see this part of the states that were due.
const PART_OF_DUE: u64 = 16;
/// A probe that is kept from going deep goes so many times as deep as the breadth-first search.
const TIMES_AS_DEEP: usize = 4;
/// So many times it is tried to find a shorter run.
const ATTEMPTS: u32 = 12;

/// The probes of one search, and what they have found.
pub(crate) struct Probes {
    /// With so many states they are due for the first time.
    first_due: u64,
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
    pub fn new(plan: &Plan) -> Probes {
        let first_due = if plan.is_first_only() { FIRST_DUE_FOR_FIRST } else { FIRST_DUE };
        Probes { first_due, rounds: 0, states: 0, found: Vec::new() }
    }

    /// With how many states the next probes are due.
    fn due(&self) -> u64 {
        self.first_due.saturating_mul(GROWTH.saturating_pow(self.rounds))
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
    use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
    use reductio_model::{Interpreter, Model, Trace, Verdict};
    use reductio_reduce::{Fairness, PlanRequest, ReduceChoice, SearchOrder, StoreChoice, plan};
    use reductio_testing::certified;
    use reductio_testing::promela::generate::{Features, Size, generate_with};

    use super::*;
    use crate::search::{SearchResult, search};

    fn model(text: &str) -> Model {
        let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
        loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
    }

    fn asked(request: impl Fn(&mut PlanRequest)) -> PlanRequest {
        let mut asked = PlanRequest::new(vec![Property::Deadlock, Property::Assertions]);
        request(&mut asked);
        asked
    }

    fn check(model: &Model, request: &PlanRequest) -> SearchResult {
        let plan = plan(model, request.clone()).expect("there is such a plan");
        let result = search(&Interpreter::new(model), &plan, &Budget::UNLIMITED);
        for entry in &result.verdicts {
            if let Verdict::Violated(violation) = &entry.verdict {
                let confirmed = certified::of_processes(model, Fairness::None, entry.property, violation);
                assert!(confirmed.is_ok(), "{:?}: {:?}", entry.property, confirmed.err());
            }
        }
        result
    }

    /// How many events a run has: an `atomic` is one.
    fn events(model: &Model, run: &Trace) -> usize {
        let interpreter = Interpreter::new(model);
        let mut state = interpreter.initial_state();
        let (mut count, mut is_inside) = (0, false);
        for step in &run.stem {
            let next = interpreter.execute(&state, *step).state;
            is_inside = next.as_ref().is_some_and(|next| next.exclusive.is_some());
            count += usize::from(!is_inside);
            let Some(next) = next else { break };
            state = next;
        }
        count + usize::from(is_inside)
    }

    /// Of each property, whether it is violated, by a run of how many events, and whether nobody knows of a shorter one.
    fn answers(model: &Model, result: &SearchResult) -> Vec<(Property, Option<(usize, bool)>)> {
        let answer = |entry: &crate::search::PropertyVerdict| match &entry.verdict {
            Verdict::Violated(violation) => {
                (entry.property, Some((events(model, &violation.run), entry.may_be_longer)))
            }
            Verdict::Holds => (entry.property, None),
            Verdict::Inconclusive(why) => panic!("{:?}: {why}", entry.property),
        };
        result.verdicts.iter().map(answer).collect()
    }

    /// What probes find is violated, what they do not find is found out by the search they belong to, and nothing is called shortest that
    /// is not.
    #[test]
    fn answers_are_those_of_a_breadth_first_search() {
        let (mut probed, mut violated, mut longer) = (0, 0, 0);
        for seed in 0..400 {
            let features = Features { risky: seed % 2 == 1, ..Features::default() };
            let text = generate_with(seed, Size::states(300), features).to_string();
            let model = model(&text);
            let none = ReduceChoice::None;
            let plain = asked(|asked| (asked.search, asked.reductions) = (SearchOrder::BreadthFirst, none.clone()));
            let expected = check(&model, &plain);
            if expected.limit.is_some() {
                continue;
            }
            let expected = answers(&model, &expected);
            let requests = [
                asked(|_| {}),
                asked(|asked| asked.reductions = none.clone()),
                asked(|asked| asked.threads = 2),
                asked(|asked| (asked.reductions, asked.max_violations) = (none.clone(), None)),
            ];
            for request in requests {
                let result = check(&model, &request);
                probed += usize::from(result.statistics.probed > 0);
                let mut found = answers(&model, &result);
                found.dedup_by_key(|(property, _)| *property);
                for ((property, found), (_, expected)) in found.into_iter().zip(&expected) {
                    assert_eq!(found.is_some(), expected.is_some(), "seed {seed}, {property:?}, {request:?}\n{text}");
                    if let (Some((events, may_be_longer)), Some((shortest, _))) = (found, expected) {
                        violated += 1;
                        longer += usize::from(may_be_longer);
                        let is_right = if may_be_longer { events >= *shortest } else { events == *shortest };
                        assert!(is_right, "seed {seed}, {property:?}: {events}, {shortest}, {may_be_longer}\n{text}");
                    }
                }
            }
        }
        assert!(probed > 200 && violated > 200, "{probed} searches with probes, {violated} violations");
        assert!(longer < violated / 4, "{longer} of {violated} violations may be longer");
    }

    /// The first violation is one, it is the only one, and what holds is not said to be violated.
    #[test]
    fn the_first_violation_is_the_end() {
        let (mut violated, mut open) = (0, 0);
        for seed in 0..300 {
            let features = Features { risky: seed % 2 == 1, ..Features::default() };
            let text = generate_with(seed, Size::states(300), features).to_string();
            let model = model(&text);
            let expected = check(&model, &asked(|asked| asked.search = SearchOrder::BreadthFirst));
            for search in [SearchOrder::Auto, SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
                let first = check(&model, &asked(|asked| (asked.search, asked.first_only) = (search, true)));
                let is_violated = |result: &SearchResult| {
                    let violated =
                        |entry: &&crate::search::PropertyVerdict| matches!(entry.verdict, Verdict::Violated(_));
                    result.verdicts.iter().filter(violated).count()
                };
                if expected.limit.is_some() {
                    continue;
                }
                assert_eq!(is_violated(&first), is_violated(&expected).min(1), "seed {seed}, {search:?}\n{text}");
                for (found, expected) in first.verdicts.iter().zip(&expected.verdicts) {
                    match (&found.verdict, &expected.verdict) {
                        (Verdict::Holds, Verdict::Holds) | (Verdict::Violated(_), Verdict::Violated(_)) => {}
                        (Verdict::Inconclusive(why), _) => {
                            assert_eq!(*why, Why::FirstFound, "seed {seed}, {search:?}\n{text}");
                            open += 1;
                        }
                        other => panic!("seed {seed}, {search:?}: {other:?}\n{text}"),
                    }
                }
                violated += is_violated(&first);
                let is_whole = first.verdicts.iter().all(|entry| !matches!(entry.verdict, Verdict::Inconclusive(_)));
                assert!(is_whole || !first.complete, "seed {seed}, {search:?}\n{text}");
            }
        }
        assert!(violated > 100 && open > 100, "{violated} violations, {open} open");
    }

    const DEEP: &str = "byte a, b, c, d;
        active proctype P() { do :: a < 40 -> a++ :: a == 40 -> GOAL od }
        active proctype Q() { do :: b < 40 -> b++ :: b == 40 -> b = 0 od }
        active proctype R() { do :: c < 40 -> c++ :: c == 40 -> c = 0 od }
        active proctype S() { do :: d < 40 -> d++ :: d == 40 -> d = 0 od }";

    /// Far away in breadth, near in depth: by the first process, or by the last one.
    #[test]
    fn probes_find_what_lies_deep() {
        for (goal, what) in [("assert(false)", Property::Assertions), ("a = a / (a - 40)", Property::Assertions)] {
            let text = DEEP.replace("GOAL", goal);
            let model = model(&text);
            let none = ReduceChoice::None;
            let request = asked(|asked| (asked.properties, asked.reductions) = (vec![what], none.clone()));
            for request in [
                request.clone(),
                PlanRequest { threads: 2, ..request.clone() },
                PlanRequest { first_only: true, ..request },
            ] {
                let result = check(&model, &request);
                assert!(matches!(result.verdicts[0].verdict, Verdict::Violated(_)), "{goal}");
                assert!(result.verdicts[0].may_be_longer && !result.complete, "{goal}");
                assert!(result.statistics.states < 20_000, "{goal}: {}", result.statistics.states);
                // Once more, and nothing is otherwise.
                let again = check(&model, &request);
                assert_eq!(again.verdicts, result.verdicts);
                let counts = |result: &SearchResult| {
                    let statistics = result.statistics;
                    (statistics.states, statistics.transitions, statistics.depth, statistics.probed)
                };
                assert_eq!(counts(&again), counts(&result));
            }
        }
    }

    /// Who asks for breadth-first search gets it, and who asks for all violations gets all.
    #[test]
    fn probes_do_not_end_a_search_for_more() {
        let model = model(
            "byte a, b; active [2] proctype P() { do :: a < 9 -> a++ :: b < 9 -> b++ :: a + b == 17 -> (false) :: a == 3 -> break od }",
        );
        let all = asked(|asked| (asked.reductions, asked.max_violations) = (ReduceChoice::None, None));
        // Nothing else is asked, so that a probe has found something of everything.
        let all = PlanRequest { properties: vec![Property::Deadlock], ..all };
        let [with, without] = [SearchOrder::Auto, SearchOrder::BreadthFirst]
            .map(|search| check(&model, &PlanRequest { search, ..all.clone() }));
        assert!(with.statistics.probed > 0 && without.statistics.probed == 0);
        assert_eq!(with.violations, without.violations);
        assert_eq!(with.verdicts, without.verdicts);
        assert_eq!(with.statistics.states, without.statistics.states);
        assert_eq!((with.complete, without.complete), (true, true));
    }

    /// A search that is complete has seen the same states, whatever probes have seen besides, and those are a quarter at most.
    #[test]
    fn a_complete_search_counts_what_it_counts_without_probes() {
        let mut probed = 0;
        for seed in 0..100 {
            let text = generate_with(seed, Size::states(1000), Features::default()).to_string();
            let model = model(&text);
            let request = |search| asked(|asked| (asked.search, asked.reductions) = (search, ReduceChoice::None));
            let [with, without] =
                [SearchOrder::Auto, SearchOrder::BreadthFirst].map(|search| check(&model, &request(search)));
            assert!(4 * with.statistics.probed <= with.statistics.states, "seed {seed}: {:?}", with.statistics);
            assert_eq!(without.statistics.probed, 0);
            if with.complete && without.complete {
                let counts = |result: &SearchResult| (result.statistics.states, result.statistics.transitions);
                assert_eq!(counts(&with), counts(&without), "seed {seed}\n{text}");
                probed += usize::from(with.statistics.probed > 0);
            }
        }
        assert!(probed > 20, "only {probed} complete searches had probes");
    }

    /// A lossy store proves nothing, with probes or without.
    #[test]
    fn what_probes_do_not_find_does_not_hold() {
        let text = "byte a, b; active [3] proctype P() { do :: a < 20 -> a++ :: b < 20 -> b++ :: else -> break od }";
        let model = model(text);
        for store in [StoreChoice::Compact, StoreChoice::Bitstate] {
            let request = asked(|asked| (asked.store, asked.reductions) = (store, ReduceChoice::None));
            let plan = plan(&model, request).expect("there is such a plan");
            let budget = Budget { memory: Some(1 << 26), ..Budget::UNLIMITED };
            let result = search(&Interpreter::new(&model), &plan, &budget);
            assert!(result.statistics.probed > 0, "{store:?}");
            let is_open =
                |entry: &crate::search::PropertyVerdict| entry.verdict == Verdict::Inconclusive(Why::LossyStore);
            assert!(result.verdicts.iter().all(is_open), "{store:?}: {:?}", result.verdicts);
        }
    }

    #[test]
    fn probes_never_see_more_than_a_quarter() {
        let mut probes = Probes { first_due: FIRST_DUE, rounds: 0, states: 0, found: Vec::new() };
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
        let probes = Probes { first_due: FIRST_DUE, rounds: u32::MAX, states: 0, found: Vec::new() };
        assert_eq!(probes.due(), u64::MAX);
    }
}
