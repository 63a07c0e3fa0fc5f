//! Our side: one process that reads the model and searches it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::measure::{Cost, timed};
use super::models::Benchmark;
use crate::Failure;

#[derive(Clone, Copy, Debug)]
pub struct OurRun {
    pub states: u64,
    /// Of the whole process.
    pub cost: Cost,
    /// The wall time of the search alone.
    pub search: f64,
    /// What the search stored, its stack included.
    pub memory_bytes: u64,
}

/// The exit code for options that this version does not have.
const REFUSED: i32 = 2;

/// A full search. `None` if this version cannot use so many threads.
pub fn run(benchmark: &Benchmark, threads: usize, memory: Option<&str>) -> Result<Option<OurRun>, Failure> {
    let mut words = vec![binary().to_string_lossy().into_owned(), "check".to_owned()];
    words.push(benchmark.path().to_string_lossy().into_owned());
    words.extend(benchmark.defines.iter().map(|define| format!("-D{define}")));
    let threads_word = threads.to_string();
    let options = ["--reduce", "none", "--store", "exact", "--format", "json", "--threads", &threads_word];
    words.extend(options.map(str::to_owned));
    // SPIN does not look at claims either.
    words.extend(["--property", "assertion"].map(str::to_owned));
    if !benchmark.deadlocks {
        words.extend(["--property", "deadlock"].map(str::to_owned));
    }
    words.extend(memory.iter().flat_map(|size| ["--memory".to_owned(), (*size).to_owned()]));
    let ended = timed(&words, Path::new("."))?;
    match ended.code {
        Some(0) => read_result(&ended.stdout, ended.cost).map(Some),
        Some(REFUSED) if threads > 1 => Ok(None),
        _ => Err(Failure(format!("{} failed: {}", words.join(" "), complaint(&ended.stdout, &ended.stderr)))),
    }
}

pub fn binary() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or(OsString::from("target"));
    PathBuf::from(target).join("release/reductio")
}

fn read_result(json: &str, cost: Cost) -> Result<OurRun, Failure> {
    let result: Value = serde_json::from_str(json).map_err(|error| Failure(format!("our result: {error}")))?;
    let statistics = &result["statistics"];
    let run = || {
        Some(OurRun {
            states: statistics["states"].as_u64()?,
            cost,
            search: statistics["seconds"].as_f64()?,
            memory_bytes: statistics["memory_bytes"].as_u64()?,
        })
    };
    if result["unreached_complete"] != true {
        return Err(Failure("our search was not complete".to_owned()));
    }
    run().ok_or_else(|| Failure("our result lacks states, seconds or memory_bytes".to_owned()))
}

/// Why a run did not end well: the first reason of its result, or what it wrote before the line with its times.
fn complaint(stdout: &str, stderr: &str) -> String {
    let result: Value = serde_json::from_str(stdout).unwrap_or_default();
    let results = result["results"].as_array().cloned().unwrap_or_default();
    let reason = results.iter().find(|result| !result["reason"].is_null());
    match reason {
        Some(result) => format!("{} {}: {}", result["property"], result["verdict"], result["reason"]).replace('"', ""),
        None => stderr.trim().rsplit_once('\n').map_or("no reason given", |(before, _)| before).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { wall: 1.0, cpu: 2.0 };

    #[test]
    fn a_result_is_read() {
        let json = r#"{"unreached_complete": true, "statistics": {"states": 7, "seconds": 0.5, "memory_bytes": 99}}"#;
        let run = read_result(json, COST).expect("it is complete");
        assert_eq!((run.states, run.search, run.memory_bytes, run.cost), (7, 0.5, 99, COST));
    }

    #[test]
    fn a_part_of_the_states_is_not_timed() {
        let json = r#"{"unreached_complete": false, "statistics": {"states": 7, "seconds": 0.5, "memory_bytes": 99}}"#;
        assert!(read_result(json, COST).is_err());
        assert!(read_result(r#"{"unreached_complete": true, "statistics": {"states": 7}}"#, COST).is_err());
        assert!(read_result("", COST).is_err());
    }

    #[test]
    fn the_reason_of_a_failure_is_found() {
        let json = r#"{"results": [{"reason": null}, {"property": "deadlock", "verdict": "inconclusive", "reason": "memory"}]}"#;
        assert_eq!(complaint(json, "1.000 0.900 0.100\n"), "deadlock inconclusive: memory");
        assert_eq!(complaint("", "error: no such file\n1.000 0.900 0.100\n"), "error: no such file");
    }
}
