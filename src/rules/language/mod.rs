//! The model of what `System.md` says: one section a folder, with its types, what makes them of the grammar's tree, and its lines of
//! the summary.
//!
//! [`SECTIONS`] joins the sections; a new one is a folder, its kind, and its line there. A rule is taken whole, or reported and left out;
//! nothing that is met stops this section or another.

pub mod advancement;
pub mod attacks;
pub mod attributes;
pub mod checks;
pub mod clause;
pub mod combat;
pub mod company;
pub mod conditions;
pub mod dice;
pub mod effects;
mod entry;
pub mod health;
pub mod ledger;
mod lower;
pub mod number_table;
pub mod outline;
pub mod rests;
pub mod skills;
pub mod summary;
pub mod system;
pub mod time_words;
pub mod unknown;

use crate::rules::document::Document;
use crate::rules::grammar::file::{self, HEADINGS};
use crate::rules::section::SectionKind;
use entry::SectionEntry;
use ledger::Ledger;
use outline::Outline;
use summary::Summary;
use system::System;

/// Every section, in the order in which they are read: each after those that it speaks of, or else it resolves what it says of them
/// once all are read.
pub static SECTIONS: [SectionEntry; SectionKind::ALL.len()] = [
    attributes::SECTION,
    skills::SECTION,
    dice::SECTION,
    company::SECTION,
    company::CLOCKS,
    health::SECTION,
    conditions::SECTION,
    checks::SECTION,
    combat::SECTION,
    attacks::SECTION,
    advancement::SECTION,
    // Playtests, which [`crate::playtest`] reads and runs.
    SectionEntry::of(SectionKind::Examples),
];

impl SectionKind {
    /// The kind with this heading, folded.
    pub fn named(heading: &str) -> Option<Self> {
        file::section(heading)
    }

    /// Its usual heading.
    pub fn name(self) -> &'static str {
        HEADINGS
            .iter()
            .find(|(kind, _)| *kind == self)
            .and_then(|(_, names)| names.first())
            .copied()
            .unwrap_or_default()
    }
}

/// The sections in the order of the summary.
fn in_order() -> Vec<&'static SectionEntry> {
    let mut all: Vec<&SectionEntry> = SECTIONS.iter().collect();
    all.sort_by_key(|section| section.kind);
    all
}

/// Which section of the document is which.
pub fn outline<'a>(document: &'a Document, ledger: &mut Ledger<'_>) -> Outline<'a> {
    Outline::of(document, ledger)
}

/// Reads the whole document, whose sections are these.
pub fn read(document: &Document, outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> System {
    let mut system = System {
        title: document.titles.iter().map(|title| title.as_str().to_owned()).find(|title| !title.is_empty()),
        sections: outline.texts(ledger),
        names: outline.file.names.clone(),
        ..System::default()
    };
    // Every section may roll them.
    system.own_dice = dice::own::read::read(outline, ledger);
    for section in &SECTIONS {
        (section.read)(outline, &mut system, ledger);
    }
    for section in &SECTIONS {
        (section.resolve)(outline, &mut system, ledger);
    }
    dice::read::allow_written(document, &mut system, ledger);
    system
}

/// Writes what was understood, section by section.
pub fn describe(system: &System, summary: &mut Summary) {
    for section in in_order() {
        summary.section(section.kind.name());
        (section.describe)(system, summary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::grammar::every;

    /// What `rollbook explain language` shows.
    const REFERENCE: &str = crate::rules::grammar::LANGUAGE;

    #[test]
    fn every_kind_has_one_section() {
        let kinds: Vec<SectionKind> = in_order().iter().map(|section| section.kind).collect();
        assert_eq!(kinds, SectionKind::ALL);
    }

    #[test]
    fn headings_fold_and_have_synonyms() {
        assert_eq!(SectionKind::named("  STATS "), Some(SectionKind::Attributes));
        assert_eq!(SectionKind::named("Harm"), Some(SectionKind::Health));
        assert_eq!(SectionKind::named("The harbour"), None);
        let all: Vec<&str> = HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(all.iter().all(|name| all.iter().filter(|other| other == &name).count() == 1), "{all:?}");
    }

    #[test]
    fn the_reference_has_every_heading_and_every_label() {
        for (kind, names) in HEADINGS {
            let (name, others) = names.split_first().expect("a name");
            let row = REFERENCE.lines().find(|line| line.starts_with(&format!("| {name} ")));
            let also = row.and_then(|row| row.split('|').nth(2)).unwrap_or_else(|| panic!("no row of {name}"));
            assert_eq!(also.split(',').map(str::trim).filter(|own| !own.is_empty()).collect::<Vec<_>>(), others);
            for label in every::of(kind).map(|own| own.words) {
                assert!(REFERENCE.contains(label), "explain language does not name {label} of {name}");
            }
        }
    }
}
