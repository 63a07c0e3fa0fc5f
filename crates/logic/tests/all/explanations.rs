//! Why a formula has its value, and which of its parts matter: what is said is true, and enough.

use crate::common::{BINARY, Random, UNARY, all_formulas, all_lassos, random_formula, random_lassos};
use reductio_logic::evaluate::{Shape, Values};
use reductio_logic::explain::{Extent, Reason, explain};
use reductio_logic::lasso::{Lasso, satisfies};
use reductio_logic::ltl::vacuity::vacuous_parts;
use reductio_logic::ltl::{Formula, Formulas, Node, simplify};
use reductio_logic::{Prop, Valuation};

const PROPOSITIONS: [Prop; 3] = [Prop(0), Prop(1), Prop(2)];

fn letters(word: &Lasso) -> Vec<Valuation> {
    [word.stem(), word.cycle()].concat()
}

/// Every formula of a small size, and random larger ones, each on some words.
fn cases(formulas: &mut Formulas) -> Vec<(Formula, Vec<Lasso>)> {
    let mut random = Random::new(4);
    let words = all_lassos(2, 1, 2);
    let mut cases: Vec<_> = all_formulas(formulas, 3).into_iter().map(|formula| (formula, words.clone())).collect();
    for size in 4..=12 {
        for _ in 0..150 {
            let formula = random_formula(formulas, &mut random, size, 3);
            cases.push((formula, random_lassos(&mut random, 3, 4)));
        }
    }
    cases
}

/// What is known of a beginning is true however the word goes on.
#[test]
fn a_beginning_decides_only_what_no_continuation_changes() {
    let mut formulas = Formulas::new();
    let mut random = Random::new(9);
    let mut decided = 0;
    for (formula, words) in cases(&mut formulas) {
        for word in words {
            let beginning = letters(&word);
            let holds = |prop: Prop, position: usize| beginning[position].holds(prop.0 as usize);
            let shape = Shape { count: beginning.len(), back: None };
            let Some(value) = Values::new(&formulas, formula, shape, holds).at(formula, 0) else { continue };
            decided += 1;
            for rest in random_lassos(&mut random, 3, 3) {
                let stem = [&beginning, rest.stem()].concat();
                let whole = Lasso::new(&stem, rest.cycle()).expect("it has a cycle");
                assert_eq!(satisfies(&formulas, formula, &PROPOSITIONS, &whole), value);
            }
        }
    }
    assert!(decided > 1000, "{decided}");
}

/// Every reason is true, and they are enough: where they are true the value is the same. This is tried on words that
/// differ in one proposition of one letter.
#[test]
fn reasons_are_true_and_enough() {
    let mut formulas = Formulas::new();
    let mut changed = 0;
    for (formula, words) in cases(&mut formulas) {
        for word in words {
            let letters = letters(&word);
            let shape = Shape { count: letters.len(), back: Some(word.stem().len()) };
            let evaluate = |letters: &[Valuation]| {
                let holds = |prop: Prop, position: usize| letters[position].holds(prop.0 as usize);
                Values::new(&formulas, formula, shape, holds)
            };
            let values = evaluate(&letters);
            let reason = explain(&formulas, &values, formula).expect("the word is known");
            assert_eq!(reason.value, satisfies(&formulas, formula, &PROPOSITIONS, &word));
            assert!(is_true(&reason, &values));
            for (position, bit) in (0..letters.len()).flat_map(|position| [0, 1, 2].map(|bit| (position, bit))) {
                let mut others = letters.clone();
                others[position].0 ^= 1 << bit;
                let other = evaluate(&others);
                if ground(&formulas, &reason).iter().all(|reason| is_true(reason, &other)) {
                    assert_eq!(other.at(formula, 0), Some(reason.value), "{reason:?}");
                    changed += 1;
                }
            }
        }
    }
    assert!(changed > 10_000, "{changed}");
}

