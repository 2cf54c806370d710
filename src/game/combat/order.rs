//! The order of a fight: initiative as declared, then the declared tie-breaks, then the order of entry.

use std::cmp::Reverse;

use crate::game::state::{Combatant, State};
use crate::rules::System;

/// The combatants of one fight in the order they act. Those without initiative stand in the order of entry.
pub fn order<'s>(state: &'s State, system: &System, combat: i64) -> Vec<&'s Combatant> {
    let mut order: Vec<&Combatant> = state.combatants_of(combat).collect();
    let highest_first = system.initiative.highest_first;
    order.sort_by_cached_key(|combatant| {
        let initiative = combatant.initiative.map(|value| if highest_first { -value } else { value });
        (
            initiative.is_none(),
            initiative,
            combatant.ties.iter().copied().map(Reverse).collect::<Vec<_>>(),
            combatant.id,
        )
    });
    order
}

/// Who acts next after the current turn, and in which round: the first up who has not acted in this round, else the
/// first up in the next. `None` when everybody is down.
pub fn next<'s>(state: &'s State, system: &System, combat: i64, round: u32) -> Option<(&'s Combatant, u32)> {
    let order = order(state, system, combat);
    let mut up = order.iter().filter(|combatant| !combatant.defeated);
    match up.clone().find(|combatant| combatant.acted_round < round) {
        Some(waiting) => Some((waiting, round)),
        None => up.next().map(|first| (*first, round.saturating_add(1))),
    }
}
