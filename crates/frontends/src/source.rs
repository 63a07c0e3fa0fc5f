//! Where text came from: files, and the macro and inline expansions that brought it to where it was used.

/// A file known to a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(pub u16);

/// One use of a macro or inline, known to a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpansionId(pub u32);

/// Bytes `start..end` of a file, and the expansion that put them where they were used, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
    pub expansion: Option<ExpansionId>,
}

impl Span {
    /// From the start of this span to the end of the other. Two spans of different origin have no text in common,
    /// so then this one is kept; [`SourceMap::join`] knows better, because it can look up the uses.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file || self.expansion != other.expansion {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end), ..self }
    }
}

/// One use of a macro or inline: its name and the place of the use, which may lie in an expansion itself.
#[derive(Clone, Debug)]
pub struct Expansion {
    pub kind: ExpansionKind,
    pub name: String,
    pub used_at: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    Macro,
    Inline,
}

#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user named it.
    pub name: String,
    pub text: String,
    /// The byte offset of each line's start.
    line_starts: Vec<u32>,
}

/// A place as people write it: lines and columns count from one, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    pub file: &'a str,
    pub line: usize,
    pub column: usize,
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

impl SourceMap {
    /// Adds a file. Front ends limit the number and the size of the files they read, so running out of ids here
    /// is our mistake, not the user's.
    pub fn add_file(&mut self, name: impl Into<String>, text: String) -> FileId {
        let id = u16::try_from(self.files.len()).expect("a front end limits how many files it reads");
        assert!(u32::try_from(text.len()).is_ok(), "a front end limits the size of the files it reads");
        let after_newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        FileId(id)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[usize::from(id.0)]
    }

    /// The names of all files, by id.
    pub fn file_names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.name.clone()).collect()
    }

    /// The file of that name, if it was added before.
    pub fn find_file(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|file| file.name == name).map(|at| FileId(at as u16))
    }

    pub fn add_expansion(&mut self, kind: ExpansionKind, name: &str, used_at: Span) -> ExpansionId {
        let id = u32::try_from(self.expansions.len()).expect("a front end limits how much it expands");
        self.expansions.push(Expansion { kind, name: name.to_string(), used_at });
        ExpansionId(id)
    }

    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id.0 as usize]
    }

    /// The expansions a span lies in, the innermost first.
    pub fn expansions_of(&self, span: Span) -> impl Iterator<Item = &Expansion> {
        let mut next = span.expansion;
        std::iter::from_fn(move || {
            let expansion = self.expansion(next?);
            next = expansion.used_at.expansion;
            Some(expansion)
        })
    }

    /// The place outside all macros and inlines that a span stems from.
    pub fn outermost(&self, span: Span) -> Span {
        self.expansions_of(span).last().map_or(span, |expansion| expansion.used_at)
    }

    /// The place outside all macros that a span stems from. It may lie in the body of an inline. This is the line that
    /// SPIN, which has its macros expanded by another program, would name.
    pub fn outside_macros(&self, span: Span) -> Span {
        let macros = self.expansions_of(span).take_while(|expansion| expansion.kind == ExpansionKind::Macro);
        macros.last().map_or(span, |expansion| expansion.used_at)
    }

    /// The text from one span to another, where the two may stem from different expansions: then the result is the
    /// text around the uses that they have in common.
    pub fn join(&self, first: Span, second: Span) -> Span {
        let (mut left, mut right) = (first, second);
        // An expansion is recorded after the one it lies in, so the greater id is never the outer one.
        while left.expansion != right.expansion {
            let inner = if left.expansion > right.expansion { &mut left } else { &mut right };
            match inner.expansion {
                Some(id) => *inner = self.expansion(id).used_at,
                None => break,
            }
        }
        if left.file == right.file { left.to(right) } else { first }
    }

    /// Where a span starts.
    pub fn location(&self, span: Span) -> Location<'_> {
        let file = self.file(span.file);
        let line = file.line_of(span.start);
        let start = file.line_starts[line - 1] as usize;
        // A span may start in the middle of nothing after a mistake of ours; a wrong column beats a panic.
        let before = file.text.get(start..span.start as usize).unwrap_or("");
        Location { file: &file.name, line, column: before.chars().count() + 1 }
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

impl SourceFile {
    /// The line (counted from one) in which a byte lies.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).max(1)
    }

    /// The text of a line (counted from one) without its end.
    pub fn line_text(&self, line: usize) -> &str {
        let Some(start) = line.checked_sub(1).and_then(|index| self.line_starts.get(index)) else {
            return "";
        };
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| *next as usize);
        self.text[*start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// The byte offset at which a line (counted from one) starts.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32, expansion: Option<ExpansionId>) -> Span {
        Span { file: FileId(0), start, end, expansion }
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", "a\n\u{e9}\u{e9}x\n".to_string());
        let location = sources.location(span(6, 7, None));
        assert_eq!((location.line, location.column), (2, 3));
        assert_eq!(sources.file(FileId(0)).line_text(2), "\u{e9}\u{e9}x");
        assert_eq!(sources.location(span(8, 8, None)).line, 3);
    }

    #[test]
    fn joining_across_expansions_covers_the_uses() {
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", "#define N 1+2\nx = N + 3".to_string());
        let used_at = span(18, 19, None);
        let expansion = sources.add_expansion(ExpansionKind::Macro, "N", used_at);
        let in_body = span(10, 11, Some(expansion));
        let after = span(22, 23, None);
        assert_eq!(sources.join(in_body, after), span(18, 23, None));
        assert_eq!(sources.join(after, in_body), span(18, 23, None));
        assert_eq!(sources.outermost(in_body), used_at);
    }
}
