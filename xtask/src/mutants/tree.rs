//! A copy of the project with all mutants in it, built once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Mutant;
use super::guard::{CHOOSER, with_mutants};
use crate::Failure;

/// Where the copy is.
pub const TREE: &str = "target/mutants/tree";

/// What was built of it.
pub struct Build {
    /// The copy's `xtask`.
    pub chores: PathBuf,
    /// The directory of each package and its tests.
    tests: BTreeMap<String, (PathBuf, PathBuf)>,
    /// The same for tests inside the sources, where some mutant needs them.
    unit_tests: BTreeMap<String, (PathBuf, PathBuf)>,
}

/// Is a test one of those inside the sources?
fn is_unit_test(name: &str) -> bool {
    name.contains("::tests::")
}

impl Build {
    /// Where a test of the package runs, and the program that runs it.
    pub fn tests_with(&self, package: &str, name: &str) -> Result<&(PathBuf, PathBuf), Failure> {
        let tests = if is_unit_test(name) { &self.unit_tests } else { &self.tests };
        tests.get(package).ok_or_else(|| Failure(format!("{package} has no such tests as {name}")))
    }
}

/// Copies what is needed to build, with all mutants. Files that have not changed are left alone, so that little is built
/// anew.
pub fn write(mutants: &[&Mutant]) -> Result<(), Failure> {
    let mut changed: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let files: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.file).collect();
    for file in files {
        let here = mutants.iter().copied().enumerate().filter(|(_, mutant)| mutant.file == file);
        let text = with_mutants(&fs::read_to_string(file)?, &here.collect::<Vec<_>>())?;
        changed.insert(PathBuf::from(file), text.into_bytes());
    }
    let roots = changed.keys().filter_map(|file| root_of(file)).collect::<BTreeSet<PathBuf>>();
    for root in roots {
        let text = match changed.remove(&root) {
            Some(text) => text,
            None => fs::read(&root)?,
        };
        changed.insert(root, [&text[..], CHOOSER.as_bytes()].concat());
    }
    fs::create_dir_all(TREE)?;
    for name in ["Cargo.toml", "Cargo.lock", ".cargo", "crates", "testdata", "xtask"] {
        copy(Path::new(name), Path::new(TREE), &changed)?;
    }
    Ok(())
}

/// The root of the crate that a file belongs to.
fn root_of(file: &Path) -> Option<PathBuf> {
    let sources = file.ancestors().find(|directory| directory.ends_with("src"))?;
    ["lib.rs", "main.rs"].iter().map(|name| sources.join(name)).find(|root| root.exists())
}

/// Copies a file or a directory; what is no longer there vanishes from the copy.
fn copy(from: &Path, tree: &Path, changed: &BTreeMap<PathBuf, Vec<u8>>) -> Result<(), Failure> {
    let to = tree.join(from);
    if !from.is_dir() {
        let contents = match changed.get(from) {
            Some(contents) => contents.clone(),
            None => fs::read(from)?,
        };
        if fs::read(&to).ok().as_ref() != Some(&contents) {
            fs::write(&to, contents)?;
        }
        return Ok(());
    }
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(from)? {
        copy(&entry?.path(), tree, changed)?;
    }
    for entry in fs::read_dir(&to)? {
        let entry = entry?;
        if from.join(entry.file_name()).exists() {
            continue;
        }
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// Builds what the judges need, once for all mutants.
pub fn build(mutants: &[&Mutant]) -> Result<Build, Failure> {
    let packages: BTreeSet<&str> = mutants.iter().filter_map(|mutant| mutant.caught_by.package()).collect();
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--message-format", "json-render-diagnostics", "--package", "xtask"]);
    command.args(["--bin", "xtask", "--test", "all"]);
    packages.iter().for_each(|package| {
        command.args(["--package", package]);
    });
    let mut build = Build { chores: PathBuf::new(), tests: BTreeMap::new(), unit_tests: BTreeMap::new() };
    for (name, directory, executable) in built_by(command)? {
        match &name[..] {
            "xtask" => build.chores = executable,
            "all" => {
                build.tests.insert(package_at(&directory), (directory, executable));
            }
            _ => {}
        }
    }
    let with_unit_tests = mutants.iter().filter(|mutant| mutant.caught_by.test().is_some_and(is_unit_test));
    for package in with_unit_tests.filter_map(|mutant| mutant.caught_by.package()).collect::<BTreeSet<&str>>() {
        let mut command = Command::new("cargo");
        command.args([
            "test",
            "--no-run",
            "--lib",
            "--message-format",
            "json-render-diagnostics",
            "--package",
            package,
        ]);
        for (_, directory, executable) in built_by(command)? {
            build.unit_tests.insert(package.to_owned(), (directory, executable));
        }
    }
    Ok(build)
}

/// What a command builds that can be executed: the name of each target, the directory of its package, and the program.
fn built_by(mut command: Command) -> Result<Vec<(String, PathBuf, PathBuf)>, Failure> {
    println!("$ {command:?} (in {TREE})");
    let output = command.current_dir(TREE).output()?;
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(Failure("the copy with all mutants cannot be built".to_owned()));
    }
    let mut built = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let Some(executable) = message["executable"].as_str().map(PathBuf::from) else { continue };
        let manifest = PathBuf::from(message["manifest_path"].as_str().unwrap_or_default());
        let directory = manifest.parent().map(PathBuf::from).unwrap_or_default();
        built.push((message["target"]["name"].as_str().unwrap_or_default().to_owned(), directory, executable));
    }
    Ok(built)
}

/// The name of the package in this directory of the copy: all but the library are named after theirs.
fn package_at(directory: &Path) -> String {
    match directory.file_name().map(|name| name.to_string_lossy()) {
        Some(name) if name != "reductio" => format!("reductio-{name}"),
        _ => "reductio".to_owned(),
    }
}
