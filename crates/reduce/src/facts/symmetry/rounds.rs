//! Symmetry detection: does the order of a loop's rounds make no difference?
//!
//! A round reads some variables and channels, and changes others. Two rounds can change places if neither changes what the other
//! looks at or changes. There is one exception, without which no maximum would ever be found: both may *update* a variable in the
//! same way, at which nobody else looks, if such updates can be made in any order. These are sums, products and the like
//! (values are cut to the variable's type, which respects them), the same value assigned by all, and `if :: e > m -> m = e
//! :: else fi`, where `e` fits into `m`.
//!
//! Whether a round goes wrong must not depend on the order either: an operand of `&&` that is looked at only sometimes
//! always has a value, and everything else is evaluated in any case.

use std::collections::{BTreeMap, BTreeSet};

use reductio_model::{
    ActionKind, Binary, Communication, EdgeId, Expr, Guard, LocationId, Op, Pattern, Place, Proctype, ProctypeId,
    Scope, ValueType,
};

use super::start::{Instance, Start};
use super::terms::{flatten, is_wide_enough};
use crate::facts::counting_loops::{Round, RoundStep, Rounds, Stop};
use crate::facts::each_slot;
use crate::model_to_model::safe_expressions::{cannot_fail, one_must_hold, values};
use crate::model_to_model::walk::{each_part, each_part_of_communication, each_part_of_op};

/// Something that a round may look at or change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Global(usize),
    Local(usize),
    Channel(usize),
}

/// A change that can be made in any order with others of the same sort.
#[derive(Clone, Debug, PartialEq)]
enum Update {
    Sum,
    Operator(Binary),
    /// To this value.
    Set(Expr),
    Maximum,
    Minimum,
}

/// What a round does with a cell.
#[derive(Clone, Debug, Default)]
struct Uses {
    reads: bool,
    changes: bool,
    updates: Vec<Update>,
    edge: Option<EdgeId>,
}

type Accesses = BTreeMap<Cell, Uses>;

/// Why the order of rounds may matter, and the statement because of which it may.
pub(super) struct InOrder {
    pub because: &'static str,
    pub edge: Option<EdgeId>,
}

/// Can the rounds of a process's loop be made in any order?
pub(super) fn any_order(start: &Start<'_>, instance: &Instance, rounds: &Rounds) -> Result<(), InOrder> {
    let process = &start.state().processes[usize::from(instance.pid)];
    let reader = Reader { start, instance, proctype: start.model.proctype(process.proctype), id: process.proctype };
    reader.of_loop(rounds).map(|_| ())
}

struct Reader<'a> {
    start: &'a Start<'a>,
    instance: &'a Instance,
    proctype: &'a Proctype,
    id: ProctypeId,
}

