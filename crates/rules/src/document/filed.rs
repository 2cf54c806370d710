//! The sections of one file while it is read: each block goes to the section that is open.

use crate::document::{Block, Bound, Document, Section, Text};
use crate::limits::Limits;
use rollbook_text::diagnostic::Span;

/// What of one file is filed so far.
pub(super) struct Filed {
    sections: Vec<Section>,
    titles: Vec<Text>,
    /// Blocks of one section that are kept: one more than is read, so that it shows that there are more.
    blocks_max: usize,
    /// Sections that are kept, likewise.
    sections_max: usize,
    /// Blocks of the section that is open, those of its subsections included.
    blocks: usize,
    pieces: usize,
    pieces_max: usize,
    /// Where there were too many pieces.
    full: Option<Span>,
}

impl Filed {
    /// Nothing yet but what stands before the first heading of a file of these bytes.
    pub(super) fn new(whole: Span, limits: &Limits) -> Self {
        Self {
            sections: vec![Section { span: whole, ..Section::default() }],
            titles: Vec::new(),
            blocks_max: limits.blocks + 1,
            sections_max: limits.sections + 1,
            blocks: 0,
            pieces: 0,
            pieces_max: limits.pieces,
            full: None,
        }
    }

    /// Counts pieces that stand here towards the bound.
    pub(super) fn weigh(&mut self, pieces: usize, at: Span) {
        self.pieces += pieces;
        if self.pieces > self.pieces_max {
            self.full.get_or_insert(at);
        }
    }

    /// Whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.full.is_some() || self.sections.len() > self.sections_max
    }

    /// Opens a section of level 1 to 3; `span` reaches to the end of the file until it is known where it ends.
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
        let section = Section { heading: Some(heading), level, span, ..Section::default() };
        match self.sections.last_mut() {
            Some(parent) if level == 3 => parent.subsections.push(section),
            _ => self.sections.push(section),
        }
    }

    /// Adds a block to the section that is open.
    pub(super) fn add(&mut self, block: Block) {
        self.weigh(1, block.span());
        self.blocks += 1;
        if self.is_full() || self.blocks > self.blocks_max {
            return;
        }
        if let Some(section) = self.sections.last_mut() {
            match section.subsections.last_mut() {
                Some(subsection) => subsection.blocks.push(block),
                None => section.blocks.push(block),
            }
        }
    }

    /// Puts everything into the document; each section ends where the next of its level begins, the last at `end`.
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
            section.heading.is_some() || !section.blocks.is_empty() || !section.subsections.is_empty()
        });
        document.cut.extend(self.full.map(|at| (Bound::Pieces, at)));
        document.titles.append(&mut self.titles);
        document.sections.append(&mut self.sections);
    }
}
