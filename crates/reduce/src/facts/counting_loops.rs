//! Loops that count: a variable goes from one constant to another, and every round is the same statements with another value of it.
//!
//! A loop has one *head*, where the counter is looked at and to which every round leads back with another value. What lies between is
//! found as in compilers: all from which the end of a round can be reached without passing the head. Nobody jumps into it.
//!
//! A loop is [unrolled](unroll) for the constants of one process: each round with the counter's value in place of the counter, and
//! without the statements that are not possible then. A loop that may be left early is not unrolled: where it was left would matter.

use std::collections::BTreeSet;

use reductio_model::{
    Action, ActionKind, Communication, Edge, EdgeId, Expr, Guard, Index, Initial, LocationId, Op, Pattern, Place,
    Position, Proctype, Scope,
};

use super::steps::written_places;
use crate::model_to_model::walk::{each_part, each_part_of_op};

/// A loop with more rounds than this is not unrolled.
const MOST_ROUNDS: usize = 256;
/// Nor one of which that many statements come out.
const MOST_STEPS: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountingLoop {
    /// A variable that is no cell of an array.
    pub counter: Place,
    pub head: LocationId,
    /// Where a process is during a round, without the head.
    pub inside: BTreeSet<LocationId>,
}

impl CountingLoop {
    pub fn contains(&self, location: LocationId) -> bool {
        location == self.head || self.inside.contains(&location)
    }

    /// Is it all of a round of another loop?
    fn is_inside(&self, other: &CountingLoop) -> bool {
        other.inside.contains(&self.head) && self.inside.is_subset(&other.inside)
    }

    /// Is it a statement of this loop, the question at its head among them?
    pub fn has_edge(&self, proctype: &Proctype, edge: EdgeId) -> bool {
        let edge = proctype.edge(edge);
        self.inside.contains(&edge.from) || edge.from == self.head && self.contains(edge.to)
    }
}

impl CountingLoop {
    /// Where its statements are, that with which it begins among them.
    pub fn places(&self, proctype: &Proctype) -> Vec<Position> {
        let edges = proctype.edges.iter().filter(|edge| self.contains(edge.to) || self.contains(edge.from));
        edges.map(|edge| proctype.action(edge.action).position).collect()
    }
}

/// Why a loop is not unrolled, and the statement that is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotUnrolled {
    pub because: &'static str,
    pub edge: Option<EdgeId>,
}

/// One statement of a round, with the counter's value in its place. The counter itself is not changed in it.
#[derive(Clone, Debug)]
pub(crate) struct RoundStep {
    pub edge: EdgeId,
    pub kind: ActionKind,
}

/// What can be done at one location in a round.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub at: LocationId,
    /// If this is the head of a loop inside: its rounds, which come first.
    pub rounds: Option<Rounds>,
    /// In order.
    pub steps: Vec<RoundStep>,
}

#[derive(Clone, Debug)]
pub(crate) struct Round {
    /// In the order of the locations.
    pub stops: Vec<Stop>,
}

/// All rounds of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    pub counter: Place,
    pub first: i32,
    /// The value of the counter after the last round.
    pub end: i32,
    pub rounds: Vec<Round>,
    /// What can be done at the head then.
    pub exits: Vec<RoundStep>,
}

/// The loops of a process type, those inside others first.
pub(crate) fn find(proctype: &Proctype) -> Vec<CountingLoop> {
    let mut ends: Vec<(Place, LocationId, Vec<LocationId>)> = Vec::new();
    for edge in (0..proctype.edges.len() as u32).map(EdgeId) {
        let ActionKind::Step { effect, .. } = &proctype.action_of(edge).kind else { continue };
        for op in effect {
            let Op::Assign(place, value) = op else { continue };
            if !place.indices.is_empty() || !reads(value, place) {
                continue;
            }
            let (from, to) = (proctype.edge(edge).from, proctype.edge(edge).to);
            match ends.iter_mut().find(|(counter, head, _)| counter == place && *head == to) {
                Some((.., sources)) => sources.push(from),
                None => ends.push((place.clone(), to, vec![from])),
            }
        }
    }
    let mut found: Vec<CountingLoop> = ends
        .into_iter()
        .filter_map(|(counter, head, sources)| natural_loop(proctype, counter, head, sources))
        .collect();
    found.sort_by_key(|found| found.inside.len());
    found
}