impl Reader<'_> {
    /// What a loop looks at and changes, if its rounds can change places.
    fn of_loop(&self, rounds: &Rounds) -> Result<Accesses, InOrder> {
        let counter = self.cells(&rounds.counter);
        let each = rounds.rounds.iter().map(|round| self.of_round(round)).collect::<Result<Vec<_>, InOrder>>()?;
        let mut all = Accesses::new();
        for (index, one) in each.iter().enumerate() {
            if let Some(uses) = counter.iter().find_map(|cell| one.get(cell)) {
                return Err(InOrder { because: "its counter is used in another way", edge: uses.edge });
            }
            for other in &each[..index] {
                if let Some(edge) = in_conflict(one, other) {
                    return Err(InOrder { because: "the order of its rounds may make a difference", edge });
                }
            }
            for (cell, uses) in one {
                let known = all.entry(*cell).or_default();
                known.reads |= uses.reads;
                known.changes |= uses.changes;
                known.updates.extend(uses.updates.iter().cloned());
                known.edge = known.edge.or(uses.edge);
            }
        }
        Ok(all)
    }

    fn of_round(&self, round: &Round) -> Result<Accesses, InOrder> {
        let mut accesses = Accesses::new();
        let mut done: BTreeSet<EdgeId> = BTreeSet::new();
        for stop in &round.stops {
            if let Some(extreme) = self.extreme(round, stop) {
                let mut noted = Noting { reader: self, accesses: &mut accesses, edge: extreme.edges[0] };
                noted.place_indices(&extreme.place);
                extreme.reads.iter().try_for_each(|expr| noted.expr(expr))?;
                noted.update(&extreme.place, extreme.update);
                done.extend(extreme.edges);
            }
        }
        for stop in &round.stops {
            if let Some(inner) = &stop.rounds {
                for (cell, uses) in self.of_loop(inner)? {
                    let known = accesses.entry(cell).or_default();
                    known.reads |= uses.reads;
                    known.changes |= uses.changes;
                    known.updates.extend(uses.updates);
                    known.edge = known.edge.or(uses.edge);
                }
                // It is given its first value, nobody else looks at it, and then it has its last one.
                let edge = stop.steps.first().map_or(EdgeId(0), |step| step.edge);
                let mut noted = Noting { reader: self, accesses: &mut accesses, edge };
                noted.update(&inner.counter, Update::Set(Expr::Const(inner.end)));
            }
            for step in stop.steps.iter().filter(|step| !done.contains(&step.edge)) {
                Noting { reader: self, accesses: &mut accesses, edge: step.edge }.step(step)?;
            }
        }
        Ok(accesses)
    }

    fn cells(&self, place: &Place) -> Vec<Cell> {
        let mut cells = Vec::new();
        each_slot(place, &|index| self.instance.value(index), &mut |slot| {
            cells.push(match place.scope {
                Scope::Global => Cell::Global(slot),
                Scope::Local => Cell::Local(slot),
            });
        });
        cells
    }

    /// The channels that an expression may mean.
    fn channels(&self, expr: &Expr) -> Vec<Cell> {
        let known = self.instance.value(expr).or_else(|| match expr {
            Expr::Read(place) if place.scope == Scope::Global => match self.cells(place)[..] {
                [Cell::Global(slot)] if !self.start.written[slot] => Some(self.start.state().globals[slot]),
                _ => None,
            },
            _ => None,
        });
        match known.and_then(|number| usize::try_from(number).ok()?.checked_sub(1)) {
            Some(index) => vec![Cell::Channel(index)],
            None => (0..self.start.state().channels.len()).map(Cell::Channel).collect(),
        }
    }

    fn may_read(&self, expr: &Expr, cells: &[Cell]) -> bool {
        let mut found = false;
        each_part(expr, &mut |part| match part {
            Expr::Read(place) => found |= self.cells(place).iter().any(|cell| cells.contains(cell)),
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => {}
            // What depends on more than variables is not taken apart here.
            _ => found = true,
        });
        found
    }

    /// How an assignment updates its variable, and what else it looks at.
    fn update_of(&self, place: &Place, value: &Expr) -> Option<(Update, Vec<Expr>)> {
        let cells = self.cells(place);
        let is_own = |expr: &Expr| matches!(expr, Expr::Read(other) if **other == *place);
        if !self.may_read(value, &cells) {
            return Some((Update::Set(value.clone()), vec![value.clone()]));
        }
        if place.indices.iter().any(|index| self.may_read(&index.value, &cells)) {
            return None;
        }
        match value {
            Expr::Binary(Binary::Subtract, left, right) if is_own(left) && !self.may_read(right, &cells) => {
                Some((Update::Sum, vec![(**right).clone()]))
            }
            Expr::Binary(
                operator @ (Binary::Add
                | Binary::Multiply
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor
                | Binary::And
                | Binary::Or),
                ..,
            ) => {
                let mut operands = Vec::new();
                flatten(*operator, value, &mut operands);
                let (own, others): (Vec<&Expr>, Vec<&Expr>) = operands.into_iter().partition(|operand| is_own(operand));
                let is_fine = |operand: &&Expr| {
                    let is_short_cut = matches!(operator, Binary::And | Binary::Or);
                    !self.may_read(operand, &cells) && (!is_short_cut || cannot_fail(operand))
                };
                if own.len() != 1 || !others.iter().all(is_fine) {
                    return None;
                }
                let update = if *operator == Binary::Add { Update::Sum } else { Update::Operator(*operator) };
                Some((update, others.into_iter().cloned().collect()))
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let (update, other) = match (is_own(yes), is_own(no)) {
                    (false, true) => (self.extreme_of(condition, place, yes)?, yes),
                    (true, false) => (opposite(self.extreme_of(condition, place, no)?), no),
                    _ => return None,
                };
                Some((update, vec![other.clone()]))
            }
            _ => None,
        }
    }

    /// Where a variable is given this value if the comparison holds: is it the greater or the smaller of both?
    fn extreme_of(&self, comparison: &Expr, place: &Place, value: &Expr) -> Option<Update> {
        let Expr::Binary(operator, left, right) = comparison else { return None };
        let is_own = |expr: &Expr| matches!(expr, Expr::Read(other) if **other == *place);
        let is_greater = match operator {
            Binary::Greater | Binary::GreaterEqual => true,
            Binary::Less | Binary::LessEqual => false,
            _ => return None,
        };
        let value_is_left = match (&**left == value && is_own(right), is_own(left) && &**right == value) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let fits = match value {
            Expr::Read(other) => is_wide_enough(other.ty, place.ty),
            other => values(other).is_some_and(|(low, high)| {
                let fits = |value: i64| i32::try_from(value).is_ok_and(|value| place.ty.truncate(value) == value);
                place.ty != ValueType::Chan && fits(low) && fits(high)
            }),
        };
        let cells = self.cells(place);
        if !fits || cells.len() != 1 || self.may_read(value, &cells) {
            return None;
        }
        Some(if is_greater == value_is_left { Update::Maximum } else { Update::Minimum })
    }

    /// `if :: ... && e > m -> m = e :: else fi` that begins here.
    fn extreme(&self, round: &Round, stop: &Stop) -> Option<Extreme> {
        let [first, second] = &stop.steps[..] else { return None };
        let (condition, effect) = plain(first)?;
        let Guard::When(condition) = condition else { return None };
        let (otherwise, nothing) = plain(second)?;
        let always_one = match otherwise {
            Guard::Else => true,
            Guard::When(otherwise) => *otherwise == Expr::TRUE || one_must_hold(condition, otherwise),
        };
        if !always_one || !nothing.is_empty() || stop.rounds.is_some() || !self.proctype.location(stop.at).interior {
            return None;
        }
        let target = |step: &RoundStep| self.proctype.edge(step.edge).to;
        let mut edges = vec![first.edge, second.edge];
        let (assignment, end) = match effect {
            [assignment] => (assignment, target(first)),
            [] => {
                let then = round.stops.iter().find(|stop| stop.at == target(first))?;
                let [only] = &then.steps[..] else { return None };
                let (guard, effect) = plain(only)?;
                let [assignment] = effect else { return None };
                let is_alone = *guard == Guard::When(Expr::TRUE) && then.rounds.is_none();
                if !is_alone || self.entered(round, then.at) != 1 {
                    return None;
                }
                edges.push(only.edge);
                (assignment, target(only))
            }
            _ => return None,
        };
        let Op::Assign(place, value) = assignment else { return None };
        if end != target(second) {
            return None;
        }
        let mut conjuncts = Vec::new();
        flatten(Binary::And, condition, &mut conjuncts);
        let cells = self.cells(place);
        let (comparisons, others): (Vec<&Expr>, Vec<&Expr>) =
            conjuncts.into_iter().partition(|conjunct| self.may_read(conjunct, &cells));
        let [comparison] = comparisons[..] else { return None };
        let update = self.extreme_of(comparison, place, value)?;
        if !others.iter().all(|other| cannot_fail(other)) {
            return None;
        }
        let reads = others.into_iter().chain([value]).cloned().collect();
        Some(Extreme { place: place.clone(), update, reads, edges })
    }

    /// From so many places of a round one comes to this one.
    fn entered(&self, round: &Round, at: LocationId) -> usize {
        let steps = round.stops.iter().flat_map(|stop| &stop.steps);
        steps.filter(|step| self.proctype.edge(step.edge).to == at).count()
    }
}