/// A reason and all it rests on.
fn is_true(reason: &Reason, values: &Values) -> bool {
    let shape = values.shape();
    let positions: Vec<usize> = match reason.extent {
        Extent::At(position) => vec![position],
        Extent::From(position) => shape.onward(position).collect(),
        Extent::Between(first, last) => {
            let before = shape.onward(first).take_while(|&position| position != last);
            before.chain([last]).collect()
        }
    };
    positions.iter().all(|&position| values.at(reason.part, position) == Some(reason.value))
        && reason.because.iter().all(|reason| is_true(reason, values))
}

/// The reasons at the bottom, and those that are explained for one round only. What rests on nothing at all is a
/// constant.
fn ground<'r>(formulas: &Formulas, reason: &'r Reason) -> Vec<&'r Reason> {
    let is_atom = matches!(formulas.node(reason.part), Node::Atom(_));
    match reason.extent {
        Extent::At(_) if !is_atom => reason.because.iter().flat_map(|reason| ground(formulas, reason)).collect(),
        _ => vec![reason],
    }
}

/// What is found are the largest occurrences that can be replaced, in a model that is given as a set of words. Here all
/// occurrences are tried.
#[test]
fn the_largest_parts_that_do_not_matter_are_found() {
    let mut formulas = Formulas::new();
    let mut random = Random::new(11);
    let (mut vacuous, mut sound, mut asked) = (0, 0, 0);
    while sound < 400 {
        let size = 2 + random.below(8);
        let formula = random_formula(&mut formulas, &mut random, size, 3);
        let count = 1 + random.below(3);
        let words = random_lassos(&mut random, 3, count);
        let holds = |formulas: &Formulas, formula: Formula| {
            words.iter().all(|word| satisfies(formulas, formula, &PROPOSITIONS, word))
        };
        if !holds(&formulas, formula) {
            continue;
        }
        let mut expected = Vec::new();
        largest(&mut formulas, formula, true, &|_, inner| inner, &holds, &mut expected);
        sound += usize::from(expected.is_empty());
        let found = vacuous_parts(&mut formulas, formula, |formulas, formula| {
            asked += 1;
            Some(holds(formulas, formula))
        });
        vacuous += found.len();
        let mut found: Vec<(Formula, Formula)> = found.iter().map(|found| (found.part, found.stronger)).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
    assert!(vacuous > 200 && asked > 1000, "{vacuous} found, {asked} asked");
}

/// Adds the largest parts of this one that do not matter, itself included. `around` puts something into the place of the
/// part.
fn largest(
    formulas: &mut Formulas,
    part: Formula,
    helps: bool,
    around: &dyn Fn(&mut Formulas, Formula) -> Formula,
    holds: &dyn Fn(&Formulas, Formula) -> bool,
    found: &mut Vec<(Formula, Formula)>,
) {
    if formulas.propositions(part).is_empty() {
        return;
    }
    let constant = formulas.truth(!helps);
    let stronger = around(formulas, constant);
    if holds(formulas, stronger) {
        found.push((part, simplify(formulas, stronger).expect("it is not deep")));
        return;
    }
    let node = formulas.node(part);
    let operands: Vec<Formula> = node.operands().collect();
    for (number, &operand) in operands.iter().enumerate() {
        let helps = match node {
            Node::Equivalent(..) => continue,
            Node::Not(_) => !helps,
            Node::Implies(..) if number == 0 => !helps,
            _ => helps,
        };
        let around = |formulas: &mut Formulas, inner: Formula| {
            let mut others = operands.clone();
            others[number] = inner;
            let whole = formulas.make(rebuilt(node, &operands, &others));
            around(formulas, whole)
        };
        largest(formulas, operand, helps, &around, holds, found);
    }
}

/// The operator of a node with other operands.
fn rebuilt(node: Node, operands: &[Formula], others: &[Formula]) -> Node {
    match (operands, others) {
        ([f], [other]) => {
            let operator = UNARY.into_iter().find(|operator| operator(*f) == node);
            operator.expect("it has one operand")(*other)
        }
        ([f, g], [one, other]) => {
            let operator = BINARY.into_iter().find(|operator| operator(*f, *g) == node);
            operator.expect("it has two operands")(*one, *other)
        }
        _ => node,
    }
}
