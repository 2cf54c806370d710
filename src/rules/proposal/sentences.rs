//! Sentences of the rules, and the words in them.

use std::ops::Range;

use super::look::Look;
use crate::diagnostic::Span;
use crate::rules::document::{Block, Section, Text};

/// Sentences of one look; the rest is not looked at.
const SENTENCES_MAX: usize = 20_000;
/// Bytes of a sentence; a longer one is none.
const BYTES_MAX: usize = 400;

/// A sentence with where it stands.
pub(super) struct Sentence<'a> {
    /// The section, or the part of it below a level-3 heading.
    pub part: &'a Section,
    text: &'a Text,
    at: Range<usize>,
}

impl<'a> Sentence<'a> {
    /// The words.
    pub fn words(&self) -> &'a str {
        self.text.as_str().get(self.at.clone()).unwrap_or_default()
    }

    /// The words in small letters, byte for byte where they are ASCII.
    pub fn lower(&self) -> String {
        self.words().to_ascii_lowercase()
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        let start = self.at.start + (self.words().len() - self.words().trim_start().len());
        self.text.span_of(start..self.at.start + self.words().trim_end().len())
    }

    /// Whether it says that something is not so.
    pub fn is_negated(&self) -> bool {
        let lower = self.lower();
        let mut words = lower.split(|letter: char| !letter.is_alphabetic() && letter != '\'' && letter != '\u{2019}');
        words.any(|word| {
            matches!(word, "not" | "never" | "no" | "without" | "instead" | "used" | "would" | "nobody")
                || word.ends_with("n't")
        })
    }
}

/// Every sentence in paragraphs and bullets, in order.
pub(super) fn sentences<'a>(look: &'a Look<'_>) -> impl Iterator<Item = Sentence<'a>> {
    let parts = look.sections().flat_map(|(_, section)| std::iter::once(section).chain(&section.subsections));
    let texts = parts.flat_map(|part| {
        part.blocks.iter().take(look.limits.blocks).filter_map(move |block| match block {
            Block::Paragraph(text) => Some((part, text)),
            Block::Bullet(bullet) => Some((part, &bullet.text)),
            Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => None,
        })
    });
    let all = texts.flat_map(|(part, text)| ends(text.as_str()).map(move |at| Sentence { part, text, at }));
    all.filter(|own| own.at.len() <= BYTES_MAX).take(SENTENCES_MAX)
}

/// Where sentences stand: up to a full stop with a gap behind it.
fn ends(words: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let stops = words.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let stops = stops.filter(|at| words.get(*at..).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    stops.chain(std::iter::once(words.len())).filter_map(move |end| {
        let at = start..end;
        start = end;
        (!at.is_empty()).then_some(at)
    })
}

/// Words without the signs around them.
pub(super) fn bare(words: &str) -> Vec<&str> {
    let sign = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '%' | '\u{2212}' | '-');
    words.split_whitespace().map(|word| word.trim_matches(sign)).filter(|word| !word.is_empty()).collect()
}

/// `Dexterity`: a name as rules write them, with a capital.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().count() > 2 && word.chars().all(char::is_alphabetic)
}
