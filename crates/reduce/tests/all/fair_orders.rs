//! Leaving out orders under fairness: a run that is fair must not stand for others that are not, or the other way round.

use reductio_explicit::plain::has_accepted_run;
use reductio_frontends::promela::LoadOptions;
use reductio_model::{ClaimId, Interpreter, Model, Property};
use reductio_reduce::{Fairness, PlanRequest, ReduceChoice, Reduction, plan};

use crate::partial_orders::{check, is_violated, model};

const CLAIM: Property = Property::Claim(ClaimId(0));

/// With the formula that is asked first.
fn with_formula(text: &str, formula: &str) -> Model {
    model(text, LoadOptions { ltl: vec![formula.to_owned()], ..LoadOptions::default() })
}

/// Whether the formula is violated: with nothing left out, with orders left out, and as the interpreter says.
fn is_violated_by_all(name: &str, model: &Model, fairness: Fairness) -> bool {
    let (violated, _) = compare(name, model, fairness);
    let claim = model.claim(ClaimId(0));
    let meant = has_accepted_run(&Interpreter::new(model), claim, fairness, 10_000).expect("the model is small");
    assert_eq!(violated, meant, "{name}, {fairness:?}: nothing left out");
    violated
}

/// Whether the formula is violated, with nothing left out and with orders left out; and the states of both searches.
fn compare(name: &str, model: &Model, fairness: Fairness) -> (bool, [u64; 2]) {
    let request = |reductions| PlanRequest { reductions, fairness, ..PlanRequest::new(vec![CLAIM]) };
    let [full, reduced] = [ReduceChoice::None, ReduceChoice::List(vec![Reduction::PartialOrder])].map(request);
    assert!(plan(model, reduced.clone()).is_ok(), "{name}, {fairness:?}: orders can be left out");
    let [full, reduced] = [full, reduced].map(|request| check(model, request));
    let [(_, violated)] = is_violated(&full)[..] else { panic!("one property is asked") };
    assert_eq!(is_violated(&reduced), [(CLAIM, violated)], "{name}, {fairness:?}");
    (violated, [full, reduced].map(|result| result.statistics.states))
}

const FAIR: [Fairness; 5] =
    [Fairness::Maximal, Fairness::Weak, Fairness::Strong, Fairness::OperationJustice, Fairness::OperationFairness];

/// All orders in which three processes can be declared.
fn in_all_orders([a, b, c]: [&str; 3]) -> Vec<String> {
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(|three| three.concat()).to_vec()
}

/// Steps that have nothing else to do with each other decide together whether somebody can move: it depends on their order
/// whether that one is ever able to, and so does the property.
#[test]
fn whoever_waits_for_two_others_is_told_when_both_are_ready() {
    let zed = "active proctype Z() { do :: z = 1; z = 0 od } ";
    // One that is slow: what others do meanwhile is not done at once for another reason.
    let slow = "active proctype Z() { do :: z = 1; z = 0; skip; skip od } ";
    let bee = "active proctype B() { do :: y = 1; y = 0 od } ";
    let queue = "active proctype B() { do :: q!1; q?_ od } ";
    let partner = "active proctype B() { bit i; do :: i = 1; if :: i = 0 :: r?_ -> i = 0 fi od } ";
    let reader = "active proctype B() { do :: q!1 :: q?1 od } ";
    let mut verdicts = Vec::new();
    for (other, waiter) in [
        (bee, "active proctype W() { (z && y) -> done = 1 } "),
        (bee, "active proctype W() { (z || y) -> done = 1 } "),
        (bee, "active proctype W() { do :: (z && y) -> done = 1 od } "),
        (bee, "active proctype W() { if :: (z && y) -> done = 1 :: (z && !y && false) fi } "),
        (bee, "active proctype W() provided (z) { (y) -> done = 1 } "),
        (bee, "active proctype W() provided (z && y) { done = 1 } "),
        (bee, "active proctype W() provided (z && y) { do :: done = 1 od } "),
        (bee, "active proctype W() { d_step { (z && y) -> done = 1 } } "),
        (bee, "active proctype W() { atomic { (z && y) -> done = 1; done = 0 } } "),
        (queue, "active proctype W() { (z && nempty(q)) -> done = 1 } "),
        (queue, "active proctype W() { (z && len(q) == 1) -> done = 1 } "),
        (queue, "active proctype W() provided (z) { q?<1> -> done = 1 } "),
        (reader, "active proctype W() provided (z) { q?1 -> done = 1 } "),
        (reader, "active proctype W() provided (z) { q!1 -> done = 1 } "),
        (partner, "active proctype W() provided (z) { r!1; done = 1 } "),
    ] {
        for text in [zed, slow].into_iter().flat_map(|zed| in_all_orders([zed, other, waiter])) {
            let text = format!("bit y, z, done; chan q = [1] of {{ bit }}; chan r = [0] of {{ bit }}; {text}");
            let asked = with_formula(&text, "<> done");
            for fairness in FAIR {
                verdicts.push(is_violated_by_all(&text, &asked, fairness));
            }
        }
    }
    assert!(verdicts.contains(&true) && verdicts.contains(&false), "fairness matters");
}

