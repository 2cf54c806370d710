//! Conditions that a clock or a shared track brings upon somebody, or ends.

use super::{DamageResult, write};
use crate::game::mechanics::threshold::Consequences;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{DamageEvent, Phrasing};
use crate::game::record::state::Character;
use crate::game::table::Table;

/// What comes upon somebody by a rule.
pub struct Brought<'a> {
    /// The conditions that begin; where there are none, those end that the rule brought before.
    pub conditions: &'a [String],
    /// Where the rule stands.
    pub place: &'a str,
    /// The clock's name.
    pub by: &'a str,
}

/// Applies and logs it, as far as it changes anything.
pub fn bring(table: &mut Table, who: &Character, brought: &Brought<'_>, visibility: Visibility) {
    let (state, system) = (&*table.state, table.system());
    let mut consequences = Consequences::new(state, who.id);
    if consequences.vitality.is_dead() {
        return;
    }
    for name in brought.conditions {
        consequences.begin_condition(state, system, name, brought.place);
    }
    if brought.conditions.is_empty() {
        consequences.end_brought_by(state, brought.place);
    }
    let changes_nothing = consequences.gained.is_empty() && consequences.lost.is_empty();
    if changes_nothing {
        return;
    }
    if consequences.check_limits(state).is_err() {
        let conditions = brought.conditions.join(", ");
        table
            .note([format!("{} has as many conditions as there is room for, and does not get {conditions}", who.name)]);
        return;
    }
    consequences.rule = Some(brought.place.to_owned());
    let event = DamageEvent {
        subject: who.subject(),
        track: None,
        amount: 0,
        damage_type: None,
        parts: Vec::new(),
        steps: Vec::new(),
        triggers: Vec::new(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside: false,
        eased: None,
        told: Some(Phrasing::Conditions),
        open: false,
        reason: Some(brought.by.to_owned()),
        roll: None,
        by: None,
        roll_note: None,
    };
    write(table, DamageResult { event, moved: Vec::new(), consequences, notes: Vec::new() }, Some(visibility));
}
