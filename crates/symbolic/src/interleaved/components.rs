//! The parts of a state as numbers, and the numbers as bits.
//!
//! Paper:    [blom-van-de-pol08]: states are rows of values, each numbered as it appears.
//! Deviates: the numbers are encoded in bits, which are added as there are more values, and not in lists.
//!
//! A component is a [`Part`] of the state: a global, the location of a process, one of its locals, a channel. That is finer
//! than the components of packed states, where each costs a look at every step: here each costs bits of a diagram, and
//! a step should depend on as few as possible.

use std::collections::HashMap;

use reductio_model::component::exclusive;
use reductio_model::{Model, Part, State};

use crate::bdd::{Bdd, Bit, Computed, Manager};

/// An index into the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(u32);

impl ComponentId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a part of a state is, as [bytes](reductio_model::component). `None`: there is no such process or channel.
type Value = Option<Box<[u8]>>;

/// A component with the values that it has had.
struct Component {
    part: Part,
    /// By number.
    values: Vec<Value>,
    numbers: HashMap<Value, u32>,
    /// Of the number now and of the number in the next state, least significant first: enough for all numbers.
    bits: Vec<(Bit, Bit)>,
}

impl Component {
    /// What one more value takes at once: where the list of values or the table of their numbers is full, it becomes twice
    /// as large, and is there in both sizes for a moment.
    fn growth(&self) -> u64 {
        let list = if self.values.len() == self.values.capacity() { size_of::<Value>() } else { 0 };
        let table = if self.numbers.len() == self.numbers.capacity() { size_of::<(Value, u32)>() + 1 } else { 0 };
        2 * (self.values.len() * (list + table)) as u64
    }
}

/// A state as numbers, by component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<u32>);

pub struct Components<'a> {
    pub manager: Manager<'a>,
    model: &'a Model,
    components: Vec<Component>,
    of_part: HashMap<Part, ComponentId>,
}

/// A bit that was added: what had no such bit before has a zero there.
#[derive(Clone, Copy, Debug)]
pub struct Added {
    pub component: ComponentId,
    pub now: Bit,
    pub next: Bit,
}

