use std::collections::HashSet;

use super::super::generate::{Size, generate};
use super::{transformations, variants};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

#[test]
fn variants_are_programs() {
    for seed in 0..40 {
        for variant in variants(&generate(seed, Size::states(100)), seed) {
            let text = variant.program.to_string();
            let loaded = load("variant.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
            let messages = loaded.diagnostics.render(&loaded.sources);
            assert!(loaded.model.is_some(), "{} of seed {seed}: {messages}\n{text}", variant.name);
        }
    }
}

#[test]
fn every_transformation_applies_and_changes_something() {
    let mut applied = HashSet::new();
    for seed in 0..60 {
        let program = generate(seed, Size::default());
        for variant in variants(&program, seed) {
            assert_ne!(variant.program, program, "{}", variant.name);
            applied.insert(variant.name);
        }
    }
    let missing: Vec<_> =
        transformations::ALL.iter().map(|all| all.name).filter(|name| !applied.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
