//! Everything that must pass before a change lands (`cargo xtask test`), and the long version of it (`cargo xtask soak`).

use std::process::Command;

use crate::Failure;
use crate::mutants::judge::{CLAIMS, PROGRAMS, WHILES};
use crate::parts::Parts;

/// A quarter of an hour on two cores. What generated programs are looked at is the same each time, so that whoever breaks
/// something is told, and nobody else.
pub fn run() -> Result<(), Failure> {
    let mut parts = Parts::default();
    let outcome = short(&mut parts);
    parts.print();
    outcome
}

/// Hours: the same, and then everything that is cut short there. Its programs are other ones for every commit.
pub fn soak() -> Result<(), Failure> {
    let mut parts = Parts::default();
    let outcome = short(&mut parts).and_then(|()| long(&mut parts, &seed_of_commit()?));
    parts.print();
    outcome
}

fn short(parts: &mut Parts) -> Result<(), Failure> {
    parts.time("format", || cargo(&["fmt", "--all", "--check"]))?;
    parts
        .time("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]))?;
    parts.time("tests: build", || cargo(&["test", "--workspace", "--quiet", "--no-run"]))?;
    parts.time("tests: run", || cargo(&["test", "--workspace", "--quiet"]))?;
    parts.time("fuzz: mangled texts", || chore(&["fuzz", "texts", "20", "1"]))?;
    parts.time("SPIN's examples", || chore(&["spin"]))?;
    parts.time("SPIN's automata", || chore(&["ltl", "300", "1"]))?;
    // Mutants are to be caught with the same programs.
    parts.time("fuzz: programs", || chore(&PROGRAMS))?;
    parts.time("fuzz: claims", || chore(&CLAIMS))?;
    parts.time("fuzz: while-programs", || chore(&WHILES))?;
    parts.time("mutants", || chore(&["mutants", "--passed"]))
}

fn long(parts: &mut Parts, seed: &str) -> Result<(), Failure> {
    parts.time("soak: mangled texts", || chore(&["fuzz", "texts", "600", seed]))?;
    parts.time("soak: SPIN's examples", || chore(&["spin", "--all"]))?;
    parts.time("soak: SPIN's examples, claims", || chore(&["claims"]))?;
    parts.time("soak: SPIN's automata", || chore(&["ltl", "5000", seed]))?;
    parts.time("soak: circuits", || {
        let agreement = ["test", "--quiet", "--package", "reductio-symbolic", "--test", "all", "agreement"];
        crate::run(Command::new("cargo").args(agreement).env("REDUCTIO_MODULES", "20000"))
    })?;
    parts.time("soak: our own answers", || chore(&["fuzz", "--spin", "0", "--count", "20000", "--seed", seed]))?;
    parts.time("soak: programs", || chore(&["fuzz", "--count", "20000", "--seed", seed]))?;
    parts.time("soak: claims", || chore(&["fuzz", "claims", "--count", "20000", "--seed", seed]))?;
    parts.time("soak: while-programs", || chore(&["fuzz", "while", "--count", "20000", "--seed", seed]))?;
    parts.time("soak: mutants", || chore(&["mutants"]))
}

fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    crate::run(Command::new("cargo").args(arguments))
}

/// One of the other chores, by this very program.
fn chore(arguments: &[&str]) -> Result<(), Failure> {
    crate::run(Command::new(std::env::current_exe()?).args(arguments))
}

/// The same commit looks at the same programs, another one at others.
fn seed_of_commit() -> Result<String, Failure> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output()?;
    let commit = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = commit.get(..12).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let number = number.ok_or_else(|| Failure("`git rev-parse HEAD` does not say which commit this is".to_owned()))?;
    Ok(number.to_string())
}