/// A variable that is given a greater or a smaller value, and all that is looked at for that.
struct Extreme {
    place: Place,
    update: Update,
    reads: Vec<Expr>,
    edges: Vec<EdgeId>,
}

fn opposite(update: Update) -> Update {
    match update {
        Update::Maximum => Update::Minimum,
        Update::Minimum => Update::Maximum,
        other => other,
    }
}

/// The guard and the effect of a step that does not communicate.
fn plain(step: &RoundStep) -> Option<(&Guard, &[Op])> {
    match &step.kind {
        ActionKind::Step { guard, communication: None, effect } => Some((guard, effect)),
        _ => None,
    }
}

/// Notes what one step looks at and changes.
struct Noting<'a, 'r> {
    reader: &'a Reader<'r>,
    accesses: &'a mut Accesses,
    edge: EdgeId,
}

impl Noting<'_, '_> {
    fn uses(&mut self, cell: Cell) -> &mut Uses {
        let uses = self.accesses.entry(cell).or_default();
        uses.edge = uses.edge.or(Some(self.edge));
        uses
    }

    fn step(&mut self, step: &RoundStep) -> Result<(), InOrder> {
        let ActionKind::Step { guard, communication, effect } = &step.kind else { return Ok(()) };
        if let Guard::When(condition) = guard {
            self.expr(condition)?;
        }
        if let Some(communication) = communication {
            self.communication(communication)?;
        }
        effect.iter().try_for_each(|op| self.op(op))
    }

