//! Every automaton made of a formula accepts exactly the words that satisfy it: for all small formulas on all short
//! words, and for random larger ones.

use crate::common::{Random, all_formulas, all_lassos, random_formula, random_lassos};
use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, Tgba, is_empty, product, reduce, to_buchi, translate, translate_plainly};
use reductio_logic::lasso::{Lasso, accepts, satisfies};
use reductio_logic::ltl::{Formula, Formulas, Spelling, print};

/// The automata of a formula at each stage of the translation, with the stages' names.
fn stages(formulas: &mut Formulas, formula: Formula) -> Vec<(&'static str, Tgba)> {
    let limits = Limits::default();
    let plain = translate_plainly(formulas, formula, &limits).expect("it is small");
    let degeneralized = to_buchi(&plain).as_tgba().clone();
    let reduced = reduce(&plain);
    let translation = translate(formulas, formula, &limits).expect("it is small");
    vec![
        ("plain", plain),
        ("plain, degeneralised", degeneralized),
        ("plain, reduced", reduced),
        ("simplified, reduced", translation.tgba),
        ("simplified, degeneralised", translation.buchi.as_tgba().clone()),
    ]
}

/// Bits of letters are propositions 0, 1, 2, ...; an automaton that does not speak of all of them sees fewer bits.
fn seen_by(automaton: &Tgba, word: &Lasso) -> Lasso {
    let seen = |letters: &[reductio_logic::Valuation]| -> Vec<reductio_logic::Valuation> {
        let places = |letter: &reductio_logic::Valuation| {
            let props = automaton.propositions.iter().enumerate();
            reductio_logic::Valuation::of(
                props.filter(|(_, prop)| letter.holds(prop.0 as usize)).map(|(place, _)| place),
            )
        };
        letters.iter().map(places).collect()
    };
    Lasso::new(&seen(word.stem()), &seen(word.cycle())).expect("the cycle is as long as it was")
}

fn check(formulas: &mut Formulas, formula: Formula, atoms: u32, words: &[Lasso]) {
    let negation = formulas.not(formula);
    let (positive, negative) = (stages(formulas, formula), stages(formulas, negation));
    let text = |formulas: &Formulas| print(formulas, &Propositions::new(), formula, Spelling::Signs);
    for word in words {
        let expected = satisfies(formulas, formula, &crate::common::propositions(atoms), word);
        for ((stage, automaton), (_, complement)) in positive.iter().zip(&negative) {
            let word_seen = seen_by(automaton, word);
            let told = (accepts(automaton, &word_seen), accepts(complement, &word_seen));
            assert_eq!(told, (expected, !expected), "{} on {word:?}, {stage}", text(formulas));
        }
    }
    for ((stage, automaton), (_, complement)) in positive.iter().zip(&negative) {
        let both = product(automaton, complement).expect("there are few propositions");
        assert!(is_empty(&both), "some word satisfies {} and its negation, {stage}", text(formulas));
    }
}

#[test]
fn all_small_formulas() {
    let mut formulas = Formulas::new();
    let words = all_lassos(2, 1, 2);
    let all = all_formulas(&mut formulas, 4);
    assert_eq!((all.len(), words.len()), (2004, 100));
    for formula in all {
        check(&mut formulas, formula, 2, &words);
    }
}

#[test]
fn random_formulas() {
    let mut random = Random::new(1);
    for round in 0..3000 {
        let mut formulas = Formulas::new();
        let (size, atoms) = (5 + round % 10, 2 + round % 3);
        let formula = random_formula(&mut formulas, &mut random, size, atoms);
        let words = random_lassos(&mut random, atoms, 40);
        check(&mut formulas, formula, atoms as u32, &words);
    }
}

#[test]
fn a_product_accepts_what_both_accept() {
    let mut random = Random::new(29);
    let (mut accepted, mut empty) = (0, 0);
    for round in 0..600 {
        let mut formulas = Formulas::new();
        let size = 3 + round % 6;
        let pair = [0, 1].map(|_| random_formula(&mut formulas, &mut random, size, 3));
        let automata = pair.map(|formula| translate(&mut formulas, formula, &Limits::default()).expect("it is small"));
        let both = product(&automata[0].tgba, automata[1].buchi.as_tgba()).expect("there are few propositions");
        empty += usize::from(is_empty(&both));
        for word in random_lassos(&mut random, 3, 30) {
            let expected =
                pair.iter().all(|&formula| satisfies(&formulas, formula, &crate::common::propositions(3), &word));
            assert_eq!(accepts(&both, &seen_by(&both, &word)), expected);
            assert!(!expected || !is_empty(&both), "a word is accepted");
            accepted += usize::from(expected);
        }
    }
    assert!(accepted > 1000 && empty > 50, "{accepted} words accepted and {empty} products empty are too few");
}
