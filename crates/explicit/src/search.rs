//! A search of all reachable states for violations of safety properties, all of them in one run.

use std::time::Instant;

use reductio_model::{
    Budget, Claim, ClaimId, Interpreter, Phase, Property, State, Statistics, Trace, TransitionSystem, Verdict, Why,
    Witness, Workspace,
};
use reductio_reduce::facts::Facts;
use reductio_reduce::partial_order::{facts_for_claim, facts_for_states};
use reductio_reduce::{CycleSearch, Fairness, Plan, StoreChoice};

use crate::atomic_sequences::event;
use crate::coverage::Coverage;
use crate::depth_first::Way;
use crate::findings::{Finding, fault_key};
use crate::liveness::{self, Lasso};
use crate::packed::selector::PartialOrder;
use crate::path_log::Path;
use crate::patience::Patience;
use crate::probe::{self, Around, Probes};
use crate::proviso::Ignored;
use crate::reduction::Reduction;
use crate::run::{KeysTooLong, Run};
use crate::shorten::shorten;
use crate::store::Memory;
use crate::{breadth_first, depth_first, first_violation, permuted_runs, plain, sleep_sets};

/// What is known of one property. A property with several violations has as many entries.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyVerdict {
    pub property: Property,
    pub verdict: Verdict,
    /// What was seen for this property alone: states of the model together with those of the claim's automaton.
    pub statistics: Option<Statistics>,
    /// For violations by a state or a step: nobody knows whether there is a shorter run to one.
    pub may_be_longer: bool,
}

impl PropertyVerdict {
    pub fn new(property: Property, verdict: Verdict) -> PropertyVerdict {
        PropertyVerdict { property, verdict, statistics: None, may_be_longer: false }
    }
}

#[derive(Clone, Debug)]
pub struct SearchResult {
    /// In the order of the plan's properties.
    pub verdicts: Vec<PropertyVerdict>,
    /// How many violations there are of each property that is violated: maybe more than those that are told with a run.
    pub violations: Vec<(Property, u64)>,
    pub statistics: Statistics,
    pub coverage: Coverage,
    /// Were all reachable states seen?
    pub complete: bool,
    /// The limit that ended the search, if one did.
    pub limit: Option<Why>,
    /// The [plain engine](plain) did it, with one thread and an exact store whatever the plan says.
    pub plain: bool,
}

/// Explores all that the model can do, as the plan says. With a fairness assumption, properties that hold without it are found out first,
/// where the plan says so; the fair search is for the rest.
pub fn search(interpreter: &Interpreter<'_>, plan: &Plan, budget: &Budget) -> SearchResult {
    // Two searches could find two first violations.
    let without_fairness = plan.without_fairness().filter(|_| !plan.is_first_only());
    let Some(without_fairness) = without_fairness else { return search_fairly(interpreter, plan, budget) };
    let started = Instant::now();
    // If that takes too long, the fair search may still be the shorter one.
    let half = budget.time_left().map_or_else(|| budget.clone(), |left| budget.for_at_most(left / 2));
    let mut first = search_fairly(interpreter, &without_fairness, &half);
    // What holds of all infinite runs holds of the fair ones, and a counterexample that happens to be fair is one.
    first.verdicts.retain(|entry| match &entry.verdict {
        Verdict::Holds => true,
        Verdict::Violated(witness) => plain::is_fair(interpreter, plan.fairness(), &witness.run),
        Verdict::Inconclusive(_) => false,
    });
    let is_known = |property| first.verdicts.iter().any(|entry| entry.property == property);
    first.violations.retain(|(property, _)| is_known(*property));
    first.limit = None;
    let rest = plan.narrowed(|property| !is_known(property));
    match rest.properties().is_empty() {
        true => first,
        false => join(plan, vec![search_fairly(interpreter, &rest, budget), first], started),
    }
}

