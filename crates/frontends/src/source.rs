//! Where text came from: files, and the macro and inline expansions that brought it to where it was used.

/// A file known to a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(pub u16);

/// One use of a macro or inline, known to a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpansionId(pub u32);

/// Bytes `start..end` of a file, and the expansion that put them where they were used, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
    pub expansion: Option<ExpansionId>,
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

#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}
