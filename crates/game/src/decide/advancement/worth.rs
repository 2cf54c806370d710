//! The experience for a defeat: offered when a foe falls and when the fight ends, never awarded by itself.

use crate::mechanics::tracks::main_name;
use crate::record::change::Change;
use crate::record::event::{CombatEnded, Event};
use crate::record::state::Character;
use crate::table::Table;
use rollbook_text::names::listed;

/// What the call's fallen foes, or those of the fight that it ended, are worth, and the call that awards it.
pub fn offer(table: &Table) -> Option<String> {
    let ended = table.own_entries().find_map(|written| match written.entry.event {
        Event::CombatEnded(CombatEnded { combat, .. }) => Some(combat),
        _ => None,
    });
    let fallen: Vec<i64> = match ended {
        Some(combat) => table.state.combatants_of(combat).filter(|own| own.defeated).map(|own| own.character).collect(),
        None => newly_fallen(table),
    };
    let worth = |id: &i64| {
        let own = table.state.characters.get(id).filter(|own| !own.kind.is_open())?;
        own.worth.filter(|worth| *worth > 0).map(|worth| (own, worth))
    };
    let worthy: Vec<(&Character, i64)> = fallen.iter().filter_map(worth).collect();
    let total = worthy.iter().fold(0_i64, |sum, (_, worth)| sum.saturating_add(*worth));
    let names = listed(worthy.iter().map(|(own, _)| own.name.as_str()), 120);
    let verb = if worthy.len() == 1 { "is" } else { "are" };
    let party = table.state.characters.values().filter(|own| own.is_in_party()).count();
    let party = i64::try_from(party).ok().filter(|party| *party > 0)?;
    if worthy.is_empty() {
        return None;
    }
    if ended.is_none() && table.state.running_combat().is_some() {
        return Some(format!("{names} {verb} worth {total} XP, which the fight's end offers with the others'."));
    }
    let each = total / party;
    let share = if party == 1 { String::new() } else { format!(", {each} for each of {party}") };
    Some(format!(
        "{names} {verb} worth {total} XP{share}: manage_character action=\"award\" xp={each} gives it to each of the party."
    ))
}

/// The characters that fell by this call: in a fight, or by their hit points.
fn newly_fallen(table: &Table) -> Vec<i64> {
    let main = main_name(table.system());
    let mut fallen = Vec::new();
    for change in table.own_entries().flat_map(|written| &written.entry.changes) {
        let who = match change {
            Change::Combatant(images) => match (&images.before, &images.after) {
                (Some(before), Some(after)) => (after.defeated && !before.defeated).then_some(after.character),
                _ => None,
            },
            Change::Track(images) => match (&images.before, &images.after) {
                (Some(before), Some(after)) if after.name == main => {
                    (after.value <= after.min && before.value > before.min).then_some(after.character)
                }
                _ => None,
            },
            Change::Campaign(_)
            | Change::Session(_)
            | Change::Character(_)
            | Change::Condition(_)
            | Change::Item(_)
            | Change::Combat(_)
            | Change::Note(_)
            | Change::Clock(_)
            | Change::Deck(_) => None,
        };
        fallen.extend(who.filter(|who| !fallen.contains(who)));
    }
    fallen
}
