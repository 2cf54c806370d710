//! Text: places in it, numbers in it, and characters that must not be shown.

use std::borrow::Cow;
use std::ops::Range;

/// A range of bytes of the text that was read. All spans are equal: an expression with other spaces
/// is the same, and `parse -> print -> parse` compares trees that were read from different texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            start: narrow(start),
            end: narrow(end.max(start)),
        }
    }

    pub(crate) fn to(self, other: Span) -> Self {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
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

/// Whether a character is a minus as people type it: a hyphen, a dash or the sign itself.
pub fn is_minus(char: char) -> bool {
    matches!(
        char,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Whether a character acts on a terminal or on the text around it instead of being seen: control
/// characters, line and paragraph separators, marks that turn the writing direction (as in the
/// "Trojan Source" attack, CVE-2021-42574), tags, the byte order mark. Joiners stay: emoji and
/// several scripts need them.
pub(crate) fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with every such character replaced by U+FFFD, each one character for one.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.contains(is_unsafe) {
        Cow::Owned(text.replace(is_unsafe, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

pub(crate) fn is_digit(char: char) -> bool {
    char.is_ascii_digit()
}

pub(crate) fn is_letter(char: char) -> bool {
    char.is_ascii_alphabetic()
}

/// Appends the decimal digits of `value`.
pub(crate) fn push_int(out: &mut String, value: i64) {
    out.push_str(itoa::Buffer::new().format(value));
}

/// Appends the values with commas between.
pub(crate) fn push_list(out: &mut String, values: impl IntoIterator<Item = i64>) {
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_int(out, value);
    }
}
