//! How a section is called, and how much what stands below a heading looks like it.
//!
//! A heading that is nearly a section's name may be a word of its own, and a section may have a name that nobody foresaw
//! ("How we roll", "Compétences"). What stands below tells.

use super::declaration::{Declaration, declaration};
use super::labels::{Labelled, is_mechanical, labelled};
use super::ledger::Ledger;
use crate::rules::document::{Block, Bullet, Section, Table};
use crate::rules::section::SectionKind;

/// What a section is called, and what it looks like.
pub struct Shape {
    /// Which section it is.
    pub kind: SectionKind,
    /// Its headings; the first is the one that the program uses.
    pub names: &'static [&'static str],
    /// The labels of its bullets, the most telling first.
    pub labels: &'static [&'static str],
    /// How much a bullet without one of these labels looks like it.
    pub bullet: fn(&Bullet, Option<&Labelled>, &Ledger<'_>) -> Fit,
    /// Whether a table is one that it reads.
    pub table: fn(&Table) -> bool,
    /// Whether prose speaks of it.
    pub prose: fn(&str) -> bool,
    /// Whether the value of one of its labels is what such a label has: anybody may write "- Target: the tower".
    pub has_value: fn(&Labelled) -> bool,
    /// What people call its subject, folded: a heading with these words is meant for it.
    pub subjects: &'static [&'static str],
    /// What fenced blocks that it reads begin with.
    pub fence: Option<&'static str>,
}

impl Shape {
    /// A section of this name with these labels, and nothing else to know it by.
    pub const fn of(kind: SectionKind, names: &'static [&'static str], labels: &'static [&'static str]) -> Self {
        Self {
            kind,
            names,
            labels,
            bullet: |_, _, _| Fit::Not,
            table: |_| false,
            prose: |_| false,
            has_value: has_number_or_name,
            subjects: &[],
            fence: None,
        }
    }

    /// The heading that the program uses.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

/// How much a section looks like one of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Nothing in it is what that section reads.
    Not,
    /// Something in it may be: dice in prose under Checks, a list of names under Skills.
    Somewhat,
    /// Something in it is a shape of that section and of no prose.
    Well,
}

/// How much this section, with what stands below its inner headings, looks like that one.
pub fn fit(section: &Section, shape: &Shape, ledger: &Ledger<'_>) -> Fit {
    let blocks = section.all_blocks().take(ledger.limits.blocks);
    blocks.map(|block| block_fit(block, shape, ledger)).max().unwrap_or(Fit::Not)
}

fn block_fit(block: &Block, shape: &Shape, ledger: &Ledger<'_>) -> Fit {
    match block {
        Block::Bullet(bullet) => bullet_fit(bullet, shape, ledger),
        Block::Table(table) if (shape.table)(table) => Fit::Well,
        Block::Paragraph(text) => prose_fit(text.as_str(), shape),
        Block::Fence { info, .. } if shape.fence.is_some_and(|word| info.starts_with(word)) => Fit::Well,
        _ => Fit::Not,
    }
}

fn bullet_fit(bullet: &Bullet, shape: &Shape, ledger: &Ledger<'_>) -> Fit {
    let label = labelled(bullet, ledger);
    if label.as_ref().is_some_and(|label| is_label_of(label, shape)) {
        return Fit::Well;
    }
    match (shape.bullet)(bullet, label.as_ref(), ledger) {
        Fit::Not => prose_fit(bullet.text.as_str(), shape),
        found => found,
    }
}

fn is_label_of(label: &Labelled, shape: &Shape) -> bool {
    shape.labels.iter().any(|known| known.eq_ignore_ascii_case(&label.folded)) && (shape.has_value)(label)
}

/// `Roll: 1d20`, `Target: {Armour}`.
pub fn has_number_or_name(label: &Labelled) -> bool {
    is_mechanical(&label.value) || label.value.as_str().contains('{')
}

fn prose_fit(words: &str, shape: &Shape) -> Fit {
    if (shape.prose)(words) { Fit::Somewhat } else { Fit::Not }
}

/// What a bullet declares by a name that is no sentence.
pub fn declared(bullet: &Bullet, ledger: &Ledger<'_>) -> Option<Declaration> {
    declaration(bullet, ledger).filter(|declared| !declared.long)
}

/// A list of names: well with short forms (`Strength (STR)`), somewhat without.
pub fn names_fit(bullet: &Bullet, _: Option<&Labelled>, ledger: &Ledger<'_>) -> Fit {
    match declared(bullet, ledger) {
        Some(own) if own.bracket.as_ref().is_some_and(|own| is_short_form(own.as_str())) => Fit::Well,
        Some(_) => Fit::Somewhat,
        None => Fit::Not,
    }
}

/// A label with a number, code or a name in braces behind it.
pub fn mechanical_fit(_: &Bullet, label: Option<&Labelled>, _: &Ledger<'_>) -> Fit {
    if label.is_some_and(|label| is_mechanical(&label.value)) { Fit::Somewhat } else { Fit::Not }
}

/// `STR`, `Dex`: two to four letters, the first of them a capital.
pub fn is_short_form(word: &str) -> bool {
    (2..=4).contains(&word.chars().count())
        && word.chars().all(char::is_alphabetic)
        && word.chars().all(char::is_uppercase)
}

/// Whether a table has a column of this name.
pub fn has_column(table: &Table, name: &str) -> bool {
    table.header.iter().any(|cell| cell.as_str().eq_ignore_ascii_case(name))
}
