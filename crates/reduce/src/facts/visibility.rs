//! Visibility: which steps can change the value of an atom of the property.
//!
//! Paper: [peled93], section 4.1: the steps that may change the truth of a part of the property are made dependent on each
//!        other, so that the order in which they happen is kept. Steps that affect different parts need not be.

use reductio_model::{Expr, Interpreter, LocationId, Pattern, Place, ProctypeId, State, Step};

use super::access::{Accesses, Use};
use super::set::Set;
use super::steps::{Facts, ProcessState, Reader, each_slot};

/// Something that a property depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What it is made of.
    conditions: Vec<Expr>,
    globals: Set,
    channels: Set,
    /// By process type: variables that are looked at from outside.
    locals: Vec<Set>,
    /// By process type: for each label that is asked for, the locations that carry it. It matters whether a process is at
    /// one of them. Labels are not thrown together: a step from one label to another changes what is true of both.
    labels: Vec<Vec<Set>>,
    /// It matters which processes there are.
    processes: bool,
}

/// What it is in a property that cannot be seen from the steps that change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unobservable(pub &'static str);

impl Part {
    /// Whatever these conditions on states depend on.
    pub fn new<'e>(facts: &Facts<'_>, conditions: impl IntoIterator<Item = &'e Expr>) -> Result<Part, Unobservable> {
        let types = facts.model.proctypes.len();
        let mut part = Part { locals: vec![Set::default(); types], labels: vec![Vec::new(); types], ..Part::default() };
        for condition in conditions {
            part.add(facts, condition)?;
            part.conditions.push(condition.clone());
        }
        Ok(part)
    }

    fn add(&mut self, facts: &Facts<'_>, expr: &Expr) -> Result<(), Unobservable> {
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
                for (index, proctype) in model.proctypes.iter().enumerate() {
                    let is_labelled = |index: &usize| match expr {
                        Expr::Accepting => proctype.locations[*index].accept,
                        _ => proctype.locations[*index].progress,
                    };
                    self.add_label(index, (0..proctype.locations.len()).filter(is_labelled));
                }
            }
            Expr::At { proctype, pid, label } => {
                self.processes = true;
                let labels = &model.proctype(*proctype).labels;
                let named = labels.iter().filter(|known| known.name == *label);
                self.add_label(proctype.index(), named.map(|label| label.location.index()));
                pid.iter().try_for_each(|pid| self.add(facts, pid))?;
            }
            Expr::Remote { proctype, pid, place } => {
                self.processes = true;
                each_slot(place, &|_| None, &mut |slot| self.locals[proctype.index()].insert(slot));
                self.add_indices(facts, place)?;
                pid.iter().try_for_each(|pid| self.add(facts, pid))?;
            }
            Expr::Timeout => return Err(Unobservable("timeout")),
            Expr::Last => return Err(Unobservable("_last")),
            Expr::Enabled(_) => return Err(Unobservable("enabled()")),
            Expr::PcValue(_) => return Err(Unobservable("pc_value()")),
            Expr::PriorityOf(_) => return Err(Unobservable("get_priority()")),
        }
        Ok(())
    }

    /// A label that these locations of a process type carry.
    fn add_label(&mut self, proctype: usize, locations: impl Iterator<Item = usize>) {
        let mut carriers = Set::default();
        carriers.extend(locations);
        if !carriers.is_empty() && !self.labels[proctype].contains(&carriers) {
            self.labels[proctype].push(carriers);
        }
    }

    fn add_indices(&mut self, facts: &Facts<'_>, place: &Place) -> Result<(), Unobservable> {
        place.indices.iter().try_for_each(|index| self.add(facts, &index.value))
    }

    fn add_channel(&mut self, facts: &Facts<'_>, channel: &Expr) -> Result<(), Unobservable> {
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
        let comes_or_goes =
            |carriers: &Set| ends.iter().any(|end| carriers.contains(end.index()) != carriers.contains(from.index()));
        let changes = [Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive, Use::Destroy];
        self.labels[proctype.index()].iter().any(comes_or_goes)
            || accesses.writes.meets(&self.globals)
            || changes.iter().any(|&kind| accesses.channels(kind).meets(&self.channels))
            || self.locals[proctype.index()].meets(locals)
            || self.processes && (accesses.creates || accesses.dies)
    }
}

impl Facts<'_> {
    /// The definition itself, for tests and for builds that check themselves: the number of a part of the property that a
    /// step changes although it is not known to affect it. There should be none.
    pub fn overlooked_part(&self, here: ProcessState<'_>, step: Step, after: &State) -> Option<usize> {
        let before = here.workspace.state();
        let interpreter = Interpreter::new(self.model);
        let holds = |condition: &Expr, state: &State| {
            interpreter.evaluate_global(condition, state).is_ok_and(|value| value != 0)
        };
        let changes = |part: &Part| part.conditions.iter().any(|one| holds(one, before) != holds(one, after));
        let movers = std::iter::once((step.process, step.edge)).chain(step.partner);
        let mut known = Accesses::default();
        for (pid, edge) in movers {
            let process = &before.processes[usize::from(pid)];
            let instance = self.instance(process.proctype, pid, &process.locals);
            let mut reader = Reader::new(self, &instance, Some(ProcessState { pid, ..here }));
            reader.edge(self.model.proctype(process.proctype).edge(edge), false);
            known.join(&reader.accesses);
        }
        let is_overlooked =
            |(number, part): &(usize, &Part)| !known.writes.contains(self.first_part() + number) && changes(part);
        self.parts().iter().enumerate().find(is_overlooked).map(|(number, _)| number)
    }
}
