//! Generated programs, one after the other, through everything that can answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{Interpreter, Model, Trace, Witness};
use reductio_report::{TraceEntry, spin_trail};
use reductio_testing::contenders::{self, Answer, CONTENDERS, describe, disagreement_among};
use reductio_testing::promela::generate::{Size, generate, generate_with_claim};
use reductio_testing::promela::metamorphic::{Relation, variants};
use reductio_testing::promela::program::Program;
use reductio_testing::promela::shrink::shrink;
use reductio_testing::{certified, questions, trees};

use super::claims;
use super::oracle::{Memory, Oracle, SpinAnswer};
use crate::Failure;

/// How far to go, and where to begin.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub seed: u64,
    pub count: u64,
    pub time: Duration,
    pub states: u32,
    /// Stop at the first disagreement, and do not make it smaller: it only matters whether there is one.
    pub first_only: bool,
    /// Compare with SPIN, too, which takes most of the time.
    pub spin: bool,
    /// Programs with something to be said of their infinite runs, and only that is compared.
    pub claims: bool,
}

impl Campaign {
    fn program(&self, seed: u64) -> Program {
        let size = Size::states(self.states);
        if self.claims { generate_with_claim(seed, size) } else { generate(seed, size) }
    }

    fn compare(&self, program: &Program, seed: u64, oracle: &Oracle<'_>) -> Result<Comparison, Failure> {
        let compare = || if self.claims { claims::compare(program, oracle) } else { compare(program, seed, oracle) };
        // What it says was printed when it happened.
        catch_unwind(AssertUnwindSafe(compare)).unwrap_or_else(|_| Ok(Comparison::Different("a panic".to_owned())))
    }
}

/// Variants of larger programs are not looked at.
const MAX_STATES_FOR_VARIANTS: u64 = 3_000;

/// After so many disagreements there is enough to look at.
const ENOUGH: usize = 5;

/// What became of the programs.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    compared: u64,
    rejected_by_both: u64,
    too_large: u64,
    spin_gave_up: u64,
    runtime_errors: u64,
    states: u64,
    violations: u64,
    trails: u64,
    broken: u64,
    broken_fairly: u64,
    missed: u64,
    disagreements: Vec<Disagreement>,
}

#[derive(Debug)]
struct Disagreement {
    seed: u64,
    what: String,
    file: PathBuf,
}

/// What comparing one program shows.
pub enum Comparison {
    Same {
        states: u64,
        violated: bool,
        trails: u64,
    },
    /// Whether some run breaks the claim, whether a weakly fair one does, and whether SPIN misses that.
    SameRuns {
        broken: bool,
        broken_fairly: bool,
        is_missed: bool,
    },
    RejectedByBoth,
    TooLarge,
    SpinGaveUp,
    RuntimeError,
    Different(String),
}

/// Runs a campaign; fails if something disagrees.
pub fn run(campaign: &Campaign) -> Result<(), Failure> {
    let directory = Path::new("target/fuzz");
    std::fs::create_dir_all(directory)?;
    let directory = directory.canonicalize()?;
    if campaign.spin {
        crate::spin::install()?;
    }
    let memory = Memory::open(directory.join("spin-answers.txt"));
    // Campaigns may run side by side.
    let workplace = directory.join(format!("campaign-{}", std::process::id()));
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let started = Instant::now();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| -> Result<(), Failure> {
        let mut handles = Vec::new();
        for worker in 0..workers {
            let oracle = Oracle::new(workplace.join(format!("worker-{worker}")), &memory, campaign.spin)?;
            let (next, tally, directory) = (&next, &tally, &directory);
            handles.push(scope.spawn(move || work(campaign, &oracle, next, tally, started, directory)));
        }
        for handle in handles {
            handle.join().map_err(|_| Failure("a worker panicked: that is a finding, too".to_owned()))??;
        }
        Ok(())
    })?;
    memory.save()?;
    std::fs::remove_dir_all(workplace)?;
    conclude(campaign, &tally.into_inner().expect("no worker panics"), started.elapsed())
}

fn work(
    campaign: &Campaign,
    oracle: &Oracle<'_>,
    next: &AtomicU64,
    tally: &Mutex<Tally>,
    started: Instant,
    directory: &Path,
) -> Result<(), Failure> {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let enough =
            tally.lock().expect("no worker panics").disagreements.len() >= if campaign.first_only { 1 } else { ENOUGH };
        if index >= campaign.count || started.elapsed() > campaign.time || enough {
            return Ok(());
        }
        let seed = campaign.seed.wrapping_add(index);
        let program = campaign.program(seed);
        let comparison = campaign.compare(&program, seed, oracle)?;
        let disagreement = match &comparison {
            Comparison::Different(what) => Some(document(seed, &program, what, campaign, oracle, directory)?),
            _ => None,
        };
        let mut tally = tally.lock().expect("no worker panics");
        tally.count(&comparison);
        tally.disagreements.extend(disagreement);
        if tally.programs.is_multiple_of(1000) {
            println!("  {} programs, {:.0} s", tally.programs, started.elapsed().as_secs_f64());
        }
    }
}

