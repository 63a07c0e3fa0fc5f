//! `cargo xtask bench symbolic`: static and dynamic transition relations side by side, as in table 4.2 of [yorav00], on circuits of
//! growing size, with the reachable states and without.

mod models;

use std::path::Path;

use super::measure::{median, timed};
use crate::Failure;
use models::FAMILIES;

const DIRECTORY: &str = "target/bench";
/// Whatever takes longer is not worth waiting for.
const TIME: &str = "60s";

/// One run of ours.
struct Outcome {
    seconds: f64,
    states: u64,
    relation: f64,
    verdicts: Vec<String>,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (rounds, only) = options(words)?;
    let build = ["build", "--release", "--quiet", "--package", "reductio"];
    crate::run(std::process::Command::new("cargo").args(build))?;
    std::fs::create_dir_all(DIRECTORY)?;
    for direction in ["forward", "backward"] {
        compare_all(direction, rounds, &only)?;
    }
    Ok(())
}

fn compare_all(direction: &str, rounds: usize, only: &[&str]) -> Result<(), Failure> {
    println!("{direction:16} {:>10} {:>10} {:>6} {:>10} {:>10}", "static", "dynamic", "D/S", "relation", "used");
    let mut ratios = Vec::new();
    for family in FAMILIES.iter().filter(|family| only.is_empty() || only.iter().any(|part| family.name.contains(part)))
    {
        for size in family.sizes {
            let name = format!("{}-{size}", family.name);
            let path = Path::new(DIRECTORY).join(format!("{name}.smv"));
            std::fs::write(&path, (family.text)(*size))?;
            let (one, other) = compare(&path, direction, rounds)?;
            if one.verdicts != other.verdicts || one.states != other.states {
                return Err(Failure(format!("{name}: the answers differ: {:?}, {:?}", one.verdicts, other.verdicts)));
            }
            let ratio = other.seconds.max(0.001) / one.seconds.max(0.001);
            ratios.push(ratio);
            println!(
                "{name:16} {:>8.2} s {:>8.2} s {ratio:>6.2} {:>10.0} {:>10.0}",
                one.seconds, other.seconds, one.relation, other.relation
            );
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!("CPU seconds, and nodes of the relations in use; dynamic over static, geometric mean {mean:.2}\n");
    Ok(())
}

fn options<'a>(words: &[&'a str]) -> Result<(usize, Vec<&'a str>), Failure> {
    let (mut rounds, mut only) = (3, Vec::new());
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
fn compare(path: &Path, direction: &str, rounds: usize) -> Result<(Outcome, Outcome), Failure> {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        one.push(measure(path, direction, "static")?);
        other.push(measure(path, direction, "dynamic")?);
    }
    let middle = |mut runs: Vec<Outcome>| {
        let seconds = median(&runs.iter().map(|run| run.seconds).collect::<Vec<_>>()).unwrap_or(0.0);
        runs.pop().map(|run| Outcome { seconds, ..run }).ok_or_else(|| Failure("nothing was measured".to_owned()))
    };
    Ok((middle(one)?, middle(other)?))
}

fn measure(path: &Path, direction: &str, relation: &str) -> Result<Outcome, Failure> {
    let binary = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let words = [
        &format!("{binary}/release/reductio"),
        "check",
        &path.display().to_string(),
        "--format",
        "json",
        "--relation",
        relation,
        "--direction",
        direction,
        "--time",
        TIME,
    ];
    let ended = timed(&words.map(str::to_owned), Path::new("."))?;
    let json: serde_json::Value = serde_json::from_str(&ended.stdout)
        .map_err(|error| Failure(format!("{}: {error}: {}", path.display(), ended.stderr.trim())))?;
    let verdict = |result: &serde_json::Value| format!("{} {}", result["property"], result["verdict"]);
    let verdicts = json["results"].as_array().map(|results| results.iter().map(verdict).collect()).unwrap_or_default();
    Ok(Outcome {
        seconds: ended.cost.cpu,
        states: json["statistics"]["states"].as_u64().unwrap_or(0),
        relation: json["statistics"]["relation_nodes"].as_f64().unwrap_or(0.0),
        verdicts,
    })
}
