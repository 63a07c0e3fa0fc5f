//! Loops over all processes: which of them treat all alike, and that look-alikes are told from them.

use reductio_explicit::PropertyVerdict;
use reductio_frontends::promela::LoadOptions;
use reductio_model::{ClaimId, Model, Property, Verdict};
use reductio_reduce::Fairness;
use reductio_reduce::facts::symmetry::{FoundSymmetry, Obstacle};
use reductio_reduce::model_to_model::{ModelReductions, reduce};
use reductio_reduce::symmetry::find_at_all;
use reductio_reduce::{PlanRequest, ReduceChoice, Reduction, SearchOrder, plan};
use reductio_testing::certified;

use crate::symmetry::{SAFETY, check, compare, model, model_with, only, takes_steps_to_steps};

/// What all programs have in common, and what a process does in a loop, in which `all` is `for (k : 0 .. 2)`.
fn program(body: &str) -> String {
    let body = body.replace("each", "for (k : 0 .. 2)");
    format!(
        "byte a[3], n, who = 9; bool f[3]; chan q[3] = [1] of {{ byte }}; byte slow;
         active [3] proctype P() {{ byte k, m; bool ok; byte mine[3];
         do
         :: atomic {{ a[_pid] < 2 -> a[_pid]++ }}
         :: f[_pid] = !f[_pid]
         :: {body}
         od }}"
    )
}

/// Loops that treat all alike.
const ALIKE: &[(&str, &str)] = &[
    ("maximum", "d_step { m = 0; each { if :: a[k] > m -> m = a[k] :: else fi }; n = m; m = 0 }"),
    ("maximum in an atomic", "atomic { m = 0; each { if :: a[k] > m -> m = a[k] :: else fi }; n = m; m = 0 }"),
    ("minimum of some", "d_step { m = 9; each { if :: f[k] && a[k] <= m -> m = a[k] :: else fi }; n = m; m = 0 }"),
    ("maximum by an expression", "d_step { m = 0; each { m = (m < a[k] -> a[k] : m) }; n = m; m = 0 }"),
    ("count", "atomic { n = 0; each { if :: f[k] -> n++ :: else fi } }"),
    ("sum that is cut off", "d_step { m = 250; each { m = m + a[k] + 3 }; n = m; m = 0 }"),
    ("product", "d_step { m = 1; each { m = (a[k] + 1) * m }; n = m; m = 0 }"),
    ("all", "atomic { ok = true; each { ok = ok && f[k] }; n = ok; ok = false }"),
    ("some", "atomic { ok = false; each { if :: f[k] -> ok = true :: else fi }; n = ok; ok = false }"),
    ("all but oneself", "d_step { ok = true; each { if :: k != _pid -> ok = ok & f[k] :: else fi }; n = ok; ok = 0 }"),
    ("reset", "atomic { each { a[k] = 0 } }"),
    ("reset of an array", "atomic { for (k in a) { a[k] = 0 } }"),
    ("by hand", "atomic { k = 0; do :: k < 3 -> f[k] = 0; k++ :: else -> break od }"),
    ("options in another order", "d_step { k = 0; do :: k == 3 -> break :: k != 3 -> a[k] = 1; k = k + 1 od }"),
    (
        "options with oneself apart",
        "d_step { n = 0; k = 0; do :: k == 3 -> break :: k < 3 && k != _pid -> n = n + a[k]; k++ :: k == _pid -> k++ od }",
    ),
    ("downwards", "d_step { k = 3; do :: k > 0 -> a[k - 1] = 1; k-- :: else -> break od }"),
    ("reset counter", "d_step { skip; do :: k < 3 -> f[k] = 1; k++ :: else -> break od; k = 0 }"),
    ("broadcast", "d_step { each { if :: nfull(q[k]) -> q[k]!a[k] :: full(q[k]) -> skip fi } } :: q[_pid]?m -> m = 0"),
    ("broadcast that may fail", "d_step { each { q[k]!1 } } :: q[_pid]?m -> m = 0"),
    (
        "messages taken",
        "d_step { each { if :: nempty(q[k]) -> q[k]?a[k] :: empty(q[k]) fi } } :: nfull(q[_pid]) -> q[_pid]!1",
    ),
    ("local", "mine[0] = 1; mine[1] = 1; mine[2] = 1; slow = 1 - slow; each { mine[k] = 0 }"),
    (
        "local maximum",
        "slow = 1; m = 0; mine[_pid] = 1; each { if :: mine[k] > m -> m = mine[k] :: else fi }; each { mine[k] = 0 }; slow = 0; m = 0",
    ),
    ("who is remembered", "d_step { each { if :: who == k -> a[k] = 0 :: else fi } } :: who = _pid :: who = 9"),
    ("assertion", "d_step { each { assert(a[k] < 2) } }"),
    ("counter that is read later", "d_step { each { a[k] = 1 }; n = k }"),
    ("counter for all", "byte g; d_step { for (g : 0 .. 2) { f[g] = 0 } }"),
];

