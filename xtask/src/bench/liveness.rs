//! `cargo xtask bench liveness`: SPIN and Reductio side by side on formulas that hold, so that both must see all of the
//! product of model and automaton. How to read the table is told in `docs/benchmarks.md`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::measure::{Ended, timed};
use super::{ours, pan};
use crate::spin::{self, Answer};
use crate::{Failure, USAGE};

struct Benchmark {
    name: &'static str,
    /// In `testdata/bench`.
    file: &'static str,
    define: &'static str,
    formula: &'static str,
    /// The formula holds for weakly fair runs only.
    fair: bool,
    /// It takes SPIN minutes.
    large: bool,
}

const ELECTED: &str = "(leaders == 0) U [] (leaders == 1)";
const ENTERS: &str = "[] (level[0] > 0 -> <> user[0]@critical)";

const fn leader(name: &'static str, define: &'static str) -> Benchmark {
    Benchmark { name, file: "leader.pml", define, formula: ELECTED, fair: false, large: false }
}

const fn lock(name: &'static str, define: &'static str, large: bool) -> Benchmark {
    Benchmark { name, file: "filter_lock.pml", define, formula: ENTERS, fair: true, large }
}

const BENCHMARKS: [Benchmark; 6] = [
    leader("leader_5", "N=5"),
    leader("leader_6", "N=6"),
    leader("leader_7", "N=7"),
    lock("filter_lock_3", "N=3", false),
    lock("filter_lock_4", "N=4", false),
    lock("filter_lock_5", "N=5", true),
];

/// Where the models with their formulas and SPIN's verifiers are made.
const DIRECTORY: &str = "target/bench/liveness";

/// What one side needs.
struct Side {
    states: u64,
    /// How often a state is come by: more than once in a nested search, and with fairness. We do not.
    visited: u64,
    search: f64,
    wall: f64,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let large = match words {
        [] => false,
        ["--large"] => true,
        _ => return Err(Failure(format!("there is no option {}\n{USAGE}", words.join(" ")))),
    };
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    println!("{}", header());
    for benchmark in BENCHMARKS.iter().filter(|benchmark| large || !benchmark.large) {
        let model = Path::new(DIRECTORY).join("model.pml");
        fs::create_dir_all(DIRECTORY)?;
        fs::write(&model, benchmark.text()?)?;
        let (by_pan, by_us) = (by_spin(benchmark, Path::new(DIRECTORY))?, by_us(benchmark, &model)?);
        println!("{}", line(benchmark, &by_pan, &by_us));
    }
    Ok(())
}

impl Benchmark {
    /// The model with its formula, which is how both are given it.
    fn text(&self) -> Result<String, Failure> {
        let model = fs::read_to_string(Path::new("testdata/bench").join(self.file))?;
        Ok(format!("{model}\nltl wanted {{ {} }}\n", self.formula))
    }
}

fn by_spin(benchmark: &Benchmark, directory: &Path) -> Result<Side, Failure> {
    let step = |program: &str, options: &[&str]| pan::step(program, options, &[], directory);
    let define = format!("-D{}", benchmark.define);
    let generate = step("spin", &[&spin::GENERATE[..], &[&define, "model.pml"]].concat())?;
    let fairness = if benchmark.fair { "-DNFAIR=2" } else { "-DNOFAIR" };
    let compile = step("gcc", &["-O2", "-w", "-DNOREDUCE", "-DMEMLIM=8000", fairness, "-o", "pan", "pan.c"])?;
    let fairness: &[&str] = if benchmark.fair { &["-f"] } else { &[] };
    let pan = step("./pan", &[&["-a", "-n", "-N", "wanted", "-m3000000", "-w22"], fairness].concat())?;
    let states = match spin::read_answer(&pan.stdout) {
        Answer::Finished { states, errors: 0, .. } => states,
        other => return Err(Failure(format!("{}: SPIN does not find that it holds: {other:?}", benchmark.name))),
    };
    let visited = read_visited(&pan.stdout).unwrap_or(states);
    let wall = [&generate, &compile, &pan].iter().map(|ended| ended.cost.wall).sum();
    Ok(Side { states, visited, search: pan.cost.cpu, wall })
}

/// `76407 states, stored (458442 visited)`, or no second number where nothing is visited twice.
fn read_visited(output: &str) -> Option<u64> {
    let (_, rest) = output.split_once("states, stored (")?;
    let (number, _) = rest.split_once(" visited)")?;
    // Large counts are printed like 5.422354e+06.
    number.parse::<f64>().ok().map(|visited| visited as u64)
}

fn by_us(benchmark: &Benchmark, model: &Path) -> Result<Side, Failure> {
    let fairness = if benchmark.fair { "weak" } else { "none" };
    let binary = ours::binary().to_string_lossy().into_owned();
    let define = format!("-D{}", benchmark.define);
    let model = model.to_string_lossy().into_owned();
    let options = ["--property", "wanted", "--fairness", fairness, "--reduce", "none", "--format", "json"];
    let words = [&[&binary, "check", &model, &define], &options[..]].concat();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let ended = timed(&words, Path::new("."))?;
    read_result(&ended).ok_or_else(|| Failure(format!("{}: we do not find that it holds", benchmark.name)))
}

fn read_result(ended: &Ended) -> Option<Side> {
    let result: Value = serde_json::from_str(&ended.stdout).ok()?;
    let states = result["statistics"]["states"].as_u64()?;
    let search = result["statistics"]["seconds"].as_f64()?;
    (result["results"][0]["verdict"] == "holds").then_some(Side {
        states,
        visited: states,
        search,
        wall: ended.cost.wall,
    })
}

fn header() -> String {
    format!(
        "{:14} {:8} | {:>10} {:>10} {:>10} | {:>8} {:>8} | {:>8} {:>8}\n{:14} {:8} | {:>10} {:>10} {:>10} | {:>8} {:>8} | {:>8} {:>8}",
        "",
        "",
        "states",
        "pan",
        "",
        "search s",
        "",
        "verdict s",
        "",
        "model",
        "fairness",
        "pan",
        "visited",
        "ours",
        "pan",
        "ours",
        "SPIN",
        "ours"
    )
}

fn line(benchmark: &Benchmark, pan: &Side, ours: &Side) -> String {
    format!(
        "{:14} {:8} | {:>10} {:>10} {:>10} | {:>8.2} {:>8.2} | {:>8.2} {:>8.2}",
        benchmark.name,
        if benchmark.fair { "weak" } else { "none" },
        pan.states,
        pan.visited,
        ours.states,
        pan.search,
        ours.search,
        pan.wall,
        ours.wall
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measure::Cost;

    #[test]
    fn visits_are_read() {
        assert_eq!(read_visited("    13 states, stored (1.5e+03 visited)\n"), Some(1_500));
        assert_eq!(read_visited("    13 states, stored\n"), None);
    }

    #[test]
    fn only_what_holds_is_timed() {
        let result = |verdict: &str| {
            let statistics = r#""statistics": {"states": 7, "seconds": 0.5}"#;
            let stdout = format!(r#"{{"results": [{{"verdict": "{verdict}"}}], {statistics}}}"#);
            let cost = Cost { wall: 1.0, cpu: 0.75 };
            read_result(&Ended { cost, code: Some(0), stdout, stderr: String::new() })
        };
        assert!(result("holds").is_some_and(|side| (side.states, side.search, side.wall) == (7, 0.5, 1.0)));
        assert!(result("violated").is_none() && result("inconclusive").is_none());
    }
}
