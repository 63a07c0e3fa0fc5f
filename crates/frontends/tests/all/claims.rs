//! What claims mean. The runs of small programs are searched for one that breaks a claim, in a way too simple to be
//! wrong, and the answers are those of SPIN 6.5.2: `spin -a`, `gcc -DNOREDUCE`, `pan -a -E`, and `gcc -DNP`, `pan -l`
//! for non-progress cycles. Where we differ from SPIN, a comment says so.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;

use crate::common::product::is_violated;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{AtomId, Automaton, Binary, ClaimId, Expr, Model, PropertyKind, Unary};

fn model_with(text: &str, options: &LoadOptions) -> Model {
    let loaded = load("m.pml", text.as_bytes(), options, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{text}\n{}", loaded.diagnostics.render(&loaded.sources)))
}

fn model(text: &str) -> Model {
    model_with(text, &LoadOptions::default())
}

fn errors_with(text: &str, options: &LoadOptions) -> String {
    let loaded = load("m.pml", text.as_bytes(), options, &NoIncludes);
    assert!(loaded.model.is_none(), "{text} is accepted");
    loaded.diagnostics.render(&loaded.sources)
}

fn errors(text: &str) -> String {
    errors_with(text, &LoadOptions::default())
}

fn asked(ltl: &[&str]) -> LoadOptions {
    LoadOptions { ltl: ltl.iter().map(|text| (*text).to_owned()).collect(), ..LoadOptions::default() }
}

/// The only claim of a program, and whether some run breaks it.
fn only_claim_is_violated(text: &str) -> bool {
    let model = model(text);
    assert_eq!((model.claims.len(), model.unchecked.len()), (1, 0), "{text}");
    is_violated(&model, ClaimId(0))
}

fn check(program: &str, claims: &[(&str, bool)]) {
    for (claim, violated) in claims {
        let text = format!("{program}\n{claim}");
        assert_eq!(only_claim_is_violated(&text), *violated, "{text}");
    }
}

const COUNTS_TO_THREE: &str = "byte x; active proctype A() { x = 1; x = 2; x = 3 }";
const FLIPS: &str = "bit x; active proctype A() { do :: x = 1 - x od }";

#[test]
fn a_claim_reads_one_state_a_step() {
    check(
        COUNTS_TO_THREE,
        &[
            ("never { x == 0; x == 1 }", true),
            ("never { x == 1 }", false),
            ("never { x == 0; x == 0 }", false),
            // A jump that follows a guard costs nothing, one that is an option of its own reads a state.
            ("never { if :: x == 0 -> goto L fi; L: x == 1 -> x == 2 }", true),
            ("never { if :: goto L fi; L: x == 1 -> skip }", true),
            ("never { L: x == 1 -> skip }", false),
            // No `skip` is pruned, as it would be in a process.
            ("never { if :: skip; skip; x == 2 -> skip fi }", true),
            ("never { if :: skip; x == 2 -> skip fi }", false),
        ],
    );
}

#[test]
fn to_come_to_its_end_is_a_violation() {
    check(
        COUNTS_TO_THREE,
        &[
            ("never { do :: x == 3 -> break :: else od }", true),
            ("never { do :: x == 4 -> break :: else od }", false),
            ("never { end: x == 7 }", true),
            ("never { x == 0; end: do :: x == 7 od }", true),
            ("never { do :: assert(x < 3) od }", true),
            ("never { do :: assert(x < 4) od }", false),
        ],
    );
}

#[test]
fn a_claim_that_blocks_lets_the_run_go() {
    check(
        FLIPS,
        &[
            ("never { accept: do :: !x od }", false),
            ("never { accept: do :: !x :: x od }", true),
            ("never { do :: !x :: x od }", false),
            ("never { do :: x -> accept: !x :: else od }", true),
            // The label moves on to what follows the option's first step.
            ("never { do :: accept: x < 2 -> skip od }", true),
        ],
    );
}

#[test]
fn options_of_claims_are_those_of_processes() {
    check(
        COUNTS_TO_THREE,
        &[
            ("never { if :: x == 7 :: if :: x == 8 :: else -> skip fi fi }", true),
            ("never { { x < 9; x < 9; x < 9; x == 7 } unless { x == 2 -> skip } }", true),
            ("never { { x < 9; x < 9; x < 9; x == 7 } unless { x == 4 -> skip } }", false),
            ("never { { x == 0; x == 1 } unless { x == 0 -> false } }", false),
        ],
    );
}

#[test]
fn an_atomic_of_a_claim_reads_one_state() {
    check(
        COUNTS_TO_THREE,
        &[
            ("never { atomic { x == 0; x == 0; x == 0 } }", true),
            ("never { atomic { x == 0; x == 1 } }", false),
            ("never { do :: atomic { x == 1; x == 0 } :: x < 9 od }", false),
            ("never { atomic { x == 0; x == 0 }; x == 0; x == 0 }", false),
            ("never { atomic { x == 0; x == 0 }; x == 1; x == 2 }", true),
        ],
    );
}

#[test]
fn a_run_that_ends_stays_where_it_is() {
    let ends = "bit x; active proctype A() { x = 1 }";
    check(
        ends,
        &[
            ("ltl { <> (x == 2) }", true),
            ("ltl { <> [] (x == 1) }", false),
            ("ltl { [] <> (x == 0) }", true),
            ("never { do :: x == 1 -> break :: else od; accept: do :: x == 1 od }", true),
            // In SPIN, `_nr_pr` counts the claim as a process as soon as there is one, even for the processes. Not here.
            ("never { do :: x == 1 && _nr_pr == 0 -> break :: else od }", true),
        ],
    );
    let deadlock = "bit x; active proctype A() { x = 1 } active proctype B() { x == 5 }";
    check(deadlock, &[("ltl { <> (x == 2) }", true), ("ltl { [] !timeout }", true), ("ltl { <> timeout }", false)]);
    check(FLIPS, &[("ltl { [] !timeout }", false)]);
}

#[test]
fn nobody_looks_into_an_atomic_or_a_d_step() {
    check("bit x; active proctype A() { atomic { x = 1; x = 0 } }", &[("ltl { [] !x }", false)]);
    check("bit x; active proctype A() { d_step { x = 1; x = 0 } }", &[("ltl { [] !x }", false)]);
    check("bit x; active proctype A() { d_step { x = 1; x = 0 } }", &[("ltl { <> x }", true)]);
    let blocks = "byte x; chan c = [0] of { byte };
                  active proctype A() { atomic { x = 1; c?1; x = 0 } } active proctype B() { c!1 }";
    check(blocks, &[("ltl { [] (x == 0) }", true)]);
}

#[test]
fn formulas_look_into_processes() {
    let two = "byte x; active proctype A() { x = 1; x == 5 } active proctype B() { x == 1; x = 2 }";
    check(two, &[("ltl { [] (enabled(0) || enabled(1)) }", true)]);
    let labelled = "byte x; active proctype A() { byte i = 1; lab: x = 1 }";
    check(labelled, &[("ltl { <> [] (A[0]:i == 1) }", true), ("ltl { <> [] !A[0]@lab }", false)]);
}

#[test]
fn a_cycle_through_an_acceptance_label_is_a_violation() {
    let violated = |text: &str| {
        let model = model(text);
        assert_eq!((model.claims[0].name.as_str(), model.claims[0].kind), ("acceptance", PropertyKind::Acceptance));
        only_claim_is_violated(text)
    };
    assert!(violated("bit x; active proctype A() { x = 1; accept: do :: x = 1 - x od }"));
    assert!(!violated("bit x; active proctype A() { accept: x = 1; do :: x = 1 - x od }"));
    // Also if the process rests at the label, for want of anything else or while others go on.
    assert!(violated("bit x; active proctype A() { x = 1; accept: x == 5 }"));
    assert!(violated("bit x; active proctype A() { accept: x == 5 } active proctype B() { do :: x = 1 - x od }"));
    assert!(!violated("bit x; active proctype A() { x = 1; accept: skip }"));
    // SPIN warns: the label is invisible.
    assert!(!violated("byte x; active proctype A() { do :: atomic { x = 1; accept: x = 2; x = 3 } od }"));
}

/// With a claim, SPIN counts acceptance labels of processes too, and reports a cycle through one as a violation of the
/// claim, though the formula holds. Here the two are two properties.
#[test]
fn acceptance_labels_do_not_break_formulas() {
    let text = "bit x; active proctype A() { x = 1; accept: do :: x = 1 - x od } ltl p { [] (x < 2) }";
    let model = model(text);
    let names: Vec<&str> = model.claims.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(names, ["p", "acceptance"]);
    assert!(!is_violated(&model, ClaimId(0)));
    assert!(is_violated(&model, ClaimId(1)));
}

/// A run that ends, in a valid end state or not, is no non-progress cycle for SPIN, with fairness or without. So for this
/// kind of claim alone, a run that ends must not be taken to stay in its last state: it is a deadlock or nothing.
#[test]
fn a_cycle_without_progress_is_a_violation() {
    let violated = |text: &str| {
        let model = model(text);
        assert_eq!((model.claims[0].name.as_str(), model.claims[0].kind), ("progress", PropertyKind::Progress));
        only_claim_is_violated(text)
    };
    assert!(violated("bit x; active proctype A() { progress: x = 1; do :: x = 1 - x od }"));
    assert!(!violated("bit x; active proctype A() { do :: x = 1; progress: x = 0 od }"));
    assert!(violated("bit x; active proctype A() { do :: x = 1; progress: x = 0 :: x = 1 od }"));
    assert!(violated("bit x; active proctype A() { progress: x = 1; do :: timeout -> x = 1 - x od }"));
    // SPIN warns: the label is invisible.
    assert!(violated("byte x; active proctype A() { do :: atomic { x = 1; progress: x = 2; x = 3 } od }"));
    // These end.
    assert!(!violated("bit x; active proctype A() { progress: x = 1; x = 0 }"));
    assert!(!violated("bit x; active proctype A() { progress: x = 1; x == 5 }"));
    assert!(!violated("bit x; active proctype A() { progress: x = 1; end: x == 5 }"));
    assert!(!violated("byte x; active proctype A() { if :: x == 7 -> progress: skip :: else fi; x == 5 }"));
}

/// The value of a condition over `p` and `q`, the globals 0 and 1.
fn value(expr: &Expr, letter: [bool; 2]) -> i32 {
    match expr {
        Expr::Const(value) => *value,
        Expr::Read(place) => letter[place.base as usize] as i32,
        Expr::Unary(Unary::Not, operand) => (value(operand, letter) == 0) as i32,
        Expr::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            Expr::apply(*operator, value(left, letter), value(right, letter)).unwrap()
        }
        other => panic!("{other:?} is in no formula here"),
    }
}

