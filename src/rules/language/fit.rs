//! How much what stands below a heading looks like one of the sections.
//!
//! A heading that is nearly a section's name may be a word of its own, and a section may have a name that nobody foresaw
//! ("How we roll", "Compétences"). What stands below tells.

use super::labels::{Labelled, is_mechanical, labelled};
use super::ledger::Ledger;
use super::section::SectionKind;
use super::{declaration, plain, range};
use crate::names::slip;
use crate::rules::document::{Block, Bullet, Section, Table, Text};
use crate::rules::language::checks::{bullets, rows};
use crate::rules::language::{advancement, attributes, combat, dice, health, skills};

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

/// The labels that a kind of section knows, the most telling first.
pub fn labels_of(kind: SectionKind) -> &'static [&'static str] {
    match kind {
        SectionKind::Dice => &dice::read::LABELS,
        SectionKind::Attributes => &attributes::read::LABELS,
        SectionKind::Skills => &skills::read::LABELS,
        SectionKind::Checks => &bullets::LABELS,
        SectionKind::Health => &health::read::LABELS,
        SectionKind::Combat => &combat::read::LABELS,
        SectionKind::Advancement => &advancement::read::LABELS,
        SectionKind::Conditions | SectionKind::Examples => &[],
    }
}

/// How much this section, with what stands below its inner headings, looks like that kind.
pub fn fit(section: &Section, kind: SectionKind, ledger: &Ledger<'_>) -> Fit {
    let blocks = section.all_blocks().take(ledger.limits.blocks);
    blocks.map(|block| block_fit(block, kind, ledger)).max().unwrap_or(Fit::Not)
}

/// One block as a section of its own.
pub fn alone(block: &Block) -> Section {
    Section { blocks: vec![block.clone()], ..Section::default() }
}

fn block_fit(block: &Block, kind: SectionKind, ledger: &Ledger<'_>) -> Fit {
    match block {
        Block::Bullet(bullet) => bullet_fit(bullet, kind, ledger),
        Block::Table(table) if is_table_of(table, kind) => Fit::Well,
        Block::Paragraph(text) => prose_fit(text, kind),
        Block::Fence { info, .. } if kind == SectionKind::Examples && info.starts_with("playtest") => Fit::Well,
        _ => Fit::Not,
    }
}

fn bullet_fit(bullet: &Bullet, kind: SectionKind, ledger: &Ledger<'_>) -> Fit {
    let label = labelled(bullet, ledger);
    if label.as_ref().is_some_and(|label| is_label_of(label, kind)) {
        return Fit::Well;
    }
    let declared = || declaration::declaration(bullet, ledger).filter(|declared| !declared.long);
    let has_short_form = || declared().and_then(|own| own.bracket).is_some_and(|own| is_short_form(own.as_str()));
    match kind {
        SectionKind::Attributes | SectionKind::Skills if has_short_form() => Fit::Well,
        SectionKind::Conditions if declared().is_some_and(|own| is_effect(&own.about)) => Fit::Well,
        SectionKind::Health if label.as_ref().is_some_and(is_track) => Fit::Well,
        SectionKind::Attributes | SectionKind::Skills | SectionKind::Conditions if declared().is_some() => {
            Fit::Somewhat
        }
        SectionKind::Health | SectionKind::Advancement | SectionKind::Combat
            if label.as_ref().is_some_and(|label| is_mechanical(&label.value)) =>
        {
            Fit::Somewhat
        }
        SectionKind::Checks if label.is_some_and(|label| slip(&label.folded, "Roll").is_some()) => Fit::Somewhat,
        _ => prose_fit(&bullet.text, kind),
    }
}

/// A label of the kind whose value is what such a label has: anybody may write "- Target: the tower".
fn is_label_of(label: &Labelled, kind: SectionKind) -> bool {
    let known = labels_of(kind).iter().any(|known| known.eq_ignore_ascii_case(&label.folded));
    let says = match label.folded.as_str() {
        "succeed" => label.value.as_str().to_ascii_lowercase().starts_with("at "),
        "initiative" | "ties" | "short rest" | "long rest" | "end of scene" | "at 0 hit points" => true,
        _ => is_mechanical(&label.value) || label.value.as_str().contains('{'),
    };
    known && says
}

/// `STR`, `Dex`: two to four letters, the first of them a capital.
pub fn is_short_form(word: &str) -> bool {
    (2..=4).contains(&word.chars().count())
        && word.chars().all(char::is_alphabetic)
        && word.chars().all(char::is_uppercase)
}

fn is_effect(about: &Text) -> bool {
    let words = about.as_str().to_ascii_lowercase();
    words.starts_with("advantage on") || words.starts_with("disadvantage") || {
        words.starts_with(['+', '-', '\u{2212}']) && range::number(&words).is_some()
    }
}

fn is_track(label: &Labelled) -> bool {
    let words = label.value.as_str().to_ascii_lowercase();
    ["max ", "maximum "].iter().any(|opening| words.starts_with(opening)) && is_mechanical(&label.value)
        || range::number(&words).is_some_and(|(_, rest)| rest.trim_start().starts_with("boxes"))
}

fn is_table_of(table: &Table, kind: SectionKind) -> bool {
    let has = |name: &str| table.header.iter().any(|cell| cell.as_str().eq_ignore_ascii_case(name));
    match kind {
        SectionKind::Checks => rows::is_outcome_table(table),
        SectionKind::Attributes => has("score") && (has("modifier") || has("mod")),
        SectionKind::Advancement => has("level") && has("xp"),
        SectionKind::Examples => has("skill_check") || has("roll_dice"),
        _ => false,
    }
}

fn prose_fit(text: &Text, kind: SectionKind) -> Fit {
    let words = text.as_str();
    let somewhat = match kind {
        SectionKind::Dice | SectionKind::Checks => plain::dice_mentions(words).next().is_some(),
        SectionKind::Combat => words.to_ascii_lowercase().contains("initiative"),
        SectionKind::Health => words.to_ascii_lowercase().contains("hit points"),
        _ => false,
    };
    if somewhat { Fit::Somewhat } else { Fit::Not }
}
