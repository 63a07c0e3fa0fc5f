//! What a state is made of, and each piece of it as portable bytes.
//!
//! The smallest pieces are the [`Part`]s that footprints speak of. Where a step should depend on as little as possible, an engine
//! takes them [one by one](Part::all). Where each piece costs a look at every step there should be few, so parts that are used
//! together make a [`Component`]. Every part belongs to one component, and to know the values of all components, or of all parts,
//! is to know the state.
//!
//! # The format
//!
//! The value of a part is a string of bytes: numbers one after the other, each as [`put`] writes it. Numbers with a sign are written
//! as the 32 bits that they are. The value of a component is made of the values of its parts, one after the other.
//!
//! | part | its value |
//! |---|---|
//! | [`Rights`](Part::Rights) | zero if anybody may move, or else one more than the pid of the process that alone may |
//! | [`Counts`](Part::Counts) | how many processes there are, how many channels |
//! | [`Last`](Part::Last) | the pid of the process that moved last |
//! | [`Global`](Part::Global), [`Local`](Part::Local) | the value of the slot |
//! | [`Process`](Part::Process) | the number of its type, the number of its location, and in a model with priorities its priority |
//! | [`Channel`](Part::Channel) | the number of its type, zero or one more than the pid of its owner, the fields of all messages, oldest message first |
//!
//! A process, a local or a channel that does not exist has no value, which is another thing than an empty one.
//!
//! All these numbers are the model's own, and none is given by a search. So the bytes are the same on every machine, whatever was
//! met there before, and whoever has the same model can read them. So it is with the bytes of a whole state ([`State::encode`]).

use std::ops::Range;

use crate::model::{ChannelTypeId, LocationId, Model, ProctypeId};
use crate::state::{Channel, Process, State, put, take};
use crate::workspace::Part;

/// Parts of a state that are used together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    /// Who alone may move.
    Rights,
    /// How many processes and channels there are.
    Counts,
    /// Who moved last.
    Last,
    /// Neighbouring global slots.
    Globals(Range<u32>),
    /// The frame of a process: itself, and then its locals.
    Process(u8),
    Channel(u8),
}

impl Component {
    /// The components of a state with so many processes and channels. The globals are no more than `most_globals` of them.
    pub fn all(model: &Model, processes: usize, channels: usize, most_globals: usize) -> Vec<Component> {
        let mut components = vec![Component::Rights, Component::Counts];
        components.extend(model.features.last.then_some(Component::Last));
        let globals = model.globals.len();
        let together = globals.div_ceil(most_globals).max(1);
        let group = |start: usize| Component::Globals(start as u32..globals.min(start + together) as u32);
        components.extend((0..globals).step_by(together).map(group));
        components.extend((0..processes).map(|pid| Component::Process(pid as u8)));
        components.extend((0..channels).map(|index| Component::Channel(index as u8)));
        components
    }

    /// Does the part belong to this component?
    pub fn covers(&self, part: Part) -> bool {
        match (self, part) {
            (Component::Rights, Part::Rights) | (Component::Counts, Part::Counts) | (Component::Last, Part::Last) => {
                true
            }
            (Component::Globals(slots), Part::Global(slot)) => slots.contains(&slot),
            (Component::Process(pid), Part::Process(other) | Part::Local(other, _)) => *pid == other,
            (Component::Channel(index), Part::Channel(other)) => *index == other,
            _ => false,
        }
    }

    /// Appends the value that the component has in a state. `false`: it does not exist there.
    pub fn write(&self, model: &Model, state: &State, out: &mut Vec<u8>) -> bool {
        match self {
            Component::Rights => Part::Rights.write(model, state, out),
            Component::Counts => Part::Counts.write(model, state, out),
            Component::Last => Part::Last.write(model, state, out),
            Component::Globals(slots) => {
                for &value in &state.globals[slots.start as usize..slots.end as usize] {
                    put(out, value as u32);
                }
                true
            }
            Component::Process(pid) => {
                let Some(process) = state.processes.get(*pid as usize) else { return false };
                write_process(model, process, out);
                process.locals.iter().for_each(|&value| put(out, value as u32));
                true
            }
            Component::Channel(index) => {
                let Some(channel) = state.channels.get(*index as usize) else { return false };
                write_channel(channel, out);
                true
            }
        }
    }

    /// Reads into a state what [`Component::write`] wrote for the same model. Counts are read before processes and channels:
    /// these are made then.
    pub fn read(&self, model: &Model, mut value: &[u8], state: &mut State) {
        let input = &mut value;
        match self {
            Component::Rights => Part::Rights.read(model, input, state),
            Component::Counts => Part::Counts.read(model, input, state),
            Component::Last => Part::Last.read(model, input, state),
            Component::Globals(slots) => {
                for slot in slots.clone() {
                    state.globals[slot as usize] = take(input) as i32;
                }
            }
            Component::Process(pid) => {
                let process = &mut state.processes[*pid as usize];
                read_process(model, input, process);
                read_rest(input, &mut process.locals);
            }
            Component::Channel(index) => read_channel(input, &mut state.channels[*index as usize]),
        }
    }
}

