//! Builds sections of the Markdown parser's events.
//!
//! Without recursion: nested lists of a hostile file only increase a counter.

use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::sections::FileSections;
use crate::document::{Block, Bound, Bullet, Document, Mark, Table, Text};
use crate::limits::Limits;
use rollbook_text::diagnostic::{FileId, Sources, Span};
use rollbook_text::names::fold;

/// Letters for each of which the Markdown parser keeps a record until it knows their meaning.
pub const MARKS: &str = "* _ [ ] < & ! \\ `";

/// Reads all files of a layer, one after the other, into one document.
pub fn build(sources: &Sources, layer: usize, limits: &Limits) -> Document {
    let mut document = Document::default();
    for (file, source) in limits
        .within(sources)
        .filter(|(_, source)| source.layer == layer)
    {
        let end = sources.line_start(file, limits.lines);
        if let Some(end) = end.filter(|end| *end < source.text.len()) {
            document.cut.push((Bound::Lines, Span::new(file, end..end)));
        }
        let text = end
            .and_then(|end| source.text.get(..end))
            .unwrap_or(&source.text);
        let text = match beyond_marks(text, limits.marks) {
            Some(end) => {
                document.cut.push((Bound::Marks, Span::new(file, end..end)));
                text.get(..end).unwrap_or_default()
            }
            None => text,
        };
        Builder::new(file, text, limits).run(&mut document);
    }
    document
}

/// The start of the line with the first mark beyond `most`.
fn beyond_marks(text: &str, most: usize) -> Option<usize> {
    // One bit for each mark.
    let marks = MARKS
        .bytes()
        .filter(|byte| *byte != b' ')
        .fold(0_u128, |all, byte| all | 1 << byte);
    let is_mark = |byte: u8| byte.is_ascii() && marks >> byte & 1 == 1;
    let (at, _) = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| is_mark(*byte))
        .nth(most)?;
    text.get(..at)
        .map(|before| before.rfind('\n').map_or(0, |line| line + 1))
}

struct Builder<'a> {
    file: FileId,
    text: &'a str,
    limits: &'a Limits,
    filed: FileSections,
    /// The paragraph, heading, item or cell being read.
    words: Option<Words>,
    /// Lists around the current place, and whether each is numbered.
    lists: Vec<bool>,
    /// Emphasis around the current place.
    emphasis: usize,
    /// Quotations around the current place: examples and asides, which are not rules.
    quotes: usize,
    /// Items around the current place, and whether their first paragraph is still to come.
    items: Vec<bool>,
    table: Option<Table>,
    row: Vec<Text>,
}

struct Words {
    kind: Kind,
    text: Text,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Heading(HeadingLevel),
    Paragraph,
    Item,
    Cell,
}

impl<'a> Builder<'a> {
    fn new(file: FileId, text: &'a str, limits: &'a Limits) -> Self {
        Self {
            file,
            text,
            limits,
            filed: FileSections::new(Span::new(file, 0..text.len()), limits),
            words: None,
            lists: Vec::new(),
            emphasis: 0,
            quotes: 0,
            items: Vec::new(),
            table: None,
            row: Vec::new(),
        }
    }

