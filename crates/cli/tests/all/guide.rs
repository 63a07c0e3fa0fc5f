//! What the documentation shows is what the tool does.
//!
//! Every `console` block of the README, the guide and the list of differences from SPIN is run with the binary that
//! was just built, and its output compared. `REDUCTIO_BLESS=1` rewrites blocks that differ; look at the difference
//! then. In a block,
//!
//! * `$ reductio ...` runs in a copy of `testdata/models`, `$ cargo run --release -- ...` in the root of the
//!   repository; the lines up to the next `$` are what is printed, `<<< word` is what is typed in;
//! * `(exit code N)` at the end of the output is checked too, and an output without it must be that of a success;
//! * `...` alone on a line stands for any lines;
//! * times and sizes of memory may be others.
//!
//! A `promela` block that starts with a comment like `/* name.pml */`, and an `smv` block that starts with one like
//! `-- name.smv`, is a model that the blocks after it can use.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Run, root, scratch};

#[test]
fn the_examples_of_the_documentation_are_real() {
    let bless = reductio_testing::golden::is_blessing();
    let mut wrong = String::new();
    let mut examples = 0;
    for path in pages() {
        let text = std::fs::read_to_string(&path).expect("a page is text");
        let mut page = Page::new(&path);
        let rewritten = page.check(&text);
        examples += page.examples;
        wrong.push_str(&page.wrong);
        if bless && rewritten != text {
            std::fs::write(&path, rewritten).expect("pages can be written");
        }
    }
    assert!(examples > 20, "only {examples} examples were found");
    assert!(bless || wrong.is_empty(), "examples have changed (REDUCTIO_BLESS=1 accepts them):\n{wrong}");
}

fn pages() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let mut pages = vec![root().join("README.md"), docs.join("spin-differences.md")];
    let guide = std::fs::read_dir(docs.join("guide")).expect("there is a guide");
    pages.extend(guide.map(|entry| entry.expect("it can be listed").path()));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// One page in the course of being checked, with a directory of its own to run commands in.
struct Page {
    name: String,
    directory: PathBuf,
    examples: usize,
    wrong: String,
}

impl Page {
    fn new(path: &Path) -> Page {
        let name = path.file_stem().expect("a page has a name").to_string_lossy().into_owned();
        let directory = scratch("guide").join(&name);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).expect("a directory can be made");
        for entry in std::fs::read_dir(root().join("testdata/models")).expect("there are models") {
            let path = entry.expect("it can be listed").path();
            if let (true, Some(file)) = (path.is_file(), path.file_name()) {
                std::fs::copy(&path, directory.join(file)).expect("a model can be copied");
            }
        }
        Page { name, directory, examples: 0, wrong: String::new() }
    }

    /// Checks all blocks; answers the page with the outputs as they are now.
    fn check(&mut self, text: &str) -> String {
        let mut rewritten = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            writeln!(rewritten, "{line}").expect("strings take everything");
            let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else { continue };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = match language {
                "console" => self.console(&block),
                "promela" | "smv" => self.model(&block),
                _ => block.join("\n"),
            };
            writeln!(rewritten, "{block}\n```").expect("strings take everything");
        }
        rewritten
    }

    fn model(&self, block: &[&str]) -> String {
        let first = block.first().copied().unwrap_or_default();
        let name = first.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */")).or(first.strip_prefix("-- "));
        let text = block.join("\n");
        if let Some(name) = name.filter(|name| !name.contains(' ')) {
            std::fs::write(self.directory.join(name), format!("{text}\n")).expect("a model can be written");
        }
        text
    }

    fn console(&mut self, block: &[&str]) -> String {
        let mut shown: Vec<String> = Vec::new();
        let mut rest = block;
        while let Some((command, after)) = rest.split_first() {
            let length = after.iter().take_while(|line| !line.starts_with("$ ")).count();
            let expected = &after[..length];
            rest = &after[length..];
            shown.push((*command).to_owned());
            let Some(actual) = self.run(command) else {
                self.complain(command, "is not a command that this test knows");
                continue;
            };
            self.examples += 1;
            let masked: Vec<String> = actual.iter().map(|line| mask(line)).collect();
            let wanted: Vec<String> = expected.iter().map(|line| mask(line.trim_end())).collect();
            if matches(&wanted, &masked) {
                // Times of another run are no news.
                shown.extend(expected.iter().map(|line| (*line).to_owned()));
            } else {
                self.complain(command, &format!("now prints\n{}", actual.join("\n")));
                shown.extend(actual);
            }
        }
        shown.join("\n")
    }

    fn complain(&mut self, command: &str, what: &str) {
        writeln!(self.wrong, "{}: {command}\n{what}\n", self.name).expect("strings take everything");
    }

    /// What a command prints, line by line, and its exit code where it is no success.
    fn run(&self, command: &str) -> Option<Vec<String>> {
        let (words, directory) = match command.strip_prefix("$ reductio ") {
            Some(words) => (words, self.directory.clone()),
            None => (command.strip_prefix("$ cargo run --release -- ")?, root()),
        };
        let (words, typed) = words.split_once(" <<< ").unwrap_or((words, ""));
        let mut child = Command::new(env!("CARGO_BIN_EXE_reductio"))
            .args(split(words))
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary was built for this test");
        let mut stdin = child.stdin.take().expect("it is piped");
        // The program need not read what is typed.
        let _ = writeln!(stdin, "{typed}");
        drop(stdin);
        let run: Run = child.wait_with_output().expect("it ends").into();
        let mut lines: Vec<String> =
            run.err.lines().chain(run.out.lines()).map(|line| line.trim_end().into()).collect();
        if run.code != Some(0) {
            lines.push(format!("(exit code {})", run.code.map_or("none".to_owned(), |code| code.to_string())));
        }
        Some(lines)
    }
}

