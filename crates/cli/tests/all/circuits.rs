//! Models in SMV, from the text to the exit code, with both engines.

use crate::common::{Run, command, model, reductio, scratch};

const ENGINES: [&str; 2] = ["symbolic", "explicit"];

/// Checks a text with an engine and more arguments.
fn check(name: &str, text: &str, engine: &str, arguments: &[&str]) -> Run {
    let path = scratch(&format!("{name}.smv"));
    std::fs::write(&path, text).expect("the file can be written");
    let mut all = vec!["check", path.to_str().expect("the path is text"), "--engine", engine];
    all.extend(arguments);
    command(&all).output().expect("the binary was built for this test").into()
}

/// The words of the line about a property.
fn verdict(run: &Run, property: &str) -> String {
    let line = run.out.lines().find(|line| line.starts_with(property));
    line.map(|line| line[property.len()..].trim().to_owned()).unwrap_or_else(|| panic!("{property}: {run:?}"))
}

#[test]
fn a_formula_holds_if_it_does_in_every_initial_state() {
    let text = "MODULE main VAR x : boolean; ASSIGN next(x) := x; SPEC EF x SPEC !(EF x) SPEC EF x | !(EF x)";
    for engine in ENGINES {
        let run = check("several_initial_states", text, engine, &[]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(verdict(&run, "EF x ").starts_with("VIOLATED"), "{run:?}");
        assert!(verdict(&run, "!(EF x)").starts_with("VIOLATED"), "{run:?}");
        assert_eq!(verdict(&run, "EF x | !(EF x)"), "holds");
    }
}

#[test]
fn runs_that_end_leave_temporal_formulas_open() {
    let text =
        "MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) = x + 1 SPEC AG EF x = 3 LTLSPEC F x = 3 INVARSPEC x < 9";
    for engine in ENGINES {
        let run = check("dead_end", text, engine, &[]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert_eq!(verdict(&run, "deadlock"), "VIOLATED: the last state has no successor");
        assert!(
            verdict(&run, "AG EF x = 3").starts_with("inconclusive: some reachable state has no successor"),
            "{run:?}"
        );
        assert!(verdict(&run, "F x = 3").starts_with("inconclusive"), "{run:?}");
        assert_eq!(verdict(&run, "x < 9"), "holds");
        let run = check("dead_end", text, engine, &["--no-deadlock"]);
        assert_eq!(run.code, Some(3), "{run:?}");
    }
}

#[test]
fn nothing_is_said_of_runs_that_do_not_exist() {
    let unfair =
        "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := FALSE; FAIRNESS x SPEC AG x LTLSPEC G x";
    let contradiction = "MODULE main VAR x : boolean; INIT x INVAR !x SPEC AG x";
    for engine in ENGINES {
        let run = check("unfair", unfair, engine, &[]);
        assert_eq!(run.code, Some(3), "{run:?}");
        for formula in ["AG x", "G x"] {
            assert!(verdict(&run, formula).starts_with("inconclusive: no run meets the fairness"), "{run:?}");
        }
        let run = check("contradiction", contradiction, engine, &[]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.contains("no initial state"), "{run:?}");
    }
}

#[test]
fn a_text_without_meaning_is_an_error_with_an_example() {
    let table = [
        ("next(x) := x + 1;", "m:2:12: error: the value does not always fit `x`: for x = 3"),
        ("next(x) := 7;", "m:2:12: error: `x` cannot have the value `7`"),
        ("next(x) := 3 / x;", "m:2:16: error: the divisor may be zero: for x = 0"),
        (
            "next(x) := case x < 3 : 0; esac;",
            "m:2:12: error: the conditions of this `case` do not cover all values: for x = 3",
        ),
        ("next(x) := [0, 1, 2][x];", "m:2:22: error: an index is out of the array's bounds 0..2: for x = 3"),
    ];
    for (assign, message) in table {
        for engine in ENGINES {
            let run = check("nonsense", &format!("MODULE main VAR x : 0..3; ASSIGN\n{assign}"), engine, &[]);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
            let (_, place_and_message) = message.split_once(':').expect("a place");
            assert!(run.err.trim_end().ends_with(place_and_message), "{assign}: {run:?}");
        }
    }
    // What somebody has looked at is no error.
    let guarded = "MODULE main VAR x : 0..3; ASSIGN next(x) := x = 0 ? 0 : 3 / x;";
    assert_eq!(check("guarded", guarded, "symbolic", &[]).code, Some(0));
}

#[test]
fn limits_end_as_inconclusive() {
    // The order of the text is bad for this: all of the left words come before all of the right ones.
    let words = |side: &str| (0..8).map(|n| format!("{side}{n} : word[2];")).collect::<String>();
    let equal: Vec<String> = (0..8).map(|n| format!("l{n} = r{n}")).collect();
    let text = format!("MODULE main VAR {}{} INVARSPEC !({})", words("l"), words("r"), equal.join(" & "));
    let run = check("bad_order", &text, "symbolic", &["--memory", "100K"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("inconclusive: the memory limit"), "{run:?}");
    let run = check("bad_order", &text, "explicit", &["--memory", "1M"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    let run = check("bad_order", &text, "symbolic", &["--time", "0s"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("inconclusive: the time limit of 0 s was reached"), "{run:?}");
}

#[test]
fn what_nobody_asks_for_is_left_out_and_shown_all_the_same() {
    let text = "MODULE main VAR x : boolean; n : 0..6; ASSIGN init(x) := FALSE; next(x) := !x; init(n) := 0; \
        next(n) := n = 6 ? 0 : n + 1; SPEC EG !x LTLSPEC F G x INVARSPEC !x INVARSPEC n < 7";
    for engine in ENGINES {
        let run = check("bystander", text, engine, &[]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.contains("Reductions applied: cone of influence."), "{run:?}");
        // The cycle of two states is repeated until the counter has come round, too.
        assert!(run.out.contains("Counterexample to F G x, 14 states"), "{run:?}");
        let lifted = run.out.split("Counterexample to F G x").nth(1).expect("it was found");
        assert!(lifted.contains("n = 5"), "{run:?}");
        let whole = check("bystander", text, engine, &["--reduce", "none"]);
        assert!(whole.out.contains("Reductions applied: none."), "{whole:?}");
        for property in ["EG !x", "F G x", "!x", "n < 7"] {
            assert_eq!(verdict(&run, property), verdict(&whole, property));
        }
    }
}

#[test]
fn a_cycle_that_the_whole_does_not_repeat_is_shown_without_the_rest() {
    let text = "MODULE main VAR x : boolean; n : word[20]; ASSIGN init(x) := FALSE; next(x) := !x; \
        init(n) := 0ud20_0; next(n) := n + 0ud20_1; LTLSPEC F G x";
    let run = check("long_cycle", text, "symbolic", &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("variables that are not shown are not relevant for this property"), "{run:?}");
    assert!(!run.out.contains("n = "), "{run:?}");
}

#[test]
fn no_order_of_bits_changes_an_answer() {
    let path = model("arbiter.smv");
    let answers = |arguments: &[&str]| {
        let run = reductio(&[&["check", &path], arguments].concat());
        run.out.lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = answers(&[]);
    assert_eq!(expected.len(), 5, "{expected:?}");
    for order in ["text", "worst", "scattered"] {
        assert_eq!(answers(&["--order", order]), expected);
        assert_eq!(answers(&["--order", order, "--reorder", "off"]), expected);
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let path = model("arbiter.smv");
    let options: [&[&str]; 14] = [
        &["-D", "N=3"],
        &["--reduce", "por"],
        &["--fairness", "weak"],
        &["--search", "dfs"],
        &["--cycles", "nested"],
        &["--vacuity", "full"],
        &["--store", "compact"],
        &["--threads", "2"],
        &["--trace", "t.trail"],
        &["--max-violations", "2"],
        &["--relation", "static", "--engine", "explicit"],
        &["--direction", "backward", "--engine", "explicit"],
        &["--order", "worst", "--engine", "explicit"],
        &["--reorder", "off", "--engine", "explicit"],
    ];
    for option in options {
        let mut arguments = vec!["check", &path];
        arguments.extend(option);
        let run = reductio(&arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{option:?}");
        assert!(run.err.contains(option[0]), "{option:?}: {}", run.err);
    }
    let run = reductio(&["reduce", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("a model in SMV or AIGER can be checked"), "{}", run.err);
    let run = reductio(&["check", &path, "--direction", "backward"]);
    assert!(run.code == Some(1) && run.out.contains("states not counted"), "{run:?}");
    let run = reductio(&["check", &path, "--property", "srved"]);
    assert!(run.code == Some(2) && run.err.contains("served"), "{run:?}");
}

#[test]
fn json_has_the_states_of_a_run() {
    let path = model("semaphore.smv");
    let run = reductio(&["check", &path, "--format", "json", "--relation", "static"]);
    assert_eq!(run.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(json["statistics"]["states"], 12);
    let violated = &json["results"][2];
    assert_eq!((&violated["kind"], &violated["verdict"]), (&"ctl".into(), &"violated".into()));
    let trace = &violated["trace"];
    let initial = &trace["initial"];
    assert_eq!((&initial["semaphore"], &initial["one.state"]), (&"FALSE".into(), &"idle".into()));
    assert!(trace["steps"][0]["inputs"]["_process_selector_"].is_string());
    assert!(trace["cycle_start"].is_u64());
}

#[test]
fn aiger_files_are_checked_and_witnessed() {
    let witness = scratch("counter.wit");
    let path = witness.to_str().expect("the path is text");
    for engine in ENGINES {
        let run = reductio(&["check", &model("counter.aag"), "--engine", engine, "--trace", path]);
        assert_eq!(run.code, Some(1), "{run:?}");
        let text = std::fs::read_to_string(&witness).expect("it was written");
        let blocks: Vec<&str> = text.split(".\n").collect();
        // Three steps to count up to three; in the last state, the input does not matter.
        assert!(blocks[0].starts_with("1\nb0\n00\n1\n1\n1\n"), "{text}");
        assert!(blocks[1].starts_with("1\nj0\n00\n"), "{text}");
        assert_eq!(blocks[2], "");
    }
    for option in ["--ctl", "--ltl", "--invariant"] {
        let run = reductio(&["check", &model("counter.aag"), option, "low"]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("not for models in AIGER"), "{}", run.err);
    }
    let wrong = scratch("wrong.aag");
    std::fs::write(&wrong, "aag 1 1 0 0 0\n3\n").expect("the file can be written");
    let run = reductio(&["check", wrong.to_str().expect("the path is text")]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("wrong.aag:2: 3 cannot be defined"), "{}", run.err);
}

#[test]
fn states_are_kept_in_a_file_and_used_again() {
    let file = scratch("arbiter_states.dddmp").display().to_string();
    let model = model("arbiter.smv");
    let saved = reductio(&["check", &model, "--save-states", &file]);
    assert!(saved.out.contains("\n24 states, depth 3;"), "{saved:?}");
    assert!(saved.out.contains("cone of influence: off; saved states are states of the whole model"), "{saved:?}");
    let loaded = reductio(&["check", &model, "--load-states", &file]);
    let verdicts = |run: &Run| run.out.lines().take(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((verdicts(&loaded), loaded.code), (verdicts(&saved), saved.code));
    // They are not looked for again, so nothing is known of distances.
    assert!(loaded.out.contains("\n24 states, depth 0;"), "{loaded:?}");

    let text = std::fs::read_to_string(&file).expect("it was written");
    let refused = |text: &str, message: &str| {
        std::fs::write(&file, text).expect("it can be written");
        let run = reductio(&["check", &model, "--load-states", &file]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(message), "{run:?}");
    };
    refused(&text.replace(".rootids -", ".rootids "), "not among these states");
    refused(&text[..text.len() / 2], "line ");
    refused("", "expected a diagram in the format DDDMP");
}

#[test]
fn files_of_states_go_with_few_options() {
    for (options, message) in [
        (["--engine", "explicit"], "--save-states with --engine explicit is not available"),
        (["--direction", "backward"], "--save-states with --direction backward is not available"),
    ] {
        let run = reductio(&["check", &model("arbiter.smv"), "--save-states", "nowhere", options[0], options[1]]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(message), "{run:?}");
    }
    let run = reductio(&["check", &model("peterson.pml"), "--load-states", "nowhere"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

/// A product of large words is beyond any diagram.
#[test]
fn what_is_known_in_time_is_told() {
    let path = scratch("product.smv");
    let text = "MODULE main\nVAR a : word[30]; b : word[30]; x : boolean;\n\
        ASSIGN init(x) := FALSE; next(x) := !x; next(a) := a; next(b) := b;\n\
        INVARSPEC NAME easy := x | !x\nINVARSPEC NAME hard := a * b != 0ud30_982451653\n";
    std::fs::write(&path, text).expect("it can be written");
    let run = reductio(&["check", &path.display().to_string(), "--time", "2s"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.out.contains("easy      holds\nhard      inconclusive: the time limit of 2 s was reached\n"),
        "{run:?}"
    );
}

/// That is noticed before anything is looked for.
#[test]
fn a_file_that_cannot_be_written_is_an_error_at_once() {
    for (option, path) in
        [("--save-states", "no/such/directory/file"), ("--trace", "no/such/directory/file"), ("--trace", "docs")]
    {
        for name in ["arbiter.smv", "counter.aag", "lost_update.pml"] {
            let run = reductio(&["check", &model(name), option, path]);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
            assert!(run.err.contains("cannot write") || run.err.contains("SMV or AIGER only"), "{run:?}");
        }
    }
}

/// A disk may be full in the end. The verdicts are told, and the exit code is theirs.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_costs_no_verdict() {
    for option in ["--save-states", "--trace"] {
        let run = reductio(&["check", &model("arbiter.smv"), option, "/dev/full"]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.contains("never_two_in_a_row  VIOLATED") && run.err.contains("cannot write"), "{run:?}");
    }
}
