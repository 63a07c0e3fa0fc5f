//! From the bytes of a file to its text.

use crate::diagnostics::Diagnostic;

/// Larger files are refused: no model is that large, but a wrong file name can be.
pub const MAX_FILE_SIZE: usize = 64 << 20;

/// The text of a file, or what is wrong with it.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<String, Diagnostic> {
    if bytes.len() > MAX_FILE_SIZE {
        return Err(Diagnostic::error(format!("{name}: the file is larger than {} MiB", MAX_FILE_SIZE >> 20), None));
    }
    decode(bytes).map_err(|problem| Diagnostic::error(format!("{name}: {}", problem.message()), None))
}

/// The bytes of a file as text. Models with comments in some old 8-bit encoding are common and harmless, so what is
/// not UTF-8 is replaced, and is an error only where a token should be.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, NotText> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(NotText::Utf16);
    }
    if bytes.contains(&0) {
        return Err(NotText::ZeroBytes);
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Why bytes are not taken for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    Utf16,
    ZeroBytes,
}

impl NotText {
    pub fn message(self) -> &'static str {
        match self {
            NotText::Utf16 => "the file is encoded in UTF-16; save it as UTF-8",
            NotText::ZeroBytes => "the file is not text: it contains zero bytes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_told() {
        assert!(decode(b"a\0b").is_err());
        assert!(decode(b"\xff\xfea").is_err());
        assert_eq!(decode(b"\xef\xbb\xbfa"), Ok("a".to_string()));
    }
}