/// The words of up to four letters over `p` and `q`, with the position to go back to.
fn lassos() -> Vec<(Vec<[bool; 2]>, usize)> {
    let letters = [[false, false], [false, true], [true, false], [true, true]];
    let mut words: Vec<Vec<[bool; 2]>> = vec![Vec::new()];
    let mut lassos = Vec::new();
    for _ in 0..4 {
        words = words.iter().flat_map(|word| letters.map(|letter| [&word[..], &[letter]].concat())).collect();
        lassos.extend(words.iter().flat_map(|word| (0..word.len()).map(move |back| (word.clone(), back))));
    }
    lassos
}

/// SPIN's translation of a formula and ours have nothing in common but the formula.
#[test]
fn never_claims_by_spin_and_our_formulas_mean_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/claims/spin-f.txt");
    let recorded = std::fs::read_to_string(path).unwrap();
    let claims: Vec<&str> = recorded.split("\nnever ").skip(1).collect();
    assert_eq!(claims.len(), 37);
    let lassos = lassos();
    for claim in claims {
        let formula = claim.split_once("/* !(").unwrap().1.split_once(") */").unwrap().0;
        let text = format!("bit p, q;\nltl {{ {formula} }}\nnever {claim}\ninit {{ skip }}");
        let model = model(&text);
        assert!(model.unchecked.is_empty() && model.claims.len() == 2, "{text}");
        let accepts = |automaton: &Automaton, word: &[[bool; 2]], back: usize| {
            let holds = |atom: AtomId, position: usize| value(&model.atoms[atom.index()].expr, word[position]) != 0;
            automaton.accepts(word.len(), back, holds)
        };
        for (word, back) in &lassos {
            let [ours, spins] = [0, 1].map(|index| accepts(&model.claims[index].violations, word, *back));
            assert_eq!(ours, spins, "{formula} on {word:?}, back to {back}");
        }
    }
}

