//! What we want to reach, and which models miss it.

use super::measure::median;
use super::table::{LARGE, Row, SMALL};

/// A goal, applied to a run of the benchmark.
struct Goal {
    what: &'static str,
    /// `None` for models that the goal does not concern.
    ratio: fn(&Row) -> Option<f64>,
    bound: Bound,
    /// Is it the median that counts, or every single model?
    of: Of,
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Median,
    Each,
}

const GOALS: &[Goal] = &[
    Goal { what: "speed, median", ratio: |row| Some(row.speed()), bound: Bound::AtLeast(5.0), of: Of::Median },
    Goal { what: "speed, each", ratio: |row| Some(row.speed()), bound: Bound::AtLeast(1.0), of: Of::Each },
    Goal { what: "bytes per state, median", ratio: Row::bytes, bound: Bound::AtMost(0.25), of: Of::Median },
    Goal {
        what: "model to verdict, < 100,000 states",
        ratio: |row| (row.states < SMALL).then(|| row.end_to_end()),
        bound: Bound::AtLeast(20.0),
        of: Of::Each,
    },
    Goal {
        what: "two threads, > 1,000,000 states",
        ratio: |row| row.two_threads().filter(|_| row.states > LARGE),
        bound: Bound::AtLeast(1.7),
        of: Of::Each,
    },
];

impl Bound {
    fn is_met(&self, ratio: f64) -> bool {
        match self {
            Bound::AtLeast(bound) => ratio >= *bound,
            Bound::AtMost(bound) => ratio <= *bound,
        }
    }

    fn text(&self) -> String {
        match self {
            Bound::AtLeast(bound) => format!(">= {bound}"),
            Bound::AtMost(bound) => format!("<= {bound}"),
        }
    }

    /// The ratio that is furthest from the goal.
    fn worst(&self, ratios: &[f64]) -> Option<f64> {
        match self {
            Bound::AtLeast(_) => ratios.iter().copied().min_by(f64::total_cmp),
            Bound::AtMost(_) => ratios.iter().copied().max_by(f64::total_cmp),
        }
    }
}

/// Longer lists of models are broken here.
const WIDTH: usize = 130;

/// The medians and the worst models, one line per goal, each followed by the models that are not good enough.
pub fn summary(rows: &[Row]) -> String {
    let header = format!("{:34} {:>8} {:>8} {:>8}\n", "ratio", "goal", "median", "worst");
    header + &GOALS.iter().map(|goal| describe(goal, rows)).collect::<String>()
}

fn describe(goal: &Goal, rows: &[Row]) -> String {
    let ratios: Vec<(&str, f64)> = rows.iter().filter_map(|row| Some((row.name, (goal.ratio)(row)?))).collect();
    let values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
    let bound = goal.bound.text();
    let (Some(median), Some(worst)) = (median(&values), goal.bound.worst(&values)) else {
        return format!("{:34} {bound:>8} {:>8} {:>8}  not measured\n", goal.what, "-", "-");
    };
    let decisive = match goal.of {
        Of::Median => median,
        Of::Each => worst,
    };
    let verdict = if goal.bound.is_met(decisive) { "reached" } else { "missed" };
    let missing = ratios.iter().filter(|(_, ratio)| !goal.bound.is_met(*ratio));
    let missing: Vec<String> = missing.map(|(name, ratio)| format!("{name} {ratio:.2}")).collect();
    format!("{:34} {bound:>8} {median:>8.2} {worst:>8.2}  {verdict}\n", goal.what) + &wrapped(&missing)
}

/// Items between commas, in lines with an indent; nothing for no items.
fn wrapped(items: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.len() + item.len() + 2 <= WIDTH => *line += &format!(", {item}"),
            _ => lines.push(format!("    {item}")),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::row;
    use super::*;

    fn lines(rows: &[Row]) -> Vec<String> {
        summary(rows).lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn goals_are_judged_by_the_models_they_concern() {
        let slow = Row { search: 20.0, search_by_two: Some(12.5), our_memory: 2e8, ..row("slow", 2_000_000) };
        let rows = [row("small", 1_000), row("middle", 500_000), slow];
        assert_eq!(
            lines(&rows),
            [
                "ratio goal median worst",
                "speed, median >= 5 5.00 0.50 reached",
                "slow 0.50",
                "speed, each >= 1 5.00 0.50 missed",
                "slow 0.50",
                "bytes per state, median <= 0.25 0.30 0.50 missed",
                "slow 0.50",
                "model to verdict, < 100,000 states >= 20 4.80 4.80 missed",
                "small 4.80",
                "two threads, > 1,000,000 states >= 1.7 1.60 1.60 missed",
                "slow 1.60",
            ]
        );
    }

    #[test]
    fn what_was_not_measured_is_not_judged() {
        assert!(lines(&[])[1..].iter().all(|line| line.ends_with("- - not measured")), "{:?}", lines(&[]));
        let alone = Row { search_by_two: None, ..row("alone", 2_000_000) };
        assert!(summary(&[alone]).ends_with(" -  not measured\n"));
    }

    #[test]
    fn long_lists_are_broken() {
        let items: Vec<String> = (0..20).map(|number| format!("model_number_{number} 0.50")).collect();
        let text = wrapped(&items);
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(wrapped(&[]), "");
    }
}
