//! From the document to the system: one reader a section.
//!
//! A reader takes what it can and reports what it cannot; nothing it meets stops it or another reader.

mod advancement;
mod attributes;
mod boxes;
mod check_blocks;
mod check_bullets;
mod check_moves;
mod check_parts;
mod check_rows;
mod check_while;
mod checks;
mod combat;
mod conditions;
mod damage_chain;
mod declaration;
mod default_check;
mod dice;
mod dice_words;
mod difficulties;
mod effect_words;
mod fit;
mod follow_ups;
mod formula;
mod formula_help;
mod health;
mod held;
mod initiative_words;
mod labels;
mod lasting;
mod ledger;
mod mending;
mod mitigation;
mod modifier_table;
mod names;
mod outline;
mod plain;
mod range;
mod rests;
mod setting;
mod short_forms;
mod showing;
mod skills;
mod stated;
mod swaps;
mod table_shape;
mod ties;
mod tongue;
mod tracks;
mod triggers;
mod worth;
mod wounds;

use crate::rules::document::Document;
use crate::rules::system::System;

pub use conditions::{Effects, is_effect_like};
pub use declaration::declaration;
pub use default_check::roll_in_prose;
pub use effect_words::rephrased;
pub use fit::{Fit, alone, fit, is_short_form, labels_of};
pub use labels::{Labelled, is_mechanical, labelled};
pub use lasting::lasting;
pub use ledger::{Ledger, Scope, Touched};
use names::Names;
pub use outline::{Headings, Outline};
pub use plain::{dice_mentions, foreign_die};
pub use range::{in_words as range_in_words, score as score_range};
pub use tracks::is_pool_name;

/// Reads the whole document, whose sections are these.
pub fn read(document: &Document, outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> System {
    let mut system = System {
        title: document.titles.iter().map(|title| title.as_str().to_owned()).find(|title| !title.is_empty()),
        attributes: attributes::read(outline, ledger),
        sections: outline.texts(ledger),
        ..System::default()
    };
    let mut names = Names::of_attributes(&system.attributes);
    system.skills = skills::read(outline, &names, &system.attributes, ledger);
    names.add_skills(&system.skills);
    system.checks = checks::read(outline, &names, ledger);
    system.lost_checks = std::mem::take(&mut ledger.lost_checks);
    // Where the author wrote a check that cannot be read, a default would be a rule that nobody wrote.
    if system.checks.is_empty() && system.lost_checks.is_empty() && !checks::attempted(outline, ledger) {
        system.checks.extend(default_check::read(outline, &names, ledger));
    }
    worth::assume_modifiers(&mut system, ledger);
    dice::read(outline, &names, &mut system, ledger);
    difficulties::read(outline, &mut system, ledger);
    system.tracks = tracks::read(outline, &names, ledger);
    damage_chain::read(outline, &mut system, ledger);
    health::read(outline, &names, &mut system, ledger);
    system.initiative = combat::read(outline, &names, &system, ledger);
    system.stated = stated::read(outline, &system, ledger);
    system.conditions = conditions::read(outline, &system, ledger);
    rests::resolve(&mut system, ledger);
    system.held = held::read(outline, &system, ledger);
    check_moves::resolve(&mut system, ledger);
    check_while::resolve(&mut system, ledger);
    system.advancement = advancement::read(outline, &names, ledger);
    system
}
