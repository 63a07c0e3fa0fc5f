//! What is said of programs that are nearly right, or right and suspicious; and programs that are odd and right.

use crate::common::explore;
use crate::common::product::is_violated;
use reductio_frontends::Loaded;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{ClaimId, FaultKind, Model};

fn loaded(text: &str, ltl: &[&str]) -> Loaded<Model> {
    let ltl = ltl.iter().map(|formula| (*formula).to_owned()).collect();
    load("m.pml", text.as_bytes(), &LoadOptions { ltl, ..LoadOptions::default() }, &NoIncludes)
}

fn messages(text: &str) -> String {
    let loaded = loaded(text, &[]);
    loaded.diagnostics.render(&loaded.sources)
}

fn accepted(text: &str, ltl: &[&str]) -> Model {
    let loaded = loaded(text, ltl);
    loaded.model.unwrap_or_else(|| panic!("{text}\n{}", loaded.diagnostics.render(&loaded.sources)))
}

/// Exactly one message, and what must be in it.
fn one_message(text: &str, expected: &[&str]) {
    let messages = messages(text);
    let count = messages.matches(": error: ").count() + messages.matches(": warning: ").count();
    assert_eq!(count, 1, "{text}\n{messages}");
    for part in expected {
        assert!(messages.contains(part), "{text}\n{part}\n{messages}");
    }
}

#[test]
fn words_that_are_nearly_right() {
    one_message("init { asert(true) }", &["there is no inline `asert`", "did you mean `assert`?"]);
    one_message("init { prinf(\"x\") }", &["did you mean `printf`?"]);
    one_message("inline work(x) { skip } init { wrok(1) }", &["did you mean `work`?"]);
    one_message("init { nonsense(1) }", &["there is no inline `nonsense`"]);
    assert!(messages("proctyp P() { skip } init { skip }").contains("did you mean `proctype`?"));
    assert!(messages("typedef Node { byte a } Nod x; init { skip }").contains("did you mean `Node`?"));
    assert!(messages("elephant x; init { skip }").contains("types are bit, bool"));
    one_message("byte x; init { x = True }", &["`True` is not declared", "write `true`"]);
    one_message("byte x; init { x == FALSE }", &["write `false`"]);
}

#[test]
fn labels_that_nobody_sees() {
    let expected = ["`accept1` is seen only where a process waits inside this `atomic`", "before the `atomic`"];
    one_message("active proctype P() { do :: atomic { skip; accept1: skip } od }", &expected);
    one_message("active proctype P() { do :: atomic { skip; if :: accept1: skip fi } od }", &expected);
    for seen in ["atomic { accept1: skip; skip }", "accept1: atomic { skip; skip }", "atomic { skip; a1: skip }"] {
        assert_eq!(messages(&format!("active proctype P() {{ do :: {seen} od }}")), "", "{seen}");
    }
}

#[test]
fn signs_that_are_nearly_right() {
    let help = "write `->` for implication and behind a guard";
    one_message("byte x; init { if :: x == 0 => skip fi }", &["Promela has no `=>`", help]);
    one_message("byte x; init { skip } ltl p { [] (x == 0 => x == 1) }", &["Promela has no `=>`", help]);
    assert!(messages("init { do :: skip }").contains("this `do` needs an `od`"));
    assert!(messages("init { if :: skip }").contains("this `if` needs a `fi`"));
}

#[test]
fn variables_of_processes_in_formulas() {
    let program = "active proctype A() { skip } active [2] proctype P() { byte loc; loc = 1 }";
    one_message(&format!("{program} ltl p {{ [] (loc == 0) }}"), &["write `P[1]:loc`, 1 being the pid"]);
    one_message(&format!("{program} ltl p {{ [] (lok == 0) }}"), &["`lok` is not declared"]);
}

#[test]
fn constants_that_do_not_fit() {
    for (text, expected) in [
        ("byte x = 256; init { skip }", "256 does not fit into `x`, 0 is stored"),
        ("bit b = 2; init { skip }", "2 does not fit into `b`, 0 is stored"),
        ("byte x; init { x = 300 }", "300 does not fit into `x`, 44 is stored"),
        ("byte y; init { y = -1 }", "-1 does not fit into `y`, 255 is stored"),
        ("init { short z = 40000; skip }", "40000 does not fit into `z`, -25536 is stored"),
        ("byte a[2] = { 1, 256 }; init { skip }", "256 does not fit into `a`, 0 is stored"),
        ("typedef T { unsigned u : 3 = 8 } T t; init { skip }", "8 does not fit into `u`, 0 is stored"),
    ] {
        one_message(text, &["warning", expected]);
    }
    for text in ["byte x = 255; init { x = 0 }", "bit b[2] = 2; init { skip }", "short z = -32768; init { z = 32767 }"]
    {
        assert_eq!(messages(text), "", "{text}");
    }
}

