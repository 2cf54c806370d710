//! Removes combatants from a fight.

use super::change::is_prepared;
use super::turn::{Advance, advance};
use super::who::subject;
use super::{clock, open, who};
use crate::game::mechanics::{effects, held};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{Act, Event};
use crate::game::record::state::Combat;
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};

/// Removes a combatant. If it is its turn, the turn passes first; conditions that its turns count end.
pub fn remove(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = who::combatant(table.state, table.system(), "combatant", name)?.clone();
    let combat = open(table.state)?.clone();
    let mut halted = None;
    if combat.current == Some(own.id) {
        let first = table.next_id();
        if !advance(table, combat.id, Advance { first, suspends: false, without: Some(own.id) }) {
            halted = table.state.combats.get(&combat.id).cloned();
        }
    }
    let counted = effects::counted_by(table.state, |lasts| lasts.anchor == own.id);
    clock::end(table, combat.id, "system", counted);
    // The advance may have changed it.
    let (Some(own), Some(subject)) = (table.state.combatants.get(&own.id).cloned(), subject(table.state, own.id))
    else {
        return Ok(());
    };
    let visibility = if own.hidden || is_prepared(table, &own) { Visibility::Gm } else { Visibility::Public };
    let mut changes = vec![Change::Combatant(Images::gone(own))];
    if let Some(before) = halted {
        let after = Combat { current: None, advanced: None, ..before.clone() };
        changes.push(Change::Combat(Images::changed(before, after)));
    }
    let holder = subject.id;
    let event = Event::Combatant { combat: combat.id, subject, act: Act::Left };
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    let holder = table.state.characters.get(&holder);
    let kept = holder.and_then(|own| held::leaving_reminder(table.state, table.system(), own));
    table.note(kept);
    Ok(())
}
