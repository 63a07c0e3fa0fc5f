//! A simplified formula means the same and is in normal form; and the rules are there to be seen at work.

use crate::common::{Random, all_formulas, all_lassos, random_formula, random_lassos};
use reductio_logic::Propositions;
use reductio_logic::lasso::{Lasso, satisfies};
use reductio_logic::ltl::{Formula, Formulas, Node, Spelling, TooDeep, parse, print, simplify};

fn check(formulas: &mut Formulas, formula: Formula, atoms: u32, words: &[Lasso]) {
    let simple = simplify(formulas, formula).expect("it is small");
    let text = |formulas: &Formulas, formula| print(formulas, &Propositions::new(), formula, Spelling::Signs);
    let props = crate::common::propositions(atoms);
    for word in words {
        assert_eq!(
            satisfies(formulas, formula, &props, word),
            satisfies(formulas, simple, &props, word),
            "{} became {}, on {word:?}",
            text(formulas, formula),
            text(formulas, simple)
        );
    }
    let normal = |part: &Formula| match formulas.node(*part) {
        Node::Not(operand) => matches!(formulas.node(operand), Node::Atom(_)),
        Node::Implies(..) | Node::Equivalent(..) => false,
        _ => true,
    };
    assert!(formulas.parts(simple).iter().all(normal), "{}", text(formulas, simple));
}

#[test]
fn all_small_formulas() {
    let mut formulas = Formulas::new();
    let words = all_lassos(2, 1, 2);
    for formula in all_formulas(&mut formulas, 4) {
        check(&mut formulas, formula, 2, &words);
    }
}

#[test]
fn random_formulas() {
    let mut random = Random::new(2);
    for round in 0..6000 {
        let mut formulas = Formulas::new();
        let formula = random_formula(&mut formulas, &mut random, 5 + round % 16, 3);
        let words = random_lassos(&mut random, 3, 30);
        check(&mut formulas, formula, 3, &words);
    }
}

#[test]
fn rules() {
    for (formula, expected) in [
        ("!(a -> <> b)", "a && [] !b"),
        ("!(a U b)", "!a V !b"),
        ("!(a W b)", "!a M !b"),
        ("a && !a", "false"),
        ("a || !a || b", "true"),
        ("a && (a || b)", "a"),
        ("a && (!a || b)", "a && b"),
        ("a || (!a && b)", "a || b"),
        ("<> <> a", "<> a"),
        ("<> [] <> a", "[] <> a"),
        ("X [] <> a", "[] <> a"),
        ("[] X a && X [] b", "X [] (a && b)"),
        ("<> (a U b)", "<> b"),
        ("<> (a M b)", "<> (a && b)"),
        ("[] (a V b)", "[] b"),
        ("[] (a W b)", "[] (a || b)"),
        ("[] (a || [] <> b)", "[] a || [] <> b"),
        ("<> (a && [] <> b)", "<> a && [] <> b"),
        ("a U (b && [] <> c)", "a U b && [] <> c"),
        ("a U (b || <> c)", "a U b || <> c"),
        ("[] a && [] b", "[] (a && b)"),
        ("<> a || <> b", "<> (a || b)"),
        ("[] <> a || [] <> b", "[] <> (a || b)"),
        ("<> [] a && <> [] b", "<> [] (a && b)"),
        ("(a U c) && (b U c)", "(a && b) U c"),
        ("(a U b) || (a U c)", "a U (b || c)"),
        ("(a V c) || (b V c)", "(a || b) V c"),
        ("(a W b) && <> b", "a U b"),
        ("(a U b) || [] a", "a W b"),
        ("(a V b) && <> a", "a M b"),
        ("(a M b) || [] b", "a V b"),
        ("a U (a U b)", "a U b"),
        ("(X a) U (X b)", "X (a U b)"),
        ("!b U b", "<> b"),
        ("a V !a", "[] !a"),
        ("true U a", "<> a"),
        ("false V a", "[] a"),
        ("a W false", "[] a"),
        ("a M true", "<> a"),
        ("[] a W b", "[] a || b"),
        ("a W <> b", "[] a || <> b"),
        ("(a U b) && <> b", "a U b"),
        ("[] a && a", "[] a"),
        ("X a && X b", "X (a && b)"),
    ] {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        let mut read = |text| parse(text, &mut formulas, &mut propositions).expect("it is a formula");
        let (read_formula, read_expected) = (read(formula), read(expected));
        let simple = simplify(&mut formulas, read_formula).expect("it is small");
        // The order of operands does not matter.
        let both_ways = simplify(&mut formulas, read_expected).expect("it is small");
        let shown = print(&formulas, &propositions, simple, Spelling::Signs);
        assert_eq!(shown, print(&formulas, &propositions, both_ways, Spelling::Signs), "{formula}");
        assert_eq!(shown.len(), expected.len(), "{formula}: {shown}");
    }
}

#[test]
fn deep_formulas_are_refused() {
    let mut formulas = Formulas::new();
    let mut formula = formulas.truth(true);
    for _ in 0..100_000 {
        formula = formulas.next(formula);
    }
    assert_eq!(simplify(&mut formulas, formula), Err(TooDeep));
}
