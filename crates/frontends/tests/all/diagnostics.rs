//! What users see for wrong programs: each `testdata/diagnostics/NAME.pml` has its messages in `NAME.expected`.
//!
//! `REDUCTIO_BLESS=1 cargo test -p reductio-frontends` writes the expected files anew; look at the difference then.

use std::path::{Path, PathBuf};

use reductio_frontends::promela::{NoIncludes, ParseOptions, parse};
use reductio_testing::golden::difference;

fn programs(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    paths
}

fn rendered(path: &Path) -> String {
    let text = std::fs::read(path).expect("the file was just listed");
    let name = path.file_name().expect("a file").to_string_lossy();
    let parsed = parse(&name, &text, &ParseOptions::default(), &NoIncludes);
    parsed.diagnostics.render(&parsed.sources)
}

#[test]
fn messages_are_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/diagnostics");
    let programs = programs(&directory);
    assert!(!programs.is_empty(), "no programs in {}", directory.display());
    let mut different = String::new();
    for program in programs {
        let actual = rendered(&program);
        different.extend(difference(&program.with_extension("expected"), &actual));
    }
    assert!(different.is_empty(), "{different}");
}

/// Small programs of every kind that SPIN accepts.
#[test]
fn correct_programs_have_no_messages() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/spin-micro");
    for program in programs(&directory) {
        assert_eq!(rendered(&program), "", "{}", program.display());
    }
}
