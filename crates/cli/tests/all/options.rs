//! No option of `check` is accepted and ignored: for every option and every kind of check it is said here whether it is
//! refused, or what it changes.

use std::collections::BTreeSet;

use crate::common::{Run, reductio, root, scratch};
use serde_json::{Value, json};

/// Two places for a deadlock, a formula that holds only if the runs are fair, and limits that can be moved.
const PROMELA: &str = "#ifndef LIMIT\n#define LIMIT 3\n#endif\nbyte x; bool other; byte unused;
    active proctype P() { do :: x < LIMIT -> x++ :: x == 0 -> x = LIMIT :: x == LIMIT -> x = 0 :: x == 1 -> break :: x == 2 -> break od }
    active proctype Q() { other = true; unused = 7; false }";
const SMV: &str = "MODULE main\nVAR x : 0..3; other : boolean; idle : boolean; p : word[6]; q : word[6];\n\
    ASSIGN init(p) := 0ud6_0; next(p) := p + 0ud6_1; init(q) := 0ud6_0; next(q) := q + 0ud6_1;\n\
    ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(other) := FALSE; init(idle) := FALSE; next(idle) := !idle;\n\
    INVARSPEC NAME small := x < 3\nCTLSPEC NAME possible := AF other\n\
    INVARSPEC NAME alike := p = q\n";
/// What takes longer than anybody waits, and more room than it may have.
const HARD_PROMELA: &str = "int x; byte y; bool other;
    active proctype P() { do :: atomic { x++; y = (x * x * x) % 251 } od }
    active proctype Q() { do :: other = !other od }";
const HARD_SMV: &str = "MODULE main\nVAR a : word[22]; x : word[22]; other : boolean;\n\
    ASSIGN init(a) := 0ud22_1; next(a) := a + 0ud22_1; init(x) := 0ud22_0; next(x) := x + a * a * a;\n\
    INVARSPEC NAME small := x <= 0ud22_4194303\nCTLSPEC NAME possible := AG AF (a = 0ud22_0)\n";

/// A kind of check: a model, and what is asked of which engine.
struct Kind {
    name: &'static str,
    ending: &'static str,
    asked: &'static [&'static str],
}

const KINDS: [Kind; 9] = [
    Kind { name: "states", ending: "pml", asked: &["--invariant", "x <= 100000000"] },
    Kind { name: "infinite runs", ending: "pml", asked: &["--ltl", "<> other", "--property", "<> other"] },
    Kind { name: "trees", ending: "pml", asked: &["--ctl", "AF other"] },
    Kind { name: "trees, explicit", ending: "pml", asked: &["--ctl", "AF other", "--engine", "explicit"] },
    Kind { name: "trees, symbolic", ending: "pml", asked: &["--ctl", "AF other", "--engine", "symbolic"] },
    Kind { name: "states, symbolic", ending: "pml", asked: &["--engine", "symbolic", "--invariant", "x <= 100000000"] },
    Kind { name: "circuit", ending: "smv", asked: &[] },
    Kind { name: "circuit, explicit", ending: "smv", asked: &["--engine", "explicit"] },
    Kind { name: "aiger", ending: "aag", asked: &[] },
];

/// What of a report an option is to change.
#[derive(Clone, Copy)]
enum Shows {
    /// The list of properties with their verdicts.
    Verdicts,
    /// A part of the report.
    Part(&'static str),
    /// What is printed is no JSON any more.
    Text,
    /// How many lines people are shown.
    ForPeople,
    /// The file that it names is written.
    File,
    /// A model that is too hard ends as inconclusive, for a reason with this word.
    Limit(&'static str),
}

/// An option with a value, and what becomes of it in each kind of check: `!` it changes what it shows, `x` it is refused,
/// `=` it changes nothing, for a reason that is given.
struct Row {
    option: &'static [&'static str],
    shows: Shows,
    fate: &'static str,
    unchanged_because: &'static str,
}

const fn row(
    option: &'static [&'static str],
    shows: Shows,
    fate: &'static str,
    unchanged_because: &'static str,
) -> Row {
    Row { option, shows, fate, unchanged_because }
}

const ENGINE: Shows = Shows::Part("/plan/engine");
const APPLIED: Shows = Shows::Part("/plan/applied");
const FINITE: &str = "a finite run can be continued fairly";
const TOO_SMALL: &str = "the circuit is too small; the engines are those of SMV";

