//! Bounded fuzzing of the Promela front end: programs are mutated, and no text may make the preprocessor,
//! the parser, the lowering or the interpreter panic or hang.
//!
//! A stack overflow ends the whole process, so each input is written to a file before it is tried; what killed the
//! process is there afterwards. A panic is caught, and its input made smaller before it is reported.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use reductio_frontends::promela::{IncludeError, IncludeLoader, LoadOptions, load};
use reductio_model::{Interpreter, Model, Successors, TransitionSystem};
use reductio_testing::random::Random;

/// The room that the `reductio` binary gives itself.
const STACK_SIZE: usize = 64 << 20;
/// Inputs are small, so anything slower than this has got stuck.
const TIME_PER_INPUT: Duration = Duration::from_secs(10);
const MAX_INPUT: usize = 200_000;
const SHRINKING_STEPS: usize = 5_000;

/// When to stop: whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub inputs: u64,
    pub time: Duration,
}

#[derive(Debug)]
pub struct Outcome {
    pub inputs: u64,
    /// How many were correct programs: if almost none are, the mutations are too wild to reach far.
    pub accepted: u64,
    pub slowest: Duration,
    pub slowest_input: Vec<u8>,
    pub finding: Option<Finding>,
}

#[derive(Debug)]
pub enum Finding {
    Panic { message: String, input: Vec<u8> },
    Hang { input: Vec<u8> },
}

/// Mutates the programs of the corpus and parses the results until something is found or the budget is spent. The
/// input being tried is kept in the file `current`.
pub fn parser(corpus: &[PathBuf], seed: u64, budget: Budget, current: &Path) -> io::Result<Outcome> {
    let mut programs = Vec::new();
    for path in corpus {
        programs.push(std::fs::read(path)?);
    }
    programs.push(b"byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }".to_vec());

    let started = Instant::now();
    let mut mutator = Mutator { random: Random::new(seed), programs };
    let worker = Worker::start()?;
    let mut outcome =
        Outcome { inputs: 0, accepted: 0, slowest: Duration::ZERO, slowest_input: Vec::new(), finding: None };
    while outcome.inputs < budget.inputs && started.elapsed() < budget.time {
        let input = mutator.input();
        std::fs::write(current, &input)?;
        let input_started = Instant::now();
        let run = worker.run(input.clone());
        if input_started.elapsed() > outcome.slowest {
            outcome.slowest = input_started.elapsed();
            outcome.slowest_input.clone_from(&input);
        }
        match run {
            Run::Accepted => outcome.accepted += 1,
            Run::Rejected => {}
            Run::Panicked(_) => {
                let (input, message) = shrunk(&worker, input);
                outcome.finding = Some(Finding::Panic { message, input });
            }
            Run::Hung => outcome.finding = Some(Finding::Hang { input }),
        }
        outcome.inputs += 1;
        if outcome.finding.is_some() {
            break;
        }
    }
    std::fs::remove_file(current)?;
    Ok(outcome)
}

enum Run {
    Accepted,
    Rejected,
    Panicked(String),
    Hung,
}

/// A thread that parses, so that the one that waits can notice when it takes too long.
struct Worker {
    inputs: Sender<Vec<u8>>,
    runs: Receiver<Run>,
}

impl Worker {
    fn start() -> io::Result<Worker> {
        let (inputs, input_receiver) = channel::<Vec<u8>>();
        let (run_sender, runs) = channel();
        std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || {
            for input in input_receiver {
                if run_sender.send(run(&input)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Worker { inputs, runs })
    }

    fn run(&self, input: Vec<u8>) -> Run {
        if self.inputs.send(input).is_err() {
            return Run::Panicked("the parsing thread has ended".to_string());
        }
        match self.runs.recv_timeout(TIME_PER_INPUT) {
            Ok(run) => run,
            Err(RecvTimeoutError::Timeout) => Run::Hung,
            Err(RecvTimeoutError::Disconnected) => Run::Panicked("the parsing thread has ended".to_string()),
        }
    }
}

/// Visits the first few states of a model.
fn explore(model: &Model) {
    let system = Interpreter::new(model);
    let mut successors = Successors::default();
    let mut pending = VecDeque::from([system.initial()]);
    for _ in 0..20 {
        let Some(state) = pending.pop_front() else { return };
        system.successors(&state, &mut successors);
        pending.extend(successors.iter().filter_map(|(_, state)| state.map(<[u8]>::to_vec)));
    }
}

fn run(input: &[u8]) -> Run {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let loaded = load("fuzz.pml", input, &LoadOptions::default(), &SelfInclude(input));
        // Showing the messages must not fail either.
        loaded.diagnostics.render(&loaded.sources);
        // Nor must running what was accepted, be it nonsense.
        loaded.model.as_ref().map(explore).is_some()
    }));
    match result {
        Ok(true) => Run::Accepted,
        Ok(false) => Run::Rejected,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Run::Panicked(text.unwrap_or("a panic without a message").to_string())
        }
    }
}

