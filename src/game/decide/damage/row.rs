//! A track that a row of an outcome table moves: no blow, so nothing that takes damage off stands before it.

use super::hit::Hit;
use super::{Wound, write};
use crate::game::mechanics::health::direction;
use crate::game::mechanics::recovery::mended;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{DamageEvent, Step, Told};
use crate::game::record::state::Character;
use crate::game::table::Table;
use crate::rules::{Direction, RowMove};

/// Moves it and what its bounds bring, and logs that; whether anything moved.
pub fn by_row(table: &mut Table, who: &Character, own: &RowMove, reason: String, visibility: Visibility) -> bool {
    let (state, system) = (&*table.state, table.system());
    let mut hit = Hit::new(state, system, who, 0);
    hit.crossing.rule = Some(own.place.to_string());
    let mut amount: i64 = 0;
    for (before, after) in mended(&hit.crossing.standing.clone(), system, &own.effect, own.amount) {
        let worse = match direction(system, &before) {
            Direction::Down => before.value.saturating_sub(after.value),
            Direction::Up => after.value.saturating_sub(before.value),
        };
        amount = amount.saturating_add(worse);
        hit.steps.push(Step { step: before.name.clone(), before: before.value, after: after.value });
        hit.becomes(before, after, 0);
    }
    if hit.steps.is_empty() {
        return false;
    }
    hit.settle();
    let Hit { steps, moved, crossing, .. } = hit;
    let aside = !moved.iter().any(|(_, after)| crossing.standing.is_health(system, &after.name));
    let event = DamageEvent {
        subject: who.subject(),
        track: steps.first().map(|step| step.step.clone()),
        amount,
        damage_type: None,
        parts: Vec::new(),
        steps,
        triggers: crossing.triggers.clone(),
        gained: crossing.gained.clone(),
        lost: crossing.lost.clone(),
        health: crossing.standing.health(system),
        aside,
        eased: None,
        told: Some(Told::Counted),
        open: false,
        reason: Some(reason),
        roll: None,
        roll_note: None,
    };
    write(table, Wound { event, moved, crossing, noted: Vec::new() }, Some(visibility));
    true
}
