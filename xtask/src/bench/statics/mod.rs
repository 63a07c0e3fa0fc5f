//! `cargo xtask bench static`: what is left of a model when dead variables are reset and paths are merged: on the programs of
//! the paper, and beside SPIN, which does something like it, on the models of its package.

mod programs;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::ours::binary;
use super::por::{ALL_OF_SPIN, LIMIT, Model, ours, package, spin_states};
use crate::{Failure, spin};
use programs::{Program, programs};

/// States and transitions, if the search came to its end.
type Size = Option<(u64, u64)>;

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (with_paper, with_spin) = match words {
        [] => (true, true),
        ["--paper"] => (true, false),
        ["--spin"] => (false, true),
        _ => return Err(Failure(format!("there is no option {}\n{}", words.join(" "), crate::USAGE))),
    };
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    if with_paper {
        compare_with_paper()?;
    }
    if with_spin {
        spin::install()?;
        compare_with_spin()?;
    }
    Ok(())
}

fn compare_with_paper() -> Result<(), Failure> {
    println!("states and transitions, in percent of the full model; in parentheses the states of the paper");
    let columns = format!("{:>22} {:>24} {:>24} {:>24}", "full", "dead", "path", "both");
    println!("{:22} {columns}  with por", "program");
    let directory = Path::new(super::DIRECTORY).join("static");
    std::fs::create_dir_all(&directory)?;
    for program in programs() {
        let path = directory.join(format!("{}.while", program.name.replace([' ', ','], "_")));
        std::fs::write(&path, &program.text)?;
        println!("{}", paper_line(&program, &path)?);
    }
    Ok(())
}

fn paper_line(program: &Program, path: &Path) -> Result<String, Failure> {
    let search = |reduce: &str| match program.is_huge && !reduce.starts_with("por") {
        true => Ok(None),
        false => size(path, reduce),
    };
    let full = search("none")?;
    let part = |reduce: &str, printed: Option<f64>| -> Result<String, Failure> {
        let paper = printed.map_or(String::new(), |percent| format!(" ({percent})"));
        Ok(match (search(reduce)?, full) {
            (Some((states, transitions)), Some((all, every))) => {
                let percent = |part: u64, whole: u64| part as f64 / whole as f64 * 100.0;
                format!("{:.1} {:.1}{paper}", percent(states, all), percent(transitions, every))
            }
            (Some((states, transitions)), None) => format!("{states} {transitions}{paper}"),
            (None, _) => format!("-{paper}"),
        })
    };
    let (dead, path_only) = (part("dead", program.dead)?, part("path", program.path)?);
    let both = part("path,dead", program.both)?;
    let with_por = part("por,path,dead", None)?;
    let full = full.map_or("-".to_owned(), |(states, transitions)| format!("{states} {transitions}"));
    Ok(format!("{:22} {full:>22} {dead:>24} {path_only:>24} {both:>24}  {with_por}", program.name))
}

fn size(path: &Path, reduce: &str) -> Result<Size, Failure> {
    let mut command = Command::new(binary());
    command.arg("check").arg(path).args(["--property", "assertion", "--reduce", reduce, "--format", "json"]);
    command.args(["--time", &format!("{}s", LIMIT.as_secs() * 6)]);
    let output = command.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let result: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| Failure(format!("our result: {error}")))?;
    let statistics = &result["statistics"];
    Ok(statistics["states"].as_u64().zip(statistics["transitions"].as_u64()))
}

fn compare_with_spin() -> Result<(), Failure> {
    println!("\n{:32} {:>10} {:>10} {:>10} {:>10}", "model", "full", "por", "all of ours", "all of SPIN");
    let (mut above, mut both) = (Vec::new(), 0);
    for model in package()? {
        let [full, por, all, spin] = beside_spin(&model)?;
        if [full, por, all, spin] == [None; 4] {
            continue;
        }
        let name = &model.name;
        let count = |states: Option<u64>| states.map_or("-".to_owned(), |states| states.to_string());
        println!("{name:32} {:>10} {:>10} {:>10} {:>10}", count(full), count(por), count(all), count(spin));
        if let (Some(all), Some(spin)) = (all, spin) {
            both += 1;
            if all > spin {
                above.push(format!("{name} {all} to {spin}"));
            }
        }
    }
    let above = if above.is_empty() { "none".to_owned() } else { above.join(", ") };
    println!("\n{both} models that both search to the end and find nothing wrong in; above SPIN: {above} (goal: none)");
    Ok(())
}

/// States without reductions, with partial orders, with all that we have, and by SPIN as it comes.
fn beside_spin(model: &Model) -> Result<[Option<u64>; 4], Failure> {
    let directory: PathBuf = Path::new(super::DIRECTORY).join("static");
    let spin = spin_states(model, &ALL_OF_SPIN, &directory)?;
    Ok([ours(model, "none")?, ours(model, "por")?, ours(model, "auto")?, spin])
}
