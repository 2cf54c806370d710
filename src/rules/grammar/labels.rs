//! Every label of the language, once: the readers, the suggestions, `explain language` and the grammar on a page come from here.

use super::cursor::Cursor;
use super::line::Line;
use crate::rules::section::SectionKind;

/// A bullet `- LABEL: value` that a section knows.
pub struct Label {
    pub section: SectionKind,
    /// Its own words, of which the first is shown; two at most.
    pub words: &'static [&'static str],
    /// What may stand behind the words, before the colon.
    pub tail: Tail,
    /// Reads the value, and what stood behind the words.
    pub read: Read,
    /// What the value is.
    pub takes: &'static str,
    /// What it does, in a line.
    pub means: &'static str,
    pub example: &'static str,
}

/// What follows a label's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    Nothing,
    /// A name that it declares: `Value price`.
    Name,
    /// The value's grammar says what: `At 5 Stress`.
    Rule,
}

/// Readers of values. `Label` has read what stands before the colon, too.
#[derive(Clone, Copy)]
pub enum Read {
    Value(fn(&mut Cursor<'_>) -> Option<Line>),
    Named(fn(&mut Cursor<'_>, String) -> Option<Line>),
    /// The label's own rest is read first, from a cursor of its own.
    Label(fn(&mut Cursor<'_>) -> Option<Head>),
}

/// What a label with a rule in it comes to.
pub type Head = super::read::health::Head;

/// A label, in the order of the list.
pub const fn label(
    section: SectionKind,
    words: &'static [&'static str],
    tail: Tail,
    read: Read,
    [takes, means, example]: [&'static str; 3],
) -> Label {
    Label { section, words, tail, read, takes, means, example }
}
