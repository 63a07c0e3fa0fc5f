//! Everything that must pass before a change lands.

use std::process::Command;

use crate::Failure;

pub fn run() -> Result<(), Failure> {
    let cargo = |arguments: &[&str]| crate::run(Command::new("cargo").args(arguments));
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    let chore = |arguments: &[&str]| crate::run(Command::new("target/debug/xtask").args(arguments));
    chore(&["fuzz", "texts", "20", "1"])?;
    chore(&["spin"])?;
    chore(&["ltl", "300", "1"])?;
    chore(&["fuzz", "--count", "400", "--seed", "1"])?;
    chore(&["fuzz", "claims", "--count", "100", "--seed", "1"])?;
    chore(&["fuzz", "while", "--count", "300", "--seed", "1"])?;
    chore(&["mutants"])
}