impl Tally {
    fn count(&mut self, comparison: &Comparison) {
        self.programs += 1;
        match comparison {
            Comparison::Same { states, violated, trails } => {
                self.compared += 1;
                self.states += states;
                self.violations += *violated as u64;
                self.trails += trails;
            }
            Comparison::SameRuns { broken, broken_fairly, is_missed } => {
                self.compared += 1;
                self.broken += *broken as u64;
                self.broken_fairly += *broken_fairly as u64;
                self.missed += *is_missed as u64;
            }
            Comparison::RejectedByBoth => self.rejected_by_both += 1,
            Comparison::TooLarge => self.too_large += 1,
            Comparison::SpinGaveUp => self.spin_gave_up += 1,
            Comparison::RuntimeError => self.runtime_errors += 1,
            Comparison::Different(_) => {}
        }
    }
}

/// All answers to one program, side by side, and those to its variants.
fn compare(program: &Program, seed: u64, oracle: &Oracle<'_>) -> Result<Comparison, Failure> {
    let comparison = compare_answers(&program.to_string(), oracle)?;
    let wrong = match &comparison {
        Comparison::Same { states, .. } => wrong_variant(program, seed, *states),
        Comparison::SpinGaveUp => None,
        _ => return Ok(comparison),
    };
    let wrong = wrong
        .or_else(|| asked_of(program, seed, questions::disagreement))
        .or_else(|| asked_of(program, seed, trees::disagreement));
    Ok(wrong.map_or(comparison, Comparison::Different))
}

/// A variant of the program whose answer is not related to the program's as it should be.
fn wrong_variant(program: &Program, seed: u64, states: u64) -> Option<String> {
    // Each has about as many states as the program, and there are a dozen of them.
    if states > MAX_STATES_FOR_VARIANTS {
        return None;
    }
    let expected = plain_answer(&program.to_string()).ok()?;
    variants(program, seed).into_iter().find_map(|variant| {
        let text = variant.program.to_string();
        let answer = match plain_answer(&text) {
            Ok(answer) => answer,
            Err(messages) => return Some(format!("variant `{}` is not accepted: {messages}\n{text}", variant.name)),
        };
        let same_verdict = answer.deadlock == expected.deadlock && answer.assertion == expected.assertion;
        let same_states = variant.relation == Relation::SameVerdict || answer.states == expected.states;
        (!same_verdict || !same_states).then(|| {
            format!(
                "variant `{}`: {}\nprogram: {}\n{text}",
                variant.name,
                describe(answer.states, answer.deadlock, answer.assertion),
                describe(expected.states, expected.deadlock, expected.assertion)
            )
        })
    })
}

/// Something that is asked of the model and on which our engines disagree.
fn asked_of(program: &Program, seed: u64, disagreement: fn(Model, u64) -> Option<String>) -> Option<String> {
    let loaded = load("m.pml", program.to_string().as_bytes(), &LoadOptions::default(), &NoIncludes);
    disagreement(loaded.model?, seed)
}

/// What the interpreter says, or what the front end complains about.
fn plain_answer(text: &str) -> Result<Answer, String> {
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    let model = loaded.model.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))?;
    Ok(CONTENDERS[0].answer(&model))
}

