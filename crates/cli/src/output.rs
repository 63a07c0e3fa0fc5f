//! Writing to the terminal or to whatever stands in for it.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::Failure;

/// Whether anybody still reads what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Listens,
    /// The other end of the pipe was closed, as `| head` does. That is no error, and the exit code stays the same.
    IsGone,
}

/// Prints to standard output at once.
pub fn print(text: &str) -> Result<Reader, Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::Listens),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::IsGone),
        Err(error) => Err(Failure::CannotPrint(error)),
    }
}

/// Can a file be written? What it holds stays, and none is left behind where there was none.
pub fn expect_writable(path: &Path) -> Result<(), Failure> {
    let known = std::fs::metadata(path);
    // To open a pipe or a device may already do something.
    if known.as_ref().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return Ok(());
    }
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| Failure::CannotWrite { path: path.to_owned(), error })?;
    if known.is_err() {
        // If it cannot be removed, it will be written, or stays empty.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Prints diagnostics to standard error, if there are any. Whoever does not read the warnings still wants the verdict.
pub fn complain_of(diagnostics: &str) {
    let _ = std::io::stderr().write_all(diagnostics.as_bytes());
}

/// Prints a line to standard error. If even that fails, there is nobody left to tell.
pub fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
