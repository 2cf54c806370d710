//! Counts down the turns that conditions last: starts or ends of the anchor's turn.
//!
//! Each start and each end of the anchor's turn counts once. A condition that begins in the anchor's own turn counts that
//! turn's end. Where rounds are counted, a round without a turn of the anchor counts when the round ends.

use crate::mechanics::{effects, time};
use crate::record::change::{Change, Images};
use crate::record::event::{EffectOn, Effects, Event};
use crate::record::state::{Combat, Condition, Edge, TurnsLeft, Unit};
use crate::table::{Draft, Table};

/// Counts one start or end of a combatant's turn.
pub(super) fn count_turn(table: &mut Table, combat: i64, anchor: i64, at: Edge) {
    let due = effects::counted_by(table.state, |lasts| lasts.anchor == anchor && lasts.at == at);
    count_down(table, combat, due);
}

/// Counts the end of a round for anchors without a turn in it.
pub(super) fn count_missed_turns(table: &mut Table, combat: &Combat) {
    count_without_turn(table, combat, |lasts| lasts.unit == Unit::Rounds);
}

/// Counts a round in which nobody has a turn: it is everybody's who had none before turns ended.
pub(super) fn count_round(table: &mut Table, combat: &Combat) {
    count_without_turn(table, combat, |_| true);
}

fn count_without_turn(table: &mut Table, combat: &Combat, which: impl Fn(&TurnsLeft) -> bool) {
    let missed = |anchor: i64| {
        let own = table.state.combatants.get(&anchor);
        own.is_some_and(|own| {
            own.combat == combat.id && own.acted_round < combat.round && own.from_round <= combat.round
        })
    };
    let due = effects::counted_by(table.state, |lasts| which(lasts) && missed(lasts.anchor));
    count_down(table, combat.id, due);
}

fn count_down(table: &mut Table, combat: i64, due: Vec<Condition>) {
    let (ended, running): (Vec<Condition>, Vec<Condition>) =
        due.into_iter().partition(|own| own.lasts.as_ref().is_none_or(|lasts| lasts.left <= 1));
    let counted = running.into_iter().filter_map(|before| {
        let lasts = before.lasts.clone().map(|lasts| TurnsLeft { left: lasts.left - 1, ..lasts })?;
        let after = Condition { lasts: Some(lasts), ..before.clone() };
        Some(Images::changed(before, after))
    });
    let counted: Vec<Images<Condition>> = counted.collect();
    log(table, combat, "system", counted, ended);
}

/// Ends what lasts no longer than this round, where the rules say how long one is.
pub(super) fn end_timed(table: &mut Table, combat: &Combat) {
    let Some(at) = time::end_of_round(table.state, table.system(), combat) else { return };
    end(table, combat.id, "system", time::due(table.state, at));
}

/// Ends these conditions in one entry.
pub(super) fn end(table: &mut Table, combat: i64, actor: &str, ended: Vec<Condition>) {
    log(table, combat, actor, Vec::new(), ended);
}

fn log(table: &mut Table, combat: i64, actor: &str, counted: Vec<Images<Condition>>, ended: Vec<Condition>) {
    if counted.is_empty() && ended.is_empty() {
        return;
    }
    let left = counted.iter().filter_map(|images| images.after.as_ref());
    let left: Vec<EffectOn> = left.filter_map(|row| effects::effect_on(table.state, row)).collect();
    let event = Event::Effects(Effects {
        combat,
        began: Vec::new(),
        left,
        ended: effects::effects_on(table.state, &ended),
        holder: None,
        revealed: false,
    });
    let since = table.next_id();
    let lost = effects::end_conditions(table.state, table.system(), ended, since);
    let changes = counted.into_iter().map(Change::Condition).chain(lost).collect();
    let visibility = effects::visibility(&event);
    table.log(Draft { visibility, ..Draft::new(actor, event, changes) });
}
