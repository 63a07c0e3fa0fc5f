//! Formulas of computation trees on models of processes, as a user asks for them: whatever the engine and the reductions, the
//! verdicts are the same, and every run that is shown was confirmed.

use crate::common::{Run, model, reductio, scratch};
use serde_json::Value;

/// Models and conditions on their states.
const MODELS: &[(&str, [&str; 3])] = &[
    ("peterson.pml", ["inside == 1", "turn == 1", "flag[0]"]),
    ("lost_update.pml", ["count == 1", "done == 2", "count < done"]),
    ("deadlock.pml", ["left", "right", "_nr_pr == 2"]),
    ("relay.pml", ["last == 1", "len(from_a) == 0", "nempty(to_b)"]),
    ("alternating_bit.pml", ["len(to_sender) == 1", "empty(to_receiver)", "_nr_pr > 1"]),
    ("producer_consumer.pml", ["full(buffer)", "empty(buffer)", "_nr_pr < 2"]),
    ("decrement.pml", ["i == 0", "i == 1", "_nr_pr == 1"]),
];

/// Formulas over three conditions.
const FORMULAS: &[&str] = &[
    "AG (p)",
    "AF (p)",
    "EF (p)",
    "EG (!(p))",
    "AG EF (p)",
    "AG (p -> AF (q))",
    "AG (p -> EF (q && !(r)))",
    "EF AG !(q)",
    "EG EF (p)",
    "AF AG (q)",
    "AG (AF (p) || EG (q))",
    "A [!(p) U q]",
    "E [!(r) U p && EG (q)]",
    "A [p W q]",
    "A [q V EF (r)]",
    "AF EG (q)",
    "!EF (p && EF (q && EF (r)))",
    "AG (p <-> q)",
];

const WITH_NEXT: &[&str] = &["AX (p)", "EX (p || q)", "AG (p -> AX (q || p))", "AG EX (1)", "EF (q && EX !(q))"];

fn asked(conditions: &[&str; 3], formulas: &[&str]) -> Vec<String> {
    let place = |formula: &str| {
        let letters = formula.chars().map(|letter| match letter {
            'p' | 'q' | 'r' => format!("({})", conditions[letter as usize - 'p' as usize]),
            letter => letter.to_string(),
        });
        letters.collect::<String>()
    };
    formulas.iter().map(|formula| place(formula)).collect()
}

fn check(name: &str, formulas: &[String], more: &[&str]) -> (Run, Vec<(String, String)>, Value) {
    let path = model(name);
    let mut arguments = vec!["check", &path, "--format", "json"];
    arguments.extend(formulas.iter().flat_map(|formula| ["--ctl", formula]));
    arguments.extend(more);
    let run = reductio(&arguments);
    let json: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{name} {more:?}: {error}: {run:?}"));
    let of_trees = json["results"].as_array().expect("results is a list").iter().filter(|one| one["kind"] == "ctl");
    let text = |value: &Value| value.as_str().expect("it is text").to_owned();
    let verdicts = of_trees.map(|one| (text(&one["property"]), text(&one["verdict"]))).collect();
    (run, verdicts, json)
}

#[test]
fn engines_and_reductions_make_no_difference() {
    let (mut holding, mut violated, mut shown) = (0, 0, 0);
    for (name, conditions) in MODELS {
        for formulas in [FORMULAS, WITH_NEXT] {
            let formulas = asked(conditions, formulas);
            let (_, expected, _) = check(name, &formulas, &["--engine", "explicit", "--reduce", "none"]);
            assert_eq!(expected.len(), formulas.len(), "{name}");
            for more in [
                &["--reduce", "none"][..],
                &[],
                &["--engine", "symbolic"],
                &["--engine", "symbolic", "--reduce", "none"],
            ] {
                let (_, verdicts, json) = check(name, &formulas, more);
                assert_eq!(verdicts, expected, "{name} {more:?}");
                let results = json["results"].as_array().expect("results is a list");
                shown += results.iter().filter(|one| one["kind"] == "ctl" && !one["trace"].is_null()).count();
            }
            holding += expected.iter().filter(|(_, verdict)| verdict == "holds").count();
            violated += expected.iter().filter(|(_, verdict)| verdict == "violated").count();
        }
    }
    assert!(holding > 30 && violated > 50 && shown > 100, "{holding} {violated} {shown}");
}

/// Two steps that nobody sees come first. Where paths are merged, they are one.
#[test]
fn a_next_state_is_one_of_the_unreduced_model() {
    let path = scratch("two_steps.pml");
    std::fs::write(&path, "byte x; active proctype A() { byte l; l = 1; l = 2; x = 1 }").expect("it can be written");
    let path = path.to_str().expect("its name is text");
    for engine in ["auto", "symbolic", "explicit"] {
        let run =
            reductio(&["check", path, "--engine", engine, "--ctl", "AX AX (x == 0)", "--ctl", "AX AX AX (x == 1)"]);
        assert_eq!(run.code, Some(0), "{engine}: {run:?}");
    }
}

