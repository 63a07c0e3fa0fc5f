//! How checks end: in time whatever they are doing, and with a whole report if they are told to stop.

use std::time::{Duration, Instant};

use crate::common::{reductio, scratch};
use serde_json::Value;

/// Nothing here takes nearly as long; it is there to tell what ends from what does not.
const LONG: Duration = Duration::from_secs(60);

/// A model with so many statements and an endless search after them.
fn long_text(name: &str, statements: usize) -> String {
    let path = scratch(name);
    let mut text = "int x; byte y;\nactive proctype P() {\n".to_owned();
    for number in 0..statements {
        text.push_str(&format!("x = x + {number}; if :: y == 1 -> y = 2 :: else -> skip fi;\n"));
    }
    text.push_str("do :: x++ od }\n");
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

#[test]
fn the_limit_of_time_holds_while_a_model_is_read_and_made_smaller() {
    let path = long_text("long.pml", 60_000);
    for time in ["10ms", "300ms", "1s", "3s"] {
        let started = Instant::now();
        let run = reductio(&["check", &path, "--time", time, "--reduce", "path,dead", "--format", "json"]);
        assert!(started.elapsed() < LONG, "{time}");
        assert_eq!(run.code, Some(3), "{time}: {run:?}");
        let json: Value = serde_json::from_str(&run.out).expect("the report is whole");
        let reason = json["results"][0]["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("the time limit"), "{time}: {reason}");
        assert_eq!((&json["complete"], &json["unreached_complete"]), (&false.into(), &false.into()));
    }
    let circuit = scratch("long.smv");
    let mut text = "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x;\n".to_owned();
    for number in 0..60_000 {
        text.push_str(&format!("DEFINE d{number} := x = {} & x != 1;\nINVARSPEC d{number} | x < 4;\n", number % 3));
    }
    std::fs::write(&circuit, text).expect("it can be written");
    let run = reductio(&["check", &circuit.display().to_string(), "--time", "50ms", "--format", "json"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("the time limit"), "{run:?}");
}

/// The seconds of the report are those of the program, and not of its last part.
#[test]
fn the_time_that_is_reported_is_that_of_the_whole_program() {
    let path = long_text("timed.pml", 20_000);
    let read = Instant::now();
    let unread = reductio(&["check", &path, "--property", "none"]);
    let reading = read.elapsed();
    assert_eq!(unread.code, Some(2));
    let run = reductio(&["check", &path, "--time", "5s", "--reduce", "none", "--format", "json"]);
    let json: Value = serde_json::from_str(&run.out).expect("the report is whole");
    let seconds = json["statistics"]["seconds"].as_f64().expect("a number");
    assert!(seconds >= 5.0, "{seconds} with {reading:?} of reading");
}

#[cfg(target_os = "linux")]
mod signals {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::{LONG, long_text};
    use crate::common::{command, model};
    use serde_json::Value;

    /// Sends a signal to a check that would go on, and answers its report.
    fn stopped(arguments: &[&str], signal: &str, after: Duration) -> Value {
        let mut child = command(arguments).stdout(Stdio::piped()).spawn().expect("it runs");
        let started = Instant::now();
        while !has_signals("SigCgt:", child.id(), &[INTERRUPT, TERMINATE]) {
            assert!(started.elapsed() < LONG, "it never catches signals");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(after);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill exists");
        assert!(sent.success());
        let mut out = String::new();
        child.stdout.take().expect("it is piped").read_to_string(&mut out).expect("it is text");
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{signal} after {after:?}: {out}");
        serde_json::from_str(&out).expect("the report is whole")
    }

    const HANGUP: u32 = 1;
    const INTERRUPT: u32 = 2;
    const TERMINATE: u32 = 15;

    /// Linux tells which signals a process handles itself and which it ignores, as sets of bits counted from signal one.
    fn has_signals(set: &str, process: u32, signals: &[u32]) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is alive");
        let listed = status.lines().find_map(|line| line.strip_prefix(set)).expect("Linux tells");
        let listed = u64::from_str_radix(listed.trim(), 16).expect("it is a number");
        signals.iter().all(|signal| listed >> (signal - 1) & 1 == 1)
    }

    #[test]
    fn signals_end_a_search_with_a_report() {
        let path = model("counting.pml");
        // Where these tests are run by `nohup`, hanging up is ignored, as it should be.
        let is_ignored = has_signals("SigIgn:", std::process::id(), &[HANGUP]);
        let signals = if is_ignored { &["-INT", "-TERM"][..] } else { &["-INT", "-TERM", "-HUP"] };
        for signal in signals {
            for engine in ["explicit", "symbolic"] {
                let arguments =
                    ["check", &path, "--reduce", "none", "--engine", engine, "--format", "json", "--time", "60s"];
                let json = stopped(&arguments, signal, Duration::from_millis(20));
                assert_eq!(json["results"][0]["reason"], "interrupted", "{signal} {engine}: {json}");
            }
        }
    }

    /// Whatever the program does at that moment, reading, planning or searching.
    #[test]
    fn signals_end_every_phase_with_a_report() {
        let path = long_text("stopped.pml", 60_000);
        let arguments = ["check", &path, "--reduce", "path,dead", "--format", "json", "--time", "60s"];
        for after in [0, 200, 800, 2400] {
            let json = stopped(&arguments, "-TERM", Duration::from_millis(after));
            let reason = json["results"][0]["reason"].as_str().expect("a reason");
            assert!(reason.starts_with("interrupted"), "after {after} ms: {reason}");
        }
    }

    /// `nohup` wants a program to go on when its terminal hangs up.
    #[test]
    fn a_signal_that_is_ignored_from_outside_stays_so() {
        let path = model("counting.pml");
        let script = "trap '' HUP; exec \"$0\" check \"$1\" --reduce none --time 1s --format json";
        let mut child = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_reductio"), &path])
            .current_dir(crate::common::root())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        std::thread::sleep(Duration::from_millis(400));
        let sent = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("kill exists");
        assert!(sent.success());
        let mut out = String::new();
        child.stdout.take().expect("it is piped").read_to_string(&mut out).expect("it is text");
        assert_eq!(child.wait().expect("it ends").code(), Some(3), "{out}");
        assert!(out.contains("the time limit"), "{out}");
    }
}
