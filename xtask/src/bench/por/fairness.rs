//! `cargo xtask bench por fairness`: product states when a formula is checked on weakly fair runs, by us and by SPIN: with all
//! reductions that are made by default, with none, and with partial orders during the search for fair runs itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::{binary, count, geometric_mean};
use crate::Failure;
use crate::compare::EXAMPLES;
use crate::spin::{self, Answer};

/// Everybody is given this long for a search.
const LIMIT: Duration = Duration::from_secs(60);
const DIRECTORY: &str = "target/bench/fairness";

struct Benchmark {
    name: &'static str,
    source: Source,
    define: Option<&'static str>,
    wanted: Wanted,
}

enum Source {
    /// Below `testdata`.
    Ours(&'static str),
    /// A model of SPIN's package.
    Package(&'static str),
    Text(&'static str),
}

enum Wanted {
    /// An `ltl` block of the model.
    Own(&'static str),
    Formula(&'static str),
}

/// Stages that hand values on through channels with room.
const STAGES: &str = "chan link[4] = [1] of { bit };
byte got;
active proctype first() { do :: link[0]!1 od }
active [3] proctype inner() { bit b; do :: link[_pid - 1]?b; link[_pid]!b od }
active proctype last() { bit b; do :: link[3]?b; got = 1; got = 0 od }
";

/// Two who count for themselves, and one whom the formula is about.
const ALOOF: &str = "bit done;
active [2] proctype counter() { byte i; do :: i < 20 -> i++ :: else -> i = 0 od }
active proctype actor() { byte i; do :: i < 5 -> i++ :: else -> break od; done = 1 }
";

const fn ours(name: &'static str, file: &'static str, define: &'static str, formula: &'static str) -> Benchmark {
    Benchmark { name, source: Source::Ours(file), define: Some(define), wanted: Wanted::Formula(formula) }
}

const fn package(file: &'static str, wanted: Wanted) -> Benchmark {
    Benchmark { name: file, source: Source::Package(file), define: None, wanted }
}

const BENCHMARKS: &[Benchmark] = &[
    package("LTL/leader.pml", Wanted::Own("p0")),
    package("LTL/leader.pml", Wanted::Own("p1")),
    package("LTL/diskhead.pml", Wanted::Own("p")),
    package("LTL/bakery.pml", Wanted::Formula("[] <> (mutex == 1)")),
    package("peterson.pml", Wanted::Formula("[] (flag[0] -> <> (ncrit == 1))")),
    package("leader0.pml", Wanted::Formula("<> [] (nr_leaders == 1)")),
    package("abp.pml", Wanted::Formula("[] <> (len(receiver) == 1)")),
    package("LTL/mobile1.pml", Wanted::Own("ltl_0")),
    package("LTL/mobile2.pml", Wanted::Own("ltl_0")),
    ours("leader_5", "bench/leader.pml", "N=5", "<> [] (leaders == 1)"),
    ours("leader_6", "bench/leader.pml", "N=6", "(leaders == 0) U [] (leaders == 1)"),
    ours("filter_lock_3", "bench/filter_lock.pml", "N=3", "[] (level[0] > 0 -> <> user[0]@critical)"),
    ours("filter_lock_4", "bench/filter_lock.pml", "N=4", "[] (level[0] > 0 -> <> user[0]@critical)"),
    ours("philosophers_6", "bench/philosophers.pml", "N=6", "[] <> (eating > 0)"),
    ours("sliding_window_1", "bench/sliding_window.pml", "WINDOW=1", "[] <> (len(forth) > 0)"),
    ours("long_queues_4", "bench/long_queues.pml", "LENGTH=4", "[] <> (len(post) > 0)"),
    ours("barrier_5", "bench/barrier.pml", "N=5", "[] <> (open_for == 1)"),
    ours("handshakes_3", "bench/handshakes.pml", "CLIENTS=3", "[] <> (served == 1)"),
    ours("generations", "bench/generations.pml", "GENERATIONS=1", "<> (done == 2)"),
    ours("alternating_bit", "models/alternating_bit.pml", "N=1", "[] <> (len(to_receiver) == 1)"),
    ours("peterson", "models/peterson.pml", "N=2", "[] (flag[0] -> <> (inside == 1))"),
    Benchmark {
        name: "stages",
        source: Source::Text(STAGES),
        define: None,
        wanted: Wanted::Formula("[] <> (got == 1)"),
    },
    Benchmark { name: "aloof", source: Source::Text(ALOOF), define: None, wanted: Wanted::Formula("<> (done == 1)") },
];

/// What a search found, and in how many product states; or why it did not.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    Verdict { holds: bool, states: u64 },
    Nothing(String),
}

impl Found {
    /// States of a search that had to see all of them.
    fn complete(&self) -> Option<u64> {
        match self {
            Found::Verdict { holds: true, states } => Some(*states),
            _ => None,
        }
    }

    fn column(&self) -> String {
        match self {
            Found::Verdict { holds: true, states } => states.to_string(),
            Found::Verdict { holds: false, states } => format!("broken {states}"),
            Found::Nothing(_) => count(None),
        }
    }
}

struct Row {
    name: String,
    default: Found,
    none: Found,
    por: Found,
    spin: Found,
    spin_por: Found,
    full: Found,
}

impl Row {
    /// Ours by default as a part of SPIN's by default.
    fn ratio(&self) -> Option<f64> {
        Some(self.default.complete()? as f64 / self.spin.complete()? as f64)
    }

    /// The same where both have partial orders alone.
    fn por_ratio(&self) -> Option<f64> {
        Some(self.por.complete()? as f64 / self.spin_por.complete()? as f64)
    }

    fn disagree(&self) -> bool {
        let all = [&self.default, &self.none, &self.por, &self.spin, &self.spin_por, &self.full];
        let verdicts: Vec<bool> = all
            .iter()
            .filter_map(|found| match found {
                Found::Verdict { holds, .. } => Some(*holds),
                Found::Nothing(_) => None,
            })
            .collect();
        verdicts.windows(2).any(|pair| pair[0] != pair[1])
    }
}

pub fn run(only: Option<&str>) -> Result<(), Failure> {
    println!(
        "\n{:28} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}  {:>6} {:>6}",
        "weakly fair runs", "default", "por", "none", "SPIN", "SPIN's por", "-DNOREDUCE", "ratio", "por"
    );
    let mut rows = Vec::new();
    for benchmark in BENCHMARKS.iter().filter(|one| only.is_none_or(|only| one.name.contains(only))) {
        let row = benchmark.measure()?;
        println!("{}", line(&row));
        for (who, found) in [("por", &row.por), ("SPIN", &row.spin), ("-DNOREDUCE", &row.full)] {
            if let Found::Nothing(why) = found {
                println!("    {who}: {why}");
            }
        }
        rows.push(row);
    }
    println!("{}", summary(&rows));
    match rows.iter().find(|row| row.disagree()) {
        Some(row) => Err(Failure(format!("{}: not all verdicts are the same", row.name))),
        None => Ok(()),
    }
}

impl Benchmark {
    fn name(&self) -> String {
        match self.wanted {
            Wanted::Own(property) => format!("{} {property}", self.name),
            Wanted::Formula(_) => self.name.to_owned(),
        }
    }

    fn property(&self) -> &str {
        match self.wanted {
            Wanted::Own(property) => property,
            Wanted::Formula(_) => "wanted",
        }
    }

    fn measure(&self) -> Result<Row, Failure> {
        let directory = Path::new(DIRECTORY);
        fs::create_dir_all(directory)?;
        let text = match self.source {
            Source::Ours(file) => fs::read_to_string(Path::new("testdata").join(file))?,
            Source::Package(file) => fs::read_to_string(Path::new(EXAMPLES).join(file))?,
            Source::Text(text) => text.to_owned(),
        };
        let formula = match self.wanted {
            Wanted::Own(_) => String::new(),
            Wanted::Formula(formula) => format!("\nltl wanted {{ {formula} }}\n"),
        };
        let model = directory.join("model.pml");
        fs::write(&model, text + &formula)?;
        Ok(Row {
            name: self.name(),
            default: self.by_us(&model, None)?,
            none: self.by_us(&model, Some("none"))?,
            por: self.by_us(&model, Some("por"))?,
            spin: self.by_spin(directory, &[], &[])?,
            spin_por: self.by_spin(directory, &spin::GENERATE[1..], &[])?,
            full: self.by_spin(directory, &spin::GENERATE[1..], &["-DNOREDUCE"])?,
        })
    }

    fn by_us(&self, model: &PathBuf, reduce: Option<&str>) -> Result<Found, Failure> {
        let mut command = Command::new(binary());
        command.arg("check").arg(model).args(["--property", self.property(), "--fairness", "weak"]);
        command.args(["--vacuity", "off", "--format", "json", "--time", &format!("{}s", LIMIT.as_secs())]);
        command.args(self.define.iter().map(|define| format!("-D{define}")));
        command.args(reduce.iter().flat_map(|reduce| ["--reduce", reduce]));
        let output = command.output()?;
        let Ok(result) = serde_json::from_slice::<Value>(&output.stdout) else {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Ok(Found::Nothing(complaint.lines().next().unwrap_or("no answer").to_owned()));
        };
        let entry = &result["results"][0];
        Ok(match (entry["verdict"].as_str(), entry["product_states"].as_u64()) {
            (Some("holds"), Some(states)) => Found::Verdict { holds: true, states },
            (Some("violated"), Some(states)) => Found::Verdict { holds: false, states },
            _ => Found::Nothing(format!("{} {}", entry["verdict"], entry["reason"])),
        })
    }

    fn by_spin(&self, directory: &Path, generate: &[&str], compile: &[&str]) -> Result<Found, Failure> {
        for leftover in ["pan.c", "pan"] {
            let _ = fs::remove_file(directory.join(leftover));
        }
        let program = |program: &str| {
            let mut command = Command::new(program);
            command.current_dir(directory).stdin(Stdio::null());
            command
        };
        let define = self.define.map(|define| format!("-D{define}"));
        let generated = program("spin").arg("-a").args(generate).args(define).arg("model.pml").output()?;
        if !directory.join("pan.c").exists() {
            return Ok(Found::Nothing(
                String::from_utf8_lossy(&generated.stdout).lines().last().unwrap_or("").to_owned(),
            ));
        }
        let options = ["-O2", "-w", "-DNFAIR=4", "-DMEMLIM=4000"];
        let compiled = program("gcc").args(options).args(compile).args(["-o", "pan", "pan.c"]).output()?;
        if !compiled.status.success() {
            return Ok(Found::Nothing("gcc rejects its verifier".to_owned()));
        }
        let seconds = LIMIT.as_secs().to_string();
        let mut pan = program("timeout");
        pan.args([&seconds, "./pan", "-a", "-f", "-n", "-E", "-m3000000", "-w22", "-N", self.property()]);
        let output = pan.output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        Ok(match complaint.lines().find(|line| line.contains("not compatible")) {
            Some(reason) => Found::Nothing(reason.to_owned()),
            None => read(&String::from_utf8_lossy(&output.stdout)),
        })
    }
}

fn read(output: &str) -> Found {
    let states = match spin::read_answer(output) {
        Answer::Finished { states, .. } => states,
        Answer::GaveUp(why) | Answer::Rejected(why) => return Found::Nothing(why),
    };
    match spin::read_claim_verdict(output) {
        Ok(broken) => Found::Verdict { holds: !broken, states },
        Err(why) => Found::Nothing(why),
    }
}

fn line(row: &Row) -> String {
    let ratio = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
    let all = [&row.default, &row.por, &row.none, &row.spin, &row.spin_por, &row.full];
    let [default, por, none, spin, spin_por, full] = all.map(Found::column);
    format!(
        "{:28} {default:>12} {por:>12} {none:>12} {spin:>12} {spin_por:>12} {full:>12}  {:>6} {:>6}",
        row.name,
        ratio(row.ratio()),
        ratio(row.por_ratio())
    )
}

fn summary(rows: &[Row]) -> String {
    let of = |ratio: fn(&Row) -> Option<f64>| -> String {
        let known: Vec<(&str, f64)> = rows.iter().filter_map(|row| Some((row.name.as_str(), ratio(row)?))).collect();
        let mean = geometric_mean(known.iter().map(|(_, ratio)| *ratio));
        let above: Vec<String> =
            known.iter().filter(|(_, ratio)| *ratio > 1.0).map(|(name, ratio)| format!("{name} {ratio:.2}")).collect();
        let above = if above.is_empty() { "none".to_owned() } else { above.join(", ") };
        format!("{} formulas that hold: geometric mean {mean:.2}; above SPIN: {above}", known.len())
    };
    format!("\nby default, {}\npartial orders alone, {}", of(Row::ratio), of(Row::por_ratio))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pan_says_of_fair_runs_is_read() {
        let held = "State-vector 20 byte, depth reached 9, errors: 0\n       33 states, stored (43 visited)\n";
        assert_eq!(read(held), Found::Verdict { holds: true, states: 33 });
        let broken = "pan:1: acceptance cycle (at depth 18)\nState-vector 44 byte, depth reached 25, errors: 1\n       13 states, stored\n";
        assert_eq!(read(broken), Found::Verdict { holds: false, states: 13 });
        assert_eq!(read(""), Found::Nothing("not finished in time".to_owned()));
    }

    #[test]
    fn rows_that_differ_are_seen() {
        let found = |holds| Found::Verdict { holds, states: 2 };
        let row = |spin| Row {
            name: "x".to_owned(),
            default: found(true),
            none: found(true),
            por: Found::Nothing(String::new()),
            spin,
            spin_por: found(true),
            full: found(true),
        };
        assert!(!row(found(true)).disagree() && row(found(false)).disagree());
        assert_eq!(row(found(true)).ratio(), Some(1.0));
        assert_eq!(row(found(false)).ratio(), None);
    }
}
