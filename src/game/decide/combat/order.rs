//! The order of a fight: initiative, then the tie-breaks of the rules, then the order of entry. Where sides act, a side is
//! kept together, by its initiative, then by the entry of its first member.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::sides;
use crate::game::record::state::{Combat, Combatant, State, Wait};
use crate::rules::System;

/// The combatants of one fight in the order they act; those without initiative are last.
pub fn order<'s>(state: &'s State, system: &System, combat: i64) -> Vec<&'s Combatant> {
    let mut order: Vec<&Combatant> = state.combatants_of(combat).collect();
    let sides = sides::first_members(system, order.iter().copied());
    order.sort_by_cached_key(|own| key(system, &sides, own));
    order
}

/// Whether a combatant that joins acts before another one.
pub(super) fn is_before(state: &State, system: &System, newcomer: &Combatant, other: &Combatant) -> bool {
    let sides = sides::first_members(system, state.combatants_of(other.combat).chain([newcomer]));
    key(system, &sides, newcomer) < key(system, &sides, other)
}

/// The sort key: the lower acts first.
fn key(system: &System, sides: &BTreeMap<&str, i64>, own: &Combatant) -> impl Ord + use<> {
    let initiative = own.initiative.map(|value| if system.initiative.highest_first { -value } else { value });
    let ties: Vec<Reverse<i64>> = own.ties.iter().copied().map(Reverse).collect();
    (initiative.is_none(), initiative, ties, sides.get(own.side.as_str()).copied(), own.id)
}

/// Who acts next in that round: a combatant that was called back, else the first one up that has not acted in it. `without`
/// is skipped.
///
/// What counts is the round each last acted in, not its place in the order. So a combatant that was skipped while down and
/// is healed before the round ends acts next; one that had acted before it fell waits for the next round.
pub fn next_in<'s>(
    state: &'s State,
    system: &System,
    combat: i64,
    round: u32,
    without: Option<i64>,
) -> Option<&'s Combatant> {
    let mut order = order(state, system, combat);
    order.retain(|combatant| !combatant.defeated && Some(combatant.id) != without);
    let returned = order.iter().find(|combatant| combatant.waits == Some(Wait::Returned));
    let waiting = || {
        let fresh = |own: &&&Combatant| own.waits.is_none() && own.acted_round < round && own.from_round <= round;
        order.iter().find(fresh)
    };
    returned.or_else(waiting).copied()
}

/// The combatants from the current turn on: the current one, delayed ones, the rest of this round, then the next round's.
pub fn upcoming<'s>(state: &'s State, system: &System, combat: &Combat) -> Vec<&'s Combatant> {
    let order = order(state, system, combat.id);
    let place = |own: &Combatant| {
        if combat.current == Some(own.id) {
            0
        } else if own.defeated {
            4
        } else if own.waits.is_some() {
            1
        } else if own.acted_round < combat.round && own.from_round <= combat.round {
            2
        } else {
            3
        }
    };
    let mut upcoming = order;
    upcoming.sort_by_key(|own| place(own));
    upcoming
}
