//! Runs at random, by what processes and circuits have in common: they are described, written to files, and read back.

use std::path::PathBuf;

use reductio::walking::{
    Bounds, Interpreter, NoGraph, Several, Simulator, StateGraph, Steppable, TooLarge, TraceEntry, Walk, WalkOf,
    trace_text,
};
use reductio::{Language, Questions, Source, System};
use reductio_report::trace_file::{Recorded, StoredTrace, TRACE_SCHEMA, read};
use reductio_report::{TraceFile, TraceFileError};
use reductio_testing::random::Random;
use reductio_testing::smv::Writer;

const LONGEST: usize = 30;

/// A run at random; `None` if there is too much to try, or no state to start in.
fn at_random<S: Steppable>(system: &mut S, random: &mut Random) -> Option<WalkOf<'static, S>> {
    let mut chance = |count: u64| random.below(count as usize) as u64;
    let start = system.some_initial_state(&mut chance).ok()??;
    assert!(system.is_initial_state(&start));
    let (mut steps, mut state) = (Vec::new(), start.clone());
    while steps.len() < LONGEST {
        let Some(step) = system.some_step_from(&state, &mut chance).ok()? else { break };
        assert!(system.is_possible(&state, &step), "{step:?} in {state:?}");
        let taken = system.follow(state, step);
        steps.push(taken.step);
        let Some(next) = taken.outcome.state else { break };
        state = next;
    }
    Some(Walk { start, stem: steps.into(), cycle: Vec::new().into() })
}

/// A possible step is among those that are listed, and there are no others.
fn lists_what_is_possible<S: Steppable>(system: &mut S, walk: &WalkOf<'_, S>) {
    let taken = walk.taken(system).map(|taken| taken.expect("it can be taken")).collect::<Vec<_>>();
    for one in taken.iter().take(3) {
        let Ok(Several { found, more: false }) = system.steps_from(&one.before, 200) else { continue };
        assert!(found.contains(&one.step), "{:?}", one.step);
        assert!(found.iter().all(|step| system.is_possible(&one.before, step)));
        let Several { found: fewer, more } = system.steps_from(&one.before, found.len() - 1).expect("they are known");
        assert!(more && found.starts_with(&fewer));
    }
}

fn written<S: Recorded>(system: &mut S, walk: &WalkOf<'_, S>) -> String {
    let trace = &TraceEntry::of(system, walk);
    let file =
        TraceFile { schema: TRACE_SCHEMA, model: "m", property: "deadlock", kind: "deadlock", reason: None, trace };
    file.to_json()
}

/// A run that was written is read as what it was, and reads as it did.
fn comes_back<S: Recorded>(system: &mut S, walk: &WalkOf<'_, S>) {
    let text = trace_text::trace(&TraceEntry::of(system, walk), "");
    let json = written(system, walk);
    let StoredTrace { property, run } = read(system, &json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(property.as_deref(), Some("deadlock"));
    assert_eq!(trace_text::trace(&run.entry(system), ""), text);
    assert_eq!(run.walk.length(), walk.length());
}

#[test]
fn runs_of_processes_come_back_from_files() {
    let directory = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/spin-micro"));
    let mut random = Random::new(3);
    let mut walks = 0;
    for entry in std::fs::read_dir(directory).expect("there are models") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        let text = std::fs::read(&path).expect("it can be read");
        let loaded = Source::text(Language::Promela, "m.pml", text).load(&Questions::default());
        let Ok(System::Processes(model)) = loaded.map(|loaded| loaded.system) else { continue };
        let interpreter = &mut Interpreter::new(&model);
        let walk = at_random(interpreter, &mut random).expect("processes can always be stepped");
        lists_what_is_possible(interpreter, &walk);
        comes_back(interpreter, &walk);
        walks += 1;
    }
    assert!(walks > 100, "{walks}");
}

#[test]
fn runs_of_circuits_come_back_from_files() {
    let mut random = Random::new(5);
    let (mut walks, mut steps) = (0, 0);
    for seed in 0..300 {
        let text = Writer::new(seed).module();
        let loaded = Source::text(Language::Smv, "m.smv", text).load(&Questions::default());
        let Ok(System::Circuit(circuit)) = loaded.map(|loaded| loaded.system) else { continue };
        if reductio::expect_values(&circuit, &reductio_model::Budget::UNLIMITED).is_err() {
            continue;
        }
        let simulator = &mut Simulator::new(&circuit);
        let Some(walk) = at_random(simulator, &mut random) else { continue };
        lists_what_is_possible(simulator, &walk);
        comes_back(simulator, &walk);
        walks += 1;
        steps += walk.length();
    }
    assert!(walks > 100 && steps > 1000, "{walks}, {steps}");
}

#[test]
fn a_file_is_of_the_model_it_says() {
    let module = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;";
    let program = "active proctype P() { do :: skip od }";
    let load = |language: Language, text: &str| {
        Source::text(language, "m", text).load(&Questions::default()).expect("it is a model").system
    };
    let (System::Circuit(circuit), System::Processes(model)) =
        (load(Language::Smv, module), load(Language::Promela, program))
    else {
        panic!("one is a circuit, the other has processes")
    };
    let (simulator, interpreter) = (&mut Simulator::new(&circuit), &mut Interpreter::new(&model));
    let random = &mut Random::new(1);
    let of_circuit = at_random(simulator, random).expect("it is small");
    let of_processes = at_random(interpreter, random).expect("it is small");
    assert_eq!(read(interpreter, &written(simulator, &of_circuit)).err(), Some(TraceFileError::OtherKind));
    assert_eq!(read(simulator, &written(interpreter, &of_processes)).err(), Some(TraceFileError::NoFirstState));
}

#[test]
fn a_graph_has_all_states_or_is_none() {
    let load = |text: &str| {
        let loaded = Source::text(Language::Smv, "m.smv", text).load(&Questions::default());
        match loaded.expect("it is a model").system {
            System::Circuit(circuit) => circuit,
            System::Processes(_) => panic!("it is a circuit"),
        }
    };
    let graph = |text: &str, states: usize, steps: usize| {
        let circuit = load(text);
        StateGraph::of(&mut Simulator::new(&circuit), Bounds { states, steps })
            .map(|graph| (graph.states.len(), graph.initial, graph.edges.len()))
    };
    let free = "MODULE main VAR n : 0..3;";
    assert_eq!(graph(free, 4, 16).ok(), Some((4, 4, 16)));
    assert_eq!(graph(free, 3, 16).err(), Some(NoGraph::TooManyStates));
    assert_eq!(graph(free, 4, 15).err(), Some(NoGraph::TooManySteps));
    let counting = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;";
    assert_eq!(graph(counting, 4, 4).ok(), Some((4, 1, 4)));
    assert_eq!(graph(counting, 3, 4).err(), Some(NoGraph::TooManyStates));
    let hard = "MODULE main VAR a : word[30]; b : word[30]; INIT a * b = 0ud30_1000003 & a > 0ud30_1 & b > 0ud30_1;";
    assert_eq!(graph(hard, 10, 10).err(), Some(NoGraph::TooLarge));
    let circuit = load(hard);
    assert_eq!(Simulator::new(&circuit).initial_states(1).err(), Some(TooLarge));
}
