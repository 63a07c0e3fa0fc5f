//! Real SPIN as the oracle for small programs, as fast as it can be made: compiled by tcc, answers remembered.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use reductio_testing::promela::generate::ClaimKind;

use crate::Failure;
use crate::spin::{self, Answer};

/// What SPIN's verifier says about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpinAnswer {
    /// SPIN finds the text wrong.
    Rejected,
    /// The verifier did not finish.
    GaveUp,
    Finished {
        states: u64,
        deadlock: bool,
        assertion: bool,
    },
}

/// What SPIN's verifier says about the infinite runs of a program: is there one that breaks the claim?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinRuns {
    /// `None` if it did not finish.
    pub all: Option<bool>,
    /// Among the weakly fair runs.
    pub fair: Option<bool>,
}

/// Answers of SPIN, by a hash of the question, kept in a file from run to run.
pub struct Memory {
    path: PathBuf,
    answers: Mutex<HashMap<u64, String>>,
}

impl Memory {
    pub fn open(path: PathBuf) -> Memory {
        let mut answers = HashMap::new();
        for line in fs::read_to_string(&path).unwrap_or_default().lines() {
            if let Some((key, answer)) = line.split_once(' ')
                && let Ok(key) = u64::from_str_radix(key, 16)
            {
                answers.insert(key, answer.to_owned());
            }
        }
        Memory { path, answers: Mutex::new(answers) }
    }

    pub fn save(&self) -> Result<(), Failure> {
        let answers = self.answers.lock().expect("no worker panics");
        let mut lines: Vec<String> = answers.iter().map(|(key, answer)| format!("{key:016x} {answer}")).collect();
        lines.sort();
        fs::write(&self.path, lines.join("\n") + "\n")?;
        Ok(())
    }

    /// The answer to a question, asked for if it is not known.
    fn recall<A: Remembered>(&self, question: &str, ask: impl FnOnce() -> Result<A, Failure>) -> Result<A, Failure> {
        let key = hash(question);
        let known = self.answers.lock().expect("no worker panics").get(&key).and_then(|line| A::parse(line));
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = ask()?;
        self.answers.lock().expect("no worker panics").insert(key, answer.write());
        Ok(answer)
    }

    /// Did SPIN follow this trail once?
    fn knows_trail(&self, question: &str) -> bool {
        self.answers.lock().expect("no worker panics").contains_key(&hash(question))
    }

    fn note_trail(&self, question: &str) {
        self.answers.lock().expect("no worker panics").insert(hash(question), "followed".to_owned());
    }
}

/// An answer that fits into a line.
trait Remembered: Sized {
    fn write(&self) -> String;
    fn parse(line: &str) -> Option<Self>;
}

impl Remembered for SpinAnswer {
    fn write(&self) -> String {
        match self {
            SpinAnswer::Rejected => "rejected".to_owned(),
            SpinAnswer::GaveUp => "gave-up".to_owned(),
            SpinAnswer::Finished { states, deadlock, assertion } => {
                format!("{states} {} {}", *deadlock as u8, *assertion as u8)
            }
        }
    }

    fn parse(line: &str) -> Option<Self> {
        Some(match line.split(' ').collect::<Vec<_>>()[..] {
            ["rejected"] => SpinAnswer::Rejected,
            ["gave-up"] => SpinAnswer::GaveUp,
            [states, deadlock, assertion] => SpinAnswer::Finished {
                states: states.parse().ok()?,
                deadlock: deadlock == "1",
                assertion: assertion == "1",
            },
            _ => return None,
        })
    }
}

impl Remembered for Option<SpinRuns> {
    fn write(&self) -> String {
        let word = |found: Option<bool>| match found {
            None => "open",
            Some(true) => "broken",
            Some(false) => "kept",
        };
        self.map_or("rejected".to_owned(), |runs| format!("{} {}", word(runs.all), word(runs.fair)))
    }

    fn parse(line: &str) -> Option<Self> {
        let found = |word: &str| match word {
            "open" => Some(None),
            "broken" => Some(Some(true)),
            "kept" => Some(Some(false)),
            _ => None,
        };
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["rejected"] => Some(None),
            [all, fair] => Some(Some(SpinRuns { all: found(all)?, fair: found(fair)? })),
            _ => None,
        }
    }
}

