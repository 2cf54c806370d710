//! Markdown as far as rules need it: sections with their paragraphs, bullets, tables and fences.
//!
//! All parts keep their bytes in the file. Left out is what is not read: quotations, HTML, images.

mod build;
mod sections;
mod text;

use std::sync::Arc;

use rollbook_text::diagnostic::Span;

pub(crate) use build::MARKS;
pub use build::build;
pub use text::{Mark, Text};

/// One or more files as a list of sections, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Level-1 headings, in order; the first is the title.
    pub titles: Vec<Text>,
    /// Level-1 and level-2 headings with what follows, and what is before the first of them.
    pub sections: Vec<Section>,
    /// Where a file exceeds a bound. The document ends there.
    pub cut: Vec<(Bound, Span)>,
    /// Parts of a base's sections that nearer rules replace.
    pub replaced: Vec<Span>,
}

impl Document {
    /// Appends another document.
    pub fn append(&mut self, other: Document) {
        let Document {
            titles,
            sections,
            cut,
            replaced,
        } = other;
        self.titles.extend(titles);
        self.sections.extend(sections);
        self.cut.extend(cut);
        self.replaced.extend(replaced);
    }
}

/// A bound of one file's document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Lines,
    /// Headings, bullets, paragraphs and cells.
    Pieces,
    /// Letters that may be markup inside a paragraph.
    Marks,
}

/// A heading and what follows it up to the next heading of its level or above.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// The heading; none for what is before the first.
    pub heading: Option<Text>,
    /// 1 to 3; 0 without a heading.
    pub level: u8,
    /// From the heading's first byte to the last byte of the section.
    pub span: Span,
    /// Its blocks, without those of subsections.
    pub blocks: Vec<Block>,
    /// Level-3 headings in it; deeper headings are blocks.
    pub subsections: Vec<Section>,
}

impl Section {
    /// Its blocks and those of its subsections, in order.
    pub fn all_blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().chain(
            self.subsections
                .iter()
                .flat_map(|section| section.blocks.iter()),
        )
    }
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Prose.
    Paragraph(Text),
    /// An item of a list, numbered or not.
    Bullet(Bullet),
    /// A table with a header row.
    Table(Arc<Table>),
    /// A heading of level 4 to 6.
    Heading(Text),
    /// A fenced block.
    Fence {
        /// The text after the opening fence.
        info: String,
        /// From the opening fence to the closing one.
        span: Span,
    },
}

impl Block {
    /// Its bytes in the file.
    pub fn span(&self) -> Span {
        match self {
            Self::Paragraph(text) | Self::Heading(text) | Self::Bullet(Bullet { text, .. }) => {
                text.span()
            }
            Self::Table(table) => table.span,
            Self::Fence { span, .. } => *span,
        }
    }
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bullet {
    /// Its first paragraph.
    pub text: Text,
    /// Its depth, from 0. A bullet below another follows it with a greater depth.
    pub depth: usize,
    /// Whether its list is numbered.
    pub is_numbered: bool,
}

/// A table. Each row has as many cells as the header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The cells of the header.
    pub header: Vec<Text>,
    /// The header's cells, folded.
    pub names: Vec<String>,
    pub rows: Vec<Vec<Text>>,
    pub span: Span,
}