/// Loops that look like these, but are not.
const NOT_ALIKE: &[(&str, &str)] = &[
    (
        "how often a maximum grows depends on the order",
        "d_step { m = 0; n = 0; each { if :: a[k] > m -> m = a[k]; n = n + 1 :: else fi } }",
    ),
    ("what is left after subtracting in turns", "d_step { m = 0; each { m = a[k] - m } }"),
    ("first that is free", "d_step { m = 9; each { if :: m == 9 && f[k] -> m = k :: else fi }; who = m; m = 0 }"),
    ("greatest is remembered", "d_step { m = 0; each { if :: a[k] > m -> m = a[k]; who = k :: else fi }; m = 0 }"),
    ("last one wins", "d_step { each { if :: f[k] -> who = k :: else fi } }"),
    ("last value wins", "d_step { each { n = a[k] } }"),
    ("not to the end", "d_step { for (k : 0 .. 1) { a[k] = 0 } }"),
    ("not from the beginning", "d_step { for (k : 1 .. 2) { a[k] = 0 } }"),
    ("left early", "d_step { each { if :: f[k] -> break :: else fi }; n = k }"),
    ("left early in an atomic", "atomic { each { if :: f[k] -> a[k] = 0; break :: else fi } }"),
    ("waits inside", "atomic { each { f[k]; a[k] = 1 } }"),
    ("sends that wait inside", "atomic { each { q[k]!1 } } :: q[_pid]?m -> m = 0"),
    ("not atomic", "slow = 1; m = 0; each { if :: a[k] > m -> m = a[k] :: else fi }; slow = 0; m = 0"),
    ("not atomic, changes others", "slow = 1; each { a[k] = 0 }; slow = 0"),
    ("calculates with its counter", "d_step { n = 0; each { n = n + k * a[k] } }"),
    ("neighbours", "d_step { each { a[k] = a[(k + 1) % 3] } }"),
    ("order of ids", "d_step { n = 0; each { if :: k < _pid -> n = n + a[k] :: else fi } }"),
    ("one is different", "d_step { each { if :: k == 1 -> skip :: else -> a[k] = 0 fi } }"),
    ("maximum that is cut off", "d_step { ok = 0; each { if :: a[k] > ok -> ok = a[k] :: else fi }; n = ok; ok = 0 }"),
    ("sum that is seen", "d_step { m = 0; each { m = m + a[k]; if :: m == 1 -> f[k] = 1 :: else fi }; m = 0 }"),
    ("alternates", "d_step { m = 0; each { m = a[k] - m }; n = m; m = 0 }"),
    ("two ways to change", "d_step { m = 1; each { m = m * 2; m = m + a[k] }; n = m; m = 0 }"),
    ("chain of values", "d_step { m = 0; each { a[k] = m; m = a[k] + 1 }; m = 0 }"),
    (
        "one channel for all",
        "d_step { each { if :: nfull(q[0]) -> q[0]!k :: full(q[0]) -> skip fi } } :: q[_pid]?m -> a[m] = 0; m = 0",
    ),
    ("counter that holds ids", "d_step { each { a[k] = 0 }; k = 0 } :: k = _pid; who = k; k = 0"),
    ("two rounds at once", "d_step { k = 0; do :: k < 3 -> a[k] = 0; k = k + 2 :: else -> break od }"),
    (
        "skips a round",
        "d_step { k = 0; do :: k < 3 -> if :: f[k] -> k = k + 2 :: else -> a[k] = 0; k++ fi :: else -> break od }",
    ),
];

fn text_of((name, body): &(&str, &str)) -> String {
    // A declaration before the body is one of a global variable.
    match body.split_once("; ").filter(|(first, _)| first.starts_with("byte ")) {
        Some((declaration, rest)) if *name == "counter for all" => format!("{declaration};\n{}", program(rest)),
        _ => program(body),
    }
}

/// The same with fewer states, for what looks at all of them.
fn small_text_of(case: &(&str, &str)) -> String {
    text_of(case).replace("a[_pid] < 2 ->", "a[_pid] < 1 ->")
}

fn order(found: &Result<FoundSymmetry, Vec<Obstacle>>) -> u64 {
    found.as_ref().map_or(1, |found| found.symmetry.order().unwrap_or(u64::MAX))
}

