//! The Attributes section: attributes, and what their scores are worth.

pub mod attribute;
pub mod read;

use crate::language::summary::{Summary, with_note};
use crate::language::system::System;

pub use attribute::{Attribute, Modifier, ModifierError};

/// Writes the summary's lines about attributes.
pub fn describe(system: &System, summary: &mut Summary) {
    for attribute in &system.attributes {
        let name = attribute
            .abbr
            .as_ref()
            .map_or(attribute.name.clone(), |abbr| {
                format!("{} ({abbr})", attribute.name)
            });
        let range = attribute
            .range
            .map_or("any score".to_owned(), |(low, high)| {
                format!("{low} to {high}")
            });
        let modifier = with_note(
            attribute.modifier.describe(),
            attribute.modifier.assumed && attribute.modifier.place.is_some(),
        );
        summary.line(
            &name,
            &format!("{range}; worth {modifier}"),
            Some(&attribute.place),
        );
    }
}
