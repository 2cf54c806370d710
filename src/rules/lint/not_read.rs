//! What stands as a bullet or a table among rules, of which nothing is read and of which no finding tells: prose, as it seems.

use crate::rules::document::{Block, Bullet};
use crate::rules::language::clause::Clause;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::summary::clipped;
use crate::rules::section::SectionKind;

/// How many of them are listed.
const LISTED_MAX: usize = 30;
/// Words of a label below a check; more is a sentence.
const LABEL_WORDS_MAX: usize = 3;

/// The first 30 of them, in order: an author sees in the summary what was taken for prose. Of the bullets below a check those with a label
/// are told, since others may be choices; those below Skills are skills.
pub fn not_read(outline: &Outline<'_>, ledger: &Ledger<'_>) -> Vec<Clause<String>> {
    use SectionKind as Kind;
    let touched = ledger.touched();
    let is_of_rules = |kind: Option<Kind>| match kind {
        Some(
            Kind::Attributes
            | Kind::Dice
            | Kind::Health
            | Kind::Company
            | Kind::Clocks
            | Kind::Conditions
            | Kind::Combat
            | Kind::Attacks
            | Kind::Advancement
            | Kind::Checks,
        ) => true,
        Some(Kind::Skills | Kind::Examples) | None => false,
    };
    let sections = outline.all().filter(|(kind, _)| is_of_rules(*kind));
    let blocks = sections.flat_map(|(kind, section)| {
        section.all_blocks().take(ledger.limits.blocks).map(move |block| (kind == Some(Kind::Checks), block))
    });
    let has_label = |bullet: &Bullet| {
        let label = bullet.text.split_at_any(&[":"]);
        label.is_some_and(|(label, value)| {
            !value.is_empty() && (1..=LABEL_WORDS_MAX).contains(&label.as_str().split_whitespace().count())
        })
    };
    let spans = blocks.filter_map(|(of_check, block)| match block {
        Block::Bullet(bullet) if of_check && !has_label(bullet) => None,
        Block::Bullet(bullet) => Some(bullet.text.span()),
        Block::Table(_) if of_check => None,
        Block::Table(table) => Some(table.span),
        Block::Paragraph(_) | Block::Heading(_) | Block::Fence { .. } => None,
    });
    let unread = spans.filter(|span| !touched.has(*span)).take(LISTED_MAX);
    let clause = |span| {
        let words: Vec<&str> =
            ledger.sources.text(span).lines().next().unwrap_or_default().split_whitespace().collect();
        Clause { what: clipped(&words.join(" ")), place: ledger.place(span) }
    };
    unread.map(clause).collect()
}