/// Splits a command line at blanks; quotes of either kind hold words together.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Are these the lines that were wanted? `...` stands for any number of lines.
fn matches(wanted: &[String], lines: &[String]) -> bool {
    match wanted.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        Some((first, rest)) => lines.first() == Some(first) && matches(rest, &lines[1..]),
    }
}

/// Replaces times and sizes of memory, which differ from run to run.
fn mask(line: &str) -> String {
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let mut masked = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_number) {
        let (before, from_number) = rest.split_at(start);
        let in_json = before.ends_with("\"seconds\":") || before.ends_with("\"memory_bytes\":");
        // In JSON a number may be written as 9.8e-6.
        let ends = |character: char| if in_json { ",}".contains(character) } else { !is_number(character) };
        let (number, after) = from_number.split_at(from_number.find(ends).unwrap_or(from_number.len()));
        let measured = in_json || after.starts_with(" s, ") || [" KiB", " MiB", " GiB"].contains(&after);
        masked.push_str(before);
        masked.push_str(if measured { "N" } else { number });
        rest = after;
    }
    masked + rest
}

#[test]
fn only_measurements_are_masked() {
    let line = "38 states, 64 transitions, depth 22; 0.00 s, 0.1 MiB";
    assert_eq!(mask(line), "38 states, 64 transitions, depth 22; N s, N MiB");
    assert_eq!(mask("the time limit of 0.2 s was reached"), "the time limit of 0.2 s was reached");
    assert_eq!(mask("{\"depth\":22,\"seconds\":9.8e-6,\"x\":1}"), "{\"depth\":22,\"seconds\":N,\"x\":1}");
}

#[test]
fn command_lines_are_split_as_a_shell_does() {
    assert_eq!(split("check 'a b'  c\"d e\" ''"), ["check", "a b", "cd e", ""]);
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a ... d"), &lines("a b c d")));
    assert!(matches(&lines("a ..."), &lines("a")));
    assert!(!matches(&lines("a ... c"), &lines("a b c d")));
    assert!(!matches(&lines("a b"), &lines("a b c")));
}

/// A model that two pages call the same is the same: else a reader who goes through both is lost.
#[test]
fn models_of_one_name_are_one_model() {
    let mut models: std::collections::HashMap<String, (PathBuf, String)> = Default::default();
    for path in pages() {
        let text = std::fs::read_to_string(&path).expect("a page is text");
        for block in text.split("\n```").filter(|block| block.starts_with("promela\n") || block.starts_with("smv\n")) {
            let mut lines = block.lines().skip(1);
            let first = lines.next().unwrap_or_default();
            let name = first.trim_start_matches("/* ").trim_start_matches("-- ").trim_end_matches(" */");
            if !name.ends_with(".pml") && !name.ends_with(".smv") || name.contains(' ') {
                continue;
            }
            let (page, known) = models.entry(name.to_owned()).or_insert((path.clone(), block.to_owned()));
            assert_eq!(known, block, "{name} on {} and on {}", page.display(), path.display());
        }
    }
}

/// The fields that the page on JSON shows are those that there are.
#[test]
fn fields_of_json_are_those_that_are_documented() {
    let page = std::fs::read_to_string(root().join("docs/guide/json.md")).expect("a page is text");
    let (_, rest) = page.split_once("```json\n").expect("the page shows a result first");
    let (shown, _) = rest.split_once("```").expect("the block ends");
    let shown: serde_json::Value = serde_json::from_str(shown).expect("what is shown is JSON");
    let model = root().join("testdata/models/lost_update.pml");
    let run = crate::common::reductio(&["check", &model.display().to_string(), "--format", "json"]);
    let real: serde_json::Value = serde_json::from_str(&run.out).expect("the result is JSON");
    for part in ["", "/statistics", "/plan", "/plan/details/0", "/plan/refused/0", "/results/0"] {
        let fields = |value: &serde_json::Value| -> Vec<String> {
            let object = value.pointer(part).and_then(serde_json::Value::as_object);
            object.unwrap_or_else(|| panic!("no {part} in {value}")).keys().cloned().collect()
        };
        let real = fields(&real);
        for field in fields(&shown) {
            assert!(real.contains(&field), "{part}: there is no field `{field}` in {real:?}");
        }
    }
}