/// The same as the plan says by itself, on a model that was made smaller before where the plan says so.
fn search_fairly(interpreter: &Interpreter<'_>, plan: &Plan, budget: &Budget) -> SearchResult {
    match Reduction::of(interpreter, plan) {
        None => search_as_is(interpreter, plan, budget),
        Some(reduction) => {
            let started = Instant::now();
            let smaller = Interpreter::new(&reduction.reduced.model);
            let found = search_as_is(&smaller, plan, budget);
            let (mut found, too_long) = reduction.lift(found);
            if !too_long.is_empty() {
                search_again(&mut found, interpreter, plan, &too_long, budget);
            }
            if plan.on_the_model().path_reduction && plan.is_breadth_first() {
                count_every_step(&mut found, interpreter, plan, started, budget);
            }
            found
        }
    }
}

/// Looks again for the counterexamples that are too long on the model that was given, on that model itself.
fn search_again(
    found: &mut SearchResult,
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    properties: &[Property],
    budget: &Budget,
) {
    let narrowed = plan.narrowed(|property| properties.contains(&property)).without_symmetry();
    let again = search_as_is(interpreter, &narrowed, budget);
    found.verdicts.extend(again.verdicts);
    let place = |entry: &PropertyVerdict| plan.properties().iter().position(|property| *property == entry.property);
    found.verdicts.sort_by_key(place);
    found.limit = found.limit.or(again.limit);
}

/// A counterexample with the fewest paths need not be one with the fewest steps: looks for that on the model that was given.
fn count_every_step(
    found: &mut SearchResult,
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    started: Instant,
    budget: &Budget,
) {
    let is_violated = |property: Property| {
        let of_property = |entry: &&PropertyVerdict| entry.property == property;
        found.verdicts.iter().find(of_property).is_some_and(|entry| matches!(entry.verdict, Verdict::Violated(_)))
    };
    // The processes that can be exchanged are those of the smaller model.
    let broken = plan.narrowed(|property| property.is_of_states() && is_violated(property)).without_symmetry();
    if broken.properties().is_empty() {
        return;
    }
    let is_of_states = |entry: &&mut PropertyVerdict| broken.properties().contains(&entry.property);
    // A shortest run of the smaller model need not be one of this.
    found.verdicts.iter_mut().filter(is_of_states).for_each(|entry| entry.may_be_longer = true);
    let enough = worth_a_short_run(plan, found.statistics.states);
    let budget = budget.during(Phase::Shortening);
    let run = Run { enough, ..Run::since(started, &broken, &budget) };
    let Ok(shortest) = breadth_first::explore_some(interpreter, None, run) else { return };
    for finding in &shortest.findings {
        let trace = follow(interpreter, &finding.place);
        let violation = Witness::of(trace).ending_in(finding.fault.clone());
        let of_property = |entry: &&mut PropertyVerdict| entry.property == finding.property;
        if let Some(entry) = found.verdicts.iter_mut().find(of_property) {
            entry.verdict = Verdict::Violated(violation);
            entry.may_be_longer = plan.store() != StoreChoice::Exact;
        }
    }
}

fn search_as_is(interpreter: &Interpreter<'_>, plan: &Plan, budget: &Budget) -> SearchResult {
    let started = Instant::now();
    let parts = match plan.is_first_only() {
        true => first_violation::search(interpreter, plan, started, budget),
        false => {
            let questions = questions(plan).into_iter();
            questions.map(|question| ask(interpreter, plan, question, started, budget, u64::MAX)).collect()
        }
    };
    join(plan, parts, started)
}

/// What is answered by one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// All properties of states and steps.
    States,
    /// A claim, together with its automaton.
    Runs(Property, ClaimId),
}

/// What a plan asks, in the order in which it is told.
pub(crate) fn questions(plan: &Plan) -> Vec<Question> {
    let states = plan.properties().iter().any(|property| property.is_of_states()).then_some(Question::States);
    let claims = plan.properties().iter().filter_map(|&property| match property {
        Property::Claim(claim) => Some(Question::Runs(property, claim)),
        _ => None,
    });
    states.into_iter().chain(claims).collect()
}

