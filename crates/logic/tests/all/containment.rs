//! Containment of languages, compared with emptiness of the product with the negation; and every word that is found is read by
//! both automata.

use crate::common::{Random, all_formulas, random_formula};
use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, NotTold, is_empty, not_contained, product, translate};
use reductio_logic::formats::from_hoa;
use reductio_logic::lasso::accepts;
use reductio_logic::ltl::{Formula, Formulas};

#[derive(Default)]
struct Tally {
    contained: u32,
    not_contained: u32,
    nondeterministic: u32,
}

fn compare(formulas: &mut Formulas, small: Formula, large: Formula, tally: &mut Tally) {
    let negation = formulas.not(large);
    let [first, second, negative] = [small, large, negation]
        .map(|formula| translate(formulas, formula, &Limits::default()).expect("it is small").tgba);
    match not_contained(&first, &second) {
        Err(NotTold::NotDeterministic(_)) => {
            assert!(!second.is_deterministic());
            tally.nondeterministic += 1;
        }
        Err(other) => panic!("{other}"),
        Ok(None) => {
            assert!(is_empty(&product(&first, &negative).expect("they are small")), "{small:?} is not in {large:?}");
            tally.contained += 1;
        }
        Ok(Some(witness)) => {
            assert!(accepts(&first, &witness.as_read_by(&first)), "{small:?} in {large:?}: {witness:?}");
            assert!(!accepts(&second, &witness.as_read_by(&second)), "{small:?} in {large:?}: {witness:?}");
            tally.not_contained += 1;
        }
    }
}

#[test]
fn containment_is_emptiness_with_the_negation() {
    let mut formulas = Formulas::new();
    let mut tally = Tally::default();
    let all = all_formulas(&mut formulas, 3);
    let mut random = Random::new(7);
    for _ in 0..1500 {
        let [small, large] = [(); 2].map(|()| all[random.below(all.len())]);
        compare(&mut formulas, small, large, &mut tally);
    }
    for _ in 0..500 {
        let [small, large] = [(); 2].map(|()| {
            let size = 3 + random.below(6);
            random_formula(&mut formulas, &mut random, size, 3)
        });
        compare(&mut formulas, small, large, &mut tally);
    }
    let Tally { contained, not_contained, nondeterministic } = tally;
    assert!(
        contained > 200 && not_contained > 500 && nondeterministic > 20,
        "{contained} {not_contained} {nondeterministic}"
    );
}

/// Several acceptance sets on both sides, and a second automaton that does not read everything.
#[test]
fn sets_are_all_met_or_one_is_missed() {
    let mut propositions = Propositions::new();
    let mut read = |text: &str| from_hoa(text, &mut propositions).expect("it is an automaton");
    let automaton = |sets: &str, body: &str| {
        format!("HOA: v1\nStart: 0\nAP: 2 \"a\" \"b\"\n{sets}\n--BODY--\nState: 0\n{body}\n--END--\n")
    };
    let both = "acc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0) & Inf(1)";
    let one = "acc-name: Buchi\nAcceptance: 1 Inf(0)";
    let all = "acc-name: all\nAcceptance: 0 t";
    let each = read(&automaton(both, "[0 & 1] 0 {0 1}\n[0 & !1] 0 {0}\n[!0 & 1] 0 {1}\n[!0 & !1] 0"));
    let first = read(&automaton(one, "[0] 0 {0}\n[!0] 0"));
    let second = read(&automaton(one, "[1] 0 {0}\n[!1] 0"));
    let always = read(&automaton(all, "[0] 0"));
    for (small, large, expected) in [
        (&each, &first, true),
        (&each, &second, true),
        (&first, &each, false),
        (&always, &first, true),
        (&first, &always, false),
        (&always, &each, false),
        (&always, &always, true),
    ] {
        let found = not_contained(small, large).expect("both are deterministic");
        assert_eq!(found.is_none(), expected, "{small:?} in {large:?}: {found:?}");
    }
}