#[test]
fn formulas_from_the_command_line_are_claims_named_by_their_texts() {
    let text = "#define ONE 1\nbyte x; ltl p { <> (x == 1) } active proctype P() { byte i; here: x = 1 }";
    let options = LoadOptions {
        invariants: vec!["x < 2".to_owned(), "x < 2".to_owned()],
        ..asked(&["[] (x < 2)", "<> (x == ONE && P[0]:i == 0)"])
    };
    let model = model_with(text, &options);
    let names: Vec<&str> = model.claims.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(names, ["p", "[] (x < 2)", "<> (x == ONE && P[0]:i == 0)"]);
    assert_eq!(model.claims[1].position, None);
    assert_eq!(model.claims[0].position.map(|position| position.line), Some(2));
    // The invariants come first, each as an atom of its own. A formula may use them.
    let atoms: Vec<&str> = model.atoms.iter().map(|atom| atom.text.as_str()).collect();
    assert_eq!(atoms, ["x < 2", "x < 2", "x == 1", "P[0]:i == 0"]);
    assert_eq!(model.claims[1].violations.atoms(), [AtomId(0)]);
}

#[test]
fn what_only_a_formula_mentions_is_part_of_the_state() {
    let hidden = "hidden byte h; active proctype P() { h = 1 }";
    assert_eq!(model_with(hidden, &asked(&["[] (h == 0)"])).globals.len(), 1);
    assert!(model_with("byte x; active [2] proctype P() { x++ }", &asked(&["[] (_last == 0)"])).features.last);
    let labelled = "byte x; active proctype P() { x = 1; lab: goto fin; fin: x = 2 }";
    assert_eq!(model_with(labelled, &asked(&["[] !P[0]@lab"])).proctypes[0].labels.len(), 2);
}

