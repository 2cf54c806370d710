//! The pieces of a section: its parts, bullets and tables; a bullet's label and value.

use std::sync::Arc;

use super::labels::{self, Label, Read};
use crate::document::{self, Block, Bullet, Section, Text};
use crate::section::SectionKind;
use rollbook_text::names::same;

/// The most words of a declared name, and of a bullet that declares one in Attributes and Skills.
pub const NAME_WORDS_MAX: usize = 5;

/// The parts of a section, each with the heading of level 3 above it.
pub fn parts(section: &Section) -> impl Iterator<Item = (Option<&Text>, &Section)> {
    std::iter::once((None, section)).chain(
        section
            .subsections
            .iter()
            .map(|part| (part.heading.as_ref(), part)),
    )
}

pub fn bullets(section: &Section) -> impl Iterator<Item = &Bullet> {
    section.blocks.iter().filter_map(|block| match block {
        Block::Bullet(bullet) if !bullet.is_numbered && !is_for_people(&bullet.text) => {
            Some(bullet)
        }
        _ => None,
    })
}

pub fn tables(section: &Section) -> impl Iterator<Item = &Arc<document::Table>> {
    section.blocks.iter().filter_map(|block| {
        if let Block::Table(table) = block {
            Some(table)
        } else {
            None
        }
    })
}

/// Whether the whole text is emphasis.
pub fn is_for_people(text: &Text) -> bool {
    text.ends().all(|(_, mark)| mark.is_emphasis)
}

/// What is before the first colon outside code, brackets and emphasis, and what is after it.
pub fn split_at_colon(text: &Text) -> (Text, Option<Text>) {
    let colon = text
        .separators(&[":"])
        .find(|at| !text.mark(at.start).is_emphasis);
    match colon {
        Some(at) => (
            text.trimmed(0..at.start),
            Some(text.trimmed(at.end..text.as_str().len())),
        ),
        None => (text.trimmed(0..text.as_str().len()), None),
    }
}

/// A bullet's longest label (`Damage types` before `Damage`), and what follows its words.
pub fn label(section: SectionKind, written: &Text) -> Option<(&'static Label, Text)> {
    let whole = written.as_str();
    let fits = labels::labels_of(section);
    let fits = fits.filter_map(|label| {
        let head = label_length(whole, label.words)?;
        let rest = written.trimmed(head..whole.len());
        let fits = rest.is_empty() || !matches!(label.read, Read::Value(_));
        fits.then_some((label, rest))
    });
    fits.max_by_key(|(label, _)| label.words.len())
}

/// How many bytes at the beginning of a text these whole words take.
pub fn label_length(written: &str, words: &str) -> Option<usize> {
    // Most labels begin with another letter, which is cheap to see.
    let first = written
        .bytes()
        .next()
        .filter(|letter| letter.is_ascii_alphabetic());
    if first.is_some_and(|letter| {
        !words
            .as_bytes()
            .first()
            .is_some_and(|word| word.eq_ignore_ascii_case(&letter))
    }) {
        return None;
    }
    let mut at = 0;
    for word in words.split(' ') {
        let rest = written.get(at..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '-']).len();
        let rest = rest.get(blank..)?;
        let length = rest
            .find(|letter: char| !letter.is_alphanumeric())
            .unwrap_or(rest.len());
        if !same(rest.get(..length)?, word) {
            return None;
        }
        at += blank + length;
    }
    Some(at)
}