/// The loop with this head to which these locations lead back, if nobody jumps into it.
fn natural_loop(
    proctype: &Proctype,
    counter: Place,
    head: LocationId,
    sources: Vec<LocationId>,
) -> Option<CountingLoop> {
    let mut inside = BTreeSet::new();
    let mut pending = sources;
    while let Some(location) = pending.pop() {
        if location == head || !inside.insert(location) {
            continue;
        }
        let before = proctype.edges.iter().filter(|edge| edge.to == location).map(|edge| edge.from);
        pending.extend(before);
    }
    let found = CountingLoop { counter, head, inside };
    let is_entered = |location: LocationId| {
        let entries = proctype.actions.iter().filter_map(|action| match action.kind {
            ActionKind::DStep { entry } => Some(entry),
            ActionKind::Step { .. } | ActionKind::End => None,
        });
        location == proctype.entry || entries.into_iter().any(|entry| entry == location)
    };
    let same_kind = |location: LocationId| {
        proctype.location(location).interior == proctype.location(head).interior && !is_entered(location)
    };
    let is_closed = found.inside.iter().all(|&location| same_kind(location)) && !is_entered(head);
    // A round ends with the counter changed, and with nothing else that leads back.
    let changes = |edge: &Edge| last_value(proctype.action(edge.action), &found.counter).is_some();
    let mut back = proctype.edges.iter().filter(|edge| edge.to == head && found.contains(edge.from));
    (is_closed && back.all(changes)).then_some(found)
}

/// The value that a plain variable is given last in a step, if it is.
fn last_value<'a>(action: &'a Action, counter: &Place) -> Option<&'a Expr> {
    let ActionKind::Step { effect, .. } = &action.kind else { return None };
    for op in effect.iter().rev() {
        match op {
            Op::Assign(place, value) if place == counter => return Some(value),
            Op::Assign(place, _) if may_be(place, counter) => return None,
            _ => {}
        }
    }
    None
}

/// May a place mean the counter?
fn may_be(place: &Place, counter: &Place) -> bool {
    let mut found = false;
    super::each_slot(place, &|_| None, &mut |slot| found |= slot == counter.base as usize);
    found && place.scope == counter.scope
}

fn reads(expr: &Expr, counter: &Place) -> bool {
    let mut found = false;
    each_part(expr, &mut |part| found |= matches!(part, Expr::Read(place) if **place == *counter));
    found
}

/// What is known of the counter when a process comes to the head from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Never,
    Value(i32),
    Anything,
}

impl Known {
    fn or(self, other: Known) -> Known {
        match (self, other) {
            (Known::Never, known) | (known, Known::Never) => known,
            (one, other) if one == other => one,
            _ => Known::Anything,
        }
    }
}

/// The value with which the counter begins, if it is always the same. `value` knows what never changes.
pub(crate) fn first_value(
    proctype: &Proctype,
    found: &CountingLoop,
    value: &dyn Fn(&Expr) -> Option<i32>,
) -> Option<i32> {
    let counter = &found.counter;
    let after = |known: Known, edge: &Edge| {
        let action = proctype.action(edge.action);
        if known == Known::Never {
            return known;
        }
        match last_value(action, counter) {
            Some(assigned) => value(assigned).map_or(Known::Anything, |value| Known::Value(counter.ty.truncate(value))),
            None if writes(action, counter) => Known::Anything,
            None => known,
        }
    };
    // Others may change a global variable at any time, but not within a step.
    let is_local = counter.scope == Scope::Local;
    let mut known = vec![if is_local { Known::Never } else { Known::Anything }; proctype.locations.len()];
    if is_local {
        known[proctype.entry.index()] = match proctype.locals[counter.base as usize].initial {
            Initial::Value(value) if counter.base >= proctype.parameters => Known::Value(value),
            _ => Known::Anything,
        };
    }
    let mut changed = is_local;
    while std::mem::take(&mut changed) {
        for edge in &proctype.edges {
            let action = proctype.action(edge.action);
            let (target, reached) = match action.kind {
                ActionKind::DStep { entry } => (entry, known[edge.from.index()]),
                _ => (edge.to, after(known[edge.from.index()], edge)),
            };
            let met = known[target.index()].or(reached);
            changed |= met != known[target.index()];
            known[target.index()] = met;
        }
    }
    let entering = proctype.edges.iter().filter(|edge| edge.to == found.head && !found.contains(edge.from));
    let is_d_step = |edge: &Edge| matches!(proctype.action(edge.action).kind, ActionKind::DStep { .. });
    let mut met = Known::Never;
    for edge in entering {
        met = met.or(if is_d_step(edge) { Known::Anything } else { after(known[edge.from.index()], edge) });
    }
    match met {
        Known::Value(value) => Some(value),
        Known::Never | Known::Anything => None,
    }
}

