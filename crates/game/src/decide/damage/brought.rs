//! What a clock or a shared track brings upon somebody, or ends.

use super::{DamageResult, write};
use crate::mechanics::recovery::worse_by;
use crate::mechanics::threshold::{By, Consequences};
use crate::record::entry::Visibility;
use crate::record::event::{DamageEvent, Phrasing, Step};
use crate::record::state::Character;
use crate::table::Table;
use rollbook_rules::Effect;

/// What comes upon somebody by a rule.
pub struct Brought<'a> {
    /// What happens to them; where there is nothing, the conditions end that the rule brought before.
    pub effects: &'a [&'a Effect],
    /// Where the rule stands.
    pub place: &'a str,
    /// The clock's name.
    pub by: &'a str,
}

/// Applies and logs it where it changes anything: all of it, or nothing with a note that says why.
pub fn bring(table: &mut Table, who: &Character, brought: &Brought<'_>, visibility: Visibility) {
    let (state, system) = (&*table.state, table.system());
    let mut consequences = Consequences::new(state, who.id);
    if consequences.vitality.is_dead() {
        return;
    }
    for effect in brought.effects {
        if let Some(amount) = consequences.number_of(state, system, effect, 0) {
            consequences.apply(state, system, (effect, amount), By::rule(brought.place));
        }
    }
    if brought.effects.is_empty() {
        consequences.end_brought_by(state, brought.place);
    }
    if let Err(refusal) = consequences.check_limits(state, system) {
        let effects: Vec<&str> = brought.effects.iter().map(|own| own.text.as_str()).collect();
        table.note([format!("{} did not happen to {}: {}", effects.join(", "), who.name, refusal.summary)]);
        return;
    }
    let moved = std::mem::take(&mut consequences.moved);
    if consequences.gained.is_empty() && consequences.lost.is_empty() && moved.is_empty() {
        return;
    }
    consequences.rule = Some(brought.place.to_owned());
    let steps = moved.iter().map(|(before, after)| Step {
        step: before.name.clone(),
        before: before.value,
        after: after.value,
    });
    let steps: Vec<Step> = steps.collect();
    let amount = moved.iter().map(|(before, after)| worse_by(system, before, after)).fold(0, i64::saturating_add);
    let aside = !moved.is_empty() && !moved.iter().any(|(_, own)| consequences.vitality.is_health(system, &own.name));
    let event = DamageEvent {
        subject: who.subject(),
        track: steps.first().map(|step| step.step.clone()),
        amount,
        damage_type: None,
        parts: Vec::new(),
        told: Some(if steps.is_empty() { Phrasing::Conditions } else { Phrasing::Counted }),
        steps,
        triggers: consequences.triggers.clone(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside,
        eased: None,
        open: false,
        reason: Some(brought.by.to_owned()),
        roll: None,
        by: None,
        roll_note: None,
    };
    write(table, DamageResult { event, moved, consequences, notes: Vec::new() }, Some(visibility));
}
