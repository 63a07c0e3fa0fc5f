//! Formulas have automata that a search may read on the fly while it leaves out orders.

use crate::common::all_formulas;
use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, has_normal_form, is_empty, normal_form, product, translate};
use reductio_logic::ltl::{Formula, Formulas, Spelling, parse, print};

/// How many automata have a normal form, and how many of them only with more edges.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    all: usize,
    with_more_edges: usize,
}

impl Counts {
    /// Whether the automaton of a formula has a normal form, if the formula does not ask for the next state.
    fn add(&mut self, formulas: &mut Formulas, formula: Formula) {
        if formulas.has_next(formula) {
            return;
        }
        self.all += 1;
        let tgba = translate(formulas, formula, &Limits::default()).expect("it is small").tgba;
        if !has_normal_form(&tgba) {
            self.with_more_edges += 1;
            let normal = normal_form(tgba.clone());
            let text = |formulas: &Formulas| print(formulas, &Propositions::new(), formula, Spelling::Signs);
            assert!(has_normal_form(&normal), "{}", text(formulas));
            assert_eq!(normal.state_count(), tgba.state_count());
            // Edges were added, so that it accepts no less. Does it accept more?
            let negation = formulas.not(formula);
            let others = translate(formulas, negation, &Limits::default()).expect("it is small").tgba;
            assert!(is_empty(&product(&normal, &others).expect("it has few sets")), "{}", text(formulas));
        }
    }
}

#[test]
fn formulas_of_papers_have_a_normal_form() {
    let mut counts = Counts::default();
    for set in ["etessami-holzmann.txt", "somenzi-bloem.txt", "dwyer-avrunin-corbett.txt"] {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ltl").join(set);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
            let formula =
                parse(line, &mut formulas, &mut propositions).unwrap_or_else(|error| panic!("{line}: {error}"));
            let negation = formulas.not(formula);
            counts.add(&mut formulas, formula);
            counts.add(&mut formulas, negation);
        }
    }
    assert_eq!(counts, Counts { all: 110, with_more_edges: 2 });
}

#[test]
fn small_formulas_have_a_normal_form() {
    let mut formulas = Formulas::new();
    let mut counts = Counts::default();
    for formula in all_formulas(&mut formulas, 5) {
        counts.add(&mut formulas, formula);
    }
    assert_eq!(counts, Counts { all: 16_868, with_more_edges: 4 });
}
