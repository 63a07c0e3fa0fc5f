//! What was measured, one row per model.

use super::measure::median;
use super::ours::OurRun;
use super::pan::SpinRun;

/// In smaller models the time goes into starting programs, and the memory into empty tables.
pub const SMALL: u64 = 100_000;

/// From here on a second thread has enough to do.
pub const LARGE: u64 = 1_000_000;

/// Medians over the rounds. Seconds and bytes.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    pub states: u64,
    pub pan_cpu: f64,
    /// SPIN's unpacked state.
    pub vector_bytes: u64,
    pub pan_memory: f64,
    pub our_memory: f64,
    /// From the model to the verdict: `spin`, gcc and `pan` together.
    pub spin_wall: f64,
    pub our_wall: f64,
    /// The search alone, with one thread and with two.
    pub search: f64,
    pub search_by_two: Option<f64>,
    /// The speed ratio of the last recorded run.
    pub before: Option<f64>,
}

impl Row {
    /// `None` if nothing was measured.
    pub fn new(name: &'static str, spin: &[SpinRun], one: &[OurRun], two: &[OurRun]) -> Option<Row> {
        let of_spin = |value: fn(&SpinRun) -> f64| median(&spin.iter().map(value).collect::<Vec<f64>>());
        let of_ours =
            |runs: &[OurRun], value: fn(&OurRun) -> f64| median(&runs.iter().map(value).collect::<Vec<f64>>());
        Some(Row {
            name,
            states: spin.first()?.states,
            pan_cpu: measurable(of_spin(|run| run.pan.cpu)?),
            vector_bytes: spin.first()?.memory.vector_bytes,
            pan_memory: of_spin(|run| run.memory.bytes)?,
            our_memory: of_ours(one, |run| run.memory_bytes as f64)?,
            spin_wall: of_spin(|run| run.wall)?,
            our_wall: measurable(of_ours(one, |run| run.cost.wall)?),
            search: measurable(of_ours(one, |run| run.search)?),
            search_by_two: of_ours(two, |run| run.search),
            before: None,
        })
    }

    pub fn pan_rate(&self) -> f64 {
        self.states as f64 / self.pan_cpu
    }

    pub fn our_rate(&self) -> f64 {
        self.states as f64 / self.search
    }

    /// How many times as fast as `pan` we are, in processor time.
    pub fn speed(&self) -> f64 {
        self.pan_cpu / self.search
    }

    pub fn pan_bytes(&self) -> f64 {
        self.pan_memory / self.states as f64
    }

    pub fn our_bytes(&self) -> f64 {
        self.our_memory / self.states as f64
    }

    /// Our bytes per state as a part of `pan`'s. In small models `pan`'s hash table would decide.
    pub fn bytes(&self) -> Option<f64> {
        (self.states >= SMALL).then(|| self.our_memory / self.pan_memory)
    }

    pub fn end_to_end(&self) -> f64 {
        self.spin_wall / self.our_wall
    }

    /// How many times as fast two threads are as one.
    pub fn two_threads(&self) -> Option<f64> {
        self.search_by_two.map(|two| self.search / two)
    }

    /// More than a fifth of the speed ratio was lost since the last recorded run.
    pub fn is_regression(&self) -> bool {
        self.before.is_some_and(|before| self.speed() < 0.8 * before)
    }
}

/// bash measures in milliseconds. Nothing takes no time at all.
fn measurable(seconds: f64) -> f64 {
    seconds.max(0.001)
}

const HEADER: [&str; 2] = [
    "                         search only, s      1000 states/s          SPIN's  bytes per state     \
     from model to verdict",
    "model             states    pan    ours      pan     ours  speed  vector   pan   ours  part  \
     SPIN s  our s faster  2 thr before",
];

pub fn header() -> String {
    HEADER.join("\n")
}

