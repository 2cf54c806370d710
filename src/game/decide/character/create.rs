//! Creates characters: one, or several of a kind.

use super::{SheetCall, bounds, roll, scores, tracks};
use crate::game::decide::items;
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::naming::free_name;
use crate::game::mechanics::threshold::{ConditionParameter, check_condition};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::Event;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::snapshot::CharacterSnapshot;

/// Characters that one call makes at most.
const MANY_MAX: i64 = 100;

/// Creates `count` characters; several are numbered: "Goblin 1", "Goblin 2".
pub fn create_many(table: &mut Table, sheet: SheetCall, count: Option<i64>) -> Result<(), Refusal> {
    let Some(count) = count.filter(|count| *count != 1) else { return create(table, sheet).map(drop) };
    if !(1..=MANY_MAX).contains(&count) {
        return Err(Refusal::new(Code::LimitExceeded, format!("count is {count}; it takes 1 to {MANY_MAX}.")));
    }
    let kind = sheet.name.clone().or_else(|| sheet.from.as_ref().map(|from| from.name.clone()));
    let kind = kind.ok_or_else(missing_name)?;
    limits::name("name", &kind)?;
    for _ in 0..count {
        let name = Some(free_name(table.state, &kind, false));
        create(table, SheetCall { name, ..sheet.clone() })?;
    }
    Ok(())
}

/// Creates one and logs it; returns the entry's number, which is also the character's id.
pub fn create(table: &mut Table, sheet: SheetCall) -> Result<u64, Refusal> {
    let name =
        sheet.name.clone().or_else(|| sheet.from.as_ref().map(|from| from.name.clone())).ok_or_else(missing_name)?;
    limits::name("name", &name)?;
    bounds::check_limits(&sheet)?;
    limits::count("characters", table.state.characters.len() + 1, LIMITS.characters)?;
    bounds::check_name_free(table.state, &name, None)?;
    let drawn = base_character(&name, &sheet);
    let (sheet, rolls) = roll::roll_scores(table, &drawn, sheet)?;
    let id = table.next_id();
    let row = scores::apply_sheet(table.system(), &Character { id, ..drawn }, &sheet)?;
    let own = match &sheet.from {
        Some(from) => tracks::tracks_after(table.state, table.system(), &row, from, &sheet)?,
        None => tracks::new_tracks(table.state, table.system(), &row, &sheet)?,
    };
    let owned = sheet.from.as_ref().map_or(&[][..], |from| &from.items);
    let things = items::new_items(id, owned, &sheet.inventory)?;
    let conditions = sheet.from.as_ref().map_or_else(Vec::new, |from| from.condition_rows(id));
    let here: Vec<&str> = table.state.conditions.values().map(|own| own.name.as_str()).collect();
    let notes = conditions
        .iter()
        .map(|own| check_condition(table.system(), &here, &own.name, sheet.free, ConditionParameter::Sheet));
    let notes: Vec<Option<String>> = notes.collect::<Result<_, Refusal>>()?;
    let event = Event::CharacterCreated {
        subject: row.subject(),
        from: sheet.from.as_ref().map(|from| from.origin.clone()),
        override_reason: sheet.override_reason,
    };
    let visibility = if row.kind.is_open() { Visibility::Public } else { Visibility::Gm };
    let mut changes = vec![Change::Character(Images::made(row))];
    changes.extend(own.into_iter().map(|track| Change::Track(Images::made(track))));
    changes.extend(conditions.into_iter().map(|condition| Change::Condition(Images::made(condition))));
    table.note(notes.into_iter().flatten());
    changes.extend(things.into_iter().map(|item| Change::Item(Images::made(item))));
    Ok(table.log(Draft { visibility, rolls, ..Draft::new("gm", event, changes) }))
}

/// The character before the call's fields are applied: blank, or after a snapshot.
fn base_character(name: &str, sheet: &SheetCall) -> Character {
    let row = Character {
        id: 0,
        name: name.trim().to_owned(),
        kind: sheet.kind.unwrap_or_default(),
        level: 1,
        ..Character::default()
    };
    let Some(CharacterSnapshot {
        kind,
        level,
        xp,
        attributes,
        skills,
        ticks,
        milestones,
        notes,
        gm_notes,
        retired,
        ..
    }) = sheet.from.as_deref().cloned()
    else {
        return row;
    };
    let kind = sheet.kind.unwrap_or(kind);
    Character { kind, level, xp, attributes, skills, ticks, milestones, notes, gm_notes, retired, ..row }
}

fn missing_name() -> Refusal {
    Refusal::new(Code::InvalidParameters, "A character needs a name. Send name=\"Aria\".")
}
