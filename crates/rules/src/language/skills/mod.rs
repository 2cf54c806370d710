//! The Skills section.

mod read;
pub mod skill;

use crate::language::number_table::Base;
use crate::language::summary::{Summary, clipped};
use crate::language::system::System;

pub use read::read;
pub use skill::{DeclaredBy, Skill};

/// Writes the summary's lines about skills.
pub fn describe(system: &System, summary: &mut Summary) {
    for skill in &system.skills {
        let link = skill.attribute.as_deref().unwrap_or("no attribute");
        let base = skill.base.as_ref().map(|base| match base {
            Base::Formula(formula) => format!("; base {formula}"),
            Base::Table(table) => format!("; {}", clipped(&table.to_string())),
        });
        let base = base.unwrap_or_default();
        let range = skill
            .range
            .map(|(low, high)| format!("; {low} to {high}"))
            .unwrap_or_default();
        let by = skill
            .check
            .as_ref()
            .map(|check| format!("; rolled by {check}"))
            .unwrap_or_default();
        summary.line(
            &skill.name,
            &format!("{link}{range}{base}{by}"),
            Some(&skill.place),
        );
    }
}
