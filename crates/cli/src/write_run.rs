//! The counterexample of a circuit, written to a file for `reductio replay`.

use std::path::Path;

use reductio_report::run_file::{RUN_SCHEMA, RunFile};
use reductio_report::{ResultEntry, RunEntry};

use crate::failure::Failure;
use crate::output;

/// A counterexample. One that leaves out variables is no run of the whole circuit, and cannot be replayed on it.
pub struct Counterexample<'r> {
    pub result: &'r ResultEntry,
    pub run: &'r RunEntry,
    pub is_whole: bool,
}

/// Writes the first counterexample that is a run of the whole circuit, and tells what is left out.
pub fn write_first(path: &Path, model: &str, all: &[Counterexample<'_>]) -> Result<(), Failure> {
    let file = path.display();
    let Some(first) = all.iter().find(|one| one.is_whole) else {
        output::complain(&match all.first() {
            None => format!("{file} was not written: there is no counterexample"),
            Some(one) => format!(
                "{file} was not written: the counterexample to {} leaves out variables; --reduce none has them all",
                one.result.property
            ),
        });
        return Ok(());
    };
    let json = RunFile {
        schema: RUN_SCHEMA,
        model,
        property: &first.result.property,
        kind: first.result.kind,
        reason: first.result.reason.as_deref(),
        run: first.run,
    };
    std::fs::write(path, json.to_json()).map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })?;
    if all.len() > 1 {
        output::complain(&format!(
            "{file} holds the counterexample to {}; choose another one of the {} with --property",
            first.result.property,
            all.len()
        ));
    }
    Ok(())
}
