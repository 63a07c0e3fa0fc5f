//! Generated while-programs: all answers to them side by side, with and without each of the reductions.
//!
//! For each program: every row of the tables of [`contenders`] answers as the interpreter does; formulas of computation trees have
//! the value that labelling gives them on the full model, also when they are checked as ones of linear time, and on every
//! reduced model; and full and reduced graph are followed side by side.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use reductio_explicit::ctl::Trees;
use reductio_frontends::Loaded;
use reductio_frontends::whilelang::{LoadOptions, load};
use reductio_model::{ClaimId, CtlFormula, Interpreter, Model, PropertyKind, Why};
use reductio_reduce::model_to_model::{ModelReductions, path_obstacle, reduce, side_by_side};
use reductio_testing::certified;
use reductio_testing::contenders::{Answer, CONTENDERS, disagreement_among};
use reductio_testing::infinite_runs;
use reductio_testing::whilelang::generate::generate;
use reductio_testing::whilelang::program::Program;

use super::programs::Campaign;
use crate::Failure;

/// Larger programs are passed over.
const MOST_STATES: usize = 4_000;
/// With paths, a state has several partners.
const MOST_PAIRS: usize = 4 * MOST_STATES;

/// After so many disagreements there is enough to look at.
const ENOUGH: usize = 5;

const WANTED: [ModelReductions; 5] = [
    ModelReductions {
        slicing: false,
        dead_variables: true,
        path_reduction: false,
        nobody_leaves: false,
        whole_loops: false,
    },
    ModelReductions {
        slicing: false,
        dead_variables: false,
        path_reduction: true,
        nobody_leaves: false,
        whole_loops: false,
    },
    ModelReductions {
        slicing: false,
        dead_variables: true,
        path_reduction: true,
        nobody_leaves: false,
        whole_loops: false,
    },
    ModelReductions {
        slicing: true,
        dead_variables: false,
        path_reduction: false,
        nobody_leaves: false,
        whole_loops: false,
    },
    ModelReductions {
        slicing: true,
        dead_variables: true,
        path_reduction: true,
        nobody_leaves: false,
        whole_loops: false,
    },
];

#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    too_large: u64,
    violations: u64,
    claims: u64,
    trees: u64,
    /// Pairs of graphs that were followed side by side.
    followed: u64,
    full: usize,
    reduced: usize,
    disagreements: Vec<(u64, String, PathBuf)>,
}

/// Runs a campaign; fails if something disagrees.
pub fn run(campaign: &Campaign) -> Result<(), Failure> {
    let directory = Path::new("target/fuzz");
    std::fs::create_dir_all(directory)?;
    let (next, tally, started) = (AtomicU64::new(0), Mutex::new(Tally::default()), Instant::now());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| -> Result<(), Failure> {
        let work = || work(campaign, &next, &tally, started, directory);
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for handle in handles {
            handle.join().map_err(|_| Failure("a worker panicked: that is a finding, too".to_owned()))??;
        }
        Ok(())
    })?;
    let tally = tally.into_inner().expect("no worker panics");
    println!(
        "fuzz: {} while-programs in {:.0} s, {} too large, {} with violations, {} claims, {} formulas of trees, {} graphs \
         followed ({} states beside {}), {} disagreements",
        tally.programs,
        started.elapsed().as_secs_f64(),
        tally.too_large,
        tally.violations,
        tally.claims,
        tally.trees,
        tally.followed,
        tally.reduced,
        tally.full,
        tally.disagreements.len()
    );
    match tally.disagreements.first() {
        None => Ok(()),
        Some((seed, what, file)) => Err(Failure(format!("seed {seed}: {what}; see {}", file.display()))),
    }
}

fn work(
    campaign: &Campaign,
    next: &AtomicU64,
    tally: &Mutex<Tally>,
    started: Instant,
    directory: &Path,
) -> Result<(), Failure> {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let enough = if campaign.first_only { 1 } else { ENOUGH };
        let is_enough = tally.lock().expect("no worker panics").disagreements.len() >= enough;
        if index >= campaign.count || started.elapsed() > campaign.time || is_enough {
            return Ok(());
        }
        let seed = campaign.seed.wrapping_add(index);
        let program = generate(seed);
        let comparison = compare(&program);
        let disagreement = match &comparison {
            Ok(_) => None,
            Err(what) => Some(document(seed, &program, what, campaign, directory)?),
        };
        let mut tally = tally.lock().expect("no worker panics");
        tally.programs += 1;
        match comparison {
            Ok(Some(seen)) => tally.add(&seen),
            Ok(None) => tally.too_large += 1,
            Err(_) => {}
        }
        tally.disagreements.extend(disagreement);
    }
}

impl Tally {
    fn add(&mut self, seen: &Tally) {
        self.violations += seen.violations;
        self.claims += seen.claims;
        self.trees += seen.trees;
        self.followed += seen.followed;
        self.full += seen.full;
        self.reduced += seen.reduced;
    }
}

fn loaded(program: &Program) -> Loaded<Model> {
    let options = LoadOptions { ltl: program.ltl.clone(), ..LoadOptions::default() };
    load("m.while", program.to_string().as_bytes(), &options)
}

