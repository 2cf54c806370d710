//! Whom `/new` makes, and what a sheet lacks.

use serde_json::{Map, Value};

use crate::play::names::Names;
use rollbook_rules::System;
use rollbook_text::names::{Found, find, printable, same};

const SCORE: i64 = 10; // The number that an example has where the rules do not forbid it

/// The only block that these words mean: `Characters.md#fenner` is Fenner Loy.
pub(super) fn block_name<'n>(from: &str, names: &'n Names) -> Option<&'n str> {
    let (file, wanted) = from.split_once('#')?;
    let blocks = names
        .sheets
        .iter()
        .chain(&names.foes)
        .filter_map(|block| block.split_once('#'));
    match find(
        wanted,
        blocks
            .filter(|(page, _)| *page == file)
            .map(|(_, name)| (name, name)),
    ) {
        Found::One(name) => Some(name),
        Found::Several(_) | Found::Nothing => None,
    }
}

/// The adventure's character for players whom a line of nothing but a name means.
pub(super) fn ready_made<'n>(text: &str, names: &'n Names) -> Option<&'n str> {
    let named = names.sheets.iter().filter_map(|from| {
        let (_, name) = from.split_once('#')?;
        Some((name, from.as_str()))
    });
    if text.contains(['#', ':', '=']) {
        return None;
    }
    match find(text, named) {
        Found::One(from) => Some(from),
        Found::Several(_) | Found::Nothing => None,
    }
}

/// What a sheet still lacks, as its tool says it ("Dexterity (DEX), 3 to 18"), and the line that
/// makes it anew with that; what is made after a block keeps what it has of that.
pub fn incomplete(name: &str, missing: &[&str], is_of_block: bool, system: &System) -> String {
    let rule = |text: &&str| {
        let name = text.split([',', '(']).next().unwrap_or(text).trim();
        system.attributes.iter().find(|rule| same(&rule.name, name))
    };
    let scores = missing.iter().filter_map(rule).map(|rule| {
        let (low, high) = rule.range.unwrap_or((SCORE, SCORE));
        (rule.short(), SCORE.clamp(low, high.max(low)))
    });
    let (mut field, mut lacking) = ("attributes", scores.collect::<Vec<(&str, i64)>>());
    // Tracks mostly come of the scores.
    if lacking.is_empty() {
        field = "tracks";
        lacking = missing
            .iter()
            .map(|text| (text.split(" (").next().unwrap_or(text), SCORE))
            .collect();
    }
    let (name, missing) = (printable(name), missing.join("; "));
    if is_of_block {
        let lacking: Map<String, Value> = lacking
            .into_iter()
            .map(|(score, number)| (score.to_owned(), number.into()))
            .collect();
        let lacking = Value::Object(lacking);
        return format!(
            "{name} still lacks {missing}. Type, with numbers of your own: /call manage_character action=update character=\"{name}\" \
             {field}={lacking}"
        );
    }
    let lacking: Vec<String> = lacking
        .iter()
        .map(|(score, number)| format!("{score} {number}"))
        .collect();
    let lacking = lacking.join(", ");
    format!(
        "{name} still lacks {missing}. Type /undo, then with numbers of your own: /new {name}: {lacking}"
    )
}
