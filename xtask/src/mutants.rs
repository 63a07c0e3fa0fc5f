//! Is the fuzzer any good? Deliberately wrong variants of our own code, each of which it must catch.
//!
//! A mutant is a replacement in one source file. The whole project is copied, the replacement made, the copy built, and
//! its fuzzer run on the same few hundred programs each time: SPIN's answers are asked for once and remembered. A
//! mutant whose text is not found exactly once is out of date, and that is a failure, too.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Failure, run};

struct Mutant {
    /// What it gets wrong.
    name: &'static str,
    file: &'static str,
    original: &'static str,
    mutated: &'static str,
}

const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "a short is not cut to sixteen bits",
        file: "crates/model/src/expr.rs",
        original: "ValueType::Short => value as i16 as i32,",
        mutated: "ValueType::Short => value,",
    },
    Mutant {
        name: "unsigned values lose their highest bit",
        file: "crates/model/src/expr.rs",
        original: "(value as u32 & ((1u32 << bits) - 1)) as i32",
        mutated: "(value as u32 & (((1u32 << bits) - 1) >> u32::from(bits > 1))) as i32",
    },
    Mutant {
        name: "else is lost",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => !moved,",
        mutated: "Guard::Else => moved && false,",
    },
    Mutant {
        name: "else does not yield",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => !moved,",
        mutated: "Guard::Else => moved || true,",
    },
    Mutant {
        name: "an atomic does not let go when it blocks",
        file: "crates/model/src/interpreter.rs",
        original: "(atomic && can_go_on()).then_some(pid)",
        mutated: "(atomic && (can_go_on() || true)).then_some(pid)",
    },
    Mutant {
        name: "an atomic lets go after every step",
        file: "crates/model/src/interpreter.rs",
        original: "(atomic && can_go_on()).then_some(pid)",
        mutated: "(atomic && can_go_on() && pid == 255).then_some(pid)",
    },
    Mutant {
        name: "a rendezvous loses its second half",
        file: "crates/model/src/execute.rs",
        original: "self.take(receiver as usize, receiving_edge, mode)?;",
        mutated: "let _ = (receiver, receiving_edge, mode);",
    },
    Mutant {
        name: "only the first receiver of a rendezvous is considered",
        file: "crates/model/src/interpreter.rs",
        original: "for partner in self.receivers(workspace, pid, channel, &message, mode.moment())? {",
        mutated: "for partner in self.receivers(workspace, pid, channel, &message, mode.moment())?.into_iter().take(1) {",
    },
    Mutant {
        name: "timeout never comes",
        file: "crates/model/src/interpreter.rs",
        original: "for timeout in [false, true] {",
        mutated: "for timeout in [false] {",
    },
    Mutant {
        name: "a receive looks past the first message",
        file: "crates/model/src/evaluate.rs",
        original: "let candidates = if random { usize::MAX } else { 1 };",
        mutated: "let candidates = if random { 1 } else { usize::MAX };",
    },
    Mutant {
        name: "a sorted send sorts the other way",
        file: "crates/model/src/execute.rs",
        original: "other > &message[..]",
        mutated: "other < &message[..]",
    },
    Mutant {
        name: "a channel has room for one message more",
        file: "crates/model/src/interpreter.rs",
        original: "message_count(channel) < capacity",
        mutated: "message_count(channel) <= capacity",
    },
    Mutant {
        name: "a d_step takes the last option instead of the first",
        file: "crates/model/src/interpreter.rs",
        original: "proctype.location(location).edges.iter().copied().find(|&id| {",
        mutated: "proctype.location(location).edges.iter().rev().copied().find(|&id| {",
    },
    Mutant {
        name: "an escape has no priority",
        file: "crates/model/src/interpreter.rs",
        original: "if escape > 0 && edge.escape != escape {",
        mutated: "if escape > 0 && edge.escape != escape && workspace.process_count() > 1000 {",
    },
    Mutant {
        name: "processes die in any order",
        file: "crates/model/src/interpreter.rs",
        original: "Ok(yes_if(free && pid + 1 == workspace.process_count()))",
        mutated: "Ok(yes_if(free))",
    },
    Mutant {
        name: "the last step of an atomic keeps the right to move",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "                self.elements[last.0].atomic = false;",
        mutated: "                self.elements[last.0].atomic = true;",
    },
    Mutant {
        name: "a jump out of an atomic is followed",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "if atomic && !self.elements[next.0].atomic {",
        mutated: "if atomic && !self.elements[next.0].atomic && self.elements.len() > 10_000 {",
    },
    Mutant {
        name: "for stops one short",
        file: "crates/frontends/src/promela/lower/loops.rs",
        original: "binary(Binary::LessEqual, read(&place), high)",
        mutated: "binary(Binary::Less, read(&place), high)",
    },
    Mutant {
        name: "deadlocks are found only in valid end states",
        file: "crates/explicit/src/worker.rs",
        original: "if !shared.space.interpreter.is_valid_end_state(state) {",
        mutated: "if shared.space.interpreter.is_valid_end_state(state) {",
    },
    Mutant {
        name: "the store takes the hash for the state",
        file: "crates/explicit/src/plain/store.rs",
        original: "if value >> 32 == hash >> 32 {",
        mutated: "if value >> 52 == hash >> 52 {\n                return Ok(StateId(value as u32 - 1));\n            }\n            if value >> 32 == hash >> 32 {",
    },
    Mutant {
        name: "a step forgets that it looked into a channel",
        file: "crates/model/src/workspace.rs",
        original: "fn channel(&self, channel: usize) -> &Channel {\n        self.note(Part::Channel(channel as u8));",
        mutated: "fn channel(&self, channel: usize) -> &Channel {",
    },
    Mutant {
        name: "a step forgets that it counted the processes",
        file: "crates/explicit/src/packed/expander.rs",
        original: "if part != Part::Rights {",
        mutated: "if part != Part::Rights && part != Part::Counts {",
    },
    Mutant {
        name: "an atomic depends on its first step only",
        file: "crates/explicit/src/packed/expander.rs",
        original: "*mask = union;",
        mutated: "let _ = union;",
    },
    Mutant {
        name: "a path starts over with every state",
        file: "crates/explicit/src/path_log.rs",
        original: "parent += distance;",
        mutated: "parent = distance;",
    },
];

