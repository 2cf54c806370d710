//! Counting the turns that conditions last in a fight: so many starts or ends of somebody's turn.
//!
//! Each start and each end of the anchor's turn is counted once. What is begun in the anchor's own turn counts that turn's
//! end. Where rounds are counted, a round in which the anchor has no turn counts when the round ends.

use crate::game::mechanics::effects;
use crate::game::record::change::{Change, Images};
use crate::game::record::event::{EffectOn, Event};
use crate::game::record::state::{Combat, Condition, Edge, Lasts, Unit};
use crate::game::table::{Draft, Table};

/// One start or end of a combatant's turn.
pub(super) fn count(table: &mut Table, combat: i64, anchor: i64, at: Edge) {
    let due = effects::timed(table.state, |lasts| lasts.anchor == anchor && lasts.at == at);
    tick(table, combat, due);
}

/// The end of a round for whoever had no turn in it.
pub(super) fn count_missed(table: &mut Table, combat: &Combat) {
    let missed = |anchor: i64| {
        let own = table.state.combatants.get(&anchor);
        own.is_some_and(|own| {
            own.combat == combat.id && own.acted_round < combat.round && own.from_round <= combat.round
        })
    };
    let due = effects::timed(table.state, |lasts| lasts.unit == Unit::Rounds && missed(lasts.anchor));
    tick(table, combat.id, due);
}

fn tick(table: &mut Table, combat: i64, due: Vec<Condition>) {
    let (ended, running): (Vec<Condition>, Vec<Condition>) =
        due.into_iter().partition(|own| own.lasts.as_ref().is_none_or(|lasts| lasts.left <= 1));
    let counted = running.into_iter().filter_map(|before| {
        let lasts = before.lasts.clone().map(|lasts| Lasts { left: lasts.left - 1, ..lasts })?;
        let after = Condition { lasts: Some(lasts), ..before.clone() };
        Some(Images::changed(before, after))
    });
    let counted: Vec<Images<Condition>> = counted.collect();
    log(table, combat, "system", counted, ended);
}

/// Ends these conditions, and says so in one entry.
pub(super) fn end(table: &mut Table, combat: i64, actor: &str, ended: Vec<Condition>) {
    log(table, combat, actor, Vec::new(), ended);
}

fn log(table: &mut Table, combat: i64, actor: &str, counted: Vec<Images<Condition>>, ended: Vec<Condition>) {
    if counted.is_empty() && ended.is_empty() {
        return;
    }
    let left = counted.iter().filter_map(|images| images.after.as_ref());
    let left: Vec<EffectOn> = left.filter_map(|row| effects::effect_on(table.state, row)).collect();
    let event =
        Event::Effects { combat, began: Vec::new(), left, ended: effects::named(table.state, &ended), holder: None };
    let since = table.next_id();
    let lost = effects::losses(table.state, table.system(), ended, since);
    let changes = counted.into_iter().map(Change::Condition).chain(lost).collect();
    let visibility = effects::visibility(&event);
    table.log(Draft { visibility, ..Draft::new(actor, event, changes) });
}
