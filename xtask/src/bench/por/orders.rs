//! `cargo xtask bench por orders`: the same models with their processes in every order. Which of several processes goes on
//! alone is chosen by their numbers where nothing else tells them apart, so that a model may have many states left in one order
//! and few in another. And on the smallest models that show it: what is left by default, by us and by SPIN.

use std::fs;
use std::path::{Path, PathBuf};

use super::permute::orders;
use super::{ALL_OF_SPIN, Model, count, models, ours, spin_states};
use crate::Failure;

const DIRECTORY: &str = "target/bench/orders";
/// Models that take longer than this are not tried in all orders.
const MOST_STATES: u64 = 200_000;

const COUNTERS: &str = "byte a, b, c;
active proctype A() { byte i; do :: i < 20 -> i++ :: else -> break od }
active proctype B() { byte i; do :: i < 20 -> i++ :: else -> break od }
active proctype C() { byte i; do :: i < 20 -> i++ :: else -> break od }
";

/// Small programs with processes that go on forever.
fn small() -> Vec<(&'static str, String)> {
    let counting = |count| format!("byte g;\nactive [{count}] proctype A() {{ byte l; do :: g++; l = 1 - l od }}\n");
    let with = |process: &str| format!("{COUNTERS}{process}\n");
    vec![
        ("counters, idle", with("active proctype Idle() { do :: 0 != 1 od }")),
        ("counters, cycle", with("active proctype Cyc() { bit x; do :: x = 1; x = 0 od }")),
        (
            "two writers",
            "byte g;\nactive proctype A() { do :: g = 1 :: g = 2 od }\nactive proctype B() { do :: g = 3 :: g = 4 od }\n"
                .to_owned(),
        ),
        ("one counter", counting(1)),
        ("two counters", counting(2)),
    ]
}

/// The least and the largest number of states.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    least: u64,
    most: u64,
}

impl Spread {
    /// Of all orders, if each of them was searched to its end.
    fn of(states: &[Option<u64>]) -> Option<Spread> {
        let known: Vec<u64> = states.iter().copied().collect::<Option<_>>()?;
        Some(Spread { least: *known.iter().min()?, most: *known.iter().max()? })
    }

    fn factor(self) -> f64 {
        self.most as f64 / self.least.max(1) as f64
    }
}

pub fn run(only: Option<&str>) -> Result<(), Failure> {
    fs::create_dir_all(DIRECTORY)?;
    println!("\n{:32} {:>10} {:>10} {:>10} {:>10}", "small programs, as they are", "full", "por", "default", "SPIN");
    let small: Vec<Model> = small().into_iter().map(|(name, text)| written(name, &text)).collect::<Result<_, _>>()?;
    let is_wanted = |model: &&Model| only.is_none_or(|only| model.name.contains(only));
    for model in small.iter().filter(is_wanted) {
        let ours = ["none", "por", "auto"].map(|reduce| ours(model, reduce).map(count));
        let [full, por, default] = ours;
        let spin = spin_states(model, &ALL_OF_SPIN, &Path::new(DIRECTORY).join("spin"))?;
        println!("{:32} {:>10} {:>10} {:>10} {:>10}", model.name, full?, por?, default?, count(spin));
    }
    println!("\n{:32} {:>6} | {:>28} | {:>28}", "in all orders", "orders", "default: least most", "por: least most");
    let mut largest: Option<(f64, String)> = None;
    for model in small.iter().chain(&models()?).filter(is_wanted) {
        let Some((tried, spreads)) = permuted(model)? else { continue };
        println!("{:32} {tried:>6} | {} | {}", model.name, column(spreads[0]), column(spreads[1]));
        for (spread, reductions) in spreads.into_iter().zip(["default", "por"]) {
            let Some(factor) = spread.map(Spread::factor) else { continue };
            if largest.as_ref().is_none_or(|(most, _)| factor > *most) {
                largest = Some((factor, format!("{}, {reductions}", model.name)));
            }
        }
    }
    if let Some((factor, name)) = largest {
        println!("\nlargest factor between two orders: {factor:.2} ({name})");
    }
    Ok(())
}

/// A text as a file.
fn written(name: &str, text: &str) -> Result<Model, Failure> {
    let path = Path::new(DIRECTORY).join(format!("{}.pml", name.replace([',', ' ', '/'], "_")));
    fs::write(&path, text)?;
    Ok(Model { name: name.to_owned(), path, defines: Vec::new() })
}

/// The number of orders, and the states by default and by partial orders alone.
type Permuted = (usize, [Option<Spread>; 2]);

/// How many orders there are, and what is left in them by default and by partial orders alone. `None` where there is
/// one order only, or nothing is found to the end.
fn permuted(model: &Model) -> Result<Option<Permuted>, Failure> {
    let texts = orders(&String::from_utf8_lossy(&fs::read(&model.path)?));
    if texts.len() < 2 || ours(model, "auto")?.is_none_or(|states| states > MOST_STATES) {
        return Ok(None);
    }
    // Beside the model, as it may include what lies there.
    let directory = PathBuf::from(DIRECTORY).join("permuted");
    crate::spin::prepare(&model.path, &directory)?;
    let mut found: [Vec<Option<u64>>; 2] = Default::default();
    for text in &texts {
        let path = directory.join("permuted_model.pml");
        fs::write(&path, text)?;
        let permuted = Model { path, ..model.clone() };
        for (states, reduce) in found.iter_mut().zip(["auto", "por"]) {
            states.push(ours(&permuted, reduce)?);
        }
    }
    Ok(Some((texts.len(), found.map(|states| Spread::of(&states)))))
}

fn column(spread: Option<Spread>) -> String {
    match spread {
        Some(spread) => format!("{:>9} {:>9} {:>8.2}", spread.least, spread.most, spread.factor()),
        None => format!("{:>28}", "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_needs_all_orders() {
        assert_eq!(Spread::of(&[Some(4), Some(2), Some(3)]), Some(Spread { least: 2, most: 4 }));
        assert_eq!(Spread::of(&[Some(4), None]), None);
        assert_eq!(Spread::of(&[]), None);
    }
}
