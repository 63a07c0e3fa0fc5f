//! `simulate`, `replay` and `graph` on models in SMV and AIGER, and the files with their runs.

use crate::common::{Run, model, reductio, scratch, typed};

/// Counts from 0 to 3, or stays as it is, and ends there.
const COUNTER: &str = "MODULE main IVAR go : boolean; VAR n : 0..3; colour : {red, green}; INIT n = 0 & colour = red \
    TRANS (go -> next(n) = n + 1) & (!go -> next(n) = n) & n < 3 INVAR n < 2 | colour = green \
    INVARSPEC NAME small := n < 2 LTLSPEC NAME rises := F n = 1 SPEC NAME tree := AF n = 1";

/// A file of this test alone, with this text.
fn file(name: &str, text: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is text").to_owned()
}

/// Fails with this message and shows nothing.
fn refused(arguments: &[&str], message: &str) {
    let run = reductio(arguments);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}: {run:?}");
    assert!(run.err.contains(message), "{arguments:?}: {run:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for name in ["arbiter.smv", "semaphore.smv", "counter.aag"] {
        let path = model(name);
        let simulate = |seed: &str| reductio(&["simulate", &path, "--seed", seed, "--steps", "30"]);
        let first = simulate("7");
        assert_eq!((first.code, first.err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(first.out, simulate("7").out, "{name}");
        assert_ne!(first.out, simulate("8").out, "{name}");
        assert!(first.out.contains("\n  31  ") && first.out.ends_with("stopped after 30 steps\n"), "{}", first.out);
    }
}

#[test]
fn a_run_at_random_ends_where_there_is_no_successor() {
    let path = file("ends.smv", COUNTER);
    let run = reductio(&["simulate", &path, "--seed", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("\n   1  n = 0, colour = red\n      with go = "), "{run:?}");
    assert!(run.out.ends_with("the last state has no successor\n"), "{run:?}");
    // The way there is taken one by one, and `n` is 3 only where the colour is green.
    let values: Vec<&str> = run.out.lines().filter_map(|line| line[6..].strip_prefix("n = ")).collect();
    assert_eq!(values.iter().map(|value| &value[..1]).collect::<String>(), "0123", "{run:?}");
    // In AIGER that is no fault: the constraint says that the input is false, and that the latch is, which it is once.
    let ends = file("ends.aag", "aag 2 1 1 0 0 0 1\n2\n4 1\n5\n");
    let run = reductio(&["simulate", &ends]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.ends_with("the run ends: no inputs meet the constraints in the next state\n"), "{run:?}");
}

#[test]
fn large_domains_do_not_keep_from_simulating() {
    let text = "MODULE main IVAR i : word[32]; VAR a : word[32]; b : word[40]; ASSIGN next(a) := i; next(b) := b;";
    let path = file("wide.smv", text);
    let run = reductio(&["simulate", &path, "--seed", "5", "--steps", "3"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.out.contains("a = 0ud32_"), "{run:?}");
    // Of so many, some are listed.
    let run = typed(&["simulate", &path, "--interactive"], "2\n3\nr\n");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.out.matches("and more, which are not listed").count(), 4, "{run:?}");
    assert!(run.out.contains("   1  a = 0ud32_0, b = 0ud40_1\n"), "{run:?}");
    assert!(run.out.contains("      with i = 0ud32_2\n   2  a = 0ud32_2\n"), "{run:?}");
    // What cannot be found by trying is said to be so.
    let hard = "MODULE main VAR a : word[30]; b : word[30]; INIT a * b = 0ud30_1000003 & a > 0ud30_1 & b > 0ud30_1";
    refused(&["simulate", &file("hard.smv", hard), "--interactive"], "too many values to try one by one");
    refused(&["graph", &file("hard.smv", hard), "--states"], "too many values to try one by one");
}

#[test]
fn the_user_guides_a_run() {
    let path = file("guided.smv", COUNTER);
    let arguments = ["simulate", &path, "--interactive"];
    let run = typed(&arguments, "0\nfoo\n5\n\n3\nq\n");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(run.out.matches("possible now:").count(), 2, "{run:?}");
    assert_eq!(run.out.matches("is not one of them").count(), 4, "{run:?}");
    assert!(run.out.contains("   3  with go = TRUE: n = 1\n"), "{run:?}");
    assert!(run.out.contains("      with go = TRUE\n   2  n = 1\n"), "{run:?}");
    for input in ["", "q\n"] {
        let run = typed(&arguments, input);
        assert_eq!((run.code, run.out.matches("possible now:").count()), (Some(0), 1), "{run:?}");
    }
    let run = typed(&[&arguments[..], &["--steps", "1"]].concat(), "1\n1\n");
    assert!(run.out.ends_with("stopped after 1 step\n"), "{run:?}");
    refused(&["simulate", &path, "--interactive", "--seed", "1"], "--seed");
}

#[test]
fn models_that_make_no_sense_are_refused_by_all_commands() {
    let contradiction = file("no_state.smv", "MODULE main VAR x : boolean; INIT x INVAR !x");
    refused(&["graph", &contradiction, "--states"], "no initial state");
    let run = reductio(&["simulate", &contradiction]);
    assert!(run.code == Some(2) && run.err.contains("no initial state"), "{run:?}");
    let overflow = file("overflowing.smv", "MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;");
    let message = "the value does not always fit `x`: for x = 3";
    refused(&["simulate", &overflow], message);
    refused(&["replay", &overflow, "none.json"], message);
    refused(&["graph", &overflow], message);
    refused(&["simulate", &file("wrong.smv", "MODULE main VAR x boolean;")], "expected");
    refused(&["simulate", &file("wrong_header.aag", "aag 1 1\n")], "wrong_header.aag:1:");
    let good = model("arbiter.smv");
    for command in ["simulate", "graph"] {
        refused(&[command, &good, "-D", "N=3"], "-D is not for models in SMV or AIGER");
    }
    refused(&["replay", &good, "none.json", "-D", "N=3"], "-D is not for models in SMV or AIGER");
    refused(&["graph", &good, "--symmetry"], "--symmetry is not for models in SMV or AIGER");
    refused(&["replay", &good, "some.trail"], "a trail of SPIN's is not for models in SMV or AIGER");
    refused(&["check", &good, "--trace", "some.trail"], "--trace with a trail is not for models in SMV or AIGER");
    refused(&["replay", &good, "no_such_file.json"], "cannot read no_such_file.json");
    refused(&["reduce", &good], "a model in SMV or AIGER can be checked");
}

/// Checks a property of the counter and keeps its run.
fn kept(name: &str, property: &str) -> (String, String, Run) {
    let path = file(&format!("{name}.smv"), COUNTER);
    let trace = scratch(&format!("{name}.json")).to_str().expect("the path is text").to_owned();
    let _ = std::fs::remove_file(&trace);
    let checked = reductio(&["check", &path, "--property", property, "--trace", &trace, "--reduce", "none"]);
    assert_eq!((checked.code, checked.err.as_str()), (Some(1), ""), "{checked:?}");
    (path, trace, checked)
}

#[test]
fn a_run_is_kept_and_replayed() {
    for (property, end) in [
        ("small", "      => violates small: false in state 3\n"),
        ("deadlock", "      => violates deadlock: the last state has no successor\n"),
    ] {
        let (path, trace, checked) = kept(&format!("kept_{property}"), property);
        let json: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&trace).expect("it was written")).expect("it is JSON");
        assert_eq!((&json["schema"], &json["property"]), (&"reductio.trace/1".into(), &property.into()));
        assert_eq!(json["trace"]["initial"], serde_json::json!({"n": 0, "colour": "red"}));
        let replayed = reductio(&["replay", &path, &trace]);
        assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""), "{replayed:?}");
        assert!(replayed.out.ends_with(end), "{replayed:?}");
        // The replay shows the very lines of the counterexample.
        let states = replayed.out.strip_suffix(end).expect("it ends so");
        assert!(states.lines().count() > 2 && checked.out.contains(states), "{replayed:?}\n{checked:?}");
    }
}

