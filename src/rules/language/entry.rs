//! A section of `System.md`: everything that the program does with it.

use super::ledger::Ledger;
use super::outline::Outline;
use super::summary::Summary;
use super::system::System;
use crate::rules::section::SectionKind;

/// One section. [`super::SECTIONS`] joins them.
pub struct SectionEntry {
    pub kind: SectionKind,
    /// Reads it into the system; what stands before it in the list is there already.
    pub read: fn(&Outline<'_>, &mut System, &mut Ledger<'_>),
    /// Reads what speaks of other sections, once all of them are there.
    pub resolve: fn(&Outline<'_>, &mut System, &mut Ledger<'_>),
    /// Its lines of the "understood as" summary.
    pub describe: fn(&System, &mut Summary),
}

impl SectionEntry {
    /// Of which nothing is read and nothing is written.
    pub const fn of(kind: SectionKind) -> SectionEntry {
        SectionEntry { kind, read: |_, _, _| {}, resolve: |_, _, _| {}, describe: |_, _| {} }
    }
}
