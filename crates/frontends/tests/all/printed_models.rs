//! What the front end makes of a text, in the printed form of models. `REDUCTIO_BLESS=1` rewrites the golden files.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;

use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_testing::golden::difference;

#[test]
fn models_are_printed_as_before() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/printed");
    let mut names: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    names.sort();
    assert!(names.len() >= 5, "the models are missing");
    for path in names {
        let name = path.file_name().unwrap().to_str().unwrap();
        let loaded = load(name, &std::fs::read(&path).unwrap(), &LoadOptions::default(), &NoIncludes);
        let Some(model) = loaded.model else {
            panic!("{name}: {}", loaded.diagnostics.render(&loaded.sources));
        };
        let printed = model.to_string();
        if let Some(different) = difference(&path.with_extension("txt"), &printed) {
            panic!("{different}");
        }
    }
}
