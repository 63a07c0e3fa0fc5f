//! What took how long: a command of many parts prints a table of them at its end.

use std::time::{Duration, Instant};

use crate::Failure;

/// The parts so far.
#[derive(Default)]
pub struct Parts {
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    wall: Duration,
    /// The time that processors worked for it.
    work: Option<Duration>,
    passed: bool,
}

impl Parts {
    /// Does a part, and remembers what it took.
    pub fn time(&mut self, name: &'static str, part: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let (started, worked) = (Instant::now(), work_of_children());
        let outcome = part();
        let work = work_of_children().zip(worked).map(|(after, before)| after.saturating_sub(before));
        self.rows.push(Row { name, wall: started.elapsed(), work, passed: outcome.is_ok() });
        outcome
    }

    pub fn print(&self) {
        println!("\n{:32} {:>8} {:>8}", "part", "time", "CPU");
        for row in &self.rows {
            let failed = if row.passed { "" } else { "  FAILED" };
            println!("{:32} {:>8} {:>8}{failed}", row.name, seconds(Some(row.wall)), seconds(row.work));
        }
        let wall = self.rows.iter().map(|row| row.wall).sum();
        let work = self.rows.iter().map(|row| row.work).sum();
        println!("{:32} {:>8} {:>8}", "all", seconds(Some(wall)), seconds(work));
    }
}

fn seconds(duration: Option<Duration>) -> String {
    duration.map_or("-".to_owned(), |duration| format!("{:.0} s", duration.as_secs_f64()))
}

/// How long processors have worked for children that have ended, and for theirs, if the system tells.
fn work_of_children() -> Option<Duration> {
    read_work_of_children(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Reads the fields `cutime` and `cstime`, in hundredths of a second. The second field is a name in parentheses, which may
/// contain blanks.
fn read_work_of_children(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(13);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_children_is_read() {
        let stat = "77 (a name (b)) S 1 77 77 0 -1 4194560 1 2 3 4 11 12 250 50 20 0 1 0 100";
        assert_eq!(read_work_of_children(stat), Some(Duration::from_secs(3)));
        assert_eq!(read_work_of_children("77"), None);
    }

    #[test]
    fn failed_parts_are_remembered_too() {
        let mut parts = Parts::default();
        assert!(parts.time("good", || Ok(())).is_ok());
        assert!(parts.time("bad", || Err(Failure("wrong".to_owned()))).is_err());
        assert_eq!(
            parts.rows.iter().map(|row| (row.name, row.passed)).collect::<Vec<_>>(),
            [("good", true), ("bad", false)]
        );
    }
}
