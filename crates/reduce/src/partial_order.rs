//! Partial order reduction: for which properties it is sound, and under which conditions.
//!
//! | property | what is preserved | by which condition |
//! |---|---|---|
//! | deadlock | every deadlock | the closure: C0 and C1 |
//! | assertions, invariants | for every run one that begins with the same steps in another order ([peled93], Theorem 4.6: it may be assumed that no process is ignored) | steps that affect the same part of an invariant depend on each other; no step is deferred forever (the ignoring problem) |
//! | claims | for every run one that differs only in how long its states last ([clarke-grumberg-peled], section 10.6) | the claim is stutter-invariant; ample sets are invisible: C2; no cycle is closed by an ample set: C3, the cycle proviso; the automaton has a [normal form](reductio_logic::buchi::normal_form), as the sets are chosen in states of the product, unless the claim is one of safety: then they are chosen in states of the model |
//!
//! With fairness, a run that is fair has one beside it that is fair, too, if steps that decide together whether a process can move depend on each other
//! ([decisive steps](crate::facts::decisive_steps)): [peled93], section 4.2. Of a process in an ample set, some step is taken in every
//! fair run, so that the runs differ only in the order of independent steps.
//!
//! A `trace` or `notrace` is a variable that the messages it speaks of read and write ([`watched_messages`]). Priorities make a difference to
//! what has to be in a set: see [`Ranks`](crate::on_the_fly::Ranks).
//!
//! Not known to be kept: what a claim says that counts steps.

use reductio_logic::buchi::has_normal_form;
use reductio_model::{AtomId, Binary, Claim, Expr, Model, Origin, Property};

use crate::facts::symmetry::Obstacle;
use crate::facts::{Decisive, Facts, Part, Turns, Unobservable, decisive_steps};
use crate::facts::{priorities, watched_messages};
use crate::plan::{CycleSearch, Fairness, PlanRequest};

/// Why steps may not be left out for a property, if they may not.
pub(crate) fn obstacle(model: &Model, request: &PlanRequest, property: Property) -> Option<Obstacle> {
    if priorities::matter(model)
        && let Some(at) = priorities::rendezvous(model)
    {
        let because = "with priorities, who is ready for a rendezvous may keep others from receiving".to_owned();
        return Some(Obstacle { because, at: Some(at) });
    }
    if let Some(changes) = watched_messages::changing_channel(model) {
        return Some(changes);
    }
    obstacle_to_order(model, request, property).map(|because| Obstacle { because, at: None })
}

fn obstacle_to_order(model: &Model, request: &PlanRequest, property: Property) -> Option<String> {
    if model.features.last {
        return Some("the model reads `_last`".to_owned());
    }
    match property {
        Property::Claim(claim) => obstacle_to_claim(model, request, model.claims.get(claim.index())?),
        Property::Deadlock | Property::Assertions | Property::Invariant(_) => obstacle_to_states(model, request),
        Property::Ctl(_) => Some("CTL formulas are checked on all states".to_owned()),
    }
}

/// So many claims are named in one line.
const MOST_NAMED: usize = 3;

/// What the reduction is safe for, and by which conditions.
pub(crate) fn safe_for(model: &Model, properties: &[Property]) -> Vec<String> {
    let of_states = [
        (properties.contains(&Property::Deadlock), "deadlocks"),
        (properties.contains(&Property::Assertions), "assertions"),
        (properties.iter().any(|property| matches!(property, Property::Invariant(_))), "invariants"),
    ];
    let of_states: Vec<&str> = of_states.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, name)| name).collect();
    let mut texts = match &of_states[..] {
        [] => Vec::new(),
        [one] => vec![format!("safe for {one}")],
        [others @ .., last] => vec![format!("safe for {} and {last}", others.join(", "))],
    };
    let claims = properties.iter().filter_map(|property| match property {
        Property::Claim(claim) => model.claims.get(claim.index()),
        _ => None,
    });
    let claims: Vec<&Claim> = claims.collect();
    let is_only_one = claims.len() == 1;
    let (early, late): (Vec<&Claim>, Vec<&Claim>) =
        claims.into_iter().partition(|claim| claim.violations.decides_early());
    for (claims, by) in [(early, "safety property, cycle proviso"), (late, "invisible steps, cycle proviso")] {
        let what = match &claims[..] {
            [] => continue,
            [Claim { origin: Origin::Formula { .. }, .. }] if is_only_one => "this formula".to_owned(),
            [_] if is_only_one => "this property".to_owned(),
            few if few.len() <= MOST_NAMED => {
                few.iter().map(|claim| format!("`{}`", claim.name)).collect::<Vec<_>>().join(", ")
            }
            many => format!("{} properties of infinite runs", many.len()),
        };
        texts.push(format!("safe for {what} ({by})"));
    }
    texts
}

