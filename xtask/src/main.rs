//! The project's own chores: `cargo xtask test`, `cargo xtask spin`, `cargo xtask bless`, `cargo xtask fuzz`.

mod compare;
mod fuzz;
mod spin;
mod test;

use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask test             everything that must pass before a change lands; installs what it needs
cargo xtask spin [--all]     compare verdicts and state counts with SPIN on the models of its Debian package;
                             --all also tries those that take SPIN more than a minute
cargo xtask bless            write the golden files anew
cargo xtask fuzz [SECONDS]   throw mangled models at the parser";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["test"] => test::run(),
        ["spin"] => compare::run(false),
        ["spin", "--all"] => compare::run(true),
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