/// Answers a question, looking at so many states at most.
pub(crate) fn ask(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    question: Question,
    started: Instant,
    budget: &Budget,
    enough: u64,
) -> SearchResult {
    match question {
        Question::States => search_states(interpreter, &plan.narrowed(Property::is_of_states), started, budget, enough),
        Question::Runs(property, claim) => {
            let claim = interpreter.model().claim(claim);
            search_runs(interpreter, plan, property, claim, started, budget, enough)
        }
    }
}

/// One result from those of several searches. What was seen is what the first has seen.
fn join(plan: &Plan, parts: Vec<SearchResult>, started: Instant) -> SearchResult {
    let mut parts = parts.into_iter();
    let mut joined = parts.next().expect("a plan has at least one property");
    for part in parts {
        joined.verdicts.extend(part.verdicts);
        joined.violations.extend(part.violations);
        joined.coverage.join(&part.coverage);
        joined.limit = joined.limit.or(part.limit);
        joined.statistics.memory_bytes = joined.statistics.memory_bytes.max(part.statistics.memory_bytes);
    }
    let place = |verdict: &PropertyVerdict| plan.properties().iter().position(|property| *property == verdict.property);
    joined.verdicts.sort_by_key(place);
    joined.statistics.seconds = started.elapsed().as_secs_f64();
    joined
}

/// Looks for a run that breaks a claim.
fn search_runs(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    property: Property,
    claim: &Claim,
    started: Instant,
    budget: &Budget,
    enough: u64,
) -> SearchResult {
    let is_of_states = claim.violations.decides_early();
    let mut alone = plan.narrowed(|other| other == property);
    if is_of_states {
        alone = alone.regardless_of_fairness();
    }
    let is_reduced = alone.uses_partial_orders_for(property);
    let facts = is_reduced.then(|| facts_for_claim(interpreter.model(), claim, alone.fairness()).ok()).flatten();
    let mut order = facts.map(|facts| PartialOrder::new(facts, !is_of_states));
    for round in 0.. {
        if round == PATIENCE {
            order = None;
        }
        let run = Run { enough, ..Run::since(started, &alone, budget) };
        let Ok(mut explored) = liveness::check(interpreter, order.as_ref(), claim, property, run) else { break };
        if order.is_some() && matches!(explored.limit, Some(Why::TooManyProcesses { .. })) {
            // Nested searches have room for more processes where no step is left out.
            order = None;
            continue;
        }
        if let Some(order) = order.as_mut().filter(|_| is_of_states && explored.complete && explored.reduced) {
            // Nothing was found, but steps may have been put off forever.
            let run = Run::since(started, &alone, budget);
            match breadth_first::explore_some(interpreter, Some(order), Run { gives_up: false, ..run }) {
                Ok(Explored { ignored, limit: None, .. }) if ignored.is_empty() => {}
                Ok(Explored { ignored, limit: None, .. }) => {
                    ignored.make_up(order);
                    continue;
                }
                Ok(Explored { limit, .. }) => explored.limit = limit,
                Err(KeysTooLong) => break,
            }
        }
        return explored.into_result_for_claim(interpreter, &alone, &Patience::new(budget));
    }
    inconclusive(property, Why::StatesTooLong)
}

pub(crate) fn inconclusive(property: Property, limit: Why) -> SearchResult {
    SearchResult {
        verdicts: vec![PropertyVerdict::new(property, Verdict::Inconclusive(limit))],
        violations: Vec::new(),
        statistics: Statistics::default(),
        coverage: Coverage::default(),
        complete: false,
        limit: Some(limit),
        plain: false,
    }
}

