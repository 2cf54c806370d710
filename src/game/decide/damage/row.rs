//! Moves of tracks by a row of an outcome table, without mitigation.

use super::hit::Hit;
use super::{DamageResult, write};
use crate::game::mechanics::health::direction;
use crate::game::mechanics::recovery::recover;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{DamageEvent, Phrasing, Step};
use crate::game::record::state::Character;
use crate::game::table::Table;
use crate::rules::{Direction, RowMove};

/// Applies and logs the move; returns whether anything moved.
pub fn apply_row_move(
    table: &mut Table,
    who: &Character,
    own: &RowMove,
    reason: String,
    visibility: Visibility,
) -> bool {
    let (state, system) = (&*table.state, table.system());
    let mut hit = Hit::new(state, system, who, 0);
    hit.consequences.rule = Some(own.place.to_string());
    let mut amount: i64 = 0;
    for (before, after) in recover(&hit.consequences.vitality.clone(), system, &own.effect, own.amount) {
        let worse = match direction(system, &before) {
            Direction::Down => before.value.saturating_sub(after.value),
            Direction::Up => after.value.saturating_sub(before.value),
        };
        amount = amount.saturating_add(worse);
        hit.steps.push(Step { step: before.name.clone(), before: before.value, after: after.value });
        hit.change_track(before, after, 0);
    }
    if hit.steps.is_empty() {
        return false;
    }
    hit.merge_triggered_moves();
    let Hit { steps, moved, consequences, .. } = hit;
    let aside = !moved.iter().any(|(_, after)| consequences.vitality.is_health(system, &after.name));
    let event = DamageEvent {
        subject: who.subject(),
        track: steps.first().map(|step| step.step.clone()),
        amount,
        damage_type: None,
        parts: Vec::new(),
        steps,
        triggers: consequences.triggers.clone(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside,
        eased: None,
        told: Some(Phrasing::Counted),
        open: false,
        reason: Some(reason),
        roll: None,
        roll_note: None,
    };
    write(table, DamageResult { event, moved, consequences, notes: Vec::new() }, Some(visibility));
    true
}
