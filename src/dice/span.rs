//! Where in the text something stands.

use std::ops::Range;

/// A range of bytes of the text that was read.
///
/// All spans are equal to each other: the same expression written with other spaces is the same
/// expression, and `parse -> print -> parse` compares trees that were read from different texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { start: narrow(start), end: narrow(end.max(start)) }
    }

    /// The smallest span that covers both.
    pub(crate) fn to(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}
