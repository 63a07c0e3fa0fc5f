//! Real SPIN as the oracle for small programs, as fast as it can be made: compiled by tcc, answers remembered.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

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

/// Answers of SPIN, by a hash of the program, kept in a file from run to run.
pub struct Memory {
    path: PathBuf,
    answers: Mutex<HashMap<u64, SpinAnswer>>,
}

impl Memory {
    pub fn open(path: PathBuf) -> Memory {
        let mut answers = HashMap::new();
        for line in fs::read_to_string(&path).unwrap_or_default().lines() {
            if let Some((key, answer)) = parse_line(line) {
                answers.insert(key, answer);
            }
        }
        Memory { path, answers: Mutex::new(answers) }
    }

    pub fn save(&self) -> Result<(), Failure> {
        let answers = self.answers.lock().expect("no worker panics");
        let mut lines: Vec<String> = answers.iter().map(|(key, answer)| write_line(*key, *answer)).collect();
        lines.sort();
        fs::write(&self.path, lines.join("\n") + "\n")?;
        Ok(())
    }
}

fn write_line(key: u64, answer: SpinAnswer) -> String {
    match answer {
        SpinAnswer::Rejected => format!("{key:016x} rejected"),
        SpinAnswer::GaveUp => format!("{key:016x} gave-up"),
        SpinAnswer::Finished { states, deadlock, assertion } => {
            format!("{key:016x} {states} {} {}", deadlock as u8, assertion as u8)
        }
    }
}

fn parse_line(line: &str) -> Option<(u64, SpinAnswer)> {
    let words: Vec<&str> = line.split(' ').collect();
    let key = u64::from_str_radix(words.first()?, 16).ok()?;
    let answer = match words[1..] {
        ["rejected"] => SpinAnswer::Rejected,
        ["gave-up"] => SpinAnswer::GaveUp,
        [states, deadlock, assertion] => SpinAnswer::Finished {
            states: states.parse().ok()?,
            deadlock: deadlock == "1",
            assertion: assertion == "1",
        },
        _ => return None,
    };
    Some((key, answer))
}

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
        let key = hash(text);
        if let Some(answer) = self.memory.answers.lock().expect("no worker panics").get(&key) {
            return Ok(*answer);
        }
        let answer = self.ask(text)?;
        self.memory.answers.lock().expect("no worker panics").insert(key, answer);
        Ok(answer)
    }

    fn ask(&self, text: &str) -> Result<SpinAnswer, Failure> {
        for leftover in ["pan.c", "pan"] {
            let _ = fs::remove_file(self.directory.join(leftover));
        }
        fs::write(self.directory.join("m.pml"), text)?;
        let generated = self.run("spin", &["-a", "-o1", "-o2", "-o3", "m.pml"])?;
        let complaint = String::from_utf8_lossy(&generated.stdout).contains(", Error:");
        let dubious = String::from_utf8_lossy(&generated.stdout).contains("dubious use of 'else'");
        if !self.directory.join("pan.c").exists() || (complaint && !dubious) {
            return Ok(SpinAnswer::Rejected);
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
        if !self.asks {
            return Ok(None);
        }
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
