//! How long a command takes, and the middle of several measurements.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;

/// Seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    pub wall: f64,
    /// User and system time of the command and of all that it started.
    pub cpu: f64,
}

/// A command that has ended.
pub struct Ended {
    pub cost: Cost,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// bash's `time` is a keyword: it needs no program, measures in milliseconds, and leaves out bash itself.
const SCRIPT: &str = r#"TIMEFORMAT='%3R %3U %3S'; time "$@""#;

/// Runs a command, given as words, and measures it.
pub fn timed(words: &[String], directory: &Path) -> Result<Ended, Failure> {
    let output = Command::new("bash")
        .args(["-c", SCRIPT, "bash"])
        .args(words)
        .current_dir(directory)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure(format!("bash could not be started: {error}")))?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let cost = stderr.lines().next_back().and_then(read_times);
    let cost = cost.ok_or_else(|| Failure(format!("{words:?} could not be timed: {}", stderr.trim())))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Ended { cost, code: output.status.code(), stdout, stderr })
}

/// What `TIMEFORMAT` asks for: `REAL USER SYSTEM`.
fn read_times(line: &str) -> Option<Cost> {
    let seconds: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [wall, user, system] = seconds[..] else { return None };
    Some(Cost { wall, cpu: user + system })
}

/// The middle value, or the mean of the two in the middle. `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn times_are_read() {
        assert_eq!(read_times("1.250 0.500 0.125"), Some(Cost { wall: 1.25, cpu: 0.625 }));
        for wrong in ["", "1.250 0.500", "1.250 0.500 0.125 7", "real user sys", "1,250 0,500 0,125"] {
            assert_eq!(read_times(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_command_is_timed() {
        let ended = timed(&words("sleep 0.05"), Path::new(".")).expect("sleep can be started");
        assert_eq!(ended.code, Some(0));
        assert!(ended.cost.wall >= 0.05 && ended.cost.cpu < ended.cost.wall, "{:?}", ended.cost);
    }

    #[test]
    fn output_and_exit_code_pass_through() {
        let script = ["bash", "-c", "echo out; echo err >&2; exit 3"].map(str::to_owned);
        let ended = timed(&script, Path::new("/")).expect("bash can be started");
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), "out\n"));
        assert!(ended.stderr.starts_with("err\n"), "{}", ended.stderr);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }
}
