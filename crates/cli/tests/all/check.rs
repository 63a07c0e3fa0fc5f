//! `reductio check`: verdicts, exit codes, limits and what happens when things go wrong.

use crate::common::{Run, command, model, reductio, root, scratch, typed};
use serde_json::Value;

fn check_json(name: &str, more: &[&str]) -> (Run, Value) {
    let model = model(name);
    let mut arguments = vec!["check", &model, "--format", "json"];
    arguments.extend(more);
    let run = reductio(&arguments);
    let json = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    (run, json)
}

/// The verdict on each property, in order.
fn verdicts(json: &Value) -> Vec<(&str, &str)> {
    let results = json["results"].as_array().expect("results is a list");
    results
        .iter()
        .map(|entry| {
            let property = entry["property"].as_str().expect("a property has a name");
            (property, entry["verdict"].as_str().expect("a verdict is a word"))
        })
        .collect()
}

/// States as counted by SPIN 6.5.2 with all its reductions off.
#[test]
fn verdicts_and_state_counts() {
    let table = [
        ("peterson.pml", "holds", "holds", 38, 0),
        ("deadlock.pml", "violated", "holds", 25, 1),
        ("lost_update.pml", "holds", "violated", 42, 1),
        ("producer_consumer.pml", "holds", "holds", 99, 0),
        ("alternating_bit.pml", "holds", "holds", 474, 0),
        ("rendezvous.pml", "violated", "holds", 7, 1),
    ];
    for (name, deadlock, assertion, states, code) in table {
        for order in ["dfs", "bfs"] {
            let (run, json) = check_json(name, &["--search", order, "--reduce", "none"]);
            assert_eq!(verdicts(&json), [("deadlock", deadlock), ("assertion", assertion)], "{name} {order}");
            assert_eq!(json["statistics"]["states"], states, "{name} {order}");
            assert_eq!(run.code, Some(code), "{name} {order}");
            assert_eq!(run.err, "", "{name} {order}");
        }
    }
}

#[test]
fn the_json_report_has_the_documented_shape() {
    let (_, json) = check_json("lost_update.pml", &["--search", "bfs"]);
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "complete",
        "model",
        "plan",
        "results",
        "schema",
        "statistics",
        "unchecked",
        "unreached",
        "unreached_complete",
        "vacuity",
    ];
    assert_eq!(keys, expected);
    assert_eq!(json["schema"], "reductio.result/1");
    assert_eq!(json["model"], model("lost_update.pml"));
    assert_eq!(json["plan"]["engine"], "explicit");
    assert_eq!(json["plan"]["applied"], serde_json::json!(["por", "symmetry", "path", "dead"]));
    assert_eq!(json["plan"]["refused"][0]["reduction"], "sleep");
    assert_eq!(json["statistics"]["threads"], 1);
    assert_eq!(json["complete"], true);
    let violated = &json["results"][1];
    assert_eq!(violated["kind"], "assertion");
    assert!(violated["reason"].as_str().expect("a reason").starts_with("assert("));
    let steps = violated["trace"]["steps"].as_array().expect("steps");
    // Three statements of each counter, the check's condition and its assertion.
    assert_eq!(steps.len(), 8);
    assert_eq!(violated["trace"]["cycle_start"], Value::Null);
    let last = &steps[7];
    assert_eq!((&last["process"], &last["pid"]), (&"Check".into(), &2.into()));
    assert_eq!(last["at"], format!("{}:16", model("lost_update.pml")));
    assert_eq!(last["fault"], "assertion violated");
    assert!(steps.iter().any(|step| step["changes"]["count"] == 1), "changes are told by name");
}

