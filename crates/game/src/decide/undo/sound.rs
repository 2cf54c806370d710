//! Whether a restored state is consistent: every reference exists, and no two characters share a name.
//!
//! Other rows may refer to what an undo would remove: a created character may be in a fight now, and a name that was
//! changed may be used by another.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::change::Change;
use crate::record::state::State;
use crate::refusal::{Code, Refusal};
use rollbook_text::names::fold;

/// Calls `look` on the state with these changes, or refuses an inconsistent state. The changes are applied and reverted,
/// because copying a large state is slow.
pub fn check_consistent<T>(
    state: &mut State,
    changes: &[Change],
    look: impl FnOnce(&State) -> T,
) -> Result<T, Refusal> {
    let gone = RemovedNames::of(changes);
    let mut placed = Vec::new();
    for change in changes {
        if !state.agrees(change) {
            break;
        }
        state.apply(std::slice::from_ref(change));
        placed.push(change.clone());
    }
    let whole = placed.len() == changes.len();
    let (loose, seen) = (dangling_reference(state, &gone), look(state));
    state.revert(&placed);
    if !whole {
        let summary = "What it changed is not as it left it any more. Undo what came after it first, from the last on.";
        return Err(Refusal::new(Code::ChangedSince, summary));
    }
    match loose {
        // An inconsistency from before is not caused by the undo.
        Some(why) if dangling_reference(state, &gone).as_ref() != Some(&why) => {
            Err(Refusal::new(Code::StillNeeded, format!("It cannot be undone: {why}.")))
        }
        _ => Ok(seen),
    }
}

/// The names of characters that the changes remove.
struct RemovedNames<'c>(BTreeMap<i64, &'c str>);

impl RemovedNames<'_> {
    fn of(changes: &[Change]) -> RemovedNames<'_> {
        let names = changes.iter().filter_map(|change| match change {
            Change::Character(images) => images.before.as_ref().map(|row| (row.id, row.name.as_str())),
            _ => None,
        });
        RemovedNames(names.collect())
    }
}

/// A reference to something that is missing, in words.
fn dangling_reference(after: &State, gone: &RemovedNames) -> Option<String> {
    let name = |id: i64| {
        let there = after.characters.get(&id).map(|row| row.name.as_str());
        gone.0.get(&id).copied().or(there).unwrap_or("somebody").to_owned()
    };
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
