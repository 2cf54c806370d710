//! Creates and changes characters: scores are checked against the rules, tracks are computed from
//! them, and each changed field is logged before and after.
//!
//! Only given numbers are stored (scores, skills, level, xp, tracks); the rest is computed.

mod revise;
pub mod tracks;

pub use revise::update;
pub(crate) use revise::{apply_sheet, revise};

use crate::decide::condition::{self, ConditionCall};
use crate::decide::items::{self, ItemCall};
use crate::limits::{self, LIMITS};
use crate::mechanics::lookup::{self, free_name};
use crate::mechanics::threshold::{ConditionParameter, check_condition};
use crate::mechanics::values::{dice_refusal, is_omitted_zero};
use crate::record::change::{Change, Images};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{CharacterCreated, Event, Retired};
use crate::record::state::{Character, Kind, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::{secrets, snapshot::CharacterSnapshot};
use crate::{decide::roll::check_dice, record::purpose::ATTRIBUTE};
use rollbook_rules::{Attribute, System};
use rollbook_text::names::fold;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The fields of a call; `None` and empty ones change nothing.
#[derive(Debug, Default, Clone)]
pub struct SheetCall {
    pub name: Option<String>,
    pub kind: Option<Kind>,
    pub level: Option<i64>,
    pub xp: Option<i64>,
    /// Scores by any name of the attribute.
    pub attributes: BTreeMap<String, i64>,
    /// Bonuses by any name of the skill.
    pub skills: BTreeMap<String, i64>,
    /// Values by track; for a track without a rule also its maximum.
    pub tracks: BTreeMap<String, i64>,
    /// Hit points, regardless of the rules; of a player character only where these have none.
    pub hp: Option<HitPoints>,
    pub inventory: Vec<ItemCall>,
    pub attacks: Vec<AttackCall>,
    /// Experience for defeating it.
    pub worth: Option<i64>,
    pub notes: Option<String>,
    pub gm_notes: Option<String>,
    /// Why a score is outside its range; logged.
    pub override_reason: Option<String>,
    /// For a new character: lines of its source that were not read, which the reply names.
    pub unread: Vec<Unread>,
    /// For a new character: what it is made from; the other fields override it.
    pub from: Option<Box<CharacterSnapshot>>,
    /// For a new character: dice for every attribute that is not given, such as `4d6kh3`.
    pub roll_attributes: Option<String>,
    /// For a new character: conditions that it begins with.
    pub conditions: Vec<String>,
    /// For a new character: allows conditions that no rule has.
    pub free: bool,
}

/// How the note on a line that was not read begins; the text of a reply names those lines.
pub const NOT_READ: &str = "Not read, kept as a note: ";

/// A line of a source that was not read, and the parameters of an update that say what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub line: String,
    pub fields: String,
}

/// Hit points as a call sets them: what is left, and what there is unhurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitPoints {
    pub current: i64,
    pub max: i64,
}

impl HitPoints {
    /// Unhurt.
    pub fn full(max: i64) -> HitPoints {
        HitPoints { current: max, max }
    }
}

/// One attack of a call; a field that is left out stays as it is.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(description = "")]
pub struct AttackCall {
    pub name: String,
    /// Or an attribute.
    pub skill: Option<String>,
    /// Beside skill; without it all of it.
    pub bonus: Option<i64>,
    /// "1d6+3", "1d6 slashing plus 1d4 fire".
    pub damage: Option<String>,
    pub damage_type: Option<String>,
    pub range: Option<String>,
    /// What else a hit brings: "gain Prone, gain Burning 2", or words.
    pub effect: Option<String>,
    /// true: takes it off the sheet.
    pub remove: Option<bool>,
}

pub(crate) fn check_limits(sheet: &SheetCall) -> Result<()> {
    sheet
        .name
        .iter()
        .try_for_each(|name| limits::name("name", name))?;
    sheet
        .notes
        .iter()
        .try_for_each(|text| limits::text("notes", text, LIMITS.notes))?;
    sheet
        .gm_notes
        .iter()
        .try_for_each(|text| limits::text("gm_notes", text, LIMITS.notes))?;
    sheet
        .override_reason
        .iter()
        .try_for_each(|text| limits::text("override_reason", text, LIMITS.context))?;
    for (parameter, map) in [
        ("attributes", &sheet.attributes),
        ("skills", &sheet.skills),
        ("tracks", &sheet.tracks),
    ] {
        limits::count(parameter, map.len(), LIMITS.map)?;
        for (name, value) in map {
            limits::name(parameter, name)?;
            limits::number(&format!("{parameter}.{name}"), *value)?;
        }
    }
    items::check_limits(&sheet.inventory)?;
    limits::number("worth", sheet.worth.unwrap_or(0))?;
    sheet
        .hp
        .iter()
        .flat_map(|hp| [hp.current, hp.max])
        .try_for_each(|hp| limits::number("hp", hp))?;
    limits::count("conditions", sheet.conditions.len(), LIMITS.conditions)?;
    limits::number("level", sheet.level.unwrap_or(0))?;
    limits::number("xp", sheet.xp.unwrap_or(0))
}

