//! Every rule of the verifier is broken once, in a model that is otherwise right.

use reductio_model::{
    Action, ActionId, ActionKind, Atom, ChannelType, ChannelTypeId, Edge, EdgeId, Expr, FileId, Guard, Index, Initial,
    Label, Location, LocationId, Model, Op, Place, Position, Proctype, ProctypeId, Scope, Slot, Start, ValueType,
    verify,
};

const HERE: Position = Position { file: FileId(0), line: 1, column: 1 };

fn place(scope: Scope, base: u32) -> Place {
    Place { scope, base, indices: Vec::new(), ty: ValueType::BYTE }
}

fn location(edges: &[u32], interior: bool) -> Location {
    let edges = edges.iter().map(|&edge| EdgeId(edge)).collect();
    Location { position: HERE, edges, end: false, accept: false, progress: false, interior, module: false }
}

fn edge(from: u32, to: u32, action: u32) -> Edge {
    Edge { from: LocationId(from), to: LocationId(to), action: ActionId(action), escape: 0, atomic: false }
}

fn action(kind: ActionKind) -> Action {
    Action { position: HERE, text: String::new(), number: 0, kind }
}

fn step(effect: Vec<Op>) -> ActionKind {
    ActionKind::Step { guard: Guard::When(Expr::TRUE), communication: None, effect }
}

/// `byte g; active proctype P() { byte x; d_step { x = 1 } }`
fn model() -> Model {
    let slot = |name: &str| Slot { name: name.to_owned(), ty: ValueType::BYTE, initial: Initial::Value(0) };
    let assign = Op::Assign(place(Scope::Local, 0), Expr::Const(1));
    let proctype = Proctype {
        name: "P".to_owned(),
        position: HERE,
        parameters: 0,
        locals: vec![slot("x")],
        entry: LocationId(0),
        locations: vec![location(&[0], false), location(&[1], true), location(&[2], false)],
        edges: vec![edge(0, 2, 0), edge(1, 2, 1), edge(2, 2, 2)],
        actions: vec![
            action(ActionKind::DStep { entry: LocationId(1) }),
            action(step(vec![assign])),
            action(ActionKind::End),
        ],
        labels: vec![Label { name: "L".to_owned(), location: LocationId(0) }],
        provided: None,
    };
    Model {
        name: "m".to_owned(),
        globals: vec![slot("g")],
        proctypes: vec![proctype],
        initial: vec![Start { proctype: ProctypeId(0), priority: 1 }],
        ..Model::default()
    }
}

#[test]
fn a_right_model_passes() {
    assert_eq!(verify(&model()), Ok(()));
}

/// What the verifier should say, and what breaks the model.
type Break = (&'static str, fn(&mut Model));

#[test]
fn every_broken_rule_is_told() {
    let breaks: &[Break] = &[
        ("the entry is no location", |model| model.proctypes[0].entry = LocationId(9)),
        ("the entry lies inside a d_step", |model| model.proctypes[0].entry = LocationId(1)),
        ("leads to no location", |model| model.proctypes[0].edges[0].to = LocationId(9)),
        ("has no action", |model| model.proctypes[0].edges[0].action = ActionId(9)),
        ("of another", |model| model.proctypes[0].edges[0].from = LocationId(2)),
        ("not listed exactly once", |model| model.proctypes[0].locations[0].edges.clear()),
        ("jumps into a d_step", |model| model.proctypes[0].edges[0].to = LocationId(1)),
        ("is no plain step", |model| model.proctypes[0].actions[1].kind = ActionKind::End),
        ("not interior", |model| {
            model.proctypes[0].actions[0].kind = ActionKind::DStep { entry: LocationId(2) };
        }),
        ("more parameters than locals", |model| model.proctypes[0].parameters = 2),
        ("label L has no location", |model| model.proctypes[0].labels[0].location = LocationId(9)),
        ("an initial process has no type", |model| model.initial[0].proctype = ProctypeId(1)),
        ("more than 255", |model| model.initial = vec![model.initial[0].clone(); 256]),
        ("not evaluated", |model| model.globals[0].initial = Initial::Expr(Expr::Pid)),
        ("unknown channel type", |model| model.globals[0].initial = Initial::Channel(ChannelTypeId(0))),
        ("has no fields", |model| {
            let channel = ChannelType { name: "c".to_owned(), capacity: 1, fields: Vec::new(), position: HERE };
            model.channel_types.push(channel);
        }),
        ("slot 0 is out of range", |model| {
            let expr = Expr::Read(Box::new(place(Scope::Local, 0)));
            model.atoms.push(Atom { text: "x".to_owned(), expr });
        }),
        ("slot 0 is out of range", |model| {
            let index = Index { value: Expr::Const(0), length: 3, stride: 1 };
            let target = Place { indices: vec![index], ..place(Scope::Global, 0) };
            model.proctypes[0].actions[1].kind = step(vec![Op::Assign(target, Expr::Const(1))]);
        }),
        ("names no label", |model| {
            let expr = Expr::At { proctype: ProctypeId(0), pid: None, label: "M".to_owned() };
            model.proctypes[0].provided = Some(expr);
        }),
        ("does not match its process type", |model| {
            let run = Op::Run { proctype: ProctypeId(0), arguments: vec![Expr::TRUE], priority: 1, result: None };
            model.proctypes[0].actions[1].kind = step(vec![run]);
        }),
        ("ragged format", |model| {
            model.proctypes[0].actions[1].kind = step(vec![Op::Print { literals: Vec::new(), arguments: Vec::new() }]);
        }),
    ];
    for (message, break_it) in breaks {
        let mut model = model();
        break_it(&mut model);
        let errors = verify(&model).expect_err(message);
        assert!(errors.iter().any(|error| error.contains(message)), "expected `{message}`, got {errors:?}");
    }
}
