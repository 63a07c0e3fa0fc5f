//! `cargo xtask bench symmetry`: how many states are left when processes are exchanged, of Peterson's mutual exclusion for N
//! processes: of all of them, for a formula that holds with weak fairness, and for one that does not, as in Table 1 of [bosnacki03].

use std::process::Command;

use serde_json::Value;

use super::ours::binary;
use crate::Failure;

const MODEL: &str = "testdata/models/filter_lock.pml";
/// Everybody is given this long for a search.
const LIMIT: &str = "300s";
/// States with and without symmetry, by number of processes from two on.
const PRINTED: [(u64, Option<u64>); 4] = [(81, Some(153)), (636, Some(2295)), (4150, Some(84707)), (77064, None)];

/// Of one search.
#[derive(Clone, Copy)]
struct Size {
    states: u64,
    seconds: f64,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let most = match words {
        [] => 5,
        ["--large"] => 6,
        _ => return Err(Failure(format!("there is no option {}\n{}", words.join(" "), crate::USAGE))),
    };
    crate::run(Command::new("cargo").args(["build", "--release", "--quiet", "--package", "reductio-cli"]))?;
    println!("all states\n{}", header());
    for count in 2..=most {
        let [without, with] = ["none", "symmetry"].map(|reduce| of_states(count, reduce));
        println!("{}", line(count, without?, with?, None));
    }
    println!("\n[] (inside == 1 -> <> inside == 0), weak fairness: holds\n{}", header());
    for count in 2..=most {
        let [without, with] = ["none", "symmetry"].map(|reduce| of_runs(count, reduce, "inside == 0", "holds"));
        println!("{}", line(count, without?, with?, None));
    }
    println!("\n[] (inside == 1 -> <> nobody wants to be), weak fairness: violated\n{}", header());
    for count in 2..=most {
        let nobody: Vec<String> = (0..count).map(|process| format!("level[{process}] == 0")).collect();
        let nobody = nobody.join(" && ");
        let [without, with] = ["none", "symmetry"].map(|reduce| of_runs(count, reduce, &nobody, "violated"));
        println!("{}", line(count, without?, with?, PRINTED.get(count - 2)));
    }
    Ok(())
}

fn of_states(count: usize, reduce: &str) -> Result<Option<Size>, Failure> {
    let result = check(count, reduce, &["--property", "deadlock", "--property", "assertion"])?;
    Ok(size(&result, &result["statistics"]["states"], "holds"))
}

fn of_runs(count: usize, reduce: &str, response: &str, verdict: &str) -> Result<Option<Size>, Failure> {
    let formula = format!("[] (inside == 1 -> <> ({response}))");
    let options = ["--ltl", &formula, "--property", &formula, "--fairness", "weak", "--vacuity", "off"];
    let result = check(count, reduce, &options)?;
    Ok(size(&result, &result["results"][0]["product_states"], verdict))
}

fn check(count: usize, reduce: &str, options: &[&str]) -> Result<Value, Failure> {
    let mut command = Command::new(binary());
    command.args(["check", MODEL, &format!("-DN={count}"), "--reduce", reduce, "--format", "json", "--time", LIMIT]);
    let output = command.args(options).output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure(format!("our result: {error}: {}", String::from_utf8_lossy(&output.stderr))))
}

/// `None` where the search did not come to its end.
fn size(result: &Value, states: &Value, verdict: &str) -> Option<Size> {
    let is_known = result["results"].as_array()?.iter().all(|entry| entry["verdict"] == verdict);
    let seconds = result["statistics"]["seconds"].as_f64()?;
    is_known.then(|| Some(Size { states: states.as_u64()?, seconds })).flatten()
}

fn header() -> String {
    let columns = ["N", "without", "s", "with", "s", "factor", "N!", "time/state", "[bosnacki03]"];
    let [n, without, s, with, t, factor, most, time, paper] = columns;
    format!("{n:>2} {without:>12} {s:>8} {with:>10} {t:>8} {factor:>8} {most:>5} {time:>11}  {paper}")
}

fn line(count: usize, without: Option<Size>, with: Option<Size>, printed: Option<&(u64, Option<u64>)>) -> String {
    let states = |size: Option<Size>| size.map_or("-".to_owned(), |size| size.states.to_string());
    let seconds = |size: Option<Size>| size.map_or("-".to_owned(), |size| format!("{:.2}", size.seconds));
    let both = without.zip(with);
    let factor =
        both.map_or(String::new(), |(without, with)| format!("{:.1}", without.states as f64 / with.states as f64));
    let per_state = |size: Size| size.seconds / size.states.max(1) as f64;
    let time = both.map_or(String::new(), |(without, with)| format!("{:.1}", per_state(with) / per_state(without)));
    let most: usize = (1..=count).product();
    let printed = printed.map_or(String::new(), |(with, without)| match without {
        Some(without) => format!("{without} / {with} = {:.1}", *without as f64 / *with as f64),
        None => format!("- / {with}"),
    });
    format!(
        "{count:>2} {:>12} {:>8} {:>10} {:>8} {factor:>8} {most:>5} {time:>11}  {printed}",
        states(without),
        seconds(without),
        states(with),
        seconds(with)
    )
}
