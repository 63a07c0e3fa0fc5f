//! Golden files: what people read, as it was when somebody looked at it last.
//!
//! `cargo xtask bless`, or `REDUCTIO_BLESS=1` for some tests, writes them anew; look at the difference then.

use std::path::Path;

/// Are files to be written, and not compared?
pub fn is_blessing() -> bool {
    std::env::var_os("REDUCTIO_BLESS").is_some()
}

/// What to say if the text is not what the file has.
pub fn difference(file: &Path, actual: &str) -> Option<String> {
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return None;
    }
    if is_blessing() {
        std::fs::write(file, actual).expect("golden files can be written");
        return None;
    }
    let file = file.display();
    Some(format!("{file} (REDUCTIO_BLESS=1 accepts what is new)\n--- expected\n{expected}--- actual\n{actual}\n"))
}
