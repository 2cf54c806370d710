//! Limits on what is read, so that hostile or mistaken files cost bounded time and memory.

use rollbook_text::diagnostic::{FileId, SourceFile, Sources};

/// Limits of one reading. What is beyond a limit is left out and reported; nothing fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file; a larger file is not read at all.
    pub file_bytes: usize,
    /// Bytes of all files together.
    pub total_bytes: usize,
    /// Lines of one file; the rest is not read.
    pub lines: usize,
    /// Headings, bullets, paragraphs and cells of tables of one file; the rest is not read.
    pub pieces: usize,
    /// Letters of one file that may be markup inside a paragraph, such as `*` and `[`: the parser
    /// keeps a record of each. The line with the first one beyond and all after it are not read.
    pub marks: usize,
    /// Levels of lists and quotations within each other; what is deeper is prose.
    pub nesting: usize,
    /// Attributes, skills, checks, tracks, triggers, and rows of a table: of each.
    pub items: usize,
    /// Sections of a document.
    pub sections: usize,
    /// Bullets, paragraphs and tables of one section.
    pub blocks: usize,
    /// Findings reported; the worst are kept.
    pub diagnostics: usize,
}

impl Limits {
    /// The limits outside of tests.
    pub const DEFAULT: Self = Self {
        file_bytes: 10_000_000,
        total_bytes: 40_000_000,
        lines: 200_000,
        pieces: 100_000,
        marks: 500_000,
        nesting: 32,
        items: 1_000,
        sections: 5_000,
        blocks: 5_000,
        diagnostics: 1_000,
    };

    /// The files that are read: each within its limit, and in order while all fit into the total.
    pub fn within<'s>(
        &self,
        sources: &'s Sources,
    ) -> impl Iterator<Item = (FileId, &'s SourceFile)> + use<'s> {
        let Self {
            file_bytes,
            mut total_bytes,
            ..
        } = *self;
        sources.iter().filter(move |(_, file)| {
            let fits = file.text.len() <= file_bytes && file.text.len() <= total_bytes;
            if fits {
                total_bytes -= file.text.len();
            }
            fits
        })
    }
}