/// The model that is searched, and its permutations.
fn prepared(model: &Model) -> (Model, Result<FoundSymmetry, Vec<Obstacle>>) {
    let (found, wanted) = find_at_all(model);
    (reduce(model, wanted).model, found)
}

#[test]
fn all_are_alike_in_these() {
    for case in ALIKE {
        let model = model(&small_text_of(case));
        let (smaller, found) = prepared(&model);
        assert_eq!(order(&found), 6, "{}: {found:?}", case.0);
        let found = found.expect("there is a symmetry");
        takes_steps_to_steps(case.0, &smaller, &found.symmetry);
        // Where nothing else tells that the counter names processes, it is not known to.
        let is_number = case.0 == "downwards" || case.0.starts_with("local");
        assert!(!found.loops.is_empty() || is_number, "{}", case.0);
    }
}

#[test]
fn not_all_are_alike_in_those() {
    for case in NOT_ALIKE {
        let model = model(&small_text_of(case));
        let (smaller, found) = prepared(&model);
        assert!(order(&found) < 6, "{}", case.0);
        if let Ok(found) = found {
            takes_steps_to_steps(case.0, &smaller, &found.symmetry);
        }
    }
}

/// The definition, on programs that do not treat all alike: it would be seen if they were taken for such.
#[test]
fn look_alikes_differ_from_what_they_look_like() {
    let text = text_of(&("", "d_step { each { a[k] = 0 } }"));
    let (smaller, found) = prepared(&model(&text));
    let symmetry = found.expect("all are alike").symmetry;
    let (mut told_apart, mut compared) = (0, 0);
    for case in NOT_ALIKE.iter().filter(|(_, body)| body.starts_with("d_step")) {
        let other = model(&small_text_of(case));
        if other.globals.len() != smaller.globals.len() {
            continue;
        }
        compared += 1;
        let differs = std::panic::catch_unwind(|| takes_steps_to_steps(case.0, &other, &symmetry)).is_err();
        told_apart += u32::from(differs);
    }
    assert!(compared > 12 && told_apart + 2 >= compared, "{told_apart} of {compared}");
}

#[test]
fn no_verdict_changes() {
    let mut fewer = 0;
    for case in ALIKE.iter().chain(NOT_ALIKE) {
        let (full, left) = compare(case.0, &model(&small_text_of(case)));
        fewer += u32::from(left < full);
    }
    assert!(fewer as usize >= ALIKE.len(), "{fewer}");
}

/// What goes wrong behind a loop is found, and the counterexample is a run of the model as it was written.
#[test]
fn what_goes_wrong_is_found() {
    for case in ALIKE {
        let text =
            text_of(case).replace("f[_pid] = !f[_pid]", "f[_pid] = !f[_pid]; assert(n < 2 && a[0] + a[1] + a[2] < 4)");
        let model = model(&text);
        compare(case.0, &model);
        for search in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let request = PlanRequest { search, ..PlanRequest::new(SAFETY.to_vec()) };
            let result = check(&model, request);
            let entry = result.verdicts.iter().find(|entry| entry.property == Property::Assertions);
            let Some(Verdict::Violated(witness)) = entry.map(|entry| &entry.verdict) else {
                panic!("{}: {:?}", case.0, result.verdicts);
            };
            let confirmed = certified::of_processes(&model, Fairness::None, Property::Assertions, witness);
            assert!(confirmed.is_ok(), "{}: {:?}", case.0, confirmed.err());
        }
    }
}

/// The first value of a counter may be known because nothing else is in it at the start. A permutation must not change it there.
#[test]
fn a_counter_is_a_number_outside_of_its_loop() {
    let text = "byte who = 9, n; bool f[3]; active [3] proctype P() { byte k;
        d_step { skip; do :: k < 3 -> f[k] = 1 - f[k]; k++ :: else -> break od };
        do :: who = _pid :: f[_pid] = 0 :: atomic { who != 9 -> k = who; who = 9 } od }";
    let model = model(text);
    let (smaller, found) = prepared(&model);
    assert!(order(&found) < 6, "{found:?}");
    if let Ok(found) = found {
        takes_steps_to_steps("counter", &smaller, &found.symmetry);
    }
    compare("counter", &model);
}

/// Behind such a loop, others may move.
#[test]
fn a_loop_at_the_end_of_an_atomic_gives_the_right_to_move_back() {
    let model = model(&program("atomic { n = 1; each { a[k] = 1 } }; n = 0 :: assert(n == 0)"));
    assert_eq!(order(&prepared(&model).1), 6);
    compare("the end of an atomic", &model);
    let result =
        check(&model, PlanRequest { reductions: only(Reduction::Symmetry), ..PlanRequest::new(SAFETY.to_vec()) });
    let is_violated = |entry: &PropertyVerdict| matches!(entry.verdict, Verdict::Violated(_));
    assert!(result.verdicts.iter().any(is_violated));
}

