//! The states and verdicts of models whose processes take turns, compared with a search state by state.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use reductio_explicit::ctl::Trees;
use reductio_frontends::promela::{self, NoIncludes};
use reductio_frontends::whilelang;
use reductio_logic::Prop;
use reductio_model::{
    Atom, AtomId, Binary, Bounds, Budget, Expr, FaultKind, Interpreter, Model, Place, ProctypeId, Scope, StateGraph,
    Successors, Trace, TransitionSystem, Verdict, Why, replay,
};
use reductio_reduce::model_to_model::{ModelReductions, lift_run, path_obstacle, reduce};
use reductio_symbolic::interleaved::Engine;
use reductio_testing::random::Random;
use reductio_testing::trees::formula;

const LIMITS: Budget = Budget { memory: Some(1 << 25), ..Budget::UNLIMITED };
/// Larger models are left to other tests.
const MOST_STATES: usize = 3_000;
const BOUNDS: Bounds = Bounds { states: MOST_STATES, steps: 1_000_000 };

/// What a search state by state finds.
#[derive(Default)]
struct Found {
    states: usize,
    deadlock: bool,
    fault: bool,
    crowded: bool,
    executed: HashSet<(ProctypeId, reductio_model::ActionId)>,
}

fn explore(system: &Interpreter<'_>) -> Option<Found> {
    let initial = system.initial();
    let mut seen = HashSet::from([initial.clone()]);
    let mut pending = vec![initial];
    let mut successors = Successors::default();
    let mut found = Found { states: 1, ..Found::default() };
    while let Some(state) = pending.pop() {
        system.successors(&state, &mut successors);
        found.deadlock |= successors.is_empty() && !system.is_valid_end(&state);
        for (index, (successor, next)) in successors.iter().enumerate() {
            found.executed.extend(successors.executed(index));
            let fault = successor.fault.as_ref().map(|fault| &fault.kind);
            found.fault |= fault.is_some();
            found.crowded |= fault.and_then(FaultKind::limit).is_some();
            if let Some(next) = next
                && seen.insert(next.to_vec())
            {
                found.states += successor.stable as usize;
                pending.push(next.to_vec());
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some(found)
}

fn models() -> Vec<(PathBuf, Model)> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut models = Vec::new();
    for directory in ["spin-micro", "models", "regressions"] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(testdata.join(directory))
            .expect("it is there")
            .flatten()
            .map(|file| file.path())
            .collect();
        files.sort();
        for path in files {
            let text = || std::fs::read(&path).expect("it can be read");
            let model = match path.extension().and_then(|ending| ending.to_str()) {
                Some("pml") => promela::load("model", &text(), &Default::default(), &NoIncludes).model,
                Some("while") => whilelang::load("model", &text(), &Default::default()).model,
                _ => None,
            };
            models.extend(model.map(|model| (path, model)));
        }
    }
    models
}

/// Replays a run, and answers whether its last step goes wrong and whether it ends where a process should have gone on.
fn follow(interpreter: &Interpreter<'_>, trace: &Trace) -> (bool, bool) {
    let replayed = replay(interpreter, trace).expect("the model takes every step");
    let last = replayed.outcomes.last().map(|(_, outcome)| outcome);
    let state = last.map_or(Some(&replayed.initial), |outcome| outcome.state.as_ref());
    let ends_badly =
        state.is_some_and(|state| interpreter.steps(state).is_empty() && !interpreter.is_valid_end_state(state));
    (last.is_some_and(|outcome| outcome.fault.is_some()), ends_badly)
}

#[test]
fn what_is_reached_is_what_a_search_state_by_state_reaches() {
    let mut compared = 0;
    for (path, model) in models() {
        let interpreter = Interpreter::new(&model);
        let Some(found) = explore(&interpreter) else { continue };
        let path = path.display();
        let engine = Engine::new(&interpreter, &LIMITS).expect("there is room for the initial state");
        if found.crowded {
            assert!(matches!(engine.limit(), Some(Why::Crowded { .. })), "{path}");
            continue;
        }
        assert_eq!(engine.limit(), None, "{path}");
        assert_eq!(engine.statistics().states, found.states as u64, "{path}");
        assert_eq!(*engine.executed(), found.executed, "{path}");
        match (engine.deadlock(), found.deadlock) {
            (Verdict::Holds, false) => {}
            (Verdict::Violated(violation), true) => assert!(follow(&interpreter, &violation.run).1, "{path}"),
            (verdict, _) => panic!("{path}: {verdict:?}"),
        }
        match (engine.assertions(), found.fault) {
            (Verdict::Holds, false) => {}
            (Verdict::Violated(violation), true) => assert!(follow(&interpreter, &violation.run).0, "{path}"),
            (verdict, _) => panic!("{path}: {verdict:?}"),
        }
        compared += 1;
    }
    assert!(compared > 140, "only {compared} models were compared");
}

/// Some conditions on a model's globals and on how many processes there are.
fn add_atoms(model: &mut Model, random: &mut Random) {
    for _ in 0..3 {
        let number = Expr::Const(random.below(3) as i32);
        let (left, operator) = match model.globals.len() {
            0 => (Expr::ProcessCount, Binary::Greater),
            globals => {
                let base = random.below(globals) as u32;
                let ty = model.globals[base as usize].ty;
                let place = Place { scope: Scope::Global, base, indices: Vec::new(), ty };
                (Expr::Read(Box::new(place)), if random.one_in(2) { Binary::Equal } else { Binary::Greater })
            }
        };
        let expr = Expr::Binary(operator, Box::new(left), Box::new(number));
        model.atoms.push(Atom { text: format!("atom {}", model.atoms.len()), expr });
    }
}

#[test]
fn formulas_are_true_where_labelling_says_so() {
    let mut random = Random::new(7);
    let (mut compared, mut violated, mut passed, mut unanswered) = (0, 0, 0, 0);
    for (path, mut model) in models() {
        let first = model.atoms.len();
        add_atoms(&mut model, &mut random);
        let interpreter = Interpreter::new(&model);
        let trees = match Trees::of(&interpreter, MOST_STATES) {
            Err(Why::TooManyStates { .. }) => continue,
            trees => trees,
        };
        passed += usize::from(
            StateGraph::of(&mut Interpreter::new(&model), BOUNDS)
                .is_ok_and(|graph| graph.states.iter().any(|state| state.exclusive.is_some())),
        );
        let engine = Engine::new(&interpreter, &LIMITS).expect("there is room for the initial state");
        for depth in [1, 2, 2, 3, 3, 3] {
            let formula = formula(&mut random, first..model.atoms.len(), depth, true);
            let expected = trees.as_ref().map_err(|none| *none).and_then(|trees| trees.satisfy(&formula));
            let story =
                format!("{}: {}", path.display(), formula.text(&|prop| model.atoms[prop.0 as usize].text.clone()));
            match (engine.ctl(&formula), expected) {
                (Verdict::Holds, Ok(true)) => {}
                (Verdict::Violated(shown), Ok(false)) => {
                    replay(&interpreter, &shown.run).expect(&story);
                    violated += 1;
                }
                (Verdict::Inconclusive(Why::StepGoesWrong), Err(Why::StepGoesWrong))
                | (Verdict::Inconclusive(Why::Crowded { .. }), Err(Why::StepGoesWrong))
                | (Verdict::Inconclusive(Why::EndlessAtomic), Err(Why::EndlessAtomic)) => {
                    unanswered += 1;
                }
                (answer, expected) => panic!("{story}: {answer:?}, not {expected:?}"),
            }
            compared += 1;
        }
    }
    assert!(
        compared > 800 && violated > 200 && passed > 20 && unanswered > 0,
        "{compared} {violated} {passed} {unanswered}"
    );
}

#[test]
fn invariants_break_where_a_search_says_so() {
    let mut random = Random::new(11);
    let (mut holding, mut broken) = (0, 0);
    for (path, mut model) in models() {
        let first = model.atoms.len();
        add_atoms(&mut model, &mut random);
        let interpreter = Interpreter::new(&model);
        let Ok(graph) = StateGraph::of(&mut Interpreter::new(&model), BOUNDS) else { continue };
        let engine = Engine::new(&interpreter, &LIMITS).expect("there is room for the initial state");
        if engine.limit().is_some() {
            continue;
        }
        for atom in (first..model.atoms.len()).map(|index| AtomId(index as u32)) {
            let seen = graph.states.iter().filter(|state| state.exclusive.is_none());
            let holds = seen.into_iter().all(|state| {
                let value = interpreter.evaluate_global(&model.atoms[atom.index()].expr, state);
                value.is_ok_and(|value| value != 0)
            });
            match engine.invariant(atom) {
                Verdict::Holds if holds => holding += 1,
                Verdict::Violated(violation) if !holds => {
                    let replayed = replay(&interpreter, &violation.run).expect("the model takes every step");
                    let last = replayed.before(replayed.outcomes.len()).expect("the run goes on");
                    assert_eq!(interpreter.evaluate_global(&model.atoms[atom.index()].expr, last), Ok(0));
                    broken += 1;
                }
                verdict => panic!("{}: {verdict:?}", path.display()),
            }
        }
    }
    assert!(holding > 30 && broken > 100, "{holding} {broken}");
}

/// What the planner relies on: dead variables make no difference to any formula, merged paths none to those without `X`.
#[test]
fn smaller_models_satisfy_the_same_formulas() {
    let mut random = Random::new(13);
    let (mut compared, mut merged, mut reset) = (0, 0, 0);
    for (path, mut model) in models() {
        let first = model.atoms.len();
        add_atoms(&mut model, &mut random);
        let original = Interpreter::new(&model);
        let Ok(expected) = Trees::of(&original, MOST_STATES) else { continue };
        for path_reduction in [false, true] {
            if path_reduction && path_obstacle(&model).is_some() {
                continue;
            }
            let reduced =
                reduce(&model, ModelReductions { dead_variables: true, path_reduction, ..ModelReductions::default() });
            merged += reduced.gain.passed;
            reset += reduced.gain.resets;
            let smaller = Interpreter::new(&reduced.model);
            let engine = Engine::new(&smaller, &LIMITS).expect("there is room for the initial state");
            for depth in [1, 2, 3, 3, 4, 4] {
                let formula = formula(&mut random, first..model.atoms.len(), depth, !path_reduction);
                assert!(!(path_reduction && formula.has_next()));
                let answer = engine.ctl(&formula);
                let atom = |prop: Prop| model.atoms[prop.0 as usize].text.clone();
                let story = format!("{}: {}", path.display(), formula.text(&atom));
                match (answer, expected.satisfy(&formula)) {
                    (Verdict::Holds, Ok(true)) => {}
                    (Verdict::Violated(shown), Ok(false)) => {
                        let lifted = lift_run(&original, &smaller, &shown.run).expect("nothing is sliced");
                        replay(&original, &lifted.trace).expect(&story);
                    }
                    (answer, expected) => panic!("{story}: {answer:?}, not {expected:?}"),
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 1000 && merged > 50 && reset > 20, "{compared} {merged} {reset}");
}
