//! 139 tiny models, one subtlety of Promela each, with the number of states that SPIN's verifier stores.
//!
//! The search here is as plain as can be, so that what is tested is the front end and the interpreter alone.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fmt::Write;
use std::path::Path;

use crate::common::explore;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

/// Where our answer differs from SPIN's, and why ours stands.
const DIFFERENCES: &[(&str, Option<usize>, &str)] = &[
    ("58_array_oob.pml", Some(1), "a run ends where an index is out of range; SPIN goes on, writing next to the array"),
    ("82_uninit_chan.pml", Some(4), "SPIN counts the fields of a channel that does not exist; we ask when it is used"),
    ("91_skip_loop.pml", Some(1), "SPIN refuses `do :: skip od`"),
    ("a15_label_in_atomic_in_do.pml", Some(14), "SPIN refuses a label in front of the first statement of an atomic"),
];

#[test]
fn states_and_errors_are_those_of_spin() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/spin-micro");
    let table = std::fs::read_to_string(directory.join("counts.tsv")).unwrap();
    let mut wrong = String::new();
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.starts_with("model\t")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, states, errors, first_error) = (columns[0], columns[1], columns[3], columns[4]);
        let difference = DIFFERENCES.iter().find(|(model, ..)| *model == name);
        let text = std::fs::read(directory.join(name)).unwrap();
        let loaded = load(name, &text, &LoadOptions::default(), &NoIncludes);
        let expected = match difference {
            Some((_, states, _)) => *states,
            None => states.parse::<usize>().ok(),
        };
        let answer = loaded.model.as_ref().map(explore);
        compared += 1;
        if answer.as_ref().map(|answer| answer.states) != expected {
            let ours = answer.as_ref().map(|answer| answer.states);
            writeln!(wrong, "{name}: SPIN {expected:?}, we {ours:?}").unwrap();
            if loaded.model.is_none() {
                wrong.push_str(&loaded.diagnostics.render(&loaded.sources));
            }
        }
        let (Some(answer), Ok(errors)) = (answer, errors.parse::<usize>()) else { continue };
        if (!answer.faults.is_empty() || answer.deadlock) != (errors > 0) {
            writeln!(wrong, "{name}: SPIN finds {errors} errors ({first_error})").unwrap();
        }
    }
    assert!(compared >= 139, "only {compared} models compared");
    assert!(wrong.is_empty(), "\n{wrong}");
}
