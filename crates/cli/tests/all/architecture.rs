//! ARCHITECTURE.md is kept true: what it names exists, what exists it names, and every paper cited is listed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::root;

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("there is an ARCHITECTURE.md")
}

#[test]
fn every_path_exists() {
    let text = architecture();
    let paths: BTreeSet<&str> = code_spans(&text).into_iter().filter(|span| is_path(span)).collect();
    assert!(paths.len() > 30, "only {} paths were found", paths.len());
    let missing: Vec<&&str> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what does not exist: {missing:?}");
}

/// A span of code is taken for a path if it has a slash or an ending that files have here.
fn is_path(span: &str) -> bool {
    let of_a_path = |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let endings = [".rs", ".md", ".toml", ".bib", ".pml", ".tsv"];
    span.chars().all(of_a_path) && (span.contains('/') || endings.iter().any(|ending| span.ends_with(ending)))
}

#[test]
fn every_source_directory_is_named() {
    let text = architecture();
    let named: BTreeSet<&str> = code_spans(&text).into_iter().map(|span| span.trim_end_matches('/')).collect();
    let mut missing = Vec::new();
    for source in sources() {
        let directory = source.parent().expect("a file lies in a directory").to_string_lossy().into_owned();
        // A crate is named by its own directory, not by the `src` in it.
        let directory = directory.strip_suffix("/src").unwrap_or(&directory).to_owned();
        let file_is_named = named.contains(source.to_string_lossy().as_ref());
        if !file_is_named && !named.contains(directory.as_str()) && !missing.contains(&directory) {
            missing.push(directory);
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name: {missing:?}");
}

/// How options are spelt is known to the command line alone: what embeds the library has none.
#[test]
fn no_library_names_an_option() {
    let mut wrong = Vec::new();
    for source in sources() {
        let text = source.to_string_lossy().into_owned();
        let is_of_libraries = text.starts_with("crates/") && text.contains("/src/");
        if !is_of_libraries || text.starts_with("crates/cli/") || text.starts_with("crates/testing/") {
            continue;
        }
        let lines = std::fs::read_to_string(root().join(&source)).expect("it is text");
        for (number, line) in (1..).zip(lines.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let in_string = line.split_once('"').map_or("", |(_, rest)| rest);
            let is_option = |rest: &str| rest.starts_with(|character: char| character.is_ascii_lowercase());
            if in_string.split("--").skip(1).any(is_option) {
                wrong.push(format!("{text}:{number}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A binary of tests links the whole workspace, so each package has one; and a file that is no module of it is never run.
#[test]
fn every_test_file_is_part_of_the_one_binary() {
    for source in sources() {
        let parts: Vec<String> = source.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let ["crates", package, "tests", rest @ ..] = &parts[..] else { continue };
        let module = match rest {
            ["all", "main.rs"] => continue,
            ["all", "common", ..] => "common",
            ["all", file] => file.trim_end_matches(".rs"),
            _ => panic!("{} belongs into crates/{package}/tests/all/", source.display()),
        };
        let main = std::fs::read_to_string(root().join("crates").join(package).join("tests/all/main.rs"));
        let main = main.unwrap_or_else(|error| panic!("the tests of {package}: {error}"));
        let declares = |line: &str| line == format!("mod {module};");
        assert!(main.lines().any(declares), "crates/{package}/tests/all/main.rs does not name `{module}`");
    }
}

/// Nothing that users get depends on what is for tests.
#[test]
fn only_tests_depend_on_what_tests_share() {
    let mut using = 0;
    for entry in std::fs::read_dir(root().join("crates")).expect("a directory can be listed") {
        let manifest = entry.expect("it can be listed").path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("every crate has a manifest");
        let is_used = |part: &&str| part.lines().any(|line| line.starts_with("reductio-testing"));
        for part in text.split("\n[").filter(is_used) {
            assert!(part.starts_with("dev-dependencies]"), "{} depends on reductio-testing", manifest.display());
            using += 1;
        }
    }
    assert!(using > 5, "{using} packages");
}

#[test]
fn every_paper_cited_is_in_the_bibliography() {
    let bibliography = std::fs::read_to_string(root().join("docs/papers.bib")).expect("there is a bibliography");
    let entries = bibliography.lines().filter_map(|line| line.strip_prefix('@'));
    let known: BTreeSet<&str> =
        entries.filter_map(|entry| Some(entry.split_once('{')?.1.trim_end_matches(','))).collect();
    assert!(known.len() >= 6, "{known:?}");
    let mut unknown = Vec::new();
    let mut look = |place: &str, text: &str| {
        for key in citations(text).into_iter().filter(|key| !known.contains(key.as_str())) {
            unknown.push(format!("{place}: [{key}]"));
        }
    };
    look("ARCHITECTURE.md", &architecture());
    for source in sources() {
        let text = std::fs::read_to_string(root().join(&source)).expect("sources are text");
        let header: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        look(&source.to_string_lossy(), &header.join("\n"));
    }
    assert!(unknown.is_empty(), "docs/papers.bib has no entry for {unknown:?}");
}

/// Keys in brackets, such as `[peled93]`: not links, and not what is inside code.
fn citations(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start_matches("//!").trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let outside_code: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let mut rest = outside_code.as_str();
        while let Some((before, after)) = rest.split_once('[').filter(|_| !in_block) {
            rest = after;
            let Some((key, behind)) = after.split_once(']') else { break };
            let free = before.chars().last().is_none_or(|last| !last.is_ascii_alphanumeric());
            let of_a_key =
                |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-';
            let is_key = key.starts_with(|first: char| first.is_ascii_lowercase()) && key.chars().all(of_a_key);
            if free && is_key && !behind.starts_with(['(', ':', '[']) {
                keys.push(key.to_owned());
            }
        }
    }
    keys
}

#[test]
fn citations_are_told_from_links_and_code() {
    assert_eq!(citations("Paper: [peled93] s. 3; [clarke-grumberg-peled]."), ["peled93", "clarke-grumberg-peled"]);
    assert!(citations("//! a [link](x), [`Model`], `a[i]`, `[peled93]`, b[i], active [2]\n[name]: x").is_empty());
    assert!(citations("//! ```text\n//! [peled93]\n//! ```").is_empty());
}

/// All Rust files of the workspace, from its root.
fn sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for directory in ["crates", "xtask"] {
        collect(Path::new(directory), &mut sources);
    }
    assert!(sources.len() > 50, "only {} sources were found", sources.len());
    sources
}

fn collect(directory: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root().join(directory)).expect("a directory can be listed") {
        let path = directory.join(entry.expect("it can be listed").file_name());
        if root().join(&path).is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

fn code_spans(text: &str) -> Vec<&str> {
    let outside_blocks = text.split("```").step_by(2);
    outside_blocks.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}
