//! Reports as people read them, compared with the files in `testdata/golden`. `REDUCTIO_BLESS=1` rewrites these.

use crate::common::{model, reductio, root};
use reductio_testing::golden::difference;

#[test]
fn text_reports() {
    let table: [(&str, &[&str]); 13] = [
        ("peterson", &[]),
        ("deadlock", &["--search", "bfs"]),
        ("lost_update", &["--search", "bfs"]),
        ("lost_update", &[]),
        ("producer_consumer", &["--search", "bfs", "--invariant", "len(buffer) < 2"]),
        ("alternating_bit", &["--reduce", "none"]),
        ("rendezvous", &[]),
        ("division", &[]),
        ("declared", &["--no-deadlock"]),
        ("unchecked", &[]),
        ("watched", &[]),
        ("watched", &["--no-deadlock", "--fairness", "weak", "--ltl", "[] (busy -> <> [] done)"]),
        ("progress", &["--ltl", "[] (x > 3 -> <> (x == 0))"]),
    ];
    let mut wrong = Vec::new();
    for (name, more) in table {
        let path = model(&format!("{name}.pml"));
        let mut arguments = vec!["check", &path];
        arguments.extend(more);
        let run = reductio(&arguments);
        let command = format!("reductio {}", arguments.join(" "));
        let actual = format!("$ {command}\n{}{}exit code {:?}\n", run.err, without_figures(&run.out), run.code);
        let words = more.iter().map(|word| word.trim_start_matches('-'));
        let words: Vec<String> = words.map(|word| word.replace(|c: char| !c.is_ascii_alphanumeric(), "_")).collect();
        let file = [&[name.to_owned()], words.as_slice()].concat().join("-");
        let golden = root().join("testdata/golden").join(format!("{file}.txt"));
        wrong.extend(difference(&golden, &actual));
    }
    assert!(wrong.is_empty(), "reports have changed:\n{}", wrong.join("\n"));
}

/// Time and memory differ from machine to machine.
fn without_figures(report: &str) -> String {
    let line = |line: &str| match line.split_once(" transitions, depth ") {
        Some((before, after)) => {
            let depth = after.split(';').next().unwrap_or(after);
            format!("{before} transitions, depth {depth}; TIME, MEMORY\n")
        }
        None => match line.strip_prefix("Vacuity checks: ").and_then(|rest| rest.split_once(" s, ")) {
            Some((_, searches)) => format!("Vacuity checks: TIME, {searches}\n"),
            None => format!("{line}\n"),
        },
    };
    report.lines().map(line).collect()
}
