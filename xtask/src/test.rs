//! Everything that must pass before a change lands.

use std::process::Command;

use crate::{Failure, compare, fuzz};

pub fn run() -> Result<(), Failure> {
    let cargo = |arguments: &[&str]| crate::run(Command::new("cargo").args(arguments));
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    fuzz::mangled_texts(20, 1)?;
    compare::run(false)
}
