//! On random circuits in AIGER, both engines agree, on bad states and on justice.

use reductio_explicit::circuit::{Control, Engine as ExplicitEngine};
use reductio_frontends::aiger::load;
use reductio_frontends::specification::Asked;
use reductio_model::circuit::{Answer, Reached, Run, Simulator, with_automaton};
use reductio_symbolic::{Engine, Options};
use reductio_testing::aiger::circuit;
use reductio_testing::random::Random;
use reductio_testing::smv::LIMITS;

const CONTROL: Control<'static> = Control { memory: 1 << 30, time: None, cancel: None, resident: None };

#[test]
fn engines_agree_on_random_circuits() {
    let mut random = Random::new(7);
    let (mut violated, mut holds) = (0, 0);
    for _ in 0..300 {
        let text = circuit(&mut random);
        let loaded = load("m.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut explicit = ExplicitEngine::new(&loaded.circuit, CONTROL);
        let symbolic = Engine::new(&loaded.circuit, LIMITS, Options::default()).expect("it is small");
        assert_eq!(Some(explicit.graph().states.len() as f64), symbolic.statistics().states, "{text}");
        for specification in &loaded.specifications {
            let (mut answers, reached) = match &specification.what {
                Asked::Invariant(atom) => (
                    [explicit.invariant(*atom), symbolic.invariant(*atom)],
                    Reached::Without(loaded.circuit.atoms[atom.index()].expr),
                ),
                Asked::Justice(violations) => {
                    let product = with_automaton(&loaded.circuit, violations);
                    let other = Engine::new(&product, LIMITS, Options::default()).expect("it is small");
                    let answers = [ExplicitEngine::new(&product, CONTROL).no_fair_run(), other.no_fair_run()];
                    (answers, Reached::FairCycle(Some(violations)))
                }
                other => panic!("nothing else is asked: {other:?}"),
            };
            match &answers {
                [Answer::Holds, Answer::Holds] => holds += 1,
                [Answer::Violated(_), Answer::Violated(_)] => violated += 1,
                _ => panic!("{}: {answers:?}\n{text}", specification.name),
            }
            for answer in &mut answers {
                let Answer::Violated(run) = answer else { continue };
                let Run { states, .. } = run;
                states.iter_mut().for_each(|state| state.truncate(loaded.circuit.variables.len()));
                let confirmed = run.confirm(&mut Simulator::new(&loaded.circuit), reached);
                assert_eq!(confirmed, Ok(()), "{}: {run:?}\n{text}", specification.name);
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
        let [specification] = &loaded.specifications[..] else { panic!("there is one output: {text}") };
        let Asked::Invariant(atom) = specification.what else { panic!("outputs are bad states: {text}") };
        let symbolic = Engine::new(&loaded.circuit, LIMITS, Options::default()).expect("it is small");
        let mut explicit = ExplicitEngine::new(&loaded.circuit, CONTROL);
        for answer in [symbolic.invariant(atom), explicit.invariant(atom)] {
            match (said.strip_prefix("violated "), answer) {
                (None, Answer::Holds) => assert_eq!(said, "holds"),
                // Our runs are shortest ones, theirs need not be.
                (Some(frame), Answer::Violated(run)) => {
                    assert!(run.states.len() <= frame.parse::<usize>().expect("a number") + 1, "{said}: {text}");
                }
                (_, answer) => panic!("{said}, and we say {answer:?}: {text}"),
            }
        }
        compared += 1;
    }
    assert_eq!(compared, 60);
}
