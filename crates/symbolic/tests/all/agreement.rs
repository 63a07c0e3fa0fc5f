//! On thousands of random SMV modules, the symbolic engine answers what trying state by state does: which modules make no
//! sense, how many states there are, invariants, deadlock, fair CTL, LTL. And every run it shows is one.

use reductio_explicit::circuit::Engine as ExplicitEngine;
use reductio_model::circuit::{Circuit, Reached, Run, Simulator, with_automaton};
use reductio_model::{Budget, Property, Verdict};
use reductio_symbolic::{Direction, Engine, InitialOrder, LargestCluster, Options, RelationChoice, broken_obligations};
use reductio_testing::certified;
use reductio_testing::smv::{LIMITS, Writer, loaded};

const CONTROL: Budget = Budget { memory: Some(1 << 30), ..Budget::UNLIMITED };

/// How often something was compared, to see that it was.
#[derive(Default, Debug)]
struct Tally {
    nonsense: usize,
    without_initial_state: usize,
    holds: usize,
    violated: usize,
    unanswered: usize,
    lassos: usize,
}

impl Tally {
    fn compare(&mut self, explicit: &Verdict<Run>, symbolic: &Verdict<Run>, what: &str, text: &str) {
        match (explicit, symbolic) {
            (Verdict::Holds, Verdict::Holds) => self.holds += 1,
            (Verdict::Violated(_), Verdict::Violated(_)) => self.violated += 1,
            (Verdict::Inconclusive(one), Verdict::Inconclusive(other)) if one == other => self.unanswered += 1,
            _ => panic!("{what}: explicitly {explicit:?}, symbolically {symbolic:?}\n{text}"),
        }
    }

    fn confirm(&mut self, circuit: &Circuit, answer: &Verdict<Run>, property: Property, text: &str) {
        if let Verdict::Violated(run) = answer {
            self.lassos += usize::from(run.cycle_start.is_some());
            if let Err(why) = certified::of_circuit(circuit, property, run) {
                panic!("{}: the run {run:?} is none: {why}\n{text}", property.name(circuit));
            }
        }
    }

    /// A run that shows a part of a formula must be one, and fair if it goes on.
    fn confirm_run(&mut self, circuit: &Circuit, answer: &Verdict<Run>, what: &str, text: &str) {
        if let Verdict::Violated(run) = answer {
            self.lassos += usize::from(run.cycle_start.is_some());
            let reached = if run.cycle_start.is_some() { Reached::FairCycle(None) } else { Reached::Anything };
            if let Err(error) = run.confirm(&mut Simulator::new(circuit), reached) {
                panic!("{what}: the run {run:?} is none: {error}\n{text}");
            }
        }
    }
}

/// Some modules, or as many as `REDUCTIO_MODULES` says.
#[test]
fn engines_agree_on_random_modules() {
    let asked_for = std::env::var("REDUCTIO_MODULES").ok();
    let count = asked_for.map_or(800, |count| count.parse().expect("REDUCTIO_MODULES is a number"));
    let tally = compare_all(0..count.max(800));
    let Tally { nonsense, without_initial_state, holds, violated, unanswered, lassos } = tally;
    assert!(nonsense > 20 && without_initial_state > 5 && unanswered > 50, "{tally:?}");
    assert!(holds > 500 && violated > 500 && lassos > 100, "{tally:?}");
}

/// A step counts only if a fair run goes on from where it leads, which few random modules show.
#[test]
fn the_next_state_is_a_fair_one() {
    let text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := case x = 0 : {1, 2}; TRUE : x; esac;\n\
                JUSTICE x = 1\nSPEC EX x = 2\nSPEC AX x = 1\n";
    let mut tally = Tally::default();
    compare(text, Options::default(), &mut tally);
    assert!(tally.holds > 0 && tally.violated > 0, "{tally:?}");
}