/// What need not be kept in order is not: who counts for itself does so in one order only, whatever others wait for.
#[test]
fn fairness_keeps_few_orders() {
    let counters = "active [3] proctype C() { byte i; do :: i < 4 -> i++ :: else -> break od } ";
    let switch = "active proctype S() { do :: x = 1; x = 0 od } active proctype W() { x; done = 1 } ";
    let asked = with_formula(&format!("bit x, done; {counters}{switch}"), "[] <> done || [] <> x");
    for fairness in FAIR {
        let (_, [full, reduced]) = compare("counters", &asked, fairness);
        assert!(reduced * 10 < full, "{fairness:?}: {reduced} of {full} states");
    }
}

/// Of a maximal trace nothing is left out on which nothing depends. What depends on what is read off the text: it may do so although it does
/// not in any state, and then whoever waits may wait forever.
#[test]
fn whatever_depends_on_nothing_else_is_done() {
    let waiter = "active proctype A() { a[i] = 1; done = 1 } ";
    for (text, is_violated) in [
        // The same array, though never the same element.
        ("active proctype B() { do :: a[j] = 1 - a[j] od } ", true),
        ("active proctype B() { do :: a[1] = 1 - a[1] od } ", true),
        ("active proctype B() { do :: other = 1 - other od } ", false),
        ("active proctype B() { do :: i = 0 od } ", true),
        ("active proctype B() { do :: j = a[j] od } ", true),
        ("active proctype B() { do :: timeout -> skip :: other = 1 - other od } ", false),
        ("active proctype B() { do :: _nr_pr > 1 -> other = 1 - other od } ", true),
        // Nobody keeps it from moving, and it does not.
        ("active proctype B() { do :: q!1; q?_ od } ", false),
    ] {
        let globals = "bit a[2], other, done; byte i, j = 1; chan q = [1] of { bit };";
        let asked = with_formula(&format!("{globals} {waiter}{text}"), "<> done");
        assert_eq!(is_violated_by_all(text, &asked, Fairness::Maximal), is_violated, "{text}");
        assert!(!is_violated_by_all(text, &asked, Fairness::Weak), "{text}");
    }
    // The channel is the same for both, whichever it is.
    for (used, is_violated) in [("q", true), ("r", false)] {
        let text = format!(
            "bit done; chan q = [1] of {{ bit }}; chan r = [1] of {{ bit }};
             active proctype A() {{ q!1; done = 1 }} active proctype B() {{ do :: nempty({used}) || true od }}"
        );
        let asked = with_formula(&text, "<> done");
        assert_eq!(is_violated_by_all(&text, &asked, Fairness::Maximal), is_violated, "{text}");
    }
}

/// A variable that nobody reads makes steps depend on each other all the same.
#[test]
fn smaller_models_do_not_tell_what_depends_on_what() {
    let text = "byte unread; bit done; active proctype A() { unread = 1; done = 1 } active proctype B() { do :: unread = 2 od }";
    let asked = with_formula(text, "<> done");
    let result = check(&asked, PlanRequest { fairness: Fairness::Maximal, ..PlanRequest::new(vec![CLAIM]) });
    assert_eq!(is_violated(&result), [(CLAIM, true)], "B may go on forever");
    assert!(is_violated_by_all(text, &asked, Fairness::Maximal));
}

/// Whoever goes around for ever puts off nobody else: neither alone, nor one of several, nor in an `atomic` that comes back.
#[test]
fn nobody_is_put_off_by_those_who_go_around() {
    let set = "bit p; active proctype A() { p = 1 } ";
    for idle in [
        "active proctype B() { do :: skip od } active proctype C() { do :: skip od } ",
        "active proctype B() { do :: atomic { skip; skip } od } ",
        "active proctype B() { do :: atomic { skip; if :: skip :: skip; skip fi } od } active proctype C() { do :: skip od } ",
    ] {
        for text in [format!("{set}{idle}"), format!("bit p; {idle}{}", set.trim_start_matches("bit p;"))] {
            let asked = with_formula(&text, "[] <> !p");
            for fairness in FAIR {
                assert!(is_violated_by_all(&text, &asked, fairness), "{fairness:?}: {text}");
            }
            assert!(is_violated_by_all(&text, &asked, Fairness::None), "{text}");
        }
    }
}