fn compare_answers(text: &str, oracle: &Oracle<'_>) -> Result<Comparison, Failure> {
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    let Some(model) = loaded.model else {
        let ours = loaded.diagnostics.render(&loaded.sources);
        return Ok(match oracle.answer(text)? {
            SpinAnswer::Rejected => Comparison::RejectedByBoth,
            _ if !oracle.asks => Comparison::SpinGaveUp,
            _ => Comparison::Different(format!("SPIN accepts the program, we do not:\n{ours}")),
        });
    };
    if contenders::is_too_large(&model) {
        return Ok(Comparison::TooLarge);
    }
    let answers: Vec<Answer> = CONTENDERS.iter().map(|contender| contender.answer(&model)).collect();
    let first = &answers[0];
    if let Some(what) = disagreement_among(&answers) {
        return Ok(Comparison::Different(what));
    }
    let is_watched = !model.monitors.is_empty();
    let mut followed: Vec<&Trace> = Vec::new();
    for (contender, answer) in CONTENDERS.iter().zip(&answers) {
        for witness in &answer.witnesses {
            if let Err(why) = certified::of_states(&model, witness) {
                return Ok(Comparison::Different(format!("a trace of {}: {why}", contender.name)));
            }
        }
        // SPIN sees what monitors say in its own way.
        if first.runtime_error || is_watched {
            continue;
        }
        // One run of each kind is enough to see whether SPIN follows.
        for wanted in [false, true] {
            let is_wanted = |witness: &&Witness| witness.fault.is_some() == wanted;
            let Some(Witness { run: trace, .. }) = answer.witnesses.iter().find(is_wanted) else { continue };
            if followed.contains(&trace) {
                continue;
            }
            followed.push(trace);
            if let Some(why) = oracle.follow(text, &trail(&model, trace), wanted)? {
                let why = format!("`spin -t` does not follow a trace of {}:\n{why}", contender.name);
                return Ok(Comparison::Different(why));
            }
        }
    }
    if first.runtime_error {
        return Ok(Comparison::RuntimeError);
    }
    Ok(match oracle.answer(text)? {
        SpinAnswer::Rejected => Comparison::Different("SPIN rejects the program, we do not".to_owned()),
        SpinAnswer::GaveUp => Comparison::SpinGaveUp,
        SpinAnswer::Finished { states, deadlock, assertion } => {
            let spin = (Some(states), deadlock, assertion);
            let ours = (first.states, first.deadlock, first.assertion);
            let is_broken = deadlock || assertion || first.deadlock || first.assertion;
            if is_watched && is_broken {
                // Where a run ends, and of messages that overtake others, SPIN tells monitors otherwise.
                Comparison::SpinGaveUp
            } else if spin == ours {
                Comparison::Same { states, violated: deadlock || assertion, trails: followed.len() as u64 }
            } else {
                Comparison::Different(format!(
                    "SPIN: {}\nReductio: {}",
                    describe(spin.0, deadlock, assertion),
                    describe(ours.0, ours.1, ours.2)
                ))
            }
        }
    })
}

fn trail(model: &Model, trace: &Trace) -> String {
    let interpreter = &mut Interpreter::new(model);
    let walk = trace.walk(interpreter);
    spin_trail::write(&TraceEntry::of(interpreter, &walk))
}

/// Makes a program that shows a disagreement as small as it gets, and writes it down with both answers.
fn document(
    seed: u64,
    program: &Program,
    what: &str,
    campaign: &Campaign,
    oracle: &Oracle<'_>,
    directory: &Path,
) -> Result<Disagreement, Failure> {
    let mut smallest = program.clone();
    let mut what = what.to_owned();
    if !campaign.first_only {
        let kind = kind_of(&what);
        smallest = shrink(
            program,
            &mut |candidate: &Program| matches!(campaign.compare(candidate, seed, oracle), Ok(Comparison::Different(why)) if kind_of(&why) == kind),
        );
        if let Comparison::Different(why) = campaign.compare(&smallest, seed, oracle)? {
            what = why;
        }
    }
    let file = directory.join(format!("disagreement-{seed}.pml"));
    super::write_down(seed, &what, &smallest, &file)?;
    Ok(Disagreement { seed, what, file })
}

/// While shrinking, one disagreement must not turn into another.
fn kind_of(what: &str) -> String {
    let first = what.lines().next().unwrap_or_default();
    first.chars().filter(|character| !character.is_ascii_digit()).collect::<String>().chars().take(24).collect()
}

fn conclude(campaign: &Campaign, tally: &Tally, elapsed: Duration) -> Result<(), Failure> {
    let seen = if campaign.claims {
        format!(
            "{} claims broken, {} of them by fair runs, of which SPIN misses {}",
            tally.broken, tally.broken_fairly, tally.missed
        )
    } else {
        let Tally { states, violations, trails, .. } = tally;
        format!("{states} states, {violations} with violations, {trails} trails followed by `spin -t`")
    };
    println!(
        "fuzz: {} programs in {:.0} s: {} compared with SPIN ({seen}), {} rejected by both, {} too large, {} with \
         run-time errors, {} that SPIN gave up on, {} disagreements",
        tally.programs,
        elapsed.as_secs_f64(),
        tally.compared,
        tally.rejected_by_both,
        tally.too_large,
        tally.runtime_errors,
        tally.spin_gave_up,
        tally.disagreements.len()
    );
    match tally.disagreements.first() {
        None => Ok(()),
        Some(first) => Err(Failure(format!("seed {}: {}; see {}", first.seed, first.what, first.file.display()))),
    }
}
