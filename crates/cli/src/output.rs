//! Writing to the terminal or to whatever stands in for it.

use std::io::{ErrorKind, Write};

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

/// Prints a line to standard error. If even that fails, there is nobody left to tell.
pub fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
