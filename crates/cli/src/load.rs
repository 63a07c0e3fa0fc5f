//! From a file to a model.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use reductio::{LoadedSystem, Questions, Source, System};
use reductio_frontends::promela::{IncludeError, IncludeLoader};
use reductio_model::{Budget, Model};
use reductio_reduce::StoreChoice;

use crate::arguments::{Language, ModelArguments};
use crate::failure::Failure;
use crate::machine::default_memory_limit;
use crate::output;

/// Reads a model of processes together with what is asked of it. Its errors and warnings go to standard error.
pub fn load_and_ask(arguments: &ModelArguments, questions: &Questions) -> Result<Model, Failure> {
    match load_system(arguments, questions)? {
        System::Processes(model) => Ok(model),
        System::Circuit(_) => Err(Failure::OnlyForProcesses),
    }
}

/// Reads a model of any kind for a command that takes its steps one by one. Every expression in it has a value.
pub fn load_to_step(arguments: &ModelArguments) -> Result<System, Failure> {
    let system = load_system(arguments, &Questions::default())?;
    if let System::Circuit(circuit) = &system {
        let budget = Budget { memory: default_memory_limit(StoreChoice::Exact), ..Budget::UNLIMITED };
        reductio::expect_values(circuit, &budget).map_err(|error| Failure::check(&arguments.model, None, error))?;
    }
    Ok(system)
}

fn load_system(arguments: &ModelArguments, questions: &Questions) -> Result<System, Failure> {
    let loaded = source(arguments, language(arguments)?).load(questions);
    let LoadedSystem { system, diagnostics } = loaded.map_err(|error| Failure::check(&arguments.model, None, error))?;
    output::complain_of(&diagnostics);
    Ok(system)
}

/// The text of a model, which is read when it is needed.
pub fn source(arguments: &ModelArguments, language: Language) -> Source {
    let path = arguments.model.clone();
    let read = move || read_model(&path);
    Source::reading(language, &name(&arguments.model), read).including(Files).defining(arguments.defines.clone())
}

pub fn language(arguments: &ModelArguments) -> Result<Language, Failure> {
    if let Some(language) = arguments.language {
        return Ok(language);
    }
    let path = &arguments.model;
    if is_standard_input(path) {
        return Ok(Language::Promela);
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.and_then(Language::of_ending).ok_or_else(|| Failure::UnknownLanguage { path: path.clone() })
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
