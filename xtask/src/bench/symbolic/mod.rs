//! `cargo xtask bench symbolic`: static and dynamic transition relations side by side, as in table 4.2 of [yorav00], on circuits of
//! growing size, with the reachable states and without; and what becomes of a bad order of the bits.

mod models;

use std::path::{Path, PathBuf};

use super::measure::{median, timed};
use crate::Failure;
use models::{FAMILIES, Reach};

const DIRECTORY: &str = "target/bench";
/// Whatever takes longer is not worth waiting for.
const TIME: &str = "60s";

/// Two ways to check the same models.
struct Comparison {
    title: &'static str,
    names: [&'static str; 2],
    options: [&'static [&'static str]; 2],
    /// Are the reachable states computed?
    forward: bool,
}

/// The relations are compared with the order of the text and with all variables, or they would have less to differ in.
const COMPARISONS: [Comparison; 3] = [
    Comparison {
        title: "backward",
        names: ["static", "dynamic"],
        options: [
            &["--reduce", "none", "--reorder", "off", "--direction", "backward", "--relation", "static"],
            &["--reduce", "none", "--reorder", "off", "--direction", "backward", "--relation", "auto"],
        ],
        forward: false,
    },
    Comparison {
        title: "forward",
        names: ["static", "dynamic"],
        options: [
            &["--reduce", "none", "--reorder", "off", "--relation", "static"],
            &["--reduce", "none", "--reorder", "off", "--relation", "auto"],
        ],
        forward: true,
    },
    Comparison {
        title: "order",
        names: ["text", "worst"],
        options: [&["--order", "text"], &["--order", "worst"]],
        forward: true,
    },
];

/// A circuit in a file.
struct Measured {
    name: String,
    path: PathBuf,
    forward: bool,
}

/// One run of ours.
struct Outcome {
    seconds: f64,
    states: u64,
    relation: f64,
    nodes: u64,
    verdicts: Vec<String>,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (rounds, only) = options(words)?;
    let build = ["build", "--release", "--quiet", "--package", "reductio-cli"];
    crate::run(std::process::Command::new("cargo").args(build))?;
    std::fs::create_dir_all(DIRECTORY)?;
    let mut models = Vec::new();
    for family in FAMILIES {
        let kinds = [
            ("near", Reach::Near, family.near, false),
            ("far", Reach::Far, family.far, false),
            ("reached", Reach::Far, family.reached, true),
        ];
        for (word, reach, sizes, forward) in kinds {
            for size in sizes {
                let name = format!("{}-{word}-{size}", family.name);
                let path = Path::new(DIRECTORY).join(format!("{name}.smv"));
                std::fs::write(&path, (family.circuit)(size) + &(family.properties)(size, reach))?;
                if only.is_empty() || only.iter().any(|part| name.contains(part)) {
                    models.push(Measured { name, path, forward });
                }
            }
        }
    }
    for comparison in &COMPARISONS {
        let is_meant = |model: &&Measured| comparison.forward == model.forward;
        compare_all(comparison, &models.iter().filter(is_meant).collect::<Vec<_>>(), rounds)?;
    }
    Ok(())
}

fn compare_all(comparison: &Comparison, models: &[&Measured], rounds: usize) -> Result<(), Failure> {
    let [one, other] = comparison.names;
    println!(
        "{:22} {one:>10} {other:>10} {:>6}  {:>8} {:>8}  {:>8} {:>8}",
        comparison.title, "ratio", "nodes", "nodes", "relation", "relation"
    );
    let mut ratios = Vec::new();
    for Measured { name, path, .. } in models {
        let [one, other] = compare(path, comparison, rounds)?;
        if one.verdicts != other.verdicts || one.states != other.states {
            return Err(Failure(format!("{name}: the answers differ: {:?}, {:?}", one.verdicts, other.verdicts)));
        }
        let ratio = other.seconds.max(0.001) / one.seconds.max(0.001);
        ratios.push(ratio);
        println!(
            "{name:22} {:>8.2} s {:>8.2} s {ratio:>6.2}  {:>8} {:>8}  {:>8.0} {:>8.0}",
            one.seconds, other.seconds, one.nodes, other.nodes, one.relation, other.relation
        );
    }
    let average = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    println!("ratios of CPU seconds: average {average:.2}, geometric mean {mean:.2}, largest {largest:.2}\n");
    Ok(())
}

fn options<'a>(words: &[&'a str]) -> Result<(usize, Vec<&'a str>), Failure> {
    let (mut rounds, mut only) = (1, Vec::new());
    for option in words.chunks(2) {
        match option {
            ["--rounds", count] => rounds = crate::number(count)?.max(1) as usize,
            ["--only", part] => only.push(*part),
            _ => return Err(Failure(format!("there is no option {}\n{}", option[0], crate::USAGE))),
        }
    }
    Ok((rounds, only))
}

/// The two take turns, so that a machine that slows down slows down both.
fn compare(path: &Path, comparison: &Comparison, rounds: usize) -> Result<[Outcome; 2], Failure> {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        one.push(measure(path, comparison.options[0])?);
        other.push(measure(path, comparison.options[1])?);
    }
    let middle = |mut runs: Vec<Outcome>| {
        let seconds = median(&runs.iter().map(|run| run.seconds).collect::<Vec<_>>()).unwrap_or(0.0);
        runs.pop().map(|run| Outcome { seconds, ..run }).ok_or_else(|| Failure("nothing was measured".to_owned()))
    };
    Ok([middle(one)?, middle(other)?])
}

fn measure(path: &Path, options: &[&str]) -> Result<Outcome, Failure> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let (binary, path) = (format!("{target}/release/reductio"), path.display().to_string());
    let mut words = vec![binary.as_str(), "check", &path, "--format", "json", "--time", TIME];
    words.extend(options);
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let ended = timed(&words, Path::new("."))?;
    let json: serde_json::Value = serde_json::from_str(&ended.stdout)
        .map_err(|error| Failure(format!("{path}: {error}: {}", ended.stderr.trim())))?;
    let verdict = |result: &serde_json::Value| format!("{} {}", result["property"], result["verdict"]);
    let verdicts = json["results"].as_array().map(|results| results.iter().map(verdict).collect()).unwrap_or_default();
    let statistics = &json["statistics"];
    Ok(Outcome {
        seconds: ended.cost.cpu,
        states: statistics["states"].as_u64().unwrap_or(0),
        relation: statistics["relation_nodes"].as_f64().unwrap_or(0.0),
        nodes: statistics["peak_nodes"].as_u64().unwrap_or(0),
        verdicts,
    })
}