#[test]
fn cycles_are_kept_and_replayed() {
    let path = model("semaphore.smv");
    let trace = scratch("semaphore.json");
    let trace = trace.to_str().expect("the path is text");
    let checked = reductio(&["check", &path, "--ltl", "F one.state = critical", "--trace", trace]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.err.contains("with --property"), "{checked:?}");
    let replayed = reductio(&["replay", &path, trace]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    assert!(replayed.out.contains("from here on, forever"), "{replayed:?}");
    assert!(replayed.out.contains("was not checked: a CTL formula is about more than one run"), "{replayed:?}");
    let only = ["--property", "F one.state = critical"];
    reductio(&[&["check", &path, "--ltl", "F one.state = critical", "--trace", trace][..], &only].concat());
    let replayed = reductio(&["replay", &path, trace]);
    assert!(replayed.code == Some(0) && replayed.out.contains("the model has no such property"), "{replayed:?}");
    // A run that is one, with a property of the model that it does not break.
    let text = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; \
        LTLSPEC NAME settles := F G x LTLSPEC NAME changes := G F x";
    let path = file("blinker.smv", text);
    reductio(&["check", &path, "--trace", trace]);
    let replayed = reductio(&["replay", &path, trace]);
    assert!(replayed.out.ends_with("=> violates settles: the states of the cycle repeat forever\n"), "{replayed:?}");
    let other = std::fs::read_to_string(trace).expect("it was written").replace("settles", "changes");
    let replayed = reductio(&["replay", &path, &file("changes.json", &other)]);
    assert_eq!(replayed.code, Some(2), "{replayed:?}");
    assert!(replayed.err.contains("does not show a violation of changes"), "{replayed:?}");
}

#[test]
fn a_run_that_leaves_out_variables_is_not_kept() {
    let text = "MODULE main VAR x : boolean; n : word[20]; ASSIGN init(x) := FALSE; next(x) := !x; \
        init(n) := 0ud20_0; next(n) := n + 0ud20_1; LTLSPEC F G x";
    let path = file("long_cycle_kept.smv", text);
    let trace = scratch("long_cycle.json");
    let _ = std::fs::remove_file(&trace);
    let run = reductio(&["check", &path, "--trace", trace.to_str().expect("the path is text")]);
    assert!(
        run.code == Some(1)
            && run.err.contains("was not written for F G x: its counterexample leaves out variables; --reduce none"),
        "{run:?}"
    );
    assert!(!trace.exists());
    let holds = file("holds.smv", "MODULE main VAR x : boolean; INVARSPEC x | !x");
    let run = reductio(&["check", &holds, "--trace", trace.to_str().expect("the path is text")]);
    assert!(run.code == Some(0) && run.err.contains("there is no counterexample"), "{run:?}");
}

#[test]
fn runs_that_do_not_fit_are_errors() {
    let (path, trace, _) = kept("fitting", "small");
    let text = std::fs::read_to_string(trace).expect("it was written");
    let replay = |name: &str, contents: &str, message: &str| {
        assert_ne!(contents, text, "{name}");
        refused(&["replay", &path, &file(&format!("unfit_{name}.json"), contents)], message);
    };
    replay("empty", "", "not a trace file");
    replay("binary", "\u{0}\u{1}", "not a trace file");
    replay("truncated", &text[..text.len() / 2], "not a trace file");
    replay("schema", &text.replace("reductio.trace/1", "reductio.trace/9"), "its schema is `reductio.trace/9`");
    replay("name", &text.replace("\"colour\"", "\"color\""), "state 1: the model has no variable `color`");
    replay("input", &text.replace("\"go\"", "\"stop\""), "state 1: the model has no variable `stop`");
    replay("value", &text.replace("\"red\"", "\"blue\""), "state 1: `colour` cannot have the value `blue`");
    replay("range", &text.replace("\"n\": 2", "\"n\": 7"), "`n` cannot have the value `7`");
    replay(
        "step",
        &text.replace("\"n\": 1", "\"n\": 0"),
        "state 2: this is no run of the model: the constraints forbid the step",
    );
    replay(
        "first",
        &text.replace("\"n\": 0", "\"n\": 1"),
        "state 1: this is no run of the model: the constraints forbid such a first state",
    );
    replay("open_cycle", &text.replace("\"cycle_start\": null", "\"cycle_start\": 1"), "the cycle does not lead back");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = json.clone();
        change(&mut json["trace"]);
        json.to_string()
    };
    let missing = changed(&|trace| {
        trace["initial"].as_object_mut().expect("values").remove("n");
    });
    replay("missing", &missing, "state 1: `n` has no value");
    let unchanged = changed(&|trace| trace["steps"][0]["changes"] = serde_json::json!({}));
    replay("unchanged", &unchanged, "state 2: this is no run of the model: the constraints forbid the step");
    let no_input = changed(&|trace| trace["steps"][0]["inputs"] = serde_json::json!({}));
    replay("no_input", &no_input, "state 1: `go` has no value");
    let changed_input = changed(&|trace| trace["steps"][0]["changes"]["go"] = "TRUE".into());
    replay("changed_input", &changed_input, "state 2: the model has no variable `go` here");
    replay("nothing", &changed(&|trace| trace["initial"] = serde_json::Value::Null), "in which state it starts");
    replay("cycle", &changed(&|trace| trace["cycle_start"] = 99.into()), "the cycle starts at step index 99");
    replay("negative", &changed(&|trace| trace["cycle_start"] = (-1).into()), "not a trace file");
    replay("list", &changed(&|trace| trace["steps"][0]["changes"] = serde_json::json!([1])), "not a trace file");
    // A run of processes is none of a circuit's, nor the other way round.
    let processes = scratch("processes.json");
    let processes = processes.to_str().expect("the path is text");
    reductio(&["check", &model("deadlock.pml"), "--trace", processes]);
    refused(&["replay", &path, processes], "is this a trace of another model?");
    let of_processes = std::fs::read_to_string(processes).expect("it was written");
    let mut mixed: serde_json::Value = serde_json::from_str(&of_processes).expect("it is JSON");
    mixed["trace"]["initial"] = json["trace"]["initial"].clone();
    replay("mixed", &mixed.to_string(), "a trace of processes is none of a circuit");
    let good = file("good_run.json", &text);
    refused(&["replay", &model("deadlock.pml"), &good], "a trace of processes is none of a circuit");
    refused(&["replay", &model("arbiter.smv"), &good], "another model");
}

