//! Reads the tokens of one value from left to right; knows how far it came and what it expected.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use super::names::{Names, Thing};
use super::outcome::Outcome;
use super::token::{Kind, TOKENS_MAX, Token, tokens};
use crate::document::Text;
use rollbook_text::diagnostic::Span;

/// Brackets within brackets, and `not` within `not`.
const DEPTH_MAX: usize = 40;

/// Where a value is not understood, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The first word that is not understood, or the end of the value.
    pub span: Span,
    /// That word; empty at the end.
    pub word: String,
    /// What may be there, the likeliest first.
    pub expected: Vec<Expected>,
}

/// Something that may be at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Sign(char),
    /// Words of the language.
    Words(&'static str),
    /// A number from 1 to this.
    UpTo(u32),
    /// An outcome in its brackets.
    Outcome(Outcome),
    /// What it is, in words.
    A(&'static str),
    /// Nothing.
    End,
    /// A value with fewer tokens.
    Shorter,
}

impl Display for Expected {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Sign(sign) => write!(to, "`{sign}`"),
            Expected::Words(words) => write!(to, "`{words}`"),
            Expected::UpTo(most) => write!(to, "a number from 1 to {most}"),
            Expected::Outcome(outcome) => write!(to, "({outcome})"),
            Expected::A(what) => to.write_str(what),
            Expected::End => to.write_str("the end"),
            Expected::Shorter => write!(to, "at most {TOKENS_MAX} words and signs"),
        }
    }
}

/// Takes something, or nothing.
pub type Reader<'r> = &'r dyn Fn(&mut Cursor<'_>) -> Option<()>;

/// A place in a value.
pub struct Cursor<'a> {
    text: &'a Text,
    tokens: Vec<Token<'a>>,
    pub names: &'a Names,
    at: usize,
    depth: usize,
    /// The furthest place at which something did not fit, and what would have.
    furthest: usize,
    expected: Vec<Expected>,
}

