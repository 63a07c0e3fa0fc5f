//! `simulate`, `replay` and `graph`.

use crate::common::{Run, model, reductio, scratch, typed};

#[test]
fn the_same_seed_gives_the_same_run() {
    let path = model("peterson.pml");
    let simulate = |seed: &str| reductio(&["simulate", &path, "--seed", seed, "--steps", "60"]);
    let first = simulate("7");
    assert_eq!(first.code, Some(0));
    assert_eq!(first.out, simulate("7").out);
    assert_ne!(first.out, simulate("8").out);
    assert!(first.out.contains("stopped after 60 steps"));
}

#[test]
fn a_run_without_a_seed_tells_its_seed() {
    let path = model("peterson.pml");
    let run = reductio(&["simulate", &path, "--steps", "30"]);
    let seed = run.out.lines().next().and_then(|line| line.strip_prefix("seed ")).expect("the first line tells");
    assert_eq!(run.out, reductio(&["simulate", &path, "--steps", "30", "--seed", seed]).out);
}

#[test]
fn a_simulation_prints_what_the_model_prints_and_tells_how_it_ends() {
    let run = reductio(&["simulate", &model("with_include.pml"), "--seed", "1"]);
    assert!(run.out.contains("the limit is 3"), "{}", run.out);
    assert!(run.out.ends_with("the run ends\n"), "{}", run.out);
    assert_eq!(run.code, Some(0));
    let run = reductio(&["simulate", &model("division.pml"), "--seed", "1"]);
    assert!(run.out.contains("division by zero"), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

fn interactive(name: &str, input: &str) -> Run {
    typed(&["simulate", &model(name), "--interactive"], input)
}

#[test]
fn the_user_chooses() {
    // A takes the left lock, B the right one.
    let run = interactive("deadlock.pml", "1\n1\n1\n1\n");
    assert_eq!(run.code, Some(0), "{run:?}");
    for (input, count) in [("", 1), ("q\n", 1), ("1\nq\n", 2), ("0\nfoo\n99\n-1\n\n", 1)] {
        let run = interactive("peterson.pml", input);
        assert_eq!(run.code, Some(0), "{input:?}");
        assert_eq!(run.out.matches("possible now").count(), count, "{input:?}");
        assert_eq!(run.err, "");
    }
}

#[test]
fn a_trace_is_written_and_replayed() {
    for name in ["deadlock.pml", "lost_update.pml", "rendezvous.pml", "division.pml"] {
        let path = model(name);
        let file = scratch(&format!("{name}.trace.json"));
        let file = file.to_string_lossy();
        let checked = reductio(&["check", &path, "--trace", &file]);
        assert_eq!(checked.code, Some(1), "{name}");
        let replayed = reductio(&["replay", &path, &file]);
        assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""), "{name}");
        // The replay shows the very lines of the counterexample.
        for line in replayed.out.lines().filter(|line| !line.contains("=>")) {
            assert!(checked.out.contains(line), "{name}: {line}");
        }
        assert!(replayed.out.contains("=>"), "{name}: the end of the run is told");
    }
}

/// What was once written stays readable.
#[test]
fn old_traces_are_replayed() {
    let old = reductio_testing::root().join("testdata/traces/rendezvous.json");
    let replayed = reductio(&["replay", &model("rendezvous.pml"), &old.to_string_lossy()]);
    assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""), "{replayed:?}");
    assert!(
        replayed.out.contains("\nwith  Server[1]") && replayed.out.contains("=> invalid end state"),
        "{replayed:?}"
    );
}

#[test]
fn traces_that_do_not_fit_are_errors() {
    let path = model("lost_update.pml");
    let good = scratch("good.trace.json");
    reductio(&["check", &path, "--trace", &good.to_string_lossy()]);
    let text = std::fs::read_to_string(&good).expect("it was written");
    let replay = |name: &str, contents: &str| {
        let file = scratch(name);
        std::fs::write(&file, contents).expect("a file can be written");
        let run = reductio(&["replay", &path, &file.to_string_lossy()]);
        assert_eq!(run.code, Some(2), "{name}");
        assert_eq!(run.out, "", "{name}");
        run.err
    };
    assert!(replay("empty.json", "").contains("not a trace file"));
    assert!(replay("binary.json", "\u{0}\u{1}").contains("not a trace file"));
    assert!(replay("truncated.json", &text[..text.len() / 2]).contains("not a trace file"));
    assert!(replay("schema.json", &text.replace("reductio.trace/1", "reductio.trace/9")).contains("reductio.trace/9"));
    assert!(replay("process.json", &text.replace("\"Counter\"", "\"Clock\"")).contains("another model"));
    assert!(replay("pid.json", &text.replace("\"pid\": 0", "\"pid\": 77")).contains("no process 77"));
    assert!(replay("statement.json", &text.replace("count = ", "clock = ")).contains("another model"));

    // The first step again is a step of the model, but not possible any more.
    let mut twice: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let steps = twice["trace"]["steps"].as_array_mut().expect("steps");
    steps.insert(0, steps[0].clone());
    assert!(replay("twice.json", &twice.to_string()).contains("step 2"));

    let other = reductio(&["replay", &model("deadlock.pml"), &good.to_string_lossy()]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another model"), "{}", other.err);
    let missing = reductio(&["replay", &path, "no_such_trace.json"]);
    assert_eq!(missing.code, Some(2));
}

#[test]
fn graphs_are_well_formed() {
    for name in ["peterson.pml", "rendezvous.pml", "with_include.pml", "deadlock.pml"] {
        for more in [&[][..], &["--states"], &["--states", "--dot"]] {
            let path = model(name);
            let mut arguments = vec!["graph", &path];
            arguments.extend(more);
            let run = reductio(&arguments);
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{name} {more:?}");
            assert!(run.out.starts_with("digraph") && run.out.ends_with("}\n"), "{name} {more:?}");
            assert_eq!(run.out.matches('{').count(), run.out.matches('}').count(), "{name} {more:?}");
        }
    }
    let run = reductio(&["graph", &model("peterson.pml"), "--states"]);
    assert_eq!(run.out.lines().filter(|line| line.contains("[label=") && !line.contains("->")).count(), 38);
}

#[test]
fn a_state_graph_that_is_too_large_is_refused() {
    let run = reductio(&["graph", &model("counting.pml"), "--states"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("more than 2000 states"), "{}", run.err);
}