#[test]
fn the_variable_that_is_wrong_is_named() {
    let text = "MODULE main FROZENVAR f : 0..2; VAR x : 0..2; y : 0..2; ASSIGN init(x) := f; next(x) := (x + 1) mod 3; y := x; \
        INIT f = 1 INVARSPEC NAME low := x < 2 LTLSPEC NAME stays := G F x = 1 -> F G x = 1";
    let path = file("named.smv", text);
    let run = |states: &[[u8; 3]], cycle: &str| {
        let state = |[f, x, y]: &[u8; 3]| format!("{{\"f\": {f}, \"x\": {x}, \"y\": {y}}}");
        let step = |next: &[u8; 3]| format!("{{\"inputs\": {{}}, \"changes\": {}}}", state(next));
        let steps: Vec<String> = states[1..].iter().map(step).collect();
        let (initial, steps) = (state(&states[0]), steps.join(", "));
        let trace = format!("{{\"initial\": {initial}, \"steps\": [{steps}], \"cycle_start\": {cycle}}}");
        format!("{{\"schema\": \"reductio.trace/1\", \"property\": \"low\", \"trace\": {trace}}}")
    };
    let replayed = reductio(&["replay", &path, &file("named.json", &run(&[[1, 1, 1], [1, 2, 2]], "null"))]);
    assert!(replayed.code == Some(0) && replayed.out.ends_with("=> violates low: false in state 2\n"), "{replayed:?}");
    let table: [(&[[u8; 3]], &str, &str); 7] = [
        (&[[1, 0, 0]], "null", "state 1: this is no run of the model: `x` cannot have this value at first"),
        (&[[1, 1, 0]], "null", "state 1: this is no run of the model: `y` cannot have this value at first"),
        (&[[0, 0, 0]], "null", "the constraints forbid such a first state"),
        (&[[1, 1, 1], [1, 0, 0]], "null", "state 2: this is no run of the model: `x` cannot have this value after"),
        (&[[1, 1, 1], [1, 2, 1]], "null", "state 2: this is no run of the model: `y` cannot have this value after"),
        (&[[1, 1, 1], [2, 2, 2]], "null", "state 2: this is no run of the model: `f` cannot have this value after"),
        (&[[1, 1, 1], [1, 2, 2]], "0", "the cycle does not lead back to where it starts"),
    ];
    for (place, (states, cycle, message)) in table.into_iter().enumerate() {
        refused(&["replay", &path, &file(&format!("named_{place}.json"), &run(states, cycle))], message);
    }
}