/// Reads words that are in no file; none where they are not read to the last.
pub fn read_words<T>(
    words: &str,
    names: &Names,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
) -> Option<T> {
    Cursor::new(&Text::invented(words, Span::default()), names)
        .whole(read)
        .ok()
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a Text, names: &'a Names) -> Cursor<'a> {
        Cursor {
            text,
            tokens: tokens(text),
            names,
            at: 0,
            depth: 0,
            furthest: 0,
            expected: Vec::new(),
        }
    }

    /// Reads the whole value.
    ///
    /// # Errors
    /// The first word that the reading that came furthest did not understand.
    pub fn whole<T>(mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Unread> {
        if self.tokens.len() > TOKENS_MAX {
            let span = self.text.span();
            let word = self.text.as_str().chars().take(20).collect();
            return Err(Unread {
                span,
                word,
                expected: vec![Expected::Shorter],
            });
        }
        let found = read(&mut self);
        if let Some(found) = found.filter(|_| self.is_end()) {
            return Ok(found);
        }
        self.expect::<()>(Expected::End);
        let token = self.tokens.get(self.furthest);
        let place = token.map_or(
            self.text.as_str().len()..self.text.as_str().len(),
            |token| token.at.clone(),
        );
        // A code span begins with a token that has no letters.
        let written = self.text.as_str().get(place.clone()).unwrap_or_default();
        let word = if token.is_some_and(|token| token.kind == Kind::Open) {
            "`"
        } else {
            written
        }
        .to_owned();
        let mut expected = self.expected;
        if expected.len() > 1 {
            expected.retain(|what| *what != Expected::End);
        }
        Err(Unread {
            span: self.text.span_of(place),
            word,
            expected,
        })
    }

    /// Whether one of these reads the whole of a text.
    pub fn fits(text: &Text, names: &Names, readers: &[Reader<'_>]) -> bool {
        let mut cursor = Cursor::new(text, names);
        let is_short = cursor.tokens.len() <= TOKENS_MAX;
        let mut fits = |read: &Reader<'_>| {
            cursor.at = 0;
            read(&mut cursor).is_some() && cursor.is_end()
        };
        is_short && readers.iter().any(|read| fits(read))
    }

    /// Whether nothing is left.
    pub fn is_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Takes what is left: words for people.
    pub fn skip_rest(&mut self) {
        self.at = self.tokens.len();
    }

    fn rest(&self) -> &[Token<'a>] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    fn kind(&self, ahead: usize) -> Option<&Kind<'a>> {
        self.tokens.get(self.at + ahead).map(|token| &token.kind)
    }

    fn touches(&self, ahead: usize) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(|token| token.touches)
    }

    /// Remembers what was expected here. Always `None`.
    pub fn miss<T>(&mut self, expected: &'static str) -> Option<T> {
        self.expect(Expected::A(expected))
    }

    fn expect<T>(&mut self, expected: Expected) -> Option<T> {
        if self.at > self.furthest {
            self.furthest = self.at;
            self.expected.clear();
        }
        if self.at == self.furthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
        None
    }

    /// Goes back where the reading fails.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let at = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = at;
        }
        found
    }

    /// Reads one level deeper, at most [`DEPTH_MAX`].
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEPTH_MAX {
            return self.miss("fewer brackets within each other");
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Takes a sign.
    pub fn sign(&mut self, sign: char) -> Option<()> {
        self.take(self.is_at(sign), Expected::Sign(sign))
    }

    /// Takes the next token if it fits.
    fn take(&mut self, fits: bool, expected: Expected) -> Option<()> {
        if !fits {
            return self.expect(expected);
        }
        self.at += 1;
        Some(())
    }

    /// Whether a sign is next. Takes nothing, and expects nothing.
    pub fn is_at(&self, sign: char) -> bool {
        self.kind(0) == Some(&Kind::Sign(sign))
    }

    /// Takes a sign that touches the token before it.
    pub fn glued(&mut self, sign: char) -> Option<()> {
        self.take(self.touches(0) && self.is_at(sign), Expected::Sign(sign))
    }

    /// Takes words of the language, in this order.
    pub fn words(&mut self, all: &'static str) -> Option<()> {
        let first = |words: &str| {
            words
                .bytes()
                .next()
                .map(|letter| letter.to_ascii_lowercase())
        };
        if !matches!(self.kind(0), Some(Kind::Word(word)) if first(word) == first(all)) {
            return self.expect(Expected::Words(all));
        }
        let fits = all
            .split(' ')
            .enumerate()
            .all(|(nth, part)| match self.kind(nth) {
                Some(Kind::Word(word)) => {
                    word.eq_ignore_ascii_case(part) && (nth == 0 || !self.touches(nth))
                }
                _ => false,
            });
        let count = all.split(' ').count();
        // `6s` is a face; `max` in `maxima` is none.
        if fits
            && !(self.touches(count)
                && matches!(self.kind(count), Some(Kind::Word(_) | Kind::Number(_))))
        {
            self.at += count;
            return Some(());
        }
        self.expect(Expected::Words(all))
    }

    /// What follows these words; an inner none where they are not next.
    pub fn after<T>(
        &mut self,
        words: &'static str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        self.words(words)
            .map_or(Some(None), |()| read(self).map(Some))
    }

    /// Takes words that may be given once; false where they were given before.
    pub fn once(&mut self, given: &mut Vec<&'static str>, words: &'static str) -> bool {
        let is_new = !given.contains(&words) && self.words(words).is_some();
        given.extend(is_new.then_some(words));
        is_new
    }

    /// Takes the first of these that is next.
    pub fn one_of<T: Copy>(&mut self, all: &[(&'static str, T)]) -> Option<T> {
        all.iter()
            .find_map(|(words, meant)| self.words(words).map(|()| *meant))
    }

    /// A whole number without a sign.
    pub fn number(&mut self) -> Option<i64> {
        let Some(Kind::Number(number)) = self.kind(0) else {
            return self.miss("a number");
        };
        let number = *number;
        self.at += 1;
        Some(number)
    }

    /// A whole number from 1 to this.
    pub fn count(&mut self, most: u32) -> Option<u32> {
        let many = match self.kind(0) {
            Some(Kind::Number(number)) => u32::try_from(*number)
                .ok()
                .filter(|many| (1..=most).contains(many)),
            _ => None,
        };
        let Some(many) = many else {
            return self.expect(Expected::UpTo(most));
        };
        self.at += 1;
        Some(many)
    }

    /// A word that is exactly one of these: `d`, `kh`.
    pub fn letters(&mut self, all: &[&'static str]) -> Option<&'static str> {
        let found = match self.kind(0) {
            Some(Kind::Word(word)) => all.iter().find(|letters| word == *letters).copied(),
            _ => None,
        };
        match found {
            Some(found) => {
                self.at += 1;
                Some(found)
            }
            None => self.miss("a modifier of dice"),
        }
    }

    /// Whether the next token touches the one before it.
    pub fn is_glued(&self) -> bool {
        self.touches(0)
    }

    /// A declared name of one of these things, the longest.
    pub fn name(&mut self, things: &[Thing], what: &'static str) -> Option<String> {
        let found = self
            .names
            .longest(self.rest(), things)
            .map(|(name, taken)| (name.to_owned(), taken));
        let Some((name, taken)) = found else {
            return self.miss(what);
        };
        self.at += taken;
        Some(name)
    }

    /// Words up to a sign that a name cannot hold, for a name that is not declared yet.
    pub fn new_name(&mut self, what: &'static str) -> Option<String> {
        let mut range: Option<Range<usize>> = None;
        while let Some(token) = self.tokens.get(self.at) {
            let is_hyphen = token.kind == Kind::Sign('-') && token.touches && self.touches(1);
            let is_of_name = matches!(token.kind, Kind::Word(_) | Kind::Number(_))
                || (is_hyphen && range.is_some());
            if !is_of_name {
                break;
            }
            range = Some(range.map_or(token.at.clone(), |before| before.start..token.at.end));
            self.at += 1;
        }
        match range.and_then(|range| self.text.as_str().get(range)) {
            Some(name) => Some(name.to_owned()),
            None => self.miss(what),
        }
    }

    /// The beginning of a code span.
    pub fn open(&mut self) -> Option<()> {
        self.take(
            self.kind(0) == Some(&Kind::Open),
            Expected::A("code in backticks"),
        )
    }

    /// Its end.
    pub fn close(&mut self) -> Option<()> {
        self.take(
            self.kind(0) == Some(&Kind::Close),
            Expected::A("the end of the code"),
        )
    }

    /// A run of emphasis: words for people.
    pub fn emphasis(&mut self) -> Option<String> {
        let Some(Kind::Emphasis(words)) = self.kind(0) else {
            return self.miss("*words in emphasis*");
        };
        let words = words.trim().to_owned();
        self.at += 1;
        Some(words)
    }

    /// What separates two items: a comma or a semicolon.
    pub fn separator(&mut self) -> Option<()> {
        self.take(self.is_at(',') || self.is_at(';'), Expected::Sign(','))
    }

    /// One item at least, a separator between two.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![item(self)?];
        while self.separator().is_some() {
            all.push(item(self)?);
        }
        Some(all)
    }

    /// The same, but a separator without an item after it ends the list and is left.
    pub fn run<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![item(self)?];
        while let Some(more) = self.attempt(|at| {
            at.separator()?;
            item(at)
        }) {
            all.push(more);
        }
        Some(all)
    }

    /// One item at least, this word between two.
    pub fn joined<T>(
        &mut self,
        word: &'static str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut all = vec![item(self)?];
        while self.words(word).is_some() {
            all.push(item(self)?);
        }
        Some(all)
    }

    /// One word that is not declared: `mild 2`, `S against F`.
    pub fn new_kind(&mut self) -> Option<String> {
        let Some(Kind::Word(_)) = self.kind(0) else {
            return self.miss("a name");
        };
        let range = self.tokens.get(self.at)?.at.clone();
        self.at += 1;
        self.text.as_str().get(range).map(str::to_owned)
    }

    /// What is read, and its words as written.
    pub fn written<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<(T, String)> {
        let start = self.tokens.get(self.at)?.at.start;
        let found = read(self)?;
        let end = self.tokens.get(self.at.checked_sub(1)?)?.at.end;
        self.text
            .as_str()
            .get(start..end)
            .map(|words| (found, words.to_owned()))
    }
}