pub fn line(row: &Row) -> String {
    let optional = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let Row { name, states, vector_bytes, .. } = row;
    let (pan_rate, our_rate) = (row.pan_rate() / 1e3, row.our_rate() / 1e3);
    let bytes = row.bytes().map(|part| (format!("{:.1}", row.pan_bytes()), format!("{:.1}", row.our_bytes()), part));
    let (pan_bytes, our_bytes, part) =
        bytes.map_or(("-".into(), "-".into(), "-".into()), |(pan, ours, part)| (pan, ours, format!("{part:.2}")));
    let mark = if row.is_regression() { " regression" } else { "" };
    format!(
        "{name:14} {states:>9} {pan_cpu:>6} {our_search:>7} {pan_rate:>8.0} {our_rate:>8.0} {speed:>6.2} \
         {vector_bytes:>7} {pan_bytes:>5} {our_bytes:>6} {part:>5} {spin_wall:>7} {our_wall:>6} {faster:>6.1} \
         {two:>6} {before:>6}{mark}",
        pan_cpu = seconds(row.pan_cpu),
        our_search = seconds(row.search),
        speed = row.speed(),
        spin_wall = seconds(row.spin_wall),
        our_wall = seconds(row.our_wall),
        faster = row.end_to_end(),
        two = optional(row.two_threads()),
        before = optional(row.before),
    )
}

/// As many digits as were measured, and fit.
fn seconds(value: f64) -> String {
    if value < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bench::measure::Cost;
    use crate::bench::pan::Memory;

    /// A model that `pan` searches in 10 s, SPIN in 12 s altogether, and we in 2 s, with 200 and 20 bytes per state.
    pub fn row(name: &'static str, states: u64) -> Row {
        let memory = Memory { vector_bytes: 100, bytes: 200.0 * states as f64 };
        let spin = SpinRun { states, memory, pan: Cost { wall: 10.5, cpu: 10.0 }, wall: 12.0 };
        let cost = Cost { wall: 2.5, cpu: 2.0 };
        let one = OurRun { states, cost, search: 2.0, memory_bytes: 20 * states };
        let two = OurRun { search: 1.25, ..one };
        Row::new(name, &[spin], &[one], &[two]).expect("all was measured")
    }

    #[test]
    fn ratios_are_better_when_larger_and_bytes_when_smaller() {
        let row = row("model", 1_000_000);
        assert_eq!((row.speed(), row.end_to_end()), (5.0, 4.8));
        assert_eq!((row.bytes(), row.two_threads()), (Some(0.1), Some(1.6)));
        assert_eq!((row.pan_rate(), row.our_rate()), (100_000.0, 500_000.0));
    }

    #[test]
    fn without_a_second_thread_there_is_no_speed_up() {
        let row = Row { search_by_two: None, ..row("model", 1_000_000) };
        assert_eq!(row.two_threads(), None);
        assert!(line(&row).ends_with("      -      -"), "{}", line(&row));
    }

    #[test]
    fn a_fifth_may_be_lost_before_it_is_a_regression() {
        let before = |before| Row { before, ..row("model", 1_000_000) };
        assert!(!before(None).is_regression());
        assert!(!before(Some(6.2)).is_regression());
        assert!(before(Some(6.3)).is_regression());
        assert!(line(&before(Some(6.3))).ends_with("  6.30 regression"));
    }

    #[test]
    fn a_line_fits_the_header_and_the_screen() {
        let row = Row { before: Some(400.0), ..row("sliding_window", 116_220_258) };
        let line = line(&row);
        let width = header().lines().map(str::len).max().expect("there is a header");
        assert_eq!(line.trim_end_matches(" regression").len(), width, "\n{}\n{line}", header());
        assert!(line.len() <= 140, "{}", line.len());
    }

    #[test]
    fn the_bytes_of_small_models_are_not_compared() {
        assert_eq!(row("model", SMALL - 1).bytes(), None);
        assert!(row("model", SMALL).bytes().is_some());
    }
}
