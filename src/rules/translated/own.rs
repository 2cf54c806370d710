//! Names that are the author's own or each call's to give: they stay what they are, whatever the language has for them.

use std::collections::HashSet;

use super::{Reader, code_free};
use crate::names::fold;
use crate::rules::document::{Block, Document, Section, Text};
use crate::rules::language::names::{ATTRIBUTE_WORDS, CALL_WORDS};
use crate::rules::language::section::SectionKind;
use crate::rules::translation;

/// What the author has names for: they stay what they are, whatever the language has for them.
pub(super) fn own_names(document: &Document) -> HashSet<String> {
    let mut names = HashSet::new();
    let declares = |section: &&Section| {
        let kind = section.heading.as_ref().and_then(|heading| SectionKind::of_heading(heading.as_str()));
        kind.is_some_and(|kind| {
            matches!(
                kind,
                SectionKind::Attributes
                    | SectionKind::Skills
                    | SectionKind::Health
                    | SectionKind::Company
                    | SectionKind::Clocks
            )
        })
    };
    for block in document.sections.iter().filter(declares).flat_map(Section::all_blocks) {
        let Block::Bullet(bullet) = block else { continue };
        let head = bullet.text.as_str().split(':').next().unwrap_or_default();
        let (name, bracket) = head.split_once('(').unwrap_or((head, ""));
        names.insert(fold(name));
        names.extend(bracket.split([')', ',']).next().filter(|short| !short.is_empty()).map(fold));
    }
    names
}

/// The bullets of checks, each taken apart at its colon.
fn of_checks(document: &Document) -> impl Iterator<Item = (Text, Text)> {
    let checks = document.sections.iter().filter(|section| {
        let kind = section.heading.as_ref().and_then(|heading| SectionKind::of_heading(heading.as_str()));
        kind == Some(SectionKind::Checks)
    });
    checks.flat_map(Section::all_blocks).filter_map(|block| match block {
        Block::Bullet(bullet) => bullet.text.split_at_any(&[":"]),
        _ => None,
    })
}

/// Names of the author's values and flags: `- Wert Erfolge: …`.
pub(super) fn named_values(document: &Document, table: &translation::Table) -> Vec<String> {
    let labels = ["value ", "flag "];
    let named = of_checks(document).filter_map(|(label, _)| {
        let edits = table.labels(SectionKind::Checks.name())?.find(&code_free(&label, 0..label.as_str().len()))?;
        let ours = fold(label.reworded(&edits).as_str());
        labels.iter().find_map(|own| ours.strip_prefix(own)).map(str::to_owned)
    });
    named.collect()
}

/// Names in braces that each call gives: those that a check asks for, and those in what it rolls for which the language has a word that
/// no call gives.
pub(super) fn given_names(document: &Document, reader: &Reader<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    for (label, value) in of_checks(document) {
        let written = label.as_str();
        let edits = reader.label(&label, 0..written.len(), SectionKind::Checks.name());
        let ours = fold(label.reworded(&edits.unwrap_or_default()).as_str());
        match ours.as_str() {
            "asks" => names.extend(value.split_all(&[",", ";"]).iter().filter_map(|part| reader.asked(part))),
            "roll" | "target" | "advantage" | "disadvantage" | "with no dice" | "opposing dice" => {
                let braces = value.as_str().split('{').skip(1).filter_map(|rest| rest.split(['}', '=']).next());
                let of_call = |name: &&str| reader.table.formal.ours(name).is_some_and(|ours| !is_of_call(ours));
                names.extend(braces.filter(of_call).map(fold));
            }
            _ => {}
        }
    }
    names
}

/// Whether expressions know this word of ours as something that stands in braces.
fn is_of_call(ours: &str) -> bool {
    CALL_WORDS.contains(&ours) || ATTRIBUTE_WORDS.contains(&ours) || ["level", "score", "damage"].contains(&ours)
}

impl Reader<'_> {
    /// `vorrat` of `vorrat von 1 bis 20`.
    fn asked(&self, part: &Text) -> Option<String> {
        let mut edits = Vec::new();
        self.clauses(part, 0..part.as_str().len(), None, &mut edits);
        let ours = part.reworded(&edits);
        let words =
            ours.as_str().split_whitespace().take_while(|word| !word.contains(|own: char| own.is_ascii_digit()));
        let words: Vec<&str> = words.collect();
        let name = words.strip_suffix(&["from"]).unwrap_or(&words).join(" ");
        Some(fold(name.trim_matches(['`', '{', '}']))).filter(|name| !name.is_empty())
    }
}
