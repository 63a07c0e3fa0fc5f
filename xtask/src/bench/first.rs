//! `cargo xtask bench first`: how long it takes until the first violation is known, by SPIN and by us, in models with millions of states
//! whose violation a search in depth soon comes by. What is measured and how to read the table is told in `docs/benchmarks.md`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::measure::{median, timed};
use super::ours::binary;
use super::pan;
use crate::spin::{self, Answer};
use crate::{Failure, bench};

/// Puzzles, schedulers, allocators: each with one violation that others may hide.
pub const MODELS: [&str; 5] = ["allocator", "peg_solitaire", "queens", "sliding_puzzle", "task_scheduler"];

/// Deeper than any of their runs.
const STACK: &str = "-m1000000";
/// Within so many times `pan`'s time, we want to be done.
const GOAL: f64 = 10.0;
/// Breadth-first search alone may take so much.
const LIMITS: [&str; 4] = ["--time", "60s", "--memory", "3G"];

/// One contender on one model.
struct Side {
    states: u64,
    /// States that probes have seen besides.
    probed: u64,
    /// Wall time of the whole process.
    wall: f64,
    /// `None` if nothing was found.
    steps: Option<u64>,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (rounds, with_breadth) = match words {
        [] => (3, false),
        ["--breadth"] => (3, true),
        ["--rounds", number] => (crate::number(number)?.max(1) as usize, false),
        _ => return Err(Failure(format!("there is no option {}\n{}", words.join(" "), crate::USAGE))),
    };
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    println!("{}", header());
    let mut ratios = Vec::new();
    for model in MODELS {
        let path = format!("testdata/bench/{model}.pml");
        let (compile, by_pan) = by_spin(Path::new(&path), rounds)?;
        let first = by_us(&path, &["--first"], rounds)?;
        let all = by_us(&path, &LIMITS, 1)?;
        println!("{}", line(model, compile, &by_pan, &first, &all));
        ratios.push(first.wall / by_pan.wall);
        if with_breadth {
            let breadth = by_us(&path, &[&["--first", "--search", "bfs"], &LIMITS[..]].concat(), 1)?;
            println!("{}", alone(&breadth));
        }
    }
    println!("\n{}", summary(&ratios));
    Ok(())
}

/// The wall time of `spin` and gcc, and what `pan` does with its default reductions until its first error.
fn by_spin(model: &Path, rounds: usize) -> Result<(f64, Side), Failure> {
    let directory = Path::new(bench::DIRECTORY);
    spin::prepare(model, directory)?;
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let generate = pan::step("spin", &["-a", &name], &[], directory)?;
    let compile = pan::step("gcc", &["-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"], &[], directory)?;
    let mut times = Vec::new();
    let mut output = String::new();
    for _ in 0..rounds {
        let pan = pan::step("./pan", &[STACK, "-n"], &[], directory)?;
        times.push(pan.cost.wall);
        output = pan.stdout;
    }
    let states = match spin::read_answer(&output) {
        Answer::Finished { states, errors, .. } if errors > 0 => states,
        other => return Err(Failure(format!("{name}: SPIN finds no error: {other:?}"))),
    };
    let steps = read_depth(&output);
    Ok((generate.cost.wall + compile.cost.wall, Side { states, probed: 0, wall: middle(&times), steps }))
}

/// `pan:1: assertion violated (spent<40) (at depth 95)`.
fn read_depth(output: &str) -> Option<u64> {
    let (_, rest) = output.split_once("(at depth ")?;
    rest.split_once(')')?.0.parse().ok()
}

fn by_us(model: &str, options: &[&str], rounds: usize) -> Result<Side, Failure> {
    let binary = binary().to_string_lossy().into_owned();
    let words = [&[&binary, "check", model, "--format", "json"], options].concat();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let mut times = Vec::new();
    let mut side = None;
    for _ in 0..rounds {
        let ended = timed(&words, Path::new("."))?;
        times.push(ended.cost.wall);
        side = read_result(&ended.stdout);
    }
    let side = side.ok_or_else(|| Failure(format!("{} did not end well", words.join(" "))))?;
    Ok(Side { wall: middle(&times), ..side })
}

fn read_result(json: &str) -> Option<Side> {
    let result: Value = serde_json::from_str(json).ok()?;
    let statistics = &result["statistics"];
    let violated = result["results"].as_array()?.iter().find(|entry| entry["verdict"] == "violated");
    let steps = violated.and_then(|entry| entry["trace"]["steps"].as_array()).map(|steps| steps.len() as u64);
    let probed = statistics["probed_states"].as_u64().unwrap_or(0);
    Some(Side { states: statistics["states"].as_u64()?, probed, wall: 0.0, steps })
}

/// bash measures in milliseconds.
fn middle(times: &[f64]) -> f64 {
    median(times).unwrap_or(0.0).max(0.001)
}

fn header() -> String {
    "                 SPIN                                   --first                                    without\n\
     model            compile s   pan s   states   steps     our s   states   probed   steps   ratio     our s   states   steps"
        .to_owned()
}

fn line(model: &str, compile: f64, pan: &Side, first: &Side, all: &Side) -> String {
    let steps = |side: &Side| side.steps.map_or("-".to_owned(), |steps| steps.to_string());
    format!(
        "{model:16} {compile:>9.2} {:>7.3} {:>8} {:>7} {:>9.3} {:>8} {:>8} {:>7} {:>7.1} {:>9.3} {:>8} {:>7}",
        pan.wall,
        pan.states,
        steps(pan),
        first.wall,
        first.states,
        first.probed,
        steps(first),
        first.wall / pan.wall,
        all.wall,
        all.states,
        steps(all)
    )
}

/// What breadth-first search does without probes.
fn alone(side: &Side) -> String {
    let found = if side.steps.is_some() { "found" } else { "not found" };
    format!("{:16} breadth-first alone: {found} after {} states, {:.3} s", "", side.states, side.wall)
}

fn summary(ratios: &[f64]) -> String {
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let is_met = if worst <= GOAL { "met" } else { "missed" };
    let median = median(ratios).unwrap_or(0.0);
    format!("time to the first violation, pan = 1: median {median:.1}, worst {worst:.1}; goal {GOAL:.0}: {is_met}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_of_an_error_is_read() {
        assert_eq!(read_depth("pan:1: invalid end state (at depth 73)\npan: wrote m.trail"), Some(73));
        assert_eq!(read_depth("errors: 0"), None);
    }

    #[test]
    fn a_result_with_a_violation_has_steps() {
        let json = r#"{"statistics": {"states": 7, "probed_states": 3},
            "results": [{"verdict": "inconclusive"}, {"verdict": "violated", "trace": {"steps": [{}, {}]}}]}"#;
        let side = read_result(json).expect("it is one");
        assert_eq!((side.states, side.probed, side.steps), (7, 3, Some(2)));
        assert!(read_result("{}").is_none());
    }

    #[test]
    fn the_goal_is_for_the_worst() {
        assert!(summary(&[0.5, 9.9]).ends_with("met"));
        assert!(summary(&[0.5, 10.1]).ends_with("missed"));
    }
}
