//! Between keys and states: a state is taken apart into the values of its components, and put together again.

use std::sync::RwLock;

use reductio_model::state::{put, take};
use reductio_model::{Channel, ChannelTypeId, LocationId, Model, Process, ProctypeId, State, Workspace};

use super::components::{ABSENT, Values};
use super::key::Key;
use super::layout::{Layout, Source};

/// A workspace, and which values its state is made of.
pub(crate) struct Loader<'m> {
    model: &'m Model,
    pub workspace: Workspace,
    /// By component.
    loaded: Vec<Option<u32>>,
}

impl<'m> Loader<'m> {
    pub fn new(model: &'m Model) -> Loader<'m> {
        let globals = vec![0; model.globals.len()];
        let state = State { globals, processes: Vec::new(), channels: Vec::new(), exclusive: None, last: 0 };
        Loader { model, workspace: Workspace::new(state), loaded: Vec::new() }
    }

    /// To be called when the numbers of components have changed.
    pub fn forget(&mut self) {
        self.loaded.clear();
    }

    /// Makes the workspace's state that of the key, changing only the components in which they differ.
    pub fn load<const W: usize>(&mut self, layout: &Layout, values: &[RwLock<Values>], key: &Key<W>) {
        self.loaded.resize(layout.components().len(), None);
        for (index, component) in layout.components().iter().enumerate() {
            let number = component.number(key);
            if self.loaded[index] == Some(number) {
                continue;
            }
            self.loaded[index] = Some(number);
            if let Source::Claim(_) = component.source {
                continue;
            }
            if let (Some(ty), Source::Globals(slots)) = (component.plain, &component.source) {
                self.workspace.state_mut().globals[slots.start as usize] = ty.truncate(number as i32);
            } else if number != ABSENT {
                let values = values[index].read().unwrap_or_else(|poisoned| poisoned.into_inner());
                read(self.model, &component.source, values.get(number), self.workspace.state_mut());
            }
        }
    }
}

/// The one variable that a value of a component is made of.
pub(crate) fn single_value(mut value: &[u8]) -> i32 {
    take(&mut value) as i32
}

/// Appends the value that a component has in a state. `false`: it is absent.
pub(crate) fn write(model: &Model, source: &Source, state: &State, out: &mut Vec<u8>) -> bool {
    match source {
        Source::Rights => put(out, state.exclusive.map_or(0, |pid| u32::from(pid) + 1)),
        Source::Counts => {
            put(out, state.processes.len() as u32);
            put(out, state.channels.len() as u32);
        }
        Source::Last => put(out, u32::from(state.last)),
        Source::Globals(slots) => {
            for &value in &state.globals[slots.start as usize..slots.end as usize] {
                put(out, value as u32);
            }
        }
        Source::Process(pid) => {
            let Some(process) = state.processes.get(*pid as usize) else { return false };
            put(out, process.proctype.0);
            put(out, process.location.0);
            if model.features.priorities {
                put(out, u32::from(process.priority));
            }
            process.locals.iter().for_each(|&value| put(out, value as u32));
        }
        Source::Channel(index) => {
            let Some(channel) = state.channels.get(*index as usize) else { return false };
            put(out, channel.ty.0);
            put(out, channel.owner.map_or(0, |pid| u32::from(pid) + 1));
            channel.messages.iter().for_each(|&value| put(out, value as u32));
        }
        Source::Claim(_) => return false,
    }
    true
}

/// Reads into a state what [`write`] wrote. Counts are read before processes and channels: they are made then.
pub(crate) fn read(model: &Model, source: &Source, mut value: &[u8], state: &mut State) {
    let input = &mut value;
    match source {
        Source::Rights => state.exclusive = exclusive(input),
        Source::Counts => {
            let blank =
                || Process { proctype: ProctypeId(0), location: LocationId(0), priority: 1, locals: Vec::new() };
            state.processes.resize_with(take(input) as usize, blank);
            let blank = || Channel { ty: ChannelTypeId(0), owner: None, messages: Vec::new() };
            state.channels.resize_with(take(input) as usize, blank);
        }
        Source::Last => state.last = take(input) as u8,
        Source::Globals(slots) => {
            for slot in slots.clone() {
                state.globals[slot as usize] = take(input) as i32;
            }
        }
        Source::Process(pid) => {
            let process = &mut state.processes[*pid as usize];
            process.proctype = ProctypeId(take(input));
            process.location = LocationId(take(input));
            process.priority = if model.features.priorities { take(input) as u8 } else { 1 };
            read_rest(input, &mut process.locals);
        }
        Source::Channel(index) => {
            let channel = &mut state.channels[*index as usize];
            channel.ty = ChannelTypeId(take(input));
            channel.owner = take(input).checked_sub(1).map(|pid| pid as u8);
            read_rest(input, &mut channel.messages);
        }
        Source::Claim(_) => {}
    }
}

/// Who alone may move, by the value of the rights.
pub(crate) fn exclusive(mut value: &[u8]) -> Option<u8> {
    take(&mut value).checked_sub(1).map(|pid| pid as u8)
}

/// How many processes there are, by the value of the counts.
pub(crate) fn process_count(mut value: &[u8]) -> u8 {
    take(&mut value) as u8
}

fn read_rest(input: &mut &[u8], out: &mut Vec<i32>) {
    out.clear();
    while !input.is_empty() {
        out.push(take(input) as i32);
    }
}
