//! On random circuits in AIGER, both engines agree, on bad states and on justice.

use reductio_explicit::circuit::Engine as ExplicitEngine;
use reductio_frontends::aiger::load;
use reductio_model::circuit::{Run, with_automaton};
use reductio_model::{Budget, Property, Verdict};
use reductio_symbolic::{Engine, Options};
use reductio_testing::aiger::circuit;
use reductio_testing::certified;
use reductio_testing::random::Random;
use reductio_testing::smv::LIMITS;

const CONTROL: Budget = Budget { memory: Some(1 << 30), ..Budget::UNLIMITED };

#[test]
fn engines_agree_on_random_circuits() {
    let mut random = Random::new(7);
    let (mut violated, mut holds) = (0, 0);
    for _ in 0..300 {
        let text = circuit(&mut random);
        let loaded = load("m.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut explicit = ExplicitEngine::new(&loaded, &CONTROL);
        let symbolic = Engine::new(&loaded, &LIMITS, Options::default()).expect("it is small");
        assert_eq!(explicit.graph().states.len() as u64, symbolic.statistics().states, "{text}");
        for property in &loaded.properties {
            let name = property.name(&loaded);
            let mut answers = match *property {
                Property::Invariant(id) => {
                    let atom = loaded.invariant(id).atom;
                    [explicit.invariant(atom), symbolic.invariant(atom)]
                }
                Property::Claim(id) => {
                    let product = with_automaton(&loaded, &loaded.claim(id).violations);
                    let other = Engine::new(&product, &LIMITS, Options::default()).expect("it is small");
                    [ExplicitEngine::new(&product, &CONTROL).no_fair_run(), other.no_fair_run()]
                }
                other => panic!("nothing else is asked: {other:?}"),
            };
            match &answers {
                [Verdict::Holds, Verdict::Holds] => holds += 1,
                [Verdict::Violated(_), Verdict::Violated(_)] => violated += 1,
                _ => panic!("{name}: {answers:?}\n{text}"),
            }
            for answer in &mut answers {
                let Verdict::Violated(run) = answer else { continue };
                let Run { states, .. } = run;
                states.iter_mut().for_each(|state| state.truncate(loaded.variables.len()));
                let confirmed = certified::of_circuit(&loaded, *property, run);
                assert_eq!(confirmed, Ok(()), "{name}: {run:?}\n{text}");
            }
        }
    }
    assert!(violated > 50 && holds > 50, "{violated} violated, {holds} hold");
}

/// Another tool's answers, each at the head of its circuit.
const OF_ABC: &str = include_str!("../../../../testdata/aiger/abc.txt");

#[test]
fn abc_says_the_same() {
    let mut compared = 0;
    for block in OF_ABC.split("\n\n# ").skip(1) {
        let (said, text) = block.split_once('\n').expect("a verdict and a circuit");
        let loaded = load("m.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [Property::Invariant(id)] = loaded.properties[..] else { panic!("there is one output: {text}") };
        let atom = loaded.invariant(id).atom;
        let symbolic = Engine::new(&loaded, &LIMITS, Options::default()).expect("it is small");
        let mut explicit = ExplicitEngine::new(&loaded, &CONTROL);
        for answer in [symbolic.invariant(atom), explicit.invariant(atom)] {
            match (said.strip_prefix("violated "), answer) {
                (None, Verdict::Holds) => assert_eq!(said, "holds"),
                // Our runs are shortest ones, theirs need not be.
                (Some(frame), Verdict::Violated(run)) => {
                    assert!(run.states.len() <= frame.parse::<usize>().expect("a number") + 1, "{said}: {text}");
                }
                (_, answer) => panic!("{said}, and we say {answer:?}: {text}"),
            }
        }
        compared += 1;
    }
    assert_eq!(compared, 60);
}
