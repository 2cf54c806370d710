//! Tie-breaks, read together with the initiative, so that a changed score counts in both or in neither.
//!
//! Where damage takes scores, what is left of them counts.

use super::sides;
use crate::game::mechanics::values::Values;
use crate::game::record::state::Character;
use crate::game::table::Table;
use crate::rules::TieBreak;

/// The values of the tie-breaks, in the order of the rules, higher first. Between whole sides no scores count.
pub(super) fn tie_breaks(table: &Table, row: &Character, side: &str) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let by_side = sides::act_together(system);
    let score = |name: &String| Some(values.score(system.attribute(name).ok()?)?.0);
    let rules = system.initiative.ties.iter();
    rules
        .map(|rule| match rule {
            TieBreak::Players if by_side => i64::from(side == "players"),
            TieBreak::HigherAttribute(_) | TieBreak::HigherSkill(_) if by_side => 0,
            // The score, not its modifier: 15 beats 14 though both add 2.
            TieBreak::HigherAttribute(name) => score(name).unwrap_or(0),
            TieBreak::HigherSkill(name) => values.get(name).unwrap_or(0),
            TieBreak::Players => i64::from(row.kind.is_open()),
            TieBreak::Agreed | TieBreak::Entered => 0,
        })
        .collect()
}
