//! `cargo xtask bench explicit`: SPIN and Reductio side by side on full state spaces. What is measured and how to read
//! the table is told in `docs/benchmarks.md`.

pub mod first;
mod goals;
mod history;
pub mod liveness;
pub mod ltl;
mod measure;
mod models;
mod ours;
mod pan;
pub mod por;
pub mod statics;
pub mod symbolic;
pub mod symmetry;
mod table;

use std::path::Path;
use std::process::Command;

use crate::{Failure, spin};
use history::Record;
use models::{BENCHMARKS, Benchmark, HUGE};
use ours::OurRun;
use table::{LARGE, Row};

/// Where SPIN's verifiers are made.
const DIRECTORY: &str = "target/bench";

/// What the largest model may use. SPIN would need several times as much.
const HUGE_MEMORY: &str = "4G";

#[derive(Debug, PartialEq, Eq)]
struct Options {
    rounds: usize,
    /// Parts of names; all models if there are none.
    only: Vec<String>,
    quick: bool,
    huge: bool,
    record: bool,
}

pub fn explicit(words: &[&str]) -> Result<(), Failure> {
    let options = Options::parse(words)?;
    let selected: Vec<&Benchmark> = BENCHMARKS.iter().filter(|benchmark| options.selects(benchmark)).collect();
    let huge = options.huge && options.selects(HUGE);
    if selected.is_empty() && !huge {
        return Err(Failure("no model is selected".to_owned()));
    }
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    let records = history::read(Path::new(history::FILE))?;
    let mut problems = Vec::new();
    let rows = compare_all(&selected, options.rounds, &records, &mut problems);
    if !rows.is_empty() {
        println!("\n{}", goals::summary(&rows));
    }
    if options.record {
        history::append(Path::new(history::FILE), &rows)?;
    }
    if huge {
        problems.extend(search_alone(HUGE).err().map(|failure| format!("{}: {failure}", HUGE.name)));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure(problems.join("\nxtask: "))) }
}

impl Options {
    fn parse(words: &[&str]) -> Result<Options, Failure> {
        let mut options = Options { rounds: 3, only: Vec::new(), quick: false, huge: false, record: false };
        let mut words = words.iter();
        while let Some(option) = words.next() {
            let mut value = || words.next().ok_or_else(|| Failure(format!("{option} needs a value")));
            match *option {
                "--rounds" => options.rounds = crate::number(value()?)?.max(1) as usize,
                "--only" => options.only.push((*value()?).to_owned()),
                "--quick" => options.quick = true,
                "--huge" => options.huge = true,
                "--record" => options.record = true,
                _ => return Err(Failure(format!("there is no option {option}\n{}", crate::USAGE))),
            }
        }
        Ok(options)
    }

    fn selects(&self, benchmark: &Benchmark) -> bool {
        // `pan` searches models below a million states in less than 3 s.
        let fast_enough = !self.quick || benchmark.states < LARGE;
        let named = self.only.is_empty() || self.only.iter().any(|part| benchmark.name.contains(part.as_str()));
        fast_enough && named
    }
}

/// Prints a row as soon as it is measured. What went wrong is collected, and the other models are measured all the same.
fn compare_all(selected: &[&Benchmark], rounds: usize, records: &[Record], problems: &mut Vec<String>) -> Vec<Row> {
    if !selected.is_empty() {
        println!("{}", table::header());
    }
    let mut rows = Vec::new();
    for benchmark in selected {
        match compare(benchmark, rounds) {
            Ok(row) => {
                let row = Row { before: history::last_speed(records, row.name), ..row };
                println!("{}", table::line(&row));
                rows.push(row);
            }
            Err(failure) => {
                println!("{:14} {failure}", benchmark.name);
                problems.push(format!("{}: {failure}", benchmark.name));
            }
        }
    }
    rows
}

/// The contenders take turns, so that a machine that slows down slows down all of them.
fn compare(benchmark: &Benchmark, rounds: usize) -> Result<Row, Failure> {
    let (mut spin_runs, mut one, mut two) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let run = pan::run(benchmark, Path::new(DIRECTORY))?;
        expect_states(benchmark, "SPIN", run.states)?;
        spin_runs.push(run);
        one.extend(our_run(benchmark, 1, None)?);
        if has_two_processors() {
            two.extend(our_run(benchmark, 2, None)?);
        }
    }
    Row::new(benchmark.name, &spin_runs, &one, &two).ok_or_else(|| Failure("nothing was measured".to_owned()))
}

fn our_run(benchmark: &Benchmark, threads: usize, memory: Option<&str>) -> Result<Option<OurRun>, Failure> {
    let run = ours::run(benchmark, threads, memory)?;
    if let Some(run) = &run {
        expect_states(benchmark, &format!("Reductio with --threads {threads}"), run.states)?;
    }
    Ok(run)
}

fn expect_states(benchmark: &Benchmark, who: &str, states: u64) -> Result<(), Failure> {
    if states == benchmark.states {
        return Ok(());
    }
    Err(Failure(format!("{who} found {states} states, where there should be {}", benchmark.states)))
}

fn has_two_processors() -> bool {
    std::thread::available_parallelism().is_ok_and(|processors| processors.get() >= 2)
}

/// A model that is too large for SPIN, searched once with one thread and once with two.
fn search_alone(benchmark: &Benchmark) -> Result<(), Failure> {
    for threads in [1, 2].into_iter().filter(|threads| *threads == 1 || has_two_processors()) {
        let Some(run) = our_run(benchmark, threads, Some(HUGE_MEMORY))? else { continue };
        let states = run.states as f64;
        println!(
            "{}, {threads} thread(s), --memory {HUGE_MEMORY}: {} states, {:.1} s of search, {:.0} states/s, \
             {:.1} bytes per state",
            benchmark.name,
            run.states,
            run.search,
            states / run.search.max(0.001),
            run.memory_bytes as f64 / states
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> &'static Benchmark {
        BENCHMARKS.iter().find(|benchmark| benchmark.name == name).expect("it is in the table")
    }

    #[test]
    fn options_are_read() {
        let options = Options::parse(&["--rounds", "5", "--only", "leader", "--quick", "--only", "sort"]);
        let expected =
            Options { rounds: 5, only: vec!["leader".into(), "sort".into()], quick: true, huge: false, record: false };
        assert_eq!(options.expect("they are right"), expected);
        for wrong in [&["--rounds"][..], &["--rounds", "many"], &["--fast"], &["leader"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn models_are_selected_by_name_and_size() {
        let options = |words: &[&str]| Options::parse(words).expect("they are right");
        let all = options(&[]);
        assert!(BENCHMARKS.iter().all(|benchmark| all.selects(benchmark)));
        let quick = options(&["--quick"]);
        assert!(quick.selects(named("leader_7")) && !quick.selects(named("filter_lock_5")));
        let leaders = options(&["--only", "leader"]);
        assert!(leaders.selects(named("leader_7")) && !leaders.selects(named("sort")));
    }

    #[test]
    fn another_count_is_an_error() {
        assert!(expect_states(named("leader_5"), "SPIN", 11_559).is_ok());
        let failure = expect_states(named("leader_5"), "SPIN", 11_558).expect_err("a state is missing");
        assert_eq!(failure.to_string(), "SPIN found 11558 states, where there should be 11559");
    }
}
