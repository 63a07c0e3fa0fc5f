//! What is told of automata in advance, and what is refused because it would be too large.

use crate::common::{Random, all_lassos, random_formula};
use reductio_logic::buchi::{Classes, Limits, Tgba, TranslateError, Translation, translate};
use reductio_logic::lasso::accepts;
use reductio_logic::ltl::{Formula, Formulas, parse};
use reductio_logic::{Prop, Propositions};

fn automata(text: &str) -> Translation {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(text, &mut formulas, &mut propositions).expect("it is a formula");
    translate(&mut formulas, formula, &Limits::default()).expect("it is small")
}

#[test]
fn weak_terminal_and_safe_automata_are_told() {
    for (text, weak, terminal, every_run, deterministic) in [
        ("[] a", true, false, true, true),
        ("<> a", true, true, false, true),
        ("a U b", true, true, false, true),
        ("a W b", true, false, true, true),
        ("[] <> a", false, false, false, true),
        ("<> [] a", true, false, false, false),
        ("[] (a -> X b)", true, false, true, true),
        ("true", true, true, true, true),
        ("[] a || <> b", true, false, false, false),
    ] {
        let automata = automata(text);
        for automaton in [&automata.tgba, automata.buchi.as_tgba()] {
            let classes = Classes::of(automaton);
            let told =
                (classes.is_weak(), classes.is_terminal(), classes.accepts_every_run(), automaton.is_deterministic());
            assert_eq!(told, (weak, terminal, every_run, deterministic), "{text}");
        }
    }
}

/// The same automaton, started elsewhere.
fn from(automaton: &Tgba, state: reductio_logic::buchi::StateId) -> Tgba {
    Tgba { initial: state, ..automaton.clone() }
}

#[test]
fn a_state_that_is_said_to_accept_everything_does() {
    let words = all_lassos(2, 1, 2);
    let mut random = Random::new(23);
    let mut found = 0;
    for round in 0..600 {
        let mut formulas = Formulas::new();
        let formula = random_formula(&mut formulas, &mut random, 3 + round % 7, 2);
        let automata = translate(&mut formulas, formula, &Limits::default()).expect("it is small");
        if automata.tgba.propositions.len() < 2 {
            continue;
        }
        for automaton in [&automata.tgba, automata.buchi.as_tgba()] {
            let classes = Classes::of(automaton);
            for state in automaton.states().filter(|&state| classes.accepts_all(state)) {
                let started = from(automaton, state);
                assert!(words.iter().all(|word| accepts(&started, word)));
                found += 1;
            }
        }
    }
    assert!(found > 100, "only {found} states accept everything");
}

fn refused(text: &str, limits: &Limits) -> TranslateError {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(text, &mut formulas, &mut propositions).expect("it is a formula");
    translate(&mut formulas, formula, limits).expect_err("it is too large")
}

fn conjunction(count: usize, conjunct: impl Fn(usize) -> String) -> String {
    (0..count).map(conjunct).collect::<Vec<String>>().join(" && ")
}

#[test]
fn limits_are_kept_and_named() {
    let limits = Limits::default();
    let atoms = conjunction(65, |number| format!("p{number}"));
    assert_eq!(refused(&atoms, &limits), TranslateError::TooManyPropositions(65));
    let untils = conjunction(65, |number| format!("<> (p{} && p{})", number % 9, 9 + number % 8));
    assert_eq!(refused(&untils, &limits), TranslateError::TooManySets(65));
    let eventually = |count| conjunction(count, |number| format!("<> p{number}"));
    assert!(matches!(refused(&eventually(20), &limits), TranslateError::TooLarge { .. }));
    let few = Limits { states: 10, ..limits };
    assert_eq!(refused(&eventually(4), &few), TranslateError::TooLarge { what: "states", limit: 10 });
    let few = Limits { edges: 10, ..limits };
    assert_eq!(refused(&eventually(4), &few), TranslateError::TooLarge { what: "edges", limit: 10 });
    let few = Limits { moves: 10, ..limits };
    assert_eq!(refused(&eventually(4), &few), TranslateError::TooLarge { what: "edges of one state", limit: 10 });
    assert!(refused(&eventually(20), &limits).to_string().ends_with("check the formula's parts one by one"));
}

#[test]
fn sixty_four_propositions_are_not_too_many() {
    let text = format!("[] <> (p0 && {})", conjunction(63, |number| format!("!p{}", number + 1)));
    let automata = automata(&text);
    assert_eq!(automata.tgba.propositions.len(), 64);
    let only_the_first = reductio_logic::Valuation::of([0]);
    let accepted = |valuation| {
        let word = reductio_logic::lasso::Lasso::new(&[], &[valuation]).expect("it has a cycle");
        accepts(&automata.tgba, &word)
    };
    assert!(accepted(only_the_first));
    assert!(!accepted(reductio_logic::Valuation::of([0, 63])));
}

/// As deep as formulas may be, in the stack that a thread has if nobody says otherwise.
#[test]
fn the_deepest_formulas_fit_an_ordinary_stack() {
    let deepest = || {
        let makers: [fn(&mut Formulas, Formula, Formula) -> Formula; 4] = [
            Formulas::until,
            Formulas::release,
            |formulas, f, _| formulas.next(f),
            |formulas, f, g| {
                let not = formulas.not(f);
                formulas.and(not, g)
            },
        ];
        for make in makers {
            let mut formulas = Formulas::new();
            let (mut formula, other) = (formulas.atom(Prop(0)), formulas.atom(Prop(1)));
            while formulas.depth(formula) < reductio_logic::ltl::MAX_DEPTH - 1 {
                formula = make(&mut formulas, formula, other);
            }
            // What comes of it does not matter here, only that something does.
            let _ = translate(&mut formulas, formula, &Limits { states: 100, edges: 5000, moves: 50 });
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(deepest).expect("a thread can be started");
    thread.join().expect("the stack was large enough");
}
