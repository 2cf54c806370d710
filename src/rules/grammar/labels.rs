//! Every label of the language, once: the readers, the suggestions, `explain language` and the grammar on a page come from here.

use super::cursor::Cursor;
use super::line::Line;
use crate::rules::section::SectionKind;

/// A bullet `- LABEL: value` that a section knows.
pub struct Label {
    pub section: SectionKind,
    /// Its own words, of which the first is shown; two at most.
    pub words: &'static [&'static str],
    /// Reads the value, and what stood behind the words.
    pub read: Read,
    /// What the value is.
    pub takes: &'static str,
    /// What it does, in a line.
    pub means: &'static str,
    pub example: &'static str,
}

/// Readers of values, by what may stand behind the label's words.
#[derive(Clone, Copy)]
pub enum Read {
    /// Nothing.
    Value(fn(&mut Cursor<'_>) -> Option<Line>),
    /// A name that it declares: `Value price`.
    Named(fn(&mut Cursor<'_>, String) -> Option<Line>),
    /// A rule of its own, which is read first: `At 5 Stress`.
    Label(fn(&mut Cursor<'_>) -> Option<Head>),
}

/// What a label with a rule in it comes to.
pub type Head = super::read::health::Head;

/// A label, in the order of the list.
pub const fn label(
    section: SectionKind,
    words: &'static [&'static str],
    read: Read,
    [takes, means, example]: [&'static str; 3],
) -> Label {
    Label { section, words, read, takes, means, example }
}
