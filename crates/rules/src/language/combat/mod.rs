//! The Combat section: turns, initiative, and held effects.

mod model;
mod read;

use crate::language::summary::{Summary, with_note};
use crate::language::system::System;
use crate::section::SectionKind;

pub use model::{HeldEffects, Initiative, Structure};
pub use read::read;

/// Writes the summary's lines about combat.
pub fn describe(system: &System, summary: &mut Summary) {
    for bullet in system.bullets(SectionKind::Combat) {
        summary.line(&bullet.label, &bullet.text, Some(&bullet.place));
    }
    let initiative = &system.initiative;
    if initiative.assumed {
        let what = initiative
            .formula()
            .map_or("the GM gives the numbers".to_owned(), ToString::to_string);
        summary.line(
            "Initiative",
            &with_note(what, true),
            initiative.place.as_ref(),
        );
    }
}
