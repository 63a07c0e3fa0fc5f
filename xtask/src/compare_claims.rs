//! SPIN and Reductio side by side on claims: every `ltl` formula, never claim, acceptance and progress label of the
//! example models that Debian's spin package installs, with and without weak fairness.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Failure;
use crate::compare::EXAMPLES;
use crate::spin;

/// Seconds that each side is given for a claim.
const LIMIT: &str = "5";

/// Where our answer is not SPIN's, and why ours stands. With and without fairness alike.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

pub fn run() -> Result<(), Failure> {
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--quiet", "--package", "reductio-cli"]))?;
    let mut models = crate::models_below(Path::new(EXAMPLES))?;
    models.sort();
    let (mut same, mut excused, mut open, mut different) = (0, 0, 0, 0);
    for model in &models {
        let name = model.strip_prefix(EXAMPLES).unwrap_or(model).display().to_string();
        for claim in claims(model)? {
            for fair in [false, true] {
                let ours = our_verdict(model, &claim, fair)?;
                let theirs = their_verdict(model, &claim, fair)?;
                let known = EXCEPTIONS.iter().find(|(model, property, _)| *model == name && *property == claim.name);
                let outcome = match (&theirs, known) {
                    (Err(why), _) => {
                        open += 1;
                        format!("{ours}; SPIN: {why}")
                    }
                    _ if ours == "inconclusive" => {
                        open += 1;
                        "not finished by us".to_owned()
                    }
                    (Ok(violated), _) if (ours == "violated") == *violated => {
                        same += 1;
                        format!("{ours}, equal")
                    }
                    (Ok(_), Some((_, _, why))) => {
                        excused += 1;
                        format!("{ours}, unlike SPIN: {why}")
                    }
                    (Ok(violated), None) => {
                        different += 1;
                        format!("!  {ours}, SPIN says {}", if *violated { "violated" } else { "holds" })
                    }
                };
                let fairness = if fair { "weak" } else { "none" };
                println!("{name:32} {:16} {fairness:4}  {outcome}", claim.name);
            }
        }
    }
    println!("claims: {same} equal, {excused} excused, {open} that SPIN or we do not decide, {different} different");
    if different > 0 { Err(Failure(format!("{different} claims differ from SPIN"))) } else { Ok(()) }
}

struct Claim {
    name: String,
    kind: String,
    /// SPIN takes acceptance labels of processes for those of the claim.
    is_mixed: bool,
}

/// The claims of a model that we can read.
fn claims(model: &Path) -> Result<Vec<Claim>, Failure> {
    let result = check(model, &["--time", "1s", "--max-violations", "1"])?;
    let results = result["results"].as_array().cloned().unwrap_or_default();
    let of_runs = |result: &Value| {
        let kind = result["kind"].as_str()?;
        let name = result["property"].as_str()?;
        let is_claim = ["ltl", "never", "acceptance", "progress"].contains(&kind);
        is_claim.then(|| (name.to_owned(), kind.to_owned()))
    };
    let all: Vec<(String, String)> = results.iter().filter_map(of_runs).collect();
    let has = |wanted: &[&str]| all.iter().any(|(_, kind)| wanted.contains(&kind.as_str()));
    let is_mixed = has(&["acceptance"]) && has(&["ltl", "never"]);
    let mixed = |kind: &str| is_mixed && kind != "progress";
    Ok(all.into_iter().map(|(name, kind)| Claim { is_mixed: mixed(&kind), name, kind }).collect())
}

fn our_verdict(model: &Path, claim: &Claim, fair: bool) -> Result<String, Failure> {
    let fairness = if fair { "weak" } else { "none" };
    let limit = format!("{LIMIT}s");
    let result = check(model, &["--property", &claim.name, "--fairness", fairness, "--time", &limit])?;
    Ok(result["results"][0]["verdict"].as_str().unwrap_or("nothing").to_owned())
}

fn check(model: &Path, options: &[&str]) -> Result<Value, Failure> {
    let output = Command::new("target/debug/reductio")
        .arg("check")
        .arg(model)
        .args(["--format", "json", "--vacuity", "off"])
        .args(options)
        .output()?;
    // A model that we cannot read has no claims; the comparison of states tells of it.
    Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
}

/// Does SPIN find a run that breaks the claim? Or why it does not answer.
fn their_verdict(model: &Path, claim: &Claim, fair: bool) -> Result<Result<bool, String>, Failure> {
    if claim.is_mixed {
        return Ok(Err("it mixes acceptance labels of processes with the claim's".to_owned()));
    }
    let directory = Path::new("target/spin/claims");
    spin::prepare(model, directory)?;
    let name = model.file_name().unwrap_or(OsStr::new("model.pml"));
    let program = |program: &str| {
        let mut command = Command::new(program);
        command.current_dir(directory).stdin(Stdio::null());
        command
    };
    program("spin").args(spin::GENERATE).arg(name).output()?;
    if !directory.join("pan.c").exists() {
        return Ok(Err("it rejects the model".to_owned()));
    }
    let progress = claim.kind == "progress";
    let claims: &[&str] = if progress { &["-DNP", "-DNOCLAIM"] } else { &[] };
    // Many processes need more than SPIN's default for fairness.
    let options = ["-O2", "-w", "-DNOREDUCE", "-DMEMLIM=4000", "-DNFAIR=4"];
    let compiled = program("gcc").args(options).args(claims).args(["-o", "pan", "pan.c"]).output()?;
    if !compiled.status.success() {
        return Ok(Err("gcc rejects its verifier".to_owned()));
    }
    let mut pan = program("timeout");
    pan.args([LIMIT, "./pan", if progress { "-l" } else { "-a" }, "-n", "-E", "-m1000000", "-w22"]);
    if fair {
        pan.arg("-f");
    }
    if claim.kind == "ltl" {
        pan.args(["-N", &claim.name]);
    }
    let output = pan.output()?;
    Ok(spin::read_claim_verdict(&String::from_utf8_lossy(&output.stdout)))
}
