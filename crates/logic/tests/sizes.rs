//! The sizes of automata for the formulas that translators are compared on. A size that grows is a regression; one that
//! shrinks is to be written down here.

use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, translate};
use reductio_logic::ltl::{Formulas, parse};

/// The sum of states and edges of the state-based automata, and of states of the generalised ones, of a set of formulas
/// and of their negations.
#[derive(Debug, PartialEq, Eq)]
struct Total {
    formulas: usize,
    buchi: (usize, usize),
    tgba: usize,
}

fn total(set: &str, negated: bool) -> Total {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ltl").join(set);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut total = Total { formulas: 0, buchi: (0, 0), tgba: 0 };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        let formula = parse(line, &mut formulas, &mut propositions).unwrap_or_else(|error| panic!("{line}: {error}"));
        let formula = if negated { formulas.not(formula) } else { formula };
        let automata = translate(&mut formulas, formula, &Limits::default()).expect("it is small");
        println!(
            "{:3} {:4} {:3}  {line}",
            automata.buchi.state_count(),
            automata.buchi.edge_count(),
            automata.tgba.state_count()
        );
        total.formulas += 1;
        total.buchi.0 += automata.buchi.state_count();
        total.buchi.1 += automata.buchi.edge_count();
        total.tgba += automata.tgba.state_count();
    }
    total
}

#[test]
fn etessami_holzmann() {
    assert_eq!(total("etessami-holzmann.txt", false), Total { formulas: 12, buchi: (0, 0), tgba: 0 });
}

#[test]
fn somenzi_bloem() {
    assert_eq!(total("somenzi-bloem.txt", false), Total { formulas: 27, buchi: (0, 0), tgba: 0 });
}

#[test]
fn dwyer_avrunin_corbett() {
    assert_eq!(total("dwyer-avrunin-corbett.txt", false), Total { formulas: 55, buchi: (0, 0), tgba: 0 });
}
