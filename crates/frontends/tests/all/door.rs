//! What the door promises to engines, checked in every state that is reached of many models.
//!
//! * The steps asked process by process are those that the plain interpreter finds in the state.
//! * A footprint is defined by what is not in it: whatever other value an untouched part has, a process has the same steps,
//!   and they make the same changes to the same parts. Here every untouched part gets another value.
//! * Bytes of states, components and parts can be read again, and are equal only where the states are.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{
    ActionId, ActionKind, AtomId, Channel, ChannelTypeId, Component, Door, Fault, Guard, Interpreter, LocationId,
    Model, Part, Possible, Process, ProctypeId, Slot, State, Step, Successors, TransitionSystem, Tried, Workspace,
};
use reductio_testing::promela::generate::{Features, Size, generate_with};

/// More states of a model are seldom of another kind.
const STATES: usize = 300;

/// What the models of `testdata` have little of.
const PRIORITIES: &str = "
    byte x, y;
    proctype low() priority 2 { x++; x > 2; set_priority(_pid, 7); y = get_priority(0); x = 0 }
    proctype high() priority 5 { y > 0; x = 3; set_priority(_pid, 1); y = 0; y = enabled(1) + pc_value(1) }
    init { atomic { run low() priority 2; run high() priority 5 }; y = 1; x < 1; y = get_priority(_pid + 1) }
";
const CHANNELS: &str = "
    mtype = { ping, pong };
    chan r = [0] of { mtype, byte };
    chan q = [2] of { byte };
    chan p = [2] of { byte };
    byte x;
    active proctype sender() provided (x < 9) { byte n; do :: atomic { r!ping(n); n++ } :: r!pong(x) :: n > 2 -> full_up: break od }
    active proctype receiver() {
        byte m;
        do
        :: r?ping(m); if :: q!!m :: nfull(p) -> p!m fi
        :: atomic { r?pong(eval(m)); x = len(q) }
        :: q??2 -> x++
        :: d_step { p?[0] -> p?m; m = _last }
        :: empty(q) && timeout -> break
        od
    }
    active proctype looker() {
        do
        :: d_step { sender[0]@full_up || receiver:m == 1 -> x = _nr_pr }
        :: run worker(q)
        :: x == 2 -> break
        od unless { full(q) }
    }
    proctype worker(chan c) { chan mine = [1] of { byte }; mine!1; if :: c?x :: mine?x fi; assert(x != 2) }
";
/// The channel is gone when it is used, but the next process brings another of the same number.
const DANGLING: &str = "
    chan c;
    byte x;
    proctype owner() { chan mine = [1] of { byte }; c = mine }
    init { run owner(); c > 0; (_nr_pr == 1) -> c!1; run owner() }
";

const INVARIANTS: &[&str] = &["x < 2", "len(q) == 0 || x == 1", "receiver:m != 1", "_nr_pr < 4", "np_", "_last == 1"];

/// So many random programs, each of so many states at most.
const PROGRAMS: u64 = 300;
const STATES_OF_PROGRAMS: usize = 25;

#[test]
fn the_door_keeps_its_promises_on_all_models() {
    let mut checked = Checked::up_to(STATES);
    checked.model("priorities", &model_of(PRIORITIES, &[]));
    checked.model("dangling", &model_of(DANGLING, &[]));
    checked.model("channels", &model_of(CHANNELS, INVARIANTS));
    for directory in ["models", "regressions", "spin-micro"] {
        for path in models_in(directory) {
            let name = path.to_string_lossy();
            let text = std::fs::read(&path).unwrap();
            // Some models of the test data are wrong on purpose, and some include others.
            if let Some(model) = load(&name, &text, &LoadOptions::default(), &NoIncludes).model {
                checked.model(&name, &model);
            }
        }
    }
    assert!(checked.models > 140, "only {} models", checked.models);
    assert!(checked.behaviours > 100_000, "only {} behaviours compared", checked.behaviours);
}

#[test]
fn the_door_keeps_its_promises_on_random_programs() {
    let mut checked = Checked::up_to(STATES_OF_PROGRAMS);
    for seed in 0..PROGRAMS {
        let features = Features { risky: seed % 2 == 1, ..Features::default() };
        let program = generate_with(seed, Size::states(100), features).to_string();
        checked.model(&format!("seed {seed}"), &model_of(&program, &[]));
    }
    assert!(checked.states > 3_000, "only {} states", checked.states);
    assert!(checked.behaviours > 100_000, "only {} behaviours compared", checked.behaviours);
}