#[test]
fn mistakes_in_formulas_are_shown_where_they_are() {
    let process = "byte x; active proctype P() { x = 1 }";
    let error = errors(&format!("{process}\nltl p {{ [] (nosuch == 1) }}"));
    assert!(error.contains("m.pml:2:") && error.contains("`nosuch` is not declared"), "{error}");
    let error = errors_with(process, &asked(&["[] (x == 0)", "<> (y == 1)"]));
    assert!(error.contains("<ltl>:1:5") && error.contains("`y` is not declared"), "{error}");
    let error = errors_with(process, &asked(&["[] (x == "]));
    assert!(error.contains("<ltl>:1"), "{error}");
    assert!(errors(&format!("{process} ltl {{ [] (P[0]@nowhere) }}")).contains("no label `nowhere`"));
    assert!(errors(&format!("{process} ltl {{ [] (P[0]:y == 1) }}")).contains("no variable `y`"));
    assert!(errors(&format!("{process} ltl {{ [] (_pid == 1) }}")).contains("no process"));
    assert!(errors(&format!("{process} ltl {{ <> (run P()) }}")).contains("`run`"));
    assert!(errors(&format!("{process} never {{ do :: nosuch od }}")).contains("`nosuch` is not declared"));
    assert!(errors(&format!("{process} never {{ goto nowhere }}")).contains("no label `nowhere`"));
}

