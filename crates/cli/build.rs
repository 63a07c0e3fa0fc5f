//! Finds out which commit the sources are of, for `reductio --version`.

use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // Sources that were unpacked from an archive have no history, and the version alone has to do.
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).filter(|_| is_our_repository());
    let version = commit.map_or(version.clone(), |commit| format!("{version} (commit {commit})"));
    println!("cargo::rustc-env=REDUCTIO_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", file])
            && std::path::Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The sources may lie inside the repository of something else.
fn is_our_repository() -> bool {
    git(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some()
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
