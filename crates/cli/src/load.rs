//! From a file to a model.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use reductio_frontends::promela::{self, IncludeError, IncludeLoader, LoadOptions};
use reductio_frontends::{aiger, smv, whilelang};
use reductio_model::Model;
use reductio_model::circuit::Circuit;

use crate::arguments::{Language, ModelArguments};
use crate::failure::Failure;

/// Reads a model and what it includes. Its errors and warnings go to standard error.
pub fn load(arguments: &ModelArguments) -> Result<Model, Failure> {
    load_and_ask(arguments, &Questions::default())
}

/// What is asked of a model besides what it says itself.
#[derive(Default)]
pub struct Questions<'a> {
    pub invariants: &'a [String],
    pub ltl: &'a [String],
    pub ctl: &'a [String],
    /// Do formulas of computation trees stay what they are, even if they mean the same in linear time?
    pub keep_trees: bool,
}

/// Reads a model together with what is asked of it.
pub fn load_and_ask(arguments: &ModelArguments, questions: &Questions<'_>) -> Result<Model, Failure> {
    match language(arguments)? {
        Language::Promela => {}
        Language::While => return load_while(arguments, questions),
        Language::Smv => return Err(Failure::OnlyToCheck { language: "SMV" }),
        Language::Aiger => return Err(Failure::OnlyToCheck { language: "AIGER" }),
    }
    let path = &arguments.model;
    let text = read_model(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    let options = LoadOptions {
        defines: arguments.defines.clone(),
        invariants: questions.invariants.to_vec(),
        ltl: questions.ltl.to_vec(),
        ctl: questions.ctl.to_vec(),
    };
    let loaded = promela::load(&name(path), &text, &options, &Files);
    // Whoever does not read the warnings still wants the verdict.
    let _ = std::io::stderr().write_all(loaded.diagnostics.render(&loaded.sources).as_bytes());
    loaded.model.ok_or(Failure::Model)
}

/// Reads a while-program together with what is asked of it.
fn load_while(arguments: &ModelArguments, questions: &Questions<'_>) -> Result<Model, Failure> {
    if !arguments.defines.is_empty() {
        return Err(Failure::OnlyForPromela { option: "-D" });
    }
    let path = &arguments.model;
    let text = read_model(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    let options = whilelang::LoadOptions {
        invariants: questions.invariants.to_vec(),
        ltl: questions.ltl.to_vec(),
        ctl: questions.ctl.to_vec(),
        keep_trees: questions.keep_trees,
    };
    let loaded = whilelang::load(&name(path), &text, &options);
    let _ = std::io::stderr().write_all(loaded.diagnostics.render(&loaded.sources).as_bytes());
    loaded.model.ok_or(Failure::Model)
}

pub fn language(arguments: &ModelArguments) -> Result<Language, Failure> {
    if let Some(language) = arguments.language {
        return Ok(language);
    }
    let path = &arguments.model;
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        _ if is_standard_input(path) => Ok(Language::Promela),
        Some("pml" | "prom" | "promela" | "pr") => Ok(Language::Promela),
        Some("while") => Ok(Language::While),
        Some("smv") => Ok(Language::Smv),
        Some("aag" | "aig") => Ok(Language::Aiger),
        _ => Err(Failure::UnknownLanguage { path: path.clone() }),
    }
}

/// Reads a model in SMV or AIGER together with what is asked of it.
pub fn load_circuit(arguments: &ModelArguments, options: &smv::LoadOptions) -> Result<Circuit, Failure> {
    let path = &arguments.model;
    let bytes = read_model(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    let name = name(path);
    if language(arguments)? == Language::Aiger {
        return aiger::load(&name, &bytes).map_err(|error| Failure::Aiger { path: path.clone(), error });
    }
    let loaded = smv::load(&name, &bytes, options);
    let _ = std::io::stderr().write_all(loaded.diagnostics.render(&loaded.sources).as_bytes());
    loaded.model.ok_or(Failure::Model)
}

/// `-` names no file.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages and reports call a model.
fn name(path: &Path) -> String {
    if is_standard_input(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn read_model(path: &Path) -> std::io::Result<Vec<u8>> {
    if !is_standard_input(path) {
        return read(path);
    }
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// Reading a directory fails with a message that depends on the system, so it is told apart here.
pub fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path.is_dir() {
        return Err(std::io::Error::other("it is a directory"));
    }
    std::fs::read(path)
}

/// Included files are looked for beside the file that includes them.
struct Files;

impl IncludeLoader for Files {
    fn load(&self, including_file: &str, name: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let beside = Path::new(including_file).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let path = beside.join(name);
        let contents =
            read(&path).map_err(|error| IncludeError { reason: format!("cannot read {}: {error}", path.display()) })?;
        Ok((path.display().to_string(), contents))
    }
}
