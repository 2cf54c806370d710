//! A stretch of bytes in one of the files read.

use std::ops::Range;

/// Which of the files read, counted from 0 in the order in which they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A stretch of bytes, `start..end`, in one file. Both ends lie on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Which file.
    pub file: FileId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A stretch of a file; an end before the start is read as empty.
    pub fn new(file: FileId, bytes: Range<usize>) -> Self {
        Self { file, start: bytes.start, end: bytes.end.max(bytes.start) }
    }

    /// The bytes.
    pub fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the other one begins in it.
    pub fn holds(&self, other: Self) -> bool {
        self.file == other.file && self.bytes().contains(&other.start)
    }

    /// The stretch from the beginning of the one to the end of the other; the first alone when they are in two files.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