/// Which orders are kept so that runs stay fair, if fairness is asked of one of these properties.
pub(crate) fn kept_for_fairness(model: &Model, fairness: Fairness, properties: &[Property]) -> Option<String> {
    let asks = |property: &Property| match property {
        Property::Claim(claim) => {
            model.claims.get(claim.index()).is_some_and(|claim| !claim.violations.decides_early())
        }
        _ => false,
    };
    if fairness == Fairness::None || !properties.iter().any(asks) {
        return None;
    }
    let decisive = decisive_for(model, fairness).ok()?;
    let place = |decisive: &Decisive| match decisive.waiting() {
        (pid, Some(at)) => format!("process {pid} at {}", model.place_name(at)),
        (pid, None) => format!("process {pid}"),
    };
    let mut places: Vec<String> = decisive.iter().map(place).collect();
    places.dedup();
    let more = places.len().saturating_sub(MOST_NAMED);
    let named = places.iter().take(MOST_NAMED).cloned().collect::<Vec<String>>().join(", ");
    Some(match (&places[..], more) {
        ([], _) => "fair runs: no dependencies had to be added".to_owned(),
        (_, 0) => format!("fair runs: steps that decide together whether these can move keep their order: {named}"),
        _ => format!(
            "fair runs: steps that decide together whether these can move keep their order: {named}, {more} more"
        ),
    })
}

/// All properties of states and steps are checked in one search, so one stands in the way of all.
fn obstacle_to_states(model: &Model, request: &PlanRequest) -> Option<String> {
    if request.max_violations.is_none_or(|limit| limit.get() > 1) {
        return Some("several violations are asked for".to_owned());
    }
    match facts_for_states(model, &request.properties) {
        Ok(_) => None,
        Err(Unobservable(what)) => Some(format!("an invariant reads `{what}`")),
    }
}

fn obstacle_to_claim(model: &Model, request: &PlanRequest, claim: &Claim) -> Option<String> {
    if !claim.stutters {
        return Some(format!("`{}` is not known to be stutter-invariant", claim.name));
    }
    let decides_early = claim.violations.decides_early();
    if !decides_early && !claim.violations.tgba().is_some_and(|tgba| has_normal_form(&tgba)) {
        return Some(format!("the automaton of `{}` may choose otherwise when steps are deferred", claim.name));
    }
    let is_regardless = decides_early && request.cycles != CycleSearch::Hunt;
    if request.fairness != Fairness::None && !is_regardless {
        if request.cycles == CycleSearch::Hunt {
            return Some("the hunt for fair runs takes all steps".to_owned());
        }
        if let Err(Obstacle { because, at }) = decisive_for(model, request.fairness) {
            let place = at.map_or(String::new(), |at| format!(" ({})", model.place_name(at)));
            return Some(format!("fair runs: {because}{place}"));
        }
    }
    match facts_for_claim(model, claim, request.fairness) {
        Ok(_) => None,
        Err(Unobservable(what)) => Some(format!("`{}` reads `{what}`", claim.name)),
    }
}

/// The steps whose order must be kept so that runs stay fair.
fn decisive_for(model: &Model, fairness: Fairness) -> Result<Vec<Decisive>, Obstacle> {
    match fairness {
        // What is fair is so for all runs of a trace, or for none.
        Fairness::None | Fairness::Maximal => Ok(Vec::new()),
        Fairness::Weak | Fairness::Strong => decisive_steps(model, Turns::OfProcesses),
        Fairness::OperationJustice | Fairness::OperationFairness => decisive_steps(model, Turns::OfStatements),
    }
}

/// What is known of the steps of a model, for properties of states and steps. Each conjunct of an invariant is a part of
/// the property by itself.
pub fn facts_for_states<'m>(model: &'m Model, properties: &[Property]) -> Result<Facts<'m>, Unobservable> {
    let facts = Facts::new(model);
    let mut parts = Vec::new();
    for property in properties {
        if let Property::Invariant(invariant) = property {
            for conjunct in conjuncts(model.invariant_condition(*invariant)) {
                parts.push(Part::new(&facts, [conjunct])?);
            }
        }
    }
    Ok(facts.with_property(parts))
}

/// What is known of the steps of a model, for a claim. Each component of a formula is a part of the property by itself.
pub fn facts_for_claim<'m>(model: &'m Model, claim: &Claim, fairness: Fairness) -> Result<Facts<'m>, Unobservable> {
    let facts = Facts::new(model);
    let parts = claim.parts();
    let part = |atoms: &Vec<AtomId>| Part::new(&facts, atoms.iter().map(|&atom| condition(model, atom)));
    let parts = parts.iter().map(part).collect::<Result<_, _>>()?;
    let decisive = decisive_for(model, fairness).map_err(|_| Unobservable("what is fair"))?;
    let facts = facts.with_property(parts).with_fairness(decisive);
    Ok(if fairness == Fairness::Maximal { facts.with_static_dependence() } else { facts })
}

fn condition(model: &Model, atom: AtomId) -> &Expr {
    &model.atoms[atom.index()].expr
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(Binary::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}
