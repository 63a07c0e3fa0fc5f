//! Automata as text, and back.

use crate::common::{Random, random_formula};
use reductio_logic::buchi::{Limits, Tgba, Translation, translate};
use reductio_logic::formats::dot::Drawing;
use reductio_logic::formats::{buchi_to_hoa, from_hoa, tgba_to_hoa, to_dot, to_never_claim};
use reductio_logic::lasso::accepts;
use reductio_logic::ltl::{Formulas, parse};
use reductio_logic::{Prop, Propositions};

fn automata(text: &str) -> (Translation, Propositions) {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(text, &mut formulas, &mut propositions).expect("it is a formula");
    (translate(&mut formulas, formula, &Limits::default()).expect("it is small"), propositions)
}

#[test]
fn a_generalised_automaton_in_the_hanoi_format() {
    let (automata, propositions) = automata("[] <> a && [] <> {b > \"0\"}");
    let expected = r#"HOA: v1
name: "both"
States: 1
Start: 0
AP: 2 "a" "b > \"0\""
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels trans-acc complete deterministic
--BODY--
State: 0
[!0&!1] 0
[0&!1] 0 {0}
[!0&1] 0 {1}
[0&1] 0 {0 1}
--END--
"#;
    assert_eq!(tgba_to_hoa(&automata.tgba, &propositions, Some("both")), expected);
}

#[test]
fn a_state_based_automaton_in_the_hanoi_format() {
    let (automata, propositions) = automata("a U b");
    let expected = r#"HOA: v1
States: 2
Start: 0
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic weak terminal
--BODY--
State: 0
[0&!1] 0
[1] 1
State: 1 {0}
[t] 1
--END--
"#;
    assert_eq!(buchi_to_hoa(&automata.buchi, &propositions, None), expected);
}

#[test]
fn a_never_claim() {
    let (automata, propositions) = automata("(x > 1) U !b");
    let expected = "never { /* until */
T0_init:
\tdo
\t:: ((x > 1) && (b)) -> goto T0_init
\t:: (!(b)) -> goto accept_all
\tod;
accept_all:
\tskip
}
";
    assert_eq!(to_never_claim(&automata.buchi, &propositions, Some("until")), expected);
    let (automata, propositions) = self::automata("[] <> a");
    let claim = to_never_claim(&automata.buchi, &propositions, Some("*/ proctype"));
    assert!(claim.starts_with("never { /* * / proctype */\n"), "{claim}");
    assert!(!claim.contains("skip"), "nothing accepts everything here: {claim}");
    let (automata, propositions) = self::automata("false");
    assert_eq!(to_never_claim(&automata.buchi, &propositions, None), "never {\nT0_init:\n\tfalse;\n}\n");
}