/// What SPIN makes of a text.
enum Generated {
    Verifier,
    Nothing,
    TooLate,
}

/// What `timeout` exits with when the time is over.
const TIMED_OUT: i32 = 124;

/// One worker's SPIN, with a directory of its own.
pub struct Oracle<'m> {
    directory: PathBuf,
    memory: &'m Memory,
    /// Is SPIN asked at all?
    pub asks: bool,
}

impl<'m> Oracle<'m> {
    pub fn new(directory: PathBuf, memory: &'m Memory, asks: bool) -> Result<Self, Failure> {
        fs::create_dir_all(&directory)?;
        Ok(Oracle { directory, memory, asks })
    }

    /// The full state space of a program, all of SPIN's reductions off.
    pub fn answer(&self, text: &str) -> Result<SpinAnswer, Failure> {
        if !self.asks {
            return Ok(SpinAnswer::GaveUp);
        }
        self.memory.recall(text, || self.ask(text))
    }

    /// Whether a run of the program breaks its claim; `None` if SPIN finds the text wrong.
    pub fn runs(&self, text: &str, kind: ClaimKind) -> Result<Option<SpinRuns>, Failure> {
        if !self.asks {
            return Ok(Some(SpinRuns { all: None, fair: None }));
        }
        self.memory.recall(&format!("{text}runs"), || self.ask_for_runs(text, kind, "tcc"))
    }

    /// The same from a slow compiler, to be sure: tcc gets `!(!(0 || 1 || x))` wrong.
    pub fn careful_runs(&self, text: &str, kind: ClaimKind) -> Result<Option<SpinRuns>, Failure> {
        self.memory.recall(&format!("{text}runs, compiled slowly"), || self.ask_for_runs(text, kind, "cc"))
    }

    fn ask(&self, text: &str) -> Result<SpinAnswer, Failure> {
        match self.generate(text)? {
            Generated::Verifier => {}
            Generated::Nothing => return Ok(SpinAnswer::Rejected),
            Generated::TooLate => return Ok(SpinAnswer::GaveUp),
        }
        let flags = ["-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-DNOCLAIM", "-o", "pan", "pan.c"];
        if !self.run("tcc", &flags)?.status.success() {
            return Ok(SpinAnswer::GaveUp);
        }
        let Some((states, errors)) = self.pan(&[])? else { return Ok(SpinAnswer::GaveUp) };
        // With several errors pan names only the first, so each kind is asked for by itself.
        let only = |flag: &str| -> Result<bool, Failure> {
            Ok(errors > 0 && self.pan(&[flag])?.is_some_and(|(_, errors)| errors > 0))
        };
        let (deadlock, assertion) = (only("-A")?, only("-E")?);
        Ok(SpinAnswer::Finished { states, deadlock, assertion })
    }

    fn ask_for_runs(&self, text: &str, kind: ClaimKind, compiler: &str) -> Result<Option<SpinRuns>, Failure> {
        match self.generate(text)? {
            Generated::Verifier => {}
            Generated::Nothing => return Ok(None),
            Generated::TooLate => return Ok(Some(SpinRuns { all: None, fair: None })),
        }
        let (macros, flags): (&[&str], &[&str]) = match kind {
            ClaimKind::Ltl => (&[], &["-a", "-N", "property"]),
            ClaimKind::Never | ClaimKind::Acceptance => (&[], &["-a"]),
            ClaimKind::Progress => (&["-DNP", "-DNOCLAIM"], &["-l"]),
        };
        let compile = [&["-w", "-DNOREDUCE", "-DNFAIR=3"], macros, &["-o", "pan", "pan.c"]].concat();
        if !self.run(compiler, &compile)?.status.success() {
            return Ok(Some(SpinRuns { all: None, fair: None }));
        }
        let fair_flags = [flags, &["-f"]].concat();
        Ok(Some(SpinRuns { all: self.pan_on_runs(flags)?, fair: self.pan_on_runs(&fair_flags)? }))
    }

