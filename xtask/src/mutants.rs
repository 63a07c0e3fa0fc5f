//! Are the fuzzer and the tests any good? Deliberately wrong variants of our own code, each of which must be caught.
//!
//! A mutant replaces an expression or a statement in one source file (`xtask/src/mutants/list/`). The whole project is
//! copied, and all mutants are built into the copy, each behind an `if` that asks which one this run is to be
//! (`xtask/src/mutants/guard.rs`). So there is one build, and each mutant is a run: of the fuzzer, on the same few hundred
//! programs each time, or of a test.
//!
//! To add a mutant, add an entry to one of the lists:
//!
//! ```text
//! Mutant {
//!     name: "smaller: what may go wrong is passed",
//!     file: "crates/reduce/src/model_to_model/path_reduction.rs",
//!     original: "!more && ‹cannot_fail(expr)› && variables",
//!     mutated: "true",
//!     caught_by: Test("reductio-reduce", "static_reductions::paths_end_where_something_can_be_seen"),
//! },
//! ```
//!
//! The text must be in the file once, as it stands there; what is between ‹ and › is replaced, or all of it without these
//! signs. It is an expression, and so is what replaces it, of the same type; or it is statements (it ends with a semicolon),
//! and these may be replaced by nothing. A `let` cannot be replaced as a whole, but its right side can. Then
//! `cargo xtask mutants WORD` with a word of its name tells whether it is caught. If the text is not found, because the code
//! has changed, the mutant has to follow: that is a failure, too.

mod guard;
pub mod judge;
mod list;
mod tree;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::Failure;
use judge::Judge;
use tree::Build;

pub struct Mutant {
    /// What it gets wrong.
    pub name: &'static str,
    pub file: &'static str,
    /// What is replaced, between ‹ and ›, with enough around it to be found.
    pub original: &'static str,
    pub mutated: &'static str,
    pub caught_by: Judge,
}

/// Which mutants to look at, and how.
pub struct Choice<'a> {
    /// Those whose names contain this.
    pub word: &'a str,
    /// Has the unchanged project just passed everything that is to catch mutants?
    pub has_passed: bool,
}

/// What became of the mutants.
#[derive(Default)]
struct Tally {
    caught: usize,
    survivors: Vec<&'static str>,
}

pub fn run(choice: &Choice<'_>) -> Result<(), Failure> {
    crate::spin::install()?;
    let mutants = list::all();
    tree::write(&mutants)?;
    let build = tree::build(&mutants)?;
    let chosen = mutants.into_iter().enumerate().filter(|(_, mutant)| mutant.name.contains(choice.word));
    let chosen: Vec<(usize, &Mutant)> = chosen.collect();
    if !choice.has_passed {
        check_unchanged(&build, &chosen)?;
    }
    let tally = Mutex::new(Tally::default());
    for_each_at_once(&chosen, |(number, mutant), directory| {
        let started = Instant::now();
        let finding = mutant.caught_by.look(&build, Some(*number), directory)?;
        let mut tally = tally.lock().expect("no worker panics");
        match finding {
            Some(finding) => {
                println!("caught in {:.0} s: {} ({finding})", started.elapsed().as_secs_f64(), mutant.name);
                tally.caught += 1;
            }
            None => {
                println!("SURVIVED: {}", mutant.name);
                tally.survivors.push(mutant.name);
            }
        }
        Ok(())
    })?;
    let Tally { caught, survivors } = tally.into_inner().expect("no worker panics");
    println!("mutants: {caught} caught, {} survived", survivors.len());
    if survivors.is_empty() { Ok(()) } else { Err(Failure(format!("survived: {}", survivors.join("; ")))) }
}

/// Without mutants, nothing must be found. Here SPIN is asked for its answers, which mutants are compared with, too.
fn check_unchanged(build: &Build, chosen: &[(usize, &Mutant)]) -> Result<(), Failure> {
    println!("mutants: the unchanged project first");
    let mut judges: Vec<Judge> = chosen.iter().map(|(_, mutant)| mutant.caught_by).collect();
    judges.sort();
    judges.dedup();
    for judge in judges {
        if let Some(finding) = judge.look(build, None, Path::new("."))? {
            return Err(Failure(format!("the unchanged project does not pass: {finding}")));
        }
    }
    Ok(())
}

/// Has as many threads as there are cores work on the list, each in a directory of its own.
fn for_each_at_once<T: Sync>(
    list: &[T],
    work: impl Fn(&T, &Path) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work_on = |worker: usize| {
        let directory = Path::new("target/mutants").join(format!("worker-{worker}"));
        std::fs::create_dir_all(&directory)?;
        while let Some(item) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item, &directory)?;
        }
        Ok(())
    };
    let work_on = &work_on;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work_on(worker))).collect();
        handles.into_iter().try_for_each(|handle| handle.join().expect("no worker panics"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is to be replaced is there, once.
    #[test]
    fn mutants_are_of_this_code() {
        for mutant in list::all() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(mutant.file);
            let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", mutant.file));
            if let Err(failure) = guard::place_of(mutant, &text) {
                panic!("{failure}");
            }
        }
    }

    #[test]
    fn names_tell_mutants_apart() {
        let mut names: Vec<&str> = list::all().iter().map(|mutant| mutant.name).collect();
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
