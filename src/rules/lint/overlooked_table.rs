//! Tables in sections of rules that nobody read.

use super::instead;
use crate::names::fold;
use crate::rules::document::{Block, Section, Table, Text};
use crate::rules::language::ledger::Touched;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::range::score as score_range;
use crate::rules::section::SectionKind;

/// Headers by which a table declares scores or skills.
const OF_SCORES: [&str; 17] = [
    "level",
    "bonus",
    "value",
    "rank",
    "rating",
    "attribute",
    "ability",
    "stat",
    "characteristic",
    "skill",
    "abbr",
    "abbreviation",
    "score",
    "modifier",
    "mod",
    "range",
    "base",
];
/// Headers of what scores are worth.
const MODIFIERS: [&str; 3] = ["modifier", "mod", "bonus"];
/// Headers of the names of scores.
const OF_NAMES: [&str; 6] = ["attribute", "ability", "stat", "characteristic", "abbr", "abbreviation"];
/// Headers by which a table declares tracks or conditions.
const OF_HARM: [&str; 13] = [
    "track",
    "max",
    "maximum",
    "boxes",
    "hit points",
    "hp",
    "condition",
    "threshold",
    "wound",
    "wounds",
    "injury",
    "points",
    "penalty",
];
/// Headers by which a table says what comes of a roll.
const OF_ROLLS: [&str; 8] = ["roll", "total", "result", "outcome", "when", "margin", "successes", "condition"];

/// What to write instead of this table; none when it is no rule.
pub(super) fn help(table: &Table, kind: SectionKind, within: &Section, touched: &Touched) -> Option<String> {
    let has = |names: &[&str]| table.header.iter().any(|cell| names.contains(&fold(cell.as_str()).as_str()));
    match kind {
        SectionKind::Checks => of_check(table, within, touched).map(str::to_owned),
        SectionKind::Attributes if has(&MODIFIERS) && !has(&OF_NAMES) => Some(
            "what a score is worth is read from a table with the columns Score and Modifier: `| Score | Modifier |`"
                .to_owned(),
        ),
        SectionKind::Attributes if has(&OF_SCORES) => Some(format!(
            "scores are bullets: {}; what they are worth is a table with Score and Modifier",
            instead::of_section(kind)
        )),
        SectionKind::Skills if has(&OF_SCORES) => Some(format!("skills are bullets: {}", instead::of_section(kind))),
        SectionKind::Advancement if has(&["level"]) && counts(table) => {
            Some("levels are read from a table with the columns Level and XP".to_owned())
        }
        SectionKind::Combat if has(&["initiative", "order"]) => Some(instead::of_section(kind).to_owned()),
        SectionKind::Health | SectionKind::Conditions if has(&OF_HARM) => {
            Some(format!("these are bullets: {}", instead::of_section(kind)))
        }
        _ => None,
    }
}

/// Whether a column holds nothing but numbers.
fn counts(table: &Table) -> bool {
    let is_number = |cell: &Text| score_range(cell.as_str().trim_start_matches('+')).is_some();
    (0..table.header.len())
        .any(|at| !table.rows.is_empty() && table.rows.iter().all(|row| row.get(at).is_some_and(is_number)))
}

/// Where a check has its outcome table, another table is prose, unless it is one, too.
fn of_check(table: &Table, within: &Section, touched: &Touched) -> Option<&'static str> {
    let has = |name: &str| table.header.iter().any(|cell| fold(cell.as_str()) == name);
    let is_read = |block: &Block| matches!(block, Block::Table(other) if touched.has(other.span));
    let has_table = within.blocks.iter().any(is_read);
    if has("outcome") && has("when") {
        return Some(match has_table {
            true => "a check has one table: put these rows into the first, above those that they go before",
            false => "a table belongs to a check: a level-3 heading, and below it what is rolled: - Roll: `2d6`",
        });
    }
    let rolled = table.header.iter().position(|cell| ["roll", "dice"].contains(&fold(cell.as_str()).as_str()));
    let has_dice = |row: &Vec<Text>| {
        rolled.and_then(|at| row.get(at)).is_some_and(|cell| dice_mentions(cell.as_str()).next().is_some())
    };
    if !table.rows.is_empty() && table.rows.iter().all(has_dice) {
        return Some("each check is a level-3 heading of its own, and below it what is rolled: - Roll: `2d6`");
    }
    let of_rolls = table.header.iter().filter(|cell| OF_ROLLS.contains(&fold(cell.as_str()).as_str())).count();
    let is_range =
        |words: &str| score_range(words).is_some() && words.contains(|letter: char| !letter.is_ascii_digit());
    let ranges = table.rows.iter().filter(|row| row.iter().any(|cell| is_range(cell.as_str())));
    (!has_table && (of_rolls >= 2 || of_rolls >= 1 && ranges.count() >= 2)).then_some(
        "an outcome table has the columns Outcome and When, and rows such as `| Success | total 10+ |`, the last with `otherwise`",
    )
}
