//! Running real SPIN.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Failure, run};

/// What SPIN's verifier said about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `spin` or the C compiler did not accept the model.
    Rejected(String),
    /// `pan` ran to its end.
    Finished { states: u64, errors: u64, first_error: Option<String> },
    /// `pan` reached a limit of time, depth or memory, or crashed.
    GaveUp(String),
}

/// Installs Debian's spin if it is missing and we may.
pub fn install() -> Result<(), Failure> {
    if is_installed("spin") && is_installed("gcc") && is_installed("tcc") {
        return Ok(());
    }
    println!("spin, gcc or tcc is missing: installing Debian's packages");
    install_packages(&["spin", "gcc", "tcc", "libc6-dev"])
}

/// Installs a Debian package that has a program of its name, if that is missing and we may.
pub fn install_package(name: &str) -> Result<(), Failure> {
    if Command::new(name).stdin(Stdio::null()).output().is_ok() {
        return Ok(());
    }
    println!("{name} is missing: installing Debian's package");
    install_packages(&[name])
}

fn install_packages(packages: &[&str]) -> Result<(), Failure> {
    let sudo: &[&str] = if is_root() { &[] } else { &["sudo", "--non-interactive"] };
    let apt = |arguments: &[&str]| {
        let words: Vec<&str> = sudo.iter().copied().chain(["apt-get"]).chain(arguments.iter().copied()).collect();
        run(Command::new(words[0]).args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update", "--quiet"])?;
    apt(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat())
        .map_err(|failure| Failure(format!("{failure}; install by hand: {}", packages.join(", "))))
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg(if program == "gcc" { "--version" } else { "-V" }).output().is_ok()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A verifier without dataflow optimisation, resetting of dead variables and merging of statements.
pub const GENERATE: [&str; 4] = ["-a", "-o1", "-o2", "-o3"];

/// Safety only, without partial-order reduction.
pub const COMPILE: [&str; 7] = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-DNOCLAIM", "-DMEMLIM=8000"];

/// The full state space of a model, all of SPIN's reductions off, errors passed over.
pub fn full_search(model: &Path, directory: &Path, limit: Duration) -> Result<Answer, Failure> {
    search(model, &GENERATE, &COMPILE, directory, limit)
}

/// The states of a model as SPIN sees them with these options for `spin` and for the compiler, errors passed over.
pub fn search(
    model: &Path,
    generate: &[&str],
    compile: &[&str],
    directory: &Path,
    limit: Duration,
) -> Result<Answer, Failure> {
    prepare(model, directory)?;
    let name = model.file_name().unwrap_or(OsStr::new("model.pml"));
    let generated = in_directory("spin", directory).args(generate).arg(name).output()?;
    if !directory.join("pan.c").exists() {
        return Ok(Answer::Rejected(first_line(&generated.stdout, "Error")));
    }
    let compiled = in_directory("gcc", directory).args(compile).args(["-o", "pan", "pan.c"]).output()?;
    if !compiled.status.success() {
        return Ok(Answer::Rejected(first_line(&compiled.stderr, "error")));
    }
    let seconds = limit.as_secs().to_string();
    let pan = in_directory("timeout", directory)
        .args([&seconds, "./pan", "-n", "-m1000000", "-c0", "-w22"])
        .stdin(Stdio::null())
        .output()?;
    Ok(read_answer(&String::from_utf8_lossy(&pan.stdout)))
}

/// Makes a fresh directory with the model in it and with what lies beside it: models may include these files, and
/// `spin -a` writes where it is started.
pub fn prepare(model: &Path, directory: &Path) -> Result<(), Failure> {
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory)?;
    let parent = model.parent().map(PathBuf::from).unwrap_or_default();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), directory.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn in_directory(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory);
    command
}

fn first_line(output: &[u8], word: &str) -> String {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().find(|line| line.contains(word)).or(text.lines().next());
    line.unwrap_or("no reason given").trim().to_owned()
}

/// What `pan` prints when its stack was too small.
pub const DEPTH_LIMIT: &str = "max search depth too small";

/// `pan` always exits with 0: what happened is in its output.
pub fn read_answer(output: &str) -> Answer {
    let gave_up = [DEPTH_LIMIT, "memory limit", "VECTORSZ", "too many processes", "too many queues"];
    if let Some(reason) = gave_up.iter().find(|reason| output.contains(**reason)) {
        return Answer::GaveUp((*reason).to_owned());
    }
    let number_before = |words: &str| -> Option<u64> {
        let line = output.lines().find(|line| line.contains(words))?;
        // Large counts are printed like 5.422354e+06.
        Some(line[..line.find(words)?].trim().parse::<f64>().ok()? as u64)
    };
    let states = number_before("states, stored");
    let errors = output.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    match (states, errors) {
        (Some(states), Some(errors)) => {
            let first = output.lines().find_map(|line| line.strip_prefix("pan:1: "));
            Answer::Finished { states, errors, first_error: first.map(str::to_owned) }
        }
        _ => Answer::GaveUp("not finished in time".to_owned()),
    }
}

/// Does `pan` say that a run breaks the claim it was asked about? Or why that is not known.
pub fn read_claim_verdict(output: &str) -> Result<bool, String> {
    let first_error = output.lines().find_map(|line| line.strip_prefix("pan:1: "));
    match (first_error, read_answer(output)) {
        (Some(error), _) if is_of_a_claim(error) => Ok(true),
        (Some(error), _) => Err(format!("it stops at {error}")),
        (None, Answer::Finished { .. }) => Ok(false),
        (None, Answer::GaveUp(why) | Answer::Rejected(why)) => Err(why),
    }
}

/// Where a finite run decides, SPIN has its claims assert that the formula is not broken.
fn is_of_a_claim(error: &str) -> bool {
    let of_runs = ["acceptance cycle", "non-progress cycle", "end state in claim", "claim violated"];
    of_runs.iter().any(|words| error.contains(words)) || error.starts_with("assertion violated  !(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_from_what_pan_prints() {
        let output = "pan:1: invalid end state (at depth 4)\nState-vector 20 byte, depth reached 9, errors: 2\n    \
                      5.422354e+06 states, stored\n";
        let expected = Answer::Finished {
            states: 5_422_354,
            errors: 2,
            first_error: Some("invalid end state (at depth 4)".to_owned()),
        };
        assert_eq!(read_answer(output), expected);
        assert!(matches!(read_answer("error: max search depth too small\n"), Answer::GaveUp(_)));
        assert!(matches!(read_answer(""), Answer::GaveUp(_)));
    }
}
