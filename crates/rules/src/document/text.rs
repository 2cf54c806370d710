//! The author's text without markup, with the place of each byte in the file.

use std::ops::Range;

use rollbook_text::diagnostic::Span;

/// The author's text without emphasis marks, links and backticks, and with line breaks as spaces.
/// Code spans and emphasis are kept as [`Mark`]s.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    text: String,
    pieces: Vec<Piece>,
    span: Span,
}

/// A part of a [`Text`] from one span of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Its bytes in the text.
    at: Range<usize>,
    /// Its bytes in the file.
    source: Range<usize>,
    mark: Mark,
    /// Whether both are the same bytes.
    verbatim: bool,
}

/// The markup of a part of a [`Text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Whether it is a code span.
    pub is_code: bool,
    /// Whether it is in emphasis; bold does not count.
    pub is_emphasis: bool,
}

impl Mark {
    /// The mark of a code span.
    pub const CODE: Mark = Mark {
        is_code: true,
        is_emphasis: false,
    };
}

impl Text {
    /// An empty text with this place.
    pub fn new(span: Span) -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
            span,
        }
    }

    /// Words that are not in the file, with the place that led to them.
    pub(crate) fn invented(words: &str, place: Span) -> Self {
        let mut text = Self::new(place);
        text.push(words, place.bytes(), Mark::default());
        text
    }

    /// Appends words taken from these bytes of the file.
    pub(super) fn push(&mut self, words: &str, source: Range<usize>, mark: Mark) {
        if words.is_empty() {
            return;
        }
        let verbatim = words.len() == source.len();
        let start = self.text.len();
        self.text.push_str(words);
        // Most texts have one piece.
        self.pieces.reserve_exact(usize::from(start == 0));
        self.pieces.push(Piece {
            at: start..self.text.len(),
            source,
            mark,
            verbatim,
        });
    }

    /// Frees spare memory: a document keeps many texts.
    pub(super) fn shrunk(mut self) -> Self {
        self.text.shrink_to_fit();
        self.pieces.shrink_to_fit();
        self
    }

    /// Sets the span of the whole text.
    pub(super) fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The span of the whole text in its file.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The span of these bytes of the text in the file.
    pub fn span_of(&self, range: Range<usize>) -> Span {
        let start = self.source_of(range.start, false);
        let end = if range.end > range.start {
            self.source_of(range.end, true)
        } else {
            start
        };
        Span::new(self.span.file, start..end.max(start))
    }

    /// A part of the text, with its ends moved inwards to character boundaries.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let start = self.text.ceil_char_boundary(range.start);
        let end = self.text.floor_char_boundary(range.end).max(start);
        let words = self.text.get(start..end).unwrap_or_default();
        let [first, last] = [
            self.pieces.partition_point(|piece| piece.at.end <= start),
            self.pieces.partition_point(|piece| piece.at.start < end),
        ];
        let touched = self.pieces.get(first..last).unwrap_or_default();
        let mut pieces = Vec::with_capacity(touched.len());
        pieces.extend(touched.iter().filter_map(|piece| piece.cut(start..end)));
        Self {
            text: words.to_owned(),
            pieces,
            span: self.span_of(start..end),
        }
    }

    /// The text without white space at either end.
    #[must_use]
    pub fn trim(self) -> Self {
        let whole = 0..self.text.len();
        match self.text.trim().len() == whole.end {
            true => Self {
                span: self.span_of(whole),
                ..self
            },
            false => self.trimmed(whole),
        }
    }

    /// A part of the text without white space at either end.
    pub fn trimmed(&self, range: Range<usize>) -> Self {
        let words = self.text.get(range.clone()).unwrap_or_default();
        let start = range.start + (words.len() - words.trim_start().len());
        self.slice(start..start + words.trim().len())
    }

    /// The parts between separators outside code and brackets, trimmed, without empty ones.
    pub(crate) fn split_all(&self, separators: &[&str]) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut start = 0;
        for separator in self.separators(separators) {
            parts.push(self.trimmed(start..separator.start));
            start = separator.end;
        }
        parts.push(self.trimmed(start..self.text.len()));
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Its items between commas and semicolons, without those in emphasis.
    pub fn without_emphasis(&self) -> String {
        // Most texts have neither.
        if !self.text.contains(';') && !self.pieces.iter().any(|piece| piece.mark.is_emphasis) {
            return self.text.clone();
        }
        let items = self
            .split_all(&[",", ";"])
            .into_iter()
            .filter(|item| !item.mark(0).is_emphasis);
        items
            .map(|item| item.text)
            .collect::<Vec<String>>()
            .join(", ")
    }

    /// Where these separators are, outside code and brackets.
    pub fn separators<'a>(
        &'a self,
        separators: &'a [&str],
    ) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut depth = 0usize;
        let mut next = 0;
        self.text.char_indices().filter_map(move |(at, letter)| {
            let rest = self.text.get(at..)?;
            let separator = separators
                .iter()
                .find(|separator| rest.starts_with(**separator));
            let is_bracket = matches!(letter, '(' | '[' | '{' | ')' | ']' | '}');
            if at < next || !is_bracket && separator.is_none() || self.mark(at).is_code {
                return None;
            }
            match letter {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            next = at + separator.filter(|_| depth == 0)?.len();
            Some(at..next)
        })
    }

    /// Its code spans, in order.
    pub fn codes(&self) -> Vec<Self> {
        let code = self.pieces.iter().filter(|piece| piece.mark == Mark::CODE);
        code.map(|piece| self.slice(piece.at.clone())).collect()
    }

    /// The mark of this byte of the text.
    pub fn mark(&self, at: usize) -> Mark {
        let index = self.pieces.partition_point(|piece| piece.at.end <= at);
        self.pieces
            .get(index)
            .map_or_else(Mark::default, |piece| piece.mark)
    }

    /// The end of each piece, and its mark. Two adjacent code spans are two pieces.
    pub fn ends(&self) -> impl Iterator<Item = (usize, Mark)> {
        self.pieces.iter().map(|piece| (piece.at.end, piece.mark))
    }

    fn source_of(&self, at: usize, is_end: bool) -> usize {
        let index = self.pieces.partition_point(|piece| {
            if is_end {
                piece.at.end < at
            } else {
                piece.at.end <= at
            }
        });
        match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.source.start + at.saturating_sub(piece.at.start),
            Some(piece) if is_end => piece.source.end,
            Some(piece) => piece.source.start,
            None => self
                .pieces
                .last()
                .map_or(self.span.end, |piece| piece.source.end),
        }
    }
}