#[test]
fn formulas_that_are_too_large_say_what_to_do() {
    let process = "byte x; active proctype P() { x = 1 }";
    let wide: Vec<String> = (0..70).map(|value| format!("<> (x == {value})")).collect();
    let error = errors(&format!("{process} ltl {{ {} }}", wide.join(" && ")));
    assert!(error.contains("70 different atoms") && error.contains("check its parts one by one"), "{error}");
    let deep = format!("{}(x == 0)", "<> (x == 1) U ".repeat(2_000));
    let error = errors(&format!("{process} ltl {{ {deep} }}"));
    assert!(error.contains("deep"), "{error}");
}

#[test]
fn claims_have_names_of_their_own() {
    let process = "byte x; active proctype P() { x = 1 }";
    let model = model(&format!(
        "{process} ltl a {{ [] (x < 2) }} ltl {{ <> (x == 1) }} never {{ x == 1 }} never b {{ x == 2 }} never {{ x == 3 }} ltl {{ <> x }}"
    ));
    let names: Vec<&str> = model.claims.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(names, ["a", "ltl_0", "never", "b", "never_1", "ltl_1"]);
    let twice = errors(&format!("{process} ltl a {{ [] (x < 2) }}\nltl a {{ <> (x == 1) }}"));
    assert!(twice.contains("m.pml:2:") && twice.contains("there is a claim `a` already"), "{twice}");
}

/// SPIN was run with `-o1 -o2 -o3` here: otherwise it merges assignments of a claim, which then reads fewer states.
#[test]
fn claims_remember_what_they_like() {
    check(
        COUNTS_TO_THREE,
        &[
            ("never { bit s; do :: s == 0 && x == 1 -> s = 1 :: s == 1 && x == 3 -> break :: else od }", true),
            ("never { bit s; do :: x == 1 && s == 0 -> s = 1 :: x == 1 && s == 1 -> break :: else od }", false),
            ("never { bit s = 1; s == 1; x == 1 }", true),
            ("never { bit s = 1; s == 1; x == 2 }", false),
            ("never { byte n; do :: n < 3 -> n++ :: n == 3 -> break od; x == 3 }", true),
            ("never { byte n; do :: n < 2 -> n++ :: n == 2 -> break od; x == 3 }", true),
            ("never { bool b; b = (x == 0); b -> x == 2 }", true),
            ("never { bool b; b = (x == 1); b -> x == 2 }", false),
            ("never { byte y = 255; y++; y == 0 -> x == 2 }", true),
            ("never { byte a[2]; a[1] = 1; a[0] = a[1] + 1; x == a[0] }", true),
            ("never { byte a[2]; a[1] = 1; a[0] = a[1] + 1; x != a[0] }", false),
            ("never { bit s; if :: s -> skip :: else -> x == 1 fi; x == 2 }", true),
            ("never { byte n; atomic { n = 1; n = n + 1; x == 0 }; x + 1 == n; x == n }", true),
            ("never { bit s; s = x; s -> skip }", false),
            ("never { bit s; skip; s = x; s -> skip }", true),
            ("never { bit s; skip; skip; s = x; s -> skip }", false),
            ("never { bit s; skip; s = x + 2; s -> x == 2 }", false),
        ],
    );
    check(
        FLIPS,
        &[
            ("never { bit s; accept: do :: x == s -> s = 1 - s od }", false),
            ("never { bit s; accept: do :: x == s -> s = 1 - s :: else od }", true),
            ("never { bit s; do :: s == 0 -> s = 1 :: s == 1 -> accept: s = 0 od }", true),
            ("never { byte n; do :: x -> n++; :: !x; :: n == 5 -> break od }", true),
            ("never { byte n; accept: do :: n < 10 -> n++ od }", false),
            ("never { bit l; do :: l = x; if :: x != l -> skip :: else -> break fi od }", false),
            ("never { bit l; do :: atomic { l = x; skip }; if :: x == l -> break :: else -> skip fi od }", false),
        ],
    );
}

