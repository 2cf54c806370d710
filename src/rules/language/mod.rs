//! From the document to the system: one reader a section.
//!
//! A reader takes what it can and reports what it cannot; nothing it meets stops it or another reader.

pub mod advancement;
pub mod attributes;
pub mod checks;
pub mod clause;
pub mod combat;
pub mod conditions;
pub mod declaration;
pub mod dice;
pub mod fit;
pub mod formula;
pub mod health;
pub mod labels;
pub mod ledger;
pub mod names;
pub mod outline;
pub mod plain;
pub mod range;
pub mod rests;
pub mod section;
pub mod setting;
pub mod skills;
pub mod summary;
pub mod system;
pub mod unknown;

use crate::rules::document::Document;
use ledger::Ledger;
use names::Names;
use outline::Outline;
use system::System;

/// Reads the whole document, whose sections are these.
pub fn read(document: &Document, outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> System {
    let mut system = System {
        title: document.titles.iter().map(|title| title.as_str().to_owned()).find(|title| !title.is_empty()),
        attributes: attributes::read::read(outline, ledger),
        sections: outline.texts(ledger),
        ..System::default()
    };
    let mut names = Names::of_attributes(&system.attributes);
    system.skills = skills::read::read(outline, &names, &system.attributes, ledger);
    names.add_skills(&system.skills);
    system.checks = checks::read::read(outline, &names, ledger);
    system.lost_checks = std::mem::take(&mut ledger.lost_checks);
    // Where the author wrote a check that cannot be read, a default would be a rule that nobody wrote.
    if system.checks.is_empty() && system.lost_checks.is_empty() && !checks::read::attempted(outline, ledger) {
        system.checks.extend(checks::default_check::read(outline, &names, ledger));
    }
    attributes::worth::assume_modifiers(&mut system, ledger);
    dice::read::read(outline, &names, &mut system, ledger);
    system.difficulties = dice::difficulties::read(outline, ledger);
    system.tracks = health::tracks::read(outline, &names, ledger);
    health::chained::read(outline, &mut system, ledger);
    health::read::read(outline, &names, &mut system, ledger);
    system.initiative = combat::read::read(outline, &names, &system, ledger);
    system.stated = combat::stated_values::read(outline, &system, ledger);
    system.conditions = conditions::read::read(outline, &system, ledger);
    rests::read::resolve(&mut system, ledger);
    system.held = combat::held_effects::read(outline, &system, ledger);
    checks::moves::resolve(&mut system, ledger);
    checks::held_while::resolve(&mut system, ledger);
    system.advancement = advancement::read::read(outline, &names, ledger);
    system
}
