//! Recorded runs, in a file that is kept under version control: one line per model and run, oldest first.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use super::table::Row;
use crate::Failure;

pub const FILE: &str = "docs/bench/explicit.tsv";

/// The first line of the file tells what the others hold.
const HEADER: &str = "# unix_time\tcommit\tmodel\tstates\tour_states_per_second\tpan_states_per_second\tspeed_ratio\t\
                      our_bytes_per_state";

#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub unix_time: u64,
    pub commit: String,
    pub model: String,
    pub states: u64,
    pub our_rate: f64,
    pub pan_rate: f64,
    pub speed: f64,
    pub our_bytes: f64,
}

impl Record {
    fn parse(line: &str) -> Option<Record> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [unix_time, commit, model, states, our_rate, pan_rate, speed, our_bytes] = fields[..] else { return None };
        Some(Record {
            unix_time: unix_time.parse().ok()?,
            commit: commit.to_owned(),
            model: model.to_owned(),
            states: states.parse().ok()?,
            our_rate: our_rate.parse().ok()?,
            pan_rate: pan_rate.parse().ok()?,
            speed: speed.parse().ok()?,
            our_bytes: our_bytes.parse().ok()?,
        })
    }

    fn line(&self) -> String {
        let Record { unix_time, commit, model, states, our_rate, pan_rate, speed, our_bytes } = self;
        format!("{unix_time}\t{commit}\t{model}\t{states}\t{our_rate:.0}\t{pan_rate:.0}\t{speed:.3}\t{our_bytes:.2}")
    }
}

/// All recorded runs. A line that cannot be read is a mistake: somebody edited the file.
pub fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let parse = |(number, line): (usize, &str)| {
        let wrong = || Failure(format!("{}:{}: not a recorded run", path.display(), number + 1));
        Record::parse(line).ok_or_else(wrong)
    };
    lines.map(parse).collect()
}

/// The speed ratio of a model in the last run that was recorded.
pub fn last_speed(records: &[Record], model: &str) -> Option<f64> {
    records.iter().rfind(|record| record.model == model).map(|record| record.speed)
}

/// Appends one line per row.
pub fn append(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    let is_new = !path.exists();
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    if is_new {
        writeln!(file, "{HEADER}")?;
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let commit = commit();
    for row in rows {
        writeln!(file, "{}", record(row, now, &commit).line())?;
    }
    Ok(())
}

fn record(row: &Row, unix_time: u64, commit: &str) -> Record {
    Record {
        unix_time,
        commit: commit.to_owned(),
        model: row.name.to_owned(),
        states: row.states,
        our_rate: row.our_rate(),
        pan_rate: row.pan_rate(),
        speed: row.speed(),
        our_bytes: row.our_bytes(),
    }
}

/// The short name of the commit, with `-dirty` if the sources were changed since. Sources may come without a history.
fn commit() -> String {
    let output = Command::new("git").args(["describe", "--always", "--dirty", "--exclude", "*"]).output();
    let described = output.ok().filter(|output| output.status.success());
    described.map_or("unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::row;
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = record(&row("torus", 1_000_000), 1_700_000_000, "abc1234-dirty");
        let line = "1700000000\tabc1234-dirty\ttorus\t1000000\t500000\t100000\t5.000\t20.00";
        assert_eq!(record.line(), line);
        assert_eq!(Record::parse(line), Some(record));
        assert_eq!(HEADER.split('\t').count(), line.split('\t').count());
    }

    #[test]
    fn other_lines_are_not_records() {
        for wrong in ["", "torus", "x\tabc\ttorus\t1\t2\t3\t4\t5", "1\tabc\ttorus\t1\t2\t3\t4\t5\t6"] {
            assert_eq!(Record::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_last_run_counts() {
        let record = |model: &str, speed| Record {
            model: model.to_owned(),
            speed,
            ..record(&row("torus", 1_000_000), 1_700_000_000, "abc1234")
        };
        let records = [record("torus", 1.0), record("sort", 2.0), record("torus", 3.0)];
        assert_eq!(last_speed(&records, "torus"), Some(3.0));
        assert_eq!(last_speed(&records, "sort"), Some(2.0));
        assert_eq!(last_speed(&records, "pftp"), None);
    }

    #[test]
    fn runs_are_appended_and_a_wrong_line_is_named() {
        let directory = std::env::temp_dir().join(format!("reductio-history-{}", std::process::id()));
        let path = directory.join("history.tsv");
        assert_eq!(read(&path).expect("no file is no history"), []);
        append(&path, &[row("torus", 1_000_000)]).expect("it can be written");
        append(&path, &[row("sort", 2_000_000)]).expect("it can be written");
        let records = read(&path).expect("it can be read");
        assert_eq!(records.iter().map(|record| record.model.as_str()).collect::<Vec<_>>(), ["torus", "sort"]);
        assert!(std::fs::read_to_string(&path).expect("it is there").starts_with(HEADER));
        std::fs::write(&path, "nonsense\n").expect("it can be written");
        assert!(
            read(&path).expect_err("nonsense is no run").to_string().ends_with("history.tsv:1: not a recorded run")
        );
        std::fs::remove_dir_all(&directory).expect("it can be removed");
    }

    #[test]
    fn the_file_has_the_header_that_is_written() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE);
        let text = std::fs::read_to_string(&path).expect("there is a history");
        assert_eq!(text.lines().next(), Some(HEADER));
        read(&path).expect("every line is a recorded run");
    }
}