/// What goes wrong within a loop is found, too, and where: the run is followed to there.
#[test]
fn what_goes_wrong_inside_is_found() {
    for body in [
        "atomic { for (k : 0 .. 3) { a[k] = 0 } }",
        "d_step { for (k : 0 .. 3) { a[k] = 0 } }",
        "atomic { each { n = n + 1; assert(a[k] < 2) }; n = 0 }",
        "atomic { each { if :: a[k] == 2 -> mine[a[k] + 1] = 1 :: else fi } }",
        "d_step { each { if :: a[k] == 2 -> q[k]!1; q[k]!1 :: else fi } }",
        "atomic { each { m = m | (4 / (2 - a[k])) }; m = 0 }",
    ] {
        let model = model(&program(body));
        compare(body, &model);
        for reductions in [ReduceChoice::Auto, only(Reduction::Symmetry)] {
            let Ok(_) =
                plan(&model, PlanRequest { reductions: reductions.clone(), ..PlanRequest::new(SAFETY.to_vec()) })
            else {
                continue;
            };
            let result = check(&model, PlanRequest { reductions, ..PlanRequest::new(SAFETY.to_vec()) });
            let entry = result.verdicts.iter().find(|entry| entry.property == Property::Assertions);
            let Some(Verdict::Violated(witness)) = entry.map(|entry| &entry.verdict) else {
                panic!("{body}: {:?}", result.verdicts);
            };
            let confirmed = certified::of_processes(&model, Fairness::None, Property::Assertions, witness);
            assert!(confirmed.is_ok(), "{body}: {:?}", confirmed.err());
        }
    }
}

#[test]
fn no_verdict_on_a_formula_changes() {
    let mut violated = 0;
    for case in ALIKE.iter().chain(NOT_ALIKE).step_by(4) {
        for formula in ["[] (n == 1 -> <> (n == 0))", "<> [] (n == 0)", "[] !(a[0] == 1 && a[1] == 1 && a[2] == 1)"] {
            let options = LoadOptions { ltl: vec![formula.to_owned()], ..LoadOptions::default() };
            // All runs are looked at, so there should not be too many.
            let text = text_of(case).replace("a[_pid] < 2 ->", "a[_pid] < 1 ->");
            let model = model_with(&text, options);
            let property = Property::Claim(ClaimId(0));
            let request = |reductions| PlanRequest { reductions, ..PlanRequest::new(vec![property]) };
            let full = check(&model, request(ReduceChoice::None));
            let expected = matches!(full.verdicts[0].verdict, Verdict::Violated(_));
            violated += u32::from(expected);
            for reductions in [ReduceChoice::Auto, only(Reduction::Symmetry)] {
                if plan(&model, request(reductions.clone())).is_err() {
                    continue;
                }
                let result = check(&model, request(reductions));
                match &result.verdicts[0].verdict {
                    Verdict::Violated(witness) => {
                        let confirmed = certified::of_processes(&model, Fairness::None, property, witness);
                        assert!(expected && confirmed.is_ok(), "{}, {formula}: {:?}", case.0, confirmed.err());
                    }
                    Verdict::Holds => assert!(!expected, "{}, {formula}", case.0),
                    verdict => panic!("{}, {formula}: {verdict:?}", case.0),
                }
            }
        }
    }
    assert!(violated > 10, "{violated}");
}

/// What is in the way is told with the line where it is.
#[test]
fn the_statement_that_is_in_the_way_is_named() {
    for (body, expected) in [
        ("d_step { each { n = a[k] } }", "the loop over `k` does not treat all alike: the order"),
        ("d_step { each { if :: f[k] -> break :: else fi } }", "the loop over `k` may be left early"),
        ("atomic { each { f[k]; a[k] = 1 } }", "the loop over `k` is not one step: it may wait or choose inside"),
        ("slow = 1; each { a[k] = 0 }; slow = 0", "is not one step: it is not atomic"),
    ] {
        let (found, wanted) = find_at_all(&model(&program(body)));
        assert_eq!(wanted, ModelReductions::default());
        let obstacles = found.expect_err(body);
        let is_told = obstacles.iter().any(|obstacle| obstacle.because.contains(expected) && obstacle.at.is_some());
        assert!(is_told, "{body}: {obstacles:?}");
    }
}