    fn op(&mut self, op: &Op) -> Result<(), InOrder> {
        match op {
            Op::Assign(place, value) => match self.reader.update_of(place, value) {
                Some((update, reads)) => {
                    self.place_indices(place);
                    reads.iter().try_for_each(|expr| self.expr(expr))?;
                    self.update(place, update);
                }
                None => {
                    self.op_parts(op)?;
                    self.change(place);
                }
            },
            Op::Evaluate(_) | Op::Assert(_) | Op::Print { .. } => self.op_parts(op)?,
            Op::Run { .. } | Op::SetPriority { .. } => {
                return Err(InOrder { because: "it creates processes or sets priorities", edge: Some(self.edge) });
            }
        }
        Ok(())
    }

    fn communication(&mut self, communication: &Communication) -> Result<(), InOrder> {
        let mut result = Ok(());
        each_part_of_communication(communication, &mut |part| self.part(part, &mut result));
        let (channel, patterns) = match communication {
            Communication::Send { channel, .. } => (channel, &[][..]),
            Communication::Receive { channel, patterns, .. } => (channel, &patterns[..]),
        };
        for cell in self.reader.channels(channel) {
            self.uses(cell).changes = true;
        }
        for pattern in patterns {
            if let Pattern::Store(place) = pattern {
                self.change(place);
            }
        }
        result
    }

    fn change(&mut self, place: &Place) {
        for cell in self.reader.cells(place) {
            self.uses(cell).changes = true;
        }
    }

    fn update(&mut self, place: &Place, update: Update) {
        for cell in self.reader.cells(place) {
            self.uses(cell).updates.push(update.clone());
        }
    }

    fn place_indices(&mut self, place: &Place) {
        let mut result = Ok(());
        for index in &place.indices {
            each_part(&index.value, &mut |part| self.part(part, &mut result));
        }
        // An index that asks for more than variables is noted as a change, which no other round may see.
        if result.is_err() {
            self.change(place);
        }
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), InOrder> {
        let mut result = Ok(());
        each_part(expr, &mut |part| self.part(part, &mut result));
        result
    }

    fn op_parts(&mut self, op: &Op) -> Result<(), InOrder> {
        let mut result = Ok(());
        each_part_of_op(op, &mut |part| self.part(part, &mut result));
        result
    }

    fn part(&mut self, part: &Expr, result: &mut Result<(), InOrder>) {
        match part {
            Expr::Read(place) => {
                for cell in self.reader.cells(place) {
                    self.uses(cell).reads = true;
                }
            }
            Expr::Query(_, channel) | Expr::Poll { channel, .. } => {
                for cell in self.reader.channels(channel) {
                    self.uses(cell).reads = true;
                }
            }
            // It may be a variable of the process that asks.
            Expr::Remote { proctype, place, .. } => {
                for cell in self.reader.cells(place).into_iter().filter(|_| *proctype == self.reader.id) {
                    self.uses(cell).reads = true;
                }
            }
            Expr::Const(_)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::At { .. }
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(_) => {}
            Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::PriorityOf(_) => {
                *result =
                    Err(InOrder { because: "it asks what is possible, or where processes are", edge: Some(self.edge) });
            }
        }
    }
}

/// What two rounds both use, such that it may matter which comes first.
fn in_conflict(one: &Accesses, other: &Accesses) -> Option<Option<EdgeId>> {
    let clash = one.iter().find(|(cell, uses)| other.get(cell).is_some_and(|others| !can_change_places(uses, others)));
    clash.map(|(_, uses)| uses.edge)
}

fn can_change_places(one: &Uses, other: &Uses) -> bool {
    let only_reads = |uses: &Uses| !uses.changes && uses.updates.is_empty();
    if only_reads(one) && only_reads(other) {
        return true;
    }
    let only_updates = |uses: &Uses| !uses.changes && !uses.reads;
    let mut updates = one.updates.iter().chain(&other.updates);
    let first = updates.next();
    only_updates(one) && only_updates(other) && updates.all(|update| Some(update) == first)
}
