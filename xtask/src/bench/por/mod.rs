//! `cargo xtask bench por`: how many states are left when steps are left out whose order makes no difference, by us and by
//! SPIN, on our benchmarks and on the models of SPIN's package; with fair runs (`fairness`), and by how much these
//! numbers depend on the order in which a model names its processes (`orders`).

mod fairness;
mod orders;
mod permute;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::models::BENCHMARKS;
use super::ours::binary;
use crate::compare::EXAMPLES;
use crate::spin::{self, Answer};
use crate::{Failure, models_below};

/// Everybody is given this long for a search.
pub const LIMIT: Duration = Duration::from_secs(20);

/// SPIN's partial order reduction alone, and with the other reductions that it makes by default.
const COMPILE: [&str; 5] = ["-O2", "-w", "-DSAFETY", "-DNOFAIR", "-DNOCLAIM"];
pub const ALL_OF_SPIN: [&str; 1] = ["-a"];

#[derive(Clone)]
pub struct Model {
    pub name: String,
    path: PathBuf,
    defines: Vec<String>,
}

/// States, where the search came to its end and found nothing wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    full: Option<u64>,
    ours: Option<u64>,
    spin: Option<u64>,
    all_of_spin: Option<u64>,
}

impl Row {
    /// Ours as a part of SPIN's, where both are known.
    fn ratio(&self) -> Option<f64> {
        Some(self.ours? as f64 / self.spin? as f64)
    }
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (part, rest) = match words {
        ["states", rest @ ..] => (Some(Part::States), rest),
        ["fairness", rest @ ..] => (Some(Part::Fairness), rest),
        ["orders", rest @ ..] => (Some(Part::Orders), rest),
        rest => (None, rest),
    };
    let only = match rest {
        [] => None,
        ["--only", name] => Some(*name),
        _ => return Err(Failure(format!("there is no option {}\n{}", words.join(" "), crate::USAGE))),
    };
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    let is_wanted = |wanted: Part| part.is_none_or(|part| part == wanted);
    if is_wanted(Part::States) {
        states(only)?;
    }
    if is_wanted(Part::Fairness) {
        fairness::run(only)?;
    }
    if is_wanted(Part::Orders) {
        orders::run(only)?;
    }
    Ok(())
}

/// What the command measures, one after the other where none is named.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    States,
    Fairness,
    Orders,
}

fn states(only: Option<&str>) -> Result<(), Failure> {
    println!("{:32} {:>10} {:>10} {:>10} {:>10}  ours/SPIN's", "model", "full", "ours", "SPIN", "all of it");
    let mut rows = Vec::new();
    for model in models()?.into_iter().filter(|model| only.is_none_or(|only| model.name.contains(only))) {
        let row = measure(&model)?;
        if row != Row::default() {
            println!("{}", line(&model.name, &row));
            rows.push((model.name, row));
        }
    }
    println!("{}", summary(&rows));
    Ok(())
}

fn models() -> Result<Vec<Model>, Failure> {
    let leader = |count: u32| Model {
        name: format!("leader_{count}"),
        path: PathBuf::from("testdata/bench/leader.pml"),
        defines: vec![format!("N={count}")],
    };
    let ours = BENCHMARKS.iter().filter(|benchmark| benchmark.is_ours() && !benchmark.name.starts_with("leader"));
    let ours = ours.map(|benchmark| Model {
        name: benchmark.name.to_owned(),
        path: benchmark.path(),
        defines: benchmark.defines.iter().map(|define| define.to_string()).collect(),
    });
    Ok((3..=7).map(leader).chain(ours).chain(package()?).collect())
}

/// The models of SPIN's package.
pub fn package() -> Result<Vec<Model>, Failure> {
    let mut package = models_below(Path::new(EXAMPLES))?;
    package.sort();
    let model = |path: PathBuf| Model {
        name: path.strip_prefix(EXAMPLES).unwrap_or(&path).display().to_string(),
        path,
        defines: Vec::new(),
    };
    Ok(package.into_iter().map(model).collect())
}

fn measure(model: &Model) -> Result<Row, Failure> {
    let directory = Path::new(super::DIRECTORY).join("por");
    Ok(Row {
        full: ours(model, "none")?,
        ours: ours(model, "por")?,
        spin: spin_states(model, &spin::GENERATE, &directory)?,
        all_of_spin: spin_states(model, &ALL_OF_SPIN, &directory)?,
    })
}

/// How many states SPIN stores, where it comes to its end and finds nothing wrong.
pub fn spin_states(model: &Model, generate: &[&str], directory: &Path) -> Result<Option<u64>, Failure> {
    let defines: Vec<String> = model.defines.iter().map(|define| format!("-D{define}")).collect();
    let options: Vec<&str> = generate.iter().copied().chain(defines.iter().map(String::as_str)).collect();
    Ok(match spin::search(&model.path, &options, &COMPILE, directory, LIMIT)? {
        Answer::Finished { states, errors: 0, .. } => Some(states),
        Answer::Finished { .. } | Answer::Rejected(_) | Answer::GaveUp(_) => None,
    })
}

pub fn ours(model: &Model, reduce: &str) -> Result<Option<u64>, Failure> {
    let mut command = Command::new(binary());
    command.arg("check").arg(&model.path).args(["--reduce", reduce, "--format", "json"]);
    command.args(["--property", "deadlock", "--property", "assertion", "--time", &format!("{}s", LIMIT.as_secs())]);
    command.args(model.defines.iter().map(|define| format!("-D{define}")));
    let output = command.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let result: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| Failure(format!("our result: {error}")))?;
    Ok(result["statistics"]["states"].as_u64())
}

fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len().max(1) as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

/// A number in a table, or that there is none.
fn count(states: Option<u64>) -> String {
    states.map_or("-".to_owned(), |states| states.to_string())
}

fn line(name: &str, row: &Row) -> String {
    let ratio = row.ratio().map_or(String::new(), |ratio| format!("{ratio:.2}"));
    let (full, ours) = (count(row.full), count(row.ours));
    let (spin, all_of_spin) = (count(row.spin), count(row.all_of_spin));
    format!("{name:32} {full:>10} {ours:>10} {spin:>10} {all_of_spin:>10}  {ratio}")
}

fn summary(rows: &[(String, Row)]) -> String {
    let ratios: Vec<(&str, f64)> = rows.iter().filter_map(|(name, row)| Some((name.as_str(), row.ratio()?))).collect();
    let mean = geometric_mean(ratios.iter().map(|(_, ratio)| *ratio));
    let above: Vec<String> =
        ratios.iter().filter(|(_, ratio)| *ratio > 1.0).map(|(name, ratio)| format!("{name} {ratio:.2}")).collect();
    let above = if above.is_empty() { "none".to_owned() } else { above.join(", ") };
    format!(
        "\n{} models that both search to the end and find nothing wrong in: geometric mean of ours/SPIN's {mean:.2} \
         (goal 0.80)\nabove SPIN: {above} (goal: none)",
        ratios.len()
    )
}