#[test]
fn what_spin_accepts_and_ignores() {
    let structure = "typedef T { byte a; byte b = 7 } T x[2] = 255; init { assert(x[0].a == 0 && x[1].b == 7) }";
    one_message(structure, &["warning: `x` is a structure: its initial value is ignored"]);
    assert!(explore(&accepted(structure, &[])).faults.is_empty());
    let stray = "byte x; */\ninit {\n x = 1\n */ x = 2 }";
    assert_eq!(messages(stray).matches("warning: this `*/` ends no comment").count(), 2);
    assert_eq!(explore(&accepted(stray, &[])).states, 4);
}

#[test]
fn one_channel_may_have_two_names() {
    let body = "byte v; F!3; K?v; assert(v == 3 && F == K)";
    for declarations in [
        "chan K = [1] of { byte }; chan F = K;",
        "chan other = [2] of { bit }; chan K = [1] of { byte }; chan E = K; chan F = E;",
        "chan all[3] = [1] of { byte }; chan K = all[1]; chan F = all[1];",
    ] {
        let answer = explore(&accepted(&format!("{declarations} init {{ {body} }}"), &[]));
        assert!(answer.faults.is_empty(), "{declarations}");
    }
    let different = "chan c[2] = [1] of { byte }; chan K = c[0]; chan F = c[1]; init { assert(F == K) }";
    assert_eq!(explore(&accepted(different, &[])).faults, [FaultKind::AssertionViolated]);
}

#[test]
fn formulas_may_say_g_and_f() {
    let program = "byte x; active proctype P() { do :: x = 1 - x od }";
    for (formula, violated) in
        [("G (x < 2)", false), ("G F x", false), ("F G x", true), ("G !x", true), ("F[] x", true), ("F <> x", false)]
    {
        assert_eq!(is_violated(&accepted(program, &[formula]), ClaimId(0)), violated, "{formula}");
        let inside = format!("{program} ltl p {{ {formula} }}");
        assert_eq!(is_violated(&accepted(&inside, &[]), ClaimId(0)), violated, "{inside}");
    }
    // What these letters name in the program they still do.
    let program = "byte G, F[2]; active proctype P() { G = 1; F[1] = 1 }";
    for (formula, violated) in
        [("<> (G == 1)", false), ("[] !G", true), ("[] (F[1] -> G)", false), ("F F[1]", false), ("G -> F[1]", false)]
    {
        assert_eq!(is_violated(&accepted(program, &[formula]), ClaimId(0)), violated, "{formula}");
    }
}

#[test]
fn macros_leave_the_operators_of_formulas_alone() {
    let program = "#define W 2\n#define X 1\n#define F 3\n#define G(a) (a)\n
        byte x; active proctype P() { x = 1; x = W; x = 4 }";
    for (formula, violated) in [
        ("(x < W) W (x == W)", false),
        ("x < W W x == W", false),
        ("x < X W x == W", true),
        ("X (x == X)", false),
        ("[] (x != F)", false),
        ("F (x == W)", false),
        ("[] G(x < F)", true),
    ] {
        assert_eq!(is_violated(&accepted(program, &[formula]), ClaimId(0)), violated, "{formula}");
    }
}

/// A loop of a million rounds inside a `d_step` is an error, and to find that out must not take a million times as long as a
/// sum.
#[test]
fn long_sums_of_constants_are_worked_out_once() {
    let many = format!("1{}", " + 1".repeat(20_000));
    let model = accepted(&format!("byte x; init {{ d_step {{ do :: x < {many} -> x++ :: else -> break od }} }}"), &[]);
    assert_eq!(explore(&model).faults, [FaultKind::EndlessDStep]);
}

/// What is short stays as it was written: SPIN's `select` makes a choice of numbers, and a loop of anything else.
#[test]
fn short_sums_are_no_numbers() {
    let states = |bound: &str| {
        let model = accepted(&format!("byte x; init {{ select (x : 0 .. {bound}); x = 0 }}"), &[]);
        explore(&model).states
    };
    assert_eq!((states("3"), states("(4 - 1)")), (7, 14));
}
