//! The `reductio` command: arguments in, a report and an exit code out. The only crate that does input and output.

mod arguments;
mod check;
mod contains;
mod failure;
mod graph;
mod interrupt;
mod load;
mod ltl;
mod machine;
mod menu;
mod output;
mod progress;
mod random;
mod reduce;
mod refusals;
mod replay;
mod replay_witnesses;
mod simulate;
mod write_trace;

use std::process::ExitCode;
use std::time::Instant;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;

/// Models can be nested deeply, and the front end follows them by recursion.
pub const STACK_SIZE: usize = 256 << 20;

fn main() -> ExitCode {
    let started = Instant::now();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(message) => {
            // Help and version are no errors; when nobody reads what is printed, there is nothing to be done about it.
            let _ = message.print();
            return ExitCode::from(message.exit_code() as u8);
        }
    };
    let worker = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || run(&arguments, started));
    match worker {
        // A panic has already told its story; 101 is what Rust programs exit with after one.
        Ok(worker) => worker.join().unwrap_or(ExitCode::from(101)),
        Err(error) => {
            output::complain(&format!("error: cannot start a thread: {error}"));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, started: Instant) -> ExitCode {
    let result = match &arguments.command {
        Command::Check(arguments) => check::run(arguments, started),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Graph(arguments) => graph::run(arguments),
        Command::Ltl(arguments) => ltl::run(arguments),
        Command::Contains(arguments) => contains::run(arguments),
        Command::Reduce(arguments) => reduce::run(arguments),
    };
    result.unwrap_or_else(|failure: Failure| ExitCode::from(failure.tell()))
}