impl Part {
    /// The parts that a state of the model has. Who moved last is one only where the model can observe it.
    pub fn all(model: &Model, state: &State) -> Vec<Part> {
        let mut parts = vec![Part::Rights, Part::Counts];
        parts.extend(model.features.last.then_some(Part::Last));
        for (pid, process) in (0..).zip(&state.processes) {
            parts.push(Part::Process(pid));
            parts.extend((0..process.locals.len()).map(|slot| Part::Local(pid, slot as u32)));
        }
        parts.extend((0..state.channels.len()).map(|index| Part::Channel(index as u8)));
        parts.extend((0..state.globals.len()).map(|slot| Part::Global(slot as u32)));
        parts
    }

    /// Appends the value that the part has in a state. `false`: it does not exist there.
    pub fn write(self, model: &Model, state: &State, out: &mut Vec<u8>) -> bool {
        let process = |pid: u8| state.processes.get(pid as usize);
        match self {
            Part::Rights => put(out, state.exclusive.map_or(0, |pid| u32::from(pid) + 1)),
            Part::Counts => {
                put(out, state.processes.len() as u32);
                put(out, state.channels.len() as u32);
            }
            Part::Last => put(out, u32::from(state.last)),
            Part::Global(slot) => put(out, state.globals[slot as usize] as u32),
            Part::Process(pid) => {
                let Some(process) = process(pid) else { return false };
                write_process(model, process, out);
            }
            Part::Local(pid, slot) => {
                let value = process(pid).and_then(|process| process.locals.get(slot as usize));
                let Some(&value) = value else { return false };
                put(out, value as u32);
            }
            Part::Channel(index) => {
                let Some(channel) = state.channels.get(index as usize) else { return false };
                write_channel(channel, out);
            }
        }
        true
    }

    /// Reads into a state what [`Part::write`] wrote for the same model. Counts are read before processes and channels, which are
    /// made then, and processes before their locals.
    pub fn read(self, model: &Model, mut value: &[u8], state: &mut State) {
        let input = &mut value;
        match self {
            Part::Rights => state.exclusive = exclusive(input),
            Part::Counts => {
                state.processes.resize_with(take(input) as usize, blank_process);
                state.channels.resize_with(take(input) as usize, blank_channel);
            }
            Part::Last => state.last = take(input) as u8,
            Part::Global(slot) => state.globals[slot as usize] = take(input) as i32,
            Part::Process(pid) => {
                let process = &mut state.processes[pid as usize];
                read_process(model, input, process);
                process.locals.resize(model.proctype(process.proctype).locals.len(), 0);
            }
            Part::Local(pid, slot) => state.processes[pid as usize].locals[slot as usize] = take(input) as i32,
            Part::Channel(index) => read_channel(input, &mut state.channels[index as usize]),
        }
    }
}

fn write_process(model: &Model, process: &Process, out: &mut Vec<u8>) {
    put(out, process.proctype.0);
    put(out, process.location.0);
    if model.features.priorities {
        put(out, u32::from(process.priority));
    }
}

fn read_process(model: &Model, input: &mut &[u8], process: &mut Process) {
    process.proctype = ProctypeId(take(input));
    process.location = LocationId(take(input));
    process.priority = if model.features.priorities { take(input) as u8 } else { 1 };
}

fn write_channel(channel: &Channel, out: &mut Vec<u8>) {
    put(out, channel.ty.0);
    put(out, channel.owner.map_or(0, |pid| u32::from(pid) + 1));
    channel.messages.iter().for_each(|&value| put(out, value as u32));
}

fn read_channel(input: &mut &[u8], channel: &mut Channel) {
    channel.ty = ChannelTypeId(take(input));
    channel.owner = take(input).checked_sub(1).map(|pid| pid as u8);
    read_rest(input, &mut channel.messages);
}

fn read_rest(input: &mut &[u8], out: &mut Vec<i32>) {
    out.clear();
    while !input.is_empty() {
        out.push(take(input) as i32);
    }
}

/// A process of which nothing is known yet.
pub fn blank_process() -> Process {
    Process { proctype: ProctypeId(0), location: LocationId(0), priority: 1, locals: Vec::new() }
}

/// A channel of which nothing is known yet.
pub fn blank_channel() -> Channel {
    Channel { ty: ChannelTypeId(0), owner: None, messages: Vec::new() }
}

/// Who alone may move, by the value of the rights.
pub fn exclusive(mut value: &[u8]) -> Option<u8> {
    take(&mut value).checked_sub(1).map(|pid| pid as u8)
}

/// How many processes there are, by the value of the counts.
pub fn process_count(mut value: &[u8]) -> u8 {
    take(&mut value) as u8
}

/// The value of a variable, by the value of the part or component that it is.
pub fn variable(mut value: &[u8]) -> i32 {
    take(&mut value) as i32
}