/// `FILE` is a file of the test. The columns are the kinds of checks.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(&["-D", "LIMIT=5"], Shows::Part("/results"),                    "! ! ! ! ! ! x x x", ""),
    // Read as another language, the text is wrong.
    row(&["--language", "while"], Shows::Text,                          "x x x x x x x x x", ""),
    row(&["--property", "deadlock"], Shows::Verdicts,                   "! ! ! ! ! ! ! ! x", ""),
    row(&["--ltl", "x < 3"], Shows::Verdicts,                           "! ! ! ! x x ! ! x", ""),
    row(&["--ctl", "AG (x < 3)"], Shows::Verdicts,                      "! ! ! ! ! ! ! ! x", ""),
    row(&["--invariant", "x < 3"], Shows::Verdicts,                     "! ! ! ! ! ! ! ! x", ""),
    row(&["--no-deadlock"], Shows::Verdicts,                            "! ! ! ! ! ! ! ! =", "circuits in AIGER have none"),
    row(&["--allow-unchecked"], Shows::Verdicts,                        "= = = = = = = = =", "everything can be checked"),
    // Where an engine is chosen already, a second choice is refused.
    row(&["--engine", "symbolic"], ENGINE,                              "! x ! x x x = x =", "it is the default"),
    row(&["--engine", "explicit"], ENGINE,                              "= = ! x x x ! x !", "it is the default"),
    row(&["--engine", "modular"], ENGINE,                               "x x x x x x x x x", ""),
    row(&["--engine", "posets"], ENGINE,                                "x x x x x x x x x", ""),
    row(&["--relation", "dynamic"], ENGINE,                             "x x x x x x ! x !", ""),
    row(&["--direction", "backward"], ENGINE,                           "x x x x x x ! x !", ""),
    // A bad order is soon a better one, unless that is off.
    row(&["--order", "worst", "--reorder", "off"], Shows::Part("/statistics"), "x x x x x x ! x !", ""),
    row(&["--reorder", "off"], Shows::Part("/statistics"),              "x x x x x x = x =", "the diagrams stay small"),
    row(&["--save-states", "FILE"], Shows::File,                        "x x x x x x ! x !", ""),
    // There is no such file.
    row(&["--load-states", "FILE"], Shows::File,                        "x x x x x x x x x", ""),
    row(&["--reduce", "none"], APPLIED,                                 "! ! ! ! ! ! ! ! =", "nothing can be left out"),
    row(&["--reduce", "por"], APPLIED,                                  "! ! ! ! x x x x x", ""),
    row(&["--reduce", "dead"], APPLIED,                                 "! ! ! ! ! ! x x x", ""),
    row(&["--reduce", "slice"], APPLIED,                                "! ! ! ! ! ! x x x", ""),
    row(&["--fairness", "weak"], Shows::Verdicts,                       "= ! x x x x x x x", FINITE),
    row(&["--fairness", "strong"], Shows::Verdicts,                     "= ! x x x x x x x", FINITE),
    row(&["--fairness", "operation-justice"], Shows::Verdicts,          "= ! x x x x x x x", FINITE),
    row(&["--fairness", "operation-fairness"], Shows::Verdicts,         "= ! x x x x x x x", FINITE),
    row(&["--cycles", "nested"], Shows::Part("/plan/cycles"),           "x ! x x x x x x x", ""),
    row(&["--hunt", "--fairness", "weak"], Shows::Part("/plan/cycles"), "x ! x x x x x x x", ""),
    row(&["--search", "dfs"], Shows::Part("/statistics/depth"),         "! = ! ! x x x x x", "cycles are looked for so anyway"),
    row(&["--first"], Shows::Verdicts,                                  "! = ! ! ! ! x x x", "nothing else is asked"),
    row(&["--first", "--max-violations", "2"], Shows::Verdicts,         "x x x x x x x x x", ""),
    row(&["--store", "compact"], Shows::Part("/statistics/store"),      "! x x x x x x x x", ""),
    row(&["--store", "bitstate"], Shows::Part("/statistics/store"),     "! x x x x x x x x", ""),
    row(&["--threads", "2"], Shows::Part("/statistics/threads"),        "! x ! ! x x x x x", ""),
    row(&["--vacuity", "full"], Shows::Part("/vacuity"),                "x = x x x x x x x", "nothing that is asked holds"),
    row(&["--format", "text"], Shows::Text,                             "! ! ! ! ! ! ! ! !", ""),
    row(&["--quiet"], Shows::Text,                                      "x x x x x x x x x", ""),
    row(&["--quiet", "--format", "text"], Shows::ForPeople,             "! ! ! ! ! ! ! ! !", ""),
    row(&["--verbose"], Shows::Text,                                    "x x x x x x x x x", ""),
    row(&["--verbose", "--format", "text"], Shows::ForPeople,           "! ! ! ! ! ! ! ! !", ""),
    row(&["--quiet", "--verbose", "--format", "text"], Shows::Text,     "x x x x x x x x x", ""),
    row(&["--trace", "FILE"], Shows::File,                              "! ! ! ! ! ! ! ! !", ""),
    row(&["--trace", "no/such/directory/file"], Shows::File,            "x x x x x x x x x", ""),
    row(&["--html", "FILE"], Shows::File,                               "x x x x x x x x x", ""),
    row(&["--max-violations", "2"], Shows::Verdicts,                    "! x ! ! x x x x x", ""),
    row(&["--memory", "500K"], Shows::Limit("memory"),                  "! ! ! ! ! ! ! ! =", TOO_SMALL),
    row(&["--time", "300ms"], Shows::Limit("time"),                     "! ! ! ! ! ! ! ! =", TOO_SMALL),
];

