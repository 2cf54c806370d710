//! Hides and reveals combatants.

use super::change::{is_prepared, label, log, no_effect};
use super::who;
use crate::game::mechanics::naming::{free_name, numbered_unseen};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{Act, Event};
use crate::game::record::state::{Character, Combatant};
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};

/// Hides a combatant from players.
pub fn hide(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = who::combatant(table.state, table.system(), "combatant", name)?.clone();
    if own.hidden {
        return Err(no_effect(&format!("{} is hidden already. reveal shows it.", label(table, &own))));
    }
    log(table, own.id, "gm", Act::Hidden, |own| own.hidden = true);
    Ok(())
}

/// Reveals a combatant. One with a hidden number ("Unseen Goblin 2") gets the next visible name of its kind, so that its
/// number does not show how many are still hidden.
pub fn reveal(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let before = who::combatant(table.state, table.system(), "combatant", name)?.clone();
    if !before.hidden {
        return Err(no_effect(&format!("Players see {} already. hide hides it.", label(table, &before))));
    }
    let Some(known) = table.state.characters.get(&before.character).cloned() else { return Ok(()) };
    let mut changes = Vec::new();
    let mut was = None;
    let mut named = known.clone();
    if let Some(kind) = numbered_unseen(&known.name) {
        was = Some(known.name.clone());
        named = Character { name: free_name(table.state, kind, false), ..known.clone() };
        changes.push(Change::Character(Images::changed(known, named.clone())));
    }
    let after = Combatant { hidden: false, ..before.clone() };
    let visibility = if is_prepared(table, &before) { Visibility::Gm } else { Visibility::Public };
    changes.push(Change::Combatant(Images::changed(before.clone(), after)));
    let event = Event::Combatant { combat: before.combat, subject: named.subject(), act: Act::Revealed { was } };
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}
