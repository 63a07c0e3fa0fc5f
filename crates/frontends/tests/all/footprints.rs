//! What a workspace notes is all that matters.
//!
//! A footprint is defined by what is not in it: whatever other value an untouched part has, a process has the same steps,
//! and they make the same changes to the same parts. Here every untouched part of many states gets another value.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{
    ActionId, AtomId, Channel, ChannelTypeId, Interpreter, LocationId, Model, Part, Performed, Process, ProctypeId,
    Slot, State, Step, Workspace,
};

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

#[test]
fn an_untouched_part_does_not_matter() {
    let mut checked = Checked::default();
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
    models: usize,
    behaviours: usize,
}

impl Checked {
    fn model(&mut self, name: &str, model: &Model) {
        self.models += 1;
        let interpreter = Interpreter::new(model);
        let initial = interpreter.initial_state();
        let mut seen = HashSet::from([initial.clone()]);
        let mut pending = VecDeque::from([initial]);
        while let Some(state) = pending.pop_front() {
            self.state(name, &interpreter, &state);
            for step in interpreter.steps(&state) {
                if let Some(next) = interpreter.execute(&state, step).state
                    && seen.len() < STATES
                    && seen.insert(next.clone())
                {
                    pending.push_back(next);
                }
            }
        }
    }

    fn state(&mut self, name: &str, interpreter: &Interpreter, state: &State) {
        for pid in 0..state.processes.len() {
            for timeout in [false, true] {
                let case = format!("{name}, process {pid}, timeout {timeout}");
                self.compare(&case, interpreter.model(), state, |workspace| {
                    Behaviour::of(interpreter, workspace, pid, timeout)
                });
            }
        }
        for atom in (0..interpreter.model().atoms.len()).map(|index| AtomId(index as u32)) {
            let case = format!("{name}, atom {}", atom.0);
            self.compare(&case, interpreter.model(), state, |workspace| interpreter.atom_holds(workspace, atom));
        }
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
    steps: Vec<Step>,
    done: Vec<Done>,
}

#[derive(Debug, PartialEq)]
struct Done {
    performed: Performed,
    executed: Vec<(ProctypeId, ActionId)>,
    /// The parts that were written, and their values after the step.
    changes: Vec<(Part, Value)>,
}

impl Behaviour {
    fn of(interpreter: &Interpreter, workspace: &mut Workspace, pid: usize, timeout: bool) -> Behaviour {
        let mut steps = Vec::new();
        interpreter.steps_of(workspace, pid, timeout, &mut steps);
        let before = workspace.state().clone();
        let mut done = Vec::new();
        for &step in &steps {
            let mut executed = Vec::new();
            let performed = interpreter.perform(workspace, step, timeout, &mut executed);
            let written: BTreeSet<Part> = workspace.written().collect();
            let touched: BTreeSet<Part> = workspace.touched().iter().copied().collect();
            assert!(touched.is_empty() || written.is_subset(&touched), "{written:?} is written, but not noted");
            for part in parts(&before).into_iter().chain(parts(workspace.state())) {
                let changed = value(&before, part) != value(workspace.state(), part);
                assert!(!changed || written.contains(&part), "{part:?} is changed by {step:?}, but not in {written:?}");
            }
            let changes = written.into_iter().map(|part| (part, value(workspace.state(), part))).collect();
            workspace.undo();
            assert_eq!(*workspace.state(), before, "{step:?} is not undone");
            done.push(Done { performed, executed, changes });
        }
        Behaviour { steps, done }
    }
}

/// The value of a part, as numbers. Nothing, when it does not exist.
type Value = Vec<i64>;

fn value(state: &State, part: Part) -> Value {
    let pid_or_none = |pid: Option<u8>| pid.map_or(-1, i64::from);
    match part {
        Part::Global(slot) => vec![state.globals[slot as usize].into()],
        Part::Process(pid) => state.processes.get(pid as usize).map_or(Vec::new(), |process| {
            vec![process.proctype.0.into(), process.location.0.into(), process.priority.into()]
        }),
        Part::Local(pid, slot) => {
            let slot = state.processes.get(pid as usize).and_then(|process| process.locals.get(slot as usize));
            slot.map(|&value| value.into()).into_iter().collect()
        }
        Part::Channel(index) => state.channels.get(index as usize).map_or(Vec::new(), |channel| {
            let head = [channel.ty.0.into(), pid_or_none(channel.owner)];
            head.into_iter().chain(channel.messages.iter().map(|&field| field.into())).collect()
        }),
        Part::Rights => vec![pid_or_none(state.exclusive)],
        Part::Counts => vec![state.processes.len() as i64, state.channels.len() as i64],
        Part::Last => vec![state.last.into()],
    }
}

/// The parts that a state has.
fn parts(state: &State) -> Vec<Part> {
    let mut parts = vec![Part::Rights, Part::Counts, Part::Last];
    parts.extend((0..state.globals.len() as u32).map(Part::Global));
    for (pid, process) in (0..).zip(&state.processes) {
        parts.push(Part::Process(pid));
        parts.extend((0..process.locals.len() as u32).map(|slot| Part::Local(pid, slot)));
    }
    parts.extend((0..state.channels.len() as u8).map(Part::Channel));
    parts
}

/// States that differ from this one in a part that was not touched.
fn variants(model: &Model, state: &State, touched: &BTreeSet<Part>) -> Vec<(Part, State)> {
    let mut variants = Vec::new();
    for part in parts(state).into_iter().filter(|part| !touched.contains(part)) {
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

/// The steps of all processes are the steps of a state.
#[test]
fn steps_by_process_are_the_steps_of_the_state() {
    let model = model_of(CHANNELS, &[]);
    let interpreter = Interpreter::new(&model);
    let mut state = interpreter.initial_state();
    for round in 0..100 {
        let workspace = Workspace::new(state.clone());
        let mut steps = Vec::new();
        match state.exclusive {
            Some(pid) => interpreter.steps_of(&workspace, pid as usize, false, &mut steps),
            None => (0..state.processes.len()).for_each(|pid| interpreter.steps_of(&workspace, pid, false, &mut steps)),
        }
        let expected = interpreter.steps(&state);
        if steps.is_empty() {
            break;
        }
        assert_eq!(steps, expected);
        let step = steps[round % steps.len()];
        let outcome = interpreter.execute(&state, step);
        let mut workspace = workspace;
        let performed = interpreter.perform(&mut workspace, step, false, &mut Vec::new());
        workspace.keep();
        assert_eq!(performed.ended.or(performed.fault), outcome.fault);
        assert!(outcome.fault.is_none_or(|fault| fault.kind.is_assertion()));
        state = workspace.into_state();
        assert_eq!(Some(&state), outcome.state.as_ref());
    }
}
