//! The oracle itself: the value of formulas on words, against the definition of each operator.

use crate::common::{Random, all_formulas, all_lassos, random_formula, random_lassos};
use reductio_logic::buchi::{Edge, Guard, Marks, StateId, Tgba};
use reductio_logic::lasso::{Lasso, accepts, satisfies};
use reductio_logic::ltl::{Formula, Formulas, Node};
use reductio_logic::{Prop, Valuation};

/// The textbook's definitions, letter by letter. Two rounds of the cycle after the stem show every suffix that exists, so
/// what does not happen within them never does.
struct Definition<'a> {
    formulas: &'a Formulas,
    word: &'a Lasso,
}

impl Definition<'_> {
    fn letter(&self, position: usize) -> Valuation {
        let (stem, cycle) = (self.word.stem(), self.word.cycle());
        if position < stem.len() { stem[position] } else { cycle[(position - stem.len()) % cycle.len()] }
    }

    fn holds(&self, formula: Formula, at: usize) -> bool {
        // Positions after the first round repeat.
        let (stem, cycle) = (self.word.stem().len(), self.word.cycle().len());
        let at = if at < stem { at } else { stem + (at - stem) % cycle };
        let later = at..at + stem + 2 * cycle;
        let until = |f: Formula, g: Formula| {
            later.clone().any(|end| self.holds(g, end) && (at..end).all(|position| self.holds(f, position)))
        };
        match self.formulas.node(formula) {
            Node::True => true,
            Node::False => false,
            Node::Atom(prop) => self.letter(at).holds(prop.0 as usize),
            Node::Not(f) => !self.holds(f, at),
            Node::And(f, g) => self.holds(f, at) && self.holds(g, at),
            Node::Or(f, g) => self.holds(f, at) || self.holds(g, at),
            Node::Implies(f, g) => !self.holds(f, at) || self.holds(g, at),
            Node::Equivalent(f, g) => self.holds(f, at) == self.holds(g, at),
            Node::Next(f) => self.holds(f, at + 1),
            Node::Always(f) => later.clone().all(|position| self.holds(f, position)),
            Node::Eventually(f) => later.clone().any(|position| self.holds(f, position)),
            Node::Until(f, g) => until(f, g),
            Node::WeakUntil(f, g) => until(f, g) || later.clone().all(|position| self.holds(f, position)),
            // g holds as long as f did not hold before.
            Node::Release(f, g) => later
                .clone()
                .all(|position| self.holds(g, position) || (at..position).any(|before| self.holds(f, before))),
            Node::StrongRelease(f, g) => {
                later.clone().any(|end| self.holds(f, end) && (at..=end).all(|position| self.holds(g, position)))
            }
        }
    }
}

#[test]
fn formulas_have_the_value_that_their_definition_gives() {
    let mut formulas = Formulas::new();
    let mut random = Random::new(17);
    let mut cases: Vec<(Formula, Vec<Lasso>)> = Vec::new();
    let short = all_lassos(2, 1, 2);
    cases.extend(all_formulas(&mut formulas, 3).into_iter().map(|formula| (formula, short.clone())));
    for round in 0..300 {
        let formula = random_formula(&mut formulas, &mut random, 4 + round % 3, 2);
        cases.push((formula, random_lassos(&mut random, 2, 10)));
    }
    for (formula, words) in cases {
        for word in words {
            let expected = Definition { formulas: &formulas, word: &word }.holds(formula, 0);
            let told = satisfies(&formulas, formula, &crate::common::propositions(2), &word);
            assert_eq!(told, expected, "{:?} on {word:?}", formulas.node(formula));
        }
    }
}

#[test]
fn a_generalised_automaton_wants_every_set_again_and_again() {
    // One state; set 0 when the proposition is true, set 1 when it is false.
    let edge = |value: bool, set| Edge {
        guard: Guard::from(reductio_logic::buchi::Cube::literal(0, value)),
        marks: Marks::one(set),
        target: StateId(0),
    };
    let automaton = Tgba {
        propositions: vec![Prop(0)],
        sets: 2,
        initial: StateId(0),
        edges: vec![vec![edge(true, 0), edge(false, 1)]],
    };
    let (yes, no) = (Valuation(1), Valuation(0));
    let word = |stem: &[Valuation], cycle: &[Valuation]| Lasso::new(stem, cycle).expect("it has a cycle");
    assert!(accepts(&automaton, &word(&[], &[yes, no])));
    assert!(accepts(&automaton, &word(&[yes, yes], &[yes, yes, no])));
    assert!(!accepts(&automaton, &word(&[no, yes], &[yes])));
    assert!(!accepts(&automaton, &word(&[no, yes], &[no, no])));
    assert!(Lasso::new(&[yes], &[]).is_none());
}

#[test]
fn only_runs_from_the_initial_state_count() {
    let looping = |target| Edge { guard: Guard::truth(true), marks: Marks::NONE, target: StateId(target) };
    let mut automaton =
        Tgba { propositions: vec![], sets: 0, initial: StateId(0), edges: vec![vec![], vec![looping(1)]] };
    let word = Lasso::new(&[], &[Valuation(0)]).expect("it has a cycle");
    assert!(!accepts(&automaton, &word));
    automaton.edges[0].push(looping(1));
    assert!(accepts(&automaton, &word));
}
