//! What is asked has the same answer in the cone of influence as in the whole, and runs can be lifted, on random modules.

use reductio_explicit::circuit::Engine as ExplicitEngine;
use reductio_model::circuit::{ExprId, Reached, Run, Simulator, with_automaton};
use reductio_model::{Budget, Property, Verdict};
use reductio_reduce::cone_of_influence::{Cone, cones};
use reductio_symbolic::{Engine, Options, broken_obligations};
use reductio_testing::certified;
use reductio_testing::smv::{LIMITS, Writer, loaded, with_more};

const CONTROL: Budget = Budget { memory: Some(1 << 30), ..Budget::UNLIMITED };

#[test]
fn cones_answer_for_the_whole() {
    let (mut smaller, mut lifted_runs, mut lassos, mut without_lasso) = (0, 0, 0, 0);
    for seed in 0..100 {
        let mut writer = Writer::new(seed);
        // A counter that nobody looks at, and something that chooses freely and looks at the rest.
        let bystanders =
            "VAR t : 0..2; u : boolean; ASSIGN next(t) := t = 2 ? 0 : t + 1; next(u) := b ? {TRUE, FALSE} : !u;\n";
        let text = with_more(&writer.module(), bystanders);
        let whole = loaded(&text);
        if !broken_obligations(&whole, &LIMITS).expect("it is small").is_empty() {
            continue;
        }
        let atom = |number: usize| whole.atoms[number].expr;
        let questions: Vec<Vec<ExprId>> = whole
            .properties
            .iter()
            .map(|property| match *property {
                Property::Deadlock | Property::Assertions => Vec::new(),
                Property::Invariant(id) => vec![atom(whole.invariant(id).atom.index())],
                Property::Ctl(id) => {
                    let atoms = whole.ctl_formula(id).formula.atoms();
                    atoms.into_iter().map(|prop| atom(prop.0 as usize)).collect()
                }
                Property::Claim(id) => {
                    whole.claim(id).violations.atoms().into_iter().map(|id| atom(id.index())).collect()
                }
            })
            .collect();
        let mut explicit = ExplicitEngine::new(&whole, &CONTROL);
        if !explicit.has_initial_state() {
            continue;
        }
        for (cone, numbers) in cones(&whole, &questions) {
            smaller += usize::from(!cone.is_whole());
            let engine = Engine::new(&cone.circuit, &LIMITS, Options::default()).expect("it is small");
            assert!(engine.has_initial_state(), "{text}");
            assert!(same(&explicit.deadlock(), &engine.deadlock()), "{text}");
            for number in numbers {
                let name = whole.properties[number].name(&whole);
                let (one, mut other) = match whole.properties[number] {
                    // They are compared above.
                    Property::Deadlock | Property::Assertions => continue,
                    Property::Invariant(id) => {
                        let id = whole.invariant(id).atom;
                        (explicit.invariant(id), engine.invariant(id))
                    }
                    Property::Ctl(id) => {
                        let formula = &whole.ctl_formula(id).formula;
                        (explicit.ctl(formula), engine.ctl(formula).map(|tree| tree.run))
                    }
                    Property::Claim(id) => {
                        let automaton = &whole.claim(id).violations;
                        if let Some(why) = engine.obstacle() {
                            assert_eq!(explicit.obstacle(), Some(why), "{text}");
                            continue;
                        }
                        let product = with_automaton(&cone.circuit, automaton);
                        let other = Engine::new(&product, &LIMITS, Options::default()).expect("it is small");
                        let one = ExplicitEngine::new(&with_automaton(&whole, automaton), &CONTROL).no_fair_run();
                        (one, other.no_fair_run())
                    }
                };
                assert!(same(&one, &other), "{name}: {one:?}, {other:?}\n{text}");
                if let Verdict::Violated(run) = &mut other {
                    run.states.iter_mut().for_each(|state| state.truncate(whole.variables.len()));
                    let is_lasso = run.cycle_start.is_some();
                    let Some(lifted) = cone.lift(run, &whole).expect("it is small") else {
                        assert!(is_lasso, "only cycles may not close\n{text}");
                        without_lasso += 1;
                        continue;
                    };
                    let confirmed = match whole.properties[number] {
                        // One run shows a part of a formula only.
                        Property::Ctl(_) => {
                            let confirmed = lifted.run.confirm(&mut Simulator::new(&whole), Reached::Anything);
                            confirmed.map_err(|error| error.to_string())
                        }
                        property => certified::of_circuit(&whole, property, &lifted.run),
                    };
                    assert_eq!(confirmed, Ok(()), "{name}\n{text}");
                    // What was in the cone is as it was.
                    for (state, place) in lifted.run.states.iter().zip(&lifted.places) {
                        let kept = (0..state.len()).filter(|index| cone.kept[*index]);
                        let is_state = |index: &usize| {
                            whole.variables[*index].kind != reductio_model::circuit::VariableKind::Input
                        };
                        assert!(kept.filter(is_state).all(|index| state[index] == run.states[*place][index]), "{text}");
                    }
                    lifted_runs += usize::from(!cone.is_whole());
                    lassos += usize::from(is_lasso && !cone.is_whole());
                }
            }
        }
    }
    assert!(smaller > 50 && lifted_runs > 50 && lassos > 15, "{smaller}, {lifted_runs}, {lassos}, {without_lasso}");
}

fn same(one: &Verdict<Run>, other: &Verdict<Run>) -> bool {
    match (one, other) {
        (Verdict::Inconclusive(one), Verdict::Inconclusive(other)) => one == other,
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

#[test]
fn constraints_stay_even_if_nobody_asks_for_them() {
    let circuit = loaded("MODULE main VAR x : boolean; y : 0..3; z : boolean; ASSIGN next(z) := !z; TRANS y < 2");
    let cone = Cone::new(&circuit, []);
    assert_eq!(cone.kept, [false, true, false]);
    let engine = Engine::new(&cone.circuit, &LIMITS, Options::default()).expect("it is small");
    assert!(matches!(engine.deadlock(), Verdict::Violated(_)));
}