/// The same programs for every mutant.
const PROGRAMS: &str = "600";
const SEED: &str = "20000";

pub fn run_all() -> Result<(), Failure> {
    crate::spin::install()?;
    let tree = Path::new("target/mutants/tree");
    copy_project(tree)?;
    println!("mutants: the unchanged project first");
    if let Some(finding) = fuzz(tree)? {
        return Err(Failure(format!("the unchanged project does not pass: {finding}")));
    }
    let mut survivors = Vec::new();
    for mutant in MUTANTS {
        let path = tree.join(mutant.file);
        let original = fs::read_to_string(mutant.file)?;
        if original.matches(mutant.original).count() != 1 {
            let message = format!("mutant `{}` is out of date: its text is not once in {}", mutant.name, mutant.file);
            return Err(Failure(message));
        }
        fs::write(&path, original.replace(mutant.original, mutant.mutated))?;
        let finding = fuzz(tree);
        fs::write(&path, original)?;
        match finding? {
            Some(finding) => println!("caught: {} ({finding})", mutant.name),
            None => {
                println!("SURVIVED: {}", mutant.name);
                survivors.push(mutant.name);
            }
        }
    }
    println!("mutants: {} caught, {} survived", MUTANTS.len() - survivors.len(), survivors.len());
    if survivors.is_empty() { Ok(()) } else { Err(Failure(format!("survived: {}", survivors.join("; ")))) }
}

/// Copies what is needed to build, leaving files alone that have not changed, so that little is built anew.
fn copy_project(tree: &Path) -> Result<(), Failure> {
    for name in ["Cargo.toml", "Cargo.lock"] {
        copy(Path::new(name), &tree.join(name))?;
    }
    for name in [".cargo", "crates", "xtask"] {
        copy_directory(Path::new(name), &tree.join(name))?;
    }
    Ok(())
}

fn copy_directory(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() { copy_directory(&source, &target)? } else { copy(&source, &target)? }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let contents = fs::read(from)?;
    if fs::read(to).ok().as_ref() != Some(&contents) {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(to, contents)?;
    }
    Ok(())
}

/// Builds the copy and runs its fuzzer; answers what it found. Panics and endless loops are findings, too.
fn fuzz(tree: &Path) -> Result<Option<String>, Failure> {
    run(Command::new("cargo").args(["build", "--quiet", "--package", "xtask"]).current_dir(tree))?;
    let output = Command::new("timeout")
        .args(["300", "target/debug/xtask", "fuzz", "--count", PROGRAMS, "--seed", SEED, "--first-only", "1"])
        .current_dir(tree)
        .output()?;
    if output.status.success() {
        return Ok(None);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = complaint.lines().find(|line| line.starts_with("xtask: ")).or(complaint.lines().next());
    Ok(Some(first.unwrap_or("no answer in five minutes").trim_start_matches("xtask: ").to_owned()))
}