#[test]
fn the_symbolic_engine_counts_the_states_of_the_search() {
    for (name, _) in MODELS {
        // A search that has found all it looks for ends early.
        let (_, _, explicit) = check(name, &[], &["--reduce", "none", "--max-violations", "0"]);
        let (_, _, symbolic) = check(name, &[], &["--reduce", "none", "--engine", "symbolic"]);
        assert_eq!(symbolic["statistics"]["states"], explicit["statistics"]["states"], "{name}");
        assert_eq!(symbolic["unreached"], explicit["unreached"], "{name}");
        assert_eq!(symbolic["plan"]["engine"], "symbolic");
        assert!(symbolic["statistics"]["peak_nodes"].as_u64().is_some_and(|nodes| nodes > 0));
        let verdicts = |json: &Value| -> Vec<Value> {
            let results = json["results"].as_array().expect("results is a list");
            let mut verdicts: Vec<Value> =
                results.iter().map(|one| [one["property"].clone(), one["verdict"].clone()].to_vec().into()).collect();
            verdicts.dedup();
            verdicts
        };
        assert_eq!(verdicts(&symbolic), verdicts(&explicit), "{name}");
    }
}

#[test]
fn where_a_step_goes_wrong_there_is_no_answer() {
    for engine in ["explicit", "symbolic", "auto"] {
        let (run, verdicts, _) = check("division.pml", &["EF (result == 7)".to_owned()], &["--engine", engine]);
        assert_eq!(verdicts, [("EF (result == 7)".to_owned(), "inconclusive".to_owned())], "{engine}");
        // The division by zero is a violation of its own.
        assert_eq!(run.code, Some(1), "{engine}");
    }
}

#[test]
fn an_atomic_that_never_ends_leaves_formulas_open() {
    let path = scratch("endless_atomic.pml");
    std::fs::write(&path, "byte x; active proctype P() { atomic { do :: x = 1 - x od } }").expect("it can be written");
    let path = path.to_str().expect("it is text");
    for engine in ["explicit", "symbolic", "auto"] {
        let run = reductio(&["check", path, "--engine", engine, "--ctl", "EF (x == 1)"]);
        assert_eq!(run.code, Some(3), "{engine}: {run:?}");
        assert!(run.out.contains("an atomic sequence may never end"), "{engine}: {run:?}");
    }
}

#[test]
fn limits_end_in_inconclusive() {
    let path = "testdata/bench/philosophers.pml";
    for limit in [["--memory", "1M"], ["--time", "1s"]] {
        let run =
            reductio(&["check", path, "--engine", "symbolic", "--ctl", "AG EF (eating == 0)", limit[0], limit[1]]);
        assert_eq!(run.code, Some(3), "{limit:?}: {run:?}");
        assert!(run.out.contains("limit"), "{limit:?}: {run:?}");
    }
}

#[test]
fn what_the_symbolic_engine_cannot_do_is_refused() {
    for more in [
        &["--ltl", "<> p"][..],
        &["--ctl", "AG EF p", "--threads", "2"],
        &["--ctl", "AG EF p", "--store", "bitstate"],
        &["--ctl", "AG EF p", "--search", "dfs"],
        &["--ctl", "AG EF p", "--fairness", "weak"],
        &["--ctl", "AG EF p", "--max-violations", "2"],
        &["--ctl", "AG EF p", "--reduce", "por"],
        &["--ctl", "AG EF p", "--reduce", "symmetry"],
        &["--ctl", "AG EX p", "--reduce", "path"],
    ] {
        let path = model("peterson.pml");
        let more: Vec<String> = more.iter().map(|word| word.replace(" p", " (inside == 1)")).collect();
        let mut arguments = vec!["check", &path, "--engine", "symbolic"];
        arguments.extend(more.iter().map(String::as_str));
        let run = reductio(&arguments);
        assert_eq!(run.code, Some(2), "{more:?}: {run:?}");
        assert!(run.err.contains("is not available"), "{more:?}: {run:?}");
    }
}

#[test]
fn formulas_that_are_none_are_explained() {
    for (formula, message) in [
        ("[] (inside == 1)", "every temporal operator begins with A (all runs) or E (some run)"),
        ("AG (inside == 0 U inside == 1)", "every temporal operator begins with A (all runs) or E (some run)"),
        ("A [inside == 1]", "belongs a `U`"),
        ("AG inside == 1", "cannot be applied to a temporal formula"),
        ("AG (nothing == 1)", "not declared"),
        ("A [inside == 0 U inside == 1", "expected"),
        ("AG", "expected"),
    ] {
        let run = reductio(&["check", &model("peterson.pml"), "--ctl", formula]);
        assert_eq!(run.code, Some(2), "{formula}: {run:?}");
        assert!(run.err.contains(message), "{formula}: {}", run.err);
    }
}
