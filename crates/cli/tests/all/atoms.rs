//! Whatever a property asks for, no reduction may overlook it: for each kind of atom a program in which it holds together
//! with `g == 1` only if one process waits for the other at the right moment.

use std::collections::BTreeSet;

use crate::common::{reductio, scratch};

/// The row of the table in `docs/decisions/0017-what-a-reduction-asks-of-a-property.md`, a program, the atom.
const KINDS: [(&str, &str, &str); 12] = [
    ("a global variable", "byte h; active proctype P() { h = 1; h = 2; h = 3 }", "h == 1"),
    ("a local variable", "active proctype P() { byte h; h = 1; h = 2; h = 3 }", "P:h == 1"),
    ("a label", "active proctype P() { a: skip; b: skip; c: skip }", "P@b"),
    ("`np_`", "active proctype P() { skip; progress: skip; skip }", "!np_"),
    ("a channel's length", "chan c = [1] of { byte }; active proctype P() { byte x; c!1; c?x; false }", "len(c) == 1"),
    ("a message in a channel", "chan c = [1] of { byte }; active proctype P() { byte x; c!1; c?x; false }", "c?[1]"),
    ("`_nr_pr`", "active proctype P() { skip; skip }", "_nr_pr == 2"),
    ("`enabled`", "active proctype P() { skip; skip; false }", "enabled(1)"),
    ("`pc_value`", "active proctype P() { skip; skip; skip }", "pc_value(1) == 1"),
    ("`timeout`", "active proctype P() { g == 1; false }", "timeout"),
    ("`_last`", "active proctype P() { skip; skip }", "_last == 1"),
    (
        "a priority",
        "active proctype P() { set_priority(_pid, 2); g == 1; set_priority(_pid, 3) }",
        "get_priority(1) == 2",
    ),
];

/// The first one is what the others are compared with.
const REDUCTIONS: [&[&str]; 10] = [
    &["--reduce", "none"],
    &[],
    &["--search", "dfs"],
    &["--threads", "2"],
    &["--reduce", "por"],
    &["--reduce", "sleep", "--search", "dfs"],
    &["--reduce", "symmetry"],
    &["--reduce", "path"],
    &["--reduce", "dead"],
    &["--reduce", "slice"],
];

/// Asks in every way. A reduction is refused, or finds what there is to be found.
fn all_find_it_broken(name: &str, model: &str, question: [&str; 2]) {
    let path = scratch(&format!("{name}.pml")).display().to_string();
    std::fs::write(&path, model).expect("a model can be written");
    for reduction in REDUCTIONS {
        let run =
            reductio(&[&["check", &path, "--vacuity", "off", "--no-deadlock"], &question[..], reduction].concat());
        let is_refused = run.code == Some(2) && run.err.contains("is not available");
        assert!(
            run.code == Some(1) || is_refused && reduction != REDUCTIONS[0],
            "{reduction:?} {question:?} of {model}\n{run:?}"
        );
    }
}

#[test]
fn no_reduction_overlooks_what_a_property_asks_for() {
    for (number, (_, process, atom)) in KINDS.into_iter().enumerate() {
        let model = format!("byte g; active proctype Q() {{ g = 1 }} {process}");
        let invariant = format!("!(g == 1 && {atom})");
        all_find_it_broken(&format!("atom_{number}"), &model, ["--invariant", &invariant]);
        all_find_it_broken(&format!("atom_{number}"), &model, ["--ltl", &format!("[] {invariant}")]);
        all_find_it_broken(&format!("atom_{number}"), &model, ["--ltl", &format!("{invariant} W false")]);
    }
}

#[test]
fn the_table_of_what_reductions_ask_has_these_kinds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/decisions/0017-what-a-reduction-asks-of-a-property.md");
    let text = std::fs::read_to_string(path).expect("the decision is there");
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    let documented: BTreeSet<&str> = rows.filter_map(|row| row.split('|').nth(1).map(str::trim)).collect();
    assert_eq!(documented, KINDS.map(|(kind, ..)| kind).into_iter().collect());
}

#[test]
fn steps_from_one_label_to_another_are_seen() {
    let three = "byte g; active proctype P() { a: skip; b: skip; c: skip }";
    let moves = format!("{three} active proctype Q() {{ g = 1 }}");
    all_find_it_broken("labels_1", &moves, ["--ltl", "[] ((P@a && g == 1) -> P@b)"]);
    all_find_it_broken("labels_2", &moves, ["--invariant", "!(P@a && g == 1) || P@b"]);
    all_find_it_broken("labels_3", &moves, ["--ltl", "[] (g == 1 -> !P@a || P@b || P@c)"]);
    let toggles = format!("{three} active proctype Q() {{ do :: g = 1 - g od }}");
    all_find_it_broken("labels_4", &toggles, ["--ltl", "(<> (g == 0)) && (P@a U P@b)"]);
    let two = "active [2] proctype A() { L0: skip; L1: false }";
    all_find_it_broken("labels_5", two, ["--ltl", "[] !(A[0]@L1 && A[1]@L0)"]);
    // Whoever is chosen to stand for both, one of these is about the other.
    let two_for_ever = "active [2] proctype A() { do :: skip; L0: skip; L1: skip od }";
    for (number, model) in [two, two_for_ever].into_iter().enumerate() {
        all_find_it_broken(&format!("labels_6_{number}"), model, ["--invariant", "!(A[0]@L1 && A[1]@L0)"]);
        all_find_it_broken(&format!("labels_7_{number}"), model, ["--invariant", "!(A[1]@L1 && A[0]@L0)"]);
    }
    let five =
        "byte g; active proctype P() { a: skip; b: skip; c: skip; d: skip; e: skip } active proctype Q() { g = 1 }";
    all_find_it_broken("labels_8", five, ["--invariant", "P@e || !(P@c && g == 1)"]);
    all_find_it_broken("labels_9", five, ["--invariant", "!(P@c && g == 1) || P@e"]);
}

#[test]
fn progress_is_seen_beside_labels() {
    let model = "byte g; active proctype P() { a: skip; progress_b: skip; c: skip; d: skip }
                 active proctype Q() { progress: g = 1 }";
    all_find_it_broken("progress_1", model, ["--ltl", "[] !(P@c && np_ && g == 1)"]);
    all_find_it_broken("progress_2", model, ["--ltl", "[] ((g == 1 && !P@c && !P@d) -> !np_)"]);
    all_find_it_broken("progress_3", model, ["--invariant", "!(g == 1 && np_ && P@a)"]);
}
