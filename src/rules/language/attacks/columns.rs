//! The columns of a table of attacks.

use super::damage;
use crate::names::fold;
use crate::rules::document::{Table, Text};
use crate::rules::language::plain::{dice_mentions, is_rolled_on};

/// Columns of a table of attacks.
const NAMES: [&str; 4] = ["attack", "weapon", "attacks", "weapons"];
pub(super) const ROLLS: [&str; 9] =
    ["skill", "roll", "to hit", "bonus", "attribute", "attack bonus", "ability", "stat", "characteristic"];
/// Those of them that hold a number beside a column of skills.
pub(super) const BONUS: [&str; 3] = ["bonus", "to hit", "attack bonus"];
const DAMAGE: [&str; 7] = ["damage", "dmg", "hit deals", "damage dice", "harm", "hurt", "deals"];
pub(super) const TYPES: [&str; 2] = ["type", "damage type"];
pub(super) const RANGES: [&str; 2] = ["range", "reach"];
pub(super) const EFFECTS: [&str; 5] = ["effect", "effects", "also", "on a hit", "a hit brings"];
/// Those that say what a thing costs or weighs, and nothing of a hit.
const OF_THINGS: [&str; 15] = [
    "cost",
    "price",
    "value",
    "weight",
    "load",
    "enc",
    "encumbrance",
    "bulk",
    "slots",
    "hands",
    "size",
    "rarity",
    "availability",
    "page",
    "description",
];
/// Those whose cells need no header beside them.
pub(super) const WORDS: [&str; 6] = ["notes", "tags", "special", "properties", "traits", "qualities"];

/// Whether it is a table of attacks; one of outcomes has a column When.
pub(super) fn is_table(table: &Table) -> bool {
    columns(table, false).is_some()
}

/// The columns of names and of damage. Below Weapons or Attacks a column Name holds names, too, and Dice is damage where each
/// cell is dice.
pub(super) fn columns(table: &Table, in_section: bool) -> Option<(usize, usize)> {
    let here = |names: &[&str]| column(table, names).filter(|_| in_section);
    let all_dice = |at: &usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(*at));
        cells.all(|cell| damage::has_dice(cell.as_str().trim_start_matches('`')))
    };
    let name = column(table, &NAMES).or_else(|| here(&["name"]))?;
    let damage = column(table, &DAMAGE).or_else(|| here(&["dice"]).filter(all_dice))?;
    column(table, &["when", "outcome"]).is_none().then_some((name, damage))
}

/// The columns that hold something else of a hit.
pub(super) fn further(table: &Table, names: usize, damage: usize) -> Vec<usize> {
    let known = [&ROLLS[..], &BONUS, &TYPES, &RANGES, &EFFECTS, &OF_THINGS].concat();
    let is_further = |at: &usize| {
        let header = table.header.get(*at).map(|cell| fold(cell.as_str())).unwrap_or_default();
        ![names, damage].contains(at) && !header.is_empty() && !known.contains(&header.as_str())
    };
    (0..table.header.len()).filter(is_further).collect()
}

/// Whether a table below Weapons or Attacks that is none of attacks holds dice, or has a column of theirs.
pub(super) fn looks_like_attacks(table: &Table) -> bool {
    let has_dice = |cell: &Text| dice_mentions(cell.as_str()).next().is_some();
    let of_attacks = [&ROLLS[..], &DAMAGE, &TYPES, &RANGES, &EFFECTS, &["tags", "dice"]].concat();
    let told = table.header.iter().any(|cell| of_attacks.contains(&fold(cell.as_str()).as_str()));
    !is_rolled_on(table) && (told || table.rows.iter().flatten().any(has_dice))
}

pub(super) fn column(table: &Table, names: &[&str]) -> Option<usize> {
    table.header.iter().position(|cell| names.contains(&fold(cell.as_str()).as_str()))
}
