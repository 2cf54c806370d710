//! How much is read, so that hostile or mistaken files cost bounded time and memory.

use rollbook_text::diagnostic::{FileId, SourceFile, Sources};

/// Bounds of one reading. Beyond each of them the rest is left out and a diagnostic says so; nothing fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file; a larger one is not read at all.
    pub file_bytes: usize,
    /// Bytes of all files together.
    pub total_bytes: usize,
    /// Lines of one file; what stands below them is not read.
    pub lines: usize,
    /// Headings, bullets, paragraphs and cells of tables of one file; what stands below them is not read.
    pub pieces: usize,
    /// Letters of one file that may begin or end something inside a paragraph, `*` and `[` for example: the parser keeps
    /// a record of each. The line with the first one beyond is not read, nor what stands below it.
    pub marks: usize,
    /// Levels of lists and quotations within each other; what lies deeper is prose.
    pub nesting: usize,
    /// Bytes of one bullet or table cell that is looked at; a longer one is prose.
    pub bullet_bytes: usize,
    /// Attributes, skills, checks, tracks, triggers, and rows of a table: of each.
    pub items: usize,
    /// Sections that are looked at.
    pub sections: usize,
    /// Bullets, paragraphs and tables of one section.
    pub blocks: usize,
    /// Findings reported; the worst are kept.
    pub diagnostics: usize,
}

impl Limits {
    /// What is used everywhere outside tests.
    pub const DEFAULT: Self = Self {
        file_bytes: 10_000_000,
        total_bytes: 40_000_000,
        lines: 200_000,
        pieces: 100_000,
        marks: 500_000,
        nesting: 32,
        bullet_bytes: 4_000,
        items: 1_000,
        sections: 5_000,
        blocks: 5_000,
        diagnostics: 1_000,
    };
}

impl Limits {
    /// The files that are read: none larger than its limit, and as many of the others, in order, as fit into all.
    pub fn within<'s>(&self, sources: &'s Sources) -> impl Iterator<Item = (FileId, &'s SourceFile)> + use<'s> {
        let Self { file_bytes, mut total_bytes, .. } = *self;
        sources.iter().filter(move |(_, file)| {
            let fits = file.text.len() <= file_bytes && file.text.len() <= total_bytes;
            if fits {
                total_bytes -= file.text.len();
            }
            fits
        })
    }
}
