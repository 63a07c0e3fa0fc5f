//! The sizes of automata for the formulas that translators are compared on. A size that grows is a regression; one that
//! shrinks is to be written down here. `cargo xtask bench ltl` compares them with those of other translators.

use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, translate};
use reductio_logic::ltl::{Formulas, parse};

/// Sums over a set of formulas, or over their negations.
#[derive(Debug, PartialEq, Eq)]
struct Total {
    formulas: usize,
    buchi_states: usize,
    buchi_edges: usize,
    tgba_states: usize,
}

fn total(set: &str, negated: bool) -> Total {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ltl").join(set);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut total = Total { formulas: 0, buchi_states: 0, buchi_edges: 0, tgba_states: 0 };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        let formula = parse(line, &mut formulas, &mut propositions).unwrap_or_else(|error| panic!("{line}: {error}"));
        let formula = if negated { formulas.not(formula) } else { formula };
        let automata = translate(&mut formulas, formula, &Limits::default()).expect("it is small");
        let (buchi, tgba) = (&automata.buchi, &automata.tgba);
        // Shown when a total is not as expected.
        println!("{:3} {:4} {:3}  {line}", buchi.state_count(), buchi.edge_count(), tgba.state_count());
        total.formulas += 1;
        total.buchi_states += buchi.state_count();
        total.buchi_edges += buchi.edge_count();
        total.tgba_states += tgba.state_count();
    }
    total
}

#[test]
fn etessami_holzmann() {
    let expected = Total { formulas: 12, buchi_states: 48, buchi_edges: 112, tgba_states: 39 };
    assert_eq!(total("etessami-holzmann.txt", false), expected);
    let expected = Total { formulas: 12, buchi_states: 51, buchi_edges: 128, tgba_states: 47 };
    assert_eq!(total("etessami-holzmann.txt", true), expected);
}

#[test]
fn somenzi_bloem() {
    let expected = Total { formulas: 27, buchi_states: 84, buchi_edges: 165, tgba_states: 75 };
    assert_eq!(total("somenzi-bloem.txt", false), expected);
    let expected = Total { formulas: 27, buchi_states: 75, buchi_edges: 143, tgba_states: 69 };
    assert_eq!(total("somenzi-bloem.txt", true), expected);
}

#[test]
fn dwyer_avrunin_corbett() {
    let expected = Total { formulas: 55, buchi_states: 269, buchi_edges: 813, tgba_states: 255 };
    assert_eq!(total("dwyer-avrunin-corbett.txt", false), expected);
    let expected = Total { formulas: 55, buchi_states: 225, buchi_edges: 494, tgba_states: 218 };
    assert_eq!(total("dwyer-avrunin-corbett.txt", true), expected);
}
