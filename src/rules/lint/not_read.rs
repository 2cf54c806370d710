//! What stands as a bullet or a table among rules, of which nothing is read and of which no finding tells: prose, as it seems.

use crate::rules::document::Block;
use crate::rules::language::clause::Clause;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::section::SectionKind;
use crate::rules::language::summary::clipped;

/// How many of them are listed.
const LISTED_MAX: usize = 30;

/// The first 30 of them, in order: an author sees in the summary what was taken for prose. Bullets below a check are the check's, and
/// those below Skills are skills.
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
            | Kind::Advancement,
        ) => true,
        Some(Kind::Skills | Kind::Checks | Kind::Examples) | None => false,
    };
    let sections = outline.all().filter(|(kind, _)| is_of_rules(*kind)).map(|(_, section)| section);
    let blocks = sections.flat_map(|section| section.all_blocks().take(ledger.limits.blocks));
    let spans = blocks.filter_map(|block| match block {
        Block::Bullet(bullet) => Some(bullet.text.span()),
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
