//! The pieces of a section: its parts, bullets and tables; a bullet's label and what stands behind its colon.

use std::sync::Arc;

use super::every::{self, Label, Read};
use crate::document::{self, Block, Bullet, Section, Text};
use crate::section::SectionKind;
use rollbook_text::names::same;

/// Words of a declared name, and of a bullet that declares one in Attributes and Skills.
pub const NAME_WORDS_MAX: usize = 5;

/// The parts of a section, each with the heading of level 3 above it.
pub fn parts(section: &Section) -> impl Iterator<Item = (Option<&Text>, &Section)> {
    std::iter::once((None, section)).chain(section.subsections.iter().map(|own| (own.heading.as_ref(), own)))
}

pub fn bullets(section: &Section) -> impl Iterator<Item = &Bullet> {
    section.blocks.iter().filter_map(|block| match block {
        Block::Bullet(own) if !own.is_numbered && !is_for_people(&own.text) => Some(own),
        _ => None,
    })
}

pub fn tables(section: &Section) -> impl Iterator<Item = &Arc<document::Table>> {
    section.blocks.iter().filter_map(|block| if let Block::Table(own) = block { Some(own) } else { None })
}

/// Whether all of it is emphasis.
pub fn is_for_people(text: &Text) -> bool {
    text.ends().all(|(_, mark)| mark.is_emphasis)
}

/// What stands before the first colon outside code, brackets and emphasis, and behind it.
pub fn halves(text: &Text) -> (Text, Option<Text>) {
    let colon = text.separators(&[":"]).find(|at| !text.mark(at.start).is_emphasis);
    match colon {
        Some(at) => (text.trimmed(0..at.start), Some(text.trimmed(at.end..text.as_str().len()))),
        None => (text.trimmed(0..text.as_str().len()), None),
    }
}

/// A label that a bullet begins with, and what stands behind its words. The longest wins: `Damage types` before `Damage`.
pub fn label(section: SectionKind, written: &Text) -> Option<(&'static Label, Text)> {
    let whole = written.as_str();
    let fits = every::of(section);
    let fits = fits.filter_map(|own| {
        let head = head_of(whole, own.words)?;
        let rest = written.trimmed(head..whole.len());
        let fits = rest.is_empty() || !matches!(own.read, Read::Value(_));
        fits.then_some((own, rest))
    });
    fits.max_by_key(|(own, _)| own.words.len())
}

/// How many bytes of a label these words take at its beginning, as whole words.
pub fn head_of(written: &str, words: &str) -> Option<usize> {
    // Most begin with another letter.
    let first = written.bytes().next().filter(|own| own.is_ascii_alphabetic());
    if first.is_some_and(|own| !words.as_bytes().first().is_some_and(|word| word.eq_ignore_ascii_case(&own))) {
        return None;
    }
    let mut at = 0;
    for word in words.split(' ') {
        let rest = written.get(at..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '-']).len();
        let rest = rest.get(blank..)?;
        let length = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        if !same(rest.get(..length)?, word) {
            return None;
        }
        at += blank + length;
    }
    Some(at)
}
