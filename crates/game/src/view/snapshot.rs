//! A character outside any campaign, for export, import and copies.

use crate::limits::{self, LIMITS};
use crate::mechanics::attacks;
use crate::record::state::{Attack, Character, Condition, Item, Kind, State, Ticks, Track, Until};
use crate::refusal::{Code, Refusal};
use rollbook_text::names::fold;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A character with everything it has, without ids, entry numbers and turn counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharacterSnapshot {
    /// Its source, in words, for the log.
    #[serde(skip)]
    pub origin: String,
    /// Its numbers come from a description: a track that equals the rules' own is kept as computed.
    #[serde(skip)]
    pub described: bool,
    pub name: String,
    pub kind: Kind,
    #[serde(default = "one")]
    pub level: i64,
    #[serde(default)]
    pub xp: i64,
    #[serde(default)]
    pub attributes: BTreeMap<String, i64>,
    #[serde(default)]
    pub skills: BTreeMap<String, i64>,
    #[serde(default)]
    pub tracks: Vec<Track>,
    #[serde(default)]
    pub conditions: Vec<Condition>,
    #[serde(default)]
    pub items: Vec<Item>,
    #[serde(default)]
    pub ticks: Ticks,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attacks: Vec<Attack>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<i64>,
    #[serde(default)]
    pub notes: String,
    #[serde(default)]
    pub gm_notes: String,
    #[serde(default)]
    pub retired: bool,
}

fn one() -> i64 {
    1
}

/// What a condition keeps as that character's, made by the entry of that number; 0 in a snapshot.
fn kept(row: &Condition, character: i64) -> Condition {
    Condition {
        character,
        since: character,
        lasts: None,
        caused_by: None,
        group_name: None,
        ..row.clone()
    }
}

impl CharacterSnapshot {
    /// The snapshot of a character.
    pub fn of(state: &State, who: &Character) -> CharacterSnapshot {
        let tracks = state
            .tracks_of(who.id)
            .map(|track| Track {
                character: 0,
                ..track.clone()
            })
            .collect();
        let conditions = state
            .conditions_of(who.id)
            .map(|row| kept(row, 0))
            .collect();
        let items = state
            .items_of(who.id)
            .map(|item| Item {
                character: 0,
                ..item.clone()
            })
            .collect();
        let who = who.clone();
        CharacterSnapshot {
            origin: who.name.clone(),
            described: false,
            name: who.name,
            kind: who.kind,
            level: who.level,
            xp: who.xp,
            attributes: who.attributes,
            skills: who.skills,
            tracks,
            conditions,
            items,
            ticks: who.ticks,
            attacks: who.attacks,
            worth: who.worth,
            notes: who.notes,
            gm_notes: who.gm_notes,
            retired: who.retired,
        }
    }

    /// A snapshot without scores or rows.
    pub fn empty(name: &str, kind: Kind) -> CharacterSnapshot {
        CharacterSnapshot {
            name: name.to_owned(),
            kind,
            level: 1,
            ..CharacterSnapshot::default()
        }
    }

    /// Its conditions as rows of a new character.
    pub fn condition_rows(&self, character: i64) -> Vec<Condition> {
        self.conditions
            .iter()
            .map(|row| kept(row, character))
            .collect()
    }

    /// Refuses what is beyond the limits: a snapshot may come from anywhere.
    pub fn check_limits(&self) -> Result<(), Refusal> {
        limits::name("name", &self.name)?;
        limits::text("notes", &self.notes, LIMITS.notes)?;
        limits::text("gm_notes", &self.gm_notes, LIMITS.notes)?;
        for (what, map) in [("attributes", &self.attributes), ("skills", &self.skills)] {
            limits::count(what, map.len(), LIMITS.map)?;
            for (name, value) in map {
                limits::name(what, name)?;
                limits::number(&format!("{what}.{name}"), *value)?;
            }
        }
        let ticks = self.ticks.all();
        limits::count("ticks", ticks.len(), LIMITS.map)?;
        ticks
            .into_iter()
            .try_for_each(|name| limits::name("ticks", name))?;
        limits::number("xp", self.xp)?;
        limits::number("level", self.level)?;
        limits::number("worth", self.worth.unwrap_or(0))?;
        attacks::check_limits(&self.attacks)?;
        self.check_rows()
    }

    fn check_rows(&self) -> Result<(), Refusal> {
        limits::count("tracks", self.tracks.len(), LIMITS.map)?;
        for track in &self.tracks {
            limits::name("tracks", &track.name)?;
            let numbers = [Some(track.value), Some(track.min), track.max];
            numbers
                .into_iter()
                .flatten()
                .try_for_each(|value| limits::number(&track.name, value))?;
            if track.value < track.min || track.max.is_some_and(|max| track.value > max) {
                let summary = format!(
                    "{} stands at {}, outside its own bounds.",
                    track.name, track.value
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
        }
        limits::count("conditions", self.conditions.len(), LIMITS.conditions)?;
        for row in &self.conditions {
            limits::name("conditions", &row.name)?;
            limits::text("conditions.source", &row.source, LIMITS.context)?;
            limits::text(
                "conditions.cause",
                row.cause.as_deref().unwrap_or_default(),
                LIMITS.context,
            )?;
            limits::text(
                "conditions.until",
                row.until.as_ref().map_or("", Until::name),
                LIMITS.context,
            )?;
            limits::number("conditions.level", row.level.unwrap_or(0))?;
            if *row != kept(row, 0) {
                let summary = format!(
                    "conditions: {} has character, since, lasts, caused_by or group_name, which are of its campaign. Leave them out.",
                    row.name
                );
                return Err(Refusal::new(Code::InvalidDocument, summary));
            }
        }
        limits::count("items", self.items.len(), LIMITS.items)?;
        for item in &self.items {
            limits::name("items", &item.name)?;
            limits::text("items.notes", &item.notes, LIMITS.context)?;
            limits::properties("items.properties", &item.properties)?;
            limits::number("items.quantity", item.quantity)?;
            limits::number("items.uses", item.uses.unwrap_or(0))?;
            if item.quantity < 1 || item.uses.is_some_and(|uses| uses < 0) {
                let summary = format!(
                    "{}: a quantity is 1 or more, and uses 0 or more.",
                    item.name
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
        }
        let tracks = self.tracks.iter().map(|row| ("tracks", &row.name));
        let conditions = self.conditions.iter().map(|row| ("conditions", &row.name));
        let items = self.items.iter().map(|row| ("items", &row.name));
        let mut seen = BTreeSet::new();
        let mut names = tracks.chain(conditions).chain(items);
        names
            .find(|(what, name)| !seen.insert((*what, fold(name))))
            .map_or(Ok(()), |(what, name)| {
                let summary = format!("{what}: \"{name}\" stands there twice. Keep one of them.");
                Err(Refusal::new(Code::InvalidParameters, summary))
            })
    }
}