/// May a step write the counter, under whatever name?
fn writes(action: &Action, counter: &Place) -> bool {
    written_places(action).into_iter().any(|place| may_be(place, counter))
}

/// The rounds of a loop that begins with this value. `value` knows what never changes, `others` may be inside.
pub(crate) fn unroll(
    proctype: &Proctype,
    found: &CountingLoop,
    others: &[CountingLoop],
    first: i32,
    value: &dyn Fn(&Expr) -> Option<i32>,
) -> Result<Rounds, NotUnrolled> {
    Unrolling { proctype, others, value, left: std::cell::Cell::new(MOST_STEPS) }.rounds(found, first, &mut Vec::new())
}

struct Unrolling<'a> {
    proctype: &'a Proctype,
    others: &'a [CountingLoop],
    value: &'a dyn Fn(&Expr) -> Option<i32>,
    /// So many statements may still come out.
    left: std::cell::Cell<usize>,
}

/// The values of counters, those of the loops outside first.
type Values = Vec<(Place, i32)>;

impl Unrolling<'_> {
    fn rounds(&self, found: &CountingLoop, first: i32, values: &mut Values) -> Result<Rounds, NotUnrolled> {
        let mut rounds = Vec::new();
        let mut now = first;
        loop {
            values.push((found.counter.clone(), now));
            let options = self.options(found, found.head, values);
            let outcome = match options {
                Ok(options) if options.iter().all(|option| !found.contains(self.target(option))) => Ok(Err(options)),
                Ok(_) => self.round(found, values).map(Ok),
                Err(why) => Err(why),
            };
            values.pop();
            match outcome? {
                Err(exits) => {
                    return Ok(Rounds { counter: found.counter.clone(), first, end: now, rounds, exits });
                }
                Ok((round, next)) => {
                    if rounds.len() == MOST_ROUNDS {
                        return Err(NotUnrolled { because: "has too many rounds", edge: None });
                    }
                    rounds.push(round);
                    now = next;
                }
            }
        }
    }

    fn settling<'v>(&'v self, values: &'v Values) -> Settling<'v> {
        Settling { values, value: self.value }
    }

    fn target(&self, step: &RoundStep) -> LocationId {
        self.proctype.edge(step.edge).to
    }

    /// One round, and the value of the counter after it.
    fn round(&self, found: &CountingLoop, values: &mut Values) -> Result<(Round, i32), NotUnrolled> {
        let refuse = |because, edge| Err(NotUnrolled { because, edge: Some(edge) });
        let mut stops: Vec<Stop> = Vec::new();
        let mut next: Option<i32> = None;
        let mut pending = vec![found.head];
        let mut seen = BTreeSet::from([found.head]);
        while let Some(at) = pending.pop() {
            let inner = self.others.iter().find(|other| other.head == at && other.is_inside(found));
            let (rounds, steps) = match inner {
                None => (None, self.options(found, at, values)?),
                Some(inner) => {
                    let Some(first) = first_value(self.proctype, inner, self.value) else {
                        return Err(NotUnrolled {
                            because: "has a loop inside whose counter may begin with any value",
                            edge: None,
                        });
                    };
                    let rounds = self.rounds(inner, first, values)?;
                    let steps = rounds.exits.clone();
                    (Some(rounds), steps)
                }
            };
            for step in &steps {
                let (edge, to) = (step.edge, self.target(step));
                if to == found.head {
                    let Some(reached) = self.next_value(edge, &found.counter, values) else {
                        return refuse("does not count by constants", edge);
                    };
                    if next.is_some_and(|known| known != reached) {
                        return refuse("may skip a round", edge);
                    }
                    next = Some(reached);
                } else if !found.inside.contains(&to) {
                    return refuse("may be left early", edge);
                } else if seen.insert(to) {
                    pending.push(to);
                }
            }
            stops.push(Stop { at, rounds, steps });
        }
        self.left.set(self.left.get().saturating_sub(stops.iter().map(|stop| stop.steps.len()).sum()));
        if self.left.get() == 0 {
            return Err(NotUnrolled { because: "has too many statements", edge: None });
        }
        stops.sort_by_key(|stop| stop.at);
        self.no_other_cycle(found, &stops)?;
        match next {
            Some(next) => Ok((Round { stops }, next)),
            None => Err(NotUnrolled { because: "may go on forever", edge: None }),
        }
    }

    /// Every round comes to its end: nothing inside leads back to where it was.
    fn no_other_cycle(&self, found: &CountingLoop, stops: &[Stop]) -> Result<(), NotUnrolled> {
        let mut done: BTreeSet<LocationId> = BTreeSet::from([found.head]);
        let leads = |stop: &Stop| stop.steps.iter().map(|step| self.target(step)).collect::<Vec<_>>();
        loop {
            let is_new = |stop: &&Stop| !done.contains(&stop.at) && leads(stop).iter().all(|to| done.contains(to));
            match stops.iter().find(is_new) {
                Some(stop) => {
                    done.insert(stop.at);
                }
                None if done.len() == stops.len() => return Ok(()),
                None => return Err(NotUnrolled { because: "has a loop inside that is not known to end", edge: None }),
            }
        }
    }

    /// The counter's value after a step that ends a round.
    fn next_value(&self, edge: EdgeId, counter: &Place, values: &Values) -> Option<i32> {
        let assigned = last_value(self.proctype.action_of(edge), counter)?;
        let next = (self.value)(&self.settling(values).parts(assigned))?;
        (counter.ty.truncate(next) == next).then_some(next)
    }

    /// What can be done at a location.
    fn options(&self, found: &CountingLoop, at: LocationId, values: &Values) -> Result<Vec<RoundStep>, NotUnrolled> {
        let location = self.proctype.location(at);
        let mut options = Vec::new();
        let mut is_certain = false;
        for &id in &location.edges {
            let edge = self.proctype.edge(id);
            let refuse = |because| Err(NotUnrolled { because, edge: Some(id) });
            let ActionKind::Step { guard, communication, effect } = &self.proctype.action_of(id).kind else {
                return refuse("has a `d_step` or the end of a process inside");
            };
            if edge.escape > 0 {
                return refuse("can be left by an `unless`");
            }
            let (holds, guard) = match guard {
                Guard::Else => (None, Guard::Else),
                Guard::When(condition) => {
                    let condition = self.settling(values).parts(condition);
                    ((self.value)(&condition).map(|value| value != 0), Guard::When(condition))
                }
            };
            // Of what is certain to be possible, a `d_step` takes the first; elsewhere an `else` yields to it.
            if holds == Some(false) || is_certain && (location.interior || guard == Guard::Else) {
                continue;
            }
            is_certain |= (holds == Some(true) || guard == Guard::Else) && communication.is_none();
            let guard = if holds == Some(true) { Guard::When(Expr::TRUE) } else { guard };
            let communication =
                communication.as_ref().map(|communication| self.settling(values).communication(communication));
            let effect = self.effect(found, id, effect, values)?;
            options.push(RoundStep { edge: id, kind: ActionKind::Step { guard, communication, effect } });
        }
        Ok(options)
    }

    /// What a step does besides counting.
    fn effect(
        &self,
        found: &CountingLoop,
        edge: EdgeId,
        effect: &[Op],
        values: &Values,
    ) -> Result<Vec<Op>, NotUnrolled> {
        let counted = self.counted_by(found, self.proctype.edge(edge));
        let mut rest = Vec::new();
        let mut has_counted = false;
        for op in effect {
            if counted.is_some_and(|counter| matches!(op, Op::Assign(place, _) if place == counter)) {
                if std::mem::replace(&mut has_counted, true) {
                    return Err(NotUnrolled { because: "counts twice in one step", edge: Some(edge) });
                }
                continue;
            }
            let mut uses_counter = false;
            each_part_of_op(op, &mut |part| {
                uses_counter |= matches!(part, Expr::Read(place) if Some(&**place) == counted);
            });
            if has_counted && uses_counter {
                return Err(NotUnrolled { because: "uses its counter after counting", edge: Some(edge) });
            }
            rest.push(self.settling(values).op(op));
        }
        Ok(rest)
    }

    /// The counter that an edge changes as a part of its loop: at the end of a round, or on the way to a loop inside.
    fn counted_by<'e>(&'e self, found: &'e CountingLoop, edge: &Edge) -> Option<&'e Place> {
        if edge.to == found.head {
            return Some(&found.counter);
        }
        let inner = self.others.iter().find(|other| other.head == edge.to && other.is_inside(found));
        inner.filter(|inner| !inner.contains(edge.from)).map(|inner| &inner.counter)
    }
}

