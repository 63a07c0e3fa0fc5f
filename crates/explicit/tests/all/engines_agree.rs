//! Every engine, order, store and number of threads sees the same states and finds the same violations, each confirmed
//! by a replay, on every model there is. (SPIN's breadth-first search is known to miss deadlocks after a rendezvous.)

use std::path::Path;

use crate::common::engines::{CONTENDERS, agree};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

#[test]
fn on_every_model() {
    let mut compared = 0;
    let mut violated = 0;
    for directory in ["testdata/models", "testdata/spin-micro"] {
        for entry in std::fs::read_dir(reductio_testing::root().join(directory)).expect("the directory is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension() != Some("pml".as_ref()) {
                continue;
            }
            let Some(result) = compare(&path) else { continue };
            compared += 1;
            violated += usize::from(result);
        }
    }
    assert!(compared > 130, "only {compared} models were compared");
    assert!(violated > 15, "only {violated} of them had a violation");
}

/// Whether the model has a violation; `None` if it is no model.
fn compare(path: &Path) -> Option<bool> {
    let text = std::fs::read(path).expect("it can be read");
    let options = LoadOptions { defines: vec![("LIMIT".to_owned(), "3".to_owned())], ..LoadOptions::default() };
    let model = load(&path.to_string_lossy(), &text, &options, &NoIncludes).model?;
    let agreement = agree(&path.to_string_lossy(), &model, &CONTENDERS);
    Some(!agreement.shown.is_empty())
}
