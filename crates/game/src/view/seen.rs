//! The state as players know it: without those whom they have not met, and without what is hidden of everything else.
//!
//! It is for looking and for trying out what a player asks for. What such a try refuses can depend on nothing that players do not
//! know; nothing of it is ever written.

use std::collections::BTreeSet;

use super::visibility::{visible_round, visible_turn};
use crate::record::state::{CombatStatus, State};
use rollbook_text::names::same;

/// What the player of that character knows of a state; one's own character is never hidden from oneself.
pub fn seen(state: &State, player: &str) -> State {
    let met = state.characters.values().filter(|who| {
        let is_own = who.kind.is_open() && same(&who.name, player);
        is_own || state.is_met(who.id, who.kind)
    });
    let met: BTreeSet<i64> = met.map(|who| who.id).collect();
    let mut seen = state.clone();
    seen.characters.retain(|id, who| {
        who.gm_notes.clear();
        who.ticks.hidden.clear();
        // A seat shows its own alone; what is read out to all shows everybody's.
        if !player.is_empty() && !same(&who.name, player) {
            who.ticks.seen.clear();
        }
        met.contains(id)
    });
    seen.tracks.retain(|(character, _), _| met.contains(character));
    seen.items.retain(|(character, _), item| met.contains(character) && !item.hidden);
    seen.conditions.retain(|(character, _), condition| {
        condition.cause = None;
        condition.caused_by = condition.caused_by.filter(|id| met.contains(id));
        met.contains(character) && !condition.hidden
    });
    seen.combatants.retain(|_, member| !member.hidden && met.contains(&member.character));
    // A fight that is prepared is the GM's.
    seen.combats.retain(|_, combat| combat.status != CombatStatus::Setup);
    for combat in seen.combats.values_mut() {
        let (round, current) = (visible_round(state, combat), visible_turn(state, combat).map(|member| member.id));
        (combat.round, combat.current, combat.interrupted) = (round, current, None);
    }
    seen.notes.retain(|_, note| !note.hidden);
    // A clock's row stays, though it is hidden: without it, the rules' own value would seem to be true of it.
    seen
}