fn model_of(text: &str, invariants: &[&str]) -> Model {
    let invariants = invariants.iter().map(|&text| text.to_owned()).collect();
    let options = LoadOptions { invariants, ..LoadOptions::default() };
    let loaded = load("m.pml", text.as_bytes(), &options, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)))
}

fn models_in(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(directory);
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "pml")).collect();
    models.sort();
    models
}

#[derive(Default)]
struct Checked {
    /// Of a model, no more states are looked at.
    most_states: usize,
    models: usize,
    states: usize,
    behaviours: usize,
}

impl Checked {
    fn up_to(most_states: usize) -> Checked {
        Checked { most_states, ..Checked::default() }
    }

    fn model(&mut self, name: &str, model: &Model) {
        self.models += 1;
        let interpreter = Interpreter::new(model);
        let door: &dyn Door = &interpreter;
        assert_eq!(door.bytes_of(&door.initial_state()), interpreter.initial(), "{name}: the initial state");
        let mut written = Written::default();
        let mut seen = HashSet::from([door.initial_state()]);
        let mut pending = VecDeque::from([door.initial_state()]);
        while let Some(state) = pending.pop_front() {
            self.states += 1;
            written.add(name, model, &state);
            for next in steps_are_the_interpreters(name, door, &interpreter, &state) {
                if seen.len() < self.most_states && seen.insert(next.clone()) {
                    pending.push_back(next);
                }
            }
            self.footprints(name, door, &state);
        }
    }

    /// An answer depends on its footprint, and on nothing else.
    fn footprints(&mut self, name: &str, door: &dyn Door, state: &State) {
        let model = door.model();
        for (pid, process) in (0..).zip(&state.processes) {
            for timeout in [false, true] {
                let case = format!("{name}, process {pid}, timeout {timeout}");
                self.compare(&case, model, state, |workspace| Behaviour::of(door, workspace, pid, timeout));
            }
            let proctype = model.proctype(process.proctype);
            for &edge in &proctype.location(process.location).edges {
                let ActionKind::Step { guard: Guard::When(condition), .. } = &proctype.action_of(edge).kind else {
                    continue;
                };
                let case = format!("{name}, process {pid}, the condition of edge {}", edge.0);
                self.compare(&case, model, state, |workspace| door.value(workspace, pid, condition));
            }
        }
        for atom in (0..model.atoms.len()).map(|index| AtomId(index as u32)) {
            let case = format!("{name}, atom {}", atom.0);
            self.compare(&case, model, state, |workspace| door.atom_holds(workspace, atom));
        }
        self.compare(&format!("{name}, the end"), model, state, |workspace| door.may_end(workspace));
    }

    /// Asks once, and again in every state that differs in one untouched part.
    fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        case: &str,
        model: &Model,
        state: &State,
        ask: impl Fn(&mut Workspace) -> T,
    ) {
        let mut workspace = Workspace::new(state.clone());
        workspace.observe(true);
        let expected = ask(&mut workspace);
        let touched: BTreeSet<Part> = workspace.touched().iter().copied().collect();
        for (part, other) in variants(model, state, &touched) {
            let found = ask(&mut Workspace::new(other));
            assert!(
                found == expected,
                "{case}: {part:?} is not in {touched:?}\nbut {expected:?}\nbecomes {found:?}\nin {state:?}"
            );
            self.behaviours += 1;
        }
    }
}

/// What a process can do, and what comes of it.
#[derive(Debug, PartialEq)]
struct Behaviour {
    done: Vec<Done>,
}

#[derive(Debug, PartialEq)]
struct Done {
    step: Step,
    fault: Option<Fault>,
    stable: bool,
    ends: bool,
    executed: Vec<(ProctypeId, ActionId)>,
    /// The parts that were written, and their values after the step.
    changes: Vec<(Part, Value)>,
}