/// Every included file is the input itself: the worst case for cycles.
struct SelfInclude<'a>(&'a [u8]);

impl IncludeLoader for SelfInclude<'_> {
    fn load(&self, _including_file: &str, name: &str) -> Result<(String, Vec<u8>), IncludeError> {
        match name.len() % 2 {
            0 => Ok((name.to_string(), self.0.to_vec())),
            _ => Err(IncludeError { reason: "no such file".to_string() }),
        }
    }
}

/// Leaves out parts of the input, ever smaller ones, as long as it still panics.
fn shrunk(worker: &Worker, mut input: Vec<u8>) -> (Vec<u8>, String) {
    let panics = |input: &[u8]| match worker.run(input.to_vec()) {
        Run::Panicked(message) => Some(message),
        _ => None,
    };
    let mut message = panics(&input).unwrap_or_else(|| "the panic did not happen again".to_string());
    let mut steps = 0;
    let mut part = input.len() / 2;
    while part > 0 && steps < SHRINKING_STEPS {
        let mut start = 0;
        while start < input.len() && steps < SHRINKING_STEPS {
            let mut candidate = input.clone();
            candidate.drain(start..(start + part).min(input.len()));
            steps += 1;
            match panics(&candidate) {
                Some(found) => (input, message) = (candidate, found),
                None => start += part,
            }
        }
        part /= 2;
    }
    (input, message)
}

struct Mutator {
    random: Random,
    programs: Vec<Vec<u8>>,
}

/// What tends to upset parsers, and what the grammar is made of.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "->",
    "::",
    ":",
    "=",
    "==",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "@",
    ".",
    "..",
    ",",
    "#",
    "##",
    "\\\n",
    "\n",
    "\n#if 1\n",
    "\n#endif\n",
    "\n#else\n",
    "\n#elif 0\n",
    "\n#define x x x\n",
    "\n#define F(a, b) a ## b #a F(b, a)\n",
    "\nF(1, F(2, 3))\n",
    "\n#undef x\n",
    "\n#include \"ab\"\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "'a'",
    "0",
    "1",
    "2147483648",
    "-2147483648",
    "99999999999",
    "0x1f",
    "if",
    "fi",
    "do",
    "od",
    "else",
    "atomic",
    "d_step",
    "unless",
    "goto",
    "break",
    "skip",
    "inline f(x) {",
    "f(",
    "return",
    "proctype P() {",
    "init {",
    "active [2]",
    "never {",
    "ltl p {",
    "[]",
    "<>",
    "<->",
    " U ",
    "typedef T {",
    "T t;",
    "mtype = {",
    "mtype:a",
    "chan c = [1] of {",
    "c?[",
    "c?<",
    "c!a(",
    "run P(",
    "eval(",
    "len(",
    "full(",
    "for (i : ",
    "for (i in ",
    "select (",
    "P[0]@L",
    "P:x",
    "L:",
    "x++",
    "x +=",
    "while (",
    "if (x)",
    "assert",
    "printf(\"%d\"",
    "c_code {",
    "timeout",
    "np_",
    "\u{e9}",
    "\u{0}",
    "\u{fffd}",
];

impl Mutator {
    fn input(&mut self) -> Vec<u8> {
        let mut text = self.program();
        for _ in 0..1 + self.random.below(6) {
            self.mutate(&mut text);
        }
        text.truncate(MAX_INPUT);
        text
    }

    fn program(&mut self) -> Vec<u8> {
        let index = self.random.below(self.programs.len());
        self.programs[index].clone()
    }