#[test]
fn witnesses_are_replayed() {
    let path = model("counter.aag");
    let witness = scratch("replayed.wit");
    let witness = witness.to_str().expect("the path is text");
    reductio(&["check", &path, "--trace", witness]);
    let run = reductio(&["replay", &path, witness]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert!(
        run.out.starts_with("b0 (overflow), 4 states:\n   1  enable = TRUE, low = FALSE, high = FALSE\n"),
        "{run:?}"
    );
    assert!(run.out.contains("      => b0 (overflow) is reached in state 4\n\nj0 (high_again_and_again), "), "{run:?}");
    assert!(run.out.contains("      from here on, forever:\n"), "{run:?}");
    assert!(run.out.ends_with("      => j0 (high_again_and_again) is visited infinitely often\n"), "{run:?}");
}

#[test]
fn witnesses_of_other_tools_are_replayed() {
    let path = model("counter.aag");
    // More steps than are needed, values that do not matter, and what else tools write.
    let text = "c made by hand\nu2\n0\nj0\n.\n1\nb0j0\nxx\n1\n1\n1\n1\nx\nx\n1\n1\n1\n1\n.\n# DONE\n";
    let run = reductio(&["replay", &path, &file("other.wit", text)]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.out.starts_with("j0 (high_again_and_again) holds according to the file"), "{run:?}");
    assert!(run.out.contains("=> b0 (overflow) is reached in state 4\n"), "{run:?}");
    assert!(run.out.contains("=> j0 (high_again_and_again) is visited infinitely often\n"), "{run:?}");
    // The state with which the cycle begins may be told once more at the end.
    let again = "1\nj0\n00\n1\n1\n1\n1\n0\n.\n";
    let run = reductio(&["replay", &path, &file("again.wit", again)]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    // Files of the old format have outputs for bad states.
    let old = file("old.aag", "aag 1 0 1 1 0\n2 3\n2\n");
    let run = reductio(&["replay", &old, &file("old.wit", "1\nb0\n0\n\n\n.\n")]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("=> b0 (o0) is reached in state 2\n"), "{run:?}");
}

#[test]
fn witnesses_are_of_the_properties_that_they_name() {
    // Two bad states of the same name, of which only the second is reached.
    let path = file("namesakes.aag", "aag 1 0 1 0 0 2\n2 3\n0\n2\nb0 same\nb1 same\n");
    let witness = scratch("namesakes.wit");
    let witness = witness.to_str().expect("the path is text");
    assert_eq!(reductio(&["check", &path, "--trace", witness]).code, Some(1));
    let run = reductio(&["replay", &path, witness]);
    assert!(run.code == Some(0) && run.out.contains("=> b1 (same) is reached in state 2\n"), "{run:?}");
    // A justice property beside a counter of twelve bits, which the cycle is too short for.
    let (mut latches, mut gates, mut carry, mut next) = (String::from("2 3\n"), String::new(), 1, 28);
    for bit in 0..12 {
        let latch = 4 + 2 * bit;
        let (both, none, both_now) = (next, next + 2, next + 4);
        gates += &format!(
            "{both} {latch} {carry}\n{none} {} {}\n{both_now} {} {}\n",
            latch + 1,
            carry ^ 1,
            both + 1,
            none + 1
        );
        latches += &format!("{latch} {both_now}\n");
        carry = both;
        next += 6;
    }
    let header = format!("aag {} 0 13 0 36 0 0 1\n", next / 2 - 1);
    let path = file("beside.aag", &format!("{header}{latches}1\n2\n{gates}"));
    let run = reductio(&["check", &path, "--trace", witness]);
    assert!(
        run.code == Some(1) && run.err.contains("was not written for j0: its counterexample leaves out variables"),
        "{run:?}"
    );
    let run = reductio(&["check", &path, "--trace", witness, "--reduce", "none"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{run:?}");
    let run = reductio(&["replay", &path, witness]);
    assert!(run.code == Some(0) && run.out.ends_with("=> j0 is visited infinitely often\n"), "{run:?}");
    assert!(run.out.contains("states left out; the file has them all"), "{run:?}");
}

#[test]
fn witnesses_that_do_not_fit_are_errors() {
    let path = model("counter.aag");
    let replay = |name: &str, text: &str, message: &str| {
        refused(&["replay", &path, &file(&format!("unfit_{name}.wit"), text)], message);
    };
    replay("empty", "", "there is no witness");
    replay("truncated", "1\nb0\n00\n1\n", "line 4: the file ends before");
    replay("status", "7\nb0\n.\n", "line 1: expected `0`, `1` or `2`");
    replay("property", "1\nb7\n00\n1\n.\n", "line 2: the model has no b7");
    replay("latches", "1\nb0\n000\n1\n.\n", "line 3: the model has 2 latches, here are values for 3");
    replay("inputs", "1\nb0\n00\n11\n.\n", "line 4: the model has 1 inputs, here are values for 2");
    replay("letters", "1\nb0\n00\nyes\n.\n", "line 4: expected a line of");
    replay("first", "1\nb0\n01\n1\n.\n", "line 1: the first state of this witness is not initial");
    replay("nothing", "1\nb0\n00\n.\n", "line 1: this witness has no line of inputs");
    replay("json", "{\"schema\": \"reductio.result/1\"}", "its schema is `reductio.result/1`");
    let constrained = file("constrained.aag", "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n5\n");
    let witness = file("constrained.wit", "1\nb0\n0\n1\n0\n.\n");
    refused(&["replay", &constrained, &witness], "line 1: state 2 of this witness breaks the constraints");
    // These are runs, and shown, but of nothing bad.
    for (name, text, what) in [
        ("harmless", "1\nb0\n00\n1\n1\n.\n", "line 1: this is a run of the model, but does not show a violation of b0"),
        ("open", "1\nb0\n00\n1\nx\n1\n1\n.\n", "b0 (overflow), with false for each `x`"),
        ("endless", "1\nj0\n00\n0\n0\n.\n", "j0 (high_again_and_again)"),
        ("no_cycle", "1\nj0\n00\n1\n1\n1\n.\n", "j0 (high_again_and_again)"),
    ] {
        let run = reductio(&["replay", &path, &file(&format!("unfit_{name}.wit"), text)]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(what) && run.out.contains("   1  enable = "), "{run:?}");
    }
}

#[test]
fn states_of_circuits_are_drawn() {
    let path = file("drawn.smv", COUNTER);
    let run = reductio(&["graph", &path, "--states"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(run.out, reductio(&["graph", &path, "--states", "--dot"]).out);
    let nodes: Vec<&str> = run.out.lines().filter(|line| line.contains("[label=") && !line.contains("->")).collect();
    // In two and three the colour is green.
    assert_eq!(nodes.len(), 6, "{run:?}");
    assert_eq!(run.out.matches("style=bold").count(), 1);
    assert_eq!(nodes.iter().filter(|node| node.contains("color=red")).count(), 1, "{run:?}");
    assert!(run.out.contains("s0 [label=\"n = 0\\ncolour = red\", style=bold];"), "{run:?}");
    assert!(run.out.contains("s0 -> s0 [label=\"go = FALSE\"];"), "{run:?}");
    // Steps that differ only by inputs are one arrow.
    let run = reductio(&["graph", &model("arbiter.smv"), "--states"]);
    assert!(run.out.contains("a.asks = FALSE, b.asks = FALSE, c.asks = FALSE"), "{run:?}");
    let arrows: Vec<&str> = run.out.lines().filter(|line| line.contains(" -> ")).collect();
    let mut ends: Vec<&str> = arrows.iter().filter_map(|line| line.split(" [").next()).collect();
    ends.dedup();
    assert_eq!(ends.len(), arrows.len());
    let several = file("several_first.smv", "MODULE main IVAR i : 0..9; VAR x : boolean; ASSIGN next(x) := x;");
    let run = reductio(&["graph", &several, "--states"]);
    assert_eq!(run.out.matches("style=bold").count(), 2, "{run:?}");
    assert!(run.out.contains("i = 3\\nand 6 more"), "{run:?}");
    let large = file("large.smv", "MODULE main VAR n : 0..5000; ASSIGN init(n) := 0; next(n) := (n + 1) mod 5001;");
    refused(&["graph", &large, "--states"], "more than 2000 states");
    let free = file("free.smv", "MODULE main VAR n : 0..5000;");
    refused(&["graph", &free, "--states"], "more than 2000 states");
    let dense = file("dense.smv", "MODULE main VAR n : 0..999;");
    refused(&["graph", &dense, "--states"], "too many for a picture");
}

#[test]
fn dependencies_are_drawn() {
    let text = "MODULE main IVAR i : boolean; FROZENVAR f : boolean; VAR a : boolean; b : boolean; c : boolean; \
        ASSIGN init(a) := f; next(a) := b xor i; next(b) := case a : {TRUE, FALSE}; TRUE : b; esac; c := a; \
        INVAR a | b TRANS c -> next(b)";
    let run = reductio(&["graph", &file("dependent.smv", text)]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.out.starts_with("digraph dependencies {\n") && run.out.ends_with("}\n"), "{run:?}");
    let number = |name: &str| {
        let line = run.out.lines().find(|line| line.contains(&format!("[label=\"{name}\""))).expect("it is drawn");
        line.split_whitespace().next().expect("a number").to_owned()
    };
    let mut expected = vec![
        (format!("  {} -> {} [style=dashed];", number("f"), number("a"))),
        format!("  {} -> {};", number("b"), number("a")),
        format!("  {} -> {};", number("i"), number("a")),
        format!("  {} -> {};", number("a"), number("b")),
        format!("  {} -> {};", number("b"), number("b")),
        format!("  {} -> {};", number("a"), number("c")),
        format!("  {} -> {} [dir=none];", number("a"), number("INVAR")),
        format!("  {} -> {} [dir=none];", number("b"), number("INVAR")),
        format!("  {} -> {} [dir=none];", number("b"), number("TRANS")),
        format!("  {} -> {} [dir=none];", number("c"), number("TRANS")),
    ];
    let mut drawn: Vec<&str> = run.out.lines().filter(|line| line.contains(" -> ")).collect();
    expected.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(drawn, expected, "{run:?}");
    let run = reductio(&["graph", &model("counter.aag"), "--dot"]);
    assert!(run.code == Some(0) && run.out.contains("[label=\"enable\"]"), "{run:?}");
    let many: String = (0..2001).map(|n| format!("v{n} : boolean;")).collect();
    refused(&["graph", &file("many.smv", &format!("MODULE main VAR {many}"))], "more than 2000 variables");
}

/// Operators of the past are remembered in variables that nobody sees, and files know nothing of them.
#[test]
fn runs_that_break_a_formula_of_the_past_are_replayed() {
    let (model, trace) = (scratch("past.smv"), scratch("past.json"));
    let text = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4};\n\
        LTLSPEC NAME since := G (x = 2 -> H (x != 1))\nLTLSPEC NAME often := G F (Y x = 2)\n";
    std::fs::write(&model, text).expect("the directory is there");
    let (model, trace) = (model.display().to_string(), trace.display().to_string());
    for property in ["since", "often"] {
        let checked = reductio(&["check", &model, "--property", property, "--trace", &trace]);
        assert_eq!(checked.code, Some(1), "{checked:?}");
        let replayed = reductio(&["replay", &model, &trace]);
        assert_eq!(replayed.code, Some(0), "{replayed:?}");
        assert!(replayed.out.contains(&format!("=> violates {property}:")), "{replayed:?}");
    }
}
