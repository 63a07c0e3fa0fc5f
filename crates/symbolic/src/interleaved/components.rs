//! The parts of a state as numbers, and the numbers as bits.
//!
//! Paper:    [blom-van-de-pol08]: states are rows of values, each numbered as it appears.
//! Deviates: the numbers are encoded in bits, which are added as there are more values, and not in lists.
//!
//! A component is a [`Part`] of the state: a global, the location of a process, one of its locals, a channel. That is finer
//! than the components of packed states, where each costs a look at every step: here each costs bits of a diagram, and
//! a step should depend on as few as possible.

use std::collections::HashMap;

use reductio_model::{Channel, LocationId, Model, Part, Process, ProctypeId, State};

use crate::bdd::{Bdd, Bit, Computed, Manager};

/// An index into the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(u32);

impl ComponentId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a part of a state is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Value {
    /// There is no such process or channel.
    Absent,
    Number(i32),
    Process {
        proctype: ProctypeId,
        location: LocationId,
        priority: u8,
    },
    Channel(Channel),
    Counts {
        processes: usize,
        channels: usize,
    },
    Rights(Option<u8>),
}

impl Value {
    fn of(state: &State, part: Part) -> Value {
        let process = |pid: u8| state.processes.get(pid as usize);
        match part {
            Part::Global(slot) => Value::Number(state.globals[slot as usize]),
            Part::Process(pid) => match process(pid) {
                Some(&Process { proctype, location, priority, .. }) => Value::Process { proctype, location, priority },
                None => Value::Absent,
            },
            Part::Local(pid, slot) => {
                let value = process(pid).and_then(|process| process.locals.get(slot as usize));
                value.map_or(Value::Absent, |value| Value::Number(*value))
            }
            Part::Channel(index) => {
                state.channels.get(index as usize).map_or(Value::Absent, |channel| Value::Channel(channel.clone()))
            }
            Part::Rights => Value::Rights(state.exclusive),
            Part::Counts => Value::Counts { processes: state.processes.len(), channels: state.channels.len() },
            Part::Last => Value::Number(state.last.into()),
        }
    }
}

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
        let mut parts = vec![Part::Rights, Part::Counts];
        if model.features.last {
            parts.push(Part::Last);
        }
        for (pid, process) in initial.processes.iter().enumerate() {
            parts.push(Part::Process(pid as u8));
            parts.extend((0..process.locals.len()).map(|slot| Part::Local(pid as u8, slot as u32)));
        }
        parts.extend((0..initial.channels.len()).map(|index| Part::Channel(index as u8)));
        parts.extend((0..initial.globals.len()).map(|slot| Part::Global(slot as u32)));
        for part in parts {
            components.add(part, Value::of(initial, part));
        }
        components
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
        self.of_part.get(&part).copied().unwrap_or_else(|| self.add(part, Value::Absent))
    }

    /// The component of a part, if there is one.
    pub fn known(&self, part: Part) -> Option<ComponentId> {
        self.of_part.get(&part).copied()
    }

    /// The number of the value that a component has in a state, and the bit that had to be added for it, if one had to.
    pub fn number(&mut self, id: ComponentId, state: &State) -> Computed<(u32, Option<Added>)> {
        let component = &mut self.components[id.index()];
        let value = Value::of(state, component.part);
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
            let number = component.numbers.get(&Value::of(state, component.part));
            *number.expect("every value of a state that is reached has been numbered")
        };
        Row(self.components.iter().map(number).collect())
    }

    /// The state of a row.
    pub fn state(&self, row: &Row) -> State {
        let mut state = State {
            globals: vec![0; self.model.globals.len()],
            processes: Vec::new(),
            channels: Vec::new(),
            exclusive: None,
            last: 0,
        };
        let (mut processes, mut channels, mut locals) = (Vec::new(), Vec::new(), Vec::new());
        for (component, &number) in self.components.iter().zip(&row.0) {
            match (component.part, &component.values[number as usize]) {
                (_, Value::Absent) | (Part::Counts, _) => {}
                (Part::Global(slot), &Value::Number(value)) => state.globals[slot as usize] = value,
                (Part::Last, &Value::Number(pid)) => state.last = pid as u8,
                (Part::Rights, Value::Rights(exclusive)) => state.exclusive = *exclusive,
                (Part::Process(pid), &Value::Process { proctype, location, priority }) => {
                    let locals = vec![0; self.model.proctype(proctype).locals.len()];
                    processes.push((pid, Process { proctype, location, priority, locals }));
                }
                (Part::Local(pid, slot), &Value::Number(value)) => locals.push((pid, slot, value)),
                (Part::Channel(index), Value::Channel(channel)) => channels.push((index, channel.clone())),
                (part, value) => unreachable!("{part:?} cannot be {value:?}"),
            }
        }
        processes.sort_by_key(|(pid, _)| *pid);
        channels.sort_by_key(|(index, _)| *index);
        state.processes = processes.into_iter().map(|(_, process)| process).collect();
        state.channels = channels.into_iter().map(|(_, channel)| channel).collect();
        for (pid, slot, value) in locals {
            state.processes[pid as usize].locals[slot as usize] = value;
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
        self.with(Part::Rights, |value| *value == Value::Rights(None))
    }

    /// Where a process exists and no other alone may move.
    pub fn may_move(&self, pid: u8) -> Computed<Bdd> {
        let rights = self.with(
            Part::Rights,
            |value| matches!(value, Value::Rights(right) if right.is_none_or(|other| other == pid)),
        )?;
        self.manager.and(&rights, &self.with(Part::Process(pid), |value| *value != Value::Absent)?)
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
