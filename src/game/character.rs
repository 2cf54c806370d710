//! Making and changing characters: scores checked against the rules, tracks worked out from them, each changed
//! field before and after.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::crossing::Crossing;
use crate::game::entry::{Change, Images, Visibility};
use crate::game::event::{Event, Field};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::{Detail, Refusal};
use crate::game::state::{Character, Kind, State, Track};
use crate::game::table::{Draft, Table};
use crate::game::tracks;
use crate::names::fold;
use crate::rules::System;

/// Names that stand for somebody else: the only player character, an NPC named beside it, whoever acts in the log.
const RESERVED: [&str; 4] = ["player", "npc", "gm", "system"];

/// What is wrong with a score that the rules' range does not hold.
const OUT_OF_RANGE: &str = "is out of range";

/// The fields of a call; `None` and empty leave things as they are.
#[derive(Debug, Default, Clone)]
pub struct Sheet {
    pub name: Option<String>,
    pub kind: Option<Kind>,
    pub level: Option<i64>,
    pub xp: Option<i64>,
    /// Scores by any name of the attribute.
    pub attributes: BTreeMap<String, i64>,
    /// Bonuses by any name of the skill.
    pub skills: BTreeMap<String, i64>,
    /// Values by track; for a track the rules do not work out, the maximum too.
    pub tracks: BTreeMap<String, i64>,
    /// An NPC's hit points as its description gives them: value and maximum, whatever the rules would work out.
    pub hp: Option<i64>,
    pub notes: Option<String>,
    pub gm_notes: Option<String>,
    /// Why a score may lie outside its range; logged.
    pub override_reason: Option<String>,
}

/// Makes one and logs it; answers the entry's number, which is also the character's id.
pub fn create(table: &mut Table, sheet: Sheet) -> Result<u64, Refusal> {
    let Some(name) = sheet.name.clone() else {
        return Err(Refusal::new("invalid_parameters", "A character needs a name. Send name=\"Aria\"."));
    };
    bounds(&sheet)?;
    limits::count("characters", table.state.characters.len() + 1, LIMITS.characters)?;
    taken(table.state, &name, None)?;
    let seq = table.next_seq();
    let id = i64::try_from(seq).unwrap_or(i64::MAX);
    let blank = Character {
        id,
        name: name.trim().to_owned(),
        kind: sheet.kind.unwrap_or_default(),
        level: 1,
        xp: 0,
        attributes: BTreeMap::new(),
        skills: BTreeMap::new(),
        notes: String::new(),
        gm_notes: String::new(),
    };
    let row = changed(table.system(), &blank, &sheet)?;
    let own = tracks::fresh(table.state, table.system(), &row, &sheet)?;
    let event = Event::CharacterCreated { subject: row.subject() };
    let visibility = if row.kind.is_open() { Visibility::Public } else { Visibility::Gm };
    let mut changes = vec![Change::Character(Images::made(row))];
    changes.extend(own.into_iter().map(|track| Change::Track(Images::made(track))));
    Ok(table.log(Draft { visibility, ..Draft::new("gm", event, changes) }))
}

/// Changes one and logs it; answers the entry's number.
pub fn update(table: &mut Table, who: &str, sheet: Sheet) -> Result<u64, Refusal> {
    bounds(&sheet)?;
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if let Some(name) = &sheet.name {
        taken(table.state, name, Some(before.id))?;
    }
    let after = changed(table.system(), &before, &sheet)?;
    let mut moved = tracks::recomputed(table.state, table.system(), &after, &sheet)?;
    let crossing = crossed(table, &before, &moved);
    for (was, now) in &crossing.moved {
        match moved.iter_mut().find(|images| images.after.as_ref().is_some_and(|track| track.name == now.name)) {
            Some(images) => images.after = Some(now.clone()),
            None => moved.push(Images::changed(was.clone(), now.clone())),
        }
    }
    crossing.bounds(table.state)?;
    let mut fields = fields(&before, &after, &moved);
    fields.extend(crossing.field(table.state));
    if fields.is_empty() {
        let summary = format!("{} already is as you say. Send the fields that differ.", before.name);
        return Err(Refusal::new("no_effect", summary));
    }
    // That the GM wrote something down for himself is no news to players.
    let open = before.kind.is_open() && after.kind.is_open() && fields.iter().any(|field| field.field != "gm_notes");
    let event = Event::CharacterUpdated {
        subject: after.subject(),
        fields,
        override_reason: sheet.override_reason,
        triggers: crossing.triggers.clone(),
    };
    let visibility = if open { Visibility::Public } else { Visibility::Gm };
    let mut changes = Vec::new();
    if before != after {
        changes.push(Change::Character(Images::changed(before, after)));
    }
    changes.extend(moved.into_iter().map(Change::Track));
    let rule = crossing.rule.clone();
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    changes.extend(crossing.changes(table.state, table.system(), since));
    Ok(table.log(Draft { visibility, rule, ..Draft::new("gm", event, changes) }))
}

