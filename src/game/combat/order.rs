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
///
/// What counts is the round each last acted in, not a place in the order. So whoever was passed over while down and is
/// healed before the round ends acts next, late; whoever had acted before falling waits for the next round.
pub fn next<'s>(state: &'s State, system: &System, combat: i64, round: u32) -> Option<(&'s Combatant, u32)> {
    let order = order(state, system, combat);
    let mut up = order.iter().filter(|combatant| !combatant.defeated);
    match up.clone().find(|combatant| combatant.acted_round < round) {
        Some(waiting) => Some((waiting, round)),
        None => up.next().map(|first| (*first, round.saturating_add(1))),
    }
}