impl Piece {
    fn cut(&self, range: Range<usize>) -> Option<Self> {
        let start = self.at.start.max(range.start);
        let end = self.at.end.min(range.end);
        if start >= end {
            return None;
        }
        let source = if self.verbatim {
            self.source.start + (start - self.at.start)..self.source.start + (end - self.at.start)
        } else {
            self.source.clone()
        };
        Some(Self {
            at: start - range.start..end - range.start,
            source,
            mark: self.mark,
            verbatim: self.verbatim,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_text::diagnostic::FileId;

    /// The bullet "Modifier: `{score}` &amp; more" at byte 2 of its file.
    fn bullet() -> Text {
        let mut text = Text::new(Span::new(FileId(0), 2..33));
        text.push("Modifier: ", 2..12, Mark::default());
        text.push("{score}", 13..20, Mark::CODE);
        text.push(" ", 21..22, Mark::default());
        text.push("&", 22..27, Mark::default());
        text.push(" more", 27..32, Mark::default());
        text
    }

    #[test]
    fn each_part_knows_its_bytes() {
        let [label, value] = &bullet().split_all(&[":"])[..] else {
            panic!("a colon")
        };
        assert_eq!((label.as_str(), label.span().bytes()), ("Modifier", 2..10));
        assert_eq!(
            (value.as_str(), value.span().bytes()),
            ("{score} & more", 13..32)
        );
        let codes = value.codes();
        assert_eq!(codes.len(), 1);
        assert_eq!(
            (codes[0].as_str(), codes[0].span().bytes()),
            ("{score}", 13..20)
        );
        assert_eq!(codes[0].span_of(1..6).bytes(), 14..19);
        assert_eq!(
            value.span_of(8..9).bytes(),
            22..27,
            "an entity is pointed at whole"
        );
    }

    #[test]
    fn separators_in_code_and_brackets_do_not_split() {
        let mut text = Text::new(Span::default());
        text.push("a, ", 0..3, Mark::default());
        text.push("min(1,2)", 4..12, Mark::CODE);
        text.push(" (x, y), b", 13..23, Mark::default());
        let parts: Vec<String> = text
            .split_all(&[","])
            .iter()
            .map(|part| part.as_str().to_owned())
            .collect();
        assert_eq!(parts, ["a", "min(1,2) (x, y)", "b"]);
    }
}
