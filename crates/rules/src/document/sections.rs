//! The sections of one file while it is read. Each block goes to the open section.

use crate::document::{Block, Bound, Document, Section, Text};
use crate::limits::Limits;
use rollbook_text::diagnostic::Span;

/// The sections of one file so far.
pub(super) struct FileSections {
    /// Of sections, and of the blocks of each, one more is kept, to see whether there are more.
    limits: Limits,
    sections: Vec<Section>,
    titles: Vec<Text>,
    /// Blocks of the open section, those of its subsections included.
    blocks: usize,
    pieces: usize,
    /// Where the pieces became too many.
    full: Option<Span>,
}

impl FileSections {
    /// An empty section for what is before the first heading of this file.
    pub(super) fn new(whole: Span, limits: &Limits) -> Self {
        Self {
            limits: *limits,
            sections: vec![Section {
                span: whole,
                ..Section::default()
            }],
            titles: Vec::new(),
            blocks: 0,
            pieces: 0,
            full: None,
        }
    }

    /// Counts pieces towards the bound.
    pub(super) fn weigh(&mut self, pieces: usize, at: Span) {
        self.pieces += pieces;
        if self.pieces > self.limits.pieces {
            self.full.get_or_insert(at);
        }
    }

    /// Whether nothing more is added.
    pub(super) fn is_full(&self) -> bool {
        self.full.is_some() || self.sections.len() > self.limits.sections + 1
    }

    /// Opens a section of level 1 to 3. Its span ends at the end of the file until [`Self::close`].
    pub(super) fn open(&mut self, level: u8, heading: Text, span: Span) {
        self.weigh(1, heading.span());
        if self.is_full() {
            return;
        }
        if level == 1 {
            self.titles.push(heading.clone());
        }
        if level < 3 {
            self.blocks = 0;
        }
        let section = Section {
            heading: Some(heading),
            level,
            span,
            ..Section::default()
        };
        match self.sections.last_mut() {
            Some(parent) if level == 3 => parent.subsections.push(section),
            _ => self.sections.push(section),
        }
    }

    /// Adds a block to the open section.
    pub(super) fn add(&mut self, block: Block) {
        self.weigh(1, block.span());
        self.blocks += 1;
        if self.is_full() || self.blocks > self.limits.blocks + 1 {
            return;
        }
        if let Some(section) = self.sections.last_mut() {
            match section.subsections.last_mut() {
                Some(subsection) => subsection.blocks.push(block),
                None => section.blocks.push(block),
            }
        }
    }

    /// Adds all to the document. A section ends where the next of its level begins, or at `end`.
    pub(super) fn close(mut self, mut end: usize, document: &mut Document) {
        for section in self.sections.iter_mut().rev() {
            section.span.end = end;
            let mut inner_end = end;
            for subsection in section.subsections.iter_mut().rev() {
                subsection.span.end = inner_end;
                inner_end = subsection.span.start;
            }
            end = section.span.start;
        }
        self.sections.retain(|section| {
            section.heading.is_some()
                || !section.blocks.is_empty()
                || !section.subsections.is_empty()
        });
        document.cut.extend(self.full.map(|at| (Bound::Pieces, at)));
        document.titles.append(&mut self.titles);
        document.sections.append(&mut self.sections);
    }
}