#[test]
fn a_drawing() {
    let (automata, propositions) = automata("a U {b == \"c\"}");
    let drawn = to_dot(Drawing::Buchi(&automata.buchi), &propositions, "until");
    let expected = r#"digraph "until" {
  rankdir=LR;
  start [shape=point];
  start -> 0;
  0 [shape=circle];
  0 -> 0 [label="a && !(b == \"c\")"];
  0 -> 1 [label="(b == \"c\")"];
  1 [shape=doublecircle];
  1 -> 1 [label="true"];
}
"#;
    assert_eq!(drawn, expected);
    let (automata, propositions) = self::automata("[] <> a");
    let drawn = to_dot(Drawing::Tgba(&automata.tgba), &propositions, "again");
    assert!(drawn.contains(r#"0 -> 0 [label="a\n{0}"];"#), "{drawn}");
}

/// A table with the texts `p0`, `p1`, ... for the propositions 0, 1, ...
fn numbered(count: u32) -> Propositions {
    let mut propositions = Propositions::new();
    for number in 0..count {
        assert_eq!(propositions.intern(&format!("p{number}")), Prop(number));
    }
    propositions
}

#[test]
fn what_is_written_is_read_back() {
    let mut random = Random::new(11);
    let mut propositions = numbered(4);
    for round in 0..400 {
        let mut formulas = Formulas::new();
        let formula = random_formula(&mut formulas, &mut random, 4 + round % 12, 4);
        let automata = translate(&mut formulas, formula, &Limits::default()).expect("it is small");
        let text = tgba_to_hoa(&automata.tgba, &propositions, None);
        assert_eq!(from_hoa(&text, &mut propositions).as_ref(), Ok(&automata.tgba), "{text}");
        let text = buchi_to_hoa(&automata.buchi, &propositions, None);
        assert_eq!(from_hoa(&text, &mut propositions).as_ref(), Ok(automata.buchi.as_tgba()), "{text}");
    }
}

fn read(text: &str) -> Tgba {
    from_hoa(text, &mut numbered(2)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Both automata accept the same short words.
fn same_language(one: &Tgba, other: &Tgba) {
    for word in crate::common::all_lassos(2, 1, 2) {
        assert_eq!(accepts(one, &word), accepts(other, &word), "{word:?}");
    }
}

#[test]
fn other_ways_to_say_the_same_are_read() {
    // p0 U p1.
    let plain = read(
        "HOA: v1 States: 2 Start: 0 AP: 2 \"p0\" \"p1\" Acceptance: 1 Inf(0) --BODY-- \
         State: 0 [0] 0 [1] 1 State: 1 {0} [t] 1 --END--",
    );
    assert!(
        accepts(&plain, &crate::common::all_lassos(2, 0, 1)[2])
            && !accepts(&plain, &crate::common::all_lassos(2, 0, 1)[1])
    );
    // Aliases, comments, unknown headers in lower case, names of states, acceptance on edges, another unused set.
    same_language(
        &plain,
        &read(
            "HOA: v1 /* a /* nested */ comment */ tool: \"x\" \"1\" Alias: @one 0 Start: 0 \
             AP: 2 \"p0\" \"p1\" Alias: @two @one & 1 | (!@one & 1) Acceptance: 2 Inf(1) --BODY-- State: 0 \"wait\" [@one] 0 {0} \
             [@two] 1 State: 1 [0 | !0] 1 {1 0} --END-- HOA: v2",
        ),
    );
    // Implicit labels: one edge for each valuation, in order.
    same_language(
        &plain,
        &read(
            "HOA: v1 States: 3 Start: 0 AP: 2 \"p0\" \"p1\" Acceptance: 1 Inf(0) --BODY-- State: 0 2 0 1 1 \
             State: 1 {0} 1 1 1 1 State: 2 2 2 2 2 --END--",
        ),
    );
    // Labels on states, and several initial states: p0 U p1 as the union of p1 and of p0 && X (p0 U p1).
    same_language(
        &plain,
        &read(
            "HOA: v1 Start: 0 Start: 1 AP: 2 \"p0\" \"p1\" Acceptance: 1 Inf(0) --BODY-- State: [0] 0 0 1 \
             State: [1] 1 2 State: [t] 2 {0} 2 --END--",
        ),
    );
    // No initial state: nothing is accepted. Trivial acceptance: every run is.
    let nothing = read("HOA: v1 AP: 0 Acceptance: 0 t --BODY-- --END--");
    assert!(crate::common::all_lassos(2, 1, 1).iter().all(|word| !accepts(&nothing, word)));
    let all = read("HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--");
    assert!(crate::common::all_lassos(2, 1, 1).iter().all(|word| accepts(&all, word)));
}

#[test]
fn what_cannot_be_used_is_refused_with_a_reason() {
    let whole = |acceptance: &str, body: &str| {
        format!("HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: {acceptance}\n--BODY--\n{body}\n--END--\n")
    };
    let refused = "only Büchi and generalised Büchi acceptance is supported, such as `2 Inf(0)&Inf(1)`";
    for (text, expected) in [
        ("".to_owned(), "line 1: expected `HOA: v1` at the start, found the end of the text".to_owned()),
        ("HOA: v2".to_owned(), "line 1: expected version `v1`, found `v2`".to_owned()),
        (whole("1 Fin(0)", ""), format!("line 5: expected `Inf(SET)`: {refused}, found `Fin`")),
        (whole("2 Inf(0)|Inf(1)", ""), format!("line 5: {refused}")),
        (whole("1 Inf(!0)", ""), format!("line 5: expected a set: {refused}, found `!`")),
        (whole("1 Inf(1)", ""), "line 5: there is no acceptance set 1".to_owned()),
        (whole("0 t", "State: 5"), "line 8: there is no state 5".to_owned()),
        (whole("0 t", "State: 0\n[t] 7"), "an edge leads to a state".to_owned()),
        (whole("0 t", "State: 0\n[1] 0"), "line 8: there is no proposition 1".to_owned()),
        (whole("0 t", "State: 0\n[@b] 0"), "line 8: there is no alias `@b`".to_owned()),
        (whole("0 t", "State: 0\n[t] 0&1"), "line 8: alternating automata are not supported".to_owned()),
        (whole("0 t", "State: 0\nState: 0"), "state 0 is described twice".to_owned()),
        (whole("0 t", "State: 0\n0 0 0"), "more edges than there are valuations".to_owned()),
        (whole("0 t", "State: 0 {"), "expected an acceptance set or `}`, found `--END--`".to_owned()),
        (whole("0 t", &format!("State: 0 [{}0", "(".repeat(100_000))), "a label nests too deeply".to_owned()),
        ("HOA: v1 Start: 0&1".to_owned(), "several states start at once".to_owned()),
        ("HOA: v1 Start: 3 States: 2 Acceptance: 0 t --BODY--".to_owned(), "an initial state".to_owned()),
        ("HOA: v1 States: 99999999".to_owned(), "99999999 states are more than 1000000".to_owned()),
        ("HOA: v1 States: 99999999999999999999".to_owned(), "`99999999999999999999` is too large".to_owned()),
        ("HOA: v1 AP: 65".to_owned(), "65 propositions are more than 64".to_owned()),
        ("HOA: v1 AP: 2 \"a\" \"a\"".to_owned(), "the proposition \"a\" is named twice".to_owned()),
        ("HOA: v1 Fairness: 1 --BODY-- --END--".to_owned(), "the header `Fairness:` is not known here".to_owned()),
        ("HOA: v1 --BODY-- --END--".to_owned(), "there is no header `Acceptance:`".to_owned()),
        ("HOA: v1 --ABORT--".to_owned(), "its writer gave up".to_owned()),
        ("HOA: v1 /* x".to_owned(), "this comment is never closed".to_owned()),
        ("HOA: v1 name: \"x".to_owned(), "this text is never closed".to_owned()),
    ] {
        let error = from_hoa(&text, &mut Propositions::new()).expect_err(&text).to_string();
        assert!(error.contains(&expected), "{error}\nshould say: {expected}");
    }
}

#[test]
fn mangled_automata_do_not_panic() {
    let (automata, propositions) = automata("[] (a -> <> (b && X c)) && [] <> b");
    let text = tgba_to_hoa(&automata.tgba, &propositions, Some("x"));
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '&', ':', '[', ']']).collect();
    let mut random = Random::new(5);
    let mut read = 0;
    for _ in 0..5000 {
        let mut mangled = words.clone();
        for _ in 0..1 + random.below(3) {
            let (from, to) = (random.below(mangled.len()), random.below(mangled.len()));
            match random.below(3) {
                0 => mangled[to] = mangled[from],
                1 => mangled.insert(to, words[from % words.len()]),
                _ => drop(mangled.remove(to)),
            }
        }
        if let Ok(automaton) = from_hoa(&mangled.concat(), &mut Propositions::new()) {
            let targets = automaton.edges.iter().flatten().map(|edge| edge.target);
            assert!(targets.chain([automaton.initial]).all(|state| state.index() < automaton.state_count()));
            read += 1;
        }
    }
    assert!(read > 50, "only {read} texts were automata");
}
