//! The project's own chores: `cargo xtask test`, `cargo xtask soak`, `cargo xtask spin`, `cargo xtask ltl`, `cargo xtask bless`,
//! `cargo xtask fuzz`, `cargo xtask bench`.

mod bench;
mod compare;
mod compare_claims;
mod fuzz;
mod ltl;
mod mutants;
mod parts;
mod spin;
mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use fuzz::programs::Campaign;
use mutants::Choice;

const USAGE: &str = "\
cargo xtask test             everything that must pass before a change lands; installs what it needs
cargo xtask soak             the same and then more of it, for hours: long campaigns, on other programs for every commit
cargo xtask spin [--all]     compare verdicts and state counts with SPIN on the models of its Debian package;
                             --all also tries those that take SPIN more than a minute
cargo xtask claims           compare verdicts with SPIN on the claims of these models, with and without weak fairness
cargo xtask ltl [COUNT [SEED]]   compare our automata with those of `spin -f`, on formulas from papers and on COUNT (300)
                             random ones
cargo xtask bless            write the golden files anew
cargo xtask fuzz [OPTIONS]   generate programs and compare all answers to them, SPIN's among them;
                             --time SECONDS (60), --count N, --seed N, --states N (300),
                             --first-only 1: stop at the first disagreement, as it is,
                             --spin 0: only our own answers, many times faster
cargo xtask fuzz claims [OPTIONS]   the same for what programs say of their infinite runs
cargo xtask fuzz while [OPTIONS]   generate while-programs and compare our answers to them, with and without reductions;
                             --time, --count, --seed and --first-only as above
cargo xtask mutants [WORD]   check that the fuzzer and tests catch wrong variants of our own code: all, or those whose
                             names contain the word; with --passed instead, the unchanged code is taken to pass
cargo xtask fuzz texts SECONDS [SEED]   throw mangled models at the front end
cargo xtask bench explicit [OPTIONS]    time full searches by SPIN and by Reductio (see docs/benchmarks.md);
                             --rounds N (3), --only NAME: models whose names contain it, can be repeated,
                             --quick: only models below a million states,
                             --huge: also the model that is too large for SPIN,
                             --record: append the result to docs/bench/explicit.tsv
cargo xtask bench first [--breadth|--rounds N]   time until the first violation is known, by SPIN and by Reductio;
                             --breadth: also by breadth-first search alone
cargo xtask bench liveness [--large]    time the check of formulas by SPIN and by Reductio; --large: also what takes SPIN
                             minutes
cargo xtask bench ltl [--each]   the sizes of automata by us, by `spin -f` and by lbt; --each: formula by formula
cargo xtask bench por [states|fairness|orders] [--only NAME]   states when orders are left out, by us and by SPIN: of all runs,
                             of weakly fair runs, and of models whose processes are named in another order
cargo xtask bench symmetry [--large]   states when processes are exchanged, with six processes, too
cargo xtask bench static [--paper|--spin]   states with dead variables and merged paths: beside [yorav00], beside SPIN
cargo xtask bench symbolic [OPTIONS]    static and dynamic transition relations on growing circuits;
                             --rounds N (3), --only NAME: circuits whose names contain it, can be repeated";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["test"] => test::run(),
        ["soak"] => test::soak(),
        ["spin"] => compare::run(false),
        ["spin", "--all"] => compare::run(true),
        ["claims"] => compare_claims::run(),
        ["fuzz", "texts", seconds] => number(seconds).and_then(|time| fuzz::mangled_texts(time, clock_seed())),
        ["fuzz", "texts", seconds, seed] => number(seconds)
            .and_then(|seconds| Ok((seconds, number(seed)?)))
            .and_then(|(seconds, seed)| fuzz::mangled_texts(seconds, seed)),
        ["fuzz", "claims", ref options @ ..] => {
            campaign(options).and_then(|campaign| fuzz::programs::run(&Campaign { claims: true, ..campaign }))
        }
        ["fuzz", "while", ref options @ ..] => {
            match options.iter().find(|name| matches!(**name, "--states" | "--spin")) {
                Some(name) => Err(Failure(format!("{name} means nothing for while-programs\n{USAGE}"))),
                None => campaign(options).and_then(|campaign| fuzz::whiles::run(&campaign)),
            }
        }
        ["fuzz", ref options @ ..] => campaign(options).and_then(|campaign| fuzz::programs::run(&campaign)),
        ["bench", "explicit", ref options @ ..] => bench::explicit(options),
        ["bench", "first", ref options @ ..] => bench::first::run(options),
        ["bench", "liveness", ref options @ ..] => bench::liveness::run(options),
        ["bench", "symbolic", ref options @ ..] => bench::symbolic::run(options),
        ["bench", "ltl", ref options @ ..] => bench::ltl::run(options),
        ["bench", "por", ref options @ ..] => bench::por::run(options),
        ["bench", "symmetry", ref options @ ..] => bench::symmetry::run(options),
        ["bench", "static", ref options @ ..] => bench::statics::run(options),
        ["ltl"] => ltl::run(300, clock_seed()),
        ["ltl", count] => number(count).and_then(|count| ltl::run(count as usize, clock_seed())),
        ["ltl", count, seed] => number(count)
            .and_then(|count| Ok((count, number(seed)?)))
            .and_then(|(count, seed)| ltl::run(count as usize, seed)),
        ["mutants"] => mutants::run(&Choice { word: "", has_passed: false }),
        ["mutants", "--passed"] => mutants::run(&Choice { word: "", has_passed: true }),
        ["mutants", word] => mutants::run(&Choice { word, has_passed: false }),
        ["bless"] => run(Command::new("cargo").args(["test", "--workspace"]).env("REDUCTIO_BLESS", "1")),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// `--count N`, `--time SECONDS`, `--seed N`, `--states N`, in any order.
fn campaign(options: &[&str]) -> Result<Campaign, Failure> {
    let mut campaign = Campaign {
        seed: clock_seed(),
        count: u64::MAX,
        time: Duration::from_secs(60),
        states: 300,
        first_only: false,
        spin: true,
        claims: false,
    };
    for option in options.chunks(2) {
        let [name, value] = option else { return Err(Failure(format!("{} needs a value", option[0]))) };
        let number = number(value)?;
        match *name {
            "--count" => {
                campaign.count = number;
                campaign.time = Duration::MAX;
            }
            "--time" => campaign.time = Duration::from_secs(number),
            "--seed" => campaign.seed = number,
            "--spin" => campaign.spin = number != 0,
            "--first-only" => campaign.first_only = number != 0,
            "--states" => campaign.states = number.min(u32::MAX.into()) as u32,
            _ => return Err(Failure(format!("there is no option {name}\n{USAGE}"))),
        }
    }
    Ok(campaign)
}

fn number(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure(format!("`{text}` is not a number")))
}

/// Every run looks elsewhere.
fn clock_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| time.as_nanos() as u64)
}

/// Why a chore did not succeed, for the person who started it.
#[derive(Debug)]
pub struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure(error.to_string())
    }
}

/// Runs a command and insists on its success.
fn run(command: &mut Command) -> Result<(), Failure> {
    println!("$ {command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("{command:?} ended with {status}"))),
        Err(error) => Err(Failure(format!("{command:?} could not be started: {error}"))),
    }
}

/// All Promela models in a directory and below it.
fn models_below(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            models.extend(models_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            models.push(path);
        }
    }
    Ok(models)
}