/// The options that `reductio check --help` lists.
fn options() -> BTreeSet<String> {
    let help = reductio(&["check", "--help"]).out;
    let first_word = |line: &str| line.split([' ', ',']).next().map(str::to_owned);
    let listed = help.lines().map(str::trim_start).filter(|line| line.starts_with('-')).filter_map(first_word);
    listed.filter(|option| option != "-h").collect()
}

#[test]
fn every_option_has_a_row() {
    let known: BTreeSet<String> = ROWS.iter().map(|row| row.option[0].to_owned()).collect();
    let options = options();
    assert!(options.len() > 20, "{options:?}");
    let missing: Vec<&String> = options.difference(&known).collect();
    assert!(missing.is_empty(), "say what becomes of these in each kind of check: {missing:?}");
}

#[test]
fn no_option_is_accepted_and_ignored() {
    let options = options();
    let mut wrong = Vec::new();
    for row in ROWS.iter().filter(|row| options.contains(row.option[0])) {
        let fates: Vec<char> = row.fate.chars().filter(|letter| *letter != ' ').collect();
        assert_eq!(fates.len(), KINDS.len(), "{:?}", row.option);
        assert_eq!(fates.contains(&'='), !row.unchanged_because.is_empty(), "{:?}", row.option);
        for (kind, expected) in KINDS.iter().zip(fates) {
            let (fate, run) = fate(kind, row);
            if fate != expected {
                wrong.push(format!("{}, {:?}: {fate} instead of {expected}: {run:?}", kind.name, row.option));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What becomes of an option, and the run that shows it.
fn fate(kind: &Kind, row: &Row) -> (char, Run) {
    let is_hard = matches!(row.shows, Shows::Limit(_)) && kind.ending != "aag";
    let file = scratch(&format!("option of {}", kind.name));
    let path = file.display().to_string();
    let _ = std::fs::remove_file(&file);
    let option: Vec<&str> = row.option.iter().map(|word| if *word == "FILE" { path.as_str() } else { word }).collect();
    let run = check(kind, is_hard, &option);
    if run.code == Some(2) {
        assert!(run.out.is_empty() && run.err.contains("error"), "{}, {option:?}: {run:?}", kind.name);
        return ('x', run);
    }
    let has_changed = match row.shows {
        Shows::File => file.exists(),
        Shows::Limit(word) => {
            let report = report(&run);
            let results = report["results"].as_array().expect("a list");
            let is_met = |result: &Value| {
                let reason = result["reason"].as_str().unwrap_or_default();
                result["verdict"] == "inconclusive" && reason.contains(&format!("the {word} limit"))
            };
            results.iter().any(is_met)
        }
        Shows::Text => !run.out.starts_with('{'),
        Shows::ForPeople => {
            let usual = check(kind, is_hard, &["--format", "text"]);
            run.code == usual.code && run.out.lines().count() != usual.out.lines().count()
        }
        Shows::Verdicts => verdicts(&report(&run)) != verdicts(&report(&check(kind, is_hard, &[]))),
        Shows::Part(pointer) => part(&run, pointer) != part(&check(kind, is_hard, &[]), pointer),
    };
    (if has_changed { '!' } else { '=' }, run)
}

fn check(kind: &Kind, is_hard: bool, option: &[&str]) -> Run {
    let path = match (kind.ending, is_hard) {
        ("aag", _) => root().join("testdata/models/counter.aag"),
        (ending, is_hard) => {
            let text = match (ending, is_hard) {
                ("pml", false) => PROMELA,
                ("pml", true) => HARD_PROMELA,
                (_, false) => SMV,
                (_, true) => HARD_SMV,
            };
            let path = scratch(&format!("options, {}.{ending}", kind.name));
            std::fs::write(&path, text).expect("it can be written");
            path
        }
    };
    let path = path.display().to_string();
    let mut arguments = vec!["check", &path];
    arguments.extend(kind.asked);
    if !option.contains(&"--format") {
        arguments.extend(["--format", "json"]);
    }
    arguments.extend(option);
    reductio(&arguments)
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// A part of a report, without what is never twice the same.
fn part(run: &Run, pointer: &str) -> Value {
    let mut report = report(run);
    let statistics = report["statistics"].as_object_mut().expect("there are some");
    statistics.remove("seconds");
    report.pointer(pointer).cloned().unwrap_or(Value::Null)
}

/// What was asked, what was not, and the answers.
fn verdicts(report: &Value) -> Value {
    let entries = |list: &str, fields: [&str; 2]| -> Value {
        let entries = report[list].as_array().expect("a list").iter();
        entries.map(|entry| json!([entry[fields[0]], entry[fields[1]]])).collect()
    };
    json!([entries("results", ["property", "verdict"]), entries("unchecked", ["property", "because"])])
}
