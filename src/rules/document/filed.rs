//! The sections of one file while it is read: each block goes to the section that is open.
//!
//! Apart from the reading of Markdown, which knows what a block is and not where it belongs.

use super::{Block, Document, Section, Text};
use crate::diagnostic::Span;

/// What of one file is filed so far.
pub(super) struct Filed {
    sections: Vec<Section>,
    titles: Vec<Text>,
    asides: Vec<Block>,
    asides_max: usize,
}

impl Filed {
    /// Nothing yet but what stands before the first heading of a file of these bytes.
    pub(super) fn new(whole: Span, asides_max: usize) -> Self {
        let sections = vec![Section { span: whole, ..Section::default() }];
        Self { sections, titles: Vec::new(), asides: Vec::new(), asides_max }
    }

    /// Opens a section of level 1 to 3; `span` reaches to the end of the file until it is known where it ends.
    pub(super) fn open(&mut self, level: u8, heading: Text, span: Span) {
        let section = Section { heading: Some(heading.clone()), level, span, ..Section::default() };
        if level == 1 {
            self.titles.push(heading);
        }
        match self.sections.last_mut() {
            Some(parent) if level == 3 => parent.subsections.push(section),
            _ => self.sections.push(section),
        }
    }

    /// Adds a block to the section that is open.
    pub(super) fn add(&mut self, block: Block) {
        if let Some(section) = self.sections.last_mut() {
            match section.subsections.last_mut() {
                Some(subsection) => subsection.blocks.push(block),
                None => section.blocks.push(block),
            }
        }
    }

    /// Keeps a block that is no rule: an example, an aside.
    pub(super) fn put_aside(&mut self, block: Block) {
        if self.asides.len() < self.asides_max {
            self.asides.push(block);
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
        document.titles.append(&mut self.titles);
        document.sections.append(&mut self.sections);
        document.asides.append(&mut self.asides);
    }
}
