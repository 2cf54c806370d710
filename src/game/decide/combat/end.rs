//! The end of a fight, which only the GM declares. Its rows stay in the state.

use super::{clock, open};
use crate::game::decide::rest::{self, Closing};
use crate::game::limits;
use crate::game::mechanics::duration;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::Event;
use crate::game::record::state::{Combat, CombatStatus, Condition, State, Until};
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::rules::System;

/// Ends the fight, and the scene with it. Conditions that its turns count, or that last until the end of the fight, end
/// too.
pub fn end(table: &mut Table, outcome: Option<String>) -> Result<(), Refusal> {
    if let Some(outcome) = &outcome {
        limits::text("outcome", outcome, limits::LIMITS.context)?;
    }
    let before = open(table.state)?.clone();
    let over = conditions_ending_with(table.state, table.system(), &before);
    clock::end(table, before.id, "system", over);
    let prepared = before.status == CombatStatus::Setup;
    let after = Combat {
        status: CombatStatus::Ended,
        current: None,
        outcome: outcome.clone(),
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::CombatEnded { combat: before.id, outcome };
    // Players know nothing of a fight that never began.
    let visibility = if prepared { Visibility::Gm } else { Visibility::Public };
    let members: Vec<i64> = table.state.combatants_of(before.id).map(|own| own.character).collect();
    let changes = vec![Change::Combat(Images::changed(before, after))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    if prepared { Ok(()) } else { rest::close(table, Closing::Scene, &members) }
}

fn conditions_ending_with(state: &State, system: &System, combat: &Combat) -> Vec<Condition> {
    let counted = |own: &Condition| {
        let anchor = own.lasts.as_ref().and_then(|lasts| state.combatants.get(&lasts.anchor));
        anchor.is_some_and(|anchor| anchor.combat == combat.id)
    };
    // Where the rules have an end of the scene, [`rest::close`] ends these.
    let scene = rest::rests_at_end(system, Closing::Scene).next().is_none();
    let until = |own: &Condition| {
        let over = match duration::ending(system, own) {
            Some(Until::Fight) => true,
            Some(Until::Scene) => scene,
            _ => false,
        };
        over && state.combatants_of(combat.id).any(|member| member.character == own.character)
    };
    state.conditions.values().filter(|own| counted(own) || until(own)).cloned().collect()
}
