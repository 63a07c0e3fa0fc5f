//! Whether a formula can see that a moment is repeated, compared with repeating moments.

use crate::common::{all_formulas, all_lassos};
use reductio_logic::buchi::{Limits, is_stutter_invariant};
use reductio_logic::lasso::{Lasso, satisfies};
use reductio_logic::ltl::{Formulas, Spelling, parse, print};
use reductio_logic::{Propositions, Valuation};

fn is_invariant(text: &str) -> bool {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(text, &mut formulas, &mut propositions).expect("it is a formula");
    is_stutter_invariant(&mut formulas, formula, &Limits::default()).expect("it is small")
}

#[test]
fn examples() {
    for text in
        ["[] (a -> <> b)", "a U b", "X [] <> a", "<> (a && X (!a && b)) -> <> b", "<> (!a && X a) || a || [] !a"]
    {
        assert!(is_invariant(text), "{text}");
    }
    // Rising edges: that a becomes true later can be told without X, that it does so now cannot.
    assert!(is_invariant("<> (!a && X a)"));
    for text in ["X a", "!a && X a", "[] (a -> X b)", "[] (a <-> X !a)", "<> (a && X a)", "a U X b", "[] <> (a && X a)"]
    {
        assert!(!is_invariant(text), "{text}");
    }
}

/// The word with one letter said twice: once in the stem, or each time in the cycle.
fn stretched(word: &Lasso) -> Vec<Lasso> {
    let twice = |letters: &[Valuation], at: usize| {
        let mut letters = letters.to_vec();
        letters.insert(at, letters[at]);
        letters
    };
    // The cycle once unrolled, so that it can be stretched just once, too.
    let unrolled = [word.stem(), word.cycle()].concat();
    let once = (0..unrolled.len()).map(|at| Lasso::new(&twice(&unrolled, at), word.cycle()));
    let always = (0..word.cycle().len()).map(|at| Lasso::new(word.stem(), &twice(word.cycle(), at)));
    once.chain(always).flatten().collect()
}

#[test]
fn all_small_formulas() {
    let mut formulas = Formulas::new();
    let props = crate::common::propositions(2);
    let words: Vec<(Lasso, Vec<Lasso>)> =
        all_lassos(2, 2, 2).into_iter().map(|word| (word.clone(), stretched(&word))).collect();
    let mut sensitive = 0;
    for formula in all_formulas(&mut formulas, 4) {
        let told = is_stutter_invariant(&mut formulas, formula, &Limits::default()).expect("it is small");
        if !formulas.has_next(formula) {
            assert!(told, "without X nothing can tell");
            continue;
        }
        let mut differing = words.iter().filter(|(word, longer)| {
            let value = satisfies(&formulas, formula, &props, word);
            longer.iter().any(|longer| satisfies(&formulas, formula, &props, longer) != value)
        });
        let seen = differing.next().is_none();
        assert_eq!(told, seen, "{}", print(&formulas, &Propositions::new(), formula, Spelling::Signs));
        sensitive += usize::from(!told);
    }
    assert!(sensitive > 100, "only {sensitive} formulas could tell");
}
