//! What ticked skills gained, against the dice that say so.

use crate::game::limits::LIMITS;
use crate::game::record::change::Change;
use crate::game::record::entry::Entry;
use crate::game::record::purpose::GAIN;

/// What is wrong with an improvement: every skill that gained moves by its roll, and no other moves. The rolls stand in the order
/// of the ticks. A skill that was not on the sheet began at what the rules give everybody, which is not in the log.
pub fn check(entry: &Entry) -> Option<String> {
    let (before, after) = entry.changes.iter().find_map(|change| match change {
        Change::Character(images) => images.before.as_ref().zip(images.after.as_ref()),
        _ => None,
    })?;
    if before.ticks.contains(GAIN) {
        // Nobody can tell whose dice are whose.
        return None;
    }
    let mut rolls = entry.rolls.iter().peekable();
    let mut expected = before.skills.clone();
    for name in &before.ticks {
        // A tick of a skill that the rules have no more is not rolled for.
        if rolls.next_if(|record| record.purpose == *name).is_none() {
            continue;
        }
        let Some(gain) = rolls.next_if(|record| record.purpose == GAIN) else { continue };
        match expected.get_mut(name) {
            Some(skill) => *skill = skill.saturating_add(gain.roll.total).clamp(-LIMITS.number, LIMITS.number),
            None => drop(after.skills.get(name).map(|gained| expected.insert(name.clone(), *gained))),
        }
    }
    if rolls.next().is_some() {
        return Some("it has dice for a skill that was not ticked".to_owned());
    }
    let names = expected.keys().chain(after.skills.keys());
    let differs = |name: &&String| expected.get(*name) != after.skills.get(*name);
    let told = |value: Option<&i64>| value.map_or("nothing".to_owned(), i64::to_string);
    names.clone().find(differs).map(|name| {
        let (rolled, noted) = (told(expected.get(name)), told(after.skills.get(name)));
        format!("by its dice {name} comes to {rolled}, and its image says {noted}")
    })
}