/// What the moved tracks bring. A track that is new stands where it stands and has crossed nothing.
fn crossed(table: &Table, who: &Character, moved: &[Images<Track>]) -> Crossing {
    let mut crossing = Crossing::new(table.state, who.id);
    for images in moved {
        match (&images.before, &images.after) {
            (Some(before), Some(after)) => crossing.cross(table.state, table.system(), before, after, 0),
            (None, Some(after)) => crossing.standing.moved(after),
            _ => {}
        }
    }
    crossing
}

/// What the rules ask for that the character still lacks, in words: "Strength (STR), 3 to 20".
pub fn missing(state: &State, system: &System, character: &Character) -> Vec<String> {
    let attributes = system.attributes.iter().filter(|attribute| !character.attributes.contains_key(&attribute.name));
    let attributes = attributes.map(|attribute| {
        let abbr = attribute.abbr.as_ref().map_or(String::new(), |abbr| format!(" ({abbr})"));
        let range = attribute.range.map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
        format!("{}{abbr}{range}", attribute.name)
    });
    // A track that is kept for an attribute comes with its score.
    let tracks = system.tracks.iter().filter(|rule| !system.takes_score(&rule.name));
    let tracks = tracks.filter(|rule| !state.tracks_of(character.id).any(|track| track.name == rule.name));
    attributes.chain(tracks.map(|rule| rule.name.clone())).collect()
}

fn bounds(sheet: &Sheet) -> Result<(), Refusal> {
    if let Some(name) = &sheet.name {
        limits::name("name", name)?;
    }
    for (parameter, text, most) in [
        ("notes", &sheet.notes, LIMITS.notes),
        ("gm_notes", &sheet.gm_notes, LIMITS.notes),
        ("override_reason", &sheet.override_reason, LIMITS.context),
    ] {
        if let Some(text) = text {
            limits::text(parameter, text, most)?;
        }
    }
    for (parameter, map) in [("attributes", &sheet.attributes), ("skills", &sheet.skills), ("tracks", &sheet.tracks)] {
        limits::count(parameter, map.len(), LIMITS.map)?;
        for (name, value) in map {
            limits::name(parameter, name)?;
            limits::number(&format!("{parameter}.{name}"), *value)?;
        }
    }
    limits::number("hp", sheet.hp.unwrap_or(0))?;
    limits::number("level", sheet.level.unwrap_or(0))?;
    limits::number("xp", sheet.xp.unwrap_or(0))
}

fn taken(state: &State, name: &str, except: Option<i64>) -> Result<(), Refusal> {
    match lookup::by_name(state, name) {
        Some(other) if Some(other.id) != except => {
            let summary = format!(
                "There already is a {}. Send another name, or action=\"update\" character=\"{}\" to change it.",
                other.name, other.name
            );
            Err(Refusal::new("duplicate_name", summary).near(vec![other.name.clone()]))
        }
        None if RESERVED.contains(&fold(name).as_str()) => {
            let summary = format!("\"{name}\" has a meaning of its own here. Send another name.");
            Err(Refusal::new("duplicate_name", summary))
        }
        _ => Ok(()),
    }
}

