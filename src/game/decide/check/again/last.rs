//! `again="last"`: finds the last check of a character.

use crate::game::mechanics::lookup;
use crate::game::record::entry::Entry;
use crate::game::record::event::{Event, Subject};
use crate::game::record::state::{Character, State};
use crate::game::refusal::{Code, Refusal};
use crate::rules::System;

/// Whose last check is meant: the named character's, else the only player character's; `None` for anybody's, where there
/// are no characters.
pub fn whose_last(state: &State, system: &System, who: Option<&str>) -> Result<Option<Subject>, Refusal> {
    let found = match who {
        Some(who) => lookup::character(state, system, who)?,
        None if state.characters.is_empty() => return Ok(None),
        None => lookup::sole_player(state, system)?,
    };
    Ok(Some(Character::subject(found)))
}

/// Whether an entry is a check of this character.
pub fn is_check_of(entry: &Entry, subject: Option<&Subject>) -> bool {
    let Event::Check(event) = &entry.event else { return false };
    subject.is_none_or(|wanted| event.subject.as_ref().is_some_and(|own| own.id == wanted.id))
}

/// The refusal when none is among the last `looked_at` entries.
pub fn no_last_check(subject: Option<&Subject>, looked_at: u32) -> Refusal {
    let who = subject.map_or("Nobody", |subject| subject.name.as_str());
    let no = if subject.is_some() { " no" } else { " a" };
    let summary = format!(
        "{who} made{no} check among the last {looked_at} entries. Make one, or send again=\"#128\" with the log number of one."
    );
    Refusal::new(Code::UnknownEntry, summary)
}