/// What was compared, or what disagrees. `None` if the program is too large.
fn compare(program: &Program) -> Result<Option<Tally>, String> {
    let loaded = loaded(program);
    let Some(model) = loaded.model else {
        return Err(format!("it is not accepted:\n{}", loaded.diagnostics.render(&loaded.sources)));
    };
    if let Err(Why::TooManyStates { .. }) = Trees::of(&Interpreter::new(&model), MOST_STATES) {
        return Ok(None);
    }
    let mut seen = Tally::default();
    compare_states(&model, &mut seen)?;
    let values = compare_trees(program, &mut seen)?;
    for (number, claim) in (0..).zip(&model.claims) {
        let (broken, _) =
            infinite_runs::our_answer(&model, ClaimId(number)).map_err(|what| format!("`{}`: {what}", claim.name))?;
        seen.claims += 1;
        if claim.kind == PropertyKind::Ctl && values.get(&claim.name).is_some_and(|&value| value == broken[0]) {
            return Err(format!(
                "labelling finds that `{}` {}",
                claim.name,
                if broken[0] { "holds" } else { "does not" }
            ));
        }
    }
    follow(&model, &mut seen)?;
    Ok(Some(seen))
}

/// Deadlocks, assertions and errors, by everything that can answer.
fn compare_states(model: &Model, seen: &mut Tally) -> Result<(), String> {
    let answers: Vec<Answer> = CONTENDERS.iter().map(|contender| contender.answer(model)).collect();
    if let Some(what) = disagreement_among(&answers) {
        return Err(what);
    }
    for (contender, answer) in CONTENDERS.iter().zip(&answers) {
        for witness in &answer.witnesses {
            certified::of_states(model, witness).map_err(|why| format!("a trace of {}: {why}", contender.name))?;
        }
    }
    seen.violations += u64::from(answers[0].violations > 0);
    Ok(())
}

/// The values of the formulas of computation trees, by text: on the full model, and the same on each reduced one.
fn compare_trees(program: &Program, seen: &mut Tally) -> Result<HashMap<String, bool>, String> {
    let mut values = HashMap::new();
    for text in &program.ctl {
        // In this form none of them is taken for one of linear time.
        let disguised = loaded(&program.asking(vec![format!("!!({text}) && (EF TRUE)")]));
        let Some((model, [CtlFormula { formula, .. }])) = disguised.model.as_ref().map(|model| (model, &model.ctl[..]))
        else {
            return Err(format!("`{text}` is no formula of computation trees"));
        };
        let answer = |model: &Model| Trees::of(&Interpreter::new(model), MOST_STATES)?.satisfy(formula);
        let expected = match answer(model) {
            Ok(value) => value,
            // Where a step goes wrong, there is no answer.
            Err(_) => continue,
        };
        values.insert(text.clone(), expected);
        seen.trees += 1;
        let counts_steps = text.contains('X');
        for wanted in WANTED.into_iter().filter(|wanted| !wanted.path_reduction || !counts_steps) {
            let value = answer(&reduce(model, wanted).model);
            if value != Ok(expected) {
                return Err(format!("`{text}` is {value:?} instead of {expected} with {wanted:?}"));
            }
        }
    }
    Ok(values)
}

/// Full and reduced graph, side by side.
fn follow(model: &Model, seen: &mut Tally) -> Result<(), String> {
    if let Some((why, _)) = path_obstacle(model) {
        return Err(format!("no paths are merged in a while-program: {why}"));
    }
    for wanted in WANTED {
        let reduced = reduce(model, wanted).model;
        if let Some(sizes) =
            side_by_side(model, &reduced, MOST_PAIRS).map_err(|what| format!("side by side, {wanted:?}: {what}"))?
        {
            seen.followed += 1;
            seen.full += sizes.full;
            seen.reduced += sizes.reduced;
        }
    }
    Ok(())
}

/// Makes a program that shows a disagreement as small as it gets, and writes it down.
fn document(
    seed: u64,
    program: &Program,
    what: &str,
    campaign: &Campaign,
    directory: &Path,
) -> Result<(u64, String, PathBuf), Failure> {
    let (mut smallest, mut what) = (program.clone(), what.to_owned());
    if !campaign.first_only {
        let kind = kind_of(&what);
        let fails = |candidate: &Program| compare(candidate).err().filter(|why| kind_of(why) == kind);
        while let Some((smaller, why)) =
            smallest.smaller().into_iter().find_map(|candidate| fails(&candidate).map(|why| (candidate, why)))
        {
            (smallest, what) = (smaller, why);
        }
    }
    let file = directory.join(format!("disagreement-{seed}.while"));
    super::write_down(seed, &what, &smallest, &file)?;
    Ok((seed, what, file))
}

/// While shrinking, one disagreement must not turn into another.
fn kind_of(what: &str) -> String {
    what.chars().filter(|letter| letter.is_ascii_alphabetic()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is generated is a program, and something is compared.
    #[test]
    fn generated_programs_are_compared() {
        let mut total = Tally::default();
        for seed in 0..40 {
            let program = generate(seed);
            match compare(&program) {
                Ok(Some(seen)) => total.add(&seen),
                Ok(None) => total.too_large += 1,
                Err(what) => panic!("seed {seed}: {what}\n{program}"),
            }
        }
        assert!(total.too_large < 10, "{total:?}");
        assert!(total.claims > 5 && total.trees > 10 && total.followed > 60, "{total:?}");
        assert!(total.reduced < total.full && total.violations > 0, "{total:?}");
    }

    /// Whatever is left out of a program, it gets shorter.
    #[test]
    fn smaller_programs_are_smaller() {
        let program = generate(3);
        let length = |program: &Program| program.to_string().len();
        assert!(program.smaller().len() > 10);
        assert!(program.smaller().iter().all(|smaller| length(smaller) < length(&program)));
    }
}
