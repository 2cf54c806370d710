//! Sentences of the rules, and the words in them.

use std::ops::Range;

use super::look::Look;
use crate::diagnostic::Span;
use crate::rules::document::{Block, Section, Text};
use crate::rules::language::plain::{is_mention, sentences as ends};

/// Sentences of one look; the rest is not looked at.
const SENTENCES_MAX: usize = 20_000;
/// Bytes of a sentence; a longer one is none.
const BYTES_MAX: usize = 400;
/// Bytes of its paragraph that are looked at before it and behind it.
const NEAR_BYTES: usize = 800;
/// Words of a heading below which nothing is a rule.
const NO_RULES: [&str; 12] = [
    "old",
    "optional",
    "variant",
    "variants",
    "example",
    "examples",
    "history",
    "changes",
    "changelog",
    "notes",
    "unused",
    "obsolete",
];

/// A sentence with where it stands.
#[derive(Clone)]
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

    /// Whether it states a rule, and does not only mention one.
    pub fn is_told(&self) -> bool {
        !is_mention(self.words())
    }

    /// It and what stands behind it in its paragraph, as far as that is looked at.
    pub fn onward(&self) -> &'a str {
        let words = self.text.as_str();
        words.get(self.at.start..words.floor_char_boundary(self.at.end + NEAR_BYTES)).unwrap_or_default()
    }

    /// The paragraphs and bullets behind its own below the same heading.
    pub fn after(&self) -> impl Iterator<Item = &'a str> {
        let end = self.text.span().end;
        let texts = self.part.blocks.iter().filter_map(|block| match block {
            Block::Paragraph(text) => Some(text),
            Block::Bullet(bullet) => Some(&bullet.text),
            Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => None,
        });
        texts.filter(move |text| text.span().start >= end).map(Text::as_str)
    }

    /// What stands around it in its paragraph, it included.
    pub fn around(&self) -> &'a str {
        let words = self.text.as_str();
        let start = words.ceil_char_boundary(self.at.start.saturating_sub(NEAR_BYTES));
        words.get(start..words.floor_char_boundary(self.at.end + NEAR_BYTES)).unwrap_or_default()
    }
}

/// Every sentence in paragraphs and bullets, in order.
pub(super) fn sentences<'a>(look: &'a Look<'_>) -> impl Iterator<Item = Sentence<'a>> {
    let parts = look.sections().flat_map(|(_, section)| std::iter::once(section).chain(&section.subsections));
    let texts = parts.filter(|part| may_have_rules(part)).flat_map(|part| {
        part.blocks.iter().take(look.limits.blocks).filter_map(move |block| match block {
            Block::Paragraph(text) => Some((part, text)),
            Block::Bullet(bullet) => Some((part, &bullet.text)),
            Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => None,
        })
    });
    let all = texts.flat_map(|(part, text)| ends(text.as_str()).map(move |at| Sentence { part, text, at }));
    all.filter(|own| own.at.len() <= BYTES_MAX).take(SENTENCES_MAX)
}

/// Whether the heading does not say that what stands below it is none: "Rules we no longer use".
fn may_have_rules(part: &Section) -> bool {
    let Some(heading) = &part.heading else { return true };
    let lower = heading.as_str().to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    !is_mention(&lower) && words.all(|word| !NO_RULES.contains(&word))
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
