//! Who catches mutants.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::guard::CHOICE;
use super::tree::Build;
use crate::Failure;

/// The same programs for every mutant. The test command has the unchanged project answer them first, and SPIN.
pub const PROGRAMS: [&str; 5] = ["fuzz", "--count", "600", "--seed", "20000"];
pub const CLAIMS: [&str; 6] = ["fuzz", "claims", "--count", "150", "--seed", "20000"];
pub const WHILES: [&str; 6] = ["fuzz", "while", "--count", "1000", "--seed", "20000"];

/// What must notice a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judge {
    /// `cargo xtask fuzz`.
    Programs,
    /// `cargo xtask fuzz claims`.
    Claims,
    /// `cargo xtask fuzz while`.
    Whiles,
    /// Among the tests of a package (`tests/all`, or inside its sources) those whose names begin with this.
    Test(&'static str, &'static str),
}

/// Whoever takes longer is a finding: wrong programs may run forever. Processors have five minutes to find out, however
/// busy the machine is; what waits for something that never comes is ended after half an hour.
const PATIENTLY: &str = "ulimit -t 300; exec timeout 1800 \"$@\"";

const NO_ANSWER: &str = "no answer in five minutes";

/// SPIN's answers to the programs, relative to where a fuzzer works.
const ANSWERS: &str = "target/fuzz/spin-answers.txt";

impl Judge {
    /// Whose tests are to be built.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Judge::Test(package, _) => Some(package),
            _ => None,
        }
    }

    /// The name that its tests begin with.
    pub fn test(self) -> Option<&'static str> {
        match self {
            Judge::Test(_, name) => Some(name),
            _ => None,
        }
    }

    /// What is found out about a mutant, or about the unchanged project if there is no number, working in a directory.
    pub fn look(self, build: &Build, number: Option<usize>, directory: &Path) -> Result<Option<String>, Failure> {
        let number = number.map_or("none".to_owned(), |number| number.to_string());
        let fuzz = |campaign: &[&str]| fuzz(build, campaign, &number, directory);
        match self {
            Judge::Programs => fuzz(&PROGRAMS),
            Judge::Claims => fuzz(&CLAIMS),
            Judge::Whiles => fuzz(&WHILES),
            Judge::Test(package, name) => test(build, package, name, &number),
        }
    }
}

/// Runs the fuzzer up to the first disagreement. Panics and endless loops are findings, too.
fn fuzz(build: &Build, campaign: &[&str], number: &str, directory: &Path) -> Result<Option<String>, Failure> {
    share_answers(directory)?;
    let mut command = patiently(&build.chores);
    command.args(campaign).args(["--first-only", "1"]);
    let output = command.current_dir(directory).env(CHOICE, number).output()?;
    if output.status.success() {
        return Ok(None);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = complaint.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().find(|line| line.starts_with("xtask: ")).or(lines.next());
    Ok(Some(first.unwrap_or(NO_ANSWER).trim_start_matches("xtask: ").to_owned()))
}

fn patiently(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", PATIENTLY, "sh"]).arg(program);
    command
}

/// What SPIN has said so far need not be asked again.
fn share_answers(directory: &Path) -> Result<(), Failure> {
    let copy = directory.join(ANSWERS);
    if Path::new(ANSWERS).exists() && directory != Path::new(".") {
        fs::create_dir_all(copy.parent().unwrap_or(directory))?;
        fs::copy(ANSWERS, copy)?;
    }
    Ok(())
}

/// Runs tests; answers which of them fail.
fn test(build: &Build, package: &str, name: &str, number: &str) -> Result<Option<String>, Failure> {
    let (directory, tests) = build.tests_with(package, name)?;
    let mut command = patiently(tests);
    command.args([name, "--test-threads", "1"]);
    let output = command.current_dir(directory).env(CHOICE, number).output()?;
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    if report.contains("running 0 tests") {
        return Err(Failure(format!("{package} has no test {name}")));
    }
    if output.status.success() {
        return Ok(None);
    }
    let failed: Vec<&str> = report.lines().filter_map(|line| line.strip_suffix(" ... FAILED")).collect();
    let failed: Vec<&str> = failed.into_iter().map(|line| line.trim_start_matches("test ")).collect();
    Ok(Some(if failed.is_empty() { NO_ANSWER.to_owned() } else { failed.join(", ") }))
}
