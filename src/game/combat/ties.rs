//! What breaks ties.

use crate::game::state::Character;
use crate::game::table::Table;
use crate::game::values::Values;
use crate::rules::{InitiativeKind, TieBreak};

/// What decides between equal numbers, in the order the rules state, higher first. Between whole sides nobody's scores do.
pub(super) fn of(table: &Table, row: &Character, side: &str) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let by_side = matches!(system.initiative.kind, InitiativeKind::PerSide(_));
    let rules = system.initiative.ties.iter();
    rules
        .map(|rule| match rule {
            TieBreak::Players if by_side => i64::from(side == "players"),
            TieBreak::HigherAttribute(_) | TieBreak::HigherSkill(_) if by_side => 0,
            // The score, not its modifier: 15 beats 14 though both add 2.
            TieBreak::HigherAttribute(name) => row.attributes.get(name).copied().unwrap_or(0),
            TieBreak::HigherSkill(name) => values.get(name).unwrap_or(0),
            TieBreak::Players => i64::from(row.kind.is_open()),
            TieBreak::Agreed | TieBreak::Entered => 0,
        })
        .collect()
}