impl<'a> Components<'a> {
    pub fn new(model: &'a Model, initial: &State, manager: Manager<'a>) -> Components<'a> {
        let mut components = Components { manager, model, components: Vec::new(), of_part: HashMap::new() };
        for part in Part::all(model, initial) {
            let first = components.value_of(part, initial);
            components.add(part, first);
        }
        components
    }

    fn value_of(&self, part: Part, state: &State) -> Value {
        let mut value = Vec::new();
        part.write(self.model, state, &mut value).then(|| value.into_boxed_slice())
    }

    /// A component that has had one value so far.
    fn add(&mut self, part: Part, first: Value) -> ComponentId {
        let id = ComponentId(self.components.len() as u32);
        let numbers = HashMap::from([(first.clone(), 0)]);
        self.components.push(Component { part, values: vec![first], numbers, bits: Vec::new() });
        self.of_part.insert(part, id);
        id
    }

    /// The component of a part. What is new was absent so far.
    pub fn of_part(&mut self, part: Part) -> ComponentId {
        self.of_part.get(&part).copied().unwrap_or_else(|| self.add(part, None))
    }

    /// The component of a part, if there is one.
    pub fn known(&self, part: Part) -> Option<ComponentId> {
        self.of_part.get(&part).copied()
    }

    /// The number of the value that a component has in a state, and the bit that had to be added for it, if one had to.
    pub fn number(&mut self, id: ComponentId, state: &State) -> Computed<(u32, Option<Added>)> {
        let value = self.value_of(self.components[id.index()].part, state);
        let component = &mut self.components[id.index()];
        if let Some(known) = component.numbers.get(&value) {
            return Ok((*known, None));
        }
        self.manager.reserve(component.growth())?;
        let number = component.values.len() as u32;
        component.values.push(value.clone());
        component.numbers.insert(value, number);
        if number >> component.bits.len() == 0 {
            return Ok((number, None));
        }
        let below = component.bits.last().map(|(_, next)| *next).or_else(|| self.bit_above(id));
        let (now, next) = self.manager.add_pair(below);
        self.components[id.index()].bits.push((now, next));
        Ok((number, Some(Added { component: id, now, next })))
    }

    /// The last bit of the components before this one, as they were numbered.
    fn bit_above(&self, id: ComponentId) -> Option<Bit> {
        self.components[..id.index()].iter().rev().find_map(|component| component.bits.last()).map(|(_, next)| *next)
    }

    /// The row of a state all of whose values have been numbered.
    pub fn row(&self, state: &State) -> Row {
        let number = |component: &Component| {
            let number = component.numbers.get(&self.value_of(component.part, state));
            *number.expect("every value of a state that is reached has been numbered")
        };
        Row(self.components.iter().map(number).collect())
    }

    /// The state of a row.
    pub fn state(&self, row: &Row) -> State {
        let mut state = State::blank(self.model);
        let values = || {
            let numbers = self.components.iter().zip(&row.0);
            numbers
                .filter_map(|(component, number)| Some((component.part, component.values[*number as usize].as_ref()?)))
        };
        let order: [fn(Part) -> bool; 3] = [
            // The others are parts of what is made by these.
            |part| part == Part::Counts,
            |part| matches!(part, Part::Process(_)),
            |part| !matches!(part, Part::Counts | Part::Process(_)),
        ];
        for is_read in order {
            values()
                .filter(|(part, _)| is_read(*part))
                .for_each(|(part, value)| part.read(self.model, value, &mut state));
        }
        state
    }

    /// Some state of a set.
    pub fn pick(&self, set: &Bdd) -> Option<Row> {
        let assignment = self.manager.pick(set)?;
        let number = |component: &Component| {
            let bits = component.bits.iter().rev();
            bits.fold(0, |number, (now, _)| number << 1 | u32::from(self.manager.value(*now, &assignment)))
        };
        Some(Row(self.components.iter().map(number).collect()))
    }

    /// The set of one state.
    pub fn point(&self, row: &Row) -> Computed<Bdd> {
        let numbers = row.0.iter().enumerate().map(|(index, number)| (ComponentId(index as u32), *number));
        self.manager.point(numbers.flat_map(|(id, number)| self.now(id, number)))
    }

    /// The states that have the same values as this one in some components.
    pub fn same(&self, row: &Row, components: &[ComponentId]) -> Computed<Bdd> {
        self.manager.point(components.iter().flat_map(|id| self.now(*id, row.0[id.index()])))
    }

    /// The numbers of some components in the next state.
    pub fn next(&self, numbers: &[(ComponentId, u32)]) -> Computed<Bdd> {
        self.manager.point(numbers.iter().flat_map(|(id, number)| {
            let bits = self.components[id.index()].bits.iter().enumerate();
            bits.map(move |(place, (_, next))| (*next, number >> place & 1 == 1))
        }))
    }

    fn now(&self, id: ComponentId, number: u32) -> impl Iterator<Item = (Bit, bool)> {
        let bits = self.components[id.index()].bits.iter().enumerate();
        bits.map(move |(place, (now, _))| (*now, number >> place & 1 == 1))
    }

    /// The bits of a component, now and next.
    pub fn bits(&self, id: ComponentId) -> &[(Bit, Bit)] {
        &self.components[id.index()].bits
    }

    /// How many bits states have.
    pub fn bit_count(&self) -> u32 {
        self.components.iter().map(|component| component.bits.len() as u32).sum()
    }

    /// The number that a component has in a row. New components were absent when the row was made.
    pub fn number_in(&self, row: &Row, id: ComponentId) -> u32 {
        row.0.get(id.index()).copied().unwrap_or(0)
    }

    /// Gives a row the components that have been added since: they are absent.
    pub fn complete(&self, row: &mut Row) {
        row.0.resize(self.components.len(), 0);
    }

    /// Assignments of which a part of the state has one of the values that are asked for.
    fn with(&self, part: Part, is_asked_for: impl Fn(&Value) -> bool) -> Computed<Bdd> {
        let mut set = self.manager.truth(false);
        let Some(&id) = self.of_part.get(&part) else { return Ok(set) };
        let values = &self.components[id.index()].values;
        for number in (0..).zip(values).filter(|(_, value)| is_asked_for(value)).map(|(number, _)| number) {
            set = self.manager.or(&set, &self.manager.point(self.now(id, number))?)?;
        }
        Ok(set)
    }

    /// Where anybody may move.
    pub fn free(&self) -> Computed<Bdd> {
        self.with(Part::Rights, |value| matches!(value, Some(right) if exclusive(right).is_none()))
    }

    /// Where a process exists and no other alone may move.
    pub fn may_move(&self, pid: u8) -> Computed<Bdd> {
        let rights = self.with(
            Part::Rights,
            |value| matches!(value, Some(right) if exclusive(right).is_none_or(|other| other == pid)),
        )?;
        self.manager.and(&rights, &self.with(Part::Process(pid), Value::is_some)?)
    }

    /// How many processes there have been at once.
    pub fn most_processes(&self) -> u8 {
        let pids = self.components.iter().filter_map(|component| match component.part {
            Part::Process(pid) => Some(pid + 1),
            _ => None,
        });
        pids.max().unwrap_or(0)
    }
}
