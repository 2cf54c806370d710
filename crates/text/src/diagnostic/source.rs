//! The files read, and where their lines begin.

use std::sync::Arc;

use super::{FileId, Place, Span};

/// One file as it was given: its name in the adventure's folder and its whole text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceFile {
    /// Name as it is cited: `System.md`, `System/combat.md`.
    pub name: String,
    /// The text, byte order mark included.
    pub text: String,
    /// How far it lies from the adventure: 0 in it, 1 in its base, 2 in the base of that one.
    pub layer: usize,
}

impl SourceFile {
    /// A file with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            layer: 0,
        }
    }
}

/// The files read, in order, with an index of their lines. A copy shares the texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    files: Vec<Arc<Indexed>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Indexed {
    file: SourceFile,
    /// Byte at which each line begins; the first is 0. Four bytes each: a file of short lines has
    /// as many as words.
    line_starts: Vec<u32>,
}

impl Sources {
    /// Takes the files; their ids are 0, 1, 2 … in this order.
    pub fn new(files: Vec<SourceFile>) -> Self {
        Self::default().and(files)
    }

    /// The same with more files after them; the ids of the first stay as they are.
    #[must_use]
    pub fn and(mut self, more: Vec<SourceFile>) -> Self {
        let indexed = |file: SourceFile| {
            Arc::new(Indexed {
                line_starts: line_starts(&file.text),
                file,
            })
        };
        self.files.extend(more.into_iter().map(indexed));
        self
    }

    /// The byte at which this line of a file begins, counted from 0; none when the file has fewer
    /// lines.
    pub fn line_start(&self, id: FileId, line: usize) -> Option<usize> {
        Some(*self.indexed(id)?.line_starts.get(line)? as usize)
    }

    /// The files with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0u32..)
            .map(FileId)
            .zip(self.files.iter().map(|indexed| &indexed.file))
    }

    /// One file.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.indexed(id).map(|indexed| &indexed.file)
    }

    /// The text of a stretch; empty when it lies outside its file or inside a character.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|file| file.text.get(span.bytes()))
            .unwrap_or_default()
    }

    /// Where a stretch begins. A byte past the end counts as the end; an unknown file has no name.
    pub fn place(&self, span: Span) -> Place {
        self.place_of(span.file, span.start)
    }

    /// Where a stretch ends: the place after its last character.
    pub fn end(&self, span: Span) -> Place {
        self.place_of(span.file, span.end)
    }

    /// Byte range of the whole line (without its end) that holds this byte, and the line's number
    /// from 1.
    pub fn line_at(&self, id: FileId, byte: usize) -> Option<(usize, std::ops::Range<usize>)> {
        let indexed = self.indexed(id)?;
        let number = indexed.line_of(byte);
        let start = self.line_start(id, number - 1)?;
        let end = self
            .line_start(id, number)
            .unwrap_or(indexed.file.text.len());
        let line = indexed.file.text.get(start..end)?;
        Some((
            number,
            start..start + line.trim_end_matches(['\n', '\r']).len(),
        ))
    }

    fn place_of(&self, id: FileId, byte: usize) -> Place {
        let Some(indexed) = self.indexed(id) else {
            return Place {
                file: String::new(),
                line: 1,
                column: 1,
            };
        };
        let text = &indexed.file.text;
        let byte = text.floor_char_boundary(byte);
        let line = indexed.line_of(byte);
        let start = self.line_start(id, line - 1).unwrap_or(0);
        let before = text
            .get(start..byte)
            .unwrap_or_default()
            .trim_start_matches('\u{feff}');
        Place {
            file: indexed.file.name.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX),
        }
    }

    fn indexed(&self, id: FileId) -> Option<&Indexed> {
        self.files
            .get(usize::try_from(id.0).ok()?)
            .map(AsRef::as_ref)
    }
}

impl Indexed {
    /// The number of the line that holds this byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        self.line_starts
            .partition_point(|start| *start as usize <= byte)
            .max(1)
    }
}

/// A line ends with `\n`, `\r\n` or a lone `\r`, as Markdown has it.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
    }
    starts.shrink_to_fit();
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, byte: usize) -> String {
        let sources = Sources::new(vec![SourceFile::new("System.md", text)]);
        sources.place(Span::new(FileId(0), byte..byte)).full()
    }

    #[test]
    fn lines_end_in_three_ways() {
        for text in ["a\nbc\nd", "a\rbc\rd"] {
            assert_eq!(place(text, 3), "System.md:2:2");
            assert_eq!(place(text, 5), "System.md:3:1");
        }
        assert_eq!(place("a\r\nbc", 4), "System.md:2:2");
    }

    #[test]
    fn columns_count_characters_and_not_the_byte_order_mark() {
        assert_eq!(place("é- x", 4), "System.md:1:4");
        assert_eq!(place("\u{feff}ab", 4), "System.md:1:2");
    }

    #[test]
    fn a_place_outside_the_file_is_its_end() {
        assert_eq!(place("ab", 99), "System.md:1:3");
        assert_eq!(place("", 0), "System.md:1:1");
        assert_eq!(Sources::default().place(Span::default()).full(), ":1:1");
    }
}
