//! A place in the text, and the characters that count there.

use crate::compare::Comparison;
use crate::text::{Span, is_minus};

/// What [`Cursor::peek`] answers for a character that notation does not know.
const FOREIGN: u8 = 0x80;

/// Comparison signs, the longest first.
const SIGNS: [(&str, Comparison); 7] = [
    ("<>", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// A place in the text. Reads letters in lower case and typographic signs as ASCII.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn go(&mut self, at: usize) {
        self.at = at.min(self.text.len());
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// What has not been read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// From `start` to here.
    pub(crate) fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The next character; 0 at the end.
    pub(crate) fn peek(&self) -> u8 {
        match self.text.as_bytes().get(self.at) {
            None => 0,
            Some(0) => FOREIGN,
            Some(byte) if byte.is_ascii() => byte.to_ascii_lowercase(),
            Some(_) => match self.rest().chars().next() {
                Some(char) if is_minus(char) => b'-',
                Some('×') => b'*',
                Some('÷') => b'/',
                _ => FOREIGN,
            },
        }
    }

    pub(crate) fn bump(&mut self) {
        let Some(byte) = self.text.as_bytes().get(self.at) else {
            return;
        };
        self.at += if byte.is_ascii() {
            1
        } else {
            self.rest().chars().next().map_or(1, char::len_utf8)
        };
    }

    pub(crate) fn skip_space(&mut self) {
        while self
            .text
            .as_bytes()
            .get(self.at)
            .is_some_and(u8::is_ascii_whitespace)
        {
            self.at += 1;
        }
    }

    /// The place after spaces, which are passed.
    pub(crate) fn start(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// The next character after spaces, which are passed.
    pub(crate) fn next(&mut self) -> u8 {
        self.skip_space();
        self.peek()
    }

    /// Passes spaces and then `byte`, if it is there.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.next() == byte;
        if found {
            self.bump();
        }
        found
    }

    /// Whether `word` (lower case) is exactly here.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.text
            .as_bytes()
            .get(self.at..self.at + word.len())
            .is_some_and(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Whether `word` is exactly here and no letter follows it.
    pub(crate) fn at_whole_word(&self, word: &str) -> bool {
        self.at_word(word)
            && !self
                .text
                .as_bytes()
                .get(self.at + word.len())
                .is_some_and(u8::is_ascii_alphabetic)
    }

    /// Passes spaces and then `word`, if it is there and no letter follows it.
    pub(crate) fn take_whole_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let found = self.at_whole_word(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Passes the digits that are exactly here.
    pub(crate) fn take_digits(&mut self) -> &'a str {
        let start = self.at;
        while self
            .text
            .as_bytes()
            .get(self.at)
            .is_some_and(u8::is_ascii_digit)
        {
            self.at += 1;
        }
        self.slice(start, self.at)
    }

    /// Passes spaces and then a comparison sign, if one is there.
    pub(crate) fn take_comparison(&mut self) -> Option<Comparison> {
        self.skip_space();
        let (sign, comparison) = SIGNS.into_iter().find(|(sign, _)| self.at_word(sign))?;
        self.at += sign.len();
        Some(comparison)
    }
}
