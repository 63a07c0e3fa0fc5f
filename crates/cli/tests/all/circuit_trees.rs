//! Counterexamples to formulas of computation trees that one run cannot show, as a user sees them.

use crate::common::{reductio, scratch};
use serde_json::Value;

fn check(name: &str, text: &str, arguments: &[&str]) -> String {
    let path = scratch(&format!("{name}.smv"));
    std::fs::write(&path, text).expect("the file can be written");
    let run = reductio(&[&["check", path.to_str().expect("the path is text")], arguments].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    run.out
}

/// The lines of a counterexample, without those of others.
fn counterexample<'o>(out: &'o str, property: &str) -> &'o str {
    let (_, rest) = out.split_once(&format!("Counterexample to {property},")).unwrap_or_else(|| panic!("{out}"));
    rest.split("\n\n").next().expect("there is a first part")
}

/// Something that can become 1 or 2 and stays, and something that can become true and stays.
const TWO_WAYS: &str = "MODULE main\n\
    VAR x : 0..2; y : boolean;\n\
    ASSIGN init(x) := 0; next(x) := x = 0 ? {0, 1, 2} : x; init(y) := FALSE; next(y) := y ? TRUE : {TRUE, FALSE};\n";

#[test]
fn branches_have_branches() {
    let text = format!("{TWO_WAYS}SPEC NAME never := !(EF x = 1 & EG (x = 0 & !y & EX y))\n");
    let out = check("branches", &text, &[]);
    assert_eq!(
        counterexample(&out, "never"),
        " 2 states, 2 branches:
   1  x = 0, y = FALSE
   2  x = 1
      => false in the initial state
   Branch 1 from state 1, 1 state, shows EG ((x = 0 & !y) & EX y):
      from here on, forever:
   1  as state 1
   Branch 1.1 from state 1 of branch 1, 2 states, shows EX y:
   1  as state 1
   2  y = TRUE"
    );
}

#[test]
fn json_has_the_branches() {
    let text = format!("{TWO_WAYS}SPEC !(EF x = 1 & EF x = 2)\n");
    let json: Value = serde_json::from_str(&check("json_branches", &text, &["--format", "json"])).expect("it is JSON");
    let trace = &json["results"][1]["trace"];
    assert_eq!((&trace["steps"][0]["changes"]["x"], &trace["fair_from"]), (&1.into(), &Value::Null));
    let branches = trace["branches"].as_array().expect("it is a list");
    let [branch] = &branches[..] else { panic!("{branches:?}") };
    assert_eq!((&branch["after_step"], &branch["formula"]), (&0.into(), &"EF (x = 2)".into()));
    let branch = &branch["trace"];
    assert_eq!(branch["initial"], trace["initial"]);
    assert_eq!((&branch["steps"][0]["changes"]["x"], &branch["branches"]), (&2.into(), &Value::Null));
}

#[test]
fn a_fair_run_is_told_from_where_on_it_is_only_fair() {
    let text = format!("{TWO_WAYS}VAR z : boolean; ASSIGN init(z) := FALSE; FAIRNESS z SPEC NAME stays := AG x != 2\n");
    let out = check("fair", &text, &[]);
    let (shown, fair) = counterexample(&out, "stays")
        .split_once("      the rest shows only that the run can go on fairly:\n")
        .unwrap_or_else(|| panic!("{out}"));
    assert!(shown.contains("x = 2") && !shown.contains("z = TRUE"), "{out}");
    assert!(fair.contains("z = TRUE"), "{out}");
}

#[test]
fn branches_have_values_for_what_was_left_out() {
    let counter = "VAR n : 0..4; ASSIGN init(n) := 0; next(n) := n = 4 ? 0 : n + 1;\n";
    let text = format!("{TWO_WAYS}{counter}SPEC NAME one := AF (y | !(EF y))\nSPEC NAME many := AF (y | AX !y)\n");
    let out = check("counting", &text, &[]);
    assert!(out.contains("Reductions applied: cone of influence."), "{out}");
    // The counter comes round in five steps; one way to `y` does for all states that lead to it.
    let one = counterexample(&out, "one");
    assert!(one.starts_with(" 5 states, 1 branch:") && !one.contains("no branch is shown"), "{out}");
    assert!(one.ends_with("shows EF y:\n   1  as state 1\n   2  y = TRUE, n = 1"), "{out}");
    let many = counterexample(&out, "many");
    assert!(many.contains("in states 2 to 5, EX !(!y) holds, for which no branch is shown"), "{out}");
}

#[test]
fn where_the_whole_does_not_repeat_the_tree_is_that_of_a_part() {
    let clock = "VAR n : word[20]; ASSIGN init(n) := 0ud20_0; next(n) := n + 0ud20_1;\n";
    let text = format!("{TWO_WAYS}{clock}SPEC NAME never := !(EF x = 1 & EG (x = 0 & !y & EX y))\n");
    let out = check("clock", &text, &[]);
    let never = counterexample(&out, "never");
    assert!(never.starts_with(" 2 states, 2 branches:") && never.contains("Branch 1.1 "), "{out}");
    assert!(
        never.contains("variables that are not shown are not relevant for this property") && !never.contains("n = "),
        "{out}"
    );
}

#[test]
fn replay_takes_the_branches_and_refuses_wrong_ones() {
    let (model, trace) = (scratch("replayed_branches.smv"), scratch("replayed_branches.json"));
    let text = format!("{TWO_WAYS}SPEC NAME never := !(EF x = 1 & EG (x = 0 & !y & EX y))\n");
    std::fs::write(&model, &text).expect("the directory is there");
    let (model, trace) = (model.display().to_string(), trace.display().to_string());
    let checked = reductio(&["check", &model, "--trace", &trace]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let replayed = reductio(&["replay", &model, &trace]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    assert!(replayed.out.contains("   Branch 1.1 from state 1 of branch 1, 2 states, shows EX y:\n"), "{replayed:?}");

    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(&trace).expect("it was written")).expect("it is JSON");
    let refused = |change: &dyn Fn(&mut Value), message: &str| {
        let mut wrong = file.clone();
        change(&mut wrong["trace"]["branches"][0]);
        std::fs::write(&trace, wrong.to_string()).expect("the directory is there");
        let replayed = reductio(&["replay", &model, &trace]);
        assert_eq!(replayed.code, Some(2), "{replayed:?}");
        assert!(replayed.err.contains(message), "{replayed:?}");
    };
    refused(&|branch| branch["after_step"] = 9.into(), "it starts after step 9, but there are only 1 steps");
    refused(&|branch| branch["after_step"] = 1.into(), "it does not start in the state that it branches off from");
    refused(
        &|branch| branch["trace"]["branches"][0]["trace"]["initial"]["x"] = 1.into(),
        "the branch that shows EX y: this is no run of the model: it does not start in the state",
    );
}
