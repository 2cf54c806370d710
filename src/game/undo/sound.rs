//! Whether a state that is put back hangs together: every row finds what it names, and no two characters share a name.
//!
//! Rows that nobody touched since may still lean on what an undo would take away: somebody who was made is in a fight now,
//! a name that was given up is borne by another.

use std::collections::BTreeSet;

use crate::game::entry::Change;
use crate::game::refusal::Refusal;
use crate::game::state::State;
use crate::names::fold;

/// The state with these changes, or why it cannot be.
pub fn after(state: &State, changes: &[Change]) -> Result<State, Refusal> {
    let mut after = state.clone();
    for change in changes {
        if !after.agrees(change) {
            let summary =
                "What it changed is not as it left it any more. Undo what came after it first, from the last on.";
            return Err(Refusal::new("changed_since", summary));
        }
        after.apply(std::slice::from_ref(change));
    }
    match loose_end(&after, state) {
        // What hung loose before is not made so by the undo.
        Some(why) if loose_end(state, state).as_ref() != Some(&why) => {
            Err(Refusal::new("still_needed", format!("It cannot be undone: {why}.")))
        }
        _ => Ok(after),
    }
}

/// What would be left without what it names; `before` still knows its name.
fn loose_end(after: &State, before: &State) -> Option<String> {
    let name = |id: i64| before.characters.get(&id).map_or("somebody", |row| row.name.as_str());
    let is_somebody = |id: i64| after.characters.contains_key(&id);
    if let Some(row) = after.combatants.values().find(|row| !is_somebody(row.character)) {
        return Some(format!(
            "{} is in a fight. Take it out with manage_combat action=\"remove\" first",
            name(row.character)
        ));
    }
    let owned = after.tracks.values().map(|row| row.character).chain(after.items.values().map(|row| row.character));
    let owned = owned
        .chain(after.conditions.values().flat_map(|row| [Some(row.character), row.caused_by].into_iter().flatten()));
    if let Some(id) = owned.into_iter().find(|id| !is_somebody(*id)) {
        return Some(format!("something of {0} or caused by {0} would be left without it", name(id)));
    }
    let is_member = |id: i64| after.combatants.contains_key(&id);
    if after.combats.values().any(|row| row.current.is_some_and(|id| !is_member(id))) {
        return Some("whoever acts now would not be in the fight. Pass the turn first".to_owned());
    }
    if after.combatants.values().any(|row| !after.combats.contains_key(&row.combat)) {
        return Some("somebody joined the fight since".to_owned());
    }
    let anchors = after.conditions.values().filter_map(|row| Some((row, row.lasts.as_ref()?.anchor)));
    if let Some((row, _)) = anchors.into_iter().find(|(_, anchor)| !is_member(*anchor)) {
        return Some(format!("{} on {} counts the turns of somebody who would be gone", row.name, name(row.character)));
    }
    let mut names = BTreeSet::new();
    let twice = after.characters.values().find(|row| !names.insert(fold(&row.name)))?;
    Some(format!("there would be two called {}. Give one another name first", twice.name))
}