#[test]
fn claims_that_remember_too_much_are_left_unchecked() {
    let claims = [
        ("never { byte y; y = x; skip; y != x }", "more than 64 different conditions"),
        ("never { byte y; do :: atomic { x == 2; y = x } :: y == 3 -> break :: else od }", "more than 10000 edges"),
        ("never { int y; do :: y++ od }", "more than 10000 states"),
        ("never { int y; atomic { do :: y++ od } }", "too many steps (line 2)"),
        ("never { byte a[257]; a[1] = 1 }", "more than 256 variables"),
        ("never { short y; y = x + 1; skip; x == y }", "too many values (line 2)"),
        ("never { byte a[2]; a[x] = 1 }", "depends on the processes (line 2)"),
        ("never { byte a[2], i = 2; a[i] = 1 }", "out of range (line 2)"),
        ("never { byte z; x == 1 / z }", "divides by zero (line 2)"),
        ("never { chan c = [1] of { byte }; x == 1 }", "channel of its own, `c`"),
    ];
    for (claim, why) in claims {
        let model = model(&format!("{COUNTS_TO_THREE}\n{claim}"));
        assert!(model.claims.is_empty() && model.atoms.is_empty(), "{claim}");
        assert!(model.unchecked[0].why.contains(why), "{claim}: {}", model.unchecked[0].why);
    }
}

#[test]
fn claims_with_effects_are_left_unchecked() {
    let program = "byte x; chan c = [1] of { byte }; active proctype P() { x = 1 } proctype Q() { skip }";
    let claims = [
        ("never { do :: x = 1 od }", "assigns"),
        ("never { c!1 }", "sends"),
        ("never { run Q() }", "runs a process"),
        ("never { byte y; y = 1; x = y }", "assigns to a variable of the model"),
        ("never { _pid == 0 }", "no pid"),
        ("never { d_step { x == 0; x == 0 } }", "d_step"),
        ("never { atomic { do :: x == 0 od } }", "loop inside an atomic"),
    ];
    for (claim, why) in claims {
        let model = model(&format!("{program}\n{claim}"));
        assert!(model.claims.is_empty(), "{claim}");
        assert_eq!((model.unchecked.len(), model.unchecked[0].name.as_str()), (1, "never"), "{claim}");
        assert!(model.unchecked[0].why.contains(why), "{claim}: {}", model.unchecked[0].why);
        assert_eq!(model.unchecked[0].position.line, 2, "{claim}");
    }
}

/// Of a claim that someone wrote it is known whether it counts states, so that steps can be left out where it does not.
#[test]
fn claims_that_do_not_count_stutter() {
    for (claim, stutters) in [
        ("never { do :: x < 2 :: x == 2 -> break od; accept: do :: x == 2 od }", true),
        (
            "never { T0: if :: x == 1 -> goto accept :: true -> goto T0 fi; accept: if :: x == 1 -> goto accept fi }",
            true,
        ),
        ("never { do :: x == 0 :: x != 0 -> break od }", true),
        // After so many states, in the second state, in every other.
        ("never { true; x == 1 }", false),
        ("never { x == 0; accept: do :: x == 1 od }", false),
        ("never { x == 0; x == 0; do :: accept: true od }", false),
        ("never { do :: x == 1 -> true :: x == 1 -> accept: true od }", false),
        // Language and automaton are two things: which of the first states with one is the last is a guess.
        ("never { do :: x != 1 :: x == 1 :: x != 1 -> do :: x != 1 :: x == 1 -> break od; accept: x != 1 od }", false),
    ] {
        let text = format!("{COUNTS_TO_THREE} {claim}");
        assert_eq!(model(&text).claims[0].stutters, stutters, "{claim}");
    }
}
