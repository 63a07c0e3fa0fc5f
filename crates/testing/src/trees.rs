//! Formulas of computation trees on generated programs: the symbolic engine, on the program and on what is left of it when it is
//! made smaller, and the labelling of states one by one must agree.

use std::time::Duration;

use reductio_explicit::ctl::Trees;
use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path};
use reductio_model::{Budget, Interpreter, Model, Verdict, Why, replay};
use reductio_reduce::model_to_model::{ModelReductions, lift_run, path_obstacle, reduce};
use reductio_symbolic::interleaved::Engine;

use crate::questions;
use crate::random::Random;

/// Larger programs are passed over.
const MOST_STATES: usize = 300;
const FORMULAS: u32 = 6;
/// Diagrams can be large even if there are few states.
const LONGEST: Duration = Duration::from_secs(5);

/// A formula about which they disagree.
pub fn disagreement(mut model: Model, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let first = model.atoms.len();
    questions::add_labels(&mut model, &mut random);
    for _ in 0..3 {
        questions::add_atom(&mut model, &mut random);
    }
    let interpreter = Interpreter::new(&model);
    let trees = match Trees::of(&interpreter, MOST_STATES) {
        Err(Why::TooManyStates { .. }) => return None,
        trees => trees,
    };
    let wanted = [
        ModelReductions::default(),
        ModelReductions { dead_variables: true, ..ModelReductions::default() },
        ModelReductions { slicing: true, ..ModelReductions::default() },
        ModelReductions {
            dead_variables: true,
            path_reduction: path_obstacle(&model).is_none(),
            ..ModelReductions::default()
        },
    ];
    for wanted in wanted {
        let reduced = reduce(&model, wanted);
        let smaller = Interpreter::new(&reduced.model);
        let budget = Budget { memory: Some(1 << 25), ..Budget::UNLIMITED }.for_at_most(LONGEST);
        let Ok(engine) = Engine::new(&smaller, &budget) else { continue };
        for _ in 0..FORMULAS {
            let formula = formula(&mut random, first..model.atoms.len(), 3, !wanted.path_reduction);
            let expected = trees.as_ref().map_err(|none| *none).and_then(|trees| trees.satisfy(&formula));
            let answer = engine.ctl(&formula);
            let is_same = match (&answer, expected) {
                (Verdict::Holds, Ok(holds)) => holds,
                (Verdict::Violated(shown), Ok(holds)) => {
                    let lifted = lift_run(&interpreter, &smaller, &shown.run);
                    // A cycle of a sliced model may take too many rounds to be shown.
                    !holds && lifted.is_none_or(|lifted| replay(&interpreter, &lifted.trace).is_ok())
                }
                (Verdict::Inconclusive(Why::StepGoesWrong), expected) => expected == Err(Why::StepGoesWrong),
                (Verdict::Inconclusive(limit), _) => {
                    matches!(limit, Why::Time { .. } | Why::Memory { .. } | Why::Crowded { .. })
                        || expected == Err(Why::EndlessAtomic)
                }
                (_, Err(_)) => false,
            };
            if !is_same {
                let text = formula.text(&|prop| model.atoms[prop.0 as usize].text.clone());
                return Some(format!("{text}\nlabelling: {expected:?}\nsymbolic, {wanted:?}: {answer:?}"));
            }
        }
    }
    None
}

/// A formula over some atoms, with or without `X`.
pub fn formula(random: &mut Random, atoms: std::ops::Range<usize>, depth: u32, next: bool) -> Formula {
    if depth == 0 {
        let atom = Formula::Atom(Prop((atoms.start + random.below(atoms.len())) as u32));
        return if random.below(2) == 0 { atom } else { atom.not() };
    }
    let one = formula(random, atoms.clone(), depth - 1, next);
    let other = formula(random, atoms, depth - 1, next);
    let path = match random.below(8) {
        0 => return one.and(other),
        1 => return one.or(other),
        2 => return one.not(),
        3 if next => Path::Next(one),
        3 | 4 => Path::Eventually(one),
        5 => Path::Always(one),
        6 => Path::Until(one, other),
        _ => Path::Release(one, other),
    };
    if random.below(2) == 0 { Formula::all(path) } else { Formula::some(path) }
}