impl Behaviour {
    fn of(door: &dyn Door, workspace: &mut Workspace, pid: u8, timeout: bool) -> Behaviour {
        let model = door.model();
        let before = workspace.state().clone();
        let mut done = Vec::new();
        let mut all_written = BTreeSet::new();
        each(door, workspace, pid, timeout, |tried| {
            let written: BTreeSet<Part> = tried.written().collect();
            // What a step that ends the run has written is of no interest to anybody.
            let after = tried.state().unwrap_or(&before);
            for part in Part::all(model, &before).into_iter().chain(Part::all(model, after)) {
                let is_written = value(model, &before, part) == value(model, after, part) || written.contains(&part);
                assert!(is_written, "{part:?} is changed by {:?}, but not in {written:?}", tried.step);
            }
            let changes = written.iter().map(|&part| (part, value(model, after, part))).collect();
            done.push(Done {
                step: tried.step,
                fault: tried.fault.clone(),
                stable: tried.stable,
                ends: tried.state().is_none(),
                executed: tried.executed.to_vec(),
                changes,
            });
            all_written.extend(written);
        });
        let touched: BTreeSet<Part> = workspace.touched().iter().copied().collect();
        let is_noted = touched.is_empty() || all_written.is_subset(&touched);
        assert!(is_noted, "{all_written:?} is written, but not noted");
        assert_eq!(*workspace.state(), before, "some step is not undone");
        Behaviour { done }
    }
}