/// The character with the call's fields in place; every bad score is reported at once.
fn changed(system: &System, before: &Character, sheet: &Sheet) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut bad = Vec::new();
    let mut named = BTreeSet::new();
    for (given, score) in &sheet.attributes {
        match scored(system, given, *score, sheet.override_reason.is_some()) {
            Ok(name) if !named.insert(name.clone()) => bad.push(Detail {
                parameter: format!("attributes.{given}"),
                issue: format!("{name} is named twice"),
                valid_range: "once".to_owned(),
            }),
            Ok(name) => drop(after.attributes.insert(name, *score)),
            Err(detail) => bad.push(detail),
        }
    }
    for (name, bonus) in &sheet.skills {
        match system.skill(name) {
            Ok(skill) => drop(after.skills.insert(skill.name.clone(), *bonus)),
            Err(_) if system.skills.is_empty() => drop(after.skills.insert(name.trim().to_owned(), *bonus)),
            Err(unknown) => bad.push(Detail {
                parameter: format!("skills.{name}"),
                issue: "no such skill".to_owned(),
                valid_range: one_of(&unknown.near, &unknown.known),
            }),
        }
    }
    if let Some(level) = sheet.level.filter(|level| *level < 0) {
        let valid_range = format!("0 to {}", LIMITS.number);
        bad.push(Detail { parameter: "level".to_owned(), issue: level.to_string(), valid_range });
    }
    if !bad.is_empty() {
        return Err(invalid(system, bad));
    }
    after.name = sheet.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
    after.kind = sheet.kind.unwrap_or(after.kind);
    after.level = sheet.level.unwrap_or(after.level);
    after.xp = sheet.xp.unwrap_or(after.xp);
    after.notes = sheet.notes.clone().unwrap_or(after.notes);
    after.gm_notes = sheet.gm_notes.clone().unwrap_or(after.gm_notes);
    Ok(after)
}

/// The attribute's own name when the score is allowed.
fn scored(system: &System, name: &str, score: i64, overridden: bool) -> Result<String, Detail> {
    let attribute = match system.attribute(name) {
        Ok(attribute) => attribute,
        Err(_) if system.attributes.is_empty() => return Ok(name.trim().to_owned()),
        Err(unknown) => {
            let valid_range = one_of(&unknown.near, &unknown.known);
            return Err(Detail {
                parameter: format!("attributes.{name}"),
                issue: "no such attribute".to_owned(),
                valid_range,
            });
        }
    };
    match attribute.range {
        Some((low, high)) if !overridden && !(low..=high).contains(&score) => Err(Detail {
            parameter: format!("attributes.{name}"),
            issue: format!("{score} {OUT_OF_RANGE}"),
            valid_range: format!("{low} to {high}"),
        }),
        _ => Ok(attribute.name.clone()),
    }
}

fn one_of(near: &[String], known: &[String]) -> String {
    if near.is_empty() { known.join(", ") } else { near.join(", ") }
}

fn invalid(system: &System, bad: Vec<Detail>) -> Refusal {
    let list: Vec<String> = bad
        .iter()
        .map(|detail| format!("{}: {} (valid: {})", detail.parameter, detail.issue, detail.valid_range))
        .collect();
    // Advised only where it helps, and by the tool that takes it: a fight's newcomers come here too.
    let advice = match bad.iter().any(|detail| detail.issue.ends_with(OUT_OF_RANGE)) {
        true => " manage_character keeps a score outside its range when override_reason=\"…\" says why.",
        false => "",
    };
    let summary = format!("{}.{advice}", list.join("; "));
    let mut refusal = Refusal::new("invalid_parameters", summary).details(bad);
    refusal.source = system.attributes.first().map(|attribute| attribute.place.to_string().into_boxed_str());
    refusal
}

fn fields(before: &Character, after: &Character, moved: &[Images<Track>]) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |name: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            fields.push(Field { field: name.to_owned(), before, after });
        }
    };
    field("name", Some(before.name.clone()), Some(after.name.clone()));
    field("kind", Some(before.kind.as_str().to_owned()), Some(after.kind.as_str().to_owned()));
    field("level", Some(before.level.to_string()), Some(after.level.to_string()));
    field("xp", Some(before.xp.to_string()), Some(after.xp.to_string()));
    for name in after.attributes.keys() {
        let text = |sheet: &Character| sheet.attributes.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    for name in after.skills.keys() {
        let text = |sheet: &Character| sheet.skills.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    for images in moved {
        let text = |track: &Option<Track>| track.as_ref().map(tracks::reading);
        let name = images.after.as_ref().or(images.before.as_ref()).map_or("", |track| track.name.as_str());
        field(name, text(&images.before), text(&images.after));
    }
    // The words of notes stand in the images; a field names only that they changed.
    let changed = |before: &str, after: &str| if before == after { None } else { Some("rewritten".to_owned()) };
    field("notes", None, changed(&before.notes, &after.notes));
    field("gm_notes", None, changed(&before.gm_notes, &after.gm_notes));
    fields
}
