//! Limits hold: resident memory against `--memory` and wall time against `--time`, for every engine, order of search, store and
//! phase, on models that try to break them.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Run, command, reductio, scratch};

/// What the program takes besides what `--memory` limits: its code, its stacks, what a thread needs.
const PROGRAM_ITSELF: u64 = 24 << 20;

/// How long after the limit the report may come. Two seconds are promised; a busy machine gets more.
const GRACE: Duration = Duration::from_secs(10);

/// A run of the program, and the most memory that it had at once.
struct Measured {
    run: Run,
    peak: u64,
    time: Duration,
}

fn measure(arguments: &[&str]) -> Measured {
    let started = Instant::now();
    let child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let status = format!("/proc/{}/status", child.id());
    let ending = std::thread::spawn(move || child.wait_with_output().expect("it ends"));
    let mut peak = 0;
    while !ending.is_finished() {
        peak = peak.max(peak_memory(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let run = ending.join().expect("nothing goes wrong in waiting").into();
    Measured { run, peak, time: started.elapsed() }
}

fn peak_memory(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let size = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    size.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A model in a file of this test.
fn file(name: &str, text: &str) -> String {
    let path: PathBuf = scratch(&format!("limits-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("the directory of tests can be written to");
    path.to_str().expect("its name is text").to_owned()
}

/// A long run without branches.
const DEEP: &str = "int x; active proctype P() { do :: x != -1 -> x++ od }";
/// Many states after few steps.
const WIDE: &str = "byte a[8]; active [8] proctype P() { do :: a[_pid]++ :: a[_pid] = a[(_pid + 1) % 8] od }";
/// Values that are hardly ever the same again.
const VALUES: &str = "int x, y; active proctype P() { do :: x = x * 3 + y :: y = y * 5 + 7 :: x = x - y :: x + y == 123456789 -> skip od }";
/// Many processes with much in them.
const CROWD: &str = "proctype P() { byte x; int big[20]; do :: x++; big[x % 20] = big[(x + 1) % 20] + x; assert(big[x % 20] != 123456789) od }
    init { byte i; do :: i < 200 -> run P(); i++ :: else -> break od }";
/// So many processes with so many channels that states are too long to be packed.
const LONG: &str = "chan c[200] = [4] of { int, int }; int big[3000];
    active proctype P() { int i; do :: big[i % 3000] = i * 7; i++ :: nfull(c[i % 200]) -> c[i % 200]!i, i; i++ od }";
/// States from which nobody can move: 3^11 of them.
const DEADLOCKS: &str = "active [11] proctype P() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; (false) }";

const MEMORY: &str = "32M";
const MEMORY_BYTES: u64 = 32 << 20;

/// Checks with little memory and enough time. Some property must have met the limit.
fn is_kept(name: &str, text: &str, options: &[&str]) {
    let json = is_kept_whatever_it_finds(name, text, options);
    let results = json["results"].as_array().expect("there are results");
    let has_met = |result: &Value| result["reason"].as_str().is_some_and(|reason| reason.contains("memory limit"));
    assert!(results.iter().any(has_met), "{name} {options:?}: {}", json["results"]);
}

fn is_kept_whatever_it_finds(name: &str, text: &str, options: &[&str]) -> Value {
    let path = file(name, text);
    let mut arguments = vec!["check", &path, "--memory", MEMORY, "--time", "60s", "--format", "json"];
    arguments.extend(options);
    let Measured { run, peak, .. } = measure(&arguments);
    let most = MEMORY_BYTES + MEMORY_BYTES / 10 + PROGRAM_ITSELF;
    assert!(peak <= most, "{name} {options:?}: {} MiB", peak >> 20);
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{name} {options:?}: {}{}", run.out, run.err))
}

/// Checks with little time and enough memory.
fn is_in_time(name: &str, text: &str, options: &[&str]) {
    let path = file(name, text);
    let mut arguments = vec!["check", &path, "--memory", "2G", "--time", "1s", "--format", "json"];
    arguments.extend(options);
    let Measured { run, time, .. } = measure(&arguments);
    assert!(time < Duration::from_secs(1) + GRACE, "{name} {options:?}: {time:?}");
    let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{name} {options:?}: {run:?}"));
    let seconds = json["statistics"]["seconds"].as_f64().expect("a number");
    assert!(seconds <= time.as_secs_f64(), "{name} {options:?}: {seconds} s reported, {time:?} taken");
}

#[test]
fn memory_of_every_store_and_order() {
    for (name, text) in [("deep.pml", DEEP), ("wide.pml", WIDE), ("values.pml", VALUES), ("crowd.pml", CROWD)] {
        for order in [&["--search", "bfs"][..], &["--search", "dfs"], &["--threads", "2"]] {
            is_kept(name, text, &[order, &["--reduce", "none", "--store", "exact"]].concat());
            for store in ["compact", "bitstate"] {
                is_kept_whatever_it_finds(name, text, &[order, &["--reduce", "none", "--store", store]].concat());
            }
        }
    }
}

#[test]
fn memory_of_every_reduction() {
    for (name, text) in [("deep.pml", DEEP), ("values.pml", VALUES), ("crowd.pml", CROWD)] {
        is_kept(name, text, &[]);
        is_kept(name, text, &["--reduce", "por", "--search", "dfs"]);
        is_kept(name, text, &["--reduce", "sleep", "--search", "dfs"]);
    }
    is_kept("wide.pml", WIDE, &["--reduce", "sleep", "--search", "dfs"]);
    is_kept("wide.pml", WIDE, &["--reduce", "symmetry", "--search", "dfs"]);
    is_kept("long.pml", LONG, &[]);
    is_kept("long.pml", LONG, &["--search", "dfs"]);
}

#[test]
fn memory_of_searches_for_infinite_runs() {
    let formulas = [("deep.pml", DEEP, "[] <> (x == 3)"), ("wide.pml", WIDE, "<> [] (a[1] == 3) || [] <> (a[2] > 9)")];
    let ways = [
        &["--fairness", "weak"][..],
        &["--fairness", "weak", "--cycles", "nested"],
        &["--fairness", "weak", "--hunt"],
        &["--fairness", "strong"],
        &["--fairness", "operation-justice"],
        &["--fairness", "operation-fairness"],
    ];
    for (name, text, formula) in formulas {
        for way in ways {
            is_kept(name, text, &[way, &["--ltl", formula, "--property", formula]].concat());
        }
    }
    for cycles in ["components", "nested"] {
        let formula = "[] <> (x == 3)";
        is_kept("deep.pml", DEEP, &["--cycles", cycles, "--ltl", formula, "--property", formula]);
    }
}

#[test]
fn memory_of_computation_trees() {
    for (name, text) in [("deep.pml", DEEP), ("values.pml", VALUES)] {
        for engine in ["explicit", "symbolic"] {
            is_kept(name, text, &["--engine", engine, "--ctl", "AG EF (x == 1)"]);
        }
        is_kept(name, text, &["--engine", "symbolic"]);
    }
}

/// A product is the textbook's example of a function without small diagrams.
fn multiplier(specification: &str) -> String {
    format!(
        "MODULE main
        VAR a : unsigned word[14]; b : unsigned word[14]; p : unsigned word[14];
        ASSIGN init(p) := 0ud14_0; next(p) := a * b; next(a) := a + 0ud14_1; next(b) := b xor p;
        {specification}"
    )
}

/// A circuit that counts with so many latches: nothing for diagrams, and much for lists of states.
fn counter(bits: u32) -> String {
    // Latch number i has variable 1 + i; its carry and its next value come behind.
    let latch = |bit: u32| 2 * (1 + bit);
    let gate = |bit: u32, number: u32| 2 * (1 + bits + 4 * bit + number);
    let mut text = format!("aag {} 0 {bits} 0 {} 1\n", 5 * bits, 4 * bits);
    for bit in 0..bits {
        writeln!(text, "{} {}", latch(bit), gate(bit, 3) + 1).expect("text can be written");
    }
    writeln!(text, "{}", gate(bits - 1, 0)).expect("text can be written");
    for bit in 0..bits {
        // What is carried out of this latch, and the latch changed by what is carried into it.
        let carried = if bit == 0 { 1 } else { gate(bit - 1, 0) };
        let here = latch(bit);
        let gates = [(here, carried), (here, carried ^ 1), (here ^ 1, carried), (gate(bit, 1) ^ 1, gate(bit, 2) ^ 1)];
        for (number, (left, right)) in (0..).zip(gates) {
            writeln!(text, "{} {} {}", gate(bit, number), left.max(right), left.min(right))
                .expect("text can be written");
        }
    }
    text
}

const HARD_INVARIANT: &str = "INVARSPEC p != 0ud14_4711";
const HARD_FORMULAS: &str = "CTLSPEC AG EF p = 0ud14_0\nLTLSPEC G F p = 0ud14_7";

#[test]
fn memory_of_circuits() {
    let invariant = multiplier(HARD_INVARIANT);
    for options in [&[][..], &["--reorder", "off"], &["--direction", "backward"]] {
        is_kept("multiplier.smv", &invariant, options);
    }
    is_kept("formulas.smv", &multiplier(HARD_FORMULAS), &[]);
    is_kept("counter.aag", &counter(24), &["--engine", "explicit"]);
    // So many initial states are not looked at.
    is_kept_whatever_it_finds("multiplier.smv", &invariant, &["--engine", "explicit"]);
}

#[test]
fn memory_of_counterexamples() {
    let deep = "int x; active proctype P() { do :: x++; assert(x != 100000) od }";
    let lasso = "int x; active proctype P() { do :: x < 30000 -> x++ :: else -> x = 25000 od }";
    for order in ["bfs", "dfs"] {
        for options in [&["--max-violations", "0"][..], &["--max-violations", "1"]] {
            let options = [&["--search", order][..], options].concat();
            is_kept_whatever_it_finds("deadlocks.pml", DEADLOCKS, &options);
            is_kept_whatever_it_finds("assertion.pml", deep, &options);
        }
        is_kept_whatever_it_finds("invariant.pml", DEEP, &["--search", order, "--invariant", "x != 100000"]);
    }
    for formula in ["[] (x != 29999)", "<> [] (x < 29999)"] {
        for cycles in ["components", "nested"] {
            let options = ["--ltl", formula, "--property", formula, "--cycles", cycles];
            is_kept_whatever_it_finds("lasso.pml", lasso, &options);
        }
    }
}

/// Of many violations as many are shown as there is room for, and the rest is counted. The search itself takes a second.
#[test]
fn many_violations_are_counted() {
    let path = file("many.pml", DEADLOCKS);
    let most = ["--max-violations", "1000000"];
    for options in [&["--search", "bfs"][..], &["--search", "dfs"], &["--threads", "2"]] {
        let arguments = [&["check", &path, "--memory", "500M", "--format", "json"][..], &most, options].concat();
        let Measured { run, peak, time } = measure(&arguments);
        let json: Value = serde_json::from_str(&run.out).expect("it is JSON");
        let shown = json["results"].as_array().expect("there are results").len() as u64 - 1;
        assert!((100..=1000).contains(&shown), "{options:?}: {shown}");
        let further = serde_json::json!([{"property": "deadlock", "violations": 3_u64.pow(11) - shown}]);
        assert_eq!(json["further"], further, "{options:?}");
        assert!(peak < 200 << 20, "{options:?}: {} MiB", peak >> 20);
        assert!(time < Duration::from_secs(60), "{options:?}: {time:?}");
        assert_eq!(run.code, Some(1));
    }
    let text = measure(&["check", &path, "--max-violations", "3000"]).run.out;
    assert!(text.contains("\ndeadlock   VIOLATED: 2000 more violations, not shown\nassertion  holds\n"), "{text}");
    let few = measure(&["check", &path, "--max-violations", "5"]).run.out;
    assert!(!few.contains("more violation"), "{few}");
    assert_eq!(few.matches("Counterexample to deadlock").count(), 5);
}

/// A model that takes much to be read.
fn huge() -> String {
    let mut text = "int x; active proctype P() {\n".to_owned();
    for number in 0..20_000 {
        let seventh = number % 7;
        writeln!(text, "  if :: x = x + {seventh} :: x > {number} -> x = 0 :: else -> skip fi;").expect("it is text");
    }
    text.push('}');
    text
}

#[test]
fn memory_of_huge_texts() {
    is_kept("huge.pml", &huge(), &[]);
    is_kept("huge.pml", &huge(), &["--reduce", "none", "--search", "dfs"]);
}

#[test]
fn time_of_every_engine_and_phase() {
    for order in [&["--search", "bfs"][..], &["--search", "dfs"], &["--threads", "2"]] {
        is_in_time("crowd.pml", CROWD, order);
        is_in_time("wide.pml", WIDE, order);
    }
    is_in_time("values.pml", VALUES, &["--store", "bitstate"]);
    is_in_time("deadlocks.pml", DEADLOCKS, &["--max-violations", "0"]);
    is_in_time("deadlocks.pml", DEADLOCKS, &["--max-violations", "0", "--search", "dfs"]);
    is_in_time("wide.pml", WIDE, &["--fairness", "strong", "--ltl", "<> [] (a[1] == 3)"]);
    is_in_time("wide.pml", WIDE, &["--reduce", "sleep", "--search", "dfs"]);
    for engine in ["explicit", "symbolic"] {
        is_in_time("wide.pml", WIDE, &["--engine", engine, "--ctl", "AG EF (a[1] == 3)"]);
    }
    is_in_time("multiplier.smv", &multiplier(HARD_INVARIANT), &[]);
    is_in_time("formulas.smv", &multiplier(HARD_FORMULAS), &[]);
    is_in_time("counter.aag", &counter(24), &["--engine", "explicit"]);
    is_in_time("huge.pml", &huge(), &[]);
    is_in_time("huge.pml", &huge(), &["--reduce", "path"]);
    is_in_time("huge.pml", &huge(), &["--reduce", "none", "--ltl", "[] (x != 3)"]);
}

/// Where a limit ends what cannot be interrupted, the report says what was being done.
#[test]
fn the_phase_is_told() {
    let path = file("phase.pml", &huge());
    let run = reductio(&["check", &path, "--time", "1ms"]);
    let expected =
        "deadlock   inconclusive: the time limit of 0.001 s was reached, while reading the model and its formulas\n";
    assert!(run.code == Some(3) && run.out.starts_with(expected), "{run:?}");
}
