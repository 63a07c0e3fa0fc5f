//! Diagnostics as plain text: the place, the message, the source line with a marker, and how macros led there.
//!
//! ```text
//! model.pml:2:11: error: expected an expression, found `;`
//!    2 |     x = 3 +;
//!      |            ^
//!      = help: what to do about it
//!   note: in the expansion of macro `ADD` used at model.pml:9:5
//!    9 |     ADD(x)
//!      |     ^^^^^^
//! ```

use std::fmt::Write;

use super::{Diagnostic, Severity};
use crate::source::{ExpansionKind, SourceMap, Span};

/// Source lines are cut to this many characters around the marker, so that they fit on a screen.
const WINDOW: usize = 100;
/// How much of the line to keep before the marker when a line must be cut.
const BEFORE_MARKER: usize = 40;
const TAB: &str = "    ";
/// Deeper stacks of expansions are cut in the middle: the first and the last tell most.
const MAX_EXPANSIONS: usize = 6;

pub(super) fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap, out: &mut String) {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    match diagnostic.span {
        Some(span) => {
            line(out, format_args!("{}: {severity}: {}", sources.location(span), diagnostic.message));
            excerpt(span, sources, out);
        }
        None => line(out, format_args!("{severity}: {}", diagnostic.message)),
    }
    if let Some(help) = &diagnostic.help {
        line(out, format_args!("       = help: {help}"));
    }
    for (message, span) in &diagnostic.notes {
        line(out, format_args!("  note: {}: {message}", sources.location(*span)));
        excerpt(*span, sources, out);
    }
    if let Some(span) = diagnostic.span {
        expansions(span, sources, out);
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
    out.push('\n');
}

fn expansions(span: Span, sources: &SourceMap, out: &mut String) {
    let all: Vec<_> = sources.expansions_of(span).collect();
    let cut = all.len().saturating_sub(MAX_EXPANSIONS);
    for (number, expansion) in all.iter().enumerate() {
        let first_cut = MAX_EXPANSIONS - 1;
        if cut > 0 && number == first_cut {
            line(out, format_args!("  note: ... and {cut} more expansions ..."));
        }
        if number >= first_cut && number < first_cut + cut {
            continue;
        }
        let kind = match expansion.kind {
            ExpansionKind::Macro => "macro",
            ExpansionKind::Inline => "inline",
        };
        let place = sources.location(expansion.used_at);
        line(out, format_args!("  note: in the expansion of {kind} `{}` used at {place}", expansion.name));
        excerpt(expansion.used_at, sources, out);
    }
}

/// The line in which the span starts, and a marker under the part of the span that lies in it.
fn excerpt(span: Span, sources: &SourceMap, out: &mut String) {
    let file = sources.file(span.file);
    let number = file.line_of(span.start);
    let text = file.line_text(number);
    let start = ((span.start - file.line_start(number)) as usize).min(text.len());
    let end = (span.end.saturating_sub(file.line_start(number)) as usize).clamp(start, text.len());
    // Some files have one line only: look at what may be shown, and no further.
    let first = floor_boundary(text, start.saturating_sub(4 * WINDOW));
    let last = floor_boundary(text, (start + 8 * WINDOW).min(text.len()));
    let (start, end) = (start - first, end.min(last) - first);
    let (more_before, more_after) = (first > 0, last < text.len());
    let text = &text[first..last];

    let mut shown = Vec::new();
    let (mut marker_start, mut marker_end) = (None, None);
    for (offset, character) in text.char_indices() {
        if offset >= start && marker_start.is_none() {
            marker_start = Some(shown.len());
        }
        if offset >= end && marker_end.is_none() {
            marker_end = Some(shown.len());
        }
        match character {
            '\t' => shown.extend(TAB.chars()),
            // Control characters could do anything to a terminal.
            character if character.is_control() => shown.push('\u{fffd}'),
            character => shown.push(character),
        }
    }
    let marker_start = marker_start.unwrap_or(shown.len());
    let marker_end = marker_end.unwrap_or(shown.len()).max(marker_start + 1);

    let mut window_start = 0;
    if more_before || (shown.len() > WINDOW && marker_end > WINDOW) {
        window_start = marker_start.saturating_sub(BEFORE_MARKER);
    }
    let window_end = (window_start + WINDOW).min(shown.len());
    let cut_before = if window_start > 0 || more_before { "..." } else { "" };
    let cut_after = if window_end < shown.len() || more_after { "..." } else { "" };
    let visible: String = shown[window_start..window_end].iter().collect();
    let visible_marker = marker_end.min(window_end.max(marker_start + 1)) - marker_start;
    let indent = cut_before.len() + marker_start - window_start;

    let source_line = format!("{cut_before}{visible}{cut_after}");
    line(out, format_args!("{number:>6} | {}", source_line.trim_end()));
    line(out, format_args!("       | {}{}", " ".repeat(indent), "^".repeat(visible_marker)));
}

/// The start of the character that a byte belongs to.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn rendered(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", text.to_string());
        let span = Span { file: FileId(0), start, end, expansion: None };
        let mut out = String::new();
        diagnostic(&Diagnostic::error("bad", span), &sources, &mut out);
        out
    }

    #[test]
    fn tabs_do_not_shift_the_marker() {
        let expected = "m.pml:1:3: error: bad\n     1 |         xy = 1\n       |         ^^\n";
        assert_eq!(rendered("\t\txy = 1", 2, 4), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_marker() {
        let text = format!("{}BAD{}", "a".repeat(5000), "b".repeat(5000));
        let out = rendered(&text, 5000, 5003);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.iter().all(|line| line.len() < 120), "{out}");
        let column = lines[2].find('^').expect("a marker");
        assert_eq!(&lines[1][column..column + 3], "BAD");
        assert_eq!(lines[2].trim_start_matches([' ', '|']), "^^^");
    }

    #[test]
    fn a_span_at_the_end_of_the_file_has_a_marker() {
        assert!(rendered("abc", 3, 3).ends_with("|    ^\n"));
        assert!(rendered("", 0, 0).contains('^'));
    }
}
