//! The Skills section: what a character has learned.

mod by_number;
mod read;
pub mod skill;

use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::outline::Outline;
use crate::language::summary::{Summary, clipped};
use crate::language::system::System;

pub use skill::{DeclaredBy, Skill};

/// What the section and the tables of numbers declare.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    system.skills = read::read(outline, system, ledger);
    by_number::read(outline, system, ledger);
}

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in &system.skills {
        let link = own.attribute.as_deref().unwrap_or("no attribute");
        let base = own.base.as_ref().map(|base| match base {
            Base::Formula(formula) => format!("; base {formula}"),
            Base::Table(table) => format!("; {}", clipped(&table.to_string())),
        });
        let base = base.unwrap_or_default();
        let range = own.range.map(|(low, high)| format!("; {low} to {high}")).unwrap_or_default();
        let by = own.check.as_ref().map(|check| format!("; rolled by {check}")).unwrap_or_default();
        summary.line(&own.name, &format!("{link}{range}{base}{by}"), Some(&own.place));
    }
}