/// Looks at every state and every step, or at as many as are enough.
fn search_states(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    started: Instant,
    budget: &Budget,
    enough: u64,
) -> SearchResult {
    if plan.uses_sleep_sets() {
        return search_with_sleep_sets(interpreter, plan, started, budget);
    }
    let is_reduced = plan.properties().iter().all(|&property| plan.uses_partial_orders_for(property));
    let facts = is_reduced.then(|| facts_for_states(interpreter.model(), plan.properties()).ok()).flatten();
    let mut order = facts.map(|facts| PartialOrder::new(facts, false));
    let mut probes = Probes::new(plan);
    for round in 0.. {
        if round == PATIENCE {
            order = None;
        }
        let explored = match plan.is_breadth_first() {
            true => {
                let run = Run { enough, ..Run::since(started, plan, budget) };
                let probes = plan.has_probes().then_some(&mut probes);
                breadth_first::explore_with(interpreter, order.as_ref(), run, probes)
            }
            false => {
                let run = Run { enough, ..Run::since(started, plan, budget) };
                depth_first::explore_in(interpreter, order.as_ref(), Way::WHOLE, run)
            }
        };
        let Ok(mut explored) = explored else { break };
        if let Some(order) = order.as_mut().filter(|_| !explored.ignored.is_empty()) {
            explored.ignored.make_up(order);
            continue;
        }
        if plan.is_breadth_first() {
            explored.are_shortest(plan);
            explored.add_found_by(probes);
            look_for_shorter(&mut explored, interpreter, plan, started, budget);
            shorten_by_probes(&mut explored, interpreter, order.as_ref(), plan, budget);
        }
        return explored.into_result(interpreter, plan, &Patience::new(budget));
    }
    // Thousands of processes and channels: states this long are rare, and the plain engine takes any.
    plain::search(interpreter, plan, budget)
}

fn search_with_sleep_sets(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    started: Instant,
    budget: &Budget,
) -> SearchResult {
    // Every state is seen: the property is no reason to keep the order of any steps.
    let order = PartialOrder::for_sleep_sets(Facts::new(interpreter.model()));
    match sleep_sets::explore(interpreter, &order, plan, started, budget) {
        Ok(explored) => explored.into_result(interpreter, plan, &Patience::new(budget)),
        Err(KeysTooLong) => plain::search(interpreter, plan, budget),
    }
}

/// The shortest counterexample may be among the runs that were left out: looks at some of them.
fn look_for_shorter(
    explored: &mut Explored<Path>,
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    started: Instant,
    budget: &Budget,
) {
    let is_found = |property| explored.findings.iter().any(|finding| finding.property == property);
    let found = plan.narrowed(|property| is_found(property) && !explored.shortest.contains(&property));
    if found.properties().is_empty() {
        return;
    }
    // What a probe has found is one violation, and so is what takes its place.
    let enough = worth_a_short_run(plan, explored.statistics.states);
    let was_unreduced = !explored.reduced && plan.store() == StoreChoice::Exact;
    if was_unreduced && explored.statistics.states > enough {
        // All runs as short as it would look at have been looked at.
        return;
    }
    let budget = budget.during(Phase::Shortening);
    let run = Run { enough, ..Run::since(started, &found, &budget) };
    if let Ok(shortest) = breadth_first::explore_some(interpreter, None, run) {
        explored.findings.retain(|finding| shortest.findings.iter().all(|short| short.property != finding.property));
        let found: Vec<Property> = shortest.findings.iter().map(|finding| finding.property).collect();
        explored.by_probes.retain(|property| !found.contains(property));
        if plan.store() == StoreChoice::Exact {
            explored.shortest.extend(found);
        }
        explored.findings.extend(shortest.findings);
    }
}

/// What probes have found may be far from the shortest: others, which may not go as deep, look for something shorter.
fn shorten_by_probes(
    explored: &mut Explored<Path>,
    interpreter: &Interpreter<'_>,
    order: Option<&PartialOrder<'_>>,
    plan: &Plan,
    budget: &Budget,
) {
    if explored.by_probes.is_empty() {
        return;
    }
    let budget = &budget.during(Phase::Shortening);
    let memory = &Memory::measured(budget.memory, budget.resident);
    let around = Around { system: interpreter, order, plan, budget, memory, depth: 0 };
    let states = worth_a_short_run(plan, explored.statistics.states) / PART_OF_PROBES;
    for finding in explored.findings.iter_mut().filter(|finding| explored.by_probes.contains(&finding.property)) {
        *finding = probe::shorter(&around, finding.clone(), states);
    }
}

