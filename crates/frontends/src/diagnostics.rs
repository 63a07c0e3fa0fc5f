//! What there is to tell the user about a model's text: errors and warnings with the places they are about.

mod render;

use crate::source::{SourceMap, Span};

/// After this many errors the rest is likely to follow from the first few.
const MAX_ERRORS: usize = 20;
const MAX_WARNINGS: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// `None` for what is about no place in particular, such as an empty file.
    pub span: Option<Span>,
    /// Other places that matter, each with what there is to say about it.
    pub notes: Vec<(String, Span)>,
    /// What the user could do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>, span: impl Into<Option<Span>>) -> Diagnostic {
        Diagnostic::new(Severity::Error, message.into(), span.into())
    }

    pub fn warning(message: impl Into<String>, span: impl Into<Option<Span>>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, message.into(), span.into())
    }

    fn new(severity: Severity, message: String, span: Option<Span>) -> Diagnostic {
        Diagnostic { severity, message, span, notes: Vec::new(), help: None }
    }

    pub fn note(mut self, message: impl Into<String>, span: Span) -> Diagnostic {
        self.notes.push((message.into(), span));
        self
    }

    /// Asks whether another name was meant, if there is one like it.
    pub fn suggest(mut self, name: Option<&str>) -> Diagnostic {
        self.help = name.map(|name| format!("did you mean `{name}`?"));
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Collects diagnostics in the order they were found, without repeating itself.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    errors_not_kept: usize,
}

impl Diagnostics {
    pub fn add(&mut self, diagnostic: Diagnostic) {
        if self.list.iter().any(|known| says_the_same(known, &diagnostic)) {
            return;
        }
        let (count, limit) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, MAX_WARNINGS),
        };
        if *count < limit {
            *count += 1;
            self.list.push(diagnostic);
        } else if diagnostic.severity == Severity::Error {
            self.errors_not_kept += 1;
        }
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// No further error would be kept, so there is no point in looking for one.
    pub fn is_full(&self) -> bool {
        self.errors_not_kept > 0
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.add(diagnostic);
        }
        self.errors_not_kept += other.errors_not_kept;
    }

    /// All diagnostics as plain text for a terminal, with the source lines they are about.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        for diagnostic in &self.list {
            render::diagnostic(diagnostic, sources, &mut out);
        }
        if self.errors_not_kept > 0 {
            out.push_str("error: further errors not shown\n");
        }
        out
    }
}

/// An inline's body is read anew at each use and would repeat its errors; and a second error at the very same place
/// mostly follows from the first.
fn says_the_same(known: &Diagnostic, new: &Diagnostic) -> bool {
    if known.severity != new.severity {
        return false;
    }
    match (known.span, new.span) {
        (Some(a), Some(b)) => {
            a.file == b.file && a.start == b.start && (known.message == new.message || a.expansion == b.expansion)
        }
        (None, None) => known.message == new.message,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn at(start: u32) -> Span {
        Span { file: FileId(0), start, end: start + 1, expansion: None }
    }

    #[test]
    fn the_same_place_is_reported_once_and_the_number_is_limited() {
        let mut diagnostics = Diagnostics::default();
        for _ in 0..3 {
            diagnostics.add(Diagnostic::error("bad", at(0)));
        }
        assert_eq!(diagnostics.iter().count(), 1);
        for start in 0..100 {
            diagnostics.add(Diagnostic::error("bad", at(start)));
        }
        assert_eq!(diagnostics.iter().count(), MAX_ERRORS);
        assert!(diagnostics.is_full());
    }
}
