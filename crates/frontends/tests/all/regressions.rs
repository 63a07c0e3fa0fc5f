//! Programs on which we or SPIN were once wrong, with the right answer in their first line.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;

use crate::common::explore;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

#[test]
fn what_was_wrong_once_stays_right() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/regressions");
    let mut programs = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("/* expect: ").expect("the right answer");
        let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
        let model = loaded.model.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)));
        let answer = explore(&model);
        let mut given = format!("{} states", answer.states);
        if answer.deadlock {
            given.push_str(", deadlock");
        }
        if !answer.faults.is_empty() {
            given.push_str(", assertion");
        }
        assert_eq!(given, expected, "{}", path.display());
        programs += 1;
    }
    assert!(programs >= 11);
}