    fn mutate(&mut self, text: &mut Vec<u8>) {
        let at = self.random.below(text.len() + 1);
        match self.random.below(12) {
            0 => self.flip_byte(text),
            1 => text.truncate(at),
            2 => {
                text.drain(..at);
            }
            3 | 4 => insert(text, at, PIECES[self.random.below(PIECES.len())].as_bytes()),
            5 => self.delete_token(text),
            6 => self.duplicate_token(text),
            7 => self.swap_tokens(text),
            8 => self.nesting_bomb(text, at),
            9 => self.splice(text, at),
            10 => self.repeat_part(text, at),
            _ => self.replace_token(text),
        }
    }

    fn flip_byte(&mut self, text: &mut [u8]) {
        if !text.is_empty() {
            let at = self.random.below(text.len());
            text[at] ^= 1 << self.random.below(8);
        }
    }

    /// A stretch of letters and digits, or any other single byte that is no space.
    fn token(&mut self, text: &[u8]) -> Option<std::ops::Range<usize>> {
        let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let from = self.random.below(text.len().max(1));
        let mut start = (from..text.len()).find(|at| !text[*at].is_ascii_whitespace())?;
        let mut end = start + 1;
        if in_word(text[start]) {
            while start > 0 && in_word(text[start - 1]) {
                start -= 1;
            }
            while end < text.len() && in_word(text[end]) {
                end += 1;
            }
        }
        Some(start..end)
    }

    fn delete_token(&mut self, text: &mut Vec<u8>) {
        if let Some(range) = self.token(text) {
            text.drain(range);
        }
    }

    fn duplicate_token(&mut self, text: &mut Vec<u8>) {
        if let Some(range) = self.token(text) {
            let copy = text[range.clone()].to_vec();
            insert(text, range.end, &copy);
        }
    }

    fn replace_token(&mut self, text: &mut Vec<u8>) {
        let (Some(one), Some(other)) = (self.token(text), self.token(text)) else { return };
        let copy = text[other].to_vec();
        text.splice(one, copy);
    }

    fn swap_tokens(&mut self, text: &mut Vec<u8>) {
        let (Some(one), Some(other)) = (self.token(text), self.token(text)) else { return };
        let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
        if first.end > second.start {
            return;
        }
        let (left, right) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        text.splice(second, left);
        text.splice(first, right);
    }

    fn nesting_bomb(&mut self, text: &mut Vec<u8>, at: usize) {
        const BOMBS: &[(&str, &str)] = &[
            ("(", ")"),
            ("{", "}"),
            ("[", "]"),
            ("if :: ", " fi"),
            ("do :: ", " od"),
            ("atomic {", "}"),
            ("!", ""),
            ("- ", ""),
            ("a[", "]"),
            ("L: ", ""),
            ("F(", ")"),
            ("c?a(", ")"),
            ("1 + ", ""),
            ("(1 -> ", " : 2)"),
            ("if (x) ", " else skip"),
            ("\n#if 1\n", "\n#endif\n"),
            ("f(", ")"),
            ("[]", ""),
            ("run P(", ")"),
        ];
        let (open, close) = BOMBS[self.random.below(BOMBS.len())];
        let depth = [3, 50, 300, 1_100, 12_000][self.random.below(5)];
        let inside = if self.random.below(2) == 0 { "1" } else { "" };
        let close = if self.random.below(4) == 0 { String::new() } else { close.repeat(depth) };
        insert(text, at, format!("{}{inside}{close}", open.repeat(depth)).as_bytes());
    }

    fn splice(&mut self, text: &mut Vec<u8>, at: usize) {
        let other = self.program();
        let start = self.random.below(other.len() + 1);
        text.truncate(at);
        text.extend_from_slice(&other[start..]);
    }

    fn repeat_part(&mut self, text: &mut Vec<u8>, at: usize) {
        let length = self.random.below(200).min(text.len() - at);
        let part = text[at..at + length].to_vec();
        let times = 1 + self.random.below(20);
        insert(text, at, &part.repeat(times));
    }
}

fn insert(text: &mut Vec<u8>, at: usize, what: &[u8]) {
    text.splice(at..at, what.iter().copied());
}