/// So many states are looked at for a shorter counterexample. Who wants nothing but the first one is not kept waiting for longer than it
/// took to find it.
fn worth_a_short_run(plan: &Plan, seen: u64) -> u64 {
    if plan.is_first_only() { seen.clamp(WORTH_FOR_FIRST, WORTH_A_SHORT_RUN) } else { WORTH_A_SHORT_RUN }
}

/// So many states are looked at for the shortest counterexample.
const WORTH_A_SHORT_RUN: u64 = 1 << 19;
/// At least so many, which takes no time to speak of.
const WORTH_FOR_FIRST: u64 = 1 << 12;
/// Probes look at this part of it.
const PART_OF_PROBES: u64 = 4;

/// So often it is tried to make up for steps that are ignored. Then no step is left out any more.
const PATIENCE: u32 = 8;

/// What a search has seen, before its findings are made into counterexamples.
pub(crate) struct Explored<P> {
    /// The violations that may be shown.
    pub findings: Vec<Finding<P>>,
    /// How many there are of each property that is violated.
    pub violations: Vec<(Property, u64)>,
    pub statistics: Statistics,
    pub coverage: Coverage,
    /// Were all reachable states seen, as far as the store can tell?
    pub complete: bool,
    /// Was a step left out?
    pub reduced: bool,
    /// What to do lest one be left out forever.
    pub ignored: Ignored,
    pub limit: Option<Why>,
    /// The properties with a violation to which there is no shorter run.
    pub shortest: Vec<Property>,
    /// The properties of which only probes have found a violation.
    pub by_probes: Vec<Property>,
}

impl Explored<Lasso> {
    fn into_result_for_claim(
        self,
        interpreter: &Interpreter<'_>,
        plan: &Plan,
        patience: &Patience<'_>,
    ) -> SearchResult {
        let Explored { findings, violations, statistics, mut coverage, limit, .. } = self;
        if let Some(found) = plan.symmetry() {
            coverage.share(&found.alike);
        }
        let stepwise = plan.fairness() != Fairness::None;
        let limit = limit.or((plan.cycle_search() == CycleSearch::Hunt).then_some(Why::Hunt));
        let violation = |finding: &Finding<Lasso>| {
            let trace = match plan.symmetry() {
                Some(found) if plan.cycle_search() == CycleSearch::Hunt => {
                    permuted_runs::follow_fragment(interpreter, &found.symmetry, &finding.place)
                }
                Some(found) => permuted_runs::follow_lasso(interpreter, &found.symmetry, &finding.place, stepwise),
                None => liveness::follow(interpreter, &finding.place, stepwise),
            };
            Witness::of(trace)
        };
        let mut verdicts = verdicts(plan, &findings, limit, patience, violation);
        verdicts.iter_mut().for_each(|verdict| verdict.statistics = Some(statistics));
        // Where the automaton cannot go on, neither does the search.
        SearchResult { verdicts, violations, statistics, coverage, complete: false, limit, plain: false }
    }
}

impl Explored<Path> {
    /// A breadth-first search of everything finds the shortest runs first.
    fn are_shortest(&mut self, plan: &Plan) {
        if !self.reduced && plan.store() == StoreChoice::Exact {
            self.shortest.extend(self.findings.iter().map(|finding| finding.property));
        }
    }

    /// What the search has found itself stands for what probes have found.
    fn add_found_by(&mut self, probes: Probes) {
        self.statistics.probed = probes.states;
        let is_known = |property| self.violations.iter().any(|(known, _)| *known == property);
        let more: Vec<_> = probes.found.into_iter().filter(|finding| !is_known(finding.property)).collect();
        for finding in more {
            self.violations.push((finding.property, 1));
            self.by_probes.push(finding.property);
            self.findings.push(finding);
        }
    }

