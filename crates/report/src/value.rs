//! States as a user knows them: variables by name, symbolic constants by name, channels with their messages.

use std::collections::HashMap;

use reductio_model::{Initial, Model, Slot, State, ValueType};
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// What a variable or a channel holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    /// A symbolic constant or the name of a channel.
    Word(String),
    /// What became of a process.
    Event(Event),
    /// The messages in a channel, oldest first.
    Messages(Vec<Vec<Value>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Started,
    Ended,
}

impl Event {
    fn name(self) -> &'static str {
        match self {
            Event::Started => "started",
            Event::Ended => "ended",
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::Event(event) => f.write_str(event.name()),
            Value::Messages(messages) => {
                let shown: Vec<String> = messages.iter().map(|fields| message(fields)).collect();
                write!(f, "[{}]", shown.join(", "))
            }
        }
    }
}

/// A message the way a send statement would write it: `ack(3,1)` with a symbolic constant in front, else `3,1`.
fn message(fields: &[Value]) -> String {
    let words: Vec<String> = fields.iter().map(Value::to_string).collect();
    match (fields, words.as_slice()) {
        ([Value::Word(_), _, ..], [first, rest @ ..]) => format!("{first}({})", rest.join(",")),
        (_, [only]) => only.clone(),
        (_, several) => format!("({})", several.join(",")),
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Number(number) => serializer.serialize_i64(*number),
            Value::Word(word) => serializer.serialize_str(word),
            Value::Event(event) => serializer.serialize_str(event.name()),
            Value::Messages(messages) => {
                let mut list = serializer.serialize_seq(Some(messages.len()))?;
                for fields in messages {
                    list.serialize_element(fields)?;
                }
                list.end()
            }
        }
    }
}

/// Something of the state and its value, new if it is part of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub value: Value,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Value::Event(_) => write!(f, "{} {}", self.name, self.value),
            Value::Number(_) | Value::Word(_) | Value::Messages(_) => write!(f, "{} = {}", self.name, self.value),
        }
    }
}

/// The name of a process: its type and its pid, as in a remote reference.
pub fn process_name(model: &Model, state: &State, pid: u8) -> String {
    let process = state.processes.get(pid as usize);
    let name = process.map_or("?", |process| model.proctype(process.proctype).name.as_str());
    format!("{name}[{pid}]")
}

/// Which part of the state. Names are for people: two blocks of a process may each declare an `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Global(usize),
    Channel(usize),
    Local { pid: usize, slot: usize },
}

/// Everything a state holds that tells something: global variables, channels, then the variables of each process.
pub fn contents(model: &Model, state: &State) -> Vec<Change> {
    let parts = parts(model, state).into_iter();
    parts.map(|(_, item)| item).filter(|item| !is_own_channel(item)).collect()
}

/// What a step changed, with the new values.
pub fn changes(model: &Model, before: &State, after: &State) -> Vec<Change> {
    let mut changes = Vec::new();
    let (old, new) = (before.processes.len(), after.processes.len());
    let event = |state: &State, pid: usize, event: Event| Change {
        name: process_name(model, state, pid as u8),
        value: Value::Event(event),
    };
    changes.extend((old..new).map(|pid| event(after, pid, Event::Started)));
    changes.extend((new..old).map(|pid| event(before, pid, Event::Ended)));
    let known: HashMap<Part, Change> = parts(model, before).into_iter().collect();
    let changed = |(part, now): &(Part, Change)| match known.get(part) {
        Some(then) => then.value != now.value,
        // Of a new process only what is not zero is worth a word.
        None => !is_zero(&now.value) && !is_own_channel(now),
    };
    changes.extend(parts(model, after).into_iter().filter(changed).map(|(_, now)| now));
    changes
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Number(number) => *number == 0,
        Value::Word(_) | Value::Event(_) => false,
        Value::Messages(messages) => messages.is_empty(),
    }
}

/// A variable that a channel was declared for holds that channel nearly always.
fn is_own_channel(item: &Change) -> bool {
    matches!(&item.value, Value::Word(word) if *word == item.name)
}

fn parts(model: &Model, state: &State) -> Vec<(Part, Change)> {
    let channels = channel_names(model, state);
    let show = |name: String, ty: ValueType, value: i32| Change { name, value: scalar(model, &channels, ty, value) };
    let mut parts = Vec::new();
    for (index, (slot, &value)) in model.globals.iter().zip(&state.globals).enumerate() {
        parts.push((Part::Global(index), show(slot.name.clone(), slot.ty, value)));
    }
    for (index, channel) in state.channels.iter().enumerate() {
        let ty = model.channel_type(channel.ty);
        // A rendezvous channel never holds anything.
        if ty.capacity == 0 || ty.fields.is_empty() {
            continue;
        }
        let fields = |message: &[i32]| {
            let typed = ty.fields.iter().zip(message);
            typed.map(|(&ty, &value)| scalar(model, &channels, ty, value)).collect()
        };
        let item = Change {
            name: channels[index].clone(),
            value: Value::Messages(channel.messages.chunks(ty.fields.len()).map(fields).collect()),
        };
        parts.push((Part::Channel(index), item));
    }
    for (pid, process) in state.processes.iter().enumerate() {
        let owner = process_name(model, state, pid as u8);
        let slots = &model.proctype(process.proctype).locals;
        for (index, (slot, &value)) in slots.iter().zip(&process.locals).enumerate() {
            let item = show(format!("{owner}:{}", slot.name), slot.ty, value);
            parts.push((Part::Local { pid, slot: index }, item));
        }
    }
    parts
}