    fn run(mut self, document: &mut Document) {
        let head = head_length(self.text);
        let body = self.text.get(head..).unwrap_or_default();
        for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
            let range = range.start + head..range.end + head;
            if self.filed.is_full() {
                break;
            }
            match event {
                Event::Start(tag) => self.start(tag, range),
                Event::End(tag) => self.end(tag, range),
                Event::Text(words) => self.push(&words, range, self.mark()),
                Event::Code(words) => self.push_code(&words, range),
                Event::SoftBreak | Event::HardBreak => self.push(" ", range, self.mark()),
                _ => {}
            }
        }
        self.flush();
        self.filed.close(self.text.len(), document);
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => self.open(Kind::Heading(level), range),
            Tag::Paragraph => match self.items.last_mut() {
                // The first paragraph of a loose item is the item's text.
                Some(waiting) if *waiting => {
                    *waiting = false;
                    self.open(Kind::Item, range);
                }
                _ => self.open(Kind::Paragraph, range),
            },
            Tag::Item => {
                // A tight item has no paragraph: its words follow directly.
                self.flush();
                self.items.push(true);
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first.is_some());
            }
            Tag::Emphasis => self.emphasis += 1,
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => self.fence(kind, range),
            Tag::Table(_) => {
                self.table = Some(Table {
                    span: self.span(range),
                    ..Table::default()
                })
            }
            Tag::TableCell => self.open(Kind::Cell, range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Paragraph => self.flush(),
            TagEnd::Item => {
                self.flush();
                self.items.pop();
            }
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::TableCell => {
                if let Some(words) = self.words.take() {
                    let mut text = words.text.trim();
                    if text.is_empty() {
                        text.set_span(self.empty_cell(range));
                    }
                    self.filed.weigh(1, text.span());
                    self.row.push(text.shrunk());
                }
            }
            TagEnd::TableHead => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.names = row.iter().map(|cell| fold(cell.as_str())).collect();
                    table.header = row;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                // One more than is read, to see whether there are more.
                if let Some(table) = self
                    .table
                    .as_mut()
                    .filter(|table| table.rows.len() <= self.limits.items)
                {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.add(Block::Table(Arc::new(table)));
                }
            }
            _ => {}
        }
    }

    /// The span of an empty cell: the end of its row; the parser gives the start of the next line.
    fn empty_cell(&self, range: Range<usize>) -> Span {
        let before = self.text.get(..range.start).unwrap_or_default();
        let row = before.trim_end();
        match before.ends_with(['\n', '\r']) && !row.is_empty() {
            true => self.span(row.floor_char_boundary(row.len() - 1)..row.len()),
            false => self.span(range),
        }
    }

    fn open(&mut self, kind: Kind, range: Range<usize>) {
        self.flush();
        self.words = Some(Words {
            kind,
            text: Text::new(self.span(range)),
        });
    }

    /// The mark of words at the current place.
    fn mark(&self) -> Mark {
        Mark {
            is_code: false,
            is_emphasis: self.emphasis > 0,
        }
    }

    fn push(&mut self, words: &str, range: Range<usize>, mark: Mark) {
        if self.words.is_none()
            && let Some(waiting) = self.items.last_mut()
            && *waiting
        {
            *waiting = false;
            self.open(Kind::Item, range.clone());
        }
        if let Some(open) = &mut self.words {
            open.text.push(words, range, mark);
        }
    }

    /// A code span's range includes its backticks; its words begin after them.
    fn push_code(&mut self, words: &str, range: Range<usize>) {
        let inner = self
            .text
            .get(range.clone())
            .and_then(|written| written.find(words));
        let source = match inner {
            Some(at) => range.start + at..range.start + at + words.len(),
            None => range,
        };
        self.push(
            words,
            source,
            Mark {
                is_code: true,
                ..self.mark()
            },
        );
    }

    /// Ends the words being read, and adds them as a heading or a block.
    fn flush(&mut self) {
        let Some(Words { kind, text }) = self.words.take() else {
            return;
        };
        let whole = text.span();
        let mut text = text.trim().shrunk();
        match kind {
            Kind::Heading(level) if self.quotes == 0 && self.lists.is_empty() => {
                text.set_span(whole);
                self.heading(level, text);
            }
            Kind::Item if !text.is_empty() => {
                let depth = self.lists.len().saturating_sub(1);
                let is_numbered = self.lists.last().is_some_and(|numbered| *numbered);
                self.add(Block::Bullet(Bullet {
                    text,
                    depth,
                    is_numbered,
                }));
            }
            Kind::Paragraph if !text.is_empty() => self.add(Block::Paragraph(text)),
            _ => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel, mut text: Text) {
        let mut span = text.span();
        let trimmed = self
            .text
            .get(span.bytes())
            .unwrap_or_default()
            .trim_end()
            .len();
        let section_span = Span::new(self.file, span.start..self.text.len());
        span.end = span.start + trimmed;
        text.set_span(span);
        let level = match level {
            HeadingLevel::H1 => 1,
            HeadingLevel::H2 => 2,
            HeadingLevel::H3 => 3,
            _ => return self.add(Block::Heading(text)),
        };
        self.filed.open(level, text, section_span);
    }

    fn fence(&mut self, kind: CodeBlockKind<'_>, range: Range<usize>) {
        self.flush();
        let span = self.span(range);
        if let CodeBlockKind::Fenced(info) = kind {
            self.add(Block::Fence {
                info: info.to_string(),
                span,
            });
        }
    }

    /// Adds a block, unless it is quoted or nested too deep.
    fn add(&mut self, block: Block) {
        if self.quotes == 0 && self.lists.len() <= self.limits.nesting {
            self.filed.add(block);
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }
}

/// How many bytes at the head are not Markdown: a byte order mark, and a block between `---` lines,
/// which some tools add. As Markdown the block would be a heading.
fn head_length(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let body = text.get(mark..).unwrap_or_default();
    let mut lines = body.split_inclusive('\n');
    let mut length = match lines.next() {
        Some(first) if first.trim_end() == "---" => first.len(),
        _ => return mark,
    };
    for line in lines {
        length += line.len();
        match line.trim_end() {
            // A blank line: the first line was a thematic break.
            "" => return mark,
            "---" | "..." => return mark + length,
            _ => {}
        }
    }
    mark
}

#[cfg(test)]
mod tests {
    use super::head_length;

    #[test]
    fn settings_are_skipped_and_rules_are_not() {
        assert_eq!(head_length("---\ntitle: x\n---\n# A\n"), 17);
        assert_eq!(head_length("\u{feff}# A\n"), 3);
        assert_eq!(head_length("---\n\n## Dice\n---\n"), 0);
        assert_eq!(head_length("---\nnever closed"), 0);
        assert_eq!(head_length(""), 0);
    }
}
