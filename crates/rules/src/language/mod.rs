//! The model of `System.md`. Each section is a folder: its types, their making from the grammar's
//! tree, and its lines of the summary.
//!
//! [`read`] and [`describe`] join them. Each rule is taken whole, or reported and left out alone.

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
pub mod health;
pub mod ledger;
mod lowering;
pub mod number_table;
pub mod outline;
pub mod skills;
pub mod summary;
pub mod system;
pub mod unknown;

use std::collections::BTreeSet;

use crate::codes::NOT_UNDERSTOOD;
use crate::document::Document;
use crate::grammar::file::HEADINGS;
use crate::section::SectionKind;
use clause::Bullet;
use ledger::Ledger;
use outline::Outline;
use rollbook_text::diagnostic::{Diagnostic, Span};
use summary::Summary;
use system::System;

impl SectionKind {
    /// Its usual heading.
    pub fn name(self) -> &'static str {
        let names = HEADINGS
            .iter()
            .find(|(kind, _)| *kind == self)
            .map(|(_, names)| *names);
        names.and_then(<[_]>::first).copied().unwrap_or_default()
    }
}

/// Reads the whole document.
pub fn read(document: &Document, outline: &mut Outline<'_>, ledger: &mut Ledger<'_>) -> System {
    let mut system = System {
        title: document
            .titles
            .iter()
            .map(|title| title.as_str().to_owned())
            .find(|title| !title.is_empty()),
        sections: outline.texts(ledger),
        names: std::mem::take(&mut outline.file.names),
        ..System::default()
    };
    // Every section may roll these dice.
    system.named_dice = dice::named::read::read(outline, ledger);
    // Each section after those that it names.
    system.attributes = attributes::read::read(outline, &system, ledger);
    skills::read(outline, &mut system, ledger);
    dice::read::read(outline, &mut system, ledger);
    company::read(outline, &mut system, ledger);
    health::read::read(outline, &mut system, ledger);
    system.conditions = conditions::read(outline, ledger);
    checks::read(outline, &mut system, ledger);
    dice::read::resolve(outline, &mut system, ledger);
    combat::read(outline, &mut system, ledger);
    system.advancement = advancement::read(outline, &system, ledger);
    // These name things of all other sections.
    for kind in [
        SectionKind::Company,
        SectionKind::Clocks,
        SectionKind::Health,
    ] {
        health::trigger_reader::read(kind, outline, &mut system, ledger);
    }
    system.attacks = attacks::read(outline, &system, ledger);
    conditions::assume(&mut system, ledger);
    dice::read::allow_written(document, &mut system, ledger);
    let wrong = ledger
        .diagnostics
        .iter()
        .filter(|finding| finding.code == NOT_UNDERSTOOD)
        .filter_map(Diagnostic::span);
    let wrong: BTreeSet<Span> = wrong.collect();
    let shown = [
        SectionKind::Dice,
        SectionKind::Combat,
        SectionKind::Advancement,
    ]
    .into_iter();
    let shown = shown
        .flat_map(|kind| outline.rules(kind))
        .filter(|rule| !wrong.contains(&rule.span));
    system.bullets = shown
        .map(|rule| (rule.section, Bullet::new(rule, ledger)))
        .collect();
    system
}

/// Writes the summary, section by section.
pub fn describe(system: &System, summary: &mut Summary) {
    for kind in SectionKind::ALL {
        summary.section(kind.name());
        match kind {
            SectionKind::Dice => dice::describe(system, summary),
            SectionKind::Attributes => attributes::describe(system, summary),
            SectionKind::Skills => skills::describe(system, summary),
            SectionKind::Checks => checks::describe(system, summary),
            SectionKind::Health => health::describe(system, summary),
            SectionKind::Company => company::describe(system, summary, |track| !track.clock),
            SectionKind::Clocks => company::describe(system, summary, |track| track.clock),
            SectionKind::Conditions => conditions::describe(system, summary),
            SectionKind::Combat => combat::describe(system, summary),
            SectionKind::Attacks => attacks::describe(system, summary),
            SectionKind::Advancement => advancement::describe(system, summary),
            // Playtests, which [`rollbook_table::playtest`] reads and runs.
            SectionKind::Examples => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::labels;

    /// What `rollbook explain language` shows.
    const REFERENCE: &str = crate::grammar::LANGUAGE;

    #[test]
    fn the_reference_has_every_heading_and_every_label() {
        for (kind, names) in HEADINGS {
            let (name, others) = names.split_first().expect("a name");
            let row = REFERENCE
                .lines()
                .find(|line| line.starts_with(&format!("| {name} ")));
            let also = row
                .and_then(|row| row.split('|').nth(2))
                .unwrap_or_else(|| panic!("no row of {name}"));
            assert_eq!(
                also.split(',')
                    .map(str::trim)
                    .filter(|other| !other.is_empty())
                    .collect::<Vec<_>>(),
                others
            );
            for label in labels::labels_of(kind).map(|label| label.words) {
                assert!(
                    REFERENCE.contains(label),
                    "explain language does not name {label} of {name}"
                );
            }
        }
    }
}