fn scalar(model: &Model, channels: &[String], ty: ValueType, value: i32) -> Value {
    let word = match ty {
        ValueType::Mtype(enumeration) => model.symbol(enumeration, value).map(str::to_owned),
        ValueType::Chan => usize::try_from(value - 1).ok().and_then(|index| channels.get(index)).cloned(),
        ValueType::Unsigned(_) | ValueType::Short | ValueType::Int => None,
    };
    match (word, ty) {
        (Some(word), _) => Value::Word(word),
        (None, ValueType::Unsigned(_)) => Value::Number(i64::from(value as u32)),
        (None, _) => Value::Number(i64::from(value)),
    }
}

/// A channel has the name of the variable it was created with. Channels are created in the order of the variables.
fn channel_names(model: &Model, state: &State) -> Vec<String> {
    let mut seen: HashMap<Option<u8>, usize> = HashMap::new();
    let name = |(index, channel): (usize, &reductio_model::Channel)| {
        let position = seen.entry(channel.owner).or_default();
        let declared = |slots: &[Slot]| {
            let with_channel = slots.iter().filter(|slot| matches!(slot.initial, Initial::Channel(_)));
            with_channel.map(|slot| slot.name.clone()).nth(*position)
        };
        let name = match channel.owner {
            None => declared(&model.globals),
            Some(pid) => state.processes.get(pid as usize).and_then(|process| {
                let name = declared(&model.proctype(process.proctype).locals)?;
                Some(format!("{}:{name}", process_name(model, state, pid)))
            }),
        };
        *position += 1;
        name.unwrap_or_else(|| format!("channel {}", index + 1))
    };
    state.channels.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use reductio_model::{Channel, ChannelType, ChannelTypeId, Enumeration, FileId, Position};

    use super::*;

    fn slot(name: &str, ty: ValueType, initial: Initial) -> Slot {
        Slot { name: name.to_owned(), ty, initial }
    }

    /// `mtype = { go, stop }; mtype m; unsigned u : 32; chan c = [2] of { mtype, byte }; chan d`, and no process.
    fn model() -> Model {
        Model {
            enumerations: vec![Enumeration { name: None, members: vec![("stop".to_owned(), 1), ("go".to_owned(), 2)] }],
            globals: vec![
                slot("m", ValueType::Mtype(0), Initial::Value(0)),
                slot("u", ValueType::Unsigned(32), Initial::Value(0)),
                slot("c", ValueType::Chan, Initial::Channel(ChannelTypeId(0))),
                slot("d", ValueType::Chan, Initial::Value(0)),
            ],
            channel_types: vec![ChannelType {
                name: "c".to_owned(),
                capacity: 2,
                fields: vec![ValueType::Mtype(0), ValueType::BYTE],
                position: Position { file: FileId(0), line: 1, column: 1 },
            }],
            ..Model::default()
        }
    }

    fn state(globals: [i32; 4], messages: &[i32]) -> State {
        let channel = Channel { ty: ChannelTypeId(0), owner: None, messages: messages.to_vec() };
        State { globals: globals.to_vec(), processes: Vec::new(), channels: vec![channel], exclusive: None, last: 0 }
    }

    fn shown(before: &State, after: &State) -> Vec<String> {
        changes(&model(), before, after).iter().map(Change::to_string).collect()
    }

    #[test]
    fn values_are_shown_the_way_the_model_writes_them() {
        let before = state([0, 0, 1, 0], &[]);
        let after = state([2, -1, 1, 1], &[2, 7, 1, 8]);
        let expected = ["m = go", "u = 4294967295", "d = c", "c = [go(7), stop(8)]"];
        assert_eq!(shown(&before, &after), expected);
        // Zero is no symbolic constant and no channel.
        assert_eq!(shown(&after, &before), ["m = 0", "u = 0", "d = 0", "c = []"]);
        assert!(shown(&after, &after).is_empty());
    }

    #[test]
    fn a_variable_with_a_channel_of_its_own_is_shown_only_when_it_changes() {
        let own = state([0, 0, 1, 0], &[]);
        let names: Vec<String> = contents(&model(), &own).into_iter().map(|item| item.name).collect();
        assert_eq!(names, ["m", "u", "d", "c"]);
        assert_eq!(shown(&own, &state([0, 0, 0, 0], &[])), ["c = 0"]);
    }

    #[test]
    fn values_in_json() {
        let messages = Value::Messages(vec![vec![Value::Word("go".to_owned()), Value::Number(7)]]);
        let json = serde_json::to_string(&messages).expect("a value is JSON");
        assert_eq!(json, r#"[["go",7]]"#);
    }
}
