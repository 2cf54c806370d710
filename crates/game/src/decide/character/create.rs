//! Creates characters: one, or several of a kind, with given or rolled scores.

use super::revise::apply_sheet;
use super::{SheetCall, check_limits, check_name_free, tracks};
use crate::decide::condition::{self, ConditionCall};
use crate::decide::items;
use crate::decide::roll::check_dice;
use crate::limits;
use crate::mechanics::lookup::free_name;
use crate::mechanics::threshold::{ConditionParameter, check_condition};
use crate::mechanics::values::dice_refusal;
use crate::record::change::{Change, Images};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{CharacterCreated, Event};
use crate::record::purpose::ATTRIBUTE;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::secrets;
use crate::view::snapshot::CharacterSnapshot;
use rollbook_rules::Attribute;

/// Characters that one call makes at most.
const MANY_MAX: i64 = 100;

/// Creates `count` characters; several are numbered: "Goblin 1", "Goblin 2".
pub fn create_many(table: &mut Table, sheet: SheetCall, count: Option<i64>) -> Result<(), Refusal> {
    let Some(count) = count.filter(|count| *count != 1) else {
        sheet.name.as_ref().map_or(Ok(()), |name| secrets::check_name(table.state, name))?;
        return create(table, sheet).map(drop);
    };
    if !(1..=MANY_MAX).contains(&count) {
        return Err(Refusal::new(Code::LimitExceeded, format!("count is {count}; it takes 1 to {MANY_MAX}.")));
    }
    let kind = sheet.name.clone().or_else(|| sheet.from.as_ref().map(|from| from.name.clone()));
    let kind = kind.ok_or_else(missing_name)?;
    limits::name("name", &kind)?;
    check_room(table, usize::try_from(count).unwrap_or(usize::MAX))?;
    for _ in 0..count {
        let name = Some(free_name(table.state, &kind, false));
        create(table, SheetCall { name, ..sheet.clone() })?;
    }
    Ok(())
}

/// Refuses more characters than the campaign may have.
pub fn check_room(table: &Table, count: usize) -> Result<(), Refusal> {
    let (have, most) = (table.state.characters.len(), table.setting.characters_max);
    if have.saturating_add(count) <= most {
        return Ok(());
    }
    let summary = format!(
        "The campaign has {have} characters of the {most} it may have, and this call would make {count} more. Play with one that is \
         there (manage_character action=\"update\" gives it another name and sheet), begin a new campaign, or start the server with a \
         higher --campaign-characters."
    );
    Err(Refusal::new(Code::LimitExceeded, summary))
}

/// Creates one and logs it; returns the entry's number, which is also the character's id.
pub fn create(table: &mut Table, sheet: SheetCall) -> Result<u64, Refusal> {
    let name =
        sheet.name.clone().or_else(|| sheet.from.as_ref().map(|from| from.name.clone())).ok_or_else(missing_name)?;
    limits::name("name", &name)?;
    check_limits(&sheet)?;
    check_room(table, 1)?;
    check_name_free(table.state, &name, None)?;
    let here: Vec<&str> = table.state.conditions.values().map(|own| own.name.as_str()).collect();
    for condition in &sheet.conditions {
        limits::name("conditions", condition)?;
        check_condition(table.system(), &here, condition, sheet.free, ConditionParameter::Conditions)?;
    }
    let drawn = base_character(&name, &sheet);
    let (sheet, rolls) = roll_scores(table, &drawn, sheet)?;
    let id = table.next_id();
    let row = apply_sheet(table.system(), &Character { id, ..drawn }, &sheet)?;
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
    let event = Event::CharacterCreated(CharacterCreated {
        subject: row.subject(),
        from: sheet.from.as_ref().map(|from| from.origin.clone()),
        override_reason: sheet.override_reason,
    });
    let visibility = if row.kind.is_open() { Visibility::Public } else { Visibility::Gm };
    let mut changes = vec![Change::Character(Images::made(row))];
    changes.extend(own.into_iter().map(|track| Change::Track(Images::made(track))));
    changes.extend(conditions.into_iter().map(|condition| Change::Condition(Images::made(condition))));
    table.note(notes.into_iter().flatten());
    changes.extend(things.into_iter().map(|item| Change::Item(Images::made(item))));
    let seq = table.log(Draft { visibility, rolls, ..Draft::new("gm", event, changes) });
    for condition in sheet.conditions {
        let on = vec![name.trim().to_owned()];
        condition::add(table, &ConditionCall { on, condition, free: sheet.free, ..ConditionCall::default() })?;
    }
    Ok(seq)
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
        attacks,
        worth,
        notes,
        gm_notes,
        retired,
        ..
    }) = sheet.from.as_deref().cloned()
    else {
        return row;
    };
    let kind = sheet.kind.unwrap_or(kind);
    let learned = Character { level, xp, attributes, skills, ticks, attacks, worth, ..row };
    Character { kind, notes, gm_notes, retired, ..learned }
}

fn missing_name() -> Refusal {
    Refusal::new(Code::InvalidParameters, "A character needs a name. Send name=\"Aria\".")
}

/// Dice for one score.
const DICE_MAX: u64 = 20;

/// The sheet with every missing score rolled, and the rolls. Dice that could leave a range are refused before anything is
/// rolled.
pub fn roll_scores(
    table: &mut Table,
    who: &Character,
    mut sheet: SheetCall,
) -> Result<(SheetCall, Vec<RollRecord>), Refusal> {
    let Some(text) = sheet.roll_attributes.take() else { return Ok((sheet, Vec::new())) };
    let expression = rollbook_dice::read(&text).map_err(|error| dice_refusal(&error))?;
    check_dice(table.system(), &expression)?;
    if expression.asked() > DICE_MAX {
        let summary =
            format!("roll_attributes asks for {} dice a score; it takes up to {DICE_MAX}.", expression.asked());
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let system = table.system();
    let given = |own: &Attribute| sheet.attributes.keys().any(|name| own.is_called(&rollbook_text::names::fold(name)));
    let lacking = |own: &&Attribute| !who.attributes.contains_key(&own.name) && !given(own);
    let lacking: Vec<&Attribute> = system.attributes.iter().filter(lacking).collect();
    if lacking.is_empty() {
        let summary = match system.attributes.is_empty() {
            true => "The rules declare no attributes to roll for. Leave roll_attributes out.",
            false => "Every score is given, so there is none to roll for. Leave roll_attributes out, or the scores.",
        };
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let totals = expression.odds().map_err(|error| dice_refusal(&error))?.totals;
    let (low, high) = (totals.min().unwrap_or(0), totals.max().unwrap_or(0));
    if let Some(own) = lacking.iter().find(|own| !own.allows(low) || !own.allows(high) || !totals.cut().is_zero()) {
        let (from, to) = own.range.unwrap_or_default();
        let summary = format!(
            "{text} can fall from {low} to {high}, and {} goes from {from} to {to}. Send dice that stay within it.",
            own.name
        );
        return Err(Refusal::new(Code::InvalidParameters, summary).at(own.place.to_string()));
    }
    let mut rolls = Vec::new();
    for own in lacking {
        let record = table
            .roll(&expression, &who.name, &format!("{ATTRIBUTE}{}", own.name))
            .map_err(|error| dice_refusal(&error))?;
        sheet.attributes.insert(own.name.clone(), record.roll.total);
        rolls.push(record);
    }
    Ok((sheet, rolls))
}
