//! The format of values, byte by byte: other machines rely on it.

use reductio_model::{
    Channel, ChannelTypeId, Component, Features, FileId, Initial, LocationId, Model, Part, Position, Process, Proctype,
    ProctypeId, Slot, State, ValueType,
};

fn slot() -> Slot {
    Slot { name: "x".to_owned(), ty: ValueType::Int, initial: Initial::Value(0) }
}

/// Two globals, and a process type with one local.
fn model(features: Features) -> Model {
    let proctype = Proctype {
        name: "P".to_owned(),
        position: Position { file: FileId(0), line: 1, column: 1 },
        parameters: 0,
        locals: vec![slot()],
        entry: LocationId(0),
        locations: Vec::new(),
        edges: Vec::new(),
        actions: Vec::new(),
        labels: Vec::new(),
        provided: None,
    };
    Model { globals: vec![slot(), slot()], proctypes: vec![proctype], features, ..Model::default() }
}

fn state() -> State {
    let process = |location, local| Process {
        proctype: ProctypeId(0),
        location: LocationId(location),
        priority: 9,
        locals: vec![local],
    };
    State {
        globals: vec![5, -1],
        processes: vec![process(2, 300), process(3, 0)],
        channels: vec![Channel { ty: ChannelTypeId(4), owner: Some(1), messages: vec![7, 8] }],
        exclusive: Some(1),
        last: 1,
    }
}

fn bytes_of(component: &Component, model: &Model) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    component.write(model, &state(), &mut bytes).then_some(bytes)
}

#[test]
fn components_are_written_as_they_are_said_to_be() {
    let model = model(Features { last: true, priorities: true });
    let written: Vec<_> = Component::all(&model, 3, 1, 1)
        .into_iter()
        .map(|component| {
            let bytes = bytes_of(&component, &model);
            (component, bytes)
        })
        .collect();
    let expected = [
        (Component::Rights, Some(vec![2])),
        (Component::Counts, Some(vec![2, 1])),
        (Component::Last, Some(vec![1])),
        // Minus one has 32 bits that are one, in groups of seven.
        (Component::Globals(0..2), Some(vec![5, 0xff, 0xff, 0xff, 0xff, 0x0f])),
        (Component::Process(0), Some(vec![0, 2, 9, 0xac, 0x02])),
        (Component::Process(1), Some(vec![0, 3, 9, 0])),
        (Component::Process(2), None),
        (Component::Channel(0), Some(vec![4, 2, 7, 8])),
    ];
    assert_eq!(written, expected);
}

#[test]
fn what_a_model_cannot_observe_is_not_written() {
    let model = model(Features::default());
    assert!(!Component::all(&model, 2, 1, 1).contains(&Component::Last));
    assert!(!Part::all(&model, &state()).contains(&Part::Last));
    assert_eq!(bytes_of(&Component::Process(1), &model), Some(vec![0, 3, 0]));
}

/// The value of a component is made of the values of its parts, one after the other.
#[test]
fn parts_make_components() {
    let model = model(Features { last: true, priorities: true });
    for component in Component::all(&model, 2, 1, 1) {
        let mut together = Vec::new();
        for part in Part::all(&model, &state()).into_iter().filter(|&part| component.covers(part)) {
            assert!(part.write(&model, &state(), &mut together), "{part:?} is there");
        }
        assert_eq!(Some(together), bytes_of(&component, &model), "{component:?}");
    }
}
