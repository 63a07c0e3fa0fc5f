//! The first violation soon: probes in depth beside the breadth-first search, and `--first`.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::common::{Run, reductio, scratch};

/// Four counters, of which the first one goes wrong at its end: in breadth that is far away.
const COUNTERS: &str = "#ifndef GOAL\n#define GOAL assert(false)\n#endif
    #ifndef MOST\n#define MOST 30\n#endif
    byte a, b, c, d; bool shut;
    active proctype P() { end: do :: a < MOST -> a++ :: a == MOST -> GOAL od }
    active proctype Q() { end: do :: b < MOST -> b++ :: b == MOST -> b = 0 od }
    active proctype R() { end: do :: c < MOST -> c++ :: c == MOST -> c = 0 od }
    active proctype S() { end: do :: d < MOST -> d++ :: d == MOST -> d = 0 od }";

/// A model in a file of its own: tests run beside each other.
fn file(name: &str, text: &str) -> String {
    static FILES: AtomicU32 = AtomicU32::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let path = scratch(&format!("first-{}-{number}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("the directory of tests can be written to");
    path.to_str().expect("its name is text").to_owned()
}

fn check(arguments: &[&str]) -> (Run, Value) {
    let run = reductio(&[&["check", "--format", "json", "--memory", "1G"], arguments].concat());
    let report = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {arguments:?} {run:?}"));
    (run, report)
}

fn result<'r>(report: &'r Value, property: &str) -> &'r Value {
    let results = report["results"].as_array().expect("a list");
    results.iter().find(|result| result["property"] == property).unwrap_or_else(|| panic!("{property}: {report}"))
}

fn steps(result: &Value) -> usize {
    result["trace"]["steps"].as_array().map_or(0, Vec::len)
}

/// What is never twice the same is left out.
fn lasting(mut report: Value) -> Value {
    let statistics = report["statistics"].as_object_mut().expect("there are some");
    statistics.remove("seconds");
    statistics.remove("memory_bytes");
    report
}

/// Deadlock, assertion, run-time error, invariant: all of them are found within few states, by a run that nobody calls shortest, with
/// one thread or two, and the same again.
#[test]
fn every_kind_of_violation_is_found_in_depth() {
    let path = file("counters.pml", COUNTERS);
    let kinds: [(&str, &str, &[&str]); 4] = [
        ("assertion", "GOAL=assert(false)", &[]),
        ("assertion", "GOAL=b=b/(a-MOST)", &[]),
        ("deadlock", "GOAL=atomic{shut=1;(false)}", &[]),
        ("!shut", "GOAL=shut=1", &["--invariant", "!shut"]),
    ];
    for (property, goal, more) in kinds {
        // So that somebody else is kept from going on, too.
        let text = match property {
            "deadlock" => COUNTERS.replace("end: do ::", "do :: !shut &&"),
            _ => COUNTERS.to_owned(),
        };
        let path = if property == "deadlock" { file("deadlock.pml", &text) } else { path.clone() };
        let define = format!("-D{goal}");
        let asked = [&[&path, &define, "--reduce", "none", "--property", property], more].concat();
        let (run, report) = check(&asked);
        assert_eq!(run.code, Some(1), "{goal}: {report}");
        let found = result(&report, property);
        assert_eq!(found["verdict"], "violated", "{goal}");
        assert_eq!(found["may_be_longer"], true, "{goal}");
        let states = report["statistics"]["states"].as_u64().expect("a number");
        assert!(states < 30_000, "{goal}: {states}");
        assert_eq!(report["unreached_complete"], false, "{goal}");
        assert_eq!(lasting(check(&asked).1), lasting(report.clone()), "{goal}: another report");
        let (_, by_two) = check(&[&asked[..], &["--threads", "2"]].concat());
        assert_eq!(by_two["statistics"]["states"], report["statistics"]["states"], "{goal}");
        assert_eq!(by_two["statistics"]["probed_states"], report["statistics"]["probed_states"], "{goal}");
        assert_eq!(steps(result(&by_two, property)), steps(found), "{goal}");
        // People are told, too.
        let text = reductio(&[&["check"], &asked[..]].concat()).out;
        assert!(text.contains("(there may be a shorter one):"), "{goal}: {text}");
    }
}

