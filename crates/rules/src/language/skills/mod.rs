//! The Skills section.

mod read;
pub mod skill;
mod table_columns;

use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::outline::Outline;
use crate::language::summary::{Summary, clipped};
use crate::language::system::System;

pub use skill::{DeclaredBy, Skill};

/// Reads the skills of the section and of the tables of numbers.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    system.skills = read::read(outline, system, ledger);
    table_columns::read(outline, system, ledger);
}

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
