//! SMV: what wrong texts are told, that no text breaks the front end, and what right ones mean.
//!
//! Each `testdata/diagnostics/smv/NAME.smv` has its messages in `NAME.expected`; `REDUCTIO_BLESS=1` writes those anew.

use std::collections::BTreeSet;
use std::path::Path;

use reductio_frontends::Loaded;
use reductio_frontends::smv::{LoadOptions, MAX_FILE_SIZE, load};
use reductio_model::circuit::{Circuit, Simulator, Valuation};
use reductio_testing::golden::difference;

fn read(text: &str) -> Loaded<Circuit> {
    load("m.smv", text.as_bytes(), &LoadOptions::default())
}

fn messages(loaded: &Loaded<Circuit>) -> String {
    loaded.diagnostics.render(&loaded.sources)
}

/// The first message.
fn message(text: &str) -> String {
    let loaded = read(text);
    messages(&loaded);
    loaded.diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
}

#[test]
fn messages_are_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/diagnostics/smv");
    let (mut different, mut count) = (String::new(), 0);
    for entry in std::fs::read_dir(&directory).expect("there are wrong texts") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "smv") {
            continue;
        }
        count += 1;
        let text = std::fs::read(&path).expect("the file was just listed");
        let name = path.file_name().expect("a file").to_string_lossy();
        let actual = messages(&load(&name, &text, &LoadOptions::default()));
        different.extend(difference(&path.with_extension("expected"), &actual));
    }
    assert!(count >= 5 && different.is_empty(), "{count} texts\n{different}");
}

const PROGRAM: &str = "MODULE cell(on) VAR v : {a, b, 3}; w : word[4]; ASSIGN init(v) := a; next(v) := case on : {a, b}; \
    TRUE : v; esac; DEFINE d := w[2:1] :: 0b_1; FAIRNESS v = a\n\
    MODULE main VAR x : array 0..2 of 1..3; c : cell(x[1] > 2); IVAR i : boolean; FROZENVAR f : boolean;\n\
    TRANS next(x[0]) = (i ? x[1] : x[2]) -- a comment\n INVAR f -> x[0] in {1, 2} union 3 /-- another --/\n\
    COMPASSION (i = i, f) COMPUTE MAX [f, !f]; SPEC ABF 1..2 f; LTLSPEC O [1, 2] f S H f; SPEC NAME p := A [x[0] = 1 U EX c.v = b]; LTLSPEC G (c.v = a -> F X !f U f) INVARSPEC !f | TRUE\n";

