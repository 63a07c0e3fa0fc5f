//! Looking for trouble: mangled texts for the front end, generated programs for everything.

mod claims;
mod oracle;
mod parser;
pub mod programs;
pub mod whiles;

use std::path::Path;
use std::time::Duration;

use crate::Failure;
use parser::{Budget, Finding};

/// Parses mangled models for so many seconds. No text may make the front end panic or hang.
pub fn mangled_texts(seconds: u64, seed: u64) -> Result<(), Failure> {
    let mut corpus = crate::models_below(Path::new("testdata"))?;
    corpus.sort();
    let current = Path::new("target").join("fuzz-input.pml");
    let budget = Budget { inputs: u64::MAX, time: Duration::from_secs(seconds) };
    let outcome = parser::parser(&corpus, seed, budget, &current)?;
    println!(
        "fuzz: {} mangled texts, {} of them models; slowest {} ms",
        outcome.inputs,
        outcome.accepted,
        outcome.slowest.as_millis()
    );
    let (what, input) = match outcome.finding {
        None => return Ok(()),
        Some(Finding::Panic { message, input }) => (format!("panic: {message}"), input),
        Some(Finding::Hang { input }) => ("hang".to_owned(), input),
    };
    std::fs::write(&current, input)?;
    Err(Failure(format!("{what}; the text is in {}", current.display())))
}

/// Keeps a program on which something differs, with what that is.
fn write_down(seed: u64, what: &str, program: &dyn std::fmt::Display, file: &Path) -> Result<(), Failure> {
    let lines = what.lines().map(|line| format!(" * {}\n", line.replace("*/", "* /")));
    std::fs::write(file, format!("/*\n{} */\n{program}", lines.collect::<String>()))?;
    println!("seed {seed}: {what}\n  {}", file.display());
    Ok(())
}