    fn into_result(self, interpreter: &Interpreter<'_>, plan: &Plan, patience: &Patience<'_>) -> SearchResult {
        let Explored { findings, violations, statistics, mut coverage, complete, reduced, limit, .. } = self;
        let (shortest, by_probes) = (self.shortest, self.by_probes);
        if let Some(found) = plan.symmetry() {
            coverage.share(&found.alike);
        }
        let limit = match plan.store() {
            StoreChoice::Exact => limit,
            StoreChoice::Compact | StoreChoice::Bitstate if complete => Some(Why::LossyStore),
            StoreChoice::Compact | StoreChoice::Bitstate => limit,
        };
        let violation = |finding: &Finding<Path>| {
            let trace = match plan.symmetry() {
                Some(found) => permuted_runs::follow(interpreter, &found.symmetry, &finding.place),
                None => follow(interpreter, &finding.place),
            };
            let has_detours = reduced || by_probes.contains(&finding.property);
            let trace = if has_detours { without_detours(interpreter, trace, finding, patience) } else { trace };
            Witness::of(trace).ending_in(finding.fault.clone())
        };
        let mut verdicts = verdicts(plan, &findings, limit, patience, violation);
        for entry in verdicts.iter_mut().filter(|entry| matches!(entry.verdict, Verdict::Violated(_))) {
            entry.may_be_longer = !shortest.contains(&entry.property);
        }
        SearchResult {
            verdicts,
            violations,
            statistics,
            coverage,
            // To find every deadlock, steps may be put off forever.
            complete: complete && limit.is_none() && !(reduced && plan.properties() == [Property::Deadlock]),
            limit,
            plain: false,
        }
    }
}

/// The same violation, without steps that have nothing to do with it.
fn without_detours(
    interpreter: &Interpreter<'_>,
    trace: Trace,
    finding: &Finding<Path>,
    patience: &Patience<'_>,
) -> Trace {
    let fault = finding.fault.as_ref().map(fault_key);
    match finding.property {
        Property::Assertions => shorten(interpreter, trace, patience, |state, step| {
            interpreter.execute(state, step).fault.as_ref().map(fault_key) == fault
        }),
        Property::Invariant(invariant) => shorten(interpreter, trace, patience, |state, step| {
            let atom = interpreter.model().invariant(invariant).atom;
            let reached = interpreter.execute(state, step).state;
            let is_broken = |state: &State| {
                state.exclusive.is_none() && interpreter.atom_holds(&Workspace::new(state.clone()), atom) != Ok(true)
            };
            reached.is_some_and(|state| is_broken(&state))
        }),
        Property::Deadlock | Property::Claim(_) | Property::Ctl(_) => trace,
    }
}

/// The run in which these events happen, one after the other.
fn follow(interpreter: &Interpreter<'_>, path: &Path) -> Trace {
    let mut state = Some(interpreter.initial());
    let mut stem = Vec::with_capacity(path.len());
    for &number in path {
        let here = state.expect("no path leads through a fault that ends the run");
        let (steps, next) = event(interpreter, &here, number);
        stem.extend(steps);
        state = next;
    }
    Trace { stem, cycle: Vec::new() }
}

/// One verdict for every property, or as many as it has violations: the first one in any case, others as long as there is
/// time to follow the runs that lead there.
pub(crate) fn verdicts<P>(
    plan: &Plan,
    findings: &[Finding<P>],
    limit: Option<Why>,
    patience: &Patience<'_>,
    violation: impl Fn(&Finding<P>) -> Witness,
) -> Vec<PropertyVerdict> {
    let mut verdicts = Vec::new();
    for &property in plan.properties() {
        let before = verdicts.len();
        for finding in findings.iter().filter(|finding| finding.property == property) {
            if verdicts.len() > before && patience.is_over() {
                break;
            }
            let verdict = Verdict::Violated(violation(finding));
            verdicts.push(PropertyVerdict::new(property, verdict));
        }
        if verdicts.len() == before {
            // A search that ends for want of anything left to find has found something for every property, so a
            // property without findings was looked for in all states unless a limit was met.
            let verdict = limit.map_or(Verdict::Holds, Verdict::Inconclusive);
            verdicts.push(PropertyVerdict::new(property, verdict));
        }
    }
    verdicts
}