#[test]
fn no_text_breaks_the_front_end() {
    for length in (0..PROGRAM.len()).filter(|at| PROGRAM.is_char_boundary(*at)) {
        message(&PROGRAM[..length]);
        message(&format!("MODULE main {}", &PROGRAM[length..]));
    }
    let noise: Vec<u8> = (0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    assert!(!messages(&load("m.smv", &noise, &LoadOptions::default())).is_empty());
    let deep = |open: &str, close: &str| format!("MODULE main INIT {}TRUE{}", open.repeat(5000), close.repeat(5000));
    for (open, close) in [("(", ")"), ("!", ""), ("AX ", ""), ("X ", ""), ("{", "}"), ("a[", "]"), ("TRUE -> ", "")] {
        assert_eq!(message(&deep(open, close)), "this nests more than 1000 deep", "{open}");
    }
    assert_eq!(message(&deep("TRUE & ", "")), "");
    assert_eq!(
        message(&format!("MODULE main INIT TRUE{}", " | TRUE".repeat(20_001))),
        "an expression has more than 20000 operators"
    );
    let chain: String = (0..3000).map(|n| format!("d{n} := d{};\n", n + 1)).collect();
    assert!(message(&format!("MODULE main DEFINE {chain} d3000 := TRUE; INIT d0")).contains("depends on itself"));
    let large = vec![b' '; MAX_FILE_SIZE + 1];
    let large = load("m.smv", &large, &LoadOptions::default());
    assert_eq!(messages(&large), "error: m.smv: the file is larger than 64 MiB\n");
    assert_eq!(message(""), "there is no module `main`");
    assert_eq!(message("MODULE main VAR a : p; MODULE p VAR b : q; MODULE q VAR c : p;"), "module `p` contains itself");
    assert_eq!(
        message("MODULE main VAR x : 0..1000000; y : array 0..1000000 of boolean;"),
        "an array has 100000 elements at most"
    );
}

/// Nobody else asks by that name, although there is a property of that name in every report.
#[test]
fn a_question_may_be_called_deadlock() {
    let asked = |text: &str| read(text).model.map(|circuit| circuit.invariants.len());
    assert_eq!(asked("MODULE main VAR deadlock : boolean; INVARSPEC deadlock"), Some(1));
    assert_eq!(asked("MODULE main VAR x : boolean; INVARSPEC NAME deadlock := x"), Some(1));
    assert_eq!(asked("MODULE main VAR x : boolean; INVARSPEC x INVARSPEC x"), Some(1));
}

#[test]
fn a_right_text_has_no_messages() {
    let text = PROGRAM.replace("i = i", "f");
    let loaded = read(&text);
    assert_eq!(messages(&loaded), "");
    let circuit = loaded.model.expect("it is a circuit");
    let names: Vec<String> = circuit.properties[1..].iter().map(|one| one.name(&circuit)).collect();
    assert_eq!(names, ["ABF 1..2 f", "O [1, 2] f S H f", "p", "G (c.v = a -> F X !f U f)", "!f | TRUE"]);
}

/// Constant expressions that are true, by the manual of NuSMV 2.6.
#[test]
fn operators_mean_what_the_manual_says() {
    let truths = [
        // Division is towards zero, the remainder has the sign of the dividend.
        "7 / 2 = 3 & -7 / 2 = -3 & 7 / -2 = -3 & -7 / -2 = 3",
        "7 mod 2 = 1 & -7 mod 2 = -1 & 7 mod -2 = 1 & -7 mod -2 = -1",
        // What binds how tightly.
        "1 + 2 * 3 = 7 & 2 * 3 + 1 = 7 & 7 - 2 - 1 = 4 & - 3 + 5 = 2",
        "(FALSE -> FALSE -> FALSE) & !(TRUE & FALSE | FALSE) & (TRUE | TRUE & FALSE)",
        "!FALSE = TRUE & (TRUE xor FALSE) & (TRUE xnor TRUE) & (FALSE <-> FALSE)",
        "(TRUE ? 1 : 2) = 1 & (FALSE ? 1 : FALSE ? 2 : 3) = 3",
        "2 in {1, 2} & !(3 in {1, 2}) & 3 in 1..4 & 3 in {1} union {3} & 1 + 1 in {2}",
        "count(TRUE, FALSE, 1 < 2) = 2 & toint(TRUE) = 1 & abs(-3) = 3 & min(2, 1) = 1 & max(2, 1) = 2",
        "case FALSE : 1; TRUE : 2; TRUE : 3; esac = 2",
        // Words.
        "0ud4_15 + 0ud4_1 = 0ud4_0 & 0ud4_0 - 0ud4_1 = 0ud4_15 & 0ud4_7 * 0ud4_3 = 0ud4_5",
        "0b_1010 = 0ud4_10 & 0h_ff = 0ud8_255 & 0o_17 = 0ud6_15 & 0sb3_111 = -0sd3_1",
        "0ud4_13 / 0ud4_4 = 0ud4_3 & 0ud4_13 mod 0ud4_4 = 0ud4_1 & 0sd4_5 / -0sd4_2 = -0sd4_2",
        "0b_1010[3:2] = 0b_10 & 0b_10 :: 0b_1 = 0b_101 & 0b_1 :: 0b_01 :: 0b_1 = 0b_1011",
        "0b_0011 << 2 = 0b_1100 & 0b_1100 >> 1 = 0b_0110 & -0sd4_4 >> 1 = -0sd4_2",
        "!0b_1010 = 0b_0101 & (0b_1010 & 0b_0110) = 0b_0010 & (0b_1010 xor 0b_0110) = 0b_1100",
        "extend(0b_10, 2) = 0b_0010 & extend(-0sd2_2, 2) = -0sd4_2 & signed(0b_11) = -0sd2_1",
        "unsigned(-0sd2_1) = 0b_11 & toint(-0sd4_3) = -3 & toint(0b_11) = 3 & sizeof(0ud9_0) = 9",
        "resize(0b_1011, 2) = 0b_11 & resize(-0sd4_7, 3) = signed(0b_101) & resize(0sd2_1, 4) = 0sd4_1",
        "uwconst(5, 4) = 0ud4_5 & swconst(-5, 4) = -0sd4_5 & word1(TRUE) = 0b_1 & bool(0b_1)",
        "0ud4_9 > 0ud4_8 & signed(0b_1001) < signed(0b_0000) & -1 < 0 & 1 >= 1 & 1 <= 1 & 1 != 2",
        "[1, 2, 3][1] = 2 & [[1, 2], [3, 4]][1][0] = 3 & [TRUE, FALSE] = [TRUE, FALSE]",
    ];
    for truth in truths {
        let loaded = read(&format!("MODULE main VAR x : boolean; INVARSPEC {truth}"));
        let circuit = loaded.model.as_ref().unwrap_or_else(|| panic!("{truth}\n{}", messages(&loaded)));
        let atom = circuit.invariants[0].atom;
        let value = circuit.expressions.constant_value(circuit.atoms[atom.index()].expr);
        assert_eq!(value, Some(1), "{truth}");
    }
}

/// All reachable states, the simple way.
fn reachable(text: &str) -> BTreeSet<Valuation> {
    let loaded = read(text);
    let circuit = loaded.model.as_ref().unwrap_or_else(|| panic!("{}", messages(&loaded)));
    let mut simulator = Simulator::new(circuit);
    assert!(simulator.broken_obligations().expect("it is small").is_empty());
    let mut pending = simulator.initial().expect("it is small");
    let mut reached = BTreeSet::new();
    while let Some(state) = pending.pop() {
        if reached.insert(state.clone()) {
            pending.extend(simulator.steps(&state).expect("it is small").into_iter().map(|step| step.to));
        }
    }
    reached
}

#[test]
fn only_the_process_that_runs_assigns() {
    // Counted by hand: four states with nobody inside, and eight with one process that is critical or exiting.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/models/semaphore.smv");
    let semaphore = std::fs::read_to_string(path).expect("it is there");
    assert_eq!(reachable(&semaphore).len(), 12);
    // The main module runs, too, and may be passed over forever.
    let counters = "MODULE main VAR x : 0..2; p : process counter; ASSIGN init(x) := 0; next(x) := min(x + 1, 2);\n\
        MODULE counter VAR y : 0..2; ASSIGN init(y) := 0; next(y) := min(y + 1, 2);";
    assert_eq!(reachable(counters).len(), 9);
}

#[test]
fn variables_that_nothing_is_said_of_are_free() {
    assert_eq!(reachable("MODULE main VAR x : 0..2; y : boolean;").len(), 6);
    assert_eq!(reachable("MODULE main VAR x : 0..2; ASSIGN next(x) := x;").len(), 3);
    assert_eq!(reachable("MODULE main FROZENVAR x : 0..2; VAR y : 0..2; ASSIGN init(y) := 0; next(y) := x;").len(), 5);
    assert_eq!(reachable("MODULE main VAR x : 0..2; y : 0..2; ASSIGN y := 2 - x;").len(), 3);
    assert_eq!(reachable("MODULE main VAR x : {a, 1, 2}; INVAR x != a & x != 1").len(), 1);
    assert_eq!(reachable("MODULE main VAR x : 0..7; INIT x = 0 TRANS next(x) = x + 1 | next(x) = 0 & x = 3").len(), 8);
}

#[test]
fn constraints_of_a_process_hold_whoever_runs() {
    let text = |constraint: &str| {
        format!(
            "MODULE main VAR x : 0..3; p : process step(x); ASSIGN init(x) := 0;\n\
             MODULE step(x) ASSIGN next(x) := min(x + 1, 3); {constraint}"
        )
    };
    assert_eq!(reachable(&text("")).len(), 4);
    assert_eq!(reachable(&text("TRANS running -> x < 2")).len(), 3);
    assert_eq!(reachable(&text("TRANS next(x) < 2")).len(), 2);
    assert_eq!(reachable(&text("INVAR x < 1")).len(), 1);
}

#[test]
fn modules_include_others_and_define_names_for_others() {
    let ring = "MODULE base VAR v : 0..2; ASSIGN init(v) := 0; next(v) := given;\n\
        MODULE cell(other) ISA base DEFINE other.given := (v + 1) mod 3;\n\
        MODULE main VAR a : cell(b); b : cell(a);";
    // Both count in step.
    assert_eq!(reachable(ring).len(), 3);
    let deeper = "MODULE leaf VAR v : boolean; ASSIGN v := on; MODULE inner VAR l : leaf;\n\
        MODULE main VAR i : inner; x : boolean; DEFINE i.l.on := !x;";
    assert_eq!(reachable(deeper).len(), 2);
    assert_eq!(message("MODULE a ISA b MODULE b ISA a MODULE main ISA a"), "module `a` contains itself");
    assert_eq!(message("MODULE main ISA b"), "there is no module `b`");
    assert_eq!(message("MODULE main VAR x : boolean; DEFINE x.y := TRUE;"), "only instances of modules have members");
    let twice = "MODULE m DEFINE d := TRUE; MODULE main VAR i : m; DEFINE i.d := FALSE;";
    assert_eq!(message(twice), "`d` is declared twice in this module");
}

#[test]
fn an_operand_decides_alone() {
    let broken = |condition: &str| {
        let text = format!(
            "MODULE main VAR a : array 0..2 of boolean; i : 0..3; DEFINE d := a[i]; unused := a[i]; INVARSPEC {condition}"
        );
        let loaded = read(&text);
        let circuit = loaded.model.as_ref().unwrap_or_else(|| panic!("{}", messages(&loaded)));
        let broken = Simulator::new(circuit).broken_obligations().expect("it is small").len();
        broken > 0
    };
    for fine in ["i < 3 & a[i]", "a[i] & i < 3", "i = 3 | a[i]", "i < 3 -> a[i]", "a[i] -> i = 3", "i < 3 & !d", "TRUE"]
    {
        assert!(!broken(fine), "{fine}");
    }
    for wrong in ["a[i]", "i < 3 | a[i]", "a[i] & a[i]", "i = 3 -> a[i]", "i < 3 <-> a[i]", "d", "d & i < 3 | d"] {
        assert!(broken(wrong), "{wrong}");
    }
}

#[test]
fn the_past_is_remembered_once() {
    let text = "MODULE main VAR x : boolean; LTLSPEC G (O x -> H (x -> O x)) LTLSPEC F (x S O x) LTLSPEC F x";
    let loaded = read(text);
    let circuit = loaded.model.as_ref().unwrap_or_else(|| panic!("{}", messages(&loaded)));
    let hidden = circuit.variables.iter().filter(|variable| variable.hidden).count();
    assert_eq!((circuit.variables.len(), hidden), (4, 3));
    // States that differ in what is remembered only are the same to the user, and no run is lost.
    let states: BTreeSet<i64> = reachable(text).into_iter().map(|state| state[0]).collect();
    assert_eq!(states.len(), 2);
}

#[test]
fn what_is_computed_is_not_checked() {
    let text = "MODULE main VAR x : boolean; COMPUTE MIN [x, !x] COMPUTE NAME far := MAX [x, EF x]; SPEC EF x";
    let loaded = read(text);
    assert_eq!(messages(&loaded), "");
    let circuit = loaded.model.expect("it is a circuit");
    let unchecked: Vec<&str> = circuit.unchecked.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(unchecked, ["COMPUTE MIN [x, !x]", "far"]);
    assert_eq!(circuit.ctl.len(), 1);
    assert_eq!(message("MODULE main VAR x : 0..1; COMPUTE MIN [x, x = 1]"), "expected a truth value, found a number");
}