/// Has every step of a process tried.
fn each(door: &dyn Door, workspace: &mut Workspace, pid: u8, timeout: bool, mut visit: impl FnMut(Tried<'_>)) {
    let answered: Result<(), Infallible> = door.ask(workspace, pid, timeout, &mut Possible::default(), |tried| {
        visit(tried);
        Ok(())
    });
    answered.unwrap();
}

/// The steps asked process by process are those of the plain interpreter, which is asked for all of a state at once. Answers
/// where they lead.
fn steps_are_the_interpreters(name: &str, door: &dyn Door, plain: &Interpreter<'_>, state: &State) -> Vec<State> {
    let bytes = door.bytes_of(state);
    let mut expected = Successors::default();
    plain.successors(&bytes, &mut expected);
    let mut workspace = Workspace::new(state.clone());
    let mut steps = Vec::new();
    let timeout = door.possible_steps(&workspace, &mut steps);
    assert_eq!(steps, plain.steps(state), "{name}: {state:?}");
    let movers = match state.exclusive {
        Some(pid) => pid..pid + 1,
        None => 0..state.processes.len() as u8,
    };
    let mut expected = expected.iter();
    let mut reached = Vec::new();
    for pid in movers {
        each(door, &mut workspace, pid, timeout, |tried| {
            let (successor, next) = expected.next().unwrap_or_else(|| panic!("{name}: {:?} in {state:?}", tried.step));
            assert_eq!((tried.step, &tried.fault), (successor.step, &successor.fault), "{name}: {state:?}");
            assert_eq!(tried.stable, successor.stable, "{name}: {:?} in {state:?}", tried.step);
            assert_eq!(tried.state().map(|next| door.bytes_of(next)).as_deref(), next, "{name}: {:?}", tried.step);
            reached.extend(tried.state().cloned());
        });
    }
    assert!(expected.next().is_none(), "{name}: the interpreter has more steps in {state:?}");
    assert_eq!(door.may_end(&workspace), TransitionSystem::is_valid_end(plain, &bytes), "{name}: {state:?}");
    reached
}

/// The bytes of all states of a model that there have been, which are all different.
#[derive(Default)]
struct Written {
    states: HashSet<Vec<u8>>,
    components: HashSet<Vec<Value>>,
    parts: HashSet<Vec<Value>>,
}

/// With more globals than this, some share a component.
const MOST_GLOBALS: usize = 3;

impl Written {
    /// Of a state that there has not been. Its bytes are others than those of all before, and it can be read again from them.
    fn add(&mut self, name: &str, model: &Model, state: &State) {
        let mut bytes = Vec::new();
        state.encode(model.features, &mut bytes);
        assert_eq!(State::decode(model, &bytes), *state, "{name}");
        assert!(self.states.insert(bytes), "{name}: another state has the bytes of {state:?}");

        let components = Component::all(model, state.processes.len(), state.channels.len(), MOST_GLOBALS);
        let values: Vec<Value> = components.iter().map(|one| bytes_if(|out| one.write(model, state, out))).collect();
        let mut read = State::blank(model);
        for (component, value) in components.iter().zip(&values) {
            component.read(model, value.as_ref().expect("it exists"), &mut read);
        }
        assert_eq!(read, *state, "{name}: by components");
        assert!(self.components.insert(values), "{name}: another state has the values of {state:?}");

        let parts = Part::all(model, state);
        let mut read = State::blank(model);
        for &part in &parts {
            part.read(model, &value(model, state, part).expect("it exists"), &mut read);
            let owners = components.iter().filter(|component| component.covers(part)).count();
            assert_eq!(owners, 1, "{name}: {part:?} belongs to so many components");
        }
        assert_eq!(read, *state, "{name}: by parts");
        let values = parts.iter().map(|&part| value(model, state, part)).collect();
        assert!(self.parts.insert(values), "{name}: another state has the parts of {state:?}");
    }
}

/// The value of a part or component. `None`, when it does not exist.
type Value = Option<Vec<u8>>;

fn value(model: &Model, state: &State, part: Part) -> Value {
    bytes_if(|out| part.write(model, state, out))
}

fn bytes_if(write: impl FnOnce(&mut Vec<u8>) -> bool) -> Value {
    let mut bytes = Vec::new();
    write(&mut bytes).then_some(bytes)
}

/// States that differ from this one in a part that was not touched.
fn variants(model: &Model, state: &State, touched: &BTreeSet<Part>) -> Vec<(Part, State)> {
    let mut variants = Vec::new();
    for part in Part::all(model, state).into_iter().filter(|part| !touched.contains(part)) {
        let mut add = |change: &dyn Fn(&mut State)| {
            let mut other = state.clone();
            change(&mut other);
            if other != *state {
                variants.push((part, other));
            }
        };
        match part {
            Part::Global(slot) => {
                let slot = slot as usize;
                for value in other_values(&model.globals[slot], state.globals[slot]) {
                    add(&|state| state.globals[slot] = value);
                }
            }
            Part::Local(pid, slot) => {
                let (pid, slot) = (pid as usize, slot as usize);
                let process = &state.processes[pid];
                let declared = &model.proctype(process.proctype).locals[slot];
                for value in other_values(declared, process.locals[slot]) {
                    add(&|state| state.processes[pid].locals[slot] = value);
                }
            }
            Part::Process(pid) => {
                let process = &state.processes[pid as usize];
                let locations = &model.proctype(process.proctype).locations;
                for location in (0..locations.len()).filter(|&location| !locations[location].interior) {
                    add(&|state| state.processes[pid as usize].location = LocationId(location as u32));
                }
                if model.features.priorities {
                    add(&|state| state.processes[pid as usize].priority ^= 6);
                }
                let is_untouched = |slot: usize| !touched.contains(&Part::Local(pid, slot as u32));
                if (0..process.locals.len()).all(is_untouched) {
                    for proctype in 0..model.proctypes.len() {
                        add(&|state| state.processes[pid as usize] = new_process(model, proctype));
                    }
                    if !touched.contains(&Part::Counts) && pid as usize + 1 == state.processes.len() {
                        add(&|state| state.processes.truncate(pid as usize));
                    }
                }
            }
            Part::Channel(index) => {
                let index = index as usize;
                let ty = model.channel_type(state.channels[index].ty);
                let message: Vec<i32> = ty.fields.iter().map(|field| field.truncate(2)).collect();
                for length in 0..=ty.capacity as usize {
                    add(&|state| state.channels[index].messages = message.repeat(length));
                }
                add(&|state| state.channels[index].owner = state.channels[index].owner.xor(Some(0)));
                for other in 0..model.channel_types.len() {
                    add(&|state| state.channels[index] = new_channel(other));
                }
                if !touched.contains(&Part::Counts) && index + 1 == state.channels.len() {
                    add(&|state| state.channels.truncate(index));
                }
            }
            Part::Rights => {
                add(&|state| state.exclusive = None);
                (0..state.processes.len()).for_each(|pid| add(&|state| state.exclusive = Some(pid as u8)));
            }
            Part::Counts => {
                for proctype in 0..model.proctypes.len() {
                    add(&|state| state.processes.push(new_process(model, proctype)));
                }
                (0..model.channel_types.len()).for_each(|ty| add(&|state| state.channels.push(new_channel(ty))));
            }
            Part::Last => add(&|state| state.last += 1),
        }
    }
    variants
}

fn other_values(slot: &Slot, value: i32) -> BTreeSet<i32> {
    [0, 1, 2, value.wrapping_add(1), value.wrapping_sub(1)].into_iter().map(|other| slot.ty.truncate(other)).collect()
}

fn new_process(model: &Model, proctype: usize) -> Process {
    let declaration = &model.proctypes[proctype];
    let locals = vec![0; declaration.locals.len()];
    Process { proctype: ProctypeId(proctype as u32), location: declaration.entry, priority: 9, locals }
}

fn new_channel(ty: usize) -> Channel {
    Channel { ty: ChannelTypeId(ty as u32), owner: None, messages: Vec::new() }
}
