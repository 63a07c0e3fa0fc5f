//! `cargo xtask bench ltl`: the sizes of automata, ours beside those of `spin -f` and of `lbt`, on the formulas that
//! translators are compared on.

use std::time::Instant;

use reductio_logic::Propositions;
use reductio_logic::buchi::{Limits, translate};
use reductio_logic::ltl::{Formulas, Spelling, print};

use crate::ltl::{claim, lbt, sets};
use crate::{Failure, spin};

/// States and edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    states: usize,
    edges: usize,
}

/// One formula, or the sums over a set of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    formulas: usize,
    ours: Size,
    /// Nothing for formulas with `X`, which Debian's SPIN does not know, and for those that take it too long.
    spin: Option<Size>,
    /// Ours on the formulas that SPIN knows, to compare with it.
    ours_for_spin: Size,
    generalized: Size,
    lbt: Size,
    microseconds: u128,
}

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let each = match words {
        [] => false,
        ["--each"] => true,
        _ => return Err(Failure(format!("there is no option {}\n{}", words.join(" "), crate::USAGE))),
    };
    spin::install()?;
    spin::install_package("lbt")?;
    println!("{}", header());
    let mut behind = Vec::new();
    for set in sets::all()? {
        let mut total = Row::default();
        for text in &set.formulas {
            let row = measure(text)?;
            if each {
                println!("{}", line(text, &row));
            }
            total = total.plus(&row);
        }
        println!("{}", line(set.name, &total));
        behind.extend(total.behind().into_iter().map(|whom| format!("{}: {whom} needs fewer states", set.name)));
    }
    if behind.is_empty() { Ok(()) } else { Err(Failure(behind.join("\nxtask: "))) }
}

fn measure(text: &str) -> Result<Row, Failure> {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = sets::read(text, &mut formulas, &mut propositions)?;
    let start = Instant::now();
    let automata =
        translate(&mut formulas, formula, &Limits::default()).map_err(|error| Failure(format!("{text}: {error}")))?;
    let microseconds = start.elapsed().as_micros();
    let ours = Size { states: automata.buchi.state_count(), edges: automata.buchi.edge_count() };
    let generalized = Size { states: automata.tgba.state_count(), edges: automata.tgba.edge_count() };
    let text = print(&formulas, &propositions, formula, Spelling::Spin);
    let automaton = if formulas.has_next(formula) { None } else { claim::by_spin(&text, &mut propositions)? };
    let spin = automaton.map(|automaton| Size { states: automaton.state_count(), edges: automaton.edge_count() });
    let by_lbt = lbt::run(&formulas, formula)?;
    let lbt = Size { states: by_lbt.states, edges: by_lbt.edges };
    let ours_for_spin = if spin.is_some() { ours } else { Size::default() };
    Ok(Row { formulas: 1, ours, spin, ours_for_spin, generalized, lbt, microseconds })
}

impl Size {
    fn plus(self, other: Size) -> Size {
        Size { states: self.states + other.states, edges: self.edges + other.edges }
    }
}

impl Row {
    fn plus(self, other: &Row) -> Row {
        Row {
            formulas: self.formulas + other.formulas,
            ours: self.ours.plus(other.ours),
            spin: Some(self.spin.unwrap_or_default().plus(other.spin.unwrap_or_default())),
            ours_for_spin: self.ours_for_spin.plus(other.ours_for_spin),
            generalized: self.generalized.plus(other.generalized),
            lbt: self.lbt.plus(other.lbt),
            microseconds: self.microseconds + other.microseconds,
        }
    }

    /// Who needs fewer states than we do. `lbt`'s automata are generalised, ours of the same kind are a little smaller
    /// than our state-based ones, which are the ones compared all the same.
    fn behind(&self) -> Vec<&'static str> {
        let spin = self.spin.is_some_and(|spin| spin.states < self.ours_for_spin.states).then_some("spin");
        let lbt = (self.lbt.states < self.ours.states).then_some("lbt");
        spin.into_iter().chain(lbt).collect()
    }
}

fn header() -> String {
    let names = |[ours, of_those, spin, generalized, lbt, time, name]: [&str; 7]| {
        format!("{ours:>11} {of_those:>16} {spin:>9} | {generalized:>12} {lbt:>10} | {time:>5}  {name}")
    };
    let above = names(["our", "of those that", "", "our", "", "", ""]);
    let below = names(["state-based", "SPIN translates", "spin -f", "generalised", "lbt", "us", "formulas"]);
    format!("{}\n{below}", above.trim_end())
}

fn line(name: &str, row: &Row) -> String {
    let size = |size: Size| format!("{}/{}", size.states, size.edges);
    let (of_those, spin) =
        row.spin.map_or(("-".to_owned(), "-".to_owned()), |spin| (size(row.ours_for_spin), size(spin)));
    let time = row.microseconds / row.formulas.max(1) as u128;
    format!(
        "{:>11} {of_those:>16} {spin:>9} | {:>12} {:>10} | {time:>5}  {:>3} {name}",
        size(row.ours),
        size(row.generalized),
        size(row.lbt),
        row.formulas,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: usize, spin: usize, lbt: usize) -> Row {
        let size = |states| Size { states, edges: 2 * states };
        Row {
            formulas: 1,
            ours: size(ours),
            spin: Some(size(spin)),
            ours_for_spin: size(ours),
            generalized: size(ours),
            lbt: size(lbt),
            microseconds: 10,
        }
    }

    #[test]
    fn whoever_needs_fewer_states_is_named() {
        assert!(row(4, 4, 4).behind().is_empty());
        assert_eq!(row(4, 3, 4).behind(), ["spin"]);
        assert_eq!(row(4, 4, 3).behind(), ["lbt"]);
        let without_spin = Row { spin: None, ..row(4, 3, 4) };
        assert!(without_spin.behind().is_empty());
    }

    #[test]
    fn sums_are_over_what_can_be_compared() {
        let with_next = Row { spin: None, ours_for_spin: Size::default(), ..row(7, 0, 9) };
        let total = Row::default().plus(&row(4, 5, 6)).plus(&with_next);
        assert_eq!((total.formulas, total.ours.states, total.lbt.states), (2, 11, 15));
        assert_eq!((total.ours_for_spin.states, total.spin.map(|size| size.states)), (4, Some(5)));
        assert!(total.behind().is_empty());
    }

    #[test]
    fn columns_stand_below_their_names() {
        let bars = |line: &str| line.match_indices('|').map(|(at, _)| at).collect::<Vec<usize>>();
        let header = header();
        let line = line("[] (a || b)", &row(4, 5, 6));
        for above in header.lines() {
            assert_eq!(bars(above), bars(&line)[..2], "\n{header}\n{line}");
        }
    }
}
