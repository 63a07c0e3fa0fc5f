//! The example programs print what they should. Cargo builds them before tests run.

use std::process::Command;

fn printed(example: &str) -> String {
    let test = std::env::current_exe().expect("a running test knows its path");
    let target = test.parent().and_then(|deps| deps.parent()).expect("tests are in the directory of dependencies");
    let program = target.join("examples").join(example);
    let output = Command::new(&program).output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn a_model_is_checked() {
    let text = printed("check_a_model");
    assert!(text.starts_with("deadlock: violated, invalid end state, waiting forever: P[0]"), "{text}");
    assert!(text.contains("\ninside < 2: holds\n[] <> (inside == 1): violated, "), "{text}");
}

#[test]
fn a_counterexample_is_walked_through() {
    let text = printed("walk_a_counterexample");
    assert!(text.starts_with("assertion: assert(count == 2) (count.pml:4)\n1 Counter["), "{text}");
    assert!(text.contains(": count = 1\n"), "{text}");
}

#[test]
fn states_are_listed() {
    let text = printed("explore_states");
    assert!(text.starts_with("5 states, 4 steps\n0 to 1:    1  A[0]   handshake.pml:1  c!1\n"), "{text}");
}
