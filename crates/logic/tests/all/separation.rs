//! A formula is a Boolean combination of its components.

use crate::common::{Random, random_formula, random_lassos};
use reductio_logic::Propositions;
use reductio_logic::lasso::satisfies;
use reductio_logic::ltl::separate::split;
use reductio_logic::ltl::{Formulas, Spelling, components, parse, print};

#[test]
fn to_split_a_formula_does_not_change_it() {
    let mut random = Random::new(11);
    let mut splits = 0;
    for round in 0..4000 {
        let mut formulas = Formulas::new();
        let formula = random_formula(&mut formulas, &mut random, 5 + round % 12, 3);
        let props = crate::common::propositions(3);
        for part in formulas.parts(formula) {
            if formulas.node(part).operands().count() == 0 {
                continue;
            }
            let Some(combination) = split(&mut formulas, part) else { continue };
            let combination = formulas.make(combination);
            splits += u32::from(combination != part);
            for word in random_lassos(&mut random, 3, 20) {
                let same =
                    satisfies(&formulas, part, &props, &word) == satisfies(&formulas, combination, &props, &word);
                let text = |formula| print(&formulas, &Propositions::new(), formula, Spelling::Signs);
                assert!(same, "{} became {}", text(part), text(combination));
            }
        }
    }
    assert!(splits > 500, "{splits} formulas were split");
}

/// The six rows of [peled93], section 4.1, and what they must not do.
#[test]
fn the_table() {
    for (formula, expected) in [
        ("[] (a && b)", "[] a; [] b"),
        ("[] <> (a || b)", "[] <> a; [] <> b"),
        ("<> (a || b)", "<> a; <> b"),
        ("<> [] (a && b)", "<> [] a; <> [] b"),
        ("(a && b) U c", "a U c; b U c"),
        ("a U (b || c)", "a U b; a U c"),
        ("[] !(a || b)", "[] !a; [] !b"),
        ("[] (a -> b)", "[] (!a || b)"),
        ("[] (a U (b || c))", "[] (a U (b || c))"),
        ("<> (a && b)", "<> (a && b)"),
        ("[] (a && <> (b || c)) -> <> d", "<> !a; <> [] !b; <> [] !c; <> d"),
        ("a && [] a && a", "a; [] a"),
    ] {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        let formula_of_text = parse(formula, &mut formulas, &mut propositions).expect(formula);
        let components = components(&mut formulas, formula_of_text).expect("it is small");
        let text = |component| print(&formulas, &propositions, component, Spelling::Signs);
        let mut texts: Vec<String> = components.into_iter().map(text).collect();
        let mut expected: Vec<&str> = expected.split("; ").collect();
        texts.sort();
        expected.sort_unstable();
        assert_eq!(texts, expected, "{formula}");
    }
}

/// Where there are too many components, some stay together.
#[test]
fn a_large_formula_is_not_taken_apart_for_ever() {
    let names = |letter: &str| (0..20).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    let text = format!("({}) U ({})", names("a").join(" && "), names("b").join(" || "));
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(&text, &mut formulas, &mut propositions).expect("it is a formula");
    let components = components(&mut formulas, formula).expect("it is not deep");
    assert!(components.len() < 100);
    let all: usize = components.iter().map(|&component| formulas.propositions(component).len()).sum();
    assert!(all >= 40, "every proposition is in some component");
}
