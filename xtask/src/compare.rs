//! SPIN and Reductio side by side on the example models that Debian's spin package installs: the same verdict, and
//! exactly the same number of states. The models stay in the package.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::spin::{self, Answer};

/// Where Debian installs SPIN's examples.
pub const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// SPIN is given this long for a model.
const LIMIT: Duration = Duration::from_secs(60);

/// Models that SPIN does not finish in a minute, with what happens. Only `--all` tries them.
const NOT_FINISHED: &[(&str, &str)] = &[
    ("Book_1991/App.F.pftp.pml", "more than a minute"),
    ("Exercises/ex_6.pml", "more than a minute"),
    ("LTL/ltl_gen.pml", "more than a minute"),
    ("LTL/petersonN.pml", "more than a minute"),
    ("life.pml", "more than a minute"),
    ("Book_1991/p108.pml", "unbounded recursion: SPIN ends when its state vector is full"),
    ("priorities.pml", "unbounded counters: SPIN ends at its depth limit"),
];

/// Where our answer is not SPIN's, and why ours stands.
const EXCEPTIONS: &[(&str, &str)] = &[];

enum Row {
    Same { states: u64 },
    Skipped(String),
    Excused(String),
    Different(String),
}

pub fn run(all: bool) -> Result<(), Failure> {
    spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--quiet", "--package", "reductio-cli"]))?;
    let mut models = crate::models_below(Path::new(EXAMPLES))?;
    models.sort();
    if models.is_empty() {
        return Err(Failure(format!("no models below {EXAMPLES}")));
    }
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (next, rows, models) = (&next, &rows, &models);
            scope.spawn(move || {
                let directory = Path::new("target/spin").join(worker.to_string());
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = compare(model, &directory, all).unwrap_or_else(|failure| Row::Different(failure.0));
                    println!("{}", describe(&short_name(model), &row));
                    rows.lock().expect("no worker panics").push(row);
                }
            });
        }
    });
    summarise(&rows.into_inner().expect("no worker panics"))
}

fn summarise(rows: &[Row]) -> Result<(), Failure> {
    let count = |which: fn(&Row) -> bool| rows.iter().filter(|row| which(row)).count();
    let same = count(|row| matches!(row, Row::Same { .. }));
    let excused = count(|row| matches!(row, Row::Excused(_)));
    let skipped = count(|row| matches!(row, Row::Skipped(_)));
    let different = count(|row| matches!(row, Row::Different(_)));
    println!(
        "SPIN's examples: {} models, {same} with equal verdict and states, {excused} excused, {skipped} that SPIN \
         rejects or does not finish, {different} different",
        rows.len()
    );
    if different > 0 { Err(Failure(format!("{different} models differ from SPIN"))) } else { Ok(()) }
}

fn short_name(model: &Path) -> String {
    model.strip_prefix(EXAMPLES).unwrap_or(model).display().to_string()
}

fn describe(name: &str, row: &Row) -> String {
    match row {
        Row::Same { states } => format!("{name:32} {states:>9}  equal"),
        Row::Skipped(why) => format!("{name:32}         -  skipped: {why}"),
        Row::Excused(why) => format!("{name:32}         -  differs: {why}"),
        Row::Different(how) => format!("{name:32}         !  {how}"),
    }
}

fn compare(model: &Path, directory: &Path, all: bool) -> Result<Row, Failure> {
    let name = short_name(model);
    let known = |list: &[(&str, &str)]| list.iter().find(|(model, _)| *model == name).map(|(_, why)| why.to_string());
    if let (Some(why), false) = (known(NOT_FINISHED), all) {
        return Ok(Row::Skipped(why));
    }
    let (states, errors, first_error) = match spin::full_search(model, directory, LIMIT)? {
        Answer::Rejected(why) => return Ok(Row::Skipped(format!("SPIN rejects it: {why}"))),
        Answer::GaveUp(why) => return Ok(Row::Skipped(format!("SPIN gives up: {why}"))),
        Answer::Finished { states, errors, first_error } => (states, errors, first_error.unwrap_or_default()),
    };
    let ours = our_answer(model)?;
    let same_verdict = ours.violated.is_empty() == (errors == 0) && (errors == 0 || ours.explains(&first_error));
    if ours.states == states && same_verdict {
        return Ok(Row::Same { states });
    }
    let how = format!(
        "SPIN: {states} states, {errors} errors {first_error}; Reductio: {} states, violated: {:?}",
        ours.states, ours.violated
    );
    Ok(known(EXCEPTIONS).map_or(Row::Different(how), Row::Excused))
}

struct OurAnswer {
    states: u64,
    /// The kinds of the properties that are violated.
    violated: Vec<String>,
}

impl OurAnswer {
    /// Do we have a violation of the kind that SPIN reports first?
    fn explains(&self, first_error: &str) -> bool {
        let kind = if first_error.contains("invalid end state") { "deadlock" } else { "assertion" };
        self.violated.iter().any(|violated| violated == kind)
    }
}

fn our_answer(model: &Path) -> Result<OurAnswer, Failure> {
    let output = Command::new("target/debug/reductio")
        .arg("check")
        .arg(model)
        .args(["--reduce", "none", "--max-violations", "0", "--format", "json"])
        .args(["--property", "deadlock", "--property", "assertion"])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result: serde_json::Value = serde_json::from_str(&text)
        .map_err(|_| Failure(format!("Reductio: {}", String::from_utf8_lossy(&output.stderr).trim())))?;
    let states = result["statistics"]["states"].as_u64();
    let results = result["results"].as_array().cloned().unwrap_or_default();
    let violated = results.iter().filter(|result| result["verdict"] == "violated");
    let mut violated: Vec<String> = violated.filter_map(|result| Some(result["kind"].as_str()?.to_owned())).collect();
    violated.dedup();
    match states {
        Some(states) => Ok(OurAnswer { states, violated }),
        None => Err(Failure("Reductio's answer has no state count".to_owned())),
    }
}