/// Breadth-first search alone has no probes, and what it finds is shortest.
#[test]
fn breadth_first_search_alone_is_without_probes() {
    let path = file("counters.pml", COUNTERS);
    let asked = [&path, "-DMOST=11", "--reduce", "none", "--property", "assertion"];
    let (_, alone) = check(&[&asked[..], &["--search", "bfs"]].concat());
    assert_eq!(alone["statistics"]["probed_states"], Value::Null);
    assert_eq!(result(&alone, "assertion")["may_be_longer"], Value::Null);
    // Within what it is worth to look for a shortest run, the default comes by it.
    let (_, default) = check(&asked);
    assert_eq!(result(&default, "assertion")["may_be_longer"], Value::Null, "{default}");
    assert_eq!(steps(result(&default, "assertion")), steps(result(&alone, "assertion")));
}

/// A probe has found a violation of one property, and the search goes on for another one, which holds: then all states were seen, and the
/// shortest run is known.
#[test]
fn the_search_goes_on_for_what_is_open() {
    let path = file("counters.pml", COUNTERS);
    let asked = [&path, "-DMOST=13", "--reduce", "none"];
    let (run, report) = check(&asked);
    let (_, alone) = check(&[&asked[..], &["--search", "bfs"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(report["statistics"]["probed_states"].as_u64().is_some_and(|states| states > 0));
    let counts = |report: &Value| ["states", "transitions", "depth"].map(|count| report["statistics"][count].clone());
    assert_eq!(counts(&report), counts(&alone));
    assert_eq!(report["results"], alone["results"]);
    assert_eq!(
        (&report["complete"], &report["unreached_complete"]),
        (&alone["complete"], &alone["unreached_complete"])
    );
    assert_eq!(result(&report, "deadlock")["verdict"], "holds");
    let [states, probed] = ["states", "probed_states"].map(|count| report["statistics"][count].as_u64().unwrap_or(0));
    assert!(4 * probed <= states, "{probed} of {states}");
}

/// A limit ends the search for what is open. What a probe has found is reported.
#[test]
fn a_limit_leaves_what_probes_have_found() {
    let path = file("counters.pml", COUNTERS);
    for limit in [["--memory", "12M"], ["--time", "4s"]] {
        let options = ["check", "--format", "json", &path, "-DMOST=200", "--reduce", "none"];
        let run = reductio(&[&options[..], &limit].concat());
        let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        assert_eq!(run.code, Some(1), "{limit:?}: {report}");
        assert_eq!(result(&report, "assertion")["verdict"], "violated", "{limit:?}");
        let open = result(&report, "deadlock");
        assert_eq!(open["verdict"], "inconclusive", "{limit:?}");
        assert!(open["reason"].as_str().is_some_and(|reason| reason.contains("limit")), "{limit:?}: {open}");
        assert_eq!(report["unreached_complete"], false, "{limit:?}");
    }
}

/// Nothing is violated but an assertion. The rest is open, and the reason is said.
#[test]
fn the_first_violation_ends_the_check() {
    let path = file("counters.pml", COUNTERS);
    for more in [&[][..], &["--search", "bfs"], &["--search", "dfs"], &["--threads", "2"], &["--store", "compact"]] {
        let (run, report) = check(&[&[&path, "-DMOST=12", "--first", "--reduce", "none"], more].concat());
        assert_eq!(run.code, Some(1), "{more:?}");
        assert_eq!(result(&report, "assertion")["verdict"], "violated", "{more:?}");
        let open = result(&report, "deadlock");
        assert_eq!(open["verdict"], "inconclusive", "{more:?}: {open}");
        assert_eq!(open["reason"], "the search stopped at the first violation", "{more:?}");
        assert_eq!((&report["complete"], &report["unreached_complete"]), (&false.into(), &false.into()), "{more:?}");
    }
    // Where nothing is violated, everything is searched.
    let (run, report) = check(&[&path, "-DMOST=5", "-DGOAL=skip", "--first"]);
    assert_eq!((run.code, &report["complete"]), (Some(0), &true.into()), "{report}");
}

/// Claims, too, and they do not wait until a search of all states is over. Of two that are violated, one is reported.
#[test]
fn claims_take_turns_with_states() {
    let path = file("counters.pml", COUNTERS);
    let formulas = ["[] (a < 3)", "[] <> (b == 1)"];
    let asked = [&path, "-DMOST=200", "-DGOAL=skip", "--reduce", "none", "--time", "60s"];
    let (run, report) = check(&[&asked[..], &["--first", "--ltl", formulas[0], "--ltl", formulas[1]]].concat());
    assert_eq!(run.code, Some(1));
    let verdicts: Vec<&str> =
        report["results"].as_array().expect("a list").iter().filter_map(|r| r["verdict"].as_str()).collect();
    // In depth the last process goes round and round first, which breaks the second formula and not the first.
    assert_eq!(verdicts, ["inconclusive", "inconclusive", "inconclusive", "violated"]);
    for entry in report["results"].as_array().expect("a list").iter().filter(|entry| entry["verdict"] == "inconclusive")
    {
        assert_eq!(entry["reason"], "the search stopped at the first violation");
    }
}

/// With fairness, too, there is one first violation, though both formulas are violated by fair runs.
#[test]
fn with_fairness_there_is_one_first_violation() {
    let text = "bit x; active proctype A() { do :: x = 1; x = 0 od }
        ltl p { <> [] (x == 1) } ltl q { <> [] (x == 0) }";
    let path = file("switch.pml", text);
    for fairness in ["none", "maximal", "weak", "strong", "operation-justice", "operation-fairness"] {
        let (run, report) = check(&[&path, "--first", "--fairness", fairness]);
        let verdicts = ["p", "q"].map(|name| result(&report, name)["verdict"].as_str());
        assert_eq!((run.code, verdicts), (Some(1), [Some("violated"), Some("inconclusive")]), "{fairness}");
    }
}

/// CTL formulas are checked by another engine, which is not even asked.
#[test]
fn formulas_of_trees_are_left_open() {
    let path = file("counters.pml", COUNTERS);
    for engine in ["auto", "explicit", "symbolic"] {
        let formulas = ["--ctl", "AG (a < 2)", "--ctl", "AG (b < 2)"];
        let options = ["-DMOST=3", "--first", "--engine", engine];
        let (run, report) = check(&[&[&path as &str], &options[..], &formulas].concat());
        let count = |verdict: &str| {
            report["results"].as_array().expect("a list").iter().filter(|entry| entry["verdict"] == verdict).count()
        };
        assert_eq!((run.code, count("violated")), (Some(1), 1), "{engine}: {report}");
        assert!(count("inconclusive") >= 2, "{engine}: {report}");
        let (_, report) = check(
            &[&[&path as &str], &["-DMOST=3", "-DGOAL=skip", "--first", "--engine", engine][..], &formulas].concat(),
        );
        let violated: Vec<&Value> = report["results"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|entry| entry["verdict"] == "violated")
            .collect();
        assert_eq!(violated.len(), 1, "{engine}: {report}");
    }
}

/// What cannot be had together is refused.
#[test]
fn more_than_the_first_is_refused() {
    let path = file("counters.pml", COUNTERS);
    let run = reductio(&["check", &path, "--first", "--max-violations", "0"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.err, "error: --first with --max-violations is not available\n");
}
