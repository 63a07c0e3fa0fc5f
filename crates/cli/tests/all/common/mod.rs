//! Runs the `reductio` binary the way a user does, from the root of the repository.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use reductio_testing::root;

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reductio"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// What a run of the binary left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("reports are text"),
            err: String::from_utf8(output.stderr).expect("messages are text"),
        }
    }
}

pub fn reductio(arguments: &[&str]) -> Run {
    command(arguments).output().expect("the binary was built for this test").into()
}

/// The same with something typed in.
pub fn typed(arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

/// The path of a model of ours, from the root.
pub fn model(name: &str) -> String {
    format!("testdata/models/{name}")
}

/// A file of this test alone, in the directory that cargo gives to tests.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