    /// Runs the verifier up to its first error; answers whether it is one, if the verifier finished.
    fn pan_on_runs(&self, flags: &[&str]) -> Result<Option<bool>, Failure> {
        for depth in [10_000, 1_000_000] {
            let option = format!("-m{depth}");
            let arguments = [&["20", "./pan", "-n", "-E", "-w16", &option], flags].concat();
            let output = self.run("timeout", &arguments)?;
            let output = String::from_utf8_lossy(&output.stdout);
            // Where a claim with an `atomic` goes on after the processes have stopped, pan does not say that it gave up.
            let is_deepest = output.contains(&format!("depth reached {},", depth - 1));
            match spin::read_claim_verdict(&output) {
                Err(reason) if reason == spin::DEPTH_LIMIT => {}
                Ok(false) if is_deepest => {}
                // Only the claim has assertions.
                Err(reason) if reason.contains("assertion violated") => return Ok(Some(true)),
                answer => return Ok(answer.ok()),
            }
        }
        Ok(None)
    }

    /// Has SPIN write its verifier, if it takes the text.
    fn generate(&self, text: &str) -> Result<Generated, Failure> {
        for leftover in ["pan.c", "pan"] {
            let _ = fs::remove_file(self.directory.join(leftover));
        }
        fs::write(self.directory.join("m.pml"), text)?;
        // The automaton of a formula may take hours, and all memory that there is.
        let generated = self.run("timeout", &["10", "spin", "-a", "-o1", "-o2", "-o3", "m.pml"])?;
        if generated.status.code() == Some(TIMED_OUT) {
            return Ok(Generated::TooLate);
        }
        let complaint = String::from_utf8_lossy(&generated.stdout).contains(", Error:");
        let dubious = String::from_utf8_lossy(&generated.stdout).contains("dubious use of 'else'");
        let is_taken = self.directory.join("pan.c").exists() && (!complaint || dubious);
        Ok(if is_taken { Generated::Verifier } else { Generated::Nothing })
    }

    /// Runs the verifier; answers states and errors, if it finished.
    fn pan(&self, flags: &[&str]) -> Result<Option<(u64, u64)>, Failure> {
        for depth in ["-m10000", "-m1000000"] {
            let mut arguments = vec!["20", "./pan", "-n", "-c0", "-w16", depth];
            arguments.extend(flags);
            let output = self.run("timeout", &arguments)?;
            match spin::read_answer(&String::from_utf8_lossy(&output.stdout)) {
                Answer::GaveUp(reason) if reason == spin::DEPTH_LIMIT => {}
                Answer::Finished { states, errors, .. } => return Ok(Some((states, errors))),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Has `spin -t` follow a trail. Answers what went wrong, if anything did.
    pub fn follow(&self, text: &str, trail: &str, to_assertion: bool) -> Result<Option<String>, Failure> {
        let question = format!("{text}trail, to an assertion: {to_assertion}\n{trail}");
        if !self.asks || self.memory.knows_trail(&question) {
            return Ok(None);
        }
        let complaint = self.ask_to_follow(text, trail, to_assertion)?;
        if complaint.is_none() {
            self.memory.note_trail(&question);
        }
        Ok(complaint)
    }

    fn ask_to_follow(&self, text: &str, trail: &str, to_assertion: bool) -> Result<Option<String>, Failure> {
        fs::write(self.directory.join("m.pml"), text)?;
        fs::write(self.directory.join("m.trail"), trail)?;
        let output = self.run("timeout", &["20", "spin", "-t", "-k", "m.trail", "m.pml"])?;
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let steps = trail.lines().count();
        // SPIN's simulator cuts values where its verifier does not, and says so: then it goes another way.
        if output.contains("truncated in assignment") {
            return Ok(None);
        }
        let complete = output.contains(&format!("trail ends after {steps} steps"));
        let convicted = !to_assertion || output.contains("assertion violated");
        Ok((!complete || !convicted).then_some(output))
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<Output, Failure> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.directory).stdin(Stdio::null());
        command.output().map_err(|error| Failure(format!("{program} could not be started: {error}")))
    }
}

/// FNV-1a: good enough to tell programs apart, the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
