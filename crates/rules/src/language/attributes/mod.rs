//! The Attributes section: what every character has a score in, and what a score is worth.

pub mod attribute;
pub mod modifier;
pub mod read;
pub mod worth;

use crate::language::summary::Summary;
use crate::language::summary::with_note;
use crate::language::system::System;

pub use attribute::Attribute;
pub use modifier::{Modifier, ModifierError};

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in &system.attributes {
        let name = own.abbr.as_ref().map_or(own.name.clone(), |abbr| format!("{} ({abbr})", own.name));
        let range = own.range.map_or("any score".to_owned(), |(low, high)| format!("{low} to {high}"));
        let modifier = with_note(own.modifier.describe(), own.modifier.assumed && own.modifier.place.is_some());
        summary.line(&name, &format!("{range}; worth {modifier}"), Some(&own.place));
    }
}