/// Names with a meaning in calls or in the log.
const RESERVED: [&str; 5] = ["player", "npc", "gm", "system", "company"];

fn check_name_free(state: &State, name: &str, except: Option<i64>) -> Result<()> {
    let known = lookup::by_name(state, name);
    let summary = match known {
        Some(other) if Some(other.id) != except => {
            let other = &other.name;
            format!(
                "There already is a {other}. Send action=\"update\" character=\"{other}\" to change it, or another name."
            )
        }
        None if RESERVED.contains(&fold(name).as_str()) => {
            format!("\"{name}\" has a meaning of its own here. Send another name.")
        }
        Some(_) | None => return Ok(()),
    };
    let known = known.map(|other| other.name.clone());
    Err(Refusal::new(Code::DuplicateName, summary).did_you_mean(known.into_iter().collect()))
}

/// What the rules ask for and the character lacks: "Strength (STR), 3 to 20".
pub fn missing(state: &State, system: &System, character: &Character) -> Vec<String> {
    let lacks = |attribute: &&Attribute| {
        !character.attributes.contains_key(&attribute.name)
            && !is_omitted_zero(character, attribute)
    };
    let attributes = system.attributes.iter().filter(lacks);
    let attributes = attributes.map(|attribute| {
        let abbr = attribute
            .abbr
            .as_ref()
            .map_or(String::new(), |abbr| format!(" ({abbr})"));
        let range = attribute
            .range
            .map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
        format!("{}{abbr}{range}", attribute.name)
    });
    // An attribute's track comes with its score; nobody has points that are given until they are.
    let tracks = system
        .tracks
        .iter()
        .filter(|rule| !system.damage_lowers(&rule.name) && !rule.is_temporary());
    let tracks = tracks.filter(|rule| {
        !state
            .tracks_of(character.id)
            .any(|track| track.name == rule.name)
    });
    attributes
        .chain(tracks.map(|rule| rule.name.clone()))
        .collect()
}