fn compare_all(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let text = Writer::new(seed).module();
        let relation = match seed % 5 {
            0 | 1 => RelationChoice::Dynamic,
            2 => RelationChoice::Static,
            _ => RelationChoice::Auto,
        };
        let direction = if seed % 3 == 0 { Direction::Backward } else { Direction::Forward };
        let order = if seed % 7 == 0 { InitialOrder::Worst } else { InitialOrder::Text };
        // Small modules would be one cluster, and nothing quantified early.
        let largest_cluster = if seed % 2 == 0 { LargestCluster(8) } else { LargestCluster::default() };
        compare(&text, Options { relation, direction, order, largest_cluster, ..Options::default() }, &mut tally);
    }
    tally
}

fn compare(text: &str, options: Options, tally: &mut Tally) {
    let circuit = loaded(text);
    let mut explicit = ExplicitEngine::new(&circuit, &CONTROL);
    let symbolic = Engine::new(&circuit, &LIMITS, options).expect("it is small");
    let broken = broken_obligations(&circuit, &LIMITS).expect("it is small");
    let broken: Vec<&str> = broken.iter().map(|(obligation, _)| obligation.message.as_str()).collect();
    let found = explicit.broken_obligations().expect("it is small");
    let found: Vec<&str> = found.iter().map(|(obligation, _)| obligation.message.as_str()).collect();
    assert_eq!(found, broken, "{text}");
    if !broken.is_empty() {
        tally.nonsense += 1;
        return;
    }
    if options.direction == Direction::Forward {
        assert_eq!(explicit.state_count(), symbolic.statistics().states, "{text}");
    }
    assert_eq!(explicit.has_initial_state(), symbolic.has_initial_state(), "{text}");
    if !explicit.has_initial_state() {
        tally.without_initial_state += 1;
        return;
    }
    if options.direction == Direction::Forward {
        assert_eq!(explicit.graph().depth, symbolic.statistics().depth, "{text}");
    }
    let (one, other) = (explicit.deadlock(), symbolic.deadlock());
    tally.compare(&one, &other, "deadlock", text);
    for answer in [&one, &other] {
        tally.confirm(&circuit, answer, Property::Deadlock, text);
    }
    for property in &circuit.properties {
        let name = &property.name(&circuit);
        match *property {
            Property::Deadlock | Property::Assertions => {}
            Property::Invariant(id) => {
                let atom = &circuit.invariant(id).atom;
                let (one, other) = (explicit.invariant(*atom), symbolic.invariant(*atom));
                tally.compare(&one, &other, name, text);
                for answer in [&one, &other] {
                    tally.confirm(&circuit, answer, *property, text);
                }
                if let (Verdict::Violated(one), Verdict::Violated(other)) = (&one, &other) {
                    assert_eq!(one.states.len(), other.states.len(), "both are shortest: {name}\n{text}");
                }
            }
            Property::Ctl(id) => {
                let formula = &circuit.ctl_formula(id).formula;
                let (one, other) = (explicit.ctl(formula), symbolic.ctl(formula).map(|tree| tree.run));
                tally.compare(&one, &other, name, text);
                tally.confirm_run(&circuit, &other, name, text);
            }
            Property::Claim(id) => {
                let violations = &circuit.claim(id).violations;
                assert_eq!(explicit.obstacle(), symbolic.obstacle(), "{text}");
                let product = with_automaton(&circuit, violations);
                let other = Engine::new(&product, &LIMITS, options).expect("it is small");
                let (mut one, mut other) = (ExplicitEngine::new(&product, &CONTROL).no_fair_run(), other.no_fair_run());
                tally.compare(&one, &other, name, text);
                for answer in [&mut one, &mut other] {
                    if let Verdict::Violated(Run { states, .. }) = answer {
                        states.iter_mut().for_each(|state| state.truncate(circuit.variables.len()));
                    }
                    tally.confirm(&circuit, answer, *property, text);
                }
            }
        }
    }
}