/// Puts the values of counters in their places, and works out what is known then.
struct Settling<'a> {
    values: &'a [(Place, i32)],
    value: &'a dyn Fn(&Expr) -> Option<i32>,
}

impl Settling<'_> {
    fn expr(&self, expr: &Expr) -> Expr {
        let settled = self.parts(expr);
        (self.value)(&settled).map_or(settled, Expr::Const)
    }

    fn parts(&self, expr: &Expr) -> Expr {
        let inner = |expr: &Expr| Box::new(self.expr(expr));
        match expr {
            Expr::Read(place) => match self.values.iter().rev().find(|(counter, _)| **place == *counter) {
                Some((_, value)) => Expr::Const(*value),
                None => Expr::Read(Box::new(self.place(place))),
            },
            Expr::Unary(operator, operand) => Expr::Unary(*operator, inner(operand)),
            Expr::Binary(operator, left, right) => Expr::Binary(*operator, inner(left), inner(right)),
            Expr::Conditional(parts) => Expr::Conditional(Box::new(parts.each_ref().map(|part| self.expr(part)))),
            Expr::Query(query, channel) => Expr::Query(*query, inner(channel)),
            Expr::Poll { channel, random, patterns } => {
                Expr::Poll { channel: inner(channel), random: *random, patterns: self.patterns(patterns) }
            }
            Expr::Enabled(pid) => Expr::Enabled(inner(pid)),
            Expr::PcValue(pid) => Expr::PcValue(inner(pid)),
            Expr::PriorityOf(pid) => Expr::PriorityOf(inner(pid)),
            Expr::At { proctype, pid, label } => {
                Expr::At { proctype: *proctype, pid: pid.as_deref().map(inner), label: label.clone() }
            }
            Expr::Remote { proctype, pid, place } => {
                Expr::Remote { proctype: *proctype, pid: pid.as_deref().map(inner), place: Box::new(self.place(place)) }
            }
            Expr::Const(_)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting => expr.clone(),
        }
    }

    fn place(&self, place: &Place) -> Place {
        let index = |index: &Index| Index { value: self.expr(&index.value), ..index.clone() };
        Place { indices: place.indices.iter().map(index).collect(), ..place.clone() }
    }

    fn patterns(&self, patterns: &[Pattern]) -> Vec<Pattern> {
        let pattern = |pattern: &Pattern| match pattern {
            Pattern::Store(place) => Pattern::Store(self.place(place)),
            Pattern::Match(expr) => Pattern::Match(self.expr(expr)),
            Pattern::Discard => Pattern::Discard,
        };
        patterns.iter().map(pattern).collect()
    }

    fn communication(&self, communication: &Communication) -> Communication {
        match communication {
            Communication::Send { channel, sorted, arguments } => Communication::Send {
                channel: self.expr(channel),
                sorted: *sorted,
                arguments: arguments.iter().map(|argument| self.expr(argument)).collect(),
            },
            Communication::Receive { channel, random, peek, patterns } => Communication::Receive {
                channel: self.expr(channel),
                random: *random,
                peek: *peek,
                patterns: self.patterns(patterns),
            },
        }
    }

    fn op(&self, op: &Op) -> Op {
        match op {
            Op::Assign(place, expr) => Op::Assign(self.place(place), self.expr(expr)),
            Op::Evaluate(expr) => Op::Evaluate(self.expr(expr)),
            Op::Assert(expr) => Op::Assert(self.expr(expr)),
            Op::Print { literals, arguments } => Op::Print {
                literals: literals.clone(),
                arguments: arguments.iter().map(|(how, argument)| (*how, self.expr(argument))).collect(),
            },
            // Neither is allowed where rounds are compared.
            Op::Run { .. } | Op::SetPriority { .. } => op.clone(),
        }
    }
}
