//! Which steps affect a property.
//!
//! Paper: [peled93], section 4.1: the steps that may change the truth of a part of the property are made dependent on each
//!        other, so that the order in which they happen is kept. Steps that affect different parts need not be.

use reductio_model::{Expr, LocationId, Pattern, Place, ProctypeId};

use super::access::{Accesses, Use};
use super::set::Set;
use super::steps::{Facts, Reader, each_slot};

/// Something that a property depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    globals: Set,
    channels: Set,
    /// By process type: variables that are looked at from outside.
    locals: Vec<Set>,
    /// By process type: it matters whether a process is at one of these locations.
    labels: Vec<Set>,
    /// It matters which processes there are.
    processes: bool,
}

/// What it is in a property that cannot be seen from the steps that change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotBeSeen(pub &'static str);

impl Part {
    /// Whatever these conditions on states depend on.
    pub fn new<'e>(facts: &Facts<'_>, conditions: impl IntoIterator<Item = &'e Expr>) -> Result<Part, CannotBeSeen> {
        let types = facts.model.proctypes.len();
        let mut part =
            Part { locals: vec![Set::default(); types], labels: vec![Set::default(); types], ..Part::default() };
        for condition in conditions {
            part.add(facts, condition)?;
        }
        Ok(part)
    }

    fn add(&mut self, facts: &Facts<'_>, expr: &Expr) -> Result<(), CannotBeSeen> {
        let model = facts.model;
        match expr {
            Expr::Const(_) | Expr::Pid => {}
            Expr::Read(place) => {
                each_slot(place, &|_| None, &mut |slot| self.globals.insert(slot));
                self.add_indices(facts, place)?;
            }
            Expr::Unary(_, operand) => self.add(facts, operand)?,
            Expr::Binary(_, left, right) => {
                self.add(facts, left)?;
                self.add(facts, right)?;
            }
            Expr::Conditional(parts) => parts.iter().try_for_each(|part| self.add(facts, part))?,
            Expr::Query(_, channel) => self.add_channel(facts, channel)?,
            Expr::Poll { channel, patterns, .. } => {
                self.add_channel(facts, channel)?;
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.add(facts, expr)?;
                    }
                }
            }
            Expr::ProcessCount => self.processes = true,
            Expr::NonProgress | Expr::Accepting => {
                self.processes = true;
                for (labels, proctype) in self.labels.iter_mut().zip(&model.proctypes) {
                    let is_labelled = |index: &usize| match expr {
                        Expr::Accepting => proctype.locations[*index].accept,
                        _ => proctype.locations[*index].progress,
                    };
                    labels.extend((0..proctype.locations.len()).filter(is_labelled));
                }
            }
            Expr::At { proctype, pid, label } => {
                self.processes = true;
                let labels = &model.proctype(*proctype).labels;
                let named = labels.iter().filter(|known| known.name == *label);
                self.labels[proctype.index()].extend(named.map(|label| label.location.index()));
                pid.iter().try_for_each(|pid| self.add(facts, pid))?;
            }
            Expr::Remote { proctype, pid, place } => {
                self.processes = true;
                each_slot(place, &|_| None, &mut |slot| self.locals[proctype.index()].insert(slot));
                self.add_indices(facts, place)?;
                pid.iter().try_for_each(|pid| self.add(facts, pid))?;
            }
            Expr::Timeout => return Err(CannotBeSeen("timeout")),
            Expr::Last => return Err(CannotBeSeen("_last")),
            Expr::Enabled(_) => return Err(CannotBeSeen("enabled()")),
            Expr::PcValue(_) => return Err(CannotBeSeen("pc_value()")),
            Expr::PriorityOf(_) => return Err(CannotBeSeen("get_priority()")),
        }
        Ok(())
    }

    fn add_indices(&mut self, facts: &Facts<'_>, place: &Place) -> Result<(), CannotBeSeen> {
        place.indices.iter().try_for_each(|index| self.add(facts, &index.value))
    }

    fn add_channel(&mut self, facts: &Facts<'_>, channel: &Expr) -> Result<(), CannotBeSeen> {
        self.add(facts, channel)?;
        self.channels.join(&Reader::of_the_whole_state(facts).channels(channel));
        Ok(())
    }

    /// May a step of a process of this type change it? The step leads from one location to one of others, does
    /// this to what is not its own, and writes these of its variables.
    pub(super) fn is_affected(
        &self,
        proctype: ProctypeId,
        from: LocationId,
        ends: &[LocationId],
        accesses: &Accesses,
        locals: &Set,
    ) -> bool {
        let labels = &self.labels[proctype.index()];
        let is_at = |location: &LocationId| labels.contains(location.index());
        let changes = [Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive, Use::Destroy];
        ends.iter().any(|end| is_at(end) != is_at(&from))
            || accesses.writes.meets(&self.globals)
            || changes.iter().any(|&kind| accesses.channels(kind).meets(&self.channels))
            || self.locals[proctype.index()].meets(locals)
            || self.processes && (accesses.creates || accesses.dies)
    }
}