/// Marks the character as retired, or as active again.
pub fn retire(table: &mut Table, who: &str) -> Result<()> {
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if table.state.open_combatant(before.id).is_some() {
        let name = &before.name;
        let summary = format!(
            "{name} is in a fight. Send manage_combat action=\"remove\" combatant=\"{name}\" first, or end the fight."
        );
        return Err(Refusal::new(Code::InCombat, summary));
    }
    let back = before.retired;
    let after = Character {
        retired: !back,
        ..before.clone()
    };
    let event = Event::Retired(Retired {
        subject: after.subject(),
        back,
    });
    let visibility = if after.kind.is_open() {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    let changes = vec![Change::Character(Images::changed(before, after))];
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
    Ok(())
}

/// Characters that one call makes at most.
const MANY_MAX: i64 = 100;

/// Creates `count` characters; several are numbered: "Goblin 1", "Goblin 2".
pub fn create_many(table: &mut Table, sheet: SheetCall, count: Option<i64>) -> Result<()> {
    let Some(count) = count.filter(|count| *count != 1) else {
        sheet
            .name
            .iter()
            .try_for_each(|name| secrets::check_name(table.state, name))?;
        return create(table, sheet).map(drop);
    };
    if !(1..=MANY_MAX).contains(&count) {
        return Err(Refusal::new(
            Code::LimitExceeded,
            format!("count is {count}; it takes 1 to {MANY_MAX}."),
        ));
    }
    let kind = name_of(&sheet)?;
    check_room(table, usize::try_from(count).unwrap_or(usize::MAX))?;
    for _ in 0..count {
        let name = Some(free_name(table.state, &kind, false));
        create(
            table,
            SheetCall {
                name,
                ..sheet.clone()
            },
        )?;
    }
    Ok(())
}

pub(crate) fn check_room(table: &Table, count: usize) -> Result<()> {
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
pub fn create(table: &mut Table, mut sheet: SheetCall) -> Result<u64> {
    let name = name_of(&sheet)?;
    check_limits(&sheet)?;
    check_room(table, 1)?;
    check_name_free(table.state, &name, None)?;
    let (system, free) = (table.system(), sheet.free);
    let here = names_here(table.state);
    for condition in &sheet.conditions {
        limits::name("conditions", condition)?;
        check_condition(
            system,
            &here,
            condition,
            free,
            ConditionParameter::Conditions,
        )?;
    }
    let kind = sheet
        .kind
        .or(sheet.from.as_ref().map(|from| from.kind))
        .unwrap_or_default();
    let mut drawn = Character {
        name: name.trim().to_owned(),
        kind,
        level: 1,
        ..Character::default()
    };
    if let Some(from) = sheet.from.as_deref().cloned() {
        let CharacterSnapshot {
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
        } = from;
        drawn = Character {
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
            ..drawn
        };
    }
    let rolls = roll_scores(table, &drawn, &mut sheet)?;
    let id = table.next_id();
    let row = apply_sheet(system, &Character { id, ..drawn }, &sheet)?;
    let conditions = sheet
        .from
        .as_deref()
        .map_or_else(Vec::new, |from| from.condition_rows(id));
    let drawn_items = sheet.from.as_deref().map_or(&[][..], |from| &from.items);
    let tracks = tracks::new_tracks(table.state, system, &row, &sheet)?;
    let things = items::new_items(id, drawn_items, &sheet.inventory)?;
    let here = names_here(table.state);
    let mut notes = Vec::new();
    for row in &conditions {
        notes.extend(check_condition(
            system,
            &here,
            &row.name,
            free,
            ConditionParameter::Sheet,
        )?);
    }
    notes.extend(sheet.unread.iter().map(|Unread { line, fields }| {
        let advice = match fields.is_empty() {
            true => String::new(),
            false => format!(
                " Send manage_character action=\"update\" character=\"{}\" {fields} with what is meant.",
                row.name
            ),
        };
        format!("{NOT_READ}{line}.{advice}")
    }));
    table.note(notes);
    let event = Event::CharacterCreated(CharacterCreated {
        subject: row.subject(),
        from: sheet.from.as_ref().map(|from| from.origin.clone()),
        override_reason: sheet.override_reason,
    });
    let visibility = if row.kind.is_open() {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    let mut changes = vec![Change::Character(Images::made(row))];
    changes.extend(
        tracks
            .into_iter()
            .map(|track| Change::Track(Images::made(track))),
    );
    changes.extend(
        conditions
            .into_iter()
            .map(|condition| Change::Condition(Images::made(condition))),
    );
    changes.extend(
        things
            .into_iter()
            .map(|item| Change::Item(Images::made(item))),
    );
    let seq = table.log(Draft {
        visibility,
        rolls,
        ..Draft::new("gm", event, changes)
    });
    for condition in sheet.conditions {
        let on = vec![name.trim().to_owned()];
        condition::add(
            table,
            &ConditionCall {
                on,
                condition,
                free,
                ..ConditionCall::default()
            },
        )?;
    }
    Ok(seq)
}

fn names_here(state: &State) -> Vec<&str> {
    state
        .conditions
        .values()
        .map(|row| row.name.as_str())
        .collect()
}

fn name_of(sheet: &SheetCall) -> Result<String> {
    let name = sheet
        .name
        .as_ref()
        .or(sheet.from.as_ref().map(|from| &from.name));
    let missing = || {
        Refusal::new(
            Code::InvalidParameters,
            "A character needs a name. Send name=\"Aria\".",
        )
    };
    let name = name.ok_or_else(missing)?;
    limits::name("name", name)?;
    Ok(name.clone())
}

/// Dice for one score.
const DICE_MAX: u64 = 20;

/// Rolls every missing score. Dice that could leave a range are refused before anything is rolled.
fn roll_scores(
    table: &mut Table,
    who: &Character,
    sheet: &mut SheetCall,
) -> Result<Vec<RollRecord>> {
    let Some(text) = sheet.roll_attributes.take() else {
        return Ok(Vec::new());
    };
    let expression = rollbook_dice::read(&text).map_err(|error| dice_refusal(&error))?;
    check_dice(table.system(), &expression)?;
    let asked = expression.asked();
    if asked > DICE_MAX {
        let summary =
            format!("roll_attributes asks for {asked} dice a score; it takes up to {DICE_MAX}.");
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let attributes = &table.system().attributes;
    let given = |attribute: &Attribute| {
        sheet
            .attributes
            .keys()
            .any(|name| attribute.is_called(&fold(name)))
    };
    let lacks =
        |attribute: &&Attribute| !who.attributes.contains_key(&attribute.name) && !given(attribute);
    let lacking: Vec<&Attribute> = attributes.iter().filter(lacks).collect();
    if lacking.is_empty() {
        let summary = match attributes.is_empty() {
            true => "The rules declare no attributes to roll for. Leave roll_attributes out.",
            false => {
                "Every score is given, so there is none to roll for. Leave roll_attributes out, or the scores."
            }
        };
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let totals = expression
        .odds()
        .map_err(|error| dice_refusal(&error))?
        .totals;
    let (low, high) = (totals.min().unwrap_or(0), totals.max().unwrap_or(0));
    let leaves = |attribute: &&&Attribute| {
        !attribute.allows(low) || !attribute.allows(high) || !totals.cut().is_zero()
    };
    if let Some(Attribute {
        name, place, range, ..
    }) = lacking.iter().find(leaves)
    {
        let (from, to) = range.unwrap_or_default();
        let summary = format!(
            "{text} can fall from {low} to {high}, and {name} goes from {from} to {to}. Send dice that stay within it."
        );
        return Err(Refusal::new(Code::InvalidParameters, summary).at(place));
    }
    let mut rolls = Vec::new();
    for Attribute { name, .. } in lacking {
        let record = table.roll(&expression, &who.name, &format!("{ATTRIBUTE}{name}"));
        let record = record.map_err(|error| dice_refusal(&error))?;
        sheet.attributes.insert(name.clone(), record.roll.total);
        rolls.push(record);
    }
    Ok(rolls)
}
