//! A state of a model, and its stored form.

use crate::model::{ChannelTypeId, Features, LocationId, Model, ProctypeId};

/// A process that is alive. Its pid is its index in [`State::processes`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub proctype: ProctypeId,
    pub location: LocationId,
    pub priority: u8,
    pub locals: Vec<i32>,
}

/// A channel that exists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    pub ty: ChannelTypeId,
    /// The process it was created with and will die with; `None` for global channels.
    pub owner: Option<u8>,
    /// The fields of all messages, oldest message first.
    pub messages: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub globals: Vec<i32>,
    /// Indexed by pid.
    pub processes: Vec<Process>,
    /// Channel number `n` is at index `n - 1`.
    pub channels: Vec<Channel>,
    /// The process that holds the right to move, in the middle of an `atomic`, and that *can* move.
    pub exclusive: Option<u8>,
    /// The process that moved last, zero at the start and wherever the model cannot observe it.
    pub last: u8,
}

impl State {
    /// A state of which nothing is known yet, to be read into.
    pub fn blank(model: &Model) -> State {
        let globals = vec![0; model.globals.len()];
        State { globals, processes: Vec::new(), channels: Vec::new(), exclusive: None, last: 0 }
    }

    /// Appends the stored form: every number as a variable-length integer, counts before lists. Two states have the
    /// same stored form exactly when they are equal. All numbers are the model's own, so the form is the same on every machine.
    pub fn encode(&self, features: Features, out: &mut Vec<u8>) {
        put(out, self.exclusive.map_or(0, |pid| pid as u32 + 1));
        if features.last {
            put(out, self.last as u32);
        }
        for &value in &self.globals {
            put(out, value as u32);
        }
        put(out, self.processes.len() as u32);
        for process in &self.processes {
            put(out, process.proctype.0);
            put(out, process.location.0);
            if features.priorities {
                put(out, process.priority as u32);
            }
            for &value in &process.locals {
                put(out, value as u32);
            }
        }
        put(out, self.channels.len() as u32);
        for channel in &self.channels {
            put(out, channel.ty.0);
            put(out, channel.owner.map_or(0, |pid| pid as u32 + 1));
            put(out, channel.messages.len() as u32);
            for &value in &channel.messages {
                put(out, value as u32);
            }
        }
    }

    /// Reads what [`State::encode`] wrote for the same model.
    pub fn decode(model: &Model, mut bytes: &[u8]) -> State {
        let input = &mut bytes;
        let exclusive = pid_or_none(take(input));
        let last = if model.features.last { take(input) as u8 } else { 0 };
        let globals = values(input, model.globals.len());
        let processes = (0..take(input))
            .map(|_| {
                let proctype = ProctypeId(take(input));
                let location = LocationId(take(input));
                let priority = if model.features.priorities { take(input) as u8 } else { 1 };
                let locals = values(input, model.proctype(proctype).locals.len());
                Process { proctype, location, priority, locals }
            })
            .collect();
        let channels = (0..take(input))
            .map(|_| {
                let ty = ChannelTypeId(take(input));
                let owner = pid_or_none(take(input));
                let length = take(input) as usize;
                Channel { ty, owner, messages: values(input, length) }
            })
            .collect();
        State { globals, processes, channels, exclusive, last }
    }
}

fn pid_or_none(code: u32) -> Option<u8> {
    code.checked_sub(1).map(|pid| pid as u8)
}

fn values(input: &mut &[u8], count: usize) -> Vec<i32> {
    (0..count).map(|_| take(input) as i32).collect()
}

/// Seven bits a byte, least significant first; the top bit says that more follow.
pub fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads what [`put`] wrote.
pub fn take(input: &mut &[u8]) -> u32 {
    let mut value = 0;
    for (position, &byte) in input.iter().enumerate() {
        value |= ((byte & 0x7f) as u32) << (7 * position);
        if byte & 0x80 == 0 {
            *input = &input[position + 1..];
            return value;
        }
    }
    unreachable!("a stored state ends in the middle of a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        for value in [0, 1, 127, 128, 300, i32::MAX, -1, i32::MIN] {
            let mut bytes = Vec::new();
            put(&mut bytes, value as u32);
            let mut rest = &bytes[..];
            assert_eq!(take(&mut rest) as i32, value);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn a_state_survives_and_differs_from_its_neighbours() {
        let model = Model { globals: Vec::new(), ..Model::default() };
        let channel = Channel { ty: ChannelTypeId(0), owner: None, messages: vec![1, -2] };
        let state = State { globals: vec![], processes: vec![], channels: vec![channel], exclusive: Some(0), last: 0 };
        let mut bytes = Vec::new();
        state.encode(model.features, &mut bytes);
        assert_eq!(State::decode(&model, &bytes), state);
        let mut other = Vec::new();
        State { exclusive: None, ..state.clone() }.encode(model.features, &mut other);
        assert_ne!(bytes, other);
    }
}