#[test]
fn invariants_are_properties_with_their_text_as_name() {
    let (run, json) = check_json("lost_update.pml", &["--invariant", "done <= 2", "--invariant", "count < 2"]);
    let expected =
        [("deadlock", "holds"), ("assertion", "violated"), ("done <= 2", "holds"), ("count < 2", "violated")];
    assert_eq!(verdicts(&json), expected);
    assert_eq!(run.code, Some(1));

    let (run, json) = check_json("lost_update.pml", &["--invariant", "done <= 2", "--property", "done <= 2"]);
    assert_eq!(verdicts(&json), [("done <= 2", "holds")]);
    assert_eq!(run.code, Some(0));
    let unchecked: Vec<_> = json["unchecked"].as_array().expect("a list").iter().map(|it| &it["property"]).collect();
    assert_eq!(unchecked, ["deadlock", "assertion"]);

    let run = reductio(&["check", &model("lost_update.pml"), "--invariant", "no_such_variable == 1"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("no_such_variable"), "{}", run.err);
}

#[test]
fn deadlock_can_be_left_out() {
    let (run, json) = check_json("deadlock.pml", &["--no-deadlock"]);
    assert_eq!(verdicts(&json), [("assertion", "holds")]);
    assert_eq!(json["unchecked"][0]["property"], "deadlock");
    assert_eq!(run.code, Some(0));
    let run = reductio(&["check", &model("deadlock.pml"), "--no-deadlock", "--property", "deadlock"]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn what_is_declared_and_not_checked_is_listed() {
    let (run, json) = check_json("unchecked.pml", &[]);
    assert_eq!(
        (&json["unchecked"][0]["property"], &json["unchecked"][0]["by_choice"]),
        (&"never".into(), &false.into())
    );
    assert_eq!(run.code, Some(3));
    let run = reductio(&["check", &model("unchecked.pml")]);
    assert_eq!(run.code, Some(3));
    assert!(run.out.contains("\nnever      NOT CHECKED: "), "{}", run.out);
    let run = reductio(&["check", &model("unchecked.pml"), "--allow-unchecked"]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("never      NOT CHECKED"), "{}", run.out);
    let (run, json) = check_json("unchecked.pml", &["--property", "deadlock"]);
    assert_eq!((run.code, verdicts(&json)), (Some(0), vec![("deadlock", "holds")]));
    assert!(json["unchecked"].as_array().expect("a list").iter().all(|entry| entry["by_choice"] == true), "{json}");
    let run = reductio(&["check", &model("unchecked.pml"), "--property", "never"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("assigns to a variable of the model"), "{}", run.err);
}

#[test]
fn claims_are_properties() {
    let (run, json) = check_json("declared.pml", &[]);
    assert_eq!(verdicts(&json), [("deadlock", "holds"), ("assertion", "holds"), ("never_two", "violated")]);
    assert_eq!((run.code, &json["results"][2]["kind"]), (Some(1), &"ltl".into()));
    let (run, json) = check_json("declared.pml", &["--property", "never_two"]);
    assert_eq!(verdicts(&json), [("never_two", "violated")]);
    assert_eq!(run.code, Some(1));
}

#[test]
fn the_report_tells_how_cycles_were_looked_for() {
    let told = |more: &[&str]| check_json("declared.pml", more).1["plan"]["cycles"].clone();
    assert_eq!(told(&[]), "components");
    assert_eq!(told(&["--cycles", "nested", "--fairness", "weak"]), "nested");
    assert_eq!(told(&["--property", "deadlock"]), Value::Null);
}

#[test]
fn a_run_that_ends_is_no_cycle_without_progress() {
    let (run, json) = check_json("progress.pml", &["--ltl", "[] <> (x < 3)"]);
    let expected =
        [("deadlock", "holds"), ("assertion", "holds"), ("[] <> (x < 3)", "violated"), ("progress", "holds")];
    assert_eq!(verdicts(&json), expected);
    assert_eq!(run.code, Some(1));
}

#[test]
fn formulas_are_properties_with_their_text_as_name() {
    let (run, json) = check_json("declared.pml", &["--ltl", "<> (x == 2)", "--ltl", "[] <> (x < 2)"]);
    let names = ["deadlock", "assertion", "never_two", "<> (x == 2)", "[] <> (x < 2)"];
    let values = ["holds", "holds", "violated", "holds", "violated"];
    assert_eq!(verdicts(&json), std::iter::zip(names, values).collect::<Vec<_>>());
    assert_eq!(run.code, Some(1));
    let (run, json) = check_json("declared.pml", &["--ltl", "<> (x == 2)", "--property", "<> (x == 2)"]);
    assert_eq!(verdicts(&json), [("<> (x == 2)", "holds")]);
    assert_eq!(run.code, Some(0));
    let run = reductio(&["check", &model("declared.pml"), "--ltl", "[] (x <"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("<ltl>:1"), "{}", run.err);
}

#[test]
fn an_unknown_property_is_an_error_that_lists_the_known_ones() {
    let run = reductio(&["check", &model("peterson.pml"), "--property", "starvation"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("deadlock, assertion"), "{}", run.err);
    assert_eq!(run.out, "");
}

#[test]
fn options_that_are_not_available_are_errors() {
    let options: [&[&str]; 15] = [
        &["--reduce", "por", "--max-violations", "0"],
        &["--reduce", "sleep,dead"],
        &["--reduce", "magic"],
        &["--engine", "symbolic", "--threads", "2"],
        &["--engine", "modular"],
        &["--engine", "posets"],
        &["--threads", "2", "--search", "dfs"],
        &["--ctl", "AG p"],
        &["--relation", "static"],
        &["--html", "report.html"],
        &["--cycles", "nested"],
        &["--hunt"],
        &["--hunt", "--ltl", "[] true"],
        &["--cycles", "nested", "--ltl", "[] true", "--fairness", "strong"],
        &["--fairness", "operational"],
    ];
    for option in options {
        let path = model("peterson.pml");
        let mut arguments = vec!["check", &path];
        arguments.extend(option);
        let run = reductio(&arguments);
        assert_eq!(run.code, Some(2), "{option:?}");
        assert!(run.err.contains(option[0].trim_start_matches('-')), "{option:?}: {}", run.err);
        assert_eq!(run.out, "", "{option:?}");
    }
}

#[test]
fn what_does_not_exist_yet_is_not_offered() {
    let help = reductio(&["check", "--help"]).out;
    assert!(!help.contains("modular") && !help.contains("posets") && !help.contains("--html"), "{help}");
    let run = reductio(&["check", &model("peterson.pml"), "--engine", "modular"]);
    assert!(run.err.contains("expected auto, explicit or symbolic"), "{}", run.err);
}

#[test]
fn a_model_can_come_from_standard_input() {
    let text = "byte x; active proctype P() {\n x = 255; x++;\n assert(x != 0) }";
    let run = typed(&["check", "-"], text);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("assert(x != 0) (<stdin>:3)"), "{}", run.out);
    assert!(run.out.contains("\n      x wraps around: 256 is stored as 0\n"), "{}", run.out);
    let json: Value = serde_json::from_str(&typed(&["check", "-", "--format", "json"], text).out).expect("it is JSON");
    assert_eq!(json["model"], "<stdin>");
    let steps = &json["results"][1]["trace"]["steps"];
    assert_eq!(steps[1]["wrapped"], serde_json::json!([{"variable": "x", "value": 256, "stored": 0}]));
    assert!(steps[0].get("wrapped").is_none());
    assert!(typed(&["check", "-"], "active proctype P() { x = 1 }").err.starts_with("<stdin>:1:23: error: "));
    let smv = "MODULE main VAR b : boolean; INVARSPEC b";
    assert_eq!(typed(&["check", "-", "--language", "smv"], smv).code, Some(1));
    assert_eq!(typed(&["simulate", "-", "--seed", "1"], text).code, Some(1));
    let both = typed(&["simulate", "-", "--interactive"], text);
    assert!(both.code == Some(2) && both.err.contains("from a file"), "{}", both.err);
}

#[test]
fn the_version_tells_the_commit_and_the_help_what_is_checked() {
    let version = reductio(&["--version"]).out;
    let commit = version.trim().strip_prefix(&format!("reductio {} (commit ", env!("CARGO_PKG_VERSION")));
    let commit = commit.and_then(|rest| rest.strip_suffix(')'));
    let has_history = root().join(".git").exists();
    assert_eq!(commit.is_some_and(|commit| commit.len() >= 10), has_history, "{version}");
    let help = reductio(&["--help"]).out;
    let line = help.lines().find(|line| line.trim_start().starts_with("check ")).unwrap_or_default();
    assert!(line.contains("LTL") && line.contains("CTL"), "{help}");
}

#[test]
fn processes_may_be_called_like_the_operators_of_ctl() {
    let text = "byte g; active [2] proctype A() { byte x; L0: x = 1; L1: g = 1 } active proctype E() { g == 1 }";
    let path = std::env::temp_dir().join(format!("reductio-ctl-names-{}.pml", std::process::id()));
    std::fs::write(&path, text).expect("the directory for temporary files can be written to");
    let path = path.to_str().expect("its name is text");
    let formulas = [
        ("EF A[0]@L1", "holds"),
        ("AG A[1]@L0", "VIOLATED"),
        ("AF (A[1-1]:x == 1)", "holds"),
        ("A[true U A[0]@L1]", "holds"),
        ("A [A[0]@L0 U A[0]@L1]", "holds"),
        ("E[!A[1]@L1 U A[0]@L1]", "holds"),
    ];
    for (formula, verdict) in formulas {
        let run = reductio(&["check", path, "--no-deadlock", "--ctl", formula]);
        let line = run.out.lines().find(|line| line.starts_with(formula)).unwrap_or_default();
        assert!(line.contains(verdict), "{formula}: {}{}", run.out, run.err);
    }
    std::fs::remove_file(path).expect("it was written above");
}

#[test]
fn lossy_stores_prove_nothing_but_find_violations() {
    for store in ["compact", "bitstate"] {
        let run = reductio(&["check", &model("peterson.pml"), "--store", store, "--memory", "16M"]);
        assert_eq!(run.code, Some(3), "{}", run.out);
        assert!(run.out.contains("20 states") && run.out.contains("omitted"), "{}", run.out);
        assert!(!run.out.contains("holds"), "{}", run.out);
        let run = reductio(&["check", &model("lost_update.pml"), "--store", store, "--memory", "16M"]);
        assert_eq!(run.code, Some(1), "{}", run.out);
    }
}

#[test]
fn limits_end_in_inconclusive() {
    for (option, value, word) in [("--memory", "1M", "memory"), ("--time", "50ms", "time")] {
        for order in ["dfs", "bfs"] {
            let (run, json) = check_json("counting.pml", &[option, value, "--search", order, "--reduce", "none"]);
            assert_eq!(verdicts(&json), [("deadlock", "inconclusive"), ("assertion", "inconclusive")]);
            assert!(json["results"][0]["reason"].as_str().expect("a reason").contains(word));
            assert_eq!(json["complete"], false);
            assert_eq!(run.code, Some(3), "{option} {order}");
            assert!(json["statistics"]["states"].as_u64() > Some(0));
            if word == "memory" {
                assert!(json["statistics"]["memory_bytes"].as_u64() <= Some(1 << 20));
            }
        }
    }
}

#[test]
fn a_violation_found_before_a_limit_stays_one() {
    let more = ["--invariant", "a + b + c < 3", "--memory", "1M", "--search", "bfs", "--reduce", "none"];
    let (run, json) = check_json("counting.pml", &more);
    let expected = [("deadlock", "inconclusive"), ("assertion", "inconclusive"), ("a + b + c < 3", "violated")];
    assert_eq!(verdicts(&json), expected);
    assert_eq!(json["results"][2]["trace"]["steps"].as_array().map(Vec::len), Some(6));
    assert_eq!(run.code, Some(1));
}

#[test]
fn several_violations_have_several_entries() {
    let more = ["--invariant", "a + b + c < 2", "--max-violations", "0", "-D", "LIMIT=1"];
    let (_, json) = check_json("counting.pml", &more);
    let broken = verdicts(&json).into_iter().filter(|entry| *entry == ("a + b + c < 2", "violated")).count();
    // A counter has three states: at zero, about to count, at one. Two counters at one, or all three of them.
    assert_eq!(broken, 3 * 2 + 1);
    let (_, json) = check_json("counting.pml", &["--invariant", "a + b + c < 2", "-D", "LIMIT=1"]);
    assert_eq!(verdicts(&json).len(), 3);
}

#[test]
fn a_fault_ends_the_run_and_statements_behind_it_are_unreached() {
    let (run, json) = check_json("division.pml", &[]);
    assert_eq!(run.code, Some(1));
    assert!(json["results"][1]["reason"].as_str().expect("a reason").contains("division by zero"));
    let unreached: Vec<_> = json["unreached"].as_array().expect("a list").iter().map(|it| &it["at"]).collect();
    let path = model("division.pml");
    assert!(unreached.contains(&&Value::from(format!("{path}:12"))), "{unreached:?}");
}

#[test]
fn macros_can_be_defined_from_outside() {
    let states = |define: &[&str]| {
        let arguments = [define, &["--reduce", "none"]].concat();
        check_json("counting.pml", &arguments).1["statistics"]["states"].clone()
    };
    assert_eq!(states(&["-D", "LIMIT=1"]), 27);
    assert_eq!(states(&["-DLIMIT=2"]), 125);
    let run = reductio(&["check", &model("counting.pml"), "-D", "1=2"]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn included_files_are_found_beside_the_model() {
    assert_eq!(reductio(&["check", &model("with_include.pml")]).code, Some(0));
    let lonely = scratch("lonely.pml");
    std::fs::write(&lonely, "#include \"nowhere.h\"\nactive proctype P() { skip }\n").expect("a file can be written");
    let run = reductio(&["check", &lonely.to_string_lossy()]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("nowhere.h"), "{}", run.err);
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let table = [
        ("no_such_file.pml", "no_such_file.pml"),
        ("testdata/models", "cannot tell the language"),
        ("Cargo.toml", "cannot tell the language"),
        ("model.while", "model.while"),
        ("model.smv", "model.smv"),
    ];
    for (path, message) in table {
        let run = reductio(&["check", path]);
        assert_eq!(run.code, Some(2), "{path}");
        assert!(run.err.contains(message), "{path}: {}", run.err);
        assert_eq!(run.out, "", "{path}");
    }
    let run = reductio(&["check", "testdata/models", "--language", "promela"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("directory"), "{}", run.err);
}

#[test]
fn a_wrong_model_is_an_error_with_its_place() {
    let run = reductio(&["check", &model("wrong.pml")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("wrong.pml:3"), "{}", run.err);
    assert_eq!(run.out, "");
}

#[test]
fn wrong_arguments_are_errors() {
    for arguments in [&["check"][..], &["chekc"], &[], &["check", "a.pml", "--max-violations", "many"]] {
        let run = reductio(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(reductio(&["--help"]).code, Some(0));
    assert_eq!(reductio(&["--version"]).code, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    use std::process::Stdio;

    let path = model("lost_update.pml");
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let run: Run = command(&["check", &path]).stdout(writer).output().expect("it runs").into();
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));

    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has /dev/full");
    let run: Run = command(&["check", &path]).stdout(Stdio::from(full)).output().expect("it runs").into();
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("standard output"), "{}", run.err);

    let run = reductio(&["check", &path, "--trace", "/dev/full"]);
    assert_eq!(run.code, Some(1), "the exit code is that of the verdicts");
    assert!(run.err.contains("cannot write /dev/full"), "{}", run.err);
    assert!(run.out.contains("VIOLATED"), "the verdict is printed all the same");
}

/// What is told of the atoms of a formula is what the steps do to the variables that they are.
#[test]
fn explanations_follow_the_steps() {
    let text = "bit p, q; active proctype A() { do :: p = 1; q = 1; p = 0 :: q = 0 od }
                active proctype B() { do :: p -> q = 0 od }";
    let path = scratch("explained.pml");
    std::fs::write(&path, text).expect("a model can be written");
    let path = path.display().to_string();
    let mut arguments = vec!["check", &path, "--format", "json"];
    let formulas =
        ["[] <> p", "<> [] q", "[] (p -> q)", "[] (p -> X q)", "[] (q -> <> p)", "!p W q", "<> (p && X (p U q))"];
    formulas.iter().for_each(|formula| arguments.extend(["--ltl", formula]));
    let run = reductio(&arguments);
    let json: Value = serde_json::from_str(&run.out).expect("the report is JSON");
    let mut changes_seen = 0;
    for result in &json["results"].as_array().expect("results is a list")[2..] {
        assert_eq!(result["verdict"], "violated", "{result}");
        let explanation = &result["explanation"];
        let steps = result["trace"]["steps"].as_array().expect("steps is a list");
        for entry in explanation["atoms"].as_array().expect("atoms is a list") {
            let atom = entry["atom"].as_str().expect("an atom is text");
            let changed =
                |(index, step): (usize, &Value)| step["changes"][atom].as_u64().map(|value| (index + 1, value == 1));
            let done: Vec<(usize, bool)> = steps.iter().enumerate().filter_map(changed).collect();
            let told = entry["changes"].as_array().expect("changes is a list").iter();
            let told: Vec<(usize, bool)> = told
                .map(|change| {
                    (change["after_step"].as_u64().unwrap_or(0) as usize, change["value"] == Value::Bool(true))
                })
                .collect();
            assert_eq!((entry["initially"] == Value::Bool(true), told), (false, done), "{result}");
            changes_seen += entry["changes"].as_array().map_or(0, Vec::len);
        }
        let reason = &explanation["reasons"][0];
        assert_eq!((&reason["value"], &reason["after_step"]), (&Value::Bool(false), &Value::from(0)), "{result}");
        assert!(reason["because"].as_array().is_some_and(|because| !because.is_empty()), "{result}");
        assert_eq!(explanation["again_after"].is_null(), result["trace"]["cycle_start"].is_null(), "{result}");
    }
    assert!(changes_seen > 5, "{changes_seen}");
}

/// A formula needs no search of all states, and its answer is complete all the same.
#[test]
fn what_holds_is_complete() {
    let path = scratch("one formula.pml");
    let text = "byte x; active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od } ltl one { [] (x <= 3) }";
    std::fs::write(&path, text).expect("it can be written");
    let path = path.display().to_string();
    let run = reductio(&["check", &path, "--property", "one"]);
    assert!(run.out.starts_with("one  holds") && !run.out.contains("may not have seen"), "{}", run.out);
    assert!(run.out.contains("Unreached statements are not listed"), "{}", run.out);
    for (more, complete, unreached_complete) in [
        (&["--property", "one"][..], true, false),
        (&[], true, true),
        (&["--property", "deadlock"], true, true),
        (&["--property", "deadlock", "--store", "bitstate", "--memory", "16M"], false, false),
        (&["--ctl", "AG (x < 3)"], true, true),
    ] {
        let mut arguments = vec!["check", &path, "--format", "json"];
        arguments.extend(more);
        let run = reductio(&arguments);
        let json: Value = serde_json::from_str(&run.out).expect("a report");
        let told = (&json["complete"], &json["unreached_complete"]);
        assert_eq!(told, (&complete.into(), &unreached_complete.into()), "{more:?}: {json}");
    }
}

#[test]
fn formulas_of_any_length_have_a_report() {
    for length in [400, 70_000] {
        let formula = format!("[] (count <= {}2)", "0".repeat(length));
        let run = reductio(&["check", &model("lost_update.pml"), "--ltl", &formula]);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let table = run.out.lines().take_while(|line| !line.is_empty());
        assert!(table.clone().count() >= 3, "{}", run.out);
        let widest = table.map(|line| line.chars().count()).max().expect("there are lines");
        assert!(widest < 200, "{widest} columns");
    }
}
