//! The Combat section: whether fights have turns, who acts when, effects that somebody holds, numbers of everybody who has none of their own.

pub mod held;
pub mod initiative;
mod read;
pub mod structure;

use crate::language::summary::{Summary, with_note};
use crate::language::system::System;
use crate::section::SectionKind;

pub use held::Held;
pub use initiative::Initiative;
pub use read::read;
pub use structure::Structure;

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in system.bullets(SectionKind::Combat) {
        summary.line(&own.label, &own.text, Some(&own.place));
    }
    let own = &system.initiative;
    if own.assumed {
        let what = own.formula().map_or("the GM gives the numbers".to_owned(), ToString::to_string);
        summary.line("Initiative", &with_note(what, true), own.place.as_ref());
    }
}
